"""Which random moves a method makes: built-in ones by name, and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.checks import require_flag, require_number, require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.text import said_by

if TYPE_CHECKING:
    from divlearn.basics.typing import Codes, Records
    from divlearn.spaces import Space

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
#: Those of them that turn nothing round.
STRAIGHT_MOVES = ("swap", "insertion")

#: Names of moves, or names with shares; None for the usual ones.
Moves = Mapping[str, float] | tuple[str, ...] | None


def read_moves(moves: object) -> Moves:
    """Check the names of moves and their shares."""
    if moves is None:
        return None
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise InputError(
            f"moves must be a list of names, got {moves!r}; one alone is written "
            '["swap"] in Python and TOML, and moves=swap, with a comma after --set.'
        )
    named = dict(moves) if isinstance(moves, Mapping) else tuple(moves)
    for move in named:
        require_one_of("moves", move, MOVES)
    if isinstance(named, dict):
        for move, share in named.items():
            require_number(f"share of {move}", share, 0)
    return named


# --- moves that users write

#: Random solutions on which a custom move is tried before a search.
NUM_TRIED = 20


@dataclass(frozen=True)
class Move:
    """A random move of your own, made beside the built-in ones.

    Where ``dl`` or one of the paper's methods changes a solution at random, it
    makes this move with the probability ``share``. Check it with
    :func:`divlearn.testing.check_move`.

    Parameters
    ----------
    name
        What messages call it.
    function
        ``function(x, positions, words)`` changes the codes ``x``, shape (n,), in
        place: items of a permutation, numbers of values of other positions, see
        ``space.encode``. ``positions`` are those that the method wants to change, in
        ascending order: all of them, or a window or subproblem; a move may ignore them.
        All randomness must come from ``words``, by ``below(words, n)`` and
        ``uniform(words)`` of :mod:`divlearn.kernels.random`, or else a seed does not
        repeat a search.
    share
        Share of all random moves. Those of several moves may add up to 1; built-in
        moves have the rest.
    compiled
        Whether the function is compiled, by numba. If False it is called as it is, and
        may do anything that Python can, at some microseconds per call.

    Examples
    --------
    Exchange two blocks of three neighbouring items:

    >>> import divlearn as dl
    >>> from divlearn.kernels.random import below
    >>> def exchange_blocks(x, positions, words):
    ...     i = below(words, len(x) - 5)
    ...     j = i + 3 + below(words, len(x) - i - 5)
    ...     for k in range(3):
    ...         x[i + k], x[j + k] = x[j + k], x[i + k]
    >>> move = dl.Move("exchange of blocks", exchange_blocks, share=0.3)
    >>> method = dl.DL(custom_moves=[move])
    >>> dl.solve(dl.problems.get("bifsp-20"), 100, method=method).evaluations
    100
    """

    name: str
    function: Callable[..., None]
    share: float = 0.5
    compiled: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InputError(f"name must be a text, got {self.name!r}.")
        if not callable(self.function):
            raise InputError(
                f"function must be a function(x, positions, words), got "
                f"{self.function!r}."
            )
        require_number("share", self.share, 0, 1)
        require_flag("compiled", self.compiled)

    def describe(self) -> dict[str, Any]:
        """Name and settings as plain data."""
        share, compiled = float(self.share), bool(self.compiled)
        return {"move": self.name, "share": share, "compiled": compiled}


def read_custom_moves(given: object) -> tuple[Move, ...]:
    """Return a user's own moves in a tuple."""
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    for move in listed:
        if isinstance(move, Mapping) and "move" in move:
            raise InputError(
                f"the move {move['move']!r} is not one of the built-in ones; pass "
                "method= with the method that holds it."
            )
        if not isinstance(move, Move):
            raise InputError(
                f"custom_moves must be a list of divlearn.Move, got {move!r}."
            )
    names = [*MOVES, *(move.name for move in listed)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"custom_moves needs a name of its own for every move, got {name!r} "
                "twice or as the name of a built-in one."
            )
    if sum(move.share for move in listed) > 1 + 1e-9:
        raise InputError(
            "custom_moves: the shares must add up to at most 1, got "
            f"{[move.share for move in listed]}."
        )
    return listed


def custom_records(moves: Sequence[Move]) -> Records:
    """Shares of custom moves, and addresses of their functions in this process."""
    from divlearn.kernels.custom_moves import (
        CUSTOM_MOVE,
        complaint_address,
        move_address,
    )

    records = np.zeros(len(moves), CUSTOM_MOVE).view(np.recarray)
    records.until = np.cumsum([float(move.share) for move in moves])
    for record, move in zip(records, moves, strict=True):
        try:
            record.address = move_address(move.function, move.compiled)
        except TypeError as error:
            raise InputError(
                f"custom_moves: {move.name!r} must be plain arithmetic on arrays that "
                "numba compiles; pass compiled=False to have it called as Python. "
                f"{error}"
            ) from error
        record.complaint = complaint_address(
            f"the custom move {move.name!r} left the space; "
            "divlearn.testing.check_move may find out how"
        )
    return records


def require_moves_fit(moves: Sequence[Move], space: Space) -> None:
    """Try custom moves on random solutions before a search begins."""
    for move in moves:
        for seed in range(NUM_TRIED):
            fault = fault_of_move(move, space, space.encode(space.sample(seed)), seed)
            if fault is not None:
                raise InputError(
                    f"custom_moves: {move.name!r} does not fit the space: {fault}."
                )


def fault_of_move(move: Move, space: Space, x: Codes, seed: int) -> str | None:
    """What is wrong with what a move, in plain Python, makes of ``x``; None if nothing.

    Parameters
    ----------
    move, space
        The move, and the space that it should not leave.
    x
        Codes of a solution, shape (n,).
    seed
        Seed of the random words.
    """
    from divlearn.kernels.layout import is_member
    from divlearn.kernels.random import seed_words
    from divlearn.kernels.structure import settle

    words, moved = np.empty(4, np.uint64), x.copy()
    seed_words(words, np.uint64(seed))
    plain = getattr(move.function, "py_func", move.function)
    try:
        returned: object = plain(moved, np.arange(len(x)), words)
    except Exception as error:
        return f"at {x} it raised {said_by(error)}"
    if returned is not None:
        return f"it must change x in place and return nothing, got {returned!r}"
    wrong = np.flatnonzero((moved < 0) | (moved >= space.layout.places.levels))
    if len(wrong):
        i, most = wrong[0], space.layout.places.levels[wrong[0]] - 1
        return (
            f"it gave position {i} of {x} the code {moved[i]}, not one of 0 to {most}"
        )
    settle(space.layout, moved, words)
    if not is_member(space.layout, moved):
        return f"it made {moved} of {x}"
    return None
