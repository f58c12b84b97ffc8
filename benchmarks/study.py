"""What a study costs beside the evaluations: the file, asking and telling, opening.

``python benchmarks/study.py`` measures overheads at n = 100; ``--stored 100000`` also
makes a file of so many evaluations, opens it and replays it.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import divlearn as dl
from divlearn.basics import store as store_module
from divlearn.spaces.packing import Packing
from divlearn.study.store import Store
from divlearn.study.study import Study
from divlearn.study.trial import Trial
from divlearn.workers import Attempt


def median_ms(times):
    """Median in milliseconds, with the 95 % quantile."""
    times = sorted(1e3 * t for t in times)
    return (
        f"{statistics.median(times):.3f} ms (95 %: {times[int(0.95 * len(times))]:.3f})"
    )


def time_disk(folder, count=200):
    """Wait for the disk after every 4 KB, as every database that is safe has to."""
    times = []
    with Path(folder, "plain").open("wb") as file:
        for _ in range(count):
            started = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    return times


def time_store(folder, n, count=300):
    """Write candidates and outcomes of a permutation."""
    space = dl.Permutation(n)
    packing, rng, times = Packing(space), np.random.default_rng(0), []
    with Store(Path(folder, "store.db")) as store:
        for i in range(count):
            x = rng.permutation(n)
            f = tuple(rng.random(2).tolist())
            started = time.perf_counter()
            trial = Trial(i, x, known=i, asked=time.time())
            trial.codes = packing.pack(x)
            store.add_candidate(trial)
            attempt = Attempt(i, 0, 0, x, None, ended=time.time())
            attempt.end("ok", f).by("w", 1.0)
            trial.state, trial.f, trial.g = "ok", dict(zip("ab", f, strict=True)), {}
            trial.ended = attempt.ended
            store.add_outcomes([attempt], [trial])
            times.append(time.perf_counter() - started)
    return times


def time_search(n, method, count=2_000):
    """Ask and tell."""
    problem = dl.problems.get(f"bitsp-{n}")
    optimizer = dl.Optimizer(problem, method, budget=count)
    optimizer.warm_up(compiled=False)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        (candidate,) = optimizer.ask()
        asked = time.perf_counter()
        values = problem.evaluate(candidate.x)
        between = time.perf_counter()
        optimizer.tell(candidate, values)
        times.append(asked - started + time.perf_counter() - between)
    return times


def time_optuna(folder, n, count=100):
    """The same with Optuna's own storage and sampler; None where it is not there."""
    try:
        import optuna
    except ImportError:
        return None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        storage=f"sqlite:///{folder}/optuna.db", directions=["minimize"] * 2
    )
    times = []
    for _ in range(count):
        started = time.perf_counter()
        trial = study.ask()
        order = np.argsort([trial.suggest_float(f"x{i}", 0, 1) for i in range(n)])
        study.tell(trial, (float(order[0]), float(order[1])))
        times.append(time.perf_counter() - started)
    return times


def stored(folder, n, method, count):
    """Make a file of many evaluations; return how large it is and how it opens."""
    problem = dl.problems.get(f"bitsp-{n}")
    path = Path(folder, f"{method}.db")
    # Only how the file is made is hurried up, not how it is opened.
    kept = dict(store_module.SYNCHRONOUS)
    store_module.SYNCHRONOUS.update({True: "OFF", False: "OFF"})
    started = time.perf_counter()
    with Study(problem, path, method=method) as study:
        result = study.run(budget=count, workers=0)
    made = time.perf_counter() - started
    store_module.SYNCHRONOUS.update(kept)
    started = time.perf_counter()
    with Study(problem, path) as study:
        opened = time.perf_counter() - started
        assert np.array_equal(study.result().F, result.F)
        ready = time.perf_counter() - started
        used = time.process_time()
        verified = study.verify()
        used = time.process_time() - used
        started = time.perf_counter()
        trials = study.trials()
    return {
        "made": made,
        "megabytes": path.stat().st_size / 1e6,
        "opened": opened,
        "ready": ready,
        "verified": verified,
        "used": used,
        "trials": len(trials),
        "read": time.perf_counter() - started,
    }


def tell_stored(seen):
    """Print what :func:`stored` returns."""
    print(f"  made in {seen['made']:.1f} s, {seen['megabytes']:.1f} MB")
    print(
        f"  opened in {seen['opened']:.2f} s, ready to go on in {seen['ready']:.2f} s"
    )
    print(f"  from nothing: {seen['verified']}, {seen['used']:.1f} s of CPU")
    print(f"  {seen['trials']:,} trials read in {seen['read']:.2f} s")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--stored", type=int, default=0)
    parser.add_argument("--methods", default="paper-ts,dl")
    options = parser.parse_args()
    methods = options.methods.split(",")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        print("wait for the disk once:", median_ms(time_disk(folder)))
        print("store, synced:         ", median_ms(time_store(folder, options.n)))
        for method in methods:
            times = time_search(options.n, method)
            print(
                f"ask + tell, {method}: mean {1e3 * sum(times) / len(times):.3f} ms, "
                f"median {median_ms(times)}"
            )
        others = time_optuna(folder, options.n)
        if others is not None:
            print("Optuna with SQLite:    ", median_ms(others), flush=True)
        for method in methods if options.stored else ():
            print(f"{options.stored:,} evaluations of {method}:")
            tell_stored(stored(folder, options.n, method, options.stored))


if __name__ == "__main__":
    main()
