"""NK landscapes: bits whose contributions depend on each other.

With n bits and P = 2^(K+1) patterns, the table has n + n * P rows:

- i, for each bit: the numbers of the K bits that it depends on;
- n + i * P + pattern: the contributions of bit i to the objectives. Bit i is the
  lowest binary digit of the pattern, the bits it depends on follow in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import (
    correlated_uniform,
    growing_reach,
    set_points,
)
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class NKLandscape(BuiltIn):
    """Choose bits, each of which contributes together with K others.

    Bit i contributes ``contributions[k, i, p]`` to objective k, where the pattern p
    has bit i as its lowest binary digit and the bits ``links[i]`` as the next ones.
    Objective k, ``value k``, is the mean contribution of all bits, maximised.

    Parameters
    ----------
    links
        Array of shape (n, K) of bits that each bit depends on, K >= 1.
    contributions
        Array of shape (m, n, 2^(K+1)).
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    links, contributions
        The instance.

    References
    ----------
    S. Verel, A. Liefooghe, L. Jourdan, C. Dhaenens, "On the structure of
    multiobjective combinatorial search space: MNK-landscapes with correlated
    objectives", European Journal of Operational Research 227 (2013).

    Examples
    --------
    >>> from divlearn.problems import NKLandscape
    >>> problem = NKLandscape([[1], [0]], [[[0, 1, 2, 3], [0, 0, 0, 7]]])
    >>> problem.evaluate([True, False]), problem.evaluate([True, True])
    (array([0.5]), array([5.]))
    """

    fields: ClassVar[Fields] = Fields(("links", "contributions"))

    def __init__(
        self,
        links: Any,
        contributions: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.links: Floats = _read_links(links)
        n, others = self.links.shape
        text = (
            f"an array of shape (m, {n}, {2 ** (others + 1)}): per objective and bit, "
            "a number for each pattern of the bit and its links"
        )
        self.contributions: Floats = read_numbers(
            "contributions", contributions, ("m", n, 2 ** (others + 1)), text
        )
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(len(self.contributions))},
            reference=reference,
            ideal=ideal,
            name=name or f"landscape-{n}",
            compiled=Compiled(mean_contributions, self._table()),
        )

    def _table(self) -> Floats:
        """Lay out the instance as the objective reads it."""
        n, others = self.links.shape
        m, _, patterns = self.contributions.shape
        table = np.zeros((n + n * patterns, max(m, others)))
        table[:n, :others] = self.links
        table[n:, :m] = self.contributions.reshape(m, n * patterns).T
        return table


def _read_links(links: Any) -> Floats:
    """Check that these are numbers of other bits."""
    text = "an array of shape (n, K) of numbers of bits"
    read = read_numbers("links", links, ("n", "K"), text)
    n = len(read)
    wrong = (read != np.floor(read)) | (read < 0) | (read >= n)
    if wrong.any():
        i, k = (int(index) for index in np.argwhere(wrong)[0])
        raise InputError(
            f"links must hold numbers of bits, 0 to {n - 1}, "
            f"got links[{i}, {k}] = {read[i, k]:g}."
        )
    for i, row in enumerate(read):
        if i in row or len(set(row)) < len(row):
            raise InputError(
                "links must name other bits, each at most once per row, "
                f"got links[{i}] = {row.astype(int).tolist()}."
            )
    return read


@kernel
def mean_contributions(x: Codes, table: Floats, y: Floats) -> None:
    """Write the mean over all bits of what each contributes to the objectives."""
    n = x.shape[0]
    patterns = table.shape[0] // n - 1
    for k in range(y.shape[0]):
        y[k] = 0.0
    for i in range(n):
        pattern, digit, link = x[i], 2, 0
        while digit < patterns:
            pattern += digit * x[int(table[i, link])]
            digit *= 2
            link += 1
        row = n + i * patterns + pattern
        for k in range(y.shape[0]):
            y[k] += table[row, k]
    for k in range(y.shape[0]):
        y[k] /= n


#: Standard deviations, per root of N, from random bits to the ideal point.
REACH = 1.2


def _landscape(
    rng: np.random.Generator, n: int, name: str, k: int = 2, rho: float = 0.0
) -> BuiltIn:
    """Make bits that depend on k others, the same for both objectives."""
    k = require_whole("k", k, 1, 10)
    if k >= n:
        raise InputError(f"k must be below the number of bits, {n}, got {k}.")
    links = [
        np.sort(rng.choice(np.delete(np.arange(n), i), k, replace=False))
        for i in range(n)
    ]
    contributions = correlated_uniform(rng, (n, 2 ** (k + 1)), rho)
    problem = NKLandscape(np.array(links), contributions, name=name)
    return set_points(problem, growing_reach(n, REACH))


FAMILIES = {"mnk": Family(_landscape, least=3, options=("k", "rho"))}
