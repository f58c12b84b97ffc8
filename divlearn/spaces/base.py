"""``Space``: what all kinds of solutions have in common, based on their layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Integers, Value, Words

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout

PERMUTATION, SUBSET, CATEGORICAL, ORDINAL = 0, 1, 2, 3
MAX_ACTIONS = 50_000_000
#: Longest permutation: tables of its pairs hold what was learned, not all of them.
MAX_ITEMS = 100_000
#: Codes of one position fit into 32 bits.
MAX_LEVELS = 2**31 - 1
#: Ordered positions of more values than this are wide: their actions are so many cells.
WIDE, CELLS = 256, 64


class Segment(NamedTuple):
    """A run of positions of one kind.

    Attributes
    ----------
    kind
        One of the kinds above.
    levels
        Number of codes at each position.
    least, most
        Limits on the number of ones of a subset.
    rules
        What goes together inside, each a kind of rule and its numbers
        (:mod:`divlearn.kernels.structure`).
    log_from
        Value of code 0, in units of one step, where values are thought of on a
        logarithmic scale; 0 for a linear one.
    absent
        Whether the last code of each position stands for no value at all.
    """

    kind: int
    levels: list[int]
    least: int = 0
    most: int = 0
    rules: tuple[tuple[int, list[int]], ...] = ()
    log_from: float = 0.0
    absent: bool = False

    @property
    def num_actions(self) -> int:
        """Rows of the tables over all positions: wide ones have one per cell."""
        if self.kind != ORDINAL:
            return sum(self.levels)
        beside = int(self.absent)
        return sum(actions_of_values(each - beside) + beside for each in self.levels)


def actions_of_values(values: int) -> int:
    """Number of actions of a position of so many ordered values."""
    return values if values <= WIDE else CELLS


def num_steps(values: int) -> int:
    """Steps between the least and the greatest of ordered values, as distances count.

    Wide positions count as if they had a value per cell.

    Examples
    --------
    >>> num_steps(8), num_steps(2**30)
    (7, 63)
    """
    return actions_of_values(values) - 1


class Space(ABC):
    """A set of solutions: the user's values outside, integer codes inside.

    To make your own space, derive from this class and define its ``segments`` and how a
    value is turned into codes and back. Everything else follows. Check it with
    :func:`divlearn.testing.check_space`.
    """

    @abstractmethod
    def segments(self) -> list[Segment]:
        """Positions in order, one :class:`Segment` for each run of one kind."""

    @abstractmethod
    def decode(self, codes: Codes) -> Value:
        """Turn codes, shape ``(n,)``, into a value as the user declared it."""

    @abstractmethod
    def encode(self, value: Value) -> Codes:
        """Turn a value into codes; raise InputError if it is not in this space."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Describe this space as plain data that can be written and compared."""

    @cached_property
    def layout(self) -> Layout:
        """Positions, actions and segments as arrays."""
        from divlearn.kernels.layout import build_layout

        segments = self.segments()
        listed = [each for each in segments if each.kind != PERMUTATION]
        self.require_room(sum(segment.num_actions for segment in listed))
        return build_layout(segments)

    def require_room(self, actions: int) -> None:
        """Refuse a space with more actions than the tables have room for."""
        if actions > MAX_ACTIONS:
            raise InputError(
                f"{self!r} has {actions:,} actions over all positions, more than the "
                f"{MAX_ACTIONS:,} that the tables have room for; use fewer positions "
                "or coarser values."
            )

    @cached_property
    def num_positions(self) -> int:
        """Number of decisions in a solution."""
        return sum(len(segment.levels) for segment in self.segments())

    def sample(self, seed: int = 0) -> Value:
        """Draw a random solution; the same seed gives the same one."""
        from divlearn.kernels import layout

        codes = np.empty(self.num_positions, np.int64)
        layout.sample(self.layout, _words(seed), codes)
        return self.decode(codes)

    def contains(self, value: Value) -> bool:
        """Whether ``value`` is a solution of this space."""
        try:
            self.encode(value)
        except InputError:
            return False
        return True

    def canonical(self, value: Value) -> Value:
        """Return the value that represents all equal ones."""
        return self.decode(self.encode(value))

    def settled(self, codes: Codes) -> Codes:
        """Return the codes of a solution close to ``codes``, which a solution stays.

        Codes must fit the kinds of their segments; what goes together, such as orders
        with precedence, is seen to here. The same codes give the same solution.
        """
        from divlearn.kernels.structure import settle

        found = np.array(codes, np.int64)
        settle(self.layout, found, _words(0))
        return found

    def distance(self, a: Value, b: Value) -> float:
        """Kendall tau, Hamming or ordinal distance, summed over the parts."""
        from divlearn.kernels import layout

        return float(layout.distance(self.layout, self.encode(a), self.encode(b)))

    def available(self, earlier: Sequence[int] | Integers) -> list[int]:
        """List the codes allowed next, given those of earlier positions.

        Where ordered values are more than 256 these are some of them, one per action.
        """
        from divlearn.kernels import cells, layout

        codes = np.zeros(self.num_positions, np.int64)
        given = integer_vector("earlier", earlier, len(earlier))
        levels = self.layout.places.levels[: len(given)]
        if len(given) >= len(codes) or ((given < 0) | (given >= levels)).any():
            raise InputError(
                f"earlier needs the codes of fewer than {len(codes)} positions, "
                f"each below the number of codes there, got {earlier!r}."
            )
        codes[: len(given)] = given
        actions = np.empty(max(1, int(self.layout.places.arity.max())), np.int64)
        count = layout.available_actions(self.layout, codes, len(earlier), actions)
        i = len(given)
        return [cells.middle_of(self.layout, i, int(a)) for a in actions[:count]]

    def neighbour(
        self,
        value: Value,
        seed: int = 0,
        move: str | None = None,
        positions: Sequence[int] | None = None,
    ) -> Value:
        """Make one generic move, inside ``positions`` if given.

        Parameters
        ----------
        value
            Solution to start from; it is not changed.
        seed
            Seed of the random choice.
        move
            One of :attr:`move_names`; any of them if None.
        positions
            Positions that may change; all if None.

        Returns
        -------
        The neighbour, or an equal value if no such move exists.
        """
        from divlearn.kernels import moves

        codes = self.encode(value)
        n = self.num_positions
        inside = np.arange(n) if positions is None else positions
        chosen = np.unique(integer_vector("positions", inside, len(inside)))
        if len(chosen) and (chosen[0] < 0 or chosen[-1] >= n):
            raise InputError(f"positions must lie in 0 to {n - 1}, got {positions!r}.")
        names = self.move_names
        if move is not None and move not in names:
            raise InputError(
                f"move must be one of {', '.join(names)} for {self!r}, got {move!r}."
            )
        shares = moves.move_shares(None if move is None else [move])
        moves.random_move(
            self.layout,
            codes,
            chosen,
            len(chosen),
            shares,
            moves.MAX_BLOCK,
            _words(seed),
            np.empty(n, np.int64),
        )
        return self.decode(codes)

    @property
    def move_names(self) -> list[str]:
        """Names of the generic moves that suit this space."""
        from divlearn.kernels.moves import MOVE_NAMES

        kinds = dict.fromkeys(segment.kind for segment in self.segments())
        return list(dict.fromkeys(name for kind in kinds for name in MOVE_NAMES[kind]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and self.describe() == other.describe()

    def __hash__(self) -> int:
        # Not from the repr: 1, 1.0 and np.int64(1) are equal values.
        return hash(self.num_positions)


def _words(seed: int) -> Words:
    """State of the random generator for a seed."""
    from divlearn.kernels.random import seed_words

    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(require_whole("seed", seed) % 2**64))
    return words


def integer_vector(name: str, value: Value, length: int) -> Codes:
    """Turn ``value`` into ``length`` integers, or say what is wrong with it."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biufO" or np.ma.is_masked(value):
            raise TypeError
        if array.dtype == np.int64 and array.shape == (length,):
            return array.copy()  # the usual case, which needs no further check
        with np.errstate(invalid="ignore"):  # NaN fails the comparison below
            codes = array.astype(np.int64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{name} needs {length} whole numbers, got {value!r}."
        ) from None
    if array.shape != (length,):
        raise InputError(
            f"{name} needs {length} whole numbers, shape ({length},), "
            f"got shape {array.shape}."
        )
    if not np.array_equal(codes, array):
        raise InputError(f"{name} needs whole numbers, got {value!r}.")
    return codes
