"""What the paper claims of coverage and diversity."""

from __future__ import annotations

from collections.abc import Callable

from divlearn.basics.typing import Floats
from divlearn.lab.paper.claims import Claim, all_of, judge, said
from divlearn.lab.paper.studies.diversity.runs import (
    LARGE,
    MODELS,
    NSGA2,
    OURS,
    SMALL,
    volume_at,
)
from divlearn.lab.paper.study import Evidence

BY_SEED = "Over seeds of one instance."


def claims(evidence: Evidence) -> list[Claim]:
    """The statements of the section, as far as their methods were run."""
    methods = evidence.report(LARGE).methods
    made = [on_coverage(evidence)]
    if NSGA2 in methods:
        made += against_nsga2(evidence)
        made += [on_convergence(evidence)]
        if SMALL in evidence.reports:
            made += [on_decline(evidence), on_shrinking(evidence)]
    made += [on_distances(evidence)] if set(MODELS) & set(methods) else []
    return made


def against_nsga2(evidence: Evidence) -> list[Claim]:
    """Ratios of the paper's table of scaling behaviour."""
    facts = [
        (1608, "reach NSGA-II's hypervolume", "hypervolume", 0.97, "1.00 times"),
        (1644, "cover the front better than NSGA-II", "coverage", 1.0, "1.27 times"),
        (1614, "find four times as many solutions", "front_size", 4.0, "4 to 6 times"),
        (
            1618,
            "are more diverse than NSGA-II",
            "adjusted_diversity",
            1.0,
            "1.42 times",
        ),
    ]
    made = []
    for line, text, measure, least, paper in facts:
        ratios = {
            one: evidence.ratios(LARGE, (one, NSGA2), measure, LARGE) for one in OURS
        }
        made.append(
            Claim(
                line,
                f"With 50 cities, both variants {text}.",
                paper,
                _each(ratios.__getitem__, ".2f"),
                all_of([judge(one, above=least) for one in ratios.values()]),
                f"The ratio to NSGA-II is above {least:g} for both. {BY_SEED}",
            )
        )
    return made


def _each(value: Callable[[str], Floats], form: str) -> str:
    """Write the values of both variants."""
    return ", ".join(f"{one}: {said(value(one), form)}" for one in OURS)


def on_coverage(evidence: Evidence) -> Claim:
    """Coverage above 0.91."""
    found = {one: evidence.units(LARGE, one, "coverage", LARGE) for one in OURS}
    return Claim(
        1614,
        "With 50 cities, both variants keep coverage above 0.91.",
        "0.911 and 0.947",
        _each(lambda one: found[one], ".3f"),
        all_of([judge(one, above=0.91) for one in found.values()]),
        f"Mean coverage is above 0.91 for both. {BY_SEED}",
    )


def on_convergence(evidence: Evidence) -> Claim:
    """NSGA-II stops early, ours go on."""

    def rest(method: str) -> Floats:
        early = volume_at(evidence, LARGE, method, 0.4)
        return 1.0 - early / volume_at(evidence, LARGE, method, 1.0)

    late = rest(NSGA2)
    verdicts = [judge(late, below=0.02), *(judge(rest(m), above=0.0) for m in OURS)]
    return Claim(
        1611,
        "NSGA-II stops improving at 40 % of the budget, our variants go on.",
        "plateaus at 4,000 of 10,000",
        f"gained after that: NSGA-II {said(100 * late, '.1f')} %, "
        + _each(lambda one: 100 * rest(one), ".1f"),
        all_of(verdicts),
        "Share of the final hypervolume that is gained in the last 60 %: below 2 % for "
        f"NSGA-II, above 0 for both variants. {BY_SEED}",
    )


def _by_size(evidence: Evidence, measure: str) -> tuple[Floats, Floats, Floats]:
    """A measure of NSGA-II with 20 and with 50 cities, and the ratio by seed."""
    small = evidence.units(SMALL, NSGA2, measure, SMALL)
    large = evidence.units(LARGE, NSGA2, measure, LARGE)
    ratio = large / small[: len(large)] if len(small) >= len(large) else small[:0]
    return small, large, ratio


def on_decline(evidence: Evidence) -> Claim:
    """NSGA-II's coverage is worse with 50 cities."""
    small, large, ratio = _by_size(evidence, "coverage")
    return Claim(
        1614,
        "NSGA-II's coverage falls by a quarter from 20 to 50 cities.",
        "0.991 to 0.747",
        f"{said(small, '.3f')} to {said(large, '.3f')}",
        judge(ratio, below=0.85),
        f"The ratio of coverages is below 0.85. {BY_SEED}",
    )


def on_shrinking(evidence: Evidence) -> Claim:
    """NSGA-II's front is smaller with 50 cities."""
    small, large, ratio = _by_size(evidence, "front_size")
    return Claim(
        1614,
        "NSGA-II's front shrinks from 20 to 50 cities.",
        "919 to 26 solutions",
        f"{said(small, '.0f')} to {said(large, '.0f')}",
        judge(ratio, below=1.0),
        f"The ratio of sizes is below 1. {BY_SEED}",
    )


def on_distances(evidence: Evidence) -> Claim:
    """Sparse fronts have distant neighbours."""
    methods = [one for one in MODELS[1:] if one in evidence.report(LARGE).methods]
    dense = {one: evidence.units(LARGE, one, "knn_diversity", LARGE) for one in OURS}
    apart = [
        evidence.differences(LARGE, (model, one), "knn_diversity", LARGE)
        for model in methods
        for one in OURS
    ]
    low = [judge(one, below=0.15) for one in dense.values()]
    return Claim(
        1652,
        "KNN-Div is below 0.15 for our dense fronts and higher for qParEGO and BOPR.",
        "below 0.15; about 2.0 and 2.3",
        _each(lambda one: dense[one], ".3f")
        + "; more for the models by "
        + ", ".join(said(one, ".3f") for one in apart),
        all_of([*low, *(judge(one, above=0.0) for one in apart)]),
        "Below 0.15 for both variants, and the models, with their smaller budget, are "
        f"above them. The distance is at most 1, so the paper's 2.0 is not. {BY_SEED}",
    )


def speed_claim(evidence: Evidence) -> Claim:
    """Fifty times as fast as NSGA-II."""
    ratios = {
        one: evidence.ratios(LARGE, (NSGA2, one), "cpu_seconds", LARGE) for one in OURS
    }
    return Claim(
        1612,
        "Both variants are at least fifty times as fast as NSGA-II.",
        "50 to 90 times",
        _each(lambda one: ratios[one], ".0f"),
        all_of([judge(one, above=50.0) for one in ratios.values()]),
        f"Processor seconds of NSGA-II over ours, above 50 for both. {BY_SEED}",
    )
