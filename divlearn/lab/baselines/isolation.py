"""``Isolated``: a search whose code may use the global random state.

Code from other packages sometimes draws from it. Here it gets a separate global state
from the seed of the run, and everyone else's stays as it was.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.methods.others.base import Proposer


class Isolated:
    """A search with a separate global random state, and without warnings.

    Parameters
    ----------
    start
        Begins the search.
    seed
        Seed of the state.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn import Binary
    >>> from divlearn.methods.others.random import RandomSolutions
    >>> search = Isolated(lambda: RandomSolutions(Binary(3), 1), seed=1)
    >>> search.propose(2, np.arange(2)).shape
    (2, 3)
    """

    def __init__(self, start: Callable[[], Proposer], seed: int) -> None:
        self._own: tuple[Any, Any] = (
            random.Random(seed).getstate(),
            np.random.RandomState(seed % 2**32).get_state(),
        )
        with self._inside():
            self._search = start()

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Propose as the search does."""
        with self._inside():
            return self._search.propose(count, numbers)

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Learn as the search does."""
        with self._inside():
            self._search.observe(number, codes, outputs)

    def fail(self, number: int, codes: Codes) -> None:
        """Learn as the search does."""
        with self._inside():
            self._search.fail(number, codes)

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Use this search's state as the global one inside the block."""
        theirs = random.getstate(), np.random.get_state()  # noqa: NPY002
        _set(self._own)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        finally:
            self._own = random.getstate(), np.random.get_state()  # noqa: NPY002
            _set(theirs)


def _set(states: tuple[Any, Any]) -> None:
    """Set the global states of Python and of NumPy."""
    random.setstate(states[0])
    np.random.set_state(states[1])  # noqa: NPY002
