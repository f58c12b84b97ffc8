"""Crews that go to sites, on several maps; ways are computed as they are needed.

The table has a row per crew and site, ``i``: for each map the two coordinates of crew
i, then for each map those of site i. So it grows like n, and n may be large.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import between_points, read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.built_in.linear_assignment import MOST_DRAWN
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Permutation
from divlearn.spaces.base import MAX_ITEMS


class Dispatch(BuiltIn):
    """Send each crew to one site, so that the ways are short on several maps.

    A solution is a permutation ``x``: crew i goes to site ``x[i]``. Objective k,
    ``way k``, is the sum of the straight distances on map k, minimised. It is a
    :class:`LinearAssignment` whose costs need no matrix.

    Parameters
    ----------
    crews, sites
        Arrays of shape (n, m, 2): where each of them is on each map.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    crews, sites
        The instance, shape (n, m, 2) each.

    Examples
    --------
    >>> from divlearn.problems import Dispatch
    >>> problem = Dispatch([[[0, 0]], [[5, 5]]], [[[3, 4]], [[5, 6]]])
    >>> problem.evaluate([0, 1])
    array([6.])
    """

    fields: ClassVar[Fields] = Fields(("crews", "sites"))

    def __init__(
        self,
        crews: Any,
        sites: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.crews: Floats = _read_places("crews", crews)
        self.sites: Floats = _read_places("sites", sites)
        if self.crews.shape != self.sites.shape:
            raise InputError(
                "crews and sites must be equally many, on equally many maps, got "
                f"{_counted(self.crews, 'crews')} and {_counted(self.sites, 'sites')}."
            )
        n, m, _ = self.crews.shape
        _require_finite(np.concatenate([self.crews, self.sites]))
        super().__init__(
            Permutation(n),
            None,
            [f"way {k + 1}" for k in range(m)],
            reference=reference,
            ideal=ideal,
            name=name or f"dispatch-{n}",
            compiled=Compiled(
                ways_to_sites,
                np.hstack([self.crews.reshape(n, -1), self.sites.reshape(n, -1)]),
            ),
        )

    @property
    def drawing(self) -> Drawing | None:
        """The site of every crew; None if there are too many."""
        if len(self.crews) > MOST_DRAWN:
            return None
        ways = np.linalg.norm(self.crews[:, None] - self.sites[None, :], axis=-1)
        return drawings.Matching(list(ways.transpose(2, 0, 1)))


def _read_places(name: str, places: Any) -> Floats:
    """Return places as an array of shape (n, m, 2)."""
    text = "an array of shape (n, m, 2): a place on each of m maps"
    return read_numbers(name, places, ("n", "m", 2), text)


def _counted(places: Floats, word: str) -> str:
    """How many places there are."""
    n, m, _ = places.shape
    return f"{n} {word} on {m} map{'s' * (m != 1)}"


def _require_finite(places: Floats) -> None:
    """Refuse places, shape (n, m, 2), that are too far apart for their squares."""
    for points in places.transpose(1, 0, 2):
        between_points(np.stack([points.min(axis=0), points.max(axis=0)]))


@kernel
def ways_to_sites(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sums of the distances from crew i to site ``x[i]`` on each map."""
    m = y.shape[0]
    for k in range(m):
        total = 0.0
        for i in range(x.shape[0]):
            across = table[i, 2 * k] - table[x[i], 2 * (m + k)]
            along = table[i, 2 * k + 1] - table[x[i], 2 * (m + k) + 1]
            total += np.sqrt(across * across + along * along)
        y[k] = total


#: Standard deviations, per root of N, from random ways to ways of nearly no length.
REACH = 2.1


def _dispatch(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make crews and sites, all uniform in unit squares, on two maps."""
    places = rng.random((2, n, 2, 2))
    problem = Dispatch(places[0], places[1], name=name)
    return set_points(problem, growing_reach(n, REACH))


FAMILIES = {"dispatch": Family(_dispatch, 2, MAX_ITEMS)}
