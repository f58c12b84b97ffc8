"""Orders as factors: alike in what stands where, next to what, or before what.

Each form compares two orders item by item, and adds up.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.result.importance.linear import product, times

#: What a form sees of orders, shape (s, n): an array for each item, shape (n, s, w).
View = Callable[[Codes], Integers]
#: How alike two views of one item are, shapes (s, w) and (r, w) to (s, r).
Alike = Callable[[Integers, Integers], Floats]
#: Items beyond which the order of every two of them is not compared.
MOST_COMPARED = 150


def _equal(a: Integers, b: Integers) -> Floats:
    """Whether two numbers are the same."""
    return np.asarray(a[:, None, 0] == b[None, :, 0], float)


def _overlap(a: Integers, b: Integers) -> Floats:
    """How many neighbours are the same, whichever comes first."""
    shared = np.zeros((len(a), len(b)))
    for i in range(2):
        for j in range(2):
            shared += a[:, None, i] == b[None, :, j]
    return shared


def _agreement(a: Integers, b: Integers) -> Floats:
    """On how many others two orders agree whether they come before or after."""
    return np.asarray(product(a.astype(float), b.astype(float)) / a.shape[1])


def _places(orders: Codes) -> Integers:
    """The place of every item."""
    return np.argsort(orders, axis=1).T[:, :, None]


def _followers(orders: Codes) -> Integers:
    """The item that follows; -1 for the last one, which none follows."""
    after = np.full(orders.shape, -1)
    np.put_along_axis(after, orders[:, :-1], orders[:, 1:], axis=1)
    return after.T[:, :, None]


def _neighbours(orders: Codes) -> Integers:
    """The items before and after; the first and last are neighbours, as in a tour."""
    rolled = (np.roll(orders, shift, axis=1) for shift in (1, -1))
    sides = []
    for others in rolled:
        side = np.empty_like(orders)
        np.put_along_axis(side, orders, others, axis=1)
        sides.append(side.T)
    return np.stack(sides, axis=2)


def _before(orders: Codes) -> Integers:
    """For every item, 1 for the items after it and -1 for those before it."""
    place = np.argsort(orders, axis=1)
    signs: Integers = np.sign(place.T[None, :, :] - place.T[:, None, :])
    return signs.transpose(0, 2, 1)


#: The form that is left out where there are many items: it compares every two of them.
BEFORE = "which item comes before which"
#: Forms of orders by what they say, in words.
FORMS: dict[str, tuple[View, Alike]] = {
    "which item stands where": (_places, _equal),
    "which item follows which": (_followers, _equal),
    "which items are next to each other": (_neighbours, _overlap),
    BEFORE: (_before, _agreement),
}


class OrderForm:
    """A function of an order: a sum over its items; see ``factors.Factor``.

    Parameters
    ----------
    part, names, form
        The user's name of the order, names of its items, and the form in words.
    how
        What the form sees and compares.
    codes, reference
        Orders of the designs, shape (s, n), and random ones, shape (r, n).
    """

    part: str
    names: tuple[str, ...]
    form: str

    def __init__(
        self,
        part: str,
        names: tuple[str, ...],
        form: str,
        how: tuple[View, Alike],
        codes: Codes,
        reference: Codes,
    ) -> None:
        self.part, self.names, self.form = part, names, form
        view, self._alike = how
        self._own, self._random = view(codes), view(reference)

    def covariance(self) -> tuple[Floats, Floats]:
        """Between all designs, and integrated over random ones; both (s, s)."""
        within = self._sum(self._own, self._own)
        across = self._sum(self._own, self._random)
        random = self._sum(self._random, self._random)
        own, others = across.mean(axis=1)[:, None], random.mean(axis=1)
        total = float(others.mean())
        scale = float(np.mean(np.diag(random))) - total
        if scale < 1e-12:
            return np.zeros_like(within), np.zeros_like(within)
        within = (within - own - own.T + total) / scale
        across = (across - own - others + total) / scale
        return within, product(across, across) / across.shape[1]

    def _sum(self, a: Integers, b: Integers) -> Floats:
        """How alike orders are, over all items."""
        total = np.zeros((a.shape[1], b.shape[1]))
        for one, other in zip(a, b, strict=True):
            total += self._alike(one, other)
        return total

    def split(self, alpha: Floats) -> Floats:
        """Variance that each item has, for weights of the designs."""
        pairs = zip(self._own, self._random, strict=True)
        return np.array([np.var(times(self._alike(*p).T, alpha)) for p in pairs])
