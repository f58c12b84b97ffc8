"""Settings of LocalRefine: unit perturbations inside a subproblem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.errors import InputError

#: Names of all generic moves, see divlearn.kernels.moves.
MOVES = (
    "adjacent swap",
    "swap",
    "insertion",
    "reversal",
    "flip",
    "exchange",
    "set",
    "step",
)


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
    moves: Mapping[str, float] | tuple[str, ...] | None = None
    adaptive: bool = True
    max_radius: float = 3.0

    def __post_init__(self) -> None:
        if self.steps is not None:
            require_whole("steps", self.steps, 0)
        require_flag("adaptive", self.adaptive)
        require_number("max_radius", self.max_radius, 1)
        if isinstance(self.moves, str) or not isinstance(self.moves or (), Iterable):
            raise InputError(f"moves must be a list of names, got {self.moves!r}.")
        for move in self.moves or ():
            require_one_of("moves", move, MOVES)
        if isinstance(self.moves, Mapping):
            for move, share in self.moves.items():
                require_number(f"share of {move}", share, 0)
