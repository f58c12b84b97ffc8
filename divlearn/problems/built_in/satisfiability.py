"""Maximum satisfiability with several lists of clauses.

The table has a row per clause, those of the first list first, and a column per literal:
1 + i for bit i to be one, -1 - i for it to be zero. All lists are of one length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class Satisfiability(BuiltIn):
    """Choose bits so that many clauses of several lists hold.

    A clause holds if one of its literals does. Objective k, ``clauses k``, is the
    number of clauses in list k that hold; all are maximised.

    Parameters
    ----------
    num_bits
        Number of bits, n.
    literals
        Array of shape (m, c, L): per list and clause, the literals, 1 + i for bit i
        to be one and -1 - i for it to be zero.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    num_bits, literals
        The instance.

    Examples
    --------
    >>> from divlearn.problems import Satisfiability
    >>> problem = Satisfiability(3, [[[1, 2], [-1, 3]], [[-1, -2], [-3, -2]]])
    >>> problem.evaluate([True, False, False]), problem.evaluate([True, True, True])
    (array([1., 2.]), array([2., 0.]))
    """

    fields: ClassVar[Fields] = Fields(("literals",), parts=("num_bits",))

    def __init__(
        self,
        num_bits: int,
        literals: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.num_bits: int = require_whole("num_bits", num_bits, 1)
        self.literals: Floats = _read_literals(literals, self.num_bits)
        m = len(self.literals)
        super().__init__(
            Binary(self.num_bits),
            None,
            {f"clauses {k + 1}": "max" for k in range(m)},
            reference=reference,
            ideal=ideal,
            name=name or f"satisfiability-{self.num_bits}",
            compiled=Compiled(clauses_that_hold, np.concatenate(self.literals)),
        )


def _read_literals(literals: Any, n: int) -> Floats:
    """Check that these are numbers of bits with a sign."""
    text = "an array of shape (m, c, L): per list and clause, its literals"
    read = read_numbers("literals", literals, ("m", "c", "L"), text)
    wrong = (read != np.floor(read)) | (read == 0.0) | (np.abs(read) > n)
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise InputError(
            f"literals must be from 1 to {n} for a bit that is to be one, from -1 to "
            f"-{n} for one that is to be zero, got literals{list(index)} = "
            f"{read[index]:g}."
        )
    return read


@kernel
def clauses_that_hold(x: Codes, table: Floats, y: Floats) -> None:
    """Count the clauses of each list of which a literal holds."""
    each = table.shape[0] // y.shape[0]
    for k in range(y.shape[0]):
        y[k] = 0.0
        for row in range(k * each, (k + 1) * each):
            for j in range(table.shape[1]):
                literal = int(table[row, j])
                if (literal > 0) == (x[abs(literal) - 1] == 1):
                    y[k] += 1.0
                    break


def _satisfiability(
    rng: np.random.Generator, n: int, name: str, clauses: float = 4.3, length: int = 3
) -> BuiltIn:
    """Draw two lists of clauses of different bits with random signs."""
    length = require_whole("length", length, 2, 10)
    if length > n:
        raise InputError(f"length must be at most the number of bits, {n}.")
    count = max(1, round(n * require_number("clauses", clauses, 0.1, 100.0)))
    drawn = [
        [1 + rng.choice(n, length, replace=False) for _ in range(count)]
        for _ in range(2)
    ]
    literals = np.array(drawn) * rng.choice([-1, 1], (2, count, length))
    # Random bits violate one clause in 2^length; at best all of them hold.
    usual = count * (1.0 - 0.5**length)
    return Satisfiability(
        n, literals, reference=(usual, usual), ideal=(count, count), name=name
    )


FAMILIES = {
    "maxsat": Family(
        _satisfiability, least=3, most=2_000, options=("clauses", "length")
    )
}
