"""``work``: take jobs from a spool, evaluate them, and answer, until there are none."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import socket
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json
from divlearn.problems import Problem
from divlearn.workers.base import FAILED, LOST, Attempt
from divlearn.workers.local import LocalPool
from divlearn.workers.spool.answers import write_answer
from divlearn.workers.spool.layout import (
    CLAIMED,
    DONE,
    NEW,
    PROBLEM,
    About,
    Layout,
    read_job,
)

#: Seconds between looks at new jobs, at first and at most.
SHORTEST, LONGEST = 0.01, 1.0
#: Looks at the spool in the time of a lease, and seconds between them at most.
LOOKS, RARELY = 10, 30.0
#: Seconds in which a signal reaches all processes of a job of a queue.
MOMENT = 0.1
#: Of how many jobs one is taken at random, so that workers do not all want the first.
CHOICE = 8


def work(
    path: str | Path,
    problem: Problem | None = None,
    *,
    workers: int = 1,
    idle: float | None = None,
    wait: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
    told: Callable[[Attempt], None] = lambda attempt: None,
    waits: Callable[[str], None] = lambda words: None,
) -> int:
    """Work for whoever puts jobs into a spool.

    Each evaluation runs in a process of its own, see
    :class:`divlearn.workers.LocalPool`.

    Parameters
    ----------
    path
        The directory of the spool. It may not be there yet.
    problem
        What to evaluate; if None, what the spool says, which is unpickled.
    workers
        Evaluations at once.
    idle
        Seconds without a job after which to leave; if None, when the study is over.
    wait
        Seconds that a study may take to open the spool; if None, any time.
    stopped
        Says whether to leave now; what is being evaluated is given back.
    told
        Told of every evaluation that was answered.
    waits
        Told once, in words, if no study has opened the spool yet.

    Returns
    -------
    The number of evaluations that were answered.

    Raises
    ------
    InputError
        If no study has opened the spool after ``wait`` seconds.
    """
    require_whole("workers", workers, 1)
    if idle is not None:
        require_number("idle", idle, 0.0)
    if wait is not None:
        require_number("wait", wait, 0.0)
    worker = _Worker(Layout(path), problem, workers, told, _Absence(wait, waits))
    try:
        worker.work(idle, stopped)
    finally:
        worker.leave()
    return worker.done


@dataclass
class _Absence:
    """A spool that no study has opened yet: who is told, and for how long."""

    limit: float | None
    tell: Callable[[str], None]
    _since: float | None = None

    def note(self, path: Path) -> None:
        """Say at first what is waited for; raises once it has been too long."""
        there = "holds no study" if path.is_dir() else "does not exist"
        what = f"the spool {str(path)!r} {there}"
        if self._since is None:
            self._since = time.monotonic()
            if self.limit != 0.0:
                self.tell(f"{what} yet; waiting for a study with this executor")
        waited = time.monotonic() - self._since
        if self.limit is not None and waited >= self.limit:
            raise InputError(
                f"{what}, after {self.limit:g} s of waiting; is the name right? A "
                f"study opens it when it is run with executor 'spool:{path}'."
            )


@dataclass
class _Worker:
    """One process that works, with the evaluations that it has."""

    layout: Layout
    problem: Problem | None
    size: int
    told: Callable[[Attempt], None]
    absence: _Absence
    done: int = 0
    _about: About | None = None
    _known: Problem | None = None
    _pool: LocalPool | None = None
    _jobs: dict[int, str] = field(default_factory=dict)  # by the identity of attempts
    _touched: float = 0.0

    def work(self, idle: float | None, stopped: Callable[[], bool]) -> None:
        """Take, evaluate and answer until there is a reason to leave."""
        pause, since = SHORTEST, time.monotonic()
        while not stopped():
            about = self.layout.about()
            if about is None and not self._jobs:
                self.absence.note(self.layout.path)
            elif about is not None and not self._jobs:
                self._prepare(about)
            took = about is not None and self._take(about)
            self._report(stopped)
            self._say_alive()
            if self._jobs or took:
                pause, since = SHORTEST, time.monotonic()
                continue
            over = idle is None and about is not None and not about.open
            if over or (idle is not None and time.monotonic() - since >= idle):
                return
            time.sleep(pause)
            pause = min(LONGEST, 1.5 * pause)

    def leave(self) -> None:
        """Stop evaluating, and give back what has no answer."""
        if self._pool is not None:
            self._pool.close(kill=True)
        for name in self._jobs.values():
            self.layout.move(name, CLAIMED, NEW)
        self._jobs.clear()

    def _prepare(self, about: About) -> None:
        """Get ready for a study, unless we are."""
        before, self._about = self._about, about
        same = before is not None and (before.study, before.pickle, before.timeout) == (
            about.study,
            about.pickle,
            about.timeout,
        )
        if same and self._pool is not None:
            return
        if self._pool is not None:
            self._pool.close(kill=True)
        self._known = self.problem or load_pickled(self.layout, about)
        self._pool = LocalPool(self._known, self.size, about.timeout)

    # --- jobs

    def _take(self, about: About) -> bool:
        """Claim as many jobs as there is room for; whether there was any."""
        took = False
        while self._about is not None and len(self._jobs) < self.size:
            names = self.layout.names(NEW)[:CHOICE]
            if not names or about.study != self._about.study:
                break
            name = random.choice(names)
            if self.layout.move(name, NEW, CLAIMED):
                self._begin(name)
                took = True
        return took

    def _begin(self, name: str) -> None:
        """Evaluate a job that is ours."""
        assert self._known is not None
        assert self._pool is not None
        place = self.layout.at(CLAIMED, name)
        with suppress(OSError):
            os.utime(place)
        try:
            attempt = read_job(self.layout.read(place), self._known.space)
        except (OSError, ValueError) as error:
            lost = Attempt(0, 0, 0, None, None).end(LOST, message=str(error))
            self._answer(name, lost.by(_me(), 0.0))
            return
        self._jobs[id(attempt)] = name
        self._pool.submit(attempt)

    def _report(self, stopped: Callable[[], bool]) -> None:
        """Answer what has ended; what was killed together with us is given back."""
        if self._pool is None or not self._jobs:
            return
        for attempt in self._pool.wait(min(0.2, self._beat)):
            name = self._jobs.pop(id(attempt))
            if attempt.state in (LOST, FAILED) and _stops_soon(stopped):
                self.layout.move(name, CLAIMED, NEW)
            else:
                self._answer(name, attempt.by(_me(), attempt.seconds))

    def _answer(self, name: str, attempt: Attempt) -> None:
        """Write an answer that is there as a whole or not at all."""
        assert self._known is not None
        content = as_json(write_answer(attempt, self._known)).encode()
        self.layout.write(self.layout.at(DONE, name), content, durable=True)
        self.layout.remove(name, CLAIMED)
        self.done += 1
        self.told(attempt)

    @property
    def _beat(self) -> float:
        """Seconds between signs of life."""
        lease = self._about.lease if self._about is not None else RARELY
        return min(RARELY, lease / LOOKS)

    def _say_alive(self) -> None:
        """Touch what we work on."""
        if time.monotonic() - self._touched < self._beat:
            return
        self._touched = time.monotonic()
        for name in self._jobs.values():
            with suppress(OSError):  # withdrawn: an answer may still be welcome
                os.utime(self.layout.at(CLAIMED, name))


def _stops_soon(stopped: Callable[[], bool]) -> bool:
    """Whether we are told to leave now, or in a moment.

    A queue that ends a job signals all its processes, one after the other: a simulator
    may be dead before its worker knows.
    """
    if not stopped():
        time.sleep(MOMENT)
    return stopped()


def load_pickled(layout: Layout, about: About) -> Problem:
    """The problem that the spool holds, if nobody else can have put it there."""
    if about.pickle is None:
        raise InputError(
            f"the spool {str(layout.path)!r} has no problem for workers in Python: "
            f"{about.why} Or name the problem: divlearn worker {layout.path} "
            "FILE.py:NAME"
        )
    place = layout.path / PROBLEM
    for one in (layout.path, place):
        _require_ours(one)
    try:
        packed = place.read_bytes()
    except OSError as error:
        raise InputError(f"{str(place)!r} cannot be read ({error.strerror}).") from None
    if hashlib.sha256(packed).hexdigest() != about.pickle:
        raise InputError(
            f"{str(place)!r} is not what the study wrote; run the study again."
        )
    try:
        problem: Any = pickle.loads(packed)
    except Exception as error:
        raise InputError(
            f"the problem in {str(place)!r} cannot be set up here ({error!r}); the "
            "modules of the objective must be installed where workers run."
        ) from None
    if not isinstance(problem, Problem):
        raise InputError(f"{str(place)!r} holds no problem.")
    return problem


def _require_ours(place: Path) -> None:
    """Refuse what others may have written: it would be run with our rights."""
    if os.name == "nt":
        return
    known = place.lstat()
    others = stat.S_IWGRP | stat.S_IWOTH
    if known.st_uid != os.getuid() or known.st_mode & others:
        raise InputError(
            f"{str(place)!r} belongs to another user, or others may write it, so that "
            f"its code is not run; chmod go-w {place}, or name the problem after the "
            "spool: FILE.py:NAME"
        )


def _me() -> str:
    """Who answers."""
    return f"{socket.gethostname()}:{os.getpid()}"
