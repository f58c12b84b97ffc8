"""Settings of LocalRefine: unit perturbations inside a subproblem."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_optional_whole,
)
from divlearn.methods.moves import Moves, read_moves


@dataclass(frozen=True)
class Refinement:
    """A random move inside the subproblem, kept if the scalarised value improves.

    Parameters
    ----------
    steps
        R, steps per subproblem; None for the paper's table, 0 for no refinement.
    moves
        Names of the moves to use, or names with shares; a kind of space of which none
        is named uses all of its moves. None for swap, insertion and reversal of
        permutations and all moves elsewhere.
    adaptive
        Whether the number of moves per step adapts: wider after a success, narrower
        after failures (one-fifth rule).
    max_radius
        Most moves per step.
    """

    steps: int | None = None
    moves: Moves = None
    adaptive: bool = True
    max_radius: float = 3.0

    def __post_init__(self) -> None:
        require_optional_whole("steps", self.steps, 0)
        require_flag("adaptive", self.adaptive)
        require_number("max_radius", self.max_radius, 1)
        object.__setattr__(self, "moves", read_moves(self.moves))
