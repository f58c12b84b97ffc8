"""What each part of the paper's method is worth: one switch changed at a time.

    python benchmarks/ablation.py
    python benchmarks/ablation.py --method paper-ts --problems bitsp-50 --budget 20000

Mean hypervolume ratio over the instances, and the paired difference to the whole
method in thousandths with its standard error.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import divlearn as dl
from divlearn import problems
from divlearn.experts import Uniform
from divlearn.settings import PAPER_BUDGET, settings_for

#: Changes to the settings, by name.
VARIANTS: dict[str, dict[str, object]] = {
    "whole method": {},
    "experts: uniform control": {"experts": (Uniform(),)},
    "mixture not adaptive": {"mixture.adaptive": False},
    "update after every evaluation": {"learning.update": "evaluation"},
    "tables never learn": {"learning.update": "never"},
    "tables shared by all weights": {"learning.share_tables": True},
    "no coordination": {"coordination": None},
    "consensus price": {"coordination.consensus": 1.0},
    "no decomposition (one window)": {
        "decomposition.size": 100_000,
        "decomposition.neighbourhoods": 0,
    },
    "size by the rule K*": {"decomposition.size": "rule"},
    "overlap decay 0.5": {"decomposition.decay": 0.5},
    "windows only": {"decomposition.neighbourhoods": 0},
    "neighbourhoods only": {
        "decomposition.windows": False,
        "decomposition.neighbourhoods": 5,
    },
    "never construct again": {"patience": 10**9},
    "construct every 10 iterations": {"construct_every": 10},
    "the same, kept only if better": {"construct_every": 10, "keep_better": True},
    "one move per step": {"refinement.adaptive": False},
    "swap moves only": {"refinement.moves": ("swap",)},
    "adjacent swaps only": {"refinement.moves": ("adjacent swap",)},
    "two sweeps over the weights": {"sweeps": 2},
    "Tchebycheff": {"scalarization": "tchebycheff"},
    "augmented Tchebycheff": {"scalarization": "augmented-tchebycheff"},
    "no refinement, constructions only": {"refinement.steps": 0},
}


def measure(task: tuple[str, int, int, str, str]) -> float:
    """Hypervolume ratio of one variant on one instance."""
    name, instance, budget, method, variant = task
    settings = settings_for(method).replace(**VARIANTS[variant])
    problem = problems.get(name, instance=instance)
    return dl.solve(problem, budget, method=settings, seed=0).hypervolume()


def main() -> None:
    """Measure, and print a line per variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", default="bitsp-50,bitsp-100,bikp-100,bicvrp-50")
    parser.add_argument("--instances", default="100:110", help="from:to")
    parser.add_argument("--budget", type=int, default=PAPER_BUDGET)
    parser.add_argument("--method", default="paper-ucb")
    parser.add_argument("--variants", help="names, or parts of names, by comma")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    names = options.problems.split(",")
    numbers = range(*map(int, options.instances.split(":")))
    print(f"{options.method}, {options.budget:,} evaluations, instances {numbers}\n")
    print("| variant | " + " | ".join(names) + " |\n" + "|---" * (len(names) + 1) + "|")
    whole: dict[str, np.ndarray] = {}
    parts = options.variants.split(",") if options.variants else [""]
    with ProcessPoolExecutor(options.workers) as pool:
        for variant in VARIANTS:
            if whole and not any(part in variant for part in parts):
                continue  # the whole method is always there, to compare with
            cells = []
            for name in names:
                tasks = [
                    (name, i, options.budget, options.method, variant) for i in numbers
                ]
                values = np.array(list(pool.map(measure, tasks)))
                base = whole.setdefault(name, values)
                cells.append(cell(values, base))
            print(f"| {variant} | " + " | ".join(cells) + " |", flush=True)


def cell(values: np.ndarray, base: np.ndarray) -> str:
    """Mean, and the paired difference in thousandths."""
    if values is base:
        return f"{values.mean():.4f}"
    difference = 1000 * (values - base)
    error = difference.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.4f} ({difference.mean():+.1f} ± {error:.1f})"


if __name__ == "__main__":
    main()
