"""Which random moves a method makes, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from divlearn.basics.checks import require_number, require_one_of
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
#: Moves of a permutation unless others are named.
DEFAULT_MOVES = ("swap", "insertion", "reversal")

#: Names of moves, or names with shares; None for the usual ones.
Moves = Mapping[str, float] | tuple[str, ...] | None


def read_moves(moves: object) -> Moves:
    """Check the names of moves and their shares."""
    if moves is None:
        return None
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise InputError(f"moves must be a list of names, got {moves!r}.")
    named = dict(moves) if isinstance(moves, Mapping) else tuple(moves)
    for move in named:
        require_one_of("moves", move, MOVES)
    if isinstance(named, dict):
        for move, share in named.items():
            require_number(f"share of {move}", share, 0)
    return named
