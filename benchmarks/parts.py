"""What each part of ``dl`` is worth, on problems where it takes part.

    python benchmarks/parts.py
    python benchmarks/parts.py --parts geometry,plateaus --keep runs.jsonl

solves instances 100 to 104 with ``dl`` and with ``dl`` without one part at a time, as
the suite ``ablation`` of ``divlearn bench`` does, but leaves out problems that a part
has nothing to do with. The seed is the number of the instance. Prints a Markdown table:
the hypervolume with all parts, and what it loses without one, with the standard error
of the paired differences. ``--keep FILE`` writes down each run and does not repeat it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import divlearn as dl
from divlearn.lab.bench.built_in import WITHOUT
from divlearn.lab.bench.work import judged
from divlearn.methods.names import method_for

#: Problem, its options, evaluations, and the parts that play a role there.
PLACES = (
    ("bitsp-50", {}, 2_000, "tables archive geometry replays exploration gaps"),
    ("biatsp-50", {}, 2_000, "tables archive gp_candidates uncertainty"),
    ("bifsp-50", {}, 2_000, "tables archive moves replays"),
    ("bilop-50", {}, 150, "gp_candidates"),
    ("qap-20", {}, 2_000, "pairing"),
    ("biap-20", {}, 2_000, "plans position_samples"),
    ("bicvrp-50", {}, 10_000, "route_samples"),
    ("jobshop-10x5", {}, 2_000, "plateaus moves"),
    ("noisytsp-50", {}, 2_000, "repeats"),
    ("bikp-100", {"repair": "none"}, 500, "plans pairs exploration"),
    ("bikp-100", {}, 2_000, "hidden questions"),
    ("synkp-50", {}, 2_000, "pairs plans"),
    ("ubqp-100", {}, 2_000, "pairs tables archive gp_candidates"),
    ("mnk-100", {}, 2_000, "pairs replays gp_candidates"),
    ("traps-60", {}, 5_000, "linkage"),
    ("biscp-100", {"form": "count"}, 2_000, "clauses"),
    ("vcover-100", {"form": "count"}, 5_000, "count_questions"),
    ("mnk-3000", {}, 1_000, "broad"),
    ("mixed-20", {}, 150, "gp_candidates"),
    ("heatsink-8", {"reference": None}, 150, "corner"),
)


class Runs:
    """Hypervolumes and CPU seconds of runs, kept in a file if there is one."""

    def __init__(self, file: Path | None) -> None:
        self.file, self.known = file, {}
        if file is not None and file.exists():
            self.known = dict(map(json.loads, file.read_text().splitlines()))

    def get(self, name: str, options: dict, budget: int, setting: dict, i: int):
        """Look a run up, or make it."""
        key = json.dumps([name, options, budget, setting, i])
        if key not in self.known:
            self.known[key] = run = solved(name, options, budget, setting, i)
            if self.file is not None:
                with self.file.open("a") as out:
                    out.write(json.dumps([key, run]) + "\n")
        return self.known[key]


def solved(name: str, options: dict, budget: int, setting: dict, instance: int):
    """Search once; the front is judged without noise."""
    options = dict(options)
    hidden = "reference" in options and options.pop("reference") is None
    problem = dl.problems.get(name, instance=instance, **options)
    true, problem.reference = problem.reference, None if hidden else problem.reference
    method, began = method_for("dl").replace(**setting), time.process_time()
    result = dl.solve(problem, budget, method=method, seed=instance, progress=False)
    seconds, problem.reference = time.process_time() - began, true
    volume = judged(result, problem).hypervolume(true, problem.ideal)
    return float(volume), round(seconds, 2)


def row(name: str, options: dict, budget: int, part: str, runs: list) -> str:
    """One line: what a part is worth on a problem."""
    whole, without = zip(*runs, strict=True)
    apart = [less[0] - all_[0] for all_, less in runs]
    error = statistics.stdev(apart) / len(apart) ** 0.5
    told = "".join(f", {word} {value}" for word, value in options.items())
    cells = (
        f"`{part}`",
        f"{name}{told}",
        f"{budget:,}",
        f"{statistics.mean(volume for volume, _ in whole):.4f}",
        f"{statistics.mean(seconds for _, seconds in whole):.1f}",
        f"{statistics.mean(apart):+.4f} ± {error:.4f}",
        f"{statistics.mean(seconds for _, seconds in without):.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", default=",".join(WITHOUT))
    parser.add_argument("--instances", nargs=2, type=int, default=(100, 105))
    parser.add_argument("--keep", type=Path, help="a file of runs, not repeated")
    given = parser.parse_args()
    kept = Runs(given.keep)
    print("| without | problem | evaluations | `dl` | CPU s | less | CPU s |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for part in given.parts.split(","):
        for name, options, budget, parts in PLACES:
            if part in parts.split():
                case, settings = (name, options, budget), ({}, {part: WITHOUT[part]})
                numbers = range(*given.instances)
                runs = [[kept.get(*case, s, i) for s in settings] for i in numbers]
                print(row(*case, part, runs), flush=True)


if __name__ == "__main__":
    main()
