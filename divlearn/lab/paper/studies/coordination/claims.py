"""What the paper says of coordination, beside what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.paper.claims import Claim, all_of, judge, said
from divlearn.lab.paper.studies.coordination.runs import OVERLAP, WITH, WITHOUT, Runs

#: Trajectories count as similar if their means differ by less than this share.
SIMILAR = 0.1
#: Iterations at which the paper reports mean prices, and which ones.
PRICES = {"conflicttsp-20": (90, 7e-6), "conflicttsp-50": (160, 1.75e-4)}


def claims(runs: Mapping[str, Runs], overlaps: Sequence[int]) -> list[Claim]:
    """All statements of the section."""
    return [
        gain_claim(runs),
        deviation_claim(runs),
        wins_claim(runs),
        failures_claim(runs),
        overlaps_claim(runs, overlaps),
        similar_claim(runs, "overlap_variance", "variance of values on overlaps", 1812),
        similar_claim(runs, "disagreement", "disagreement of subproblems", 1815),
        prices_claim(runs),
    ]


def _words(values: Mapping[str, Floats], form: str = ".4f") -> str:
    """Means with intervals by problem."""
    return ", ".join(f"{problem} {said(one, form)}" for problem, one in values.items())


def gain_claim(runs: Mapping[str, Runs]) -> Claim:
    """Prices raise the best reward."""
    gains = {problem: of.gains(OVERLAP) for problem, of in runs.items()}
    return Claim(
        1806,
        "Coordination raises the mean of the best reward.",
        "+6.6 of -96.8, and +6.0 of -228.2",
        _words(gains),
        all_of([judge(gain, above=0.0) for gain in gains.values()]),
        "Best reward with prices minus without, by instance, is above 0 at both sizes.",
    )


def deviation_claim(runs: Mapping[str, Runs]) -> Claim:
    """Prices make runs more alike."""
    ratios = {
        problem: of.rewards(WITH, OVERLAP, "deviation")
        / of.rewards(WITHOUT, OVERLAP, "deviation")
        for problem, of in runs.items()
    }
    return Claim(
        1806,
        "Coordination makes the best rewards of different seeds more alike.",
        "deviation 17.4 to 0.8, and 61.0 to 49.7",
        f"ratio {_words(ratios, '.2f')}",
        all_of([judge(ratio, below=1.0) for ratio in ratios.values()]),
        "Deviation over seeds with prices over that without, by instance, is below 1 "
        "at both sizes.",
    )


def wins_claim(runs: Mapping[str, Runs]) -> Claim:
    """Prices win in most seeds."""
    wins = {problem: of.wins(WITH) for problem, of in runs.items()}
    return Claim(
        1806,
        "Coordination wins in most seeds.",
        "80 % and 60 %",
        ", ".join(
            f"{problem} {100 * share.mean():.0f} % wins, "
            f"{100 * runs[problem].ties().mean():.0f} % ties"
            for problem, share in wins.items()
        ),
        all_of([judge(share, above=0.5) for share in wins.values()]),
        "Share of seeds in which the best reward is higher with prices, by instance, "
        "is above one half at both sizes; ties count as losses.",
    )


def failures_claim(runs: Mapping[str, Runs]) -> Claim:
    """Prices prevent failures."""
    gains = {problem: of.worst_gain() for problem, of in runs.items()}
    return Claim(
        1826,
        "Coordination prevents catastrophic failures of single seeds.",
        "+58 of -148.8 in one seed, +104 in another",
        _words(gains),
        all_of([judge(gain, above=0.0) for gain in gains.values()]),
        "Gain in the seed that is worst without prices, by instance, is above 0. That "
        "seed is chosen for being bad, so chance alone makes this positive.",
    )


def overlaps_claim(runs: Mapping[str, Runs], overlaps: Sequence[int]) -> Claim:
    """Prices gain at every overlap."""
    gains = {(p, o): of.gains(o) for p, of in runs.items() for o in overlaps}
    positive = sum(float(np.mean(gain)) > 0 for gain in gains.values())
    return Claim(
        1820,
        "Coordination gains at every overlap from 2 to 8.",
        "+3 to +5, and +5 to +40",
        f"{positive} of {len(gains)} mean gains are positive",
        all_of([judge(gain, above=0.0) for gain in gains.values()]),
        "Best reward with prices minus without, by instance, is above 0 at every "
        "overlap and both sizes.",
    )


def similar_claim(
    runs: Mapping[str, Runs], column: str, words: str, source: int
) -> Claim:
    """A trajectory is the same with and without prices."""
    ratios = {
        problem: of.mean_of(WITH, column) / of.mean_of(WITHOUT, column) - 1.0
        for problem, of in runs.items()
    }
    percent = {problem: 100 * ratio for problem, ratio in ratios.items()}
    return Claim(
        source,
        f"The {words} is similar with and without coordination.",
        "similar",
        f"{_words(percent, '.2f')} % apart",
        all_of([judge(r, above=-SIMILAR, below=SIMILAR) for r in ratios.values()]),
        f"Means over all iterations differ by less than {SIMILAR:.0%}, by instance.",
    )


def prices_claim(runs: Mapping[str, Runs]) -> Claim:
    """Prices grow."""
    growth, words = [], []
    for problem, of in runs.items():
        rows = of.curves(WITH, "price_mean")
        at, paper = PRICES[problem]
        at = min(at, rows.shape[1])
        growth.append(np.log(rows[:, at - 1] / rows[:, 0]))
        words.append(f"{problem} {rows[:, at - 1].mean():.2g} at {at} ({paper:g})")
    return Claim(
        1818,
        "Mean prices grow over the iterations.",
        "from 0 to 7e-6 at iteration 90, and to 1.75e-4 at 160",
        f"{', '.join(words)}; the paper's in brackets",
        all_of([judge(one, above=0.0) for one in growth]),
        "Logarithm of the mean price there over that at the beginning is above 0.",
    )
