"""Settings of the Gaussian process that follow from the kind of space.

A prediction takes longer the more positions there are and the more points are known, so
how many candidates a proposal compares is a matter of time: see ``share_of_effort`` in
:mod:`divlearn.methods.dl.kernels.models.gp.search`.
"""

from __future__ import annotations

from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.methods.dl.kernels.models.gp.columns import MATERN

#: Candidates per proposal times positions, and their limits.
EFFORT, FEWEST_TRIES, MOST_TRIES = 20_000, 150, 1000
#: Predictions for improving candidates, per candidate drawn.
STEPS_PER_TRY = 3
#: Where values have a scale: most candidates, predictions for improving each of them,
#: steps at many positions at once, how many times as many of all while rows are few,
#: and the least noise, since values near one another differ little.
MOST_TRIES_ON_SCALES, STEPS_PER_TRY_ON_SCALES, JOINT_ON_SCALES = 300, 4, 40
MOST_EFFORT_ON_SCALES, LEAST_NOISE_ON_SCALES = 10.0, 1e-6
#: Prior of weights where knobs are of several kinds: what they weigh differs more.
WEIGHT_SD_OF_KINDS = 2.0
#: Where something is permuted: candidates drawn; guided ones times items, and their
#: limits; predictions for improving the best, and so many more per other position; how
#: many times as many of all while rows are few.
TRIES_ON_ORDERS, EFFORT_ON_ORDERS, FEWEST_GUIDED, MOST_GUIDED = 30, 500, 8, 24
STEPS_ON_ORDERS, STEPS_PER_VALUE, MOST_EFFORT_ON_ORDERS = 40, 10, 6.0


def settings_for(layout: Layout) -> dict[str, float]:
    """Candidates and predictions per proposal, and what values on a scale need.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> settings_for(Permutation(50).layout)["num_guided"]
    10
    """
    if (layout.segments.kind == PERMUTATION).any():
        return _on_orders(layout)
    places = layout.places
    tries = max(FEWEST_TRIES, min(EFFORT // max(1, len(places)), MOST_TRIES))
    wide = places.arity < places.levels
    if not wide.any():
        return {"num_tries": tries, "num_steps": STEPS_PER_TRY * tries}
    tries = min(tries, MOST_TRIES_ON_SCALES)
    return {
        "num_tries": tries,
        "num_steps": STEPS_PER_TRY_ON_SCALES * tries,
        "num_joint": JOINT_ON_SCALES,
        "most_effort": MOST_EFFORT_ON_SCALES,
        "least_noise": LEAST_NOISE_ON_SCALES,
        "smooth": MATERN,
        **({} if wide.all() else {"weight_sd": WEIGHT_SD_OF_KINDS}),
    }


def _on_orders(layout: Layout) -> dict[str, float]:
    """The same where something is permuted: orders follow slopes, and few are drawn."""
    permuted = layout.segments.kind[layout.places.segment] == PERMUTATION
    n = int(permuted.sum())
    guided = min(MOST_GUIDED, max(FEWEST_GUIDED, EFFORT_ON_ORDERS // max(1, n)))
    steps = STEPS_ON_ORDERS + STEPS_PER_VALUE * int((~permuted).sum())
    return {
        "num_tries": TRIES_ON_ORDERS,
        "num_guided": guided,
        "num_steps": steps,
        "most_effort": MOST_EFFORT_ON_ORDERS,
    }
