"""``Encoding``: what a solution consists of, by a function of the user's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.typing import Codes, Integers
from divlearn.spaces import Space


class Encoding(ABC):
    """The actions of a solution; each adds something to every objective.

    The method ``dl`` explains the difference between two solutions as a sum over the
    actions that only one of them has. Your own encoding says what these are;
    it competes with those that are built in, for each objective, by how well it
    predicts. Check it with :func:`divlearn.testing.check_encoding`.

    Examples
    --------
    Costs of a permutation that depend on items two places apart:

    >>> import divlearn as dl
    >>> class Apart(dl.Encoding):
    ...     name = "two apart"
    ...
    ...     @staticmethod
    ...     def list_actions(x, actions):
    ...         for i in range(len(x) - 2):
    ...             actions[i] = x[i] * len(x) + x[i + 2]
    ...         return len(x) - 2
    ...
    ...     def num_actions(self, space):
    ...         return space.num_positions**2
    >>> method = dl.DL(custom_encodings=[Apart()])
    >>> method.describe()["custom_encodings"]
    [{'encoding': 'two apart'}]
    """

    name: ClassVar[str]

    @staticmethod
    @abstractmethod
    def list_actions(x: Codes, actions: Integers) -> int:
        """Write the numbers of the actions of ``x``; must compile.

        Parameters
        ----------
        x
            Codes of a solution, shape (n,): items of a permutation, numbers of
            values of the other positions, see ``space.encode``.
        actions
            To be filled from the front, with numbers from 0 to ``num_actions - 1``;
            the same number twice means twice as much.

        Returns
        -------
        How many were written.
        """

    @abstractmethod
    def num_actions(self, space: Space) -> int:
        """Number of different actions."""

    def most_listed(self, space: Space) -> int:
        """Length of the longest list; as many actions as positions unless changed."""
        return space.num_positions

    def describe(self) -> dict[str, Any]:
        """Name and settings as plain data."""
        return {"encoding": self.name, **vars(self)}


def fault_of(encoding: Encoding, space: Space, x: Codes) -> str | None:
    """What is wrong with the list of actions of ``x``; None if nothing is."""
    most, different = encoding.most_listed(space), encoding.num_actions(space)
    actions = np.full(most, -1, np.int64)
    try:
        count = encoding.list_actions(x, actions)
    except IndexError as error:
        return f"list_actions wrote beyond the {most} that most_listed allows ({error})"
    if not isinstance(count, (int, np.integer)) or not 0 <= count <= most:
        return f"list_actions must return how many it wrote, 0 to {most}, got {count!r}"
    wrong = [a for a in actions[:count].tolist() if not 0 <= a < different]
    if wrong:
        return (
            f"actions must be numbers from 0 to num_actions - 1 = {different - 1}, "
            f"got {wrong[0]}"
        )
    return None
