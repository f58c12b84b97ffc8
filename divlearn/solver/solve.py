"""``solve``: one call from a problem to its front."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.typing import Extras, Floats, Value
from divlearn.errors import (
    EvaluationError,
    InputError,
    InvalidDesign,
    SearchError,
    SearchInterrupted,
)
from divlearn.methods.names import DEFAULT_METHOD, Method, method_for
from divlearn.methods.others.base import Baseline, WholeSolver
from divlearn.optimizer.candidate import Candidate
from divlearn.optimizer.compilation import missing
from divlearn.optimizer.exhaustion import Exhaustion
from divlearn.optimizer.optimizer import NoCandidates, Optimizer, state_of
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result import Result
from divlearn.result.history import next_record
from divlearn.solver.ledger import solve_whole
from divlearn.stop import AnyOf, Criterion, MaxEvaluations, MaxSeconds
from divlearn.study.brief import Limits, solve_by_workers
from divlearn.terminal.display import Progress, announce, display_for, patiently

#: Candidates evaluated at once where the problem has ``evaluate_batch``.
BATCH = 32
#: Seconds that one call of the compiled loop should take: how quick Ctrl-C works.
RESPONSE = 0.1
#: Evaluations in the first call, when nothing is known about their speed.
FIRST_CHUNK = 16

Callback = Callable[[Optimizer, Candidate], Any]


def solve(
    problem: Problem,
    budget: int | None = None,
    *,
    seconds: float | None = None,
    stop: Criterion | None = None,
    method: str | Method = DEFAULT_METHOD,
    seed: int = 0,
    callbacks: Sequence[Callback] | Callback = (),
    progress: Progress | bool | None = None,
    optimizer: Optimizer | None = None,
    workers: int | None = None,
) -> Result:
    """Search for the front of a problem.

    Parameters
    ----------
    problem
        What to optimize.
    budget
        Number of evaluations.
    seconds
        Time limit; results then depend on the speed of the machine.
    stop
        Any other reason to stop, see :mod:`divlearn.stop`. The first of all that
        are given counts; at least one must be given, but for methods that come to an
        end by themselves.
    method
        Name of a method, see ``divlearn methods``, Settings, or a baseline with its
        options.
    seed
        The same seed gives the same result, bit for bit.
    callbacks
        Functions ``callback(optimizer, candidate)`` called after every evaluation;
        the search then runs in Python, also for compiled objectives.
    progress
        Whether to show how it goes, on standard error; None does so in a terminal or a
        notebook, see :func:`divlearn.terminal.display.display_for`. An object of one's
        own is told instead, see :class:`divlearn.terminal.display.Progress`.
    optimizer
        Continue this one; ``budget`` counts its earlier evaluations, and method and
        seed are its own.
    workers
        Processes that evaluate at the same time; None evaluates one solution after
        the other in this process. Candidates are then chosen before the last seven
        answers are known, so that any number of workers finds the same front, which
        is another one than without. :class:`divlearn.Study` does the same and keeps
        everything in a file.

    Returns
    -------
    The front and all that is known about the run.

    Raises
    ------
    EvaluationError
        If the objective fails; ``.x`` is the solution that did it and ``.result``
        everything found before.
    SearchError
        If the method itself fails, such as by an expert of one's own; ``.result`` is
        everything found before.
    SearchInterrupted
        On Ctrl-C; ``.result`` is everything found until then.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(
    ...     dl.Subset(8, 3), lambda x: (x.sum(), -x.min()), {"sum": "min", "low": "min"}
    ... )
    >>> result = dl.solve(problem, budget=500)
    >>> sorted(float(f) for f in result.F[:, 0])
    [3.0, 6.0, 9.0, 12.0, 15.0, 18.0]
    """
    require_problem(problem)
    budget = None if budget is None else require_whole("budget", budget, 1)
    settings = method_for(method) if optimizer is None else optimizer.settings
    criterion = _criterion(budget, seconds, stop, isinstance(settings, WholeSolver))
    functions = _read_callbacks(callbacks)
    if workers is not None:
        _require_alone(optimizer, functions)
        limits = Limits(budget, seconds, stop)
        return solve_by_workers(problem, limits, method, seed, progress, workers)
    if optimizer is not None:
        _require_suitable(optimizer, problem)
    display = display_for(progress, problem.name)
    try:
        with patiently(display):
            compiled = problem.can_run_compiled and not functions
            planned = budget if optimizer is None else optimizer.budget
            announce(missing(settings, problem, planned, compiled), display)
            if optimizer is None:
                optimizer = Optimizer(problem, method, seed, budget=budget)
            search = Search(optimizer, criterion, functions, display)
            search.require_budget()
            # A time limit is for searching, not for compiling.
            optimizer.warm_up(search.compiled)
        with search.interruptible():
            return search.run(budget, seconds)
    except KeyboardInterrupt as stopped:
        if optimizer is None or isinstance(stopped, SearchInterrupted):
            raise
        found = optimizer.result("interrupted")
        raise SearchInterrupted("interrupted before it began", found) from None
    finally:
        if optimizer is not None:
            optimizer.stop_clock()
        display.finish()


def _read_callbacks(callbacks: Any) -> list[Callback]:
    """Return the functions in a list."""
    functions = [callbacks] if callable(callbacks) else callbacks
    if not isinstance(functions, Iterable) or not all(map(callable, functions)):
        raise InputError(
            "callbacks must be functions callback(optimizer, candidate), "
            f"got {callbacks!r}."
        )
    return list(functions)


def _require_alone(optimizer: Optimizer | None, callbacks: list[Callback]) -> None:
    """Refuse what cannot go together with workers."""
    if optimizer is not None or callbacks:
        name = "callbacks" if callbacks else "optimizer"
        raise InputError(
            f"{name} cannot be given together with workers; use divlearn.Study, whose "
            "run has callbacks and can be continued."
        )


def _require_suitable(optimizer: Optimizer, problem: Problem) -> None:
    """Refuse to continue what cannot be continued."""
    if optimizer.problem is not problem:
        raise InputError("optimizer must have been made for the same problem object.")
    if not optimizer.can_be_asked and optimizer.evaluations:
        raise InputError(
            f"method {optimizer.method!r} solves a problem in one go, and this "
            "optimizer has done so; make a new one to solve it again."
        )


def _criterion(
    budget: int | None, seconds: float | None, stop: Criterion | None, ends: bool
) -> Criterion:
    """Join all reasons to stop."""
    parts: list[Criterion] = []
    if budget is not None:
        parts.append(MaxEvaluations(budget))
    if seconds is not None:
        parts.append(MaxSeconds(require_number("seconds", seconds, 1e-6)))
    if stop is not None:
        if not isinstance(stop, Criterion):
            raise InputError(
                "stop must be a criterion of divlearn.stop, such as MaxSeconds(60), or "
                f"derive from divlearn.stop.Criterion, got {stop!r}."
            )
        parts.append(stop)
    if not parts and ends:
        parts.append(MaxEvaluations(sys.maxsize))
    if not parts:
        raise InputError(
            "budget, seconds or stop must be given, so that the search can end; got "
            "none of them. Try budget=10_000."
        )
    joined = parts[0]
    for part in parts[1:]:
        joined = joined | part
    return joined


class Search:
    """A loop around an optimizer: chunks, history, stopping and interruption.

    Checks and history rows fall on fixed numbers of evaluations, so that a run does
    not depend on how long its chunks happen to take.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        criterion: Criterion,
        callbacks: list[Callback],
        progress: Progress,
    ) -> None:
        self.optimizer = optimizer
        self.criterion = criterion
        self.callbacks = callbacks
        self.progress = progress
        self.interrupted = False
        self.evaluating = False
        self.compiled = optimizer.compiled and not callbacks
        # Methods of others may take seconds for one candidate.
        self.quick = getattr(optimizer.settings, "quick", True)
        self.chunk = FIRST_CHUNK if self.quick else 1
        self.limits = (
            criterion.criteria if isinstance(criterion, AnyOf) else (criterion,)
        )
        self.next_check = 0
        self.exhaustion = Exhaustion(optimizer.problem, self.budget)
        recorded = optimizer.history["evaluations"]
        self.next_record = self._after(int(recorded[-1]) if recorded else 0)

    def run(self, budget: int | None, seconds: float | None) -> Result:
        """Search until a criterion says stop; the limits are for the display."""
        try:
            self.progress.start(self.optimizer, budget, seconds)
            self.optimizer.start_clock()
            reason = self._search()
        except EvaluationError as error:
            error.result = self._result("the objective failed")
            raise
        except SearchError as error:
            error.result = self._result("the method failed")
            raise
        except NoCandidates as error:
            if not self.optimizer.evaluations:
                raise
            reason = str(error).rstrip(".")
        except KeyboardInterrupt:
            self.interrupted = True
        if self.interrupted:
            raise SearchInterrupted(
                "interrupted; everything found so far is in .result",
                self._result("interrupted"),
            )
        return self._result(reason)

    def require_budget(self) -> None:
        """Refuse a budget that a method of others cannot use."""
        method, limit = self.optimizer.settings, self.budget
        if isinstance(method, Baseline):
            known = None if limit == sys.maxsize else limit
            method.require_budget(self.optimizer.problem, known)

    def _search(self) -> str:
        """Let the method do its work; returns why it ended."""
        method = self.optimizer.settings
        if isinstance(method, WholeSolver):
            return solve_whole(method, self, state_of(self.optimizer))
        while (reason := self.reason_to_stop()) is None:
            self._advance()
            self.progress.update(self.optimizer)
        return reason

    def reason_to_stop(self) -> str | None:
        """Ask the criterion, where it wants to be asked."""
        if self.interrupted:
            return "interrupted"
        if self.exhaustion.reason is not None:
            return self.exhaustion.reason
        if self.optimizer.evaluations < self.next_check:
            return None if self.compiled and self.quick else self._late()
        reason = self.criterion.check(self.optimizer)
        self.next_check = self.criterion.next_check(self.optimizer)
        return reason

    def _late(self) -> str | None:
        """Ask about the time alone, after every evaluation that may take long."""
        late = (
            limit.check(self.optimizer)
            for limit in self.limits
            if isinstance(limit, MaxSeconds)
        )
        return next(filter(None, late), None)

    @property
    def budget(self) -> int | None:
        """Evaluations that all limits together allow; None for any number."""
        numbers = [
            limit.n for limit in self.limits if isinstance(limit, MaxEvaluations)
        ]
        return min(numbers, default=None)

    def _advance(self) -> None:
        """Make evaluations up to the next mark."""
        if self.compiled and self.exhaustion.active:
            self.exhaustion.note(self.optimizer.run_one())
        elif self.compiled:
            mark = min(self.next_check, self.next_record)
            count = max(1, min(self.chunk, mark - self.optimizer.evaluations))
            started = time.perf_counter()
            self.optimizer.run(count)
            self._adapt(count, time.perf_counter() - started)
        else:
            self._evaluate(self._batch_size())
        self._record()

    def _record(self) -> None:
        """Add a row to the history where one is due."""
        if self.optimizer.evaluations >= self.next_record:
            self.optimizer.record()
            self.next_record = self._after(self.optimizer.evaluations)

    def note(self) -> None:
        """Show and record where a method is that solves in one go."""
        self._record()
        self.progress.update(self.optimizer)

    def evaluated(self, x: Value) -> Floats:
        """Evaluate for a method that solves in one go; Ctrl-C ends it at once."""
        self.evaluating = True
        try:
            return self.optimizer.problem.evaluate(x)
        finally:
            self.evaluating = False

    def evaluated_one(self, candidate: Candidate) -> None:
        """Do what is due after an evaluation of such a method."""
        self.note()
        self._call_back([candidate])

    def _batch_size(self) -> int:
        """As many at once as there are before a criterion must be asked.

        Rows of the history and a time limit wait for the end of a batch.
        """
        optimizer = self.optimizer
        if not optimizer.problem.has_batch or not self.quick:
            return 1
        fixed = [part for part in self.limits if not isinstance(part, MaxSeconds)]
        room = [part.next_check(optimizer) - optimizer.evaluations for part in fixed]
        return max(1, min([BATCH, *room]))

    def _adapt(self, count: int, seconds: float) -> None:
        """Keep a call of the compiled loop near the wanted response time."""
        factor = min(4.0, max(0.25, RESPONSE / max(seconds, 1e-6)))
        if self.quick and (count == self.chunk or factor < 1.0):
            self.chunk = max(1, int(count * factor))

    def _evaluate(self, count: int) -> None:
        """Ask, evaluate in Python and tell."""
        optimizer = self.optimizer
        candidates = optimizer.ask(count)
        self.evaluating = True
        try:
            outputs = self._outputs([candidate.x for candidate in candidates])
        finally:
            self.evaluating = False
        optimizer.tell(candidates, outputs)
        if self.exhaustion.active:
            for candidate in candidates:
                self.exhaustion.note(candidate.codes)
        self._call_back(candidates)

    def _call_back(self, candidates: list[Candidate]) -> None:
        """Tell those who want to know."""
        for candidate in candidates:
            for callback in self.callbacks:
                callback(self.optimizer, candidate)

    def _outputs(self, solutions: list[Value]) -> list[Any]:
        """Evaluate, for ``tell``; what an objective calls invalid is an exception."""
        problem = self.optimizer.problem
        if problem.has_batch:
            try:
                return [self._named(*row) for row in problem.measure_batch(solutions)]
            except InvalidDesign:
                pass  # which of them is seen by evaluating them one at a time
        return [self._output(x) for x in solutions]

    def _output(self, x: Value) -> Any:
        """Evaluate one solution; an InvalidDesign if its objective calls it so."""
        problem = self.optimizer.problem
        try:
            if problem.extras:
                return self._named(*problem.measure(x))
            return problem.evaluate(x)
        except InvalidDesign as error:
            return error

    def _named(self, outputs: Floats, extras: Extras) -> Any:
        """Numbers as they are, or by name together with extra metrics."""
        if not extras:
            return outputs
        return dict(zip(self.optimizer.problem.outputs, outputs, strict=True)) | extras

    def _after(self, evaluations: int) -> int:
        """Number of evaluations at which the history gets its next row."""
        return next_record(evaluations, self.optimizer.budget)

    def _result(self, stopped: str) -> Result:
        """Close the history and collect."""
        recorded = self.optimizer.history["evaluations"]
        if not recorded or recorded[-1] < self.optimizer.evaluations:
            self.optimizer.record()
        return self.optimizer.result(stopped)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let Ctrl-C end an evaluation at once, but bookkeeping only when complete."""
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            yield  # not ours to handle: another thread, a job that ignores Ctrl-C
            return

        def handle(number: int, frame: FrameType | None) -> None:
            if self.evaluating or self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        previous = signal.signal(signal.SIGINT, handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, previous)
