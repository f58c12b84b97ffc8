"""p-median: sites that are near to all customers, for several kinds of distances.

The table has a row per customer and site, ``i * n + j``, and a column per objective:
what it costs to serve customer i from site j.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import between_points, read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.problems.drawings.places import NOTE, places_of
from divlearn.spaces import Subset

#: Share of the costs that a map must explain to be one.
MAPPED = 0.99


class Median(BuiltIn):
    """Choose a number of sites; each customer is served from the one that costs least.

    Objective k, ``cost k``, is the sum over customers of the least k-th cost among the
    chosen sites.

    Parameters
    ----------
    service
        Array of shape (m, customers, n): what serving a customer from a site costs.
    sites
        How many of the n sites are chosen.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    service, sites
        The instance.

    Examples
    --------
    >>> from divlearn.problems import Median
    >>> problem = Median([[[0, 5, 9], [5, 0, 2]], [[0, 1, 1], [1, 0, 7]]], sites=2)
    >>> problem.evaluate([0, 2])
    array([2., 1.])
    """

    fields: ClassVar[Fields] = Fields(("service",), parts=("sites",))

    def __init__(
        self,
        service: Any,
        sites: int,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        text = "an array of shape (m, customers, n): a matrix per objective"
        self.service: Floats = read_numbers(
            "service", service, ("m", "customers", "n"), text
        )
        m, customers, n = self.service.shape
        self.sites: int = require_whole("sites", sites, 1, n)
        super().__init__(
            Subset(n, self.sites),
            None,
            {f"cost {k + 1}": "min" for k in range(m)},
            reference=reference,
            ideal=ideal,
            name=name or f"median-{n}",
            compiled=Compiled(
                least_costs, self.service.transpose(1, 2, 0).reshape(customers * n, m)
            ),
        )

    @property
    def drawing(self) -> Drawing | None:
        """Sites and who is near to them, where costs are distances on maps."""
        m, customers, n = self.service.shape
        found = [places_of(costs) for costs in self.service if customers == n]
        if not found or any(one is None or one[1] < MAPPED for one in found):
            return None
        titles = [f"map of cost {k + 1}" for k in range(m)]
        maps = [one[0] for one in found if one is not None]
        return drawings.Sites(maps, titles if m > 1 else None, note=NOTE)


@kernel
def least_costs(x: Codes, table: Floats, y: Floats) -> None:
    """Write what it costs to serve all customers from the sites in ``x``."""
    n = x.shape[0]
    sites = np.empty(n, np.int64)
    count = 0
    for j in range(n):
        if x[j] == 1:
            sites[count] = j
            count += 1
    for k in range(y.shape[0]):
        y[k] = 0.0
        for i in range(table.shape[0] // n):
            least = np.inf
            for c in range(count):
                least = min(least, table[i * n + sites[c], k])
            y[k] += least


#: Standard deviations, per root of N, from random sites to the ideal point.
REACH = 0.5


def _median(
    rng: np.random.Generator,
    n: int,
    name: str,
    sites: int | None = None,
    costs: int = 2,
) -> BuiltIn:
    """Draw a map of customers, who are sites as well, for each cost."""
    sites = max(1, n // 10) if sites is None else require_whole("sites", sites, 1, n)
    costs = require_whole("costs", costs, 1, 5)
    service = [between_points(rng.random((n, 2))) for _ in range(costs)]
    problem = Median(np.stack(service), sites, name=name)
    return set_points(problem, growing_reach(n, REACH), slack=0.0)


FAMILIES = {"pmedian": Family(_median, 2, 1_000, options=("sites", "costs"))}
