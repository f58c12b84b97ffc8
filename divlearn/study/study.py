"""``Study``: a search whose evaluations are too expensive to be lost."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from divlearn.basics.errors import InputError
from divlearn.basics.lock import when_free
from divlearn.basics.paths import file_path
from divlearn.methods.base import Method
from divlearn.methods.budget import Budget
from divlearn.optimizer.stop import Criterion
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result import Result
from divlearn.study.asking import Dialogue
from divlearn.study.declaration import require_askable
from divlearn.study.forking.report import ForkReport
from divlearn.study.opened import OpenStudy
from divlearn.study.options import FINISH, RERUN, read_options
from divlearn.study.patience import AUTO
from divlearn.study.reader import StudyReader
from divlearn.study.trial import Trial
from divlearn.study.trials import Failures, failures_of, trials_of
from divlearn.terminal.display import Display, display_for
from divlearn.workers import open_pool

if TYPE_CHECKING:
    from divlearn.study.coordinator import Listener
    from divlearn.study.replay import Verification

Callback = Callable[["Study", Trial], Any]


class Study(Dialogue):
    """A search in a file: nothing evaluated is lost, and the same line resumes.

    Every candidate is written to the file before it is run and every outcome as soon
    as it is known. A study that was stopped by Ctrl-C, an error, ``kill -9`` or a power
    cut continues as if it had never stopped.

    Parameters
    ----------
    problem
        What to optimize; must be the same whenever the study is opened.
    path
        The file, which is made if it does not exist. One process at a time may have it
        open; any number may look at it, see :class:`divlearn.study.StudyReader`.
    method
        Name of a method, see ``divlearn methods``, or a method. If None, as in the
        file, or ``"dl"`` in a new one.
    seed
        The same seed gives the same candidates. If None, as in the file, or 0 in a new
        one.
    lag
        A candidate is chosen from the outcomes of those asked at least this many before
        it. A few times the number of workers is best; by default 8.
    ordered
        Whether outcomes are learned by number, so that the front is the same for any
        number of workers up to ``lag``; otherwise each is learned as it comes. True
        in a new study.
    checkpoint
        Whether the file also keeps the optimizer's state, from which a long study
        opens at once. Without it all outcomes are learned again.
    archive_size
        Most members of the front that the search keeps and results show, see
        :class:`divlearn.Optimizer`. The file keeps every trial all the same. If None,
        as in the file, or no limit in a new one.
    durable
        Whether an outcome is safe from a power cut as soon as it is written. Waiting
        for the disk takes milliseconds, which quick evaluations feel; without it, the
        end of the process loses nothing still, and a power cut the last seconds.

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
        archive_size: int | None = None,
        durable: bool = True,
    ) -> None:
        require_problem(problem)
        if method is not None:
            require_askable(method, problem)
        self.problem = problem
        self.path: Path = file_path("path", path)
        self._opened = OpenStudy(
            problem,
            self.path,
            method,
            seed,
            lag,
            ordered,
            bool(checkpoint),
            archive_size,
        )
        self._opened.store.durable = bool(durable)

    @classmethod
    def open(cls, path: str | Path, *, wait: float = 0.0) -> Self:
        """Open a study by its file alone, to ask, tell and look.

        Parameters
        ----------
        path
            File of a study whose space is a built-in one, and which has no compiled
            objective: only Python has those.
        wait
            Seconds to wait for another process that has it open.

        Raises
        ------
        StoreInUse
            If another process still has it open then.
        """
        with StudyReader(path) as reader:
            problem = reader.problem()
        return when_free(lambda: cls(problem, path), wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that others may open it."""
        self._opened.close()

    @property
    def seconds(self) -> float:
        """Seconds that the study has run, all runs together."""
        return self._opened.clock.seconds

    @property
    def origin(self) -> dict[str, Any] | None:
        """How to recreate the problem, as :meth:`remember` was told; or None."""
        return self._opened.store.notes().get("origin")

    @property
    def report(self) -> ForkReport | None:
        """What a fork took over and left out; None for a study that is no fork."""
        note = self._opened.store.notes().get("fork")
        return None if note is None else ForkReport.from_dict(note)

    def remember(self, origin: dict[str, Any]) -> None:
        """Keep how to recreate the problem, for ``divlearn resume``.

        Parameters
        ----------
        origin
            Plain data, which the command line writes and understands; a study of a
            problem in Python has none.
        """
        self._opened.require_open()
        self._opened.store.note(origin=origin)

    # --- another study from this one

    def fork(
        self, path: str | Path, problem: Problem | None = None, **options: Any
    ) -> Study:
        """Begin a new study that knows what this one has evaluated.

        Parameters
        ----------
        path
            File of the new study; must not exist.
        problem
            What to optimize from now on; if None, the same.
        options
            Other method or seed, and how designs and values change: ``rename``,
            ``fill`` and others, see :func:`divlearn.study.fork`.

        Returns
        -------
        The new study, open. Its ``report`` says what was taken over.
        """
        from divlearn.study.forking.fork import fork

        self._opened.require_open()
        return fork(self, path, self.problem if problem is None else problem, **options)

    # --- running

    def run(
        self,
        budget: Budget = None,
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
        """Search until a limit is reached; what was done before counts.

        Parameters
        ----------
        budget
            Number of candidates with an outcome, including failed ones, over all runs
            together. The search is planned for the budget of the first run.
            ``"schedule"``, in the first run with one of the paper's methods, ends the
            study after T iterations for each weight vector.
        seconds
            Time limit of this run; running evaluations finish.
        stop
            Any other reason to stop, see :class:`divlearn.Criterion`.
        workers
            Worker processes, 1 if None; 0 evaluates in this process, up to ``lag``
            candidates at once if the problem has ``evaluate_batch``. With an executor,
            how many evaluations run at once; as many as it can if None.
        timeout
            Seconds after which an evaluation is ended and its candidate has timed
            out.
        retries
            How often an evaluation that failed or timed out is tried again. One
            whose worker died is tried again up to three times in any case.
        max_failures
            Failed evaluations in a row after which the run stops. ``"auto"``: 5 if none
            has succeeded yet, 20 later; ``"never"`` continues whatever fails.
        retry_failed
            True evaluates again what failed or timed out in earlier runs, before
            anything new is asked; a text does so if the message contains it, or matches
            it as a regular expression. The budget counts a design once.
        executor
            Where evaluations run instead: the name of an engine, such as
            ``"dask://HOST:PORT"``, ``"ray"``, ``"slurm"`` or ``"spool:DIRECTORY"``, or
            a dict with its name as ``engine`` and its options; anything with
            ``submit`` as in ``concurrent.futures``; a Dask client; or a pool of
            :mod:`divlearn.workers`, which is closed at the end.
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
            Whether to show progress on standard error; None does so in a terminal or a
            notebook, see :func:`divlearn.terminal.display.display_for`. Your own object
            is told instead, see :class:`divlearn.terminal.display.Display`.

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
            If the file cannot be written, for example because the disk is full.
        """
        from divlearn.study.running import run, warn_of_idle

        self._opened.require_open()
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
            self._opened.begin(options, display)
            pool = open_pool(
                self.problem,
                workers=workers,
                timeout=timeout,
                executor=executor,
                batch=self._at_once(),
                study=self._opened.token,
            )
            if greeting := getattr(pool, "greeting", ""):
                display.say(greeting)
            warn_of_idle(self._opened, pool)
            listener = self._listener(options.callbacks)
            return run(self._opened, pool, options, listener, display)
        finally:
            display.finish()

    def _at_once(self) -> int:
        """Evaluations that a pool may take beyond one for each of its workers.

        Without an order, whatever is under way changes what is asked next: then only
        those count that a problem evaluates by one call.
        """
        declared = self._opened.declaration
        return declared.lag if declared.ordered or self.problem.has_batch else 1

    def _listener(self, callbacks: Sequence[Callback]) -> Listener:
        """Tell callbacks about every outcome."""

        def listen(trial: Trial) -> None:
            if callbacks:
                theirs = copy.deepcopy(trial)  # the search may have yet to learn ours
                for callback in callbacks:
                    callback(self, theirs)

        return listen

    # --- looking

    def result(self) -> Result:
        """Return the front and all that is known about the study."""
        self._opened.require_open()
        stopped = self._opened.store.notes().get("stopped") or ""
        return self._opened.result(self._opened.rebuilt(), stopped)

    def trials(self) -> list[Trial]:
        """Return every candidate with what is known about it, by number.

        ``pandas.DataFrame(study.trials())`` makes a table of them.
        """
        self._opened.require_open()
        study = self._opened
        return list(trials_of(study.store, study.value_of, study.names))

    def failures(self) -> Failures:
        """Return designs that could not be evaluated, with their messages.

        ``print(study.failures())`` shows them as a table.
        """
        return failures_of(self.trials())

    def verify(self) -> Verification:
        """Compare all copies of every value, then replay the file from nothing.

        The result is true if all agree and every candidate comes out again, and says
        where they first differ if not.
        """
        from divlearn.study import replay

        self._opened.require_open()
        return replay.verify(self._opened.declaration, self._opened.store)

    def __repr__(self) -> str:
        if self._opened.closed:
            return f"<Study {str(self.path)!r} of {self.problem.name}, closed>"
        counts = self._opened.store.counts()
        done = sum(counts.values())
        return f"<Study {str(self.path)!r} of {self.problem.name}: {done:,} outcomes>"
