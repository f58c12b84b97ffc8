"""The engineering problems, as the catalogue shows them."""

from __future__ import annotations

from functools import partial

from divlearn.problems.built_in.base import BuiltIn, Single

ABOUT = {
    "vessel-6": "pressure vessel: 2 objectives, 3 constraints",
    "spring-3": "compression spring: 2 objectives, 6 constraints",
    "gearbox-7": "speed reducer: 2 objectives, 11 constraints",
    "heatsink-8": "heat sink under a fan: 3 objectives, 1 constraint",
    "amplifier-10": "amplifier on logarithmic scales: 4 objectives, 3 constraints",
    "converter-11": "step-down converter with conditional knobs: 2 objectives, "
    "3 constraints",
    "filter-9": "digital filter with conditional knobs: 3 objectives, 1 constraint "
    "(scipy)",
    "reactor-6": "chain of reactors: 3 objectives, 3 % noise",
    "learner-13": "classifier with conditional hyperparameters: 2 objectives "
    "(scikit-learn)",
    "coco-5": "mixed-integer functions of COCO, 5 variables: 2 objectives "
    "(coco-experiment)",
    "coco-10": "the same with 10 variables",
    "coco-20": "the same with 20 variables",
    "beam-4": "welded beam, continuous: 2 objectives, 4 constraints",
    "sphere-8": "DTLZ2 with shifted optima, continuous: 3 objectives",
}


def _build(family: str, number: int, name: str) -> BuiltIn:
    """Make an instance; a noisy one can be judged without noise."""
    from divlearn.lab.engineering.problem import (
        EngineeringDesign,
        NoisyDesign,
        blueprint_of,
    )

    noisy = blueprint_of(family).noise > 0.0
    return (NoisyDesign if noisy else EngineeringDesign)(family, number)


#: What the catalogue of problems shows.
SINGLES = {name: Single(about, partial(_build, name)) for name, about in ABOUT.items()}
