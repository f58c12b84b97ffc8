"""All that the study of the theory measures, each part computed once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.lab.paper.study import Evidence
from divlearn.lab.theory.assumptions import assumptions_of, diameter_rows, lemma_rows
from divlearn.lab.theory.dynamics import (
    clip_sums,
    coordination_of,
    dual_sums,
    overlap_sums,
)
from divlearn.lab.theory.growth import Exponent, exponent
from divlearn.lab.theory.instances import CHOICES, ORDERS, TESTED, WITH_OPTIMUM
from divlearn.lab.theory.regrets import (
    expert_curves,
    local_curves,
    method_curves,
    weight_curves,
)
from divlearn.lab.theory.sweeps import count_sweep, rate_sweep

#: Instances on which coordination is followed and local search runs, whose weights
#: are varied, and whose windows are counted.
FOLLOWED = (CHOICES, "bitsp-20")
WEIGHED = ("bikp-50", "bitsp-20")
COUNTED = (CHOICES, "bikp-50", "bitsp-20")
#: Rates of EXP3 whose clipping is summed: 0.5, and what the paper's division by n
#: makes of it on the toy.
CLIPPED = (0.5, 0.025)


@dataclass(frozen=True)
class Sizes:
    """How much is measured.

    Attributes
    ----------
    sample
        Random changes per instance.
    iterations, rounds
        T of whole methods, and of single experts and local search.
    dual
        T of the dual gap, which runs step by step.
    evaluations
        Of each run of a sweep over the number of windows.
    seeds
        Runs of everything.
    tested
        Instances on which assumptions are tested.
    """

    sample: int
    iterations: int
    rounds: int
    dual: int
    evaluations: int
    seeds: int
    tested: tuple[str, ...]


FULL = Sizes(1_000, 5_000, 20_000, 1_000, 20_000, 10, TESTED)
SHORT = Sizes(100, 200, 500, 50, 1_000, 2, WITH_OPTIMUM)


@dataclass(frozen=True)
class Measured:
    """Measurements as plain data.

    Attributes
    ----------
    sizes
        How much was measured.
    assumptions
        A row per instance, see :func:`divlearn.lab.theory.assumptions.assumptions_of`.
    lemmas, diameters
        Rows that are counted, not sampled.
    methods, weights, local
        Curves of cumulative regret by instance.
    experts
        The same of single experts, by toy.
    coordination
        Sums and values over time by instance.
    overlaps, dual, rates
        Of one instance each.
    clips
        Of the toy, for each rate of :data:`CLIPPED`.
    counts
        Regret by number of windows, by instance.
    """

    sizes: Sizes
    assumptions: Sequence[Mapping[str, Any]]
    lemmas: Sequence[Mapping[str, Any]]
    diameters: Sequence[Mapping[str, Any]]
    methods: Mapping[str, Any]
    weights: Mapping[str, Any]
    experts: Mapping[str, Any]
    local: Mapping[str, Any]
    coordination: Mapping[str, Any]
    overlaps: Mapping[str, Any]
    clips: Sequence[Mapping[str, Any]]
    dual: Mapping[str, Any]
    rates: Mapping[str, Any]
    counts: Mapping[str, Any]

    def constants(self, name: str) -> Mapping[str, Any]:
        """The row of assumptions of an instance."""
        return next(row for row in self.assumptions if row["instance"] == name)


def measure(evidence: Evidence) -> Measured:
    """Measure, or read what was measured before."""
    sizes = SHORT if evidence.short else FULL
    seeds, once = sizes.seeds, evidence.once
    assumptions = [
        once(f"assumptions-{name}", partial(assumptions_of, name, sizes.sample))
        for name in sizes.tested
    ]
    spreads = {row["instance"]: row["R_max"] for row in assumptions}

    def by(
        part: str, names: Sequence[str], compute: Any, *arguments: int
    ) -> dict[str, Any]:
        return {
            name: once(f"{part}-{name}", partial(compute, name, *arguments, seeds))
            for name in names
        }

    return Measured(
        sizes,
        assumptions,
        lemma_rows(),
        diameter_rows(),
        methods=by("methods", WITH_OPTIMUM, method_curves, sizes.iterations),
        weights=by("weights", WEIGHED, weight_curves, sizes.iterations),
        experts=by("experts", (CHOICES, ORDERS), expert_curves, sizes.rounds),
        local=by("local", FOLLOWED, local_curves, sizes.rounds),
        coordination=by("coordination", FOLLOWED, coordination_of, sizes.iterations),
        overlaps=overlap_sums(sizes.rounds),
        clips=[
            once(f"clips-{rate}", partial(clip_sums, rate, sizes.rounds, seeds))
            for rate in CLIPPED
        ],
        dual=once("dual", partial(dual_sums, sizes.dual, seeds)),
        rates=once("rates", partial(rate_sweep, sizes.rounds, seeds)),
        counts={
            name: once(
                f"counts-{name}",
                partial(count_sweep, name, sizes.evaluations, seeds, spreads[name]),
            )
            for name in COUNTED
        },
    )


def curve(part: Mapping[str, Any], key: str = "sums") -> tuple[Integers, Floats]:
    """Rounds, shape (k,), and sums of runs until then, shape (runs, k)."""
    return np.array(part["rounds"]), np.array(part[key], np.float64)


def growth(part: Mapping[str, Any], key: str = "sums") -> Exponent:
    """Exponent of a part's sums."""
    return exponent(*curve(part, key))
