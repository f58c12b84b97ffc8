"""What a study was begun with and what is given now, one line per difference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.basics.text import few_lines
from divlearn.methods import differences as methods
from divlearn.methods.base import Method
from divlearn.methods.names import method_for, name_of, up_to_date
from divlearn.problems import Problem
from divlearn.problems import differences as problems
from divlearn.spaces.differences import text_of
from divlearn.study.store.rows import to_text


class ChangedStudy(InputError):
    """A study was opened with something other than what it was begun with.

    Attributes
    ----------
    path, name
        The study, and the name of its problem.
    differences
        All that differs, one line each.
    """

    path: Path
    name: str
    differences: list[str]

    def __init__(self, path: Path, name: str, differences: list[str]) -> None:
        self.path, self.name, self.differences = path, name, differences
        new = path.with_name(f"{path.stem}-2{path.suffix}")
        super().__init__(
            f"{self.refusal}\nOpen it with what it was begun with, or name another "
            "file. Or begin a new study that knows all evaluations that are still "
            f"valid:\n  divlearn.study.fork({str(path)!r}, {str(new)!r}, problem)"
        )

    @property
    def refusal(self) -> str:
        """What was begun otherwise, without what to do."""
        which = f"the study {str(self.path)!r} of {self.name}"
        head = f"{which} was begun with something else:"
        return f"{head}\n{few_lines(self.differences)}"


def differences(
    notes: Mapping[str, Any],
    problem: Problem,
    method: str | Method | None = None,
    **given: Any,
) -> list[str]:
    """Say what differs from what a study was begun with; nothing if it is the same.

    Parameters
    ----------
    notes
        What the file of the study says.
    problem, method
        What is given now; a method of None is the one of the study.
    given
        Other notes that are given, such as the seed; None is what the study has.
    """
    lines = _of_problems(notes["problem"], plain(problem.describe()))
    lines += _of_references(notes.get("reference"), problem)
    if method is not None:
        lines += _of_methods(notes, method)
    lines += _of_others(notes, given)
    return lines


def _of_problems(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """List what differs between the problems, as far as the file says."""
    same = not problems.differences(old, _as_far_as(old, new))
    return [] if same else problems.differences(old, new)


def _of_references(old: list[float] | None, problem: Problem) -> Iterator[str]:
    """Yield whether the reference point is another: searches aim at it."""
    new = None if problem.reference is None else problem.reference.tolist()
    if old != new:
        yield f"reference: {text_of(old)} -> {text_of(new)}"


def _of_methods(notes: Mapping[str, Any], method: str | Method) -> list[str]:
    """List what differs between the methods."""
    old, mine = up_to_date(notes["settings"]), plain(method_for(method).describe())
    names = (str(notes["method"]), name_of(method))
    return methods.differences(old, _as_far_as(old, mine), names)


def _of_others(notes: Mapping[str, Any], given: dict[str, Any]) -> Iterator[str]:
    """Yield single values that differ."""
    for name, value in given.items():
        if value is not None and value != notes.get(name):
            yield f"{name}: {text_of(notes.get(name))} -> {text_of(value)}"


def _as_far_as(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What a description says of what another one says; the rest came later."""
    return {
        name: _as_far_as(old[name], value) if _both(old[name], value) else value
        for name, value in new.items()
        if name in old
    }


def _both(*values: Any) -> bool:
    """Whether all are objects of JSON."""
    return all(isinstance(value, Mapping) for value in values)


def plain(description: Any) -> Any:
    """A description as a file gives it back: lists instead of tuples, and so on."""
    return json.loads(to_text(description))
