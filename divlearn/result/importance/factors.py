"""What the outputs of a search may depend on: a covariance for each part of a design.

A *factor* is a function of some positions of a design of which only its covariance is
known. It is *centred*: its mean over random designs is 0, so that sums and products of
factors split the variance of an output among them (an ANOVA decomposition).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.cells import coordinates_of
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout, sample
from divlearn.kernels.random import seed_words
from divlearn.result.importance.linear import product, times
from divlearn.result.importance.orders import (
    BEFORE,
    FORMS,
    MOST_COMPARED,
    OrderForm,
)
from divlearn.spaces import Space
from divlearn.spaces.names import Stretch, stretches

#: Random designs that stand for all.
RANDOM = 300
#: Positions of one part that have a factor each; more of them share one, as a sum.
SEPARATE, SEPARATE_IN_ALL = 40, 120
#: Values of a position that are told apart; of more, this many classes.
MOST_STATES, CLASSES = 64, 33
#: Lengths over which ordered values are alike, in units of their range, and how much
#: of the variance is of each length.
LENGTHS, LENGTH_SHARES = (1.0, 0.3, 0.1), (0.6, 0.3, 0.1)


class Factor(Protocol):
    """Something that an output may depend on.

    Attributes
    ----------
    part
        The user's name of what it belongs to.
    names
        Positions or items that it is made of.
    form
        In which terms it sees an order, in words; empty for other kinds.
    """

    part: str
    names: tuple[str, ...]
    form: str

    def covariance(self) -> tuple[Floats, Floats]:
        """Between all designs, and integrated over random ones; both (s, s)."""

    def split(self, alpha: Floats) -> Floats:
        """Variance that each of ``names`` has, for weights of the designs, (s,)."""


def factors_of(space: Space, codes: Codes) -> list[Factor]:
    """All that designs, shape (s, n), may differ by."""
    found = stretches(space)
    reference = random_codes(space.layout, RANDOM)
    separate = SEPARATE if space.num_positions <= SEPARATE_IN_ALL else 1
    factors: list[Factor] = []
    for stretch in found:
        own = slice(stretch.start, stretch.stop)
        if stretch.kind == PERMUTATION:
            factors += _order_factors(stretch, codes[:, own], reference[:, own])
        else:
            columns = list(_columns(space.layout, stretch, codes, reference))
            factors += _joined(stretch, columns, separate)
    return factors


def random_codes(layout: Layout, count: int, seed: int = 0) -> Codes:
    """Random designs, shape (count, n)."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    codes = np.empty((count, len(layout.places)), np.int64)
    for row in codes:
        sample(layout, words, row)
    return codes


# --- positions that hold a value


class Column(NamedTuple):
    """A position: which state it has in every design, and how states are alike."""

    name: str
    states: Integers  # (s,)
    table: Floats  # (L, L) centred covariance of states
    shares: Floats  # (L,) how often random designs have a state


class Positions:
    """The sum of one function per position; see :class:`Factor`."""

    part: str
    form: str

    def __init__(self, part: str, columns: list[Column], form: str = "") -> None:
        self.part, self.form = part, form
        self.names: tuple[str, ...] = tuple(column.name for column in columns)
        self._columns = columns

    def covariance(self) -> tuple[Floats, Floats]:
        """Between all designs, and integrated over random ones; both (s, s)."""
        size = len(self._columns)
        between = integrated = np.zeros(())
        for _, states, table, shares in self._columns:
            grid = np.ix_(states, states)
            between = between + table[grid] / size
            integrated = integrated + product(table * shares, table)[grid] / size**2
        return between, integrated

    def split(self, alpha: Floats) -> Floats:
        """Variance that each position has, for weights of the designs."""
        return np.array(
            [
                shares @ times(table[:, states], alpha) ** 2
                for _, states, table, shares in self._columns
            ]
        )


def _joined(stretch: Stretch, columns: list[Column], separate: int) -> list[Factor]:
    """A factor per position, or one for all of them where there are many."""
    if len(columns) > separate:
        return [Positions(stretch.part, columns)]
    return [Positions(stretch.part, [column]) for column in columns]


def _columns(
    layout: Layout, stretch: Stretch, codes: Codes, reference: Codes
) -> Iterator[Column]:
    """The positions of a stretch that can differ."""
    for name, i in zip(stretch.names, range(stretch.start, stretch.stop), strict=True):
        place = layout.places[i]
        if place.levels < 2:
            continue
        both = np.concatenate((codes[:, i], reference[:, i]))
        absent = bool(place.values < place.levels)
        states, size = _states(both, coordinates_of(place, both), int(place.values))
        states[both >= place.values] = size  # one more, for what does not exist
        how = stretch.kind == ORDINAL, absent
        yield column_of(name, states, len(codes), size, *how)


def column_of(
    name: str,
    states: Integers,
    count: int,
    size: int,
    ordered: bool,
    absent: bool = False,
) -> Column:
    """A position from the states of ``count`` designs, then those of random ones."""
    shares = 0.5 + np.bincount(states[count:], minlength=size + absent)
    shares = shares / shares.sum()
    table = table_of(shares, ordered, absent)
    return Column(name, states[:count], table, shares)


def _states(codes: Integers, coordinates: Floats, values: int) -> tuple[Integers, int]:
    """Codes as states, and how many there are; many codes in classes of near ones."""
    if values <= MOST_STATES:
        return codes.copy(), values
    classes = np.minimum(coordinates * CLASSES, CLASSES - 1).astype(np.int64)
    return classes, CLASSES


def table_of(shares: Floats, ordered: bool, absent: bool = False) -> Floats:
    """Centred covariance of states that random designs have with these shares.

    If ``absent``, the last state is like no other.

    Examples
    --------
    >>> table_of(np.array([0.5, 0.5]), ordered=False)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if not ordered:
        return _centred(np.eye(len(shares)), shares)
    place = np.linspace(0.0, 1.0, len(shares) - absent)
    place = np.append(place, [np.inf] * absent)
    with np.errstate(invalid="ignore"):
        apart = np.nan_to_num(np.square(place[:, None] - place), posinf=np.inf)
    tables = (_centred(np.exp(-apart / (2 * length**2)), shares) for length in LENGTHS)
    weighted = zip(LENGTH_SHARES, tables, strict=True)
    return np.asarray(sum(share * table for share, table in weighted))


def _centred(table: Floats, shares: Floats) -> Floats:
    """The covariance of functions whose mean is 0, scaled to a mean variance of 1."""
    means = table @ shares
    centred = table - means[:, None] - means + shares @ means
    size = float(shares @ np.diag(centred))
    return centred / size if size > 1e-12 else np.zeros_like(centred)


# --- orders


def _order_factors(stretch: Stretch, codes: Codes, reference: Codes) -> list[Factor]:
    """An order as seen by the places of its items, and by what stands beside what."""
    count, n = codes.shape
    if n < 2:
        return []
    places = np.argsort(np.concatenate((codes, reference)), axis=1)
    columns = []
    for item, name in enumerate(stretch.names):
        states, size = _states(places[:, item], places[:, item] / (n - 1), n)
        columns.append(column_of(name, states, count, size, ordered=True))
    factors: list[Factor] = [Positions(stretch.part, columns, "which item comes when")]
    for form, how in FORMS.items():
        if form != BEFORE or n <= MOST_COMPARED:
            orders = how, codes, reference
            factors.append(OrderForm(stretch.part, stretch.names, form, *orders))
    return factors
