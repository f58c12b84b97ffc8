"""``Study``: a search whose evaluations are too expensive to be lost."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from divlearn.basics.clock import Clock
from divlearn.basics.paths import file_path
from divlearn.basics.signals import Interruption
from divlearn.basics.text import one_line
from divlearn.basics.typing import Value
from divlearn.errors import (
    EvaluationError,
    InputError,
    SearchError,
    SearchInterrupted,
    TooManyFailures,
)
from divlearn.methods.base import Method
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result import Result
from divlearn.spaces.packing import Packing
from divlearn.stop import Criterion
from divlearn.study import replay
from divlearn.study.coordinator import Coordinator
from divlearn.study.declaration import declare, require_askable
from divlearn.study.found import complete
from divlearn.study.options import ABANDON, FINISH, RERUN, Options, read_options
from divlearn.study.patience import AUTO
from divlearn.study.replay import Verification
from divlearn.study.search import RepeatableSearch
from divlearn.study.store import Store
from divlearn.study.store.schema import damaged
from divlearn.study.store.table import Row
from divlearn.study.trial import Names, Trial
from divlearn.study.trials import Failures, failures_of, trials_of
from divlearn.terminal.display import Display, announce, display_for, patiently
from divlearn.workers import open_pool
from divlearn.workers.base import Pool

Callback = Callable[["Study", Trial], Any]


class Study:
    """A search in a file: nothing evaluated is lost, and the same line resumes.

    Every candidate is written to the file before it is run and every outcome as soon
    as it is known. A study that was stopped, by Ctrl-C, an error, ``kill -9`` or a
    power cut, goes on as if it had never stopped.

    Parameters
    ----------
    problem
        What to optimize; must be the same whenever the study is opened.
    path
        The file, made where it does not exist. One process at a time may have it
        open; any number may look at it, see :class:`divlearn.study.StudyReader`.
    method
        Name of a method, see ``divlearn methods``, or Settings. As in the file if
        None, ``"dl"`` in a new one.
    seed
        The same seed gives the same candidates. As in the file if None, 0 in a new
        one.
    lag
        A candidate is chosen from the outcomes of those asked at least so many before
        it. Best a few times the number of workers; 8 in a new study.
    ordered
        Whether outcomes are learned by number, so that the front is the same for any
        number of workers up to ``lag``; otherwise each is learned as it comes. True
        in a new study.
    checkpoint
        Whether the file also keeps the optimizer's state, from which a long study
        opens at once. Without it all outcomes are learned again.

    Examples
    --------
    >>> import divlearn as dl, tempfile, pathlib
    >>> problem = dl.Problem(
    ...     dl.Subset(8, 3), lambda x: (x.sum(), -x.min()), ["sum", "low"]
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.db")
    ...     with dl.Study(problem, path, seed=1) as study:
    ...         _ = study.run(budget=20, workers=0)
    ...     with dl.Study(problem, path) as study:
    ...         result = study.run(budget=30, workers=0)
    ...         len(study.trials()), bool(study.verify())
    (30, True)
    """

    def __init__(
        self,
        problem: Problem,
        path: str | Path,
        *,
        method: str | Method | None = None,
        seed: int | None = None,
        lag: int | None = None,
        ordered: bool | None = None,
        checkpoint: bool = True,
    ) -> None:
        require_problem(problem)
        if method is not None:
            require_askable(method, problem)
        self.problem = problem
        self.path = file_path("path", path)
        self._checkpoint = bool(checkpoint)
        self._store = Store(self.path)
        self._search: RepeatableSearch | None = None
        self._closed = False
        try:
            self._declaration = declare(
                self._store, problem, method, seed, lag, ordered
            )
            self._clock = Clock(self._store.seconds())
        except BaseException:
            self.close()
            raise
        self._packing = Packing(problem.space)
        self._names = Names(tuple(problem.objectives), problem.constraints)
        self._store.expect(self._names)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that others may open it."""
        self._closed = True
        self._store.close()

    @property
    def seconds(self) -> float:
        """Seconds that the study has run, all runs together."""
        return self._clock.seconds

    @property
    def origin(self) -> dict[str, Any] | None:
        """How the problem can be made again, as :meth:`remember` was told; or None."""
        return self._store.notes().get("origin")

    def remember(self, origin: dict[str, Any]) -> None:
        """Keep how the problem can be made again, for ``divlearn resume``.

        Parameters
        ----------
        origin
            Plain data, which the command line writes and understands; a study of a
            problem in Python has none.
        """
        self._require_open()
        self._store.note(origin=origin)

    # --- running

    def run(
        self,
        budget: int | None = None,
        *,
        seconds: float | None = None,
        stop: Criterion | None = None,
        workers: int | None = None,
        timeout: float | None = None,
        retries: int = 0,
        max_failures: int | str = AUTO,
        retry_failed: bool | str = False,
        executor: Any = None,
        replicates: int = 1,
        duplicates: str | None = None,
        running: str = RERUN,
        on_interrupt: str = FINISH,
        callbacks: Sequence[Callback] | Callback = (),
        progress: Display | bool | None = None,
    ) -> Result:
        """RepeatableSearch until a limit is reached; what was done before counts.

        Parameters
        ----------
        budget
            Number of candidates with an outcome, failed ones included, of all runs
            together. The first run's budget is what the search is planned for.
        seconds
            Time limit of this run; what is running then is finished.
        stop
            Any other reason to stop, see :mod:`divlearn.stop`.
        workers
            Worker processes, 1 if None; 0 evaluates in this process, up to ``lag``
            candidates at once where the problem has ``evaluate_batch``. With an
            executor, how many evaluations run at once; all that it can if None.
        timeout
            Seconds after which an evaluation is ended and its candidate has timed
            out.
        retries
            How often an evaluation that failed or timed out is tried again. One
            whose worker died is tried again up to three times in any case.
        max_failures
            Failed evaluations in a row after which the run stops. ``"auto"``: 5 where
            none has succeeded yet, 20 later; ``"never"`` goes on whatever fails.
        retry_failed
            True evaluates again what failed or timed out in earlier runs, before
            anything new is asked; a text does so where the message contains it, or
            matches it as a regular expression. The budget counts a design once.
        executor
            Where evaluations run instead: anything with ``submit`` as of
            ``concurrent.futures``, a Dask client.
        replicates
            Evaluations of every candidate; their mean is learned. A candidate fails
            only if all of them do.
        duplicates
            ``"reuse"`` answers a design that was evaluated before from the file,
            ``"rerun"`` evaluates it again; None reuses unless the problem has noise.
        running
            What to do with candidates that were running when the last run was cut
            off: ``"rerun"`` or ``"abandon"``, which leaves them without an outcome.
        on_interrupt
            What Ctrl-C does to running evaluations: ``"finish"``, or ``"abandon"``,
            after which they are run again next time. A second Ctrl-C abandons.
        callbacks
            Functions ``callback(study, trial)`` called after every outcome.
        progress
            Whether to show how it goes, on standard error; None does so in a terminal
            or a notebook, see :func:`divlearn.terminal.display.display_for`. An object
            of one's own is told instead, see
            :class:`divlearn.terminal.display.Display`.

        Returns
        -------
        The front and all that is known about the study.

        Raises
        ------
        SearchInterrupted
            After Ctrl-C; carries the result.
        AnswerError
            If the first answer has other names, or another number of values, than the
            problem declares; carries the result.
        TooManyFailures
            If ``max_failures`` is reached; carries the result.
        StoreError
            If the file cannot be written, as on a full disk.
        """
        self._require_open()
        options = read_options(
            self.problem,
            budget=budget,
            seconds=seconds,
            stop=stop,
            retries=retries,
            replicates=replicates,
            duplicates=duplicates,
            running=running,
            on_interrupt=on_interrupt,
            callbacks=callbacks,
            max_failures=max_failures,
            retry_failed=retry_failed,
        )
        if workers == 0 and executor is None and timeout is not None:
            raise InputError(
                "timeout needs worker processes, which can be ended; got workers=0."
            )
        display = display_for(progress, self.problem.name)
        try:
            search = self._ready_to_ask(options, display)
            pool = open_pool(
                self.problem,
                workers=workers,
                timeout=timeout,
                executor=executor,
                batch=self._declaration.lag,
            )
            self._warn_of_idle(pool)
            return self._run(search, pool, options, display)
        finally:
            display.finish()

    def _run(
        self, search: RepeatableSearch, pool: Pool, options: Options, display: Display
    ) -> Result:
        """Run the loop around a pool, and close the pool whatever happens."""
        in_process = bool(getattr(pool, "in_process", False))
        interruption = Interruption(options.on_interrupt == ABANDON, in_process)
        kill = True
        self._clock.start()
        try:
            with interruption.listening():
                coordinator = self._coordinator(
                    search, pool, options, display, interruption
                )
                display.start(coordinator.view, options.budget, options.seconds)  # type: ignore[arg-type]
                stopped = coordinator.run()
            kill = interruption.abandon
        except TooManyFailures as error:
            kill = False  # nothing runs, and the search can go on from here
            self._give_up(coordinator.patience.reason)
            error.result = self._complete(search, coordinator.patience.reason)
            raise
        except EvaluationError as error:
            self._give_up(f"the problem failed: {one_line(str(error))}")
            error.result = self._complete(search, "the problem failed")
            raise
        except SearchError as error:
            error.result = self._complete(search, "the method failed")
            raise
        finally:
            pool.close(kill=kill)
            self._clock.stop()
            if kill:  # the file knows better where the search is
                self._search = None
        self._store.note(stopped=stopped)
        result = self._complete(search, stopped)
        self._store.note(learned=result.learned)  # for those who only read the file
        if interruption.stop:
            raise SearchInterrupted(self._how_to_continue(), result)
        return result

    def _give_up(self, reason: str) -> None:
        """Note why a run stopped before its end, for who looks at the file."""
        self._store.note(stopped=reason, gave_up=True)

    def _complete(self, search: RepeatableSearch, stopped: str) -> Result:
        """What was found, with all that only the file knows."""
        return complete(search.result(self.seconds, stopped), self.problem, self._store)

    def _coordinator(
        self,
        search: RepeatableSearch,
        pool: Pool,
        options: Options,
        display: Display,
        interruption: Interruption,
    ) -> Coordinator:
        """The loop, with a listener for callbacks."""

        def listen(trial: Trial) -> None:
            if options.callbacks:
                theirs = copy.deepcopy(trial)  # the search may have yet to learn ours
                for callback in options.callbacks:
                    callback(self, theirs)

        return Coordinator(
            self._declaration,
            self._store,
            search,
            pool,
            options,
            lambda: self.seconds,
            interruption,
            listen,
            display,
            self._checkpoint,
        )

    def _ready_to_ask(self, options: Options, display: Display) -> RepeatableSearch:
        """The search where the file ends, with its kernels compiled."""
        self._declaration = self._declaration.begin(self._store, options.budget)
        self._store.note(target=options.budget, stopped=None, gave_up=False)
        if self._search is None:
            declared = self._declaration
            method, planned = declared.settings, (self.problem, declared.budget)
            with patiently(display):
                announce(method.missing(*planned, compiled=False), display)
                method.compile(*planned, compiled=False)
        return self._rebuilt()

    def _rebuilt(self) -> RepeatableSearch:
        """The search where the file ends."""
        if self._search is None or self._search.spoiled:
            self._search = replay.rebuild(
                self._declaration, self._store, self._checkpoint
            )
        return self._search

    def _warn_of_idle(self, pool: Pool) -> None:
        """Say that workers will have nothing to do."""
        lag = self._declaration.lag
        if self._declaration.ordered and pool.size > lag:
            warnings.warn(
                f"only {lag} of {pool.size} workers can be busy: candidates are chosen "
                f"from outcomes of those asked {lag} before (lag). Begin the study "
                f"with lag={4 * pool.size}, or with ordered=False.",
                stacklevel=3,
            )

    def _how_to_continue(self) -> str:
        """What Ctrl-C leaves behind."""
        return (
            f"interrupted; every outcome is in {str(self.path)!r}, everything found so "
            "far in .result. To continue, run the same lines again: "
            f"Study(problem, {str(self.path)!r}) and its run(...)."
        )

    # --- looking

    def result(self) -> Result:
        """Return the front and all that is known about the study."""
        self._require_open()
        stopped = self._store.notes().get("stopped") or ""
        return self._complete(self._rebuilt(), stopped)

    def trials(self) -> list[Trial]:
        """Return every candidate with what is known of it, by number.

        ``pandas.DataFrame(study.trials())`` makes a table of them.
        """
        self._require_open()
        return list(trials_of(self._store, self._value_of, self._names))

    def failures(self) -> Failures:
        """Return designs that could not be evaluated, with what was said.

        ``print(study.failures())`` shows them as a table.
        """
        return failures_of(self.trials())

    def verify(self) -> Verification:
        """Compare all copies of every value, then replay the file from nothing.

        The result is true if all agree and every candidate comes out again, and says
        where they first differ if not.
        """
        self._require_open()
        return replay.verify(self._declaration, self._store)

    def _value_of(self, row: Row) -> Value:
        """A candidate's design as the user declared it."""
        number, _, codes, *_ = row
        try:
            return self.problem.space.decode(self._packing.unpack(codes))
        except (IndexError, ValueError):
            place = f"table candidates, number {number}, column codes"
            raise damaged(self.path, f"{place}: no design of the space") from None

    def _require_open(self) -> None:
        """Refuse to work with a closed file."""
        if self._closed:
            raise InputError(
                "the study is closed; open it again by "
                f"Study(problem, {str(self.path)!r})."
            )

    def __repr__(self) -> str:
        if self._closed:
            return f"<Study {str(self.path)!r} of {self.problem.name}, closed>"
        counts = self._store.counts()
        done = sum(counts.values())
        return f"<Study {str(self.path)!r} of {self.problem.name}: {done:,} outcomes>"
