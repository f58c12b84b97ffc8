"""Settings of the Lagrangian coordination between overlapping subproblems."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.basics.checks import require_flag, require_number


@dataclass(frozen=True)
class Coordination:
    """Prices on positions that several subproblems share.

    The penalty enters through the reward, ``r - sum lambda_i xi_i``: a penalty that
    does not depend on the action cannot change which action scores best.

    Parameters
    ----------
    start
        First price; a multiplicative update could never leave 0.
    step
        alpha_0 in the step size alpha_0 / sqrt(t).
    cap
        lambda_max.
    accelerated
        Nesterov's acceleration with theta_t = 2 / (t + 1).
    consensus
        Factor of a price on actions that differ from the incumbent's; 0 for none.
        The paper names it as a possible extension.
    """

    start: float = 1e-6
    step: float = 1.0
    cap: float = 10.0
    accelerated: bool = True
    consensus: float = 0.0

    def __post_init__(self) -> None:
        require_number("start", self.start, 0)
        require_number("step", self.step, 0)
        require_number("cap", self.cap, 0)
        require_number("consensus", self.consensus, 0)
        require_flag("accelerated", self.accelerated)
