"""Concatenated traps: blocks of bits that lead away from their best value.

The table has a row per block and a column per bit of a block: the numbers of its bits.
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
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class Traps(BuiltIn):
    """Choose bits of which blocks have to be changed as a whole.

    A block of k bits, u of which are ones, adds k to ``ones`` if u = k, else
    k - 1 - u. To ``zeros`` it adds k if u = 0, else u - 1. Both are maximised. Every
    bit alone leads towards the worse of the two good patterns, and what is in between
    is bad for both.

    Parameters
    ----------
    blocks
        Array of shape (b, k) of numbers of bits; all from 0 to b k - 1, each once.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    blocks
        The instance.

    References
    ----------
    K. Deb, D. E. Goldberg, "Analyzing deception in trap functions", Foundations of
    Genetic Algorithms 2 (1993). M. Pelikan, K. Sastry, D. E. Goldberg, "Multiobjective
    hBOA, clustering, and scalability", GECCO (2005), has the inverse trap beside it.

    Examples
    --------
    >>> from divlearn.problems import Traps
    >>> problem = Traps([[0, 2], [1, 3]])
    >>> problem.evaluate([True, False, True, False])  # block of ones, block of zeros
    array([3., 3.])
    >>> problem.evaluate([True, True, False, False])
    array([0., 0.])
    >>> problem.exact_values()
    array([[2., 4.],
           [3., 3.],
           [4., 2.]])
    """

    fields: ClassVar[Fields] = Fields(("blocks",))

    def __init__(
        self,
        blocks: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.blocks: Floats = _read_blocks(blocks)
        n = self.blocks.size
        super().__init__(
            Binary(n),
            None,
            {"ones": "max", "zeros": "max"},
            reference=reference,
            ideal=ideal,
            name=name or f"traps-{n}",
            compiled=Compiled(trap_values, self.blocks),
        )

    def exact_values(self) -> Floats:
        """Return the whole front, shape (b + 1, 2), that of ``ones`` rising.

        A block of ones adds (k, k - 1), one of zeros (k - 1, k), and any other
        (k - 1 - u, u - 1), which both dominate. Blocks do not share bits, so a front
        has nothing but blocks of ones and of zeros, and their number is what counts.
        """
        b, k = self.blocks.shape
        ones = np.arange(b + 1.0)
        return np.stack([b * (k - 1) + ones, b * k - ones], axis=1)


def _read_blocks(blocks: Any) -> Floats:
    """Check that every bit is in one block."""
    text = "an array of shape (b, k) of numbers of bits"
    read = read_numbers("blocks", blocks, ("b", "k"), text)
    if read.shape[1] < 2:
        raise InputError(
            f"blocks must have at least 2 bits each, got shape {read.shape}."
        )
    if not np.array_equal(np.sort(read.ravel()), np.arange(read.size)):
        raise InputError(
            f"blocks must hold every number from 0 to {read.size - 1} once, "
            f"got {np.sort(read.ravel())[:20].tolist()}."
        )
    return read


@kernel
def trap_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write the sums over all blocks of their trap and of their inverse trap."""
    y[0] = y[1] = 0.0
    k = table.shape[1]
    for b in range(table.shape[0]):
        ones = 0
        for j in range(k):
            ones += x[int(table[b, j])]
        y[0] += k if ones == k else k - 1 - ones
        y[1] += k if ones == 0 else ones - 1


def _traps(rng: np.random.Generator, n: int, name: str, block: int = 5) -> BuiltIn:
    """Make blocks of bits that stand anywhere."""
    block = require_whole("block", block, 2, 20)
    if n % block:
        raise InputError(
            f"the number of bits of traps must be a multiple of the bits of a block, "
            f"{block}, got {n}; use {name.split('-')[0]}-{-(-n // block) * block}."
        )
    blocks = rng.permutation(n).reshape(-1, block)
    # Random bits reach about a third of what both would have at best.
    half, whole = n / 2.0, float(n)
    return Traps(blocks, reference=(half, half), ideal=(whole, whole), name=name)


FAMILIES = {"traps": Family(_traps, least=2, options=("block",))}
