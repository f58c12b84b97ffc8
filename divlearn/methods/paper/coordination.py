"""Settings of the Lagrangian coordination between overlapping subproblems."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.basics.checks import require_number, require_one_of

#: Names in the order of the kernels' numbers.
ACCELERATIONS = ("none", "nesterov", "averaged")


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
    acceleration
        How prices follow the mirror step m_t = lambda_t exp(alpha_t xi_t), both held
        between 0 and the cap, with theta_t = 2 / (t + 1). ``"nesterov"`` is the
        paper's momentum, lambda_{t+1} = m_t + theta_t (m_t - lambda_t); ``"none"`` is
        its Algorithm DualUpdate, lambda_{t+1} = m_t. ``"averaged"`` is no formula of
        the paper: a second sequence takes steps of alpha_t / theta_t, and prices
        average it in with weight theta_t. It drives prices to the cap.
    consensus
        Factor of a price on actions that differ from the incumbent's; 0 for none.
        The paper names it as a possible extension.
    """

    start: float = 1e-6
    step: float = 1.0
    cap: float = 10.0
    acceleration: str | None = "nesterov"
    consensus: float = 0.0

    def __post_init__(self) -> None:
        if self.acceleration is None:  # as the command line reads "none"
            object.__setattr__(self, "acceleration", "none")
        require_number("start", self.start, 0)
        require_number("step", self.step, 0)
        require_number("cap", self.cap, 0)
        require_number("consensus", self.consensus, 0)
        require_one_of("acceleration", self.acceleration, ACCELERATIONS)
