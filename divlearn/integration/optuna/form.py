"""``Form``: the parameters of a study as a space, as far as its trials tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.trial import FrozenTrial

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.integration.optuna.conditions import Parent, explain
from divlearn.integration.optuna.parts import Group, Part, group_of, part_of
from divlearn.spaces import Composite, If, Space

#: Trials in a row with one range after which it counts alone.
SETTLED = 10


class Surprise(Exception):
    """A trial is not what those before it let expect."""


class Placed(NamedTuple):
    """A part of the form, and when it exists.

    Attributes
    ----------
    part
        The part.
    conditions
        When it exists, as of :class:`divlearn.If`; empty for always.
    unexplained
        Whether trials lack it for reasons that nobody knows. It then always exists in
        the space, and lies in the middle where a trial lacks it.
    """

    part: Part
    conditions: dict[str, Any]
    unexplained: bool = False

    @property
    def space(self) -> Space | If:
        """What the space has for it."""
        if not self.conditions:
            return self.part.space
        return If(then=self.part.space, **self.conditions)


class Form:
    """Parameters as a space, and designs as parameters.

    Parameters
    ----------
    placed
        Parts by their names in the space.
    beside
        Parameters that are not searched, since they have one value only, or more than
        a space has room for.

    Attributes
    ----------
    distributions
        All parameters of the space, by name.
    space
        The space; None if there is nothing to search.
    """

    def __init__(
        self, placed: Mapping[str, Placed], beside: Mapping[str, BaseDistribution]
    ) -> None:
        self._placed = placed
        self._beside = beside
        self.distributions: dict[str, BaseDistribution] = {}
        for each in placed.values():
            self.distributions |= each.part.distributions
        self.space: Composite | None = None
        if placed:
            parts = {name: each.space for name, each in placed.items()}
            self.space = Composite(**parts)

    def params(self, x: Value) -> dict[str, Any]:
        """Values of all parameters that a design has."""
        params: dict[str, Any] = {}
        for name, value in x.items():
            params |= self._placed[name].part.params(value)
        return params

    def design(self, params: Mapping[str, Any]) -> dict[str, Value]:
        """The design that parameters stand for, as a value of the space.

        Raises
        ------
        Surprise
            If parameters are missing.
        """
        found: dict[str, Value] = {}
        for name, (part, conditions, unexplained) in self._placed.items():
            if all(each in params for each in part.distributions):
                try:
                    found[name] = part.value(params)
                except ValueError as error:
                    raise Surprise(str(error)) from None
            elif unexplained:
                found[name] = part.middle
            elif not conditions:
                raise Surprise(f"{part.name} is missing")
        return found

    def require_known(self, trial: FrozenTrial) -> None:
        """Raise Surprise if a trial has parameters that the space does not have."""
        for name, distribution in trial.distributions.items():
            if name in self.distributions or self._beside.get(name) == distribution:
                continue
            if part_of(name, distribution) is not None:
                raise Surprise(f"{name} is new")

    def is_as_expected(self, trial: FrozenTrial) -> bool:
        """Whether all parameters of a trial have the ranges of the space."""
        known = self.distributions
        return all(
            known.get(name, each) == each for name, each in trial.distributions.items()
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Form)
            and self.distributions == other.distributions
            and self.space == other.space
        )

    __hash__ = None  # type: ignore[assignment]


def infer(trials: Sequence[FrozenTrial], given: Mapping[str, Any]) -> Form:
    """Find out what parameters a study has, and when they exist.

    Parameters
    ----------
    trials
        Trials that have all of their parameters.
    given
        Distributions or spaces that are known before, by name.
    """
    parts, beside = _parts(trials, given)
    names = {f"p{number}": part for number, part in enumerate(parts)}
    exists = {name: _exists(part, trials) for name, part in names.items()}
    varies = {name for name, there in exists.items() if any(there) and not all(there)}
    placed: dict[str, Placed] = {}
    parents: list[Parent] = []
    for name, part in names.items():
        conditions = explain(exists[name], parents) if name in varies else {}
        placed[name] = Placed(part, conditions or {}, conditions is None)
        if varies and part.single and conditions is not None:
            parents.append(Parent(name, part.space, _codes(part, trials)))
    try:
        return Form(placed, beside)
    except InputError:  # conditions that contradict each other
        return Form(
            {name: Placed(each.part, {}, True) for name, each in placed.items()}, beside
        )


def _parts(
    trials: Sequence[FrozenTrial], given: Mapping[str, Any]
) -> tuple[list[Part], dict[str, BaseDistribution]]:
    """Parts in the order in which they were first seen, and what is not searched."""
    seen = _ranges(trials)
    groups = _groups(trials, seen, given)
    parts: dict[str, Part] = {}
    beside: dict[str, BaseDistribution] = {}
    for name, distribution in {**given, **seen}.items():
        if name in groups:
            parts[groups[name].name] = groups[name]
            continue
        found = part_of(name, distribution)
        if found is None:
            beside[name] = distribution
        else:
            parts[name] = found
    return list(parts.values()), beside


def _groups(
    trials: Sequence[FrozenTrial],
    seen: Mapping[str, BaseDistribution],
    given: Mapping[str, Any],
) -> dict[str, Group]:
    """Permutations and subsets, by the names of their parameters."""
    labels = dict.fromkeys(key for trial in trials for key in trial.user_attrs)
    named = [part_of(n, each) for n, each in given.items() if isinstance(each, Space)]
    groups: dict[str, Group] = {}
    for group in [*named, *map(group_of, labels)]:
        if isinstance(group, Group) and all(
            seen.get(name, each) == each for name, each in group.distributions.items()
        ):
            groups |= dict.fromkeys(group.names, group)
    # A label alone is nothing: the parameters must be there, or promised.
    promised = {name for part in named if part for name in part.distributions}
    return {n: group for n, group in groups.items() if n in seen or n in promised}


def _ranges(trials: Iterable[FrozenTrial]) -> dict[str, BaseDistribution]:
    """The distribution of each parameter, by name."""
    seen: dict[str, list[BaseDistribution]] = {}
    for trial in trials:
        for name, distribution in trial.distributions.items():
            seen.setdefault(name, []).append(distribution)
    return {name: _joined(each) for name, each in seen.items()}


def _joined(seen: list[BaseDistribution]) -> BaseDistribution:
    """One distribution for all: the last one if it is settled, else all ranges."""
    last = seen[-1]
    if all(each == last for each in seen[-SETTLED:]):
        return last
    if isinstance(last, CategoricalDistribution):
        return last
    alike = [each for each in seen if type(each) is type(last)]
    low = min(each.low for each in alike)  # type: ignore[attr-defined]
    high = max(each.high for each in alike)  # type: ignore[attr-defined]
    if isinstance(last, FloatDistribution):
        step = None if _off_grid(alike, low) else last.step
        return FloatDistribution(low, high, log=last.log, step=step)
    assert isinstance(last, IntDistribution)
    step = 1 if _off_grid(alike, low) else last.step
    return IntDistribution(low, high, log=last.log, step=step)


def _off_grid(alike: Sequence[Any], low: float) -> bool:
    """Whether the steps of some ranges lie between those of others."""
    step = alike[-1].step
    if step is None:
        return False
    shares = [(each.low - low) / step for each in alike]
    same = all(each.step == step for each in alike)
    return not same or any(abs(share - round(share)) > 1e-8 for share in shares)


def _exists(part: Part, trials: Iterable[FrozenTrial]) -> list[bool]:
    """Whether each trial has a part."""
    key = next(iter(part.distributions))
    return [key in trial.distributions for trial in trials]


def _codes(part: Part, trials: Iterable[FrozenTrial]) -> list[int | None]:
    """Code of a part with one value in each trial; None where it does not exist."""
    return [_code(part, trial.params) for trial in trials]


def _code(part: Part, params: Mapping[str, Any]) -> int | None:
    """Code of a part with one value."""
    if part.name not in params:
        return None
    try:
        return int(part.space.encode(part.value(params))[0])
    except ValueError:  # outside a range that has been narrowed since
        return None
