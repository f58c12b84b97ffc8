"""When a run has failed often enough to stop."""

from __future__ import annotations

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError, TooManyFailures
from divlearn.basics.text import one_line
from divlearn.basics.typing import Value
from divlearn.result.tally import FAILED, TIMED_OUT, Tally
from divlearn.study.trial import Trial

AUTO, NEVER = "auto", "never"
#: Failures allowed at the start of a run, and failures in a row allowed later.
AT_FIRST, IN_A_ROW = 5, 20


def read_max_failures(value: object) -> int | str:
    """Check ``max_failures``."""
    if value in (AUTO, NEVER):
        return str(value)
    try:
        return require_whole("max_failures", value, 1)
    except InputError:
        raise InputError(
            "max_failures must be a number of failures in a row after which a run "
            f'stops, "{AUTO}" ({AT_FIRST} at its beginning, {IN_A_ROW} later) or '
            f'"{NEVER}", got {value!r}.'
        ) from None


class Patience:
    """Counts failures in a row; an answer, also that a design is infeasible, ends it.

    Parameters
    ----------
    limit
        How many failures are too many: a number, ``"auto"`` or ``"never"``.

    Attributes
    ----------
    answered
        Whether any evaluation of this run has ended well.

    Examples
    --------
    >>> patience = Patience(2)
    >>> patience.ended
    False
    """

    def __init__(self, limit: int | str) -> None:
        self._limit = limit
        self._row = Tally()
        self._length = 0
        self._last: Value = None
        self.answered: bool = False

    def note(self, trial: Trial) -> None:
        """Take an outcome in; what was answered from the file says nothing."""
        if trial.attempts == 0 or not trial.counts:
            return
        if trial.state in (FAILED, TIMED_OUT):
            self._row.note(trial.state, trial.message)
            self._length += 1
            self._last = trial.x
        elif not self.ended:
            self._row, self._length = Tally(), 0
            self.answered = True

    @property
    def ended(self) -> bool:
        """Whether it has run out."""
        if self._limit == NEVER:
            return False
        if isinstance(self._limit, int):
            return self._length >= self._limit
        return self._length >= (IN_A_ROW if self.answered else AT_FIRST)

    @property
    def reason(self) -> str:
        """Why the run stopped, in a few words."""
        if not self.answered:
            return f"the first {self._length:,} evaluations failed"
        return f"{self._length:,} evaluations in a row failed"

    def error(self) -> TooManyFailures:
        """The error that ends the run: the most frequent message, and what to do."""
        (reason, *_) = self._row.reasons(1)
        times = "once" if reason["count"] == 1 else f"{reason['count']:,} times"
        message = one_line(reason["message"], 800).rstrip(".")
        return TooManyFailures(
            f"{self.reason}. The most frequent message ({times}): {message}. When the "
            "cause is mended, run again with retry_failed=True, which evaluates them "
            "once more; "
            f'max_failures="{NEVER}" goes on whatever fails.',
            self._last,
        )
