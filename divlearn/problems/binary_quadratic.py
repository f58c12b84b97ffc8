"""Yes/no decisions whose value depends on pairs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.errors import InputError
from divlearn.problems.arrays import read_numbers
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class BinaryQuadratic(BuiltIn):
    """Choose bits so that quadratic functions of them are large.

    Objective k, ``value k``, is the sum of ``matrices[k][i][j]`` over all i and j that
    are both chosen, i = j included; all are maximised, without constraints.

    Parameters
    ----------
    matrices
        Array of shape (m, n, n), or a list of m matrices; they need be neither
        symmetric nor triangular.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    matrices
        The instance, shape (m, n, n).

    Examples
    --------
    >>> from divlearn.problems import BinaryQuadratic
    >>> problem = BinaryQuadratic([[[1, 5], [0, 2]], [[3, -4], [-4, 0]]])
    >>> problem.evaluate([True, False]), problem.evaluate([True, True])
    (array([1., 3.]), array([ 8., -5.]))
    """

    def __init__(
        self,
        matrices: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        from divlearn.kernels.objectives.binary_quadratic import quadratic_values

        text = "an array of shape (m, n, n): a square matrix per objective"
        self.matrices = read_numbers("matrices", matrices, (None, None, None), text)
        m, n, columns = self.matrices.shape
        if n != columns:
            raise InputError(
                f"matrices must be {text}, got shape {self.matrices.shape}."
            )
        folded = np.triu(self.matrices) + np.tril(self.matrices, -1).transpose(0, 2, 1)
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(m)},
            reference=reference,
            ideal=ideal,
            name=name or f"binary-quadratic-{n}",
            compiled=Compiled(
                quadratic_values, folded.transpose(1, 2, 0).reshape(n * n, m)
            ),
        )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {"matrices": self.matrices}
