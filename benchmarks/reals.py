"""Real numbers: ``dl`` beside random search, Optuna's TPE and NSGA-II.

    python benchmarks/reals.py
    python benchmarks/reals.py wave --methods dl,random --budgets 60,150 --instances 0-9

Smooth problems of real knobs with optima inside the limits, one with a logarithmic
scale, an integer and a category beside them, and one with three objectives. An instance
moves the optima. Figures are means of the hypervolume as a share of the box between the
ideal point and the reference, and wins of ``dl`` over each method, paired by instance.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import divlearn as dl
from divlearn.metrics import hypervolume

METHODS = "dl,random,optuna-tpe,nsga2"
BUDGETS = "60,150,300"


def valley(rng: np.random.Generator) -> dl.Problem:
    """Five reals, like ZDT1: one along the front, four with an optimum inside."""
    best = rng.uniform(0.2, 0.8, 4)

    def evaluate(x: Any) -> tuple[float, float]:
        g = 1.0 + 9.0 * float(np.mean((x[1:] - best) ** 2) ** 0.5)
        return float(x[0]), g * (1.0 - math.sqrt(x[0] / g))

    return dl.Problem(
        dl.Real(0, 1, n=5), evaluate, ["f", "g"], reference=[1.1, 4.0], ideal=[0, 0]
    )


def wave(rng: np.random.Generator) -> dl.Problem:
    """Eight reals between two optima that are apart, with interactions."""
    one, two = rng.uniform(0.1, 0.9, (2, 8))
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    scale = np.geomspace(1.0, 4.0, 8)

    def evaluate(x: Any) -> tuple[float, ...]:
        return tuple(
            float(np.sqrt(np.mean((scale * (turn @ (x - best))) ** 2)))
            for best in (one, two)
        )

    return dl.Problem(
        dl.Real(0, 1, n=8), evaluate, ["a", "b"], reference=[1.2, 1.2], ideal=[0, 0]
    )


def reactor(rng: np.random.Generator) -> dl.Problem:
    """A rate over five powers of ten, two reals, a size and a catalyst."""
    speed = dict(zip("abc", rng.uniform(0.5, 2.0, 3), strict=True))
    price = dict(zip("abc", rng.uniform(0.5, 2.0, 3), strict=True))
    best = rng.uniform(-4.0, -2.0), rng.uniform(330, 390)

    def evaluate(rate, heat, mix, size, kind):  # type: ignore[no-untyped-def]
        off = (math.log10(rate) - best[0]) ** 2 + ((heat - best[1]) / 40) ** 2
        done = 1 - math.exp(-speed[kind] * size**0.3 / (1 + off + (mix - 0.4) ** 2 * 4))
        cost = price[kind] * size**0.4 * (0.3 + mix) + abs(heat - 300) / 50
        return 1 - done, cost

    space = dl.Composite(
        rate=dl.Real(1e-6, 1e-1, log=True),
        heat=dl.Real(300, 420),
        mix=dl.Real(0, 1),
        size=dl.Integer(1, 1000, log=True),
        kind=dl.Categorical("abc"),
    )
    return dl.Problem(
        space,
        lambda x: evaluate(**x),
        ["left", "cost"],
        reference=[1.0, 10.0],
        ideal=[0.0, 0.0],
    )


def sphere(rng: np.random.Generator) -> dl.Problem:
    """Six reals and three objectives, like DTLZ2."""
    best = rng.uniform(0.2, 0.8, 4)

    def evaluate(x: Any) -> tuple[float, float, float]:
        r = 1.0 + 4.0 * float(np.sum((x[2:] - best) ** 2))
        a, b = 0.5 * math.pi * x[0], 0.5 * math.pi * x[1]
        return (
            r * math.cos(a) * math.cos(b),
            r * math.cos(a) * math.sin(b),
            r * math.sin(a),
        )

    names, space = ["x", "y", "z"], dl.Real(0, 1, n=6)
    return dl.Problem(space, evaluate, names, reference=[2.0] * 3, ideal=[0.0] * 3)


PROBLEMS: dict[str, Callable[[np.random.Generator], dl.Problem]] = {
    make.__name__: make for make in (valley, wave, reactor, sphere)
}


def share(problem: dl.Problem, points: np.ndarray) -> float:
    """Hypervolume as a share of the box."""
    low, high = np.array(problem.ideal, float), np.array(problem.reference, float)
    return float(hypervolume((points - low) / (high - low), np.ones(len(low))))


def measure(name: str, budget: int, method: str, instance: int) -> tuple[float, float]:
    """Share of the box and CPU seconds of one search."""
    problem = PROBLEMS[name](np.random.default_rng(instance))
    started = time.process_time()
    result = dl.solve(problem, budget, method=method, seed=instance, progress=False)
    return share(problem, result.F), time.process_time() - started


def compare(name: str, budget: int, methods: list[str], instances: range) -> None:
    """Print a line per method."""
    found = {
        method: np.array([measure(name, budget, method, i) for i in instances])
        for method in methods
    }
    print(f"{name}, {budget} evaluations")
    for method, rows in found.items():
        line = f"  {method:12} {rows[:, 0].mean():.4f}  {rows[:, 1].mean():6.2f} s"
        if method != methods[0]:
            wins = int((found[methods[0]][:, 0] > rows[:, 0]).sum())
            line += f"  {methods[0]} wins {wins} of {len(rows)}"
        print(line, flush=True)


def main() -> None:
    """Compare methods on all problems, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--budgets", default=BUDGETS)
    parser.add_argument("--instances", default="0-4")
    asked = parser.parse_args()
    first, last = map(int, asked.instances.split("-"))
    for name in asked.problems:
        for budget in map(int, asked.budgets.split(",")):
            methods = asked.methods.split(",")
            compare(name, budget, methods, range(first, last + 1))


if __name__ == "__main__":
    main()
