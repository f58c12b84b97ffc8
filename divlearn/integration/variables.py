"""Variables of a problem of pymoo as a space, and individuals as designs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.integration.choices import numbered
from divlearn.spaces import (
    Binary,
    Categorical,
    Composite,
    Integer,
    Permutation,
    Real,
    Space,
    Subset,
)

KINDS = ("real", "integer", "binary", "permutation")
#: What pymoo's samplings are for.
SAMPLINGS = {
    "FloatRandomSampling": "real",
    "LatinHypercubeSampling": "real",
    "IntegerRandomSampling": "integer",
    "BinaryRandomSampling": "binary",
    "PermutationRandomSampling": "permutation",
}


class Variables(ABC):
    """How individuals look, and the space that they come from."""

    def __init__(self, space: Space) -> None:
        self.space = space

    @abstractmethod
    def individual(self, value: Value) -> Any:
        """What pymoo calls X, for a value of the space."""

    @abstractmethod
    def value(self, individual: Any) -> Value:
        """The value of the space that X stands for."""


class Row(Variables):
    """An array of numbers that is a value of the space itself."""

    def __init__(self, space: Space, dtype: type) -> None:
        super().__init__(space)
        self._dtype = dtype

    def individual(self, value: Value) -> Any:
        """An array of one type."""
        if isinstance(self.space, Subset):
            value = np.isin(np.arange(self.space.n), value)
        return np.atleast_1d(np.asarray(value, self._dtype))

    def value(self, individual: Any) -> Value:
        """The array, or its only entry."""
        if isinstance(self.space, Subset):
            return np.flatnonzero(individual)
        single = getattr(self.space, "n", None) == 1 and self._dtype is not bool
        lone = single and not isinstance(self.space, Permutation)
        return individual[0] if lone else individual


class Columns(Variables):
    """An array of numbers, each with limits of its own."""

    def __init__(self, lows: Any, highs: Any, whole: bool) -> None:
        kind: Any = Integer if whole else Real
        self._fixed = np.array(lows, float)
        pairs = zip(lows, highs, strict=True)
        varied = {f"p{i}": both for i, both in enumerate(pairs) if both[0] < both[1]}
        if not varied:
            raise InputError("xl must be below xu for some variable, got equal limits.")
        self._dtype: type = int if whole else float
        super().__init__(Composite(**{n: kind(*both) for n, both in varied.items()}))

    def individual(self, value: Value) -> Any:
        """The array, with variables that cannot vary at their limit."""
        row = self._fixed.copy()
        for name, each in value.items():
            row[int(name[1:])] = each
        return row.astype(self._dtype)

    def value(self, individual: Any) -> Value:
        """Entries by name."""
        assert isinstance(self.space, Composite)
        return {name: individual[int(name[1:])] for name in self.space.parts}


class Named(Variables):
    """A dict of values by name, as for pymoo's mixed variables."""

    def __init__(self, given: dict[Any, Any]) -> None:
        self._names = {f"p{i}": name for i, name in enumerate(given)}
        self._options = {
            name: list(variable.options)
            for name, variable in given.items()
            if hasattr(variable, "options")
        }
        parts = {
            part: _space_of(name, given[name]) for part, name in self._names.items()
        }
        super().__init__(Composite(**parts))

    def individual(self, value: Value) -> Any:
        """A dict of the variables' values."""
        found = {self._names[part]: each for part, each in value.items()}
        return found | {n: o[found[n]] for n, o in self._options.items()}

    def value(self, individual: Any) -> Value:
        """Values by the names of the parts; choices by their number."""
        found = dict(individual)
        for name, options in self._options.items():
            matches = [i for i, each in enumerate(options) if each == found[name]]
            if not matches:
                raise InputError(
                    f"{name!r} must be one of {options}, got {found[name]!r}."
                )
            found[name] = matches[0]
        return {part: found[name] for part, name in self._names.items()}


class Own(Variables):
    """Values of the user's space as they are."""

    def individual(self, value: Value) -> Any:
        """The value."""
        return value

    def value(self, individual: Any) -> Value:
        """The value."""
        return individual


def variables_of(problem: Any, wanted: str | Space | None, sampling: Any) -> Variables:
    """Find out what the variables of a problem are.

    Parameters
    ----------
    problem
        A problem of pymoo.
    wanted
        What the user says they are.
    sampling
        One of pymoo's samplings, which says it, too.
    """
    if isinstance(wanted, Space):
        return _as_wanted(problem, wanted)
    if wanted is not None:
        require_one_of("space", wanted, KINDS)
    given = getattr(problem, "vars", None)
    if given is not None and wanted is None:
        return Named(given)
    kind = wanted or SAMPLINGS.get(type(sampling).__name__) or _kind_of(problem)
    if kind == "permutation":
        return Row(Permutation(problem.n_var), int)
    if kind == "binary":
        return Row(Binary(problem.n_var), bool)
    return _numbers(problem, kind == "integer")


def _as_wanted(problem: Any, space: Space) -> Variables:
    """Individuals of a space of the user's."""
    if not isinstance(space, (Permutation, Binary, Subset, Integer, Real)):
        return Own(space)
    if getattr(space, "n", None) != problem.n_var:
        raise InputError(
            f"space must have the {problem.n_var} variables of the problem, "
            f"got {space!r}."
        )
    if isinstance(space, (Binary, Subset)):
        return Row(space, bool)
    return Row(space, float if isinstance(space, Real) else int)


def _kind_of(problem: Any) -> str:
    """What the type of a problem's variables says."""
    kinds = {"b": "binary", "i": "integer", "u": "integer", "f": "real"}
    vtype = float if problem.vtype is None else problem.vtype
    try:
        return kinds[np.dtype(vtype).kind]
    except (KeyError, TypeError):
        raise InputError(
            f"the problem's vtype must be float, int or bool, got {vtype!r}; give "
            f"space=, one of {', '.join(KINDS)}, or a space of divlearn."
        ) from None


def _numbers(problem: Any, whole: bool) -> Variables:
    """Integers or reals within the limits of a problem."""
    if problem.xl is None or problem.xu is None:
        raise InputError(
            "the problem needs limits of its variables, got "
            f"xl={problem.xl!r} and xu={problem.xu!r}."
        )
    lows = np.broadcast_to(np.asarray(problem.xl, float), problem.n_var).tolist()
    highs = np.broadcast_to(np.asarray(problem.xu, float), problem.n_var).tolist()
    if whole:
        lows, highs = [math.ceil(low) for low in lows], [math.floor(h) for h in highs]
    same = len(set(lows)) == 1 == len(set(highs)) and lows[0] < highs[0]
    if not same:
        return Columns(lows, highs, whole)
    if whole:
        return Row(Integer(lows[0], highs[0], n=problem.n_var), int)
    return Row(Real(lows[0], highs[0], n=problem.n_var), float)


def _space_of(name: Any, variable: Any) -> Space:
    """The space of one of pymoo's variables."""
    if hasattr(variable, "options"):
        return numbered(variable.options)
    kind = getattr(variable, "vtype", None)
    if kind is bool:
        return Binary()
    if kind is int:
        return Integer(*variable.bounds)
    if kind is float:
        low, high = variable.bounds
        return Real(low, high) if low < high else Categorical([low])
    raise InputError(
        f"variable {name!r} must be a Real, Integer, Binary or Choice of pymoo, "
        f"got {variable!r}."
    )
