"""``dl`` beside the references of ``benchmarks/references``, on the same instances.

    python benchmarks/against_references.py tours designs routes general

prints a Markdown table per group: the mean hypervolume of ``dl``, that of each
reference, and the mean of the paired ratios with its standard error. Instances are
100 and up, on which nothing was tuned; the seed is the instance number. References
come from ``benchmarks/references/measured.json``, see the README there.

    python benchmarks/against_references.py general --methods dl,fallback,paper-ts

also runs other methods and says after each problem how the first one compares with the
best of all others; ``fallback`` is ``dl`` without anything learned.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.metrics.hypervolume import hypervolume
from divlearn.problems import get

MEASURED = Path(__file__).parent / "references" / "measured.json"

# Problem, options, budgets, instances, references (name, evaluations or None).
TOURS = [
    ("bitsp-20", {}, (400, 1000, 3000), 5, ["ws-lkh", "ws-lkh+pls"]),
    ("bitsp-50", {}, (1000, 7000, 10_000), 5, ["ws-lkh", "ws-lkh+pls"]),
    ("bitsp-100", {}, (1000, 2000, 10_000), 5, ["ws-lkh", "ws-lkh+pls"]),
    ("tritsp-20", {}, (11_000,), 3, ["ws-lkh"]),
    ("tritsp-50", {}, (11_000,), 3, ["ws-lkh"]),
    ("tritsp-100", {}, (11_000,), 3, ["ws-lkh"]),
]
ROUTES = [
    (f"bicvrp-{n}", depot, (10_000, 100_000), 5, ["pyvrp"])
    for depot in ({}, {"depot": "drawn"})
    for n in (20, 50, 100)
]
KNAPSACKS = [
    ("bikp-50", {"repair": "none"}, (500, 5000, 100_000), 5, ["exact"]),
    ("bikp-100", {"repair": "none"}, (500, 10_000, 100_000), 5, ["exact"]),
    ("bikp-200", {"repair": "none"}, (1000, 10_000, 100_000), 5, ["exact"]),
]
ASSIGNMENTS = [
    ("biap-20", {}, (500, 1000, 10_000), 5, ["exact-assignment"]),
    ("biap-50", {}, (10_000,), 5, ["exact-assignment"]),
    ("triap-20", {}, (10_000,), 5, ["pls-assignment"]),
]
DESIGNS = [("mixed-20", {}, (150,), 10, ["random", "nsga2", "optuna-tpe", "qnehvi"])]
GENERAL = [
    (name, {"k": int(k)} if k else {}, (2000, 20_000), 5, ["nsga2", "moead"])
    for name, _, k in (
        word.partition(":k=")
        for word in [
            "biatsp-50",
            "bifsp-50",
            "maxtsp-50",
            "noisytsp-50",
            "qap-50",
            "synkp-50",
            "ubqp-100",
            "mnk-100:k=1",
            "mnk-100",
            "mnk-100:k=3",
            "mnk-100:k=4",
        ]
    )
]
_RIVALS = ["milp", "nsga2", "moead"]
ROWS = [
    (name, {"form": form}, (1000, budget), 5, _RIVALS)
    for name, budget in [
        ("biscp-100", 10_000),
        ("biscp-200", 10_000),
        ("biscp-400", 10_000),
        ("bimis-100", 10_000),
        ("vcover-100", 5000),
    ]
    for form in ("rows", "count")
] + [("pmedian-100", {}, (5000,), 5, _RIVALS)]
#: Options that are part of the name of a problem.
TOLD = ("k", "form", "depot")
GROUPS = {
    "rows": ROWS,
    "tours": TOURS,
    "routes": ROUTES,
    "knapsacks": KNAPSACKS,
    "assignments": ASSIGNMENTS,
    "designs": DESIGNS,
    "general": GENERAL,
}


def reference_values(reference, name, budget):
    """Hypervolumes of a reference by instance; at this budget where it has one."""
    fixed = {"ws-lkh", "ws-lkh+pls", "exact", "milp", "pyvrp"}
    fixed |= {"exact-assignment", "pls-assignment"}
    # Both forms of an instance have the same exact front.
    name = name.partition(":form=")[0] if reference in fixed else name
    return {
        row["instance"]: row["hv"]
        for row in json.loads(MEASURED.read_text())
        if row["reference"] == reference
        and row["problem"] == name
        and (reference in fixed or row["evaluations"] == budget)
    }


def settings_of(method):
    """A method by its name; ``fallback`` is ``dl`` that learns nothing."""
    if method != "fallback":
        return method
    off = {"tables": False, "gp_candidates": 0}
    return method_for("dl").replace(**off)


def measure(name, options, budget, instance, method):
    """Hypervolume (without noise) and CPU seconds of one run."""
    problem = get(name, instance=instance, **options)
    method = settings_of(method)
    optimizer = dl.Optimizer(problem, method, instance, budget=budget)
    optimizer.warm_up()
    started = time.process_time()
    result = dl.solve(problem, budget, optimizer=optimizer)
    seconds = time.process_time() - started
    values = result.F
    if hasattr(problem, "noise_free"):
        values = problem.noise_free(result.X)
    volume = hypervolume(values, problem.reference, problem.ideal, problem.senses)
    return volume, seconds


def print_group(rows, methods, limit):
    """Print the table of one group."""
    print("| problem | evaluations | method | HV | CPU s | references |")
    print("|---|---|---|---|---|---|")
    for name, options, budgets, count, references in rows:
        told = [f":{word}={options[word]}" for word in TOLD if word in options]
        key = "".join([name, *told])
        for budget in budgets:
            if budget > limit:
                continue
            runs = {}
            for method in methods:
                runs[method] = {
                    i: measure(name, options, budget, i, method)
                    for i in range(100, 100 + count)
                }
                line = _line(key, budget, method, runs[method], references)
                print(line, flush=True)
            if len(methods) > 1:
                print(_verdict(key, budget, runs, references), flush=True)


def _verdict(name, budget, runs, references):
    """The first method beside the best of all others, paired by instance."""
    first, *others = runs
    rivals = {method: {i: runs[method][i][0] for i in runs[first]} for method in others}
    for reference in references:
        values = reference_values(reference, name, budget)
        if all(i in values for i in runs[first]):
            rivals[reference] = {i: values[i] for i in runs[first]}
    best = max(rivals, key=lambda rival: np.mean(list(rivals[rival].values())))
    mine = np.array([runs[first][i][0] for i in runs[first]])
    gap = mine - np.array([rivals[best][i] for i in runs[first]])
    error = np.std(gap, ddof=1) / np.sqrt(len(gap))
    allowed = max(0.01 * mine.mean(), error)
    word = (
        "better" if gap.mean() > 0 else "level" if gap.mean() >= -allowed else "worse"
    )
    return (
        f"| {name} | {budget:,} | {first} is {word} | {gap.mean():+.4f} ± {error:.4f} "
        f"| | best other: {best} |"
    )


def _line(name, budget, method, runs, references):
    """One row: means, and paired ratios to every reference."""
    parts = []
    for reference in references:
        theirs = reference_values(reference, name, budget)
        ratios = [runs[i][0] / theirs[i] for i in runs if i in theirs]
        if ratios:
            error = np.std(ratios, ddof=1) / np.sqrt(len(ratios)) if ratios[1:] else 0
            mean = np.mean([theirs[i] for i in runs if i in theirs])
            parts.append(
                f"{reference} {mean:.4f}: x {np.mean(ratios):.4f} ± {error:.4f}, "
                f"least {min(ratios):.4f}"
            )
    volume, seconds = np.mean(list(runs.values()), axis=0)
    shown = "; ".join(parts) or "none"
    return (
        f"| {name} | {budget:,} | {method} | {volume:.4f} | {seconds:.2f} | {shown} |"
    )


def main():
    """Read the request and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=["tours"], choices=list(GROUPS))
    parser.add_argument("--methods", default="dl")
    parser.add_argument("--problems", help="only these, such as bifsp-50,qap-50")
    parser.add_argument("--limit", type=int, default=10**9, help="largest budget")
    request = parser.parse_args()
    for group in request.groups:
        print(f"\n{group}\n")
        wanted = request.problems and request.problems.split(",")
        rows = [row for row in GROUPS[group] if not wanted or row[0] in wanted]
        print_group(rows, request.methods.split(","), request.limit)


if __name__ == "__main__":
    main()
