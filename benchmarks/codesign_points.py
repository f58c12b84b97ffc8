"""What random designs of the co-design problem are like; its points follow from them.

    python benchmarks/codesign_points.py                          both, about 5 minutes
    python benchmarks/codesign_points.py large --measured 400

The points in ``divlearn/lab/codesign/points.py`` were fixed by this program before
any optimizer was run on the problem: costs of 20,000 random designs, errors of some
hundreds. The rule: the reference is 0.9 for the error (chance) and for each cost the
99 % quantile of random designs, rounded up to the next tenth of a decade; the ideal is
0 for the error and for each cost the smallest of the random designs less 0.3 decades,
rounded down to the next tenth.

Beside them it prints how the objectives go together (Spearman) and which share of an
objective's variance each variable explains alone: the variance of the means over all
designs with the same value of the variable, as a share of the whole (first-order
effect; costs as log10, the error as measured once, noise included).
"""

import argparse
import math

import numpy as np

from divlearn.lab.codesign import HDnnPIM

NAMES = ("error", "energy", "delay", "area")
MARGIN = 0.3


def sample(problem, count, seed):
    """Valid random designs, and the share of invalid ones on the way."""
    designs, tried = [], 0
    while len(designs) < count:
        x = problem.space.sample(seed=1_000_000 * seed + tried)
        tried += 1
        if problem.invalid_reason(x) is None:
            designs.append(x)
    return designs, 1 - count / tried


def cost_rows(problem, designs):
    """log10 of energy, delay and area, shape (k, 3)."""
    return np.log10([problem.costs(x)[:3] for x in designs])


def points(costs):
    """Reference and ideal by the rule above."""
    high = np.quantile(costs, 0.99, axis=0)
    low = costs.min(axis=0) - MARGIN
    reference = [0.9, *(math.ceil(10 * v) / 10 for v in high)]
    ideal = [0.0, *(math.floor(10 * v) / 10 for v in low)]
    return reference, ideal


def ranks(values):
    """Ranks, ties sharing their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def spearman(a, b):
    """Rank correlation."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def shares(designs, values):
    """Share of the variance of ``values`` that each variable explains alone."""
    found = {}
    for name in designs[0]:
        groups = {}
        for x, value in zip(designs, values, strict=True):
            groups.setdefault(x[name], []).append(value)
        between = sum(
            len(group) * (np.mean(group) - np.mean(values)) ** 2
            for group in groups.values()
        )
        found[name] = between / len(values) / np.var(values)
    return found


def report(space, designs, measured, seed):
    """Print everything about a space."""
    problem = HDnnPIM(space, seed=seed)
    some, invalid = sample(problem, designs, seed)
    costs = cost_rows(problem, some)
    reference, ideal = points(costs)
    print(f"\n{space} space: {designs:,} random designs, {invalid:.1%} invalid ones")
    print(f"reference {reference}\nideal     {ideal}")
    tested = some[:measured]
    rows = np.column_stack([[problem.evaluate(x)[0] for x in tested], costs[:measured]])
    print("\nquantiles      0       5 %      50 %     95 %     100 %")
    for j, name in enumerate(NAMES):
        source = rows[:, 0] if j == 0 else 10 ** costs[:, j - 1]
        numbers = np.quantile(source, [0, 0.05, 0.5, 0.95, 1])
        print(f"{name:<8}" + "".join(f"{number:>10.4g}" for number in numbers))
    print(f"\nSpearman, {measured:,} designs")
    for i in range(4):
        for j in range(i):
            print(f"{NAMES[j]}-{NAMES[i]}: {spearman(rows[:, i], rows[:, j]):.2f}")
    print("\nshare of variance explained by a variable alone, in percent")
    print(f"{'':<16}" + "".join(f"{name:>8}" for name in NAMES))
    tables = [shares(tested, rows[:, j]) for j in range(4)]
    for name in some[0]:
        print(f"{name:<16}" + "".join(f"{100 * t[name]:>8.1f}" for t in tables))


def main():
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spaces", nargs="*", default=["paper", "large"])
    parser.add_argument("--designs", type=int, default=20_000)
    parser.add_argument("--measured", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    request = parser.parse_args()
    for space in request.spaces:
        report(space, request.designs, request.measured, request.seed)


if __name__ == "__main__":
    main()
