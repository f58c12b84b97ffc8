"""Whether ``dl`` became worse anywhere: two checkouts on the same instances.

    git worktree add ../other 6f1f668
    python benchmarks/versions.py ../other tours general --limit 20000

runs the rows of ``against_references.py`` with the package of this checkout and with
that of the other one, each in a process of its own, with the number of the instance as
the seed. Prints a Markdown table: mean hypervolumes, CPU seconds, and the mean of the
paired differences with its standard error. Problems that the other checkout does not
know are left out. ``--keep FILE`` writes down each run and does not repeat those that
it finds there; a run is known by its commit, so uncommitted changes are not noticed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


class Checkout:
    """The package of one folder, which answers in a process of its own."""

    def __init__(self, folder: Path, known: dict, keep: Path | None) -> None:
        command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
        self.commit = subprocess.check_output(command, text=True).strip()
        self.known, self.keep = known, keep
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--serve"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, name: str, options: dict, budget: int, instance: int):
        """Hypervolume and CPU seconds; None where the problem is not known."""
        asked = [name, options, budget, instance]
        key = json.dumps([self.commit, *asked])
        if key not in self.known:
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            self.known[key] = json.loads(self.process.stdout.readline())
            if self.keep is not None:
                with self.keep.open("a") as out:
                    out.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]


def serve() -> None:
    """Answer what is asked on standard input, with the package at hand."""
    import divlearn as dl
    from divlearn.metrics.hypervolume import hypervolume

    def measure(name, options, budget, instance):
        try:
            problem = dl.problems.get(name, instance=instance, **options)
        except (dl.DivlearnError, TypeError):
            return None
        optimizer = dl.Optimizer(problem, "dl", seed=instance, budget=budget)
        optimizer.warm_up()
        began = time.process_time()
        result, values = dl.solve(problem, budget, optimizer=optimizer), None
        seconds = time.process_time() - began
        if hasattr(problem, "noise_free"):
            values = problem.noise_free(result.X)
        values = result.F if values is None else values
        volume = hypervolume(values, problem.reference, problem.ideal, problem.senses)
        return float(volume), round(seconds, 3)

    for line in sys.stdin:
        print(json.dumps(measure(*json.loads(line))), flush=True)


def row_of(key: str, budget: int, runs: list) -> str:
    """One line: this checkout, the other one, and what lies between them."""
    cells = [key, f"{budget:,}"]
    for side in zip(*runs, strict=True):
        volume, seconds = (
            statistics.mean(column) for column in zip(*side, strict=True)
        )
        cells += [f"{volume:.4f}", f"{seconds:.2f}"]
    apart = [one[0] - other[0] for one, other in runs]
    error = statistics.stdev(apart) / len(apart) ** 0.5
    mean = statistics.mean(apart)
    cells.append(f"{mean:+.4f} ± {error:.4f}{' worse' if mean < -error else ''}")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Read the request and print."""
    from against_references import GROUPS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="another checkout")
    parser.add_argument("groups", nargs="*", default=["tours"], choices=list(GROUPS))
    parser.add_argument("--problems", help="only these, such as bifsp-50,qap-50")
    parser.add_argument("--limit", type=int, default=20_000, help="largest budget")
    parser.add_argument("--keep", type=Path, help="a file of runs, not repeated")
    given = parser.parse_args()
    known = {}
    if given.keep is not None and given.keep.exists():
        known = dict(map(json.loads, given.keep.read_text().splitlines()))
    sides = [Checkout(folder, known, given.keep) for folder in (HERE, given.other)]
    print(
        f"| problem | evaluations | {sides[0].commit} | CPU s | {sides[1].commit} ",
        end="",
    )
    print("| CPU s | difference |\n|---|---|---|---|---|---|---|", flush=True)
    wanted = given.problems and given.problems.split(",")
    for name, options, budgets, count, _ in (
        r for g in given.groups for r in GROUPS[g]
    ):
        told = "".join(f":{word}={value}" for word, value in options.items())
        for budget in (b for b in budgets if b <= given.limit):
            if wanted and name not in wanted:
                continue
            numbers = range(100, 100 + count)
            runs = [[s.run(name, options, budget, i) for s in sides] for i in numbers]
            if None in runs[0]:
                break
            print(row_of(name + told, budget, runs), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main()
