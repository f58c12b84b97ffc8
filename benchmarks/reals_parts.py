"""What each part of the search inside the model of reals is worth at 60 evaluations.

``python benchmarks/reals_parts.py [FAMILY ...]`` solves instances 100 to 109 with
``dl`` as it is and without each part, and prints paired differences of the hypervolume.
Every instance has a seed of its own, its number: with one seed for all, all begin with
the same random designs, and whether these are lucky is counted ten times.
"""

from __future__ import annotations

import statistics
import sys

import divlearn as dl
from divlearn.lab.bench.work import judged
from divlearn.methods.dl import state
from divlearn.methods.dl.kernels.models.gp.state import OPTIMISM_ON_SCALES, usual_kappa

FAMILIES = ("vessel-6", "spring-3", "amplifier-10", "reactor-6")
INSTANCES, BUDGET = range(100, 110), 60
#: Settings of the Gaussian process that leave a part out.
WITHOUT = {
    "long search": {"most_effort": 1.0},
    "joint steps": {"num_joint": 0},
    "Matern": {"smooth": 1},
    "wide prior of weights": {"weight_sd": 1.2},
}


def solved(family: str, changes: dict[str, float]) -> list[float]:
    """Hypervolumes of all instances, with settings changed."""
    made, found = state.new_gp, []

    def changed(*args: object, **settings: object) -> object:
        gp = made(*args, **settings)  # type: ignore[arg-type]
        for name, value in changes.items():
            gp.control[name] = value
        return gp

    state.new_gp = changed  # type: ignore[assignment]
    try:
        for instance in INSTANCES:
            problem = dl.problems.get(family, instance=instance)
            result = dl.solve(problem, BUDGET, seed=instance, progress=False)
            found.append(float(judged(result, problem).hypervolume()))
    finally:
        state.new_gp = made
    return found


def parts_of(family: str) -> dict[str, dict[str, float]]:
    """Settings that leave parts out; boldness is one where there is noise."""
    problem = dl.problems.get(family, instance=INSTANCES[0])
    if not problem.noise:
        return WITHOUT
    usual = usual_kappa(problem.num_objectives) * OPTIMISM_ON_SCALES
    return WITHOUT | {"boldness in noise": {"kappa_median": usual}}


def main() -> None:
    """Print a line per family and part."""
    for family in sys.argv[1:] or FAMILIES:
        whole = solved(family, {})
        print(f"{family}: {statistics.mean(whole):.4f}", flush=True)
        for part, changes in parts_of(family).items():
            pairs = zip(solved(family, changes), whole, strict=True)
            apart = [one - other for one, other in pairs]
            error = statistics.stdev(apart) / len(apart) ** 0.5
            mean = statistics.mean(apart)
            print(f"  without {part}: {mean:+.4f} +- {error:.4f}", flush=True)


if __name__ == "__main__":
    main()
