"""Which sizes and overlaps are run, and their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.statistics import marginal_efficiency, spread_of
from divlearn.lab.paper.settings import numbers, specialised
from divlearn.lab.paper.study import Evidence

SOLVER = "specialised solver"
OVERLAPS = tuple(range(0, 101, 10))
SHORT_OVERLAPS = (0, 50, 100)
#: R above which the paper speaks of harm.
HARM = 10.0
#: Evaluations of the control, in which all settings get the same.
EQUAL = 30_000


class Sweep(NamedTuple):
    """A problem, the method that is swept, its sizes and those that should be best."""

    problem: str
    method: str
    sizes: tuple[int, ...]
    short_sizes: tuple[int, ...]
    best: tuple[int, ...]


SMALL = Sweep("bitsp-20", "paper-ucb", (5, 10, 15, 20), (5, 10, 20), (10, 15))
MEDIUM = Sweep("bitsp-50", "paper-ts", (5, 10, 15, 25, 35, 50), (10, 25), (25,))
LARGE = Sweep(
    "bitsp-100",
    "paper-ucb",
    (10, 15, 25, 35, 40, 50, 70, 90, 100),
    (10, 25, 50),
    (25, 50),
)
SWEEPS = (SMALL, LARGE, MEDIUM)
#: Name of the suite in which all settings have the same number of evaluations.
CONTROL = "equal evaluations"


def suites(short: bool) -> tuple[Suite, ...]:
    """Three sweeps that end with their schedule, and the control."""
    found = [
        Suite(
            sweep.problem,
            "",
            (Case(sweep.problem),),
            (*methods_of(sweep, short), specialised(SOLVER)),
            budget="schedule",
            instances=numbers(short, small=2, full=50),
            columns=("hypervolume", "mean_objective", "redundancy"),
        )
        for sweep in SWEEPS
    ]
    control = Suite(
        CONTROL,
        "",
        (Case(SMALL.problem),),
        methods_of(SMALL, short),
        budget=EQUAL,
        instances=numbers(short, small=2, full=50),
        columns=("hypervolume",),
    )
    return (*found, control)


def methods_of(sweep: Sweep, short: bool) -> tuple[Contender, ...]:
    """A method per size and overlap."""
    return tuple(
        Contender(
            sweep.method,
            {
                "decomposition.size": size,
                "decomposition.overlap": min(size - 1, round(overlap * size / 100)),
            },
            label_of(size, overlap),
        )
        for size in sizes_of(sweep, short)
        for overlap in overlaps_of(short)
    )


def sizes_of(sweep: Sweep, short: bool) -> tuple[int, ...]:
    """Sizes of subproblems."""
    return sweep.short_sizes if short else sweep.sizes


def overlaps_of(short: bool) -> tuple[int, ...]:
    """Overlaps in percent of the size."""
    return SHORT_OVERLAPS if short else OVERLAPS


def label_of(size: int, overlap: int) -> str:
    """What tables call a setting."""
    return f"d = {size}, {overlap} %"


class Swept:
    """Values of one sweep.

    Parameters
    ----------
    evidence
        The runs.
    sweep
        Which sweep.
    suite
        Its suite, that of its problem if left out.
    """

    def __init__(self, evidence: Evidence, sweep: Sweep, suite: str = "") -> None:
        self.evidence, self.sweep = evidence, sweep
        self.suite = suite or sweep.problem
        self.sizes = sizes_of(sweep, evidence.short)
        self.overlaps = overlaps_of(evidence.short)

    def units(self, size: int, overlap: int, measure: str) -> Floats:
        """Values by instance."""
        label = label_of(size, overlap)
        return self.evidence.units(self.sweep.problem, label, measure, self.suite)

    def line(self, size: int, measure: str) -> list[Floats]:
        """Values by instance at each overlap."""
        return [self.units(size, overlap, measure) for overlap in self.overlaps]

    def means(self, size: int, measure: str) -> Floats:
        """Means over instances at each overlap, shape (overlaps,)."""
        return np.array([spread_of(one).mean for one in self.line(size, measure)])

    def solver(self, measure: str) -> Floats:
        """Values of the specialised solver by instance."""
        return self.evidence.units(self.sweep.problem, SOLVER, measure, self.suite)


def gain(swept: Swept, size: int, to: int = 50, since: int = 0) -> Floats:
    """Hypervolume at one overlap minus that at another, by instance."""
    labels = label_of(size, to), label_of(size, since)
    problem = swept.sweep.problem
    return swept.evidence.differences(problem, labels, "hypervolume", swept.suite)


def efficiency(swept: Swept, size: int) -> Floats:
    """Gain of hypervolume per evaluation between neighbouring overlaps."""
    means = swept.means(size, "hypervolume"), swept.means(size, "evaluations")
    return marginal_efficiency(*means)
