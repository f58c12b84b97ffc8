"""``Optimizer``: the search by ask and tell, or compiled for compiled objectives."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.clock import Clock
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes
from divlearn.methods.base import TICKET_SIZE, Compilation, Method
from divlearn.methods.budget import Budget, read_budget
from divlearn.methods.names import DEFAULT_METHOD
from divlearn.optimizer.bound import require_archive_size
from divlearn.optimizer.candidates import Candidate, UnderWay
from divlearn.optimizer.course import Course
from divlearn.optimizer.elsewhere import DesignTaker
from divlearn.optimizer.replay import Event, replay
from divlearn.optimizer.steps import Steps
from divlearn.optimizer.told import Remarks, Told, read_answers
from divlearn.optimizer.view import HISTORY, carrying_result
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result.tally import FAILED


class Optimizer(DesignTaker):
    """A search that asks for evaluations and learns from what it is told.

    Evaluations may run in any thread or process, but ``ask``, ``tell`` and the other
    methods must not be called by two threads at the same time.

    Parameters
    ----------
    problem
        What to optimize; its objective is not called by ``ask`` and ``tell``.
    method
        Name of a method, see :func:`divlearn.methods.names.all_methods`, or a method
        with its options, such as ``dl.DL(geometry=False)``.
    seed
        The same seed gives the same candidates, bit for bit.
    budget
        Number of evaluations planned, if known; the weight vectors then share them
        evenly. It is not a limit. ``"schedule"`` is one: the paper's methods then end
        after T iterations for each weight vector.
    archive_size
        Most members of the front that are kept; None keeps all. Where it is full, one
        leaves: not the best in any objective; of two objectives the one whose loss
        costs least hypervolume, of more the one of least crowding distance. At least
        two for each objective.
    restart
        Whether a problem that remembers evaluations, such as one with simulated noise,
        forgets them (:meth:`Problem.restart`).

    Attributes
    ----------
    clock
        Runs from the first ``ask``; it can be stopped and set.
    under_way
        Pending candidates, and what has failed.
    steps
        The method at work, with its arrays.
    remarks
        Extra metrics of designs, and why evaluations failed.
    history
        Rows that :meth:`record` added, by name.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Binary(5), lambda x: (x.sum(), (~x).sum()), ["a", "b"])
    >>> optimizer = dl.Optimizer(problem, seed=1)
    >>> batch = optimizer.ask(4)
    >>> optimizer.tell(batch, [problem.evaluate(c.x) for c in batch])
    >>> optimizer.evaluations
    4
    """

    def __init__(
        self,
        problem: Problem,
        method: str | Method = DEFAULT_METHOD,
        seed: int = 0,
        *,
        budget: Budget = None,
        archive_size: int | None = None,
        restart: bool = True,
    ) -> None:
        require_problem(problem)
        self.problem = problem
        self.archive_size: int | None = require_archive_size(archive_size, problem)
        self.seed: int = require_whole("seed", seed, 0, 2**63 - 1)
        self.budget: Budget = read_budget(budget)
        self.steps: Steps = Steps(problem, method, self.budget, self.seed)
        self.search.limit_front(self.archive_size or 0)
        self.under_way: UnderWay = UnderWay()
        self.remarks: Remarks = Remarks()
        self.clock: Clock = Clock()
        self.history: dict[str, list[float]] = {name: [] for name in HISTORY}
        self.course: Course = Course()
        if restart:
            problem.restart()

    def copy(self) -> Self:
        """Return an independent optimizer in the same state."""
        other = copy.copy(self)
        other.steps = self.steps.copy()
        other.under_way = self.under_way.copy()
        other.remarks = self.remarks.copy()
        other.clock = copy.copy(self.clock)
        other.history = {name: list(rows) for name, rows in self.history.items()}
        other.course = Course(list(self.course.rows))
        return other

    # --- ask and tell

    @carrying_result
    def ask(self, count: int = 1) -> list[Candidate]:
        """Return candidates to evaluate, in any way and order you like.

        Parameters
        ----------
        count
            Number of candidates.

        Returns
        -------
        The candidates, each with ``.x`` and ``.id``; fewer than asked for where the
        schedule of the method ends.

        Raises
        ------
        InputError
            If there is no candidate any more, because the schedule has ended or
            ``valid`` refuses everything.
        SearchError
            If the method itself fails, for example in your own expert; ``.result`` is
            everything found before.
        """
        if type(count) is not int or count < 1:
            count = require_whole("count", count, 1)
        self.clock.start()
        decode, failed = self.problem.space.decode, self.under_way.failed
        solutions = np.empty((count, self.problem.space.num_positions), np.int64)
        tickets = np.empty((count, TICKET_SIZE), np.int64)
        self.steps.propose(solutions, tickets)
        # Nothing counts as asked for until valid and repair, which may raise, have
        # passed the whole batch.
        pairs = zip(solutions, tickets, strict=True)
        rows = [self.steps.settle(*pair, failed) for pair in pairs]
        first = self.next_number
        batch = [
            Candidate(number, decode(codes), codes, ticket)
            for number, (codes, ticket) in enumerate(filter(None, rows), first)
        ]
        if not batch:
            raise self.steps.no_more()
        for candidate in batch:
            self.under_way.add(candidate)
        return batch

    @carrying_result
    def tell(self, candidates: Any, values: Any) -> None:
        """Report the results of evaluations: in any order, any subset, late or never.

        Parameters
        ----------
        candidates
            Candidates from ``ask``, or one of them; their ids work as well.
        values
            For each one number per objective, then per constraint, as ``evaluate``
            returns them; None, NaN or a masked value says that the evaluation failed,
            and an exception says why: an InvalidDesign that the design is infeasible.
        """
        # Everything is checked before anything is learned, so an error changes nothing.
        answers = read_answers(self.problem, self.under_way, candidates, values)
        for candidate, answer in answers:
            self._take(candidate, answer)

    @carrying_result
    def learn(self, number: int, outputs: Sequence[float] | None) -> None:
        """Report an answer that was read before: :meth:`tell` without its checks.

        Parameters
        ----------
        number
            Number of a candidate that waits for its answer.
        outputs
            Finite numbers, as many as the problem has outputs; None if there are none.
        """
        candidate = self.under_way.find(number)
        if outputs is None:
            self._take(candidate, Told(None, {}, FAILED))
        else:
            del self.under_way.pending[number]
            values = np.array(outputs, float)
            self.steps.observe(candidate.codes, values, candidate.ticket)

    def _take(self, candidate: Candidate, answer: Told) -> None:
        """Learn from one answer, or from a failure."""
        codes = candidate.codes
        del self.under_way.pending[candidate.id]
        if answer.outputs is None:
            self.under_way.fail(codes)
            self.remarks.tally.note(answer.state, answer.message)
            self.steps.fail(codes, candidate.ticket)
            return
        self.steps.observe(codes, answer.outputs, candidate.ticket)
        self.remarks.keep(codes, answer.extras, self.search.front_codes)

    def replay(self, events: Sequence[Event], *, compiled: bool = True) -> None:
        """Be asked and told again what is known.

        Leaves the same state as :meth:`ask` and :meth:`tell`, to the last bit, and is
        many times as fast if no Python is needed between question and answer.

        Parameters
        ----------
        events
            What happened from here on: the codes of a candidate that was asked for,
            see :class:`divlearn.spaces.packing.Packing`; the number of a candidate
            and its outputs, None if it failed; or a design from elsewhere.
        compiled
            Whether to go through many events at once where that is possible.

        Raises
        ------
        OtherCandidate
            If another candidate is chosen; the optimizer is useless then.
        InputError
            If something is not an answer.
        """
        replay(self, events, compiled)

    # --- the compiled loop

    @property
    def compiled(self) -> bool:
        """Whether the whole loop can run compiled."""
        return self.can_be_asked and self.problem.can_run_compiled

    def warm_up(self, compiled: bool | None = None) -> None:
        """Compile or load the kernels; the time that this takes does not count.

        Parameters
        ----------
        compiled
            Those of the compiled loop, or those of ask and tell; if None, the first if
            the problem allows it.
        """
        running = self.clock.runs
        self.clock.stop()
        loop = self._wants_loop(compiled)
        self.settings.compile(self.problem, self.planned, loop)
        if loop:
            self.steps.run(0)
            self.search.learned()
            self.search.trace()
        if running:
            self.clock.start()

    def missing_kernels(self, compiled: bool | None = None) -> Compilation | None:
        """What ``warm_up`` would have to compile, and how long that takes.

        Returns
        -------
        None if all of it is compiled, in this process or on disk.
        """
        loop = self._wants_loop(compiled)
        missing: Compilation | None = self.settings.missing(
            self.problem, self.planned, loop
        )
        return missing

    def _wants_loop(self, compiled: bool | None) -> bool:
        """Whether the compiled loop is to be used, as far as the problem allows it."""
        return self.compiled and compiled is not False

    @carrying_result
    def run(self, evaluations: int) -> None:
        """Make evaluations in the compiled loop, fewer where a schedule ends.

        Gives exactly what ``ask(1)``, evaluation and ``tell`` would give.

        Raises
        ------
        InputError
            If the schedule had ended before.
        EvaluationError
            If the objective gives a value that is not finite; what was found before
            is kept.
        SearchError
            If the method itself fails; ``.result`` is everything found before.
        """
        if not self.compiled:
            raise InputError(
                "run needs a method that can be asked and a problem with a compiled "
                "objective and without valid or repair functions in Python; use "
                "divlearn.solve, or ask and tell."
            )
        evaluations = require_whole("evaluations", evaluations, 1)
        self.clock.start()
        self.steps.run(evaluations)

    @carrying_result
    def run_one(self) -> Codes:
        """Make one evaluation in the compiled loop; return the codes of the solution.

        Like ``run(1)``, for those who want to know what was evaluated.
        """
        self.clock.start()
        return self.steps.run(1)

    # --- files

    def save(self, path: str | Path) -> None:
        """Write the whole state to a file; :meth:`load` continues from there."""
        # It knows the kernels of all methods, which take a while to import.
        from divlearn.optimizer import checkpoint

        checkpoint.save(self, path)

    @classmethod
    def load(
        cls, path: str | Path, problem: Problem, method: str | Method | None = None
    ) -> Optimizer:
        """Read a state file and continue as if the search had never stopped.

        Parameters
        ----------
        path
            File written by :meth:`save`.
        problem
            The same problem; another one is refused.
        method
            The method, needed only if it holds your own experts or encodings.
        """
        from divlearn.optimizer import checkpoint

        return checkpoint.load(cls, path, problem, method)


def state_of(optimizer: Optimizer) -> Any:
    """The arrays of an optimizer, for tests and inspection."""
    return optimizer.search.state
