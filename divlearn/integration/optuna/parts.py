"""Parameters of Optuna as parts of a space, and back."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.integration.choices import numbered
from divlearn.spaces import (
    Integer,
    Permutation,
    Real,
    Space,
    Subset,
)
from divlearn.spaces.base import PERMUTATION, SUBSET

#: What ranks the items of permutations and limited subsets.
KEY = FloatDistribution(0.0, 1.0)
#: Whether an item belongs to a subset of any size.
CHOSEN = CategoricalDistribution((False, True))


class Part(ABC):
    """Parameters that are one part of a space.

    Attributes
    ----------
    name
        What the user calls it.
    space
        Its space.
    distributions
        Its parameters, by name.
    """

    #: Whether others may depend on it: it has one value.
    single: ClassVar[bool] = False

    def __init__(
        self, name: str, space: Space, distributions: dict[str, BaseDistribution]
    ) -> None:
        self.name = name
        self.space = space
        self.distributions = distributions

    @abstractmethod
    def params(self, value: Value) -> dict[str, Any]:
        """Values of the parameters, for a value of the space."""

    @abstractmethod
    def value(self, params: Mapping[str, Any]) -> Value:
        """Value of the space, for values of the parameters.

        Raises
        ------
        InputError, ValueError
            If there is none.
        """

    @property
    def middle(self) -> Value:
        """Some value, for trials that have none."""
        return self.space.decode(_middle_codes(self.space))


def _middle_codes(space: Space) -> Codes:
    """Codes of the middle of ordered values, the first items, or the first order."""
    segment = space.segments()[0]
    n = len(segment.levels)
    if segment.kind == PERMUTATION:
        return np.arange(n)
    if segment.kind == SUBSET:
        return (np.arange(n) < segment.least).astype(np.int64)
    return np.array(segment.levels, np.int64) // 2


class Number(Part):
    """A float or an integer."""

    single: ClassVar[bool] = True

    def __init__(
        self, name: str, distribution: FloatDistribution | IntDistribution
    ) -> None:
        self._whole = isinstance(distribution, IntDistribution)
        self._low, self._step = distribution.low, distribution.step
        self._counts = self._whole and distribution.step != 1
        super().__init__(name, _number_space(distribution), {name: distribution})

    def params(self, value: Value) -> dict[str, Any]:
        """One value of Python's own types."""
        if self._counts:
            value = self._low + self._step * value
        return {self.name: int(value) if self._whole else float(value)}

    def value(self, params: Mapping[str, Any]) -> Value:
        """The number, or how many steps it is away from the least one."""
        value = params[self.name]
        if not self._counts:
            return value
        steps, rest = divmod(value - self._low, self._step)
        if rest:
            raise InputError(f"{self.name} is not low + a whole number of steps.")
        return int(steps)


def _number_space(distribution: FloatDistribution | IntDistribution) -> Space:
    """The space of a number."""
    low, high, log = distribution.low, distribution.high, distribution.log
    if isinstance(distribution, FloatDistribution):
        return Real(low, high, log=log, step=distribution.step)
    if distribution.step != 1:
        return Integer(0, (distribution.high - distribution.low) // distribution.step)
    return Integer(distribution.low, distribution.high, log=log)


class Choice(Part):
    """One of several choices, by its number; ascending numbers are ordered."""

    single: ClassVar[bool] = True

    def __init__(self, name: str, distribution: CategoricalDistribution) -> None:
        self._distribution = distribution
        space = numbered(distribution.choices)
        super().__init__(name, space, {name: distribution})

    def params(self, value: Value) -> dict[str, Any]:
        """The choice of this number."""
        return {self.name: self._distribution.choices[value]}

    def value(self, params: Mapping[str, Any]) -> Value:
        """The number of the choice."""
        return int(self._distribution.to_internal_repr(params[self.name]))


class Group(Part):
    """Several parameters that are one value together."""

    def __init__(self, name: str, space: Space, n: int, each: BaseDistribution) -> None:
        self.names: list[str] = [f"{name}[{i}]" for i in range(n)]
        super().__init__(name, space, dict.fromkeys(self.names, each))

    @property
    @abstractmethod
    def label(self) -> str:
        """The attribute of trials that says that they have this group."""

    def _entries(self, params: Mapping[str, Any]) -> list[Any]:
        """Values of the parameters in order."""
        return [params[name] for name in self.names]


class Order(Group):
    """A permutation of n items: their keys, ascending."""

    def __init__(self, name: str, n: int) -> None:
        super().__init__(name, Permutation(n), n, KEY)
        self._n = n

    @property
    def label(self) -> str:
        """As in ``order (permutation of 30)``."""
        return f"{self.name} (permutation of {self._n})"

    def params(self, value: Value) -> dict[str, Any]:
        """Keys that are evenly spread."""
        places = np.argsort(value)
        keys = ((places + 0.5) / self._n).tolist()
        return dict(zip(self.names, keys, strict=True))

    def value(self, params: Mapping[str, Any]) -> Value:
        """Items by their keys; equal keys stay in order."""
        return np.argsort(self._entries(params), kind="stable")


class Members(Group):
    """A subset of n items: bits if it may have any size, else keys."""

    def __init__(self, name: str, n: int, least: int, most: int) -> None:
        self._any = (least, most) == (0, n)
        space = Subset(n, min=least, max=most)
        super().__init__(name, space, n, CHOSEN if self._any else KEY)
        self._n, self._least, self._most = n, least, most

    @property
    def label(self) -> str:
        """As in ``items (subset of 10, size 2 to 4)``."""
        size = f"size {self._least} to {self._most}"
        return f"{self.name} (subset of {self._n}, {size})"

    def params(self, value: Value) -> dict[str, Any]:
        """Bits, or keys on both sides of the middle."""
        inside = np.isin(np.arange(self._n), value)
        entries = inside if self._any else np.where(inside, 0.75, 0.25)
        return dict(zip(self.names, entries.tolist(), strict=True))

    def value(self, params: Mapping[str, Any]) -> Value:
        """Items above the middle, or more or fewer of the highest, as limits demand."""
        entries = np.array(self._entries(params), float)
        size = int(np.clip((entries > 0.5).sum(), self._least, self._most))
        return np.sort(np.argsort(-entries, kind="stable")[:size])


_ORDER = re.compile(r"(.*) \(permutation of (\d+)\)", re.DOTALL)
_MEMBERS = re.compile(r"(.*) \(subset of (\d+), size (\d+) to (\d+)\)", re.DOTALL)


def group_of(label: str) -> Group | None:
    """The group that an attribute of a trial names; None if it names none."""
    try:
        if found := _ORDER.fullmatch(label):
            return Order(found[1], int(found[2]))
        if found := _MEMBERS.fullmatch(label):
            n, least, most = map(int, found.groups()[1:])
            return Members(found[1], n, least, most)
    except InputError:  # an attribute of the user's own
        pass
    return None


def part_of(name: str, distribution: Any) -> Part | None:
    """The part of a parameter; None if there is nothing to search.

    Parameters
    ----------
    name
        Name of the parameter or group.
    distribution
        A distribution of Optuna; also a :class:`Permutation` or :class:`Subset`
        without demands on single items.
    """
    if type(distribution) is Permutation:
        return Order(name, distribution.n)
    if type(distribution) is Subset:
        return Members(name, distribution.n, distribution.min, distribution.max)
    if distribution.single():
        return None
    try:
        if isinstance(distribution, CategoricalDistribution):
            return Choice(name, distribution)
        return Number(name, distribution)
    except InputError:  # finer or wider than a space can be: left to chance
        return None
