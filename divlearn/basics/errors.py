"""The few exceptions that you may want to catch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import one_screen

if TYPE_CHECKING:
    from divlearn.result import Result


class DivlearnError(Exception):
    """Base of all errors that divlearn raises on purpose."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_screen(message))


class InputError(DivlearnError, ValueError):
    """A request was wrong; the message names the argument and what was expected."""


class NoCandidates(InputError):
    """There is nothing to ask: all was refused, or the search has ended."""


class InvalidDesign(DivlearnError):
    """Raise this in your objective to say that a design cannot be evaluated."""


class MissingExtra(DivlearnError, ImportError):
    """An optional package is needed; the message holds the install command."""


class StoreError(DivlearnError):
    """A store could not be read or written; its content is unchanged."""


class StoreInUse(InputError):
    """Another process has the file open; try again when it is done."""


class NothingToAsk(DivlearnError):
    """A study has no candidate to ask for.

    Attributes
    ----------
    waits_for
        Numbers of candidates whose outcomes are needed first. None of them: nothing is
        left to ask for, because the budget is used up or all designs were tried.
    """

    def __init__(self, message: str, waits_for: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.waits_for: list[int] = list(waits_for)


class EvaluationError(DivlearnError):
    """The objective failed or returned something that is not a result.

    Attributes
    ----------
    x
        The solution that was being evaluated, as the user declared it.
    result
        Everything found before, or None if the call is not part of a run.
    """

    def __init__(self, message: str, x: Any = None) -> None:
        super().__init__(message)
        self.x = x
        self.result: Result | None = None


class AnswerError(EvaluationError):
    """The answer of an objective does not have the shape that its problem declares.

    Names are missing or undeclared, or the number of values is wrong. Every design
    would meet the same mistake, so a run ends at the first evaluation.
    """


class TooManyFailures(EvaluationError):
    """A run of a study ended because too many evaluations in a row failed."""


class SearchError(DivlearnError):
    """The method itself failed, for example in your own expert or encoding.

    No exception in a method is ignored: the search ends here.

    Attributes
    ----------
    result
        Everything found before.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.result: Result | None = None


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a search; ``result`` holds everything found so far."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.result)


# Users import them from the package and meet them under that name in tracebacks.
for _error in [thing for thing in globals().values() if isinstance(thing, type)]:
    if _error.__module__ == __name__:
        _error.__module__ = "divlearn"
