"""When the history of a run gets its rows."""

from __future__ import annotations

import math

#: Evaluations between two rows, as a share of the budget.
HISTORY_SHARE = 0.02
#: Without a budget, each row comes at this multiple of the last.
HISTORY_GROWTH = 1.25


def next_record(evaluations: int, budget: int | None) -> int:
    """Number of evaluations at which a history gets its next row.

    Examples
    --------
    >>> next_record(150, budget=1_000)
    160
    """
    if budget is None:
        return max(evaluations + 1, math.ceil(evaluations * HISTORY_GROWTH), 50)
    step = max(1, round(budget * HISTORY_SHARE))
    return (evaluations // step + 1) * step
