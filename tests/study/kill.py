"""Kills a study at random moments, resumes it, and compares with one that ran through.

``python -m tests.study.kill --kills 200 --budget 150 --workers 2`` is the long form.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import divlearn as dl

SPACE = dl.Composite(order=dl.Permutation(6), width=dl.Integer(1, 9))


def evaluate(x):
    """Two objectives; some designs cannot be evaluated."""
    time.sleep(0.001)
    if x["order"][0] == x["width"]:
        raise dl.InvalidDesign("no room")
    return values_of(x)


def values_of(x):
    """What they are worth."""
    first = sum(i * v for i, v in enumerate(x["order"]))
    return first + x["width"], 60 - x["width"] ** 2 - first / 3


PROBLEM = dl.Problem(SPACE, evaluate, {"cost": "min", "gain": "min"})


def run(path, options, reported=None):
    """Run the study to its end; write the number of every outcome that is reported."""

    def report(study, trial):
        if reported is not None:
            os.write(reported, f"{trial.number}\n".encode())

    more = {"workers": options.workers, "callbacks": report}
    with dl.Study(PROBLEM, path, method=options.method, seed=options.seed) as study:
        if options.known:
            study.add_from(designs(options.known))
            study.run(options.budget // 2, **more)
            study.add_from(designs(options.known, first=1_000))
        return study.run(options.budget, **more)


def designs(count, first=0):
    """Known designs, and one that is to be evaluated."""
    unique = {repr(x): x for x in map(SPACE.sample, range(first, first + 9 * count))}
    guess, *known = list(unique.values())[: count + 1]
    return [*((x, values_of(x)) for x in known), (guess, None)]


def fingerprint(result):
    """The front, bit for bit."""
    return result.F.tobytes(), repr(result.X), result.evaluations


def forked(path, options, patience):
    """Run in a process that is killed after a while; its reports, and if it ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            run(path, options, write)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    end = time.monotonic() + patience
    while (
        time.monotonic() < end
        and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    ):
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        lines = pipe.read().splitlines()
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"the study ended with {code}")
    return set(map(int, lines)), code == 0


def main(options):
    """Kill and resume until the study has ended and enough kills were made."""
    moments = random.Random(options.seed)
    kills = rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = fingerprint(run(Path(folder, "whole.db"), options))
        # Designs that the search has met by then count once.
        steps = 0, options.known, num_known(Path(folder, "whole.db"))
        while kills < options.kills:
            path = Path(folder, f"killed-{rounds}.db")
            reported, ended = set(), False
            while not ended:
                enough = kills >= options.kills
                patience = 600 if enough else moments.uniform(0.0, options.patience)
                more, ended = forked(path, options, patience)
                reported |= more
                kills += not ended
                if path.exists() and reported:
                    kept = {t.number for t in trials(path) if t.state != "running"}
                    assert reported <= kept, "a reported outcome is not in the file"
                if path.exists() and options.known:
                    assert num_known(path) in steps, "half of a call"
            rounds += 1
            with dl.Study(PROBLEM, path) as study:
                assert study.verify(), "the file is not reproduced"
                assert fingerprint(study.result()) == whole, "another front"
                numbers = [t.number for t in study.trials()]
                wanted = list(range(options.budget + steps[-1]))
                assert numbers == wanted, "a candidate was lost"
    return {"kills": kills, "studies": rounds, "identical": True}


def trials(path):
    """Look at a study."""
    from divlearn.study import StudyReader

    with StudyReader(path) as reader:
        return reader.trials()


def add_in_many(path, count, moment):
    """Add designs in a process that is killed a moment after it began to do so."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with dl.Study(PROBLEM, path) as study:
                pairs = designs(count)
                os.write(write, b".")
                study.add_from(pairs)
        finally:
            os._exit(0)
    os.close(write)
    os.read(read, 1)
    os.close(read)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def kill_additions(options):
    """Kill a call that adds at many moments: the study has all of it, or nothing."""
    seen = {"nothing": 0, "all": 0}
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.kills):
            path = Path(folder, f"{number}.db")
            with dl.Study(PROBLEM, path, seed=options.seed) as study:
                study.run(5, workers=0)
                started = time.monotonic()
                whole = study.add_from(designs(options.adding), dry_run=True)
                span = 2 * (time.monotonic() - started)
            add_in_many(path, options.adding, moments.uniform(0.0, span))
            with dl.Study(PROBLEM, path) as study:
                known = sum(t.state == "known" for t in study.trials())
                queued = len(study._opened.queue)
                assert (known > 0) == (queued > 0), "half of a call"
                assert known in (0, whole.known), "half of a call"
                assert study.verify(), "the file is not reproduced"
            seen["all" if known else "nothing"] += 1
    return {"kills": options.kills, **seen}


def num_known(path):
    """Known designs in the file of a study that may not have begun."""
    try:
        return sum(trial.state == "known" for trial in trials(path))
    except dl.InputError:
        return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--budget", type=int, default=150)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--method", default="dl")
    parser.add_argument("--known", type=int, default=0)
    parser.add_argument("--adding", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=float, default=0.5)
    options = parser.parse_args()
    json.dump((kill_additions if options.adding else main)(options), sys.stdout)
