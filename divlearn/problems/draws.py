"""``Draws``: noise that a seed reproduces, in any order and any process."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from divlearn.basics.typing import Codes

#: Seed of the current evaluation, if it has one.
_SEED: ContextVar[int | None] = ContextVar("seed", default=None)
#: Last parts of the seeds of evaluations in a study and of those that judge a front, so
#: that the two kinds never get the same numbers.
_STUDY, _JUDGE = 1, 2


class Draws:
    """Random numbers for noisy evaluations.

    They depend on the seed, the solution and how often it was evaluated before. So the
    order in which different solutions are evaluated does not matter. In a study they
    depend on the seed of the evaluation instead, so it does not matter which worker
    evaluates.

    Parameters
    ----------
    seed
        The same seed gives the same noise.

    Examples
    --------
    >>> import numpy as np
    >>> x, one, other = np.array([3, 1]), Draws(seed=0), Draws(seed=0)
    >>> bool(one.next(x).random() == other.next(x).random())
    True
    >>> bool(one.next(x).random() == one.next(x).random())
    False
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._evaluations: Counter[bytes] = Counter()

    def next(self, codes: Codes) -> np.random.Generator:
        """Generator for the next evaluation of a solution, given by its codes."""
        key = _key(codes)
        seed = _SEED.get()
        if seed is not None:
            return self._generator(key, seed, _STUDY)
        count = self._evaluations[key]
        self._evaluations[key] += 1
        return self._generator(key, count)

    def judge(self, codes: Codes, number: int) -> np.random.Generator:
        """Generator of this number for an evaluation that no search ever makes."""
        return self._generator(_key(codes), number, _JUDGE)

    def restart(self) -> None:
        """Forget earlier evaluations, so that the same search meets the same noise."""
        self._evaluations.clear()

    def _generator(self, key: bytes, *words: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, int.from_bytes(key, "little"), *words])


@contextmanager
def seeded(seed: int | None) -> Iterator[None]:
    """Let evaluations inside this block take their noise from this seed, if given."""
    token = _SEED.set(seed)
    try:
        yield
    finally:
        _SEED.reset(token)


def _key(codes: Codes) -> bytes:
    """Short key of a solution."""
    return hashlib.blake2b(codes.tobytes(), digest_size=16).digest()
