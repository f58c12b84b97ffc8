"""Which jobs are long, and how long the rest will take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from divlearn.lab.bench.cases import family_of, size_of
from divlearn.lab.bench.task import Job, ReferenceTask, Task
from divlearn.methods.budget import SCHEDULE, planned

#: Seconds of an evaluation per unit of size, and of what it costs at any size: only
#: ratios matter, for as soon as runs are done they say how long the others take.
PER_SIZE = {
    "bicvrp": 4e-8,
    "bikp": 2e-8,
    "codesign-paper": 8e-2,
    "codesign-large": 5e-2,
}
PER_SIZE_ELSEWHERE = 1e-8
PER_EVALUATION = 3e-7
#: Seconds of a run whatever its budget.
PER_RUN = 0.05
#: Evaluations of the paper's schedules by the greatest size.
SCHEDULES = ((35, 30_000), (75, 120_000), (10_000, 480_000))
#: Seconds of an exact front of 200 items; they grow with the cube of the size.
EXACT_200 = 1.5


def guess(job: Job) -> float:
    """Seconds that a job may take, before anything is known.

    Examples
    --------
    >>> from divlearn.lab.bench.task import Case
    >>> guess(ReferenceTask(Case("bikp-100"), 0)) < guess(
    ...     ReferenceTask(Case("bikp-200"), 0)
    ... )
    True
    """
    name = job.case.name
    if isinstance(job, ReferenceTask):
        return EXACT_200 * (size_of(name) / 200) ** 3
    if job.seconds is not None:
        return job.seconds
    per_size = PER_SIZE.get(family_of(name), PER_SIZE_ELSEWHERE)
    evaluation = PER_EVALUATION + per_size * size_of(name)
    count = planned(job.budget)
    if count is None:
        count = scheduled(size_of(name)) if job.budget == SCHEDULE else 0
    return PER_RUN + count * evaluation


def scheduled(size: int) -> int:
    """Evaluations that the paper's schedule takes about on a problem of some size."""
    return next((count for most, count in SCHEDULES if size <= most), SCHEDULES[-1][1])


def longest_first(jobs: Iterable[Job]) -> list[Job]:
    """Order jobs so that no long one begins when all others are done.

    Jobs of equal length are ordered by instance.
    """
    return sorted(jobs, key=lambda job: (-guess(job), job.case.label, job.instance))


class Forecast:
    """Estimate the time left from what was guessed and from what was seen.

    Parameters
    ----------
    jobs
        All that is to be done.
    workers
        How many jobs are done at a time.

    Examples
    --------
    >>> from divlearn.lab.bench.task import Case, Contender
    >>> case, contender = Case("bitsp-20"), Contender("uniform")
    >>> tasks = [Task(case, i, contender, seed=0, budget=10) for i in range(3)]
    >>> forecast = Forecast(tasks, workers=1)
    >>> forecast.saw(tasks[0], 2.0)
    >>> forecast.seconds_left()
    4.0
    """

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self._workers = workers
        self._open: dict[str, int] = defaultdict(int)
        self._guesses: dict[str, float] = {}
        self._seen: dict[str, list[float]] = {}
        for job in jobs:
            kind = _kind(job)
            self._open[kind] += 1
            self._guesses.setdefault(kind, guess(job))

    def saw(self, job: Job, seconds: float) -> None:
        """Learn how long a job took."""
        kind = _kind(job)
        self._open[kind] -= 1
        count, total = self._seen.setdefault(kind, [0.0, 0.0])
        self._seen[kind] = [count + 1, total + seconds]

    def seconds_left(self) -> float | None:
        """Estimate the seconds left; None before anything was seen."""
        if not self._seen:
            return None
        spent = sum(total for _, total in self._seen.values())
        guessed = sum(
            count * self._guesses[kind] for kind, (count, _) in self._seen.items()
        )
        scale = spent / guessed if guessed else 1.0
        return sum(
            open_jobs * self._each(kind, scale)
            for kind, open_jobs in self._open.items()
        ) / max(1, min(self._workers, sum(self._open.values())))

    def _each(self, kind: str, scale: float) -> float:
        """Seconds of one job of a kind."""
        if kind in self._seen:
            count, total = self._seen[kind]
            return total / count
        return scale * self._guesses[kind]


def _kind(job: Job) -> str:
    """Jobs of one kind take about as long as each other."""
    method = job.contender.label if isinstance(job, Task) else "exact front"
    return f"{job.case.label} / {method}"
