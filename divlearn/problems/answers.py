"""What an objective returns: its shape, its numbers, and extra metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from divlearn.basics.errors import AnswerError, EvaluationError
from divlearn.basics.typing import Extras, Floats, Value
from divlearn.problems.arguments import (
    as_number,
    flat_list,
    is_missing,
    is_row,
    unwrapped,
)

#: Most characters of a text that is an extra metric.
MAX_TEXT = 200
#: What to do where a design has no value.
NO_VALUE = "raise divlearn.InvalidDesign for a design that has no value"
#: What an answer of None probably is.
NO_RETURN = "None, which is what a function gives that ends without a return"


@dataclass(frozen=True)
class Answers:
    """What answers must look like.

    A wrong shape is an :class:`AnswerError`, because the objective is not the one that
    was declared, and no design can change that. A value that is not a number is an
    :class:`EvaluationError` of that design.

    Attributes
    ----------
    outputs
        Names of objectives and constraints, which every answer has.
    extras
        Names of extra metrics, which an answer by name may have.
    two_parts
        Whether objectives and constraints may come as two rows.
    """

    outputs: tuple[str, ...]
    extras: tuple[str, ...] = ()
    two_parts: bool = False

    def read(self, answer: Any, x: Value = None) -> Floats:
        """Turn an answer into numbers, or say what is wrong."""
        values = self._in_order(answer, x)
        numbers = np.empty(len(self.outputs))
        for j, (name, value) in enumerate(zip(self.outputs, values, strict=True)):
            numbers[j] = _number(name, value, x)
        return numbers

    def read_extras(self, answer: Any, x: Value = None) -> Extras:
        """Extra metrics of an answer; those that are missing or NaN are left out.

        Examples
        --------
        >>> answers = Answers(("cost",), ("noise", "solver", "gap"))
        >>> answers.read_extras({"cost": 1, "noise": 40, "solver": "lp", "gap": None})
        {'noise': 40.0, 'solver': 'lp'}
        """
        if not self.extras or not isinstance(answer, Mapping):
            return {}
        found = {
            name: _extra(name, answer[name], x)
            for name in self.extras
            if name in answer
        }
        return {name: value for name, value in found.items() if value is not None}

    def says_failed(self, answer: Any) -> bool:
        """Whether an answer is None, NaN or masked, as a whole or in one value."""
        return is_missing(answer) or any(map(is_missing, self._in_order(answer, None)))

    def _in_order(self, answer: Any, x: Value) -> Sequence[Any]:
        """Values of an answer given as a sequence, as a dict or as two parts."""
        if isinstance(answer, Mapping):
            self._require_keys(answer, x)
            return [answer[name] for name in self.outputs]
        values = self._flat(answer, x)
        if len(values) == len(self.outputs) and answer is not None:
            return values
        # None as a whole is no answer at all, which may be the fault of one design.
        kind = EvaluationError if is_missing(answer) else AnswerError
        got = NO_RETURN if answer is None else f"{len(values)}: {answer!r}"
        raise kind(f"the objective must return {self._wanted()}, got {got}.", x)

    def _wanted(self) -> str:
        """How many numbers an answer has, and their names."""
        count = len(self.outputs)
        numbers = "a number" if count == 1 else f"{count} numbers"
        return f"{numbers} ({', '.join(self.outputs)})"

    def _flat(self, answer: Any, x: Value) -> Sequence[Any]:
        """Values of an answer that has no names."""
        if hasattr(answer, "__array__"):  # also for pandas and torch
            try:
                return flat_list(answer)
            except Exception as error:
                raise AnswerError(
                    f"the objective must return numbers, got {answer!r} ({error}).", x
                ) from error
        if isinstance(answer, (str, bytes)) or not isinstance(answer, Sequence):
            answer = [answer]
        if self.two_parts and len(answer) == 2 and all(map(is_row, answer)):
            return [*answer[0], *answer[1]]
        return answer  # type: ignore[no-any-return]

    def _require_keys(self, answer: Mapping[Any, Any], x: Value) -> None:
        """Refuse an answer with a missing or undeclared name."""
        missing = [name for name in self.outputs if name not in answer]
        known = {*self.outputs, *self.extras}
        other = [name for name in answer if name not in known]
        if missing or other:
            words = difference("the answer of the objective", missing, other)
            raise AnswerError(
                f"{words}; the objective must return the keys {list(self.outputs)}"
                f"{_advice(other)}.",
                x,
            )


def difference(what: str, missing: Sequence[Any], other: Sequence[Any]) -> str:
    """Say which names are missing, and which are not declared.

    Examples
    --------
    >>> difference("the answer", ["stress"], ["noise_db"])
    "the answer lacks 'stress' and has 'noise_db', which is not declared"
    """
    words = []
    if missing:
        words.append(f"lacks {_listed(missing)}")
    if other:
        verb = "is" if len(other) == 1 else "are"
        words.append(f"has {_listed(other)}, which {verb} not declared")
    return f"{what} {' and '.join(words)}"


def _advice(other: Sequence[Any]) -> str:
    """Say how to keep what was not declared."""
    if not other:
        return ""
    names = ", ".join(f'"{name}"' for name in other)
    return f"; Problem(..., extras=[{names}]) keeps extra values"


def _listed(names: Sequence[Any]) -> str:
    """Names in quotes."""
    return ", ".join(map(repr, names))


def _number(name: str, value: Any, x: Value) -> float:
    """One value of an answer."""
    try:
        number = as_number(value)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(
            f"{name} must be a number, got {value!r}; {NO_VALUE}.",
            x,
        ) from None
    if not math.isfinite(number):
        raise EvaluationError(
            f"{name} must be a finite number, got {value!r}; {NO_VALUE}.",
            x,
        )
    return number


def _extra(name: str, value: Any, x: Value) -> float | str | None:
    """One extra metric: a number or a text; None if it has no value."""
    value = unwrapped(value)
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value[:MAX_TEXT]
    try:
        number = as_number(value)
    except OverflowError:
        return None
    except (TypeError, ValueError):
        raise AnswerError(
            f"the extra metric {name!r} must be a number or a text, got {value!r}.", x
        ) from None
    return number if math.isfinite(number) else None
