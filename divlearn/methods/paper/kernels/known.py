"""What an expert is told about an action."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """All that is known of one action of one position when it is scored.

    Examples
    --------
    >>> Known(value=0.5, visits=3.0).visits
    3.0
    """

    #: Mean of the normalised rewards, in [-1, 1], of solutions with this action.
    value: float = 0.0
    #: Their variance; 1 before two visits.
    variance: float = 1.0
    #: Number of those rewards.
    visits: float = 0.0
    #: Logarithm of the share of EXP3's multiplicative weight.
    log_weight: float = 0.0
    #: Cumulative importance-weighted loss.
    loss: float = 0.0
    #: Number of rewards so far, of whatever actions.
    updates: float = 0.0
    #: Falls from its start with the iterations.
    temperature: float = 1.0
    #: Number of actions at the position.
    num_actions: float = 2.0
    #: Highest mean among the actions that are available, this one included.
    best: float = 0.0
    #: Highest mean among the others; the own mean if there are none.
    rival: float = 0.0
    #: Two independent random numbers in [0, 1), drawn for this score.
    u: float = 0.5
    v: float = 0.5
