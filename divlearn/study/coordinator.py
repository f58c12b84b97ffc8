"""The loop of a study: ask, write down, run, write down, learn."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from divlearn.basics.signals import Interruption
from divlearn.basics.typing import Value
from divlearn.errors import AnswerError
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.exhaustion import Exhaustion
from divlearn.optimizer.steps import NoCandidates
from divlearn.spaces.packing import Packing
from divlearn.study import replay
from divlearn.study.declaration import Declaration
from divlearn.study.evaluation import Evaluation, attempt_of, same_as
from divlearn.study.options import ABANDON, REUSE, Options
from divlearn.study.patience import NEVER, Patience
from divlearn.study.retry import Retry
from divlearn.study.search import RepeatableSearch
from divlearn.study.store import Asked, Attempt, Outcome, Store
from divlearn.study.store.rows import ABANDONED, OK, to_text
from divlearn.study.view import View
from divlearn.terminal.display import Display
from divlearn.workers.base import WRONG_SHAPE, Pool, Report, Task

#: Seconds after which the loop looks up from waiting, for Ctrl-C and time limits.
POLL = 0.2
#: Seconds of asking and telling that a resumed study repeats at most.
REPEATED = 1.0

#: Called after every outcome with the candidate, its value and what became of it.
Listener = Callable[[Asked, Value, Outcome], None]


class Coordinator:
    """One run of a study.

    Parameters
    ----------
    declaration, store, search
        The study.
    pool
        Who evaluates.
    options
        How to run.
    clock
        Seconds that the study has run, all runs together.
    interruption
        Whether Ctrl-C was pressed.
    listener
        Told of every outcome when it is safe.
    checkpoint
        Whether states of the optimizer are kept.
    """

    def __init__(
        self,
        declaration: Declaration,
        store: Store,
        search: RepeatableSearch,
        pool: Pool,
        options: Options,
        clock: Callable[[], float],
        interruption: Interruption,
        listener: Listener,
        display: Display,
        checkpoint: bool = True,
    ) -> None:
        self.declaration = declaration
        self.problem = declaration.problem
        self.store = store
        self.search = search
        self.pool = pool
        self.options = options
        self.clock = clock
        self.interruption = interruption
        self.listener = listener
        self.display = display
        self.checkpoint = checkpoint
        self._packing = Packing(self.problem.space)
        self._open: dict[int, tuple[Asked, Value]] = {}
        self._evaluations: dict[int, Evaluation] = {}
        self._ready: deque[Task] = deque()
        self._in_flight = 0
        self._designs: dict[bytes, int] = {}  # the first candidate of every design
        self._alike: dict[int, list[int]] = {}  # those that wait for its outcome
        self._again: Retry | None = None  # while failures are tried again
        self._answered = False  # in this run, with the shape that was declared
        self.patience = Patience(options.max_failures)
        self._exhaustion = Exhaustion(self.problem, options.budget)
        self._reason = ""
        self._told = False
        self._began = clock()
        self._next_check = 0
        counts = store.counts()
        self._abandoned = counts.pop(ABANDONED, 0)
        self.view = View(search, clock, counts)

    def run(self) -> str:
        """Run until there is a reason to stop, and nothing is running.

        Raises
        ------
        AnswerError
            If the first answer has a wrong shape.
        TooManyFailures
            If evaluations failed one after the other.
        """
        self._try_again()
        if not self._ends:
            self._take_up()
            self._work()
        if self.patience.ended and not self.interruption.stop:
            raise self.patience.error()
        return "interrupted" if self.interruption.stop else self._reason

    @property
    def _ends(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.interruption.stop or self.patience.ended

    def _work(self) -> None:
        """Evaluate as long as there is something to do."""
        while not self.interruption.abandon:
            self._fill()
            if self._in_flight == 0:
                break
            self._tell_of_ctrl_c()
            self.view.running = self._in_flight
            self._take(self._wait(POLL))
            self.display.update(self.view)  # type: ignore[arg-type]
        if self.interruption.abandon:
            self._take(self._wait(0.0))  # what ended just now is not lost

    def _tell_of_ctrl_c(self) -> None:
        """Say once why the run goes on although somebody wants it to end."""
        if self.interruption.stop and not self._told:
            self._told = True
            number = self._in_flight
            are = "evaluation is" if number == 1 else "evaluations are"
            self.display.say(
                f"Ctrl-C: {number:,} {are} running and will be finished; press it "
                "again not to wait: what is cut off is run again on resuming."
            )

    # --- candidates

    def _try_again(self) -> None:
        """Evaluate again what has failed, before anything new is asked."""
        if not self.options.retry_failed:
            return
        again = Retry(self.store, self.search, self._packing, self.options.retry_failed)
        for asked in again.asked():
            x = self.problem.space.decode(self._packing.unpack(asked.codes))
            self._open[asked.number] = (asked, x)
            if asked.number in again.candidates:
                _, earlier = again.candidates[asked.number]
                self._begin(asked.number, x, earlier=earlier)
        self._alike |= again.alike
        self._again = again
        try:
            self._work()
        finally:
            again.learn()
            self._again = None
        self._open, self._alike, self._evaluations = {}, {}, {}
        self._ready.clear()

    def _take_up(self) -> None:
        """Go on with candidates that had no outcome when the last run ended."""
        left = self.store.open_candidates()
        if self.options.running == ABANDON and left:
            self._give_up(left)
            left = []
        if self.options.duplicates == REUSE:
            for codes, number in self.store.designs():
                self._designs.setdefault(codes, number)
                if self._exhaustion.active:
                    self._exhaustion.note(self._packing.unpack(codes))
        attempts: dict[int, list[Attempt]] = {}
        for attempt in self.store.attempts(open_only=True):
            attempts.setdefault(attempt.number, []).append(attempt)
        for asked in left:
            x = self.problem.space.decode(self._packing.unpack(asked.codes))
            self._admit(asked, x, attempts.get(asked.number, []))

    def _give_up(self, left: Sequence[Asked]) -> None:
        """Write down that candidates will have no outcome."""
        at, now = self.clock(), time.time()
        why = "was running when the study was stopped"
        for asked in left:
            x = self.problem.space.decode(self._packing.unpack(asked.codes))
            self._open[asked.number] = (asked, x)
        self._finish(
            [],
            [
                Outcome(a.number, ABANDONED, None, None, 0, 0, 0.0, "", why, at, now)
                for a in left
            ],
        )

    def _fill(self) -> None:
        """Give every free worker something to do."""
        while self._in_flight < self.pool.size and not self._ends:
            if self._ready:
                self.pool.submit(self._ready.popleft())
                self._in_flight += 1
            elif not self._ask():
                return

    def _ask(self) -> bool:
        """Ask for a candidate; False if there is none to be asked now."""
        if self._again is not None or self._stops() or not self.search.prepare():
            return False
        limit = max(self.search.lag, self.pool.size)
        if not self.search.ordered and len(self._open) >= limit:
            return False
        if self._criterion_stops():
            return False
        try:
            candidate = self.search.ask()
        except NoCandidates as error:
            if not self.view.evaluations:
                raise
            self._reason = str(error).rstrip(".")
            return False
        self._write_down(candidate)
        return True

    def _stops(self) -> bool:
        """Whether a limit is reached."""
        budget, seconds = self.options.budget, self.options.seconds
        if budget is not None and self.search.asked - self._abandoned >= budget:
            self._reason = f"all {budget:,} evaluations made"
        elif self._exhaustion.reason is not None:
            self._reason = self._exhaustion.reason
        elif seconds is not None and self.clock() - self._began >= seconds:
            self._reason = f"time limit of {seconds:g} s reached"
        return bool(self._reason)

    def _criterion_stops(self) -> bool:
        """Ask the criterion, where it wants to be asked."""
        criterion, progress = self.options.criterion, self.search.optimizer
        if criterion is None or progress.evaluations < self._next_check:
            return False
        progress.clock.set(self.clock())
        self._reason = criterion.check(progress) or ""
        self._next_check = criterion.next_check(progress)
        return bool(self._reason)

    def _write_down(self, candidate: Candidate) -> None:
        """Keep a candidate before it is run."""
        asked = Asked(
            candidate.id,
            self.search.known,
            self._packing.pack(candidate.codes),
            to_text(candidate.x),
            time.time(),
        )
        self.store.add_candidates([asked])
        if self.options.duplicates == REUSE:
            self._exhaustion.note(candidate.codes)
        if self.checkpoint and self.search.effort > REPEATED:
            replay.save(self.search, self.store)
        self._admit(asked, candidate.x, [])

    def _admit(self, asked: Asked, x: Value, attempts: list[Attempt]) -> None:
        """Line a candidate up for evaluation, unless an equal one answers it."""
        number = asked.number
        self._open[number] = (asked, x)
        first = number
        if self.options.duplicates == REUSE:
            first = self._designs.setdefault(asked.codes, number)
        if first != number:
            known = self.store.outcome(first)
            if known is None:
                self._alike.setdefault(first, []).append(number)
            else:
                same = same_as(known, number, self.clock(), time.time())
                self._finish([], [same], durable=False)
            return
        evaluation = self._begin(number, x, attempts)
        if evaluation.done:  # stopped between its last replicate and its outcome
            self._finish([], self._outcomes_of(evaluation))

    def _begin(
        self,
        number: int,
        x: Value,
        attempts: Sequence[Attempt] = (),
        earlier: Sequence[Attempt] = (),
    ) -> Evaluation:
        """Line up what is to be done for a candidate."""
        options, seed = self.options, self.declaration.seed
        evaluation = Evaluation(
            number,
            x,
            options.replicates,
            options.retries,
            seed,
            list(attempts),
            list(earlier),
        )
        self._evaluations[number] = evaluation
        self._ready.extend(evaluation.tasks())
        return evaluation

    # --- reports

    def _wait(self, seconds: float) -> list[Report]:
        """Wait for reports; Ctrl-C may end an evaluation in this process."""
        self.interruption.evaluating = True
        try:
            return self.pool.wait(seconds)
        except KeyboardInterrupt:
            if not self.interruption.stop:
                raise
            return []
        finally:
            self.interruption.evaluating = False

    def _take(self, reports: Sequence[Report]) -> None:
        """Write down what is known by now, then learn it."""
        attempts: list[Attempt] = []
        outcomes: list[Outcome] = []
        wrong: list[Report] = []
        for report in reports:
            self._in_flight -= 1
            attempt = attempt_of(report, self.problem)
            attempts.append(attempt)
            if self._is_wrong_from_the_start(attempt):
                wrong.append(report)
                continue
            evaluation = self._evaluations.get(attempt.number)
            if evaluation is None:  # a replicate of what was found infeasible
                continue
            again = evaluation.take(attempt)
            if again is not None:
                self._ready.appendleft(again)
            if evaluation.done:
                outcomes += self._outcomes_of(evaluation)
        if attempts:
            self._finish(attempts, outcomes)
        if wrong:  # its candidate has no outcome, and is run again when this is mended
            raise AnswerError(wrong[0].message, wrong[0].task.x)

    def _is_wrong_from_the_start(self, attempt: Attempt) -> bool:
        """Whether an answer has a wrong shape, and none had the right one before."""
        self._answered |= attempt.state == OK
        tolerant = self._answered or self.options.max_failures == NEVER
        return attempt.state == WRONG_SHAPE and not tolerant

    def _outcomes_of(self, evaluation: Evaluation) -> list[Outcome]:
        """Outcome of a candidate, and of those that equal it."""
        number = evaluation.number
        del self._evaluations[number]
        self._ready = deque(task for task in self._ready if task.number != number)
        first = evaluation.outcome(self.clock())
        alike = self._alike.pop(number, [])
        return [first, *(same_as(first, n, first.at, first.ended) for n in alike)]

    def _finish(
        self,
        attempts: Sequence[Attempt],
        outcomes: Sequence[Outcome],
        durable: bool = True,
    ) -> None:
        """Write, then learn, then tell whoever wants to know."""
        m = self.problem.num_objectives
        if self._again is not None:
            self._again.write(attempts, outcomes, m)
            self.view.failed -= sum(o.outputs is not None for o in outcomes)
        else:
            self.store.add_outcomes(attempts, outcomes, m, durable)
            for outcome in outcomes:
                self._learn(outcome)
        for outcome in outcomes:
            asked, x = self._open.pop(outcome.number)
            self.patience.note(outcome, x)
            self.listener(asked, x, outcome)

    def _learn(self, outcome: Outcome) -> None:
        """Let the search have an outcome, and count it."""
        self.search.take(outcome)
        if outcome.counts:
            self.view.evaluations += 1
            self.view.failed += outcome.outputs is None
        else:
            self._abandoned += 1
