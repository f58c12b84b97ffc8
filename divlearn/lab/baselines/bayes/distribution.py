"""Distributions over solutions with continuous parameters, and their gradients.

Permutations are drawn from Plackett-Luce distributions by the Gumbel trick, bits from
Bernoulli and all other values from categorical distributions; every position is
independent of the others. One row of parameters is one distribution.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import PERMUTATION, SUBSET, Layout

#: How many positions differ, on average, from the solution a start is made from.
SPREAD = 2.0


def plackett_luce_score(utilities: Floats, orders: Integers) -> Floats:
    """Gradient of the log-probability of orders by the utilities, shape (..., n).

    Parameters
    ----------
    utilities
        One per item, shape (..., n): the item of the greatest comes first most often.
    orders
        Items in order, shape (..., n).

    Examples
    --------
    >>> plackett_luce_score(np.zeros(3), np.array([2, 0, 1])).round(3)
    array([ 0.167, -0.833,  0.667])
    """
    ordered = np.take_along_axis(utilities, orders, axis=-1)
    worth = np.exp(ordered - ordered.max(axis=-1, keepdims=True))
    left = np.cumsum(worth[..., ::-1], axis=-1)[..., ::-1]
    # An item is still available at its own choice and at all before.
    slope = 1.0 - worth * np.cumsum(1.0 / np.maximum(left, 1e-300), axis=-1)
    found = np.empty_like(slope)
    np.put_along_axis(found, orders, slope, axis=-1)
    return np.asarray(found)


class SolutionDistribution:
    """Draws of solutions of a space, for several rows of parameters at once.

    Parameters
    ----------
    layout
        Layout of the space.
    temperature
        Divides all parameters: the greater it is, the more even the draws.

    Attributes
    ----------
    size
        Number of parameters.

    Examples
    --------
    >>> import divlearn as dl
    >>> spread = SolutionDistribution(dl.Permutation(3).layout)
    >>> sure = np.array([[0.0, 900.0, 500.0]])
    >>> spread.draw(sure, 2, np.random.default_rng(0))
    array([[[1, 2, 0],
            [1, 2, 0]]])
    """

    def __init__(self, layout: Layout, temperature: float = 1.0) -> None:
        self._temperature = temperature
        kinds = layout.segments.kind[layout.places.segment]
        arity = layout.places.levels
        self._spans: list[tuple[int, int]] = [
            (int(s.start), int(s.stop))
            for s in layout.segments
            if s.kind == PERMUTATION
        ]
        bits = (kinds == SUBSET) & (arity > 1)
        self._bits = np.flatnonzero(bits)
        self._choices = np.flatnonzero((kinds != PERMUTATION) & (kinds != SUBSET))
        self._arity = [int(arity[i]) for i in self._choices]
        self._n = len(arity)
        lengths = [b - a for a, b in self._spans]
        self._blocks = np.cumsum([0, *lengths, len(self._bits), *self._arity])
        self.size = int(self._blocks[-1])

    def draw(
        self, parameters: Floats, count: int, rng: np.random.Generator
    ) -> Integers:
        """Draw ``count`` solutions per row, shape (r, size) to (r, count, n).

        Subsets with limits on their size may be drawn beyond them.
        """
        rows = len(parameters)
        uniform = rng.random((rows, count, self.size))
        logits = (parameters / self._temperature)[:, None]
        raced = logits - np.log(-np.log(np.maximum(uniform, 1e-300)))
        codes = np.zeros((rows, count, self._n), np.int64)
        block = iter(zip(self._blocks, self._blocks[1:], strict=False))
        for start, stop in self._spans:
            a, b = next(block)
            codes[..., start:stop] = np.argsort(-raced[..., a:b], axis=-1)
        a, b = next(block)
        codes[..., self._bits] = uniform[..., a:b] < _sigmoid(logits[..., a:b])
        for i in self._choices:
            a, b = next(block)
            codes[..., i] = np.argmax(raced[..., a:b], axis=-1)
        return codes

    def score(self, parameters: Floats, codes: Integers) -> Floats:
        """Gradients of the log-probabilities by the parameters.

        Parameters
        ----------
        parameters
            Shape (r, size).
        codes
            Solutions as drawn, shape (r, count, n).

        Returns
        -------
        Shape (r, count, size).
        """
        logits = (parameters / self._temperature)[:, None]
        logits = np.broadcast_to(logits, (*codes.shape[:2], self.size))
        found = np.empty(logits.shape)
        block = iter(zip(self._blocks, self._blocks[1:], strict=False))
        for start, stop in self._spans:
            a, b = next(block)
            found[..., a:b] = plackett_luce_score(
                logits[..., a:b], codes[..., start:stop]
            )
        a, b = next(block)
        found[..., a:b] = codes[..., self._bits] - _sigmoid(logits[..., a:b])
        for i, arity in zip(self._choices, self._arity, strict=True):
            a, b = next(block)
            found[..., a:b] = np.eye(arity)[codes[..., i]] - _softmax(logits[..., a:b])
        return found / self._temperature

    def around(self, codes: Codes) -> Floats:
        """Parameters whose draws differ from a solution at few positions, (size,)."""
        parts = []
        for start, stop in self._spans:
            n = stop - start
            step = np.log(max(n / SPREAD - 1.0, 1.5))
            utilities = np.empty(n)
            utilities[codes[start:stop]] = step * np.arange(n - 1, -1, -1.0)
            parts.append(utilities - utilities.mean())
        positions = max(1, len(self._bits) + len(self._choices))
        odds = max(positions / SPREAD - 1.0, 1.5)
        parts.append(np.log(odds) * (2.0 * codes[self._bits] - 1.0))
        for i, arity in zip(self._choices, self._arity, strict=True):
            parts.append(np.log(odds * max(1, arity - 1)) * np.eye(arity)[codes[i]])
        return np.asarray(np.concatenate(parts) * self._temperature)


def _sigmoid(x: Floats) -> Floats:
    """Probability of a 1."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -500.0, 500.0))))


def _softmax(x: Floats) -> Floats:
    """Probabilities of the values."""
    worth = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(worth / worth.sum(axis=-1, keepdims=True))
