"""What the displays of searches show of a benchmark: its jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from divlearn.terminal.pace import OwnWords
from divlearn.terminal.words import duration


@dataclass(frozen=True)
class Jobs:
    """The jobs of a benchmark at one moment, to be shown by a display of searches.

    Attributes
    ----------
    total, done, failed
        Numbers of jobs; those that an earlier sitting did are not among them.
    seconds_left
        Estimate; None where nothing is known yet.
    last
        The job that was done last, in a few words.
    noun
        What the jobs are.

    Examples
    --------
    >>> Jobs(total=24, done=12, failed=1, seconds_left=42.0).facts()
    ['12 of 24 runs', '1 failed', 'about 42 s left']
    """

    total: int
    done: int = 0
    failed: int = 0
    seconds_left: float | None = None
    last: str = ""
    noun: str = "runs"

    @property
    def share(self) -> float:
        """Part that is done, 0 to 1."""
        return self.done / max(1, self.total)

    def facts(self) -> list[str]:
        """Where the benchmark is, one fact after the other."""
        words = [f"{self.done:,} of {self.total:,} {self.noun}"]
        if self.failed:
            words.append(f"{self.failed:,} failed")
        if self.seconds_left is not None and self.done < self.total:
            words.append(f"about {duration(self.seconds_left)} left")
        return words

    def waiting(self) -> str:
        """Nothing: jobs come in all the time."""
        return ""

    def picture(self, width: int, height: int) -> list[str]:
        """A caption alone: the job that was done last."""
        return [self.last] if self.last else []

    def gauge(self, clock: Callable[[], float]) -> JobGauge:
        """What looks at jobs for a display."""
        return JobGauge()


class JobGauge(OwnWords):
    """Jobs tell by themselves where they are."""

    def final(self, jobs: Jobs) -> Jobs:  # type: ignore[override]
        """Look at them when all is over."""
        return replace(jobs, last="")
