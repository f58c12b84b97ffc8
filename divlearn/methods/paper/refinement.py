"""Settings of LocalRefine: unit perturbations inside a subproblem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_optional_whole,
)
from divlearn.methods.moves import Move, Moves, read_custom_moves, read_moves

#: Names in the order of the kernels' numbers.
ACCEPTS = ("better", "gradient", "always")


@dataclass(frozen=True)
class Refinement:
    """A random move inside the subproblem, usually kept if it is better.

    Parameters
    ----------
    steps
        R, steps per subproblem; None for the paper's table, 0 for no refinement.
    moves
        Names of the moves to use, or names with shares; a kind of space of which none
        is named uses all of its moves. None for swap, insertion and reversal of
        permutations and all moves elsewhere.
    custom_moves
        Your own moves, see :class:`divlearn.Move`, made beside these.
    adaptive
        Whether the number of moves per step adapts: wider after a success, narrower
        after failures (one-fifth rule).
    max_radius
        Most moves per step.
    accept
        ``"better"`` keeps a perturbation if the scalarised value improves.
        ``"gradient"`` follows the paper's one-point estimator: of an improvement by g,
        a step of eta_0 sqrt(T / t) g moves is made, rounded at random to one move or
        none. ``"always"`` walks on whatever a perturbation is worth, unless it
        violates constraints more.
    rate
        eta_0 of the gradient steps.
    """

    steps: int | None = None
    moves: Moves = None
    custom_moves: Sequence[Move] = ()
    adaptive: bool = True
    max_radius: float = 3.0
    accept: str = "better"
    rate: float = 1.0

    def __post_init__(self) -> None:
        require_optional_whole("steps", self.steps, 0)
        require_flag("adaptive", self.adaptive)
        require_number("max_radius", self.max_radius, 1)
        require_one_of("accept", self.accept, ACCEPTS)
        require_number("rate", self.rate, 0)
        object.__setattr__(self, "moves", read_moves(self.moves))
        own = read_custom_moves(self.custom_moves)
        object.__setattr__(self, "custom_moves", own)
