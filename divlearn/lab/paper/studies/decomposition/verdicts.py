"""What the paper claims of sizes and overlaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench.statistics import marginal_efficiency
from divlearn.lab.paper.claims import (
    FAILS,
    HOLDS,
    OPEN,
    Claim,
    all_of,
    interval,
    judge,
    said,
)
from divlearn.lab.paper.studies.decomposition.sweeps import (
    HARM,
    SMALL,
    SOLVER,
    Swept,
    gain,
    label_of,
)


def claims(small: Swept, large: Swept, medium: Swept) -> list[Claim]:
    """The statements of the section."""
    return [
        *(claim_on_overlap(one) for one in (small, large, medium)),
        *(claim_on_plateau(one) for one in (small, large)),
        *(claim_on_sizes(one) for one in (small, large)),
        *(claim_on_solver(one) for one in (small, large)),
        *(claim_on_cost(one) for one in (small, large)),
        claim_on_redundancy(small, 63.0),
        claim_on_redundancy(large, 73.0),
        claim_on_fragments(small),
        *(claim_on_half(one) for one in (small, large)),
        *(claim_on_cliff(one) for one in (small, large)),
    ]


def proper(swept: Swept) -> list[int]:
    """Sizes with more than one window."""
    whole = int(swept.sweep.problem.split("-")[1])
    return [size for size in swept.sizes if size < whole]


def claim_on_overlap(swept: Swept) -> Claim:
    """Overlap improves the hypervolume."""
    gains = {size: gain(swept, size) for size in proper(swept)}
    return Claim(
        1155,
        f"{swept.sweep.problem}: hypervolume improves with overlap up to 40 to 50 %.",
        "monotonically, for all sizes",
        ", ".join(f"d={size}: {said(one)}" for size, one in gains.items()),
        all_of([judge(one, above=0.0) for one in gains.values()]),
        "HV at 50 % minus HV without overlap, by instance, for every size below n.",
    )


def claim_on_plateau(swept: Swept) -> Claim:
    """Nothing is gained beyond 50 %."""
    gains = {size: gain(swept, size, 100, 50) for size in proper(swept)}
    near = 0.01
    return Claim(
        1155,
        f"{swept.sweep.problem}: beyond 50 % hypervolume stays as it is.",
        "plateaus",
        ", ".join(f"d={size}: {said(one)}" for size, one in gains.items()),
        all_of([judge(one, above=-near, below=near) for one in gains.values()]),
        f"HV at 100 % minus HV at 50 % is within {near}, for every size below n.",
    )


def claim_on_sizes(swept: Swept) -> Claim:
    """Moderate sizes are best."""
    best = [size for size in swept.sizes if size in swept.sweep.best]
    others = [size for size in swept.sizes if size not in swept.sweep.best]
    rows = at_half(swept, [*best, *others])
    k = len(best)
    apart = rows[:k].mean(axis=0) - rows[k:].mean(axis=0) if others else rows[:0]
    return Claim(
        1155,
        f"{swept.sweep.problem}: moderate sizes, d of {' and '.join(map(str, best))}, "
        "are best.",
        "best performance",
        said(apart),
        judge(apart, above=0.0),
        "Mean HV of these sizes minus that of all others, at 50 % overlap, by "
        "instance.",
    )


def at_half(swept: Swept, sizes: Sequence[int], *more: str) -> Floats:
    """Hypervolumes at 50 % overlap, and of more methods, shape (methods, instances)."""
    labels = [*(label_of(size, 50) for size in sizes), *more]
    problem = swept.sweep.problem
    return swept.evidence.rows(problem, labels, "hypervolume", swept.suite)


def claim_on_solver(swept: Swept) -> Claim:
    """Moderate sizes come near the specialised solver."""
    best = [size for size in swept.sizes if size in swept.sweep.best]
    rows = at_half(swept, best, SOLVER)
    ratio = rows[:-1].mean(axis=0) / rows[-1]
    return Claim(
        1155,
        f"{swept.sweep.problem}: moderate sizes at 50 % are within 5 % of WS-LKH.",
        "within 5 %",
        f"{said(100 * ratio, '.2f')} % of the {SOLVER}",
        judge(ratio, above=0.95),
        f"Mean HV of the moderate sizes over that of the {SOLVER} is above 0.95.",
    )


def claim_on_cost(swept: Swept) -> Claim:
    """Cost explodes beyond 50 % for small sizes."""
    costs = swept.means(swept.sizes[0], "evaluations")
    at = dict(zip(swept.overlaps, costs, strict=True))
    below, beyond = at[50] / at[0], at[100] / at[50]
    return Claim(
        1128 if swept.sweep is SMALL else 1142,
        f"{swept.sweep.problem}: the runtime is stable up to 50 % and grows faster "
        "beyond, most for small sizes.",
        "stable, then superlinear",
        f"d={swept.sizes[0]}: evaluations x {below:.2f} up to 50 %, x {beyond:.2f} "
        "beyond",
        OPEN if np.isnan(below + beyond) else HOLDS if beyond > below else FAILS,
        "Evaluations of the smallest size grow by a larger factor from 50 to 100 % "
        "than from 0 to 50 %.",
    )


def claim_on_redundancy(swept: Swept, paper: float) -> Claim:
    """The redundancy that the paper reports at full overlap."""
    size = swept.sizes[0]
    found = swept.means(size, "redundancy")[-1]
    near = abs(found / paper - 1.0) < 0.1
    return Claim(
        1171,
        f"{swept.sweep.problem}: with d = {size} redundancy reaches {paper:g} at 100 "
        "%.",
        f"{paper:g}",
        f"{found:.1f}",
        OPEN if np.isnan(found) else HOLDS if near else FAILS,
        "Within 10 % of the paper's number, by the reading of the remarks.",
    )


def claim_on_fragments(swept: Swept) -> Claim:
    """Small subproblems are more redundant than one large one."""
    first, last = swept.sizes[0], swept.sizes[-1]
    ends = (swept.means(size, "redundancy")[-1] for size in (first, last))
    ratio = float(np.divide(*ends))
    return Claim(
        1171,
        f"{swept.sweep.problem}: at 100 % overlap, d = {first} is about eight times as "
        f"redundant as d = {last}.",
        "63 against less than 8",
        f"{ratio:.1f} times",
        OPEN if np.isnan(ratio) else HOLDS if ratio > 4.0 else FAILS,
        "The ratio is above 4.",
    )


def claim_on_half(swept: Swept) -> Claim:
    """D = n/2 stays below the limit of harm."""
    half = int(swept.sweep.problem.split("-")[1]) // 2
    found = float(swept.means(half, "redundancy").max())
    return Claim(
        1199,
        f"{swept.sweep.problem}: with d = n/2 redundancy stays below 10.",
        "below 10 (elsewhere: below 2.5)",
        f"at most {found:.1f}",
        OPEN if np.isnan(found) else HOLDS if found < HARM else FAILS,
        "The largest redundancy over all overlaps is below 10.",
    )


def claim_on_cliff(swept: Swept) -> Claim:
    """Marginal efficiency collapses beyond 50 %."""
    places = [swept.overlaps.index(one) for one in (0, 50, 100)]
    found = []
    for size in proper(swept):
        volumes = swept.means(size, "hypervolume")[places]
        costs = swept.means(size, "evaluations")[places]
        found.append(1e6 * marginal_efficiency(volumes, costs))
    known = np.array([one for one in found if not np.isnan(one).any()])
    below, beyond = known.reshape(-1, 2).T
    drops = bool(((below > 0) & (beyond < below / 10)).all())
    return Claim(
        1176,
        f"{swept.sweep.problem}: efficiency is positive below 50 % overlap and drops "
        "to a tenth or less beyond.",
        "drops by 1 to 2 orders of magnitude",
        f"HV per million evaluations: {interval(below)[0]:.3g} below, "
        f"{interval(beyond)[0]:.3g} beyond",
        OPEN if not len(known) else HOLDS if drops else FAILS,
        "Gain of HV over more evaluations, from 0 to 50 % and from 50 to 100 %: for "
        "every size whose cost changes, the first is above 0 and the second below a "
        "tenth of it.",
    )
