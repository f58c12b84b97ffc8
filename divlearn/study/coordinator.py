"""The loop of a study: ask, write down, run, write down, learn."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from divlearn.basics.errors import AnswerError, NoCandidates
from divlearn.basics.signals import Interruption
from divlearn.basics.typing import Codes
from divlearn.optimizer.exhaustion import Exhaustion
from divlearn.result.tally import KNOWN
from divlearn.study import replay
from divlearn.study.opened import OpenStudy
from divlearn.study.options import ABANDON, REUSE, Options
from divlearn.study.patience import NEVER, Patience
from divlearn.study.reported import require_numbers
from divlearn.study.retry import Retry
from divlearn.study.store.rows import CandidateRow
from divlearn.study.trial import ABANDONED, ENQUEUED, Trial
from divlearn.study.trials import Asked, asked
from divlearn.study.tries import Tries
from divlearn.study.view import View
from divlearn.terminal.display import Display
from divlearn.terminal.notices import Notices
from divlearn.workers.base import OK, WRONG_SHAPE, Attempt, Pool

#: Seconds after which the loop looks up from waiting, for Ctrl-C and time limits.
POLL = 0.2
#: Candidates that are asked, written down and handed on together, at most.
GROUP = 64
#: Seconds of asking and telling that a resumed study repeats at most.
REPEATED = 1.0

#: Called with every trial that has ended.
Listener = Callable[[Trial], None]


class Coordinator:
    """One run of a study.

    Parameters
    ----------
    study
        The study, at the end of what its file says.
    pool
        Who evaluates.
    options
        How to run.
    interruption
        Whether Ctrl-C was pressed.
    listener
        Told of every outcome when it is safe.
    display
        Shows how it goes.
    """

    def __init__(
        self,
        study: OpenStudy,
        pool: Pool,
        options: Options,
        interruption: Interruption,
        listener: Listener,
        display: Display,
    ) -> None:
        self.problem, self.store, self.study = study.problem, study.store, study
        self.search, self.clock = study.rebuilt(), study.clock
        self.checkpoint: bool = study.checkpoint
        self.pool = pool
        self.options = options
        self.interruption = interruption
        self.listener = listener
        self.display = display
        self._notices = Notices(display)
        self._packing = study.packing
        self._open: dict[int, Trial] = {}  # trials without an outcome
        seed = study.declaration.seed
        self._tries = Tries(study.names, seed, options.replicates, options.retries)
        self._ready: deque[Attempt] = deque()
        self._in_flight = 0
        self._designs: dict[bytes, int] = {}  # the first candidate of every design
        self._alike: dict[int, list[int]] = {}  # those that wait for its outcome
        self._again: Retry | None = None  # while failures are tried again
        self._answered = False  # in this run, with the shape that was declared
        self.patience: Patience = Patience(options.max_failures)
        # A schedule is kept to its end, however small the space.
        enough = 0 if self.search.optimizer.ends_by_schedule else options.budget
        self._exhaustion = Exhaustion(self.problem, enough)
        self._reason = ""
        self._told = False
        self._began = self.clock.seconds
        self._next_check = 0
        counts = self.store.counts()
        self._abandoned = counts.pop(ABANDONED, 0)
        counts.pop(KNOWN, None)
        self.view: View = View(self.search, self.clock, counts)

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
        for row in again.rows():
            trial, codes = self._reopened(row)
            if trial.number in again.tried:
                earlier = again.tried[trial.number]
                self._ready.extend(self._tries.begin(trial, codes, earlier=earlier))
        self._alike |= again.alike
        self._again = again
        try:
            self._work()
        finally:
            again.learn()
            self._again = None
        self._open, self._alike = {}, {}
        self._tries.forget()
        self._ready.clear()

    def _reopened(self, row: CandidateRow) -> tuple[Trial, Codes]:
        """A candidate of the file as a trial that has no outcome, and its codes."""
        codes = self._packing.unpack(row.codes)
        trial = asked(Trial(row.number), row, self.study.value_of)
        self._open[row.number] = trial
        return trial, codes

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
        for row in left:
            self._admit(*self._reopened(row), attempts.get(row.number, []))

    def _give_up(self, left: Sequence[CandidateRow]) -> None:
        """Write down that candidates will have no outcome."""
        at, now = self.clock.seconds, time.time()
        trials = [self._reopened(row)[0] for row in left]
        for trial in trials:
            trial.give_up("was running when the study was stopped", at, now)
        self._finish([], trials)

    def _fill(self) -> None:
        """Give every free worker something to do."""
        while self._in_flight < self.pool.size and not self._ends:
            if self._ready:
                self.pool.submit(self._ready.popleft())
                self._in_flight += 1
            elif not self._ask(min(GROUP, self.pool.size - self._in_flight)):
                return

    def _ask(self, most: int) -> bool:
        """Ask for up to ``most`` candidates, at once; False if there is none."""
        asked: list[Asked] = []
        try:
            while len(asked) < most and self._may_ask(asked):
                asked.append(self._next_candidate())
        except NoCandidates as error:
            if not asked and not self.view.evaluations:
                raise
            self._reason = str(error).rstrip(".")
        finally:
            if asked:
                self._write_down(asked)
        return bool(asked)

    def _may_ask(self, asked: Sequence[Asked]) -> bool:
        """Whether there may be one more candidate, beside those asked just now."""
        if self._again is not None or self._stops() or not self.search.prepare():
            return False
        limit = max(self.search.lag, self.pool.size)
        if not self.search.ordered and len(self._open) + len(asked) >= limit:
            return False
        return not self._criterion_stops()

    def _next_candidate(self) -> Asked:
        """What somebody has enqueued, or else what the search chooses."""
        queued = self.study.queue.popleft() if self.study.queue else None
        if queued is None:
            candidate = self.search.ask()
        else:
            candidate = self.search.enqueue(self._packing.unpack(queued.codes))
        trial = Trial(
            candidate.id, candidate.x, told=self.search.told, asked=time.time()
        )
        trial.codes = self._packing.pack(candidate.codes)
        if queued is not None:
            trial.kind, trial.source = ENQUEUED, queued.source
        if self.options.duplicates == REUSE:
            self._exhaustion.note(candidate.codes)
        return Asked(trial, candidate.codes, queued)

    def _stops(self) -> bool:
        """Whether a limit is reached."""
        budget, seconds = self.options.budget, self.options.seconds
        free = self._abandoned + self.search.num_known
        if budget is not None and self.search.asked - free >= budget:
            self._reason = f"all {budget:,} evaluations made"
        elif self._exhaustion.reason is not None and not self.search.noisy:
            self._reason = self._exhaustion.reason
        elif seconds is not None and self.clock.seconds - self._began >= seconds:
            self._reason = f"time limit of {seconds:g} s reached"
        return bool(self._reason)

    def _criterion_stops(self) -> bool:
        """Ask the criterion, where it wants to be asked."""
        criterion, progress = self.options.criterion, self.search.optimizer
        if criterion is None or progress.evaluations < self._next_check:
            return False
        progress.clock.set(self.clock.seconds)
        self._reason = criterion.check(progress) or ""
        self._next_check = criterion.next_check(progress)
        return bool(self._reason)

    def _write_down(self, asked: Sequence[Asked]) -> None:
        """Keep candidates before they are run, in one go."""
        try:
            self.store.add_candidates([(one.trial, one.queued) for one in asked])
        except BaseException:  # they wait as before
            waited = [one.queued for one in reversed(asked) if one.queued is not None]
            self.study.queue.extendleft(waited)
            raise
        if self.checkpoint and self.search.effort > REPEATED:
            replay.save(self.search, self.store)
        for one in asked:
            self._open[one.trial.number] = one.trial
        for one in asked:
            self._admit(one.trial, one.codes)

    def _admit(
        self, trial: Trial, codes: Codes, attempts: Sequence[Attempt] = ()
    ) -> None:
        """Line a candidate up for evaluation, unless an equal one answers it."""
        first = number = trial.number
        again = self.options.asked_for and self.search.measures_again(number)
        if self.options.duplicates == REUSE and not again:
            first = self.study.known.get(trial.codes, number)
            first = self._designs.setdefault(trial.codes, first)
        if first == number:
            self._ready.extend(self._tries.begin(trial, codes, attempts))
            if self._tries.done(number):  # stopped between last replicate and outcome
                self._finish([], self._ended(trial))
            return
        known = self.store.outcome(first)
        if known is None:
            self._alike.setdefault(first, []).append(number)
        else:
            trial.answer_by(known, self.clock.seconds, time.time())
            self._finish([], [trial], durable=False)

    # --- what ended

    def _wait(self, seconds: float) -> list[Attempt]:
        """Wait for evaluations; Ctrl-C may end one in this process."""
        self.interruption.evaluating = True
        try:
            return self.pool.wait(seconds)
        except KeyboardInterrupt:
            if not self.interruption.stop:
                raise
            return []
        finally:
            self.interruption.evaluating = False

    def _take(self, attempts: Sequence[Attempt]) -> None:
        """Write down what is known by now, then learn it."""
        ended: list[Trial] = []
        wrong: list[Attempt] = []
        for attempt in attempts:
            self._in_flight -= 1
            attempt.ended = time.time()
            require_numbers(attempt, self.problem)
            if self._is_wrong_from_the_start(attempt):
                wrong.append(attempt)
                continue
            if not self._tries.known(attempt.number):
                continue  # a replicate of what was found infeasible
            again = self._tries.take(attempt)
            if again is not None:
                self._ready.appendleft(again)
            if self._tries.done(attempt.number):
                ended += self._ended(self._open[attempt.number])
        if attempts:
            self._finish(attempts, ended)
        if wrong:  # its candidate has no outcome, and runs again once this is fixed
            raise AnswerError(wrong[0].message, wrong[0].x)

    def _is_wrong_from_the_start(self, attempt: Attempt) -> bool:
        """Whether an answer has a wrong shape, and none had the right one before."""
        self._answered |= attempt.state == OK
        tolerant = self._answered or self.options.max_failures == NEVER
        return attempt.state == WRONG_SHAPE and not tolerant

    def _ended(self, trial: Trial) -> list[Trial]:
        """Finish a trial, and those that equal it."""
        number = trial.number
        if self._ready:  # replicates that would change nothing
            self._ready = deque(a for a in self._ready if a.number != number)
        self._tries.finish(trial, self.clock.seconds)
        assert trial.ended is not None
        alike = [self._open[n] for n in self._alike.pop(number, ())]
        for other in alike:
            other.answer_by(trial, trial.at, trial.ended)
        return [trial, *alike]

    def _finish(
        self,
        attempts: Sequence[Attempt],
        trials: Sequence[Trial],
        durable: bool = True,
    ) -> None:
        """Write, then learn, then tell whoever wants to know."""
        if self._again is not None:
            self._again.write(attempts, trials)
            self.view.failed -= sum(trial.f is not None for trial in trials)
        else:
            self.store.add_outcomes(attempts, trials, durable)
            for trial in trials:
                self._learn(trial)
        for trial in trials:
            del self._open[trial.number]
            self.patience.note(trial)
            self.listener(trial)

    def _learn(self, trial: Trial) -> None:
        """Let the search have an outcome, and count it."""
        self.search.take(trial)
        self._notices.tell(self.search.optimizer.search)
        if trial.counts:
            self.view.evaluations += 1
            self.view.failed += trial.f is None
        else:
            self._abandoned += 1
