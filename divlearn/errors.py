"""The few exceptions a user may want to catch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from divlearn.basics.text import one_screen

if TYPE_CHECKING:
    from divlearn.result import Result


class DivlearnError(Exception):
    """Base of all errors that divlearn raises on purpose."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_screen(message))


class InputError(DivlearnError, ValueError):
    """A request was wrong: names the argument, what was expected and what came."""


class InvalidDesign(DivlearnError):
    """Raise it in an objective to say that this one design cannot be evaluated."""


class MissingExtra(DivlearnError, ImportError):
    """An optional package is needed; the message holds the install command."""


class StoreError(DivlearnError):
    """A store could not be read or written; what it holds is as it was."""


class EvaluationError(DivlearnError):
    """The objective failed or returned something that is not a result.

    Attributes
    ----------
    x
        The solution that was being evaluated, as the user declared it.
    result
        Everything found before, or None where there is no run around the call.
    """

    def __init__(self, message: str, x: Any = None) -> None:
        super().__init__(message)
        self.x = x
        self.result: Result | None = None


class AnswerError(EvaluationError):
    """The answer of an objective has not the shape that its problem declares.

    Names that lack or are too many, a wrong number of values: every design would get
    the same, so a run ends at the first evaluation.
    """


class TooManyFailures(EvaluationError):
    """A run of a study ended because evaluations failed one after the other."""


class SearchError(DivlearnError):
    """The method itself failed, such as by an expert or an encoding of one's own.

    Nothing that a method raises is passed over: the search ends here.

    Attributes
    ----------
    result
        Everything found before.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.result: Result | None = None


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a search; ``result`` holds everything found until then."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.result)
