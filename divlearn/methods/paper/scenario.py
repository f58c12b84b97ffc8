"""Scenarios by name: what disturbs the rewards of a search, and how much."""

from __future__ import annotations

import math
from typing import Any

from divlearn.basics.errors import InputError

#: Names in the order of the kernels' numbers, from 1 on, with the usual size of each.
SCENARIOS = {
    "noise": 0.3,
    "shift": 0.2,
    "adversarial": 0.5,
    "plateau": 0.3,
    "heavy-tail": 0.3,
}
#: The paper's seven stress tests, and one that its theory leaves out.
STRESS_TESTS = (
    *(None, "noise-0.3", "noise-0.7", "shift-0.2", "shift-0.5"),
    *("adversarial", "plateau", "heavy-tail"),
)
#: Rewards lie in [-1, 1], so more than this would leave nothing of them.
LARGEST = 10.0


def read_scenario(scenario: Any) -> tuple[int, float]:
    """Read a name with or without a size, such as ``"noise-0.3"``.

    The experts are told another reward than the solution earned, which lies in
    [-1, 1]. What a size s means:

    - ``noise``: a uniform number of mean 0 and standard deviation s is added, so at
      most 1.73 s; the sum is clipped to [-1, 1];
    - ``shift``: from iteration 40 of a weight on, rewards are lower by s; from 80 on
      they are what they were; from 120 on they are lower again;
    - ``adversarial``: what is as good as the best reward of earlier iterations loses
      s, what is worse by 0.2 and more loses nothing, with a line in between; a reward
      above all earlier ones is spared until it is seen again;
    - ``plateau``: of the differences between rewards less than s below the best, a
      tenth is left;
    - ``heavy-tail``: s times a draw of Student's t with two degrees of freedom is
      added, and the sum is not clipped to [-1, 1].

    Refinements compare true values, and the archive holds them.

    Parameters
    ----------
    scenario
        One of the names above, and a size after a dash; None for no disturbance.

    Returns
    -------
    The number of the kind, 0 for none, and the size.

    Examples
    --------
    >>> read_scenario("noise-0.7"), read_scenario("adversarial"), read_scenario(None)
    ((1, 0.7), (3, 0.5), (0, 0.0))
    """
    if scenario is None:
        return 0, 0.0
    for number, (name, usual) in enumerate(SCENARIOS.items(), 1):
        if scenario == name:
            return number, usual
        if isinstance(scenario, str) and scenario.startswith(f"{name}-"):
            return number, _read_size(scenario, scenario.removeprefix(f"{name}-"))
    raise InputError(
        f"scenario must be None or one of {', '.join(SCENARIOS)}, with or without a "
        f'size such as "noise-0.3", got {scenario!r}.'
    )


def _read_size(scenario: str, text: str) -> float:
    """The number after the dash."""
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if not 0.0 <= size <= LARGEST:
        raise InputError(
            f"the size of a scenario must be a number from 0 to {LARGEST:g}, such as "
            f'"noise-0.3", got {scenario!r}.'
        )
    return size
