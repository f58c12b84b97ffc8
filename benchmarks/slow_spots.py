"""Where ``dl`` was slow: CPU seconds and hypervolume, of this checkout and another.

    python benchmarks/slow_spots.py
    python benchmarks/slow_spots.py --against ../other --only tours,insertion-3
    python benchmarks/slow_spots.py --share 0.1

runs every case in a process of its own, once unmeasured so that kernels are in the
cache, and prints a table. With ``--against`` both checkouts take turns, so that
whatever else the machine does slows both; ``--share`` makes budgets smaller. Insertions
are given in milliseconds each, into an archive of 50,000 members that do not dominate
each other.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

#: Name of a case: problem and evaluations.
SEARCHES = {
    "tours": ("tritsp-100", 100_000),
    "two-tours": ("bitsp-100", 100_000),
    "routes": ("bicvrp-100", 100_000),
    "assignment": ("qap-50", 20_000),
    "quadratic": ("ubqp-100", 2_000),
    "covering": ("biscp-800", 10_000),
}
#: Objectives of insertions into an archive.
INSERTIONS = {"insertion-3": 3, "insertion-5": 5}
CASES = (*SEARCHES, "ten-objectives", *INSERTIONS)
#: Members of the archive, and insertions that are measured.
MEMBERS, INSERTED = 50_000, 2_000


def search(name, share, instance):
    """CPU seconds and hypervolume of one search by ``dl``."""
    import divlearn as dl

    problem, budget = SEARCHES[name]
    budget = max(200, int(budget * share))
    optimizer = dl.Optimizer(
        dl.problems.get(problem, instance=instance), "dl", seed=0, budget=budget
    )
    optimizer.warm_up()
    started = time.process_time()
    optimizer.run(budget)
    seconds = time.process_time() - started
    return seconds, optimizer.result().hypervolume()


def ten_objectives():
    """CPU seconds of 40 candidates after 40 answers with ten objectives."""
    import divlearn as dl

    costs = np.random.default_rng(0).random((10, 12, 5))

    def evaluate(x):
        return tuple(float(cost[np.arange(12), x].sum()) for cost in costs)

    problem = dl.Problem(dl.Integer(0, 4, n=12), evaluate, list("abcdefghij"))
    optimizer = dl.Optimizer(problem, "dl", seed=0, budget=200)
    optimizer.warm_up()
    for candidate in optimizer.ask(40):
        optimizer.tell(candidate, evaluate(candidate.x))
    started = time.process_time()
    optimizer.ask(40)
    return time.process_time() - started, None


def insertion(m):
    """CPU milliseconds of an insertion into a large archive of ``m`` objectives."""
    from divlearn.kernels.archive import insert, new_archive

    points = np.abs(np.random.default_rng(0).normal(size=(MEMBERS + INSERTED, m)))
    points = 1.0 - points / np.linalg.norm(points, axis=1)[:, None]
    archive, size, x = new_archive(2**16, 1, m, 0), 0, np.zeros(1, np.int64)
    for point in points[:MEMBERS]:
        size = insert(archive, size, x, point)
    started = time.process_time()
    for point in points[MEMBERS:]:
        size = insert(archive, size, x, point)
    seconds = time.process_time() - started
    assert size > MEMBERS
    return 1_000.0 * seconds / INSERTED, None


def measure(case, share, instance):
    """The measured time of a case, and its hypervolume if it has one."""
    if case in INSERTIONS:
        return insertion(INSERTIONS[case])
    return (
        ten_objectives() if case == "ten-objectives" else search(case, share, instance)
    )


def in_checkout(checkout, case, share, instance):
    """Measure a case with the package of a checkout, in another process."""
    command = [sys.executable, str(Path(__file__).resolve()), "--measure", case]
    command += ["--share", str(share), "--instance", str(instance)]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def row_of(case, measured):
    """A line of the table; its last cell is the time here by the time there."""
    cells = [case]
    for seconds, volume in measured:
        cells += [f"{seconds:.3g}", "" if volume is None else f"{volume:.5f}"]
    if len(measured) > 1:
        cells.append(f"{measured[0][0] / measured[1][0]:.2f}")
    return "| " + " | ".join(cells) + " |"


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--only", default=",".join(CASES), help="cases, by comma")
    parser.add_argument("--share", type=float, default=1.0, help="of the budgets")
    parser.add_argument("--instance", type=int, default=0)
    parser.add_argument("--measure", choices=CASES, help=argparse.SUPPRESS)
    request = parser.parse_args()
    if request.measure:
        found = measure(request.measure, request.share, request.instance)
        print(json.dumps(found))
        return
    wanted = request.only.split(",")
    if unknown := [case for case in wanted if case not in CASES]:
        parser.error(f"--only: {unknown[0]!r} is none of {', '.join(CASES)}")
    checkouts = [Path(__file__).resolve().parent.parent]
    if request.against is not None:
        if not (request.against / "divlearn").is_dir():
            parser.error(f"--against: {request.against} holds no package divlearn")
        checkouts.append(request.against.resolve())
    names = ["this", "other"][: len(checkouts)]
    heads = ["case", *(f"{name}: {what}" for name in names for what in ("CPU", "HV"))]
    heads += ["ratio"] * (len(checkouts) > 1)
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads), flush=True)
    for case in wanted:
        for checkout in checkouts:  # kernels, if they are not there
            if case not in INSERTIONS:
                in_checkout(checkout, case, 0.01, request.instance)
        measured = [
            in_checkout(checkout, case, request.share, request.instance)
            for checkout in checkouts
        ]
        print(row_of(case, measured), flush=True)


if __name__ == "__main__":
    main()
