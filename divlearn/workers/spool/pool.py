"""``SpoolPool``: workers that take their jobs from a directory."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import DivlearnError, InputError, StoreError
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.workers.base import LOST, TIMED_OUT, Attempt
from divlearn.workers.parcel import INSTALL, by_name_only, pack_problem
from divlearn.workers.spool.answers import read_answer
from divlearn.workers.spool.layout import (
    CLAIMED,
    DONE,
    GONE,
    LEASE,
    NEW,
    PROBLEM,
    ROOMS,
    About,
    Layout,
    job_name,
    key_of,
    write_job,
)

#: Seconds between looks at answers, at first and at most.
SHORTEST, LONGEST = 0.005, 0.2
#: Seconds after which an answer that is no JSON is not waited for any more.
HALF_WRITTEN = 10.0


@dataclass
class _Job:
    """An evaluation that was handed out.

    Attributes
    ----------
    attempt, name
        What it is, and its file.
    started
        When a worker was first seen to have it, by our clock; None if none was.
    sign, since
        What the file looked like, and since when it does.
    """

    attempt: Attempt
    name: str
    started: float | None = None
    sign: Any = None
    since: float = field(default_factory=time.monotonic)


class SpoolPool:
    """Evaluate by whoever takes jobs from a directory, a spool.

    No worker has to be there when it begins; they come and go. Jobs that are worked on
    when the coordinator ends are not lost: their answers are found when the study
    continues. A worker that is silent for a ``lease`` is given up; if its answer comes
    after all, it counts, once.

    Parameters
    ----------
    path
        The directory; made if it does not exist. It belongs to one study at a time.
    problem
        What to evaluate; also written into the directory, for workers in Python.
    size
        Number of jobs that are handed out at once.
    timeout
        Seconds that an evaluation may take.
    lease
        Seconds without a sign of life after which a worker counts as lost.
    study
        What tells this study from others.

    Attributes
    ----------
    greeting
        How to start workers, in words.

    Examples
    --------
    >>> import tempfile, divlearn as dl
    >>> problem = dl.Problem(dl.Integer(1, 8), abs, ["size"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with SpoolPool(f"{folder}/jobs", problem, size=2) as pool:
    ...         pool.submit(Attempt(0, 0, 0, 3, None))
    ...         name = pool.layout.names("new")[0]
    ...         _ = pool.layout.at("done", name).write_text('{"size": 3}')
    ...         pool.wait(None)[0].outputs
    (3.0,)
    """

    problem: Problem

    def __init__(
        self,
        path: str | Path,
        problem: Problem,
        size: int = 8,
        timeout: float | None = None,
        lease: float = LEASE,
        study: str = "",
    ) -> None:
        require_problem(problem)
        self.size: int = require_whole("size", size, 1)
        self._timeout = timeout
        if timeout is not None:
            require_number("timeout", timeout, 0.001)
        self._lease = require_number("lease", lease, 0.01)
        self.problem, self._study = problem, study
        self.layout: Layout = Layout(path)
        self._jobs: dict[tuple[str, str, str], _Job] = {}
        self._settled: list[str] = []  # told, and to be removed once they are written
        self._next_look = 0.0
        self._closed = False
        self._half: dict[str, tuple[Any, float]] = {}
        self._about = self._take_over()
        self.greeting: str = (
            f"jobs are in {str(self.layout.path)!r}; start workers, on any machine "
            f"that sees it, with: divlearn worker {self.layout.path}"
        )

    def _take_over(self) -> About:
        """Make the spool ours; raises if it holds jobs of another study."""
        layout = self.layout
        layout.make()
        about = layout.about()
        busy = about is not None and (
            about.open or layout.names(NEW) or layout.names(CLAIMED)
        )
        if about is not None and about.study != self._study:
            if busy:
                raise InputError(
                    f"the spool {str(layout.path)!r} belongs to another study, of "
                    f"{about.problem}, which has jobs there or was cut off; finish "
                    "that one, name another directory, or remove this one."
                )
            self._clear()
        for name in layout.names(NEW):  # nobody began them; what is wanted comes again
            layout.remove(name, NEW)
        packed, why = self._packed()
        digest = hashlib.sha256(packed).hexdigest() if packed else None
        mine = About(
            *(self._study, self.problem.name, True, self._lease, self._timeout),
            *(digest, why),
        )
        try:
            if packed:
                layout.write(layout.path / PROBLEM, packed, durable=True)
            layout.describe(mine)
        except OSError as error:
            raise _unwritable(layout, error) from error
        return mine

    def _packed(self) -> tuple[bytes, str]:
        """The problem as bytes, or why it cannot be sent: some workers do not ask."""
        try:
            packed = pack_problem(self.problem)
        except InputError as error:
            return b"", str(error)
        if by_name_only(packed):
            return b"", f"the objective stands in the script that was run; {INSTALL}."
        return packed, ""

    # --- what every pool does

    def submit(self, attempt: Attempt) -> None:
        """Hand an evaluation out, unless a worker has it since before."""
        if self._closed:
            raise DivlearnError("this pool of workers is closed; make a new one.")
        self._forget_settled()
        space = self.problem.space
        codes = space.encode(attempt.x) if attempt.codes is None else attempt.codes
        name = job_name(attempt, self._study, codes)
        self._jobs[key_of(name)] = _Job(attempt, name)
        known = (self.layout.at(room, name).exists() for room in (CLAIMED, DONE))
        if any(known):
            return
        try:
            self.layout.write(self.layout.at(NEW, name), write_job(attempt, codes))
        except OSError as error:
            raise _unwritable(self.layout, error) from error

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Return what has ended since; waits for one end, at most ``timeout`` s."""
        self._forget_settled()
        end = None if timeout is None else time.monotonic() + timeout
        pause = SHORTEST
        while self._jobs:
            ended = [*self._answered()]
            if time.monotonic() >= self._next_look:
                ended += self._given_up()
            if ended:
                return ended
            left = LONGEST if end is None else end - time.monotonic()
            if left <= 0.0:
                break
            time.sleep(min(pause, left))
            pause = min(LONGEST, 1.5 * pause)
        return []

    def close(self, kill: bool = False) -> None:
        """Stop; without ``kill`` when everything is answered. Workers then leave.

        With ``kill`` what is worked on goes on, and is found by the next run.
        """
        if self._closed:
            return
        try:
            while not kill and self.wait(None):
                pass
        finally:
            self._closed = True
            self._forget_settled()
            self._clear()
            with suppress(OSError):
                self.layout.describe(replace(self._about, open=False))

    def _clear(self) -> None:
        """Remove all jobs but those that somebody works on, or has answered."""
        for room in ROOMS if not self._jobs else (NEW,):
            for name in self.layout.names(room):
                self.layout.remove(name, room)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *reason: object) -> None:
        self.close(kill=kind is not None)

    # --- answers

    def _forget_settled(self) -> None:
        """Remove what was answered: whoever was told has written it down by now."""
        for name in self._settled:
            self.layout.remove(name, *ROOMS)
        self._settled = []

    def _answered(self) -> Iterator[Attempt]:
        """Evaluations whose answers are there, those of workers given up included."""
        for name in self.layout.names(DONE):
            job = self._jobs.get(key_of(name))
            if job is None or not self._may_answer(name, job):
                continue
            ended = self._read(name, job)
            if ended is not None:
                del self._jobs[key_of(name)]
                self._settled += {name, job.name}
                yield ended

    def _may_answer(self, name: str, job: _Job) -> bool:
        """Whether a file answers a job: its own, or that of an earlier try, lost."""
        return name == job.name or self.layout.at(GONE, name).exists()

    def _read(self, name: str, job: _Job) -> Attempt | None:
        """How an evaluation ended; None while its answer may still be written."""
        place = self.layout.at(DONE, name)
        try:
            said = self.layout.read(place)
            ended = read_answer(job.attempt, said, self.problem)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            now, sign = time.monotonic(), _sign_of(place)
            before, since = self._half.get(name, (None, now))
            if before != sign:
                self._half[name] = sign, now
                return None
            if now - since < min(HALF_WRITTEN, self._lease):
                return None
            words = f"the worker's answer {name} cannot be read: {error}"
            ended = job.attempt.end(LOST, message=words)
        self._half.pop(name, None)
        return ended

    # --- silence

    def _given_up(self) -> Iterator[Attempt]:
        """Evaluations whose workers are silent, or take too long."""
        self._next_look = time.monotonic() + min(1.0, self._lease / 10)
        waiting = set(self.layout.names(NEW))
        answered = set(self.layout.names(DONE))
        for key, job in list(self._jobs.items()):
            if job.name in answered:
                continue
            self._watch(job, job.name in waiting)
            ended = self._late(job)
            if ended is not None:
                del self._jobs[key]
                yield ended

    def _watch(self, job: _Job, waits: bool) -> None:
        """Note what changed about a job; only our own clock is asked."""
        now = time.monotonic()
        sign = "waits" if waits else _sign_of(self.layout.at(CLAIMED, job.name))
        if sign != job.sign:
            job.sign, job.since = sign, now
        if waits:  # it may have been given back
            job.since, job.started = now, None
        elif job.started is None:
            job.started = now

    def _late(self, job: _Job) -> Attempt | None:
        """How a job ended that is given up; None if there is hope."""
        now = time.monotonic()
        if job.started is None:
            return None
        seconds = now - job.started
        if self._timeout is not None and seconds > self._timeout + self._lease:
            words = f"no answer within {self._timeout:g} s; it was given up"
            ended = job.attempt.end(TIMED_OUT, message=words)
            self.layout.remove(job.name, CLAIMED)
        elif now - job.since > self._lease:
            ended = job.attempt.end(LOST, message=self._silence(job))
            if not self.layout.move(job.name, CLAIMED, GONE):
                with suppress(OSError):
                    self.layout.at(GONE, job.name).touch()
        else:
            return None
        return ended.by("", seconds)

    def _silence(self, job: _Job) -> str:
        """What is said of a worker that is gone."""
        if job.sign is None:
            return f"the file of the job was not there for {self._lease:g} s"
        return f"the worker gave no sign of life for {self._lease:g} s"


def _sign_of(place: Path) -> Any:
    """What changes when a file is touched or written; None if it is not there."""
    try:
        known = os.stat(place)
    except OSError:
        return None
    return known.st_mtime_ns, known.st_size


def _unwritable(layout: Layout, error: OSError) -> StoreError:
    """The error of a spool that cannot be written."""
    return StoreError(
        f"the spool {str(layout.path)!r} could not be written ({error.strerror}); "
        "everything that was reported is in the study. Mend it, and run the same lines "
        "again."
    )
