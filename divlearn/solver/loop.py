"""``SearchLoop``: a search from its first evaluation to a reason to stop."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import (
    EvaluationError,
    InvalidDesign,
    NoCandidates,
    SearchError,
    SearchInterrupted,
)
from divlearn.basics.signals import Interruption
from divlearn.basics.typing import Codes, Extras, Floats, Value
from divlearn.methods.others.base import WholeSolver
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.exhaustion import Exhaustion
from divlearn.optimizer.optimizer import Optimizer
from divlearn.optimizer.stop import AnyOf, Criterion, MaxEvaluations, MaxSeconds
from divlearn.result import Result
from divlearn.result.history import next_record
from divlearn.solver.ledger import solve_whole
from divlearn.terminal.display import Display
from divlearn.terminal.notices import Notices

if TYPE_CHECKING:
    from divlearn.study.known import Design

#: Candidates evaluated at once where the problem has ``evaluate_batch``.
BATCH = 32
#: Seconds that one call of the compiled loop should take: how quick Ctrl-C works.
RESPONSE = 0.1
#: Evaluations in the first call, when nothing is known about their speed.
FIRST_CHUNK = 16

Callback = Callable[[Optimizer, Candidate], Any]


class SearchLoop:
    """A loop around an optimizer: chunks, history, stopping and interruption.

    Checks and history rows fall on fixed numbers of evaluations, so that a run does
    not depend on how long its chunks happen to take.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        criterion: Criterion,
        callbacks: list[Callback],
        progress: Display,
    ) -> None:
        self.optimizer = optimizer
        self.criterion = criterion
        self.callbacks = callbacks
        self.progress = progress
        self.notices: Notices = Notices(progress)
        # The first Ctrl-C ends an evaluation at once, but bookkeeping only when it is
        # complete; the second one ends anything.
        self.interruption: Interruption = Interruption(limit=1)
        self.compiled: bool = optimizer.compiled and not callbacks
        # Methods of others may take seconds for one candidate.
        self.quick: Any = optimizer.settings.quick
        self.chunk = FIRST_CHUNK if self.quick else 1
        self.limits: tuple[Criterion, ...] = (
            criterion.criteria if isinstance(criterion, AnyOf) else (criterion,)
        )
        self.next_check: int = 0
        self.enqueued: deque[Codes] = deque()  # evaluated before anything is asked
        # A schedule is kept to its end, however small the space.
        enough = 0 if optimizer.ends_by_schedule else self.budget
        self.exhaustion: Exhaustion = Exhaustion(optimizer.problem, enough)
        recorded = optimizer.history["evaluations"]
        self.next_record: int = self._after(int(recorded[-1]) if recorded else 0)

    def learn(self, designs: list[Design]) -> None:
        """Learn what is known before the search begins."""
        if not designs:
            return
        from divlearn.solver.known import learn_all

        known, enqueued = learn_all(self.optimizer, designs)
        self.enqueued.extend(enqueued)
        for codes in known:
            self.exhaustion.note(codes)

    def run(self, budget: int | None, seconds: float | None) -> Result:
        """Search until a criterion says stop; the limits are for the display."""
        try:
            self.progress.start(self.optimizer, budget, seconds)
            self.optimizer.clock.start()
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
            self.interruption.presses += 1
        if self.interruption.stop:
            raise SearchInterrupted(
                "interrupted; everything found so far is in .result",
                self._result("interrupted"),
            )
        return self._result(reason)

    def require_budget(self) -> None:
        """Refuse a budget that the method cannot use."""
        known = None if self.budget == sys.maxsize else self.budget
        self.optimizer.settings.require_budget(self.optimizer.problem, known)

    def _search(self) -> str:
        """Let the method do its work; returns why it ended."""
        method = self.optimizer.settings
        if isinstance(method, WholeSolver):
            return solve_whole(method, self, self.optimizer.search.state)
        while (reason := self.reason_to_stop()) is None:
            self._advance()
            self.notices.tell(self.optimizer.search)
            self.progress.update(self.optimizer)
        return reason

    def reason_to_stop(self) -> str | None:
        """Ask the criterion, where it wants to be asked."""
        if self.interruption.stop:
            return "interrupted"
        noisy = self.optimizer.search.noisy  # then no solution is ever done with
        if self.exhaustion.reason is not None and not noisy:
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
        if self.enqueued:
            enqueue = self.optimizer.enqueue_codes
            self._evaluate([enqueue(self.enqueued.popleft())])
        elif self.compiled and self.exhaustion.active:
            self.exhaustion.note(self.optimizer.run_one())
        elif self.compiled:
            mark = min(self.next_check, self.next_record)
            count = max(1, min(self.chunk, mark - self.optimizer.evaluations))
            started = time.perf_counter()
            self.optimizer.run(count)
            self._adapt(count, time.perf_counter() - started)
        else:
            self._evaluate(self.optimizer.ask(self._batch_size()))
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
        self.interruption.evaluating = True
        try:
            return self.optimizer.problem.evaluate(x)
        finally:
            self.interruption.evaluating = False

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

    def _evaluate(self, candidates: list[Candidate]) -> None:
        """Evaluate in Python and tell."""
        optimizer = self.optimizer
        self.interruption.evaluating = True
        try:
            outputs = self._outputs([candidate.x for candidate in candidates])
        finally:
            self.interruption.evaluating = False
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
        return next_record(evaluations, self.optimizer.planned)

    def _result(self, stopped: str) -> Result:
        """Close the history and collect."""
        recorded = self.optimizer.history["evaluations"]
        if not recorded or recorded[-1] < self.optimizer.evaluations:
            self.optimizer.record()
        return self.optimizer.result(stopped)
