"""``Optimizer``: the search by ask and tell, or compiled for compiled objectives."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Floats, Integers, Value
from divlearn.basics.version import __version__
from divlearn.errors import (
    DivlearnError,
    EvaluationError,
    InputError,
    InvalidDesign,
    SearchError,
)
from divlearn.methods.engine import LOOP_TICKET_SIZE, TICKET_SIZE, engine_for
from divlearn.methods.names import DEFAULT_METHOD, Method, method_for, name_of
from divlearn.methods.others.base import Baseline, WholeSolver
from divlearn.optimizer import checkpoint
from divlearn.optimizer.candidate import Candidate
from divlearn.optimizer.compilation import Compilation, compile_steps, missing
from divlearn.optimizer.told import Remarks, Told, read_told
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.result import Result

#: Candidates that ``valid`` may refuse in a row before the search gives up.
MAX_REFUSED = 10_000


class NoCandidates(InputError):
    """Every further candidate was refused, so that there is nothing to ask."""


class Optimizer:
    """A search that asks for evaluations and learns from what it is told.

    Evaluations may run in any thread or process, but ``ask``, ``tell`` and the other
    methods must not be called by two threads at the same time.

    Parameters
    ----------
    problem
        What to optimize; its objective is not called by ``ask`` and ``tell``.
    method
        Name of a method, see :func:`divlearn.methods.names.all_methods`, Settings, or a
        baseline with its options.
    seed
        The same seed gives the same candidates, bit for bit.
    budget
        Number of evaluations that are planned, if known: they are then shared evenly
        by the weight vectors. It is not a limit.

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
        budget: int | None = None,
    ) -> None:
        self._set_up(problem, method, seed, budget)
        problem.restart()

    def _set_up(
        self, problem: Problem, method: str | Method, seed: int, budget: int | None
    ) -> None:
        """Get ready for a new search, or for one that is loaded."""
        require_problem(problem)
        self.problem = problem
        self.method = name_of(method)
        self.seed = require_whole("seed", seed, 0, 2**63 - 1)
        self.budget = None if budget is None else require_whole("budget", budget, 1)
        full = method_for(method)
        self._engine = engine_for(full)
        self.settings: Any
        self.settings, self._state = self._engine.begin(
            full, problem, self.budget, self.seed
        )
        self._pending: dict[int, Candidate] = {}
        self._failed: set[bytes] = set()
        self._num_failed = 0
        self._remarks = Remarks()
        self._next_id = 0
        self._started: float | None = None  # when the clock was started, if it runs
        self._seconds_before = 0.0
        self.history: dict[str, list[float]] = {
            name: [] for name in ("evaluations", "seconds", "front_size", "hypervolume")
        }

    # --- where the search is

    @property
    def evaluations(self) -> int:
        """Number of evaluations taken in, failed ones included."""
        return int(self._state.control[0].observed) + self._num_failed

    @property
    def seconds(self) -> float:
        """Time since the first call of ``ask``, without pauses between runs."""
        if self._started is None:
            return self._seconds_before
        return self._seconds_before + time.perf_counter() - self._started

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions found."""
        return int(self._state.control[0].archive_size)

    @property
    def front_objectives(self) -> Floats:
        """Objectives of the front in the user's senses, shape (k, m)."""
        return self._front_outputs()[:, : self.problem.num_objectives]

    @property
    def pending(self) -> list[Candidate]:
        """Candidates asked for and not told yet."""
        return list(self._pending.values())

    @property
    def running(self) -> int:
        """Number of candidates asked for and not told yet."""
        return len(self._pending)

    @property
    def can_be_asked(self) -> bool:
        """Whether there is a search to continue; some methods solve in one go."""
        return not isinstance(self.settings, WholeSolver)

    @property
    def quick_to_restore(self) -> bool:
        """Whether a saved state is quicker than to tell everything again."""
        return self._engine.quick_to_restore

    def _front_slots(self) -> Integers:
        """Used slots of the archive."""
        return self._state.archive.order[: self.front_size]  # type: ignore[no-any-return]

    def _front_solutions(self) -> Codes:
        """Codes of the front, shape (k, n)."""
        return self._state.archive.solutions[self._front_slots()]  # type: ignore[no-any-return]

    def _front_outputs(self) -> Floats:
        """Objectives in the user's senses, then constraints, shape (k, m + c)."""
        outputs = self._state.archive.outputs[self._front_slots()]
        outputs[:, : self.problem.num_objectives] *= self._state.objectives.sign
        return outputs  # type: ignore[no-any-return]

    # --- ask and tell

    def ask(self, count: int = 1) -> list[Candidate]:
        """Return candidates to evaluate, in any way and order one likes.

        Parameters
        ----------
        count
            Number of candidates.

        Returns
        -------
        The candidates, each with ``.x`` and ``.id``.

        Raises
        ------
        SearchError
            If the method itself fails, such as by an expert of one's own; ``.result``
            is everything found before.
        """
        if type(count) is not int or count < 1:
            count = require_whole("count", count, 1)
        self.start_clock()
        solutions = np.empty((count, self.problem.space.num_positions), np.int64)
        tickets = np.empty((count, TICKET_SIZE), np.int64)
        self._propose(solutions, tickets)
        # Nothing is held as asked for before valid and repair, which may raise, are
        # through with the whole batch.
        rows = [self._settle(*row) for row in zip(solutions, tickets, strict=True)]
        batch = [
            Candidate(number, self.problem.space.decode(codes), codes, ticket)
            for number, (codes, ticket) in enumerate(rows, self._next_id)
        ]
        self._next_id += count
        self._pending.update((candidate.id, candidate) for candidate in batch)
        return batch

    def _settle(self, codes: Codes, ticket: Integers) -> tuple[Codes, Integers]:
        """Repair what was proposed and propose again what may not be tried."""
        for _ in range(MAX_REFUSED):
            usable = self._usable(codes)
            if usable is not None:
                return usable, ticket
            self._call(self._engine.fail, codes, ticket)
            codes = np.empty_like(codes)
            self._propose(codes[None], ticket[None])
        raise NoCandidates(
            f"{MAX_REFUSED:,} candidates in a row were refused by valid() or have "
            "failed before; loosen valid or give a repair function."
        )

    def _propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write the next candidates, shape (q, n), and their tickets."""
        self._make_room(len(solutions))
        self._call(self._engine.propose_many, solutions, tickets)

    def _usable(self, codes: Codes) -> Codes | None:
        """Repair; None for what has failed before or may not be tried."""
        try:
            codes = self.problem.repair_codes(codes)
        except InvalidDesign:
            return None
        if self._failed and codes.tobytes() in self._failed:
            return None
        return codes if self.problem.codes_are_valid(codes) else None

    def tell(self, candidates: Any, values: Any) -> None:
        """Report what evaluations gave: any order, any subset, late or never.

        Parameters
        ----------
        candidates
            Candidates of ``ask``, or one of them; their ids do as well.
        values
            For each one number per objective, then per constraint, as ``evaluate``
            returns them; None, NaN or a masked value says that the evaluation failed,
            and an exception says why: an InvalidDesign that the design is infeasible.
        """
        if isinstance(candidates, (Candidate, int, np.integer)):
            candidates, values = [candidates], [values]
        candidates = _listed("candidates", candidates)
        values = _listed("values", values)
        if len(candidates) != len(values):
            raise InputError(
                f"values needs one entry for each of the {len(candidates)} candidates, "
                f"got {len(values)}; give a row per candidate, None for a failed one."
            )
        # All is checked before anything is learned: an error changes nothing.
        asked = [self._find(candidate) for candidate in candidates]
        if len({candidate.id for candidate in asked}) != len(asked):
            raise InputError("candidates must be different, got the same one twice.")
        pairs = zip(values, asked, strict=True)
        answers = [read_told(self.problem, value, c.id) for value, c in pairs]
        for candidate, answer in zip(asked, answers, strict=True):
            del self._pending[candidate.id]
            self._take(candidate, answer)

    def _take(self, candidate: Candidate, answer: Told) -> None:
        """Learn from one answer, or from the lack of one."""
        codes = candidate.codes
        if answer.outputs is None:
            self._failed.add(codes.tobytes())
            self._num_failed += 1
            self._remarks.tally.note(answer.state, answer.message)
            self._call(self._engine.fail, codes, candidate.ticket)
            return
        self._observe(codes, answer.outputs, candidate.ticket)
        self._remarks.keep(codes, answer.extras, self._front_solutions)

    def _find(self, candidate: Candidate | int) -> Candidate:
        """Return the pending candidate that is meant."""
        number = candidate.id if isinstance(candidate, Candidate) else candidate
        try:
            found = self._pending[operator.index(number)]
            # Another optimizer gives the same numbers to other solutions.
            if isinstance(candidate, Candidate) and candidate is not found:
                self._require_same(candidate, found)
            return found
        except (KeyError, TypeError):
            known = (
                isinstance(number, (int, np.integer)) and 0 <= number < self._next_id
            )
            raise InputError(
                f"candidate {number!r} was told already; tell each one once."
                if known
                else f"candidate {number!r} was never asked for; use add(x, values) "
                "for a solution from elsewhere."
            ) from None

    def _require_same(self, candidate: Candidate, pending: Candidate) -> None:
        """Refuse a candidate of another optimizer."""
        if not np.array_equal(candidate.codes, pending.codes):
            raise InputError(
                f"candidate {candidate.id} was asked of another optimizer; use "
                "add(x, values) for a solution from elsewhere."
            )

    def _observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer."""
        self._make_room()
        return bool(self._call(self._engine.observe, codes, outputs, ticket))

    def _call(self, part: Callable[..., Any], *arguments: Any) -> Any:
        """Call a part of the method; whatever it raises ends the search in words."""
        try:
            return part(self._state, *arguments)
        except DivlearnError:
            raise
        except Exception as error:
            raised = SearchError(
                f"method {self.method!r} raised {type(error).__name__}: {error}; what "
                "was found before is in .result. Look at experts and encodings of your "
                "own, if it has any; otherwise this is a fault of the method."
            )
            raised.result = self.result("the method failed")
            raise raised from error

    def _make_room(self, count: int = 1) -> None:
        """Enlarge what is too full for ``count`` more."""
        self._state = self._engine.with_room(self._state, count)

    def add(self, x: Value, values: Any) -> bool:
        """Report a solution that was evaluated elsewhere.

        The search starts from it wherever it is better than what is known.

        Returns
        -------
        Whether it entered the front.
        """
        codes = self.problem.space.encode(x)
        try:
            outputs = self.problem.read_outputs(values, x)
        except EvaluationError as error:
            raise InputError(f"values: {error}") from None
        ticket = np.array([self._engine.added, 0], np.int64)
        entered = self._observe(codes, outputs, ticket)
        extras = self.problem.read_extras(values, x)
        self._remarks.keep(codes, extras, self._front_solutions)
        return entered

    def _recover(self, codes: Codes, outputs: Floats) -> None:
        """Learn the values of a design that had failed; it is the same evaluation."""
        self._failed.discard(codes.tobytes())
        self._num_failed -= 1
        self._observe(codes, outputs, np.array([self._engine.added, 0], np.int64))

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
            Those of the compiled loop, or those of ask and tell; if None the first
            where the problem allows it.
        """
        running = self._started is not None
        self.stop_clock()
        loop = self._wants_loop(compiled)
        compile_steps(self.settings, self.problem, self.budget, loop)
        if loop and not isinstance(self.settings, Baseline):
            self._run_compiled(0)
            self._engine.learned(self._state, self.problem, self.settings)
        if running:
            self.start_clock()

    def missing_kernels(self, compiled: bool | None = None) -> Compilation | None:
        """What ``warm_up`` would have to compile, and how long that takes.

        Returns
        -------
        None if all of it is compiled, in this process or on disk.
        """
        loop = self._wants_loop(compiled)
        return missing(self.settings, self.problem, self.budget, loop)

    def _wants_loop(self, compiled: bool | None) -> bool:
        """Whether the compiled loop is to be used, as far as the problem allows it."""
        return self.compiled and compiled is not False

    def start_clock(self) -> None:
        """Let ``seconds`` run, if it does not run already."""
        if self._started is None:
            self._started = time.perf_counter()

    def stop_clock(self) -> None:
        """Let ``seconds`` stand until the next call of ``ask`` or ``run``."""
        self._seconds_before, self._started = self.seconds, None

    def run(self, evaluations: int) -> None:
        """Make evaluations in the compiled loop.

        Gives exactly what ``ask(1)``, evaluation and ``tell`` would give.

        Raises
        ------
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
        self.start_clock()
        self._run_compiled(evaluations)

    def run_one(self) -> Codes:
        """Make one evaluation in the compiled loop; return the codes of the solution.

        As ``run(1)``, for who wants to know what was evaluated.
        """
        self.start_clock()
        return self._run_compiled(1)

    def _run_compiled(self, rest: int) -> Codes:
        """Make ``rest`` evaluations; 0 only compiles. Returns the last solution."""
        n = self.problem.space.num_positions
        x, ticket = np.zeros(n, np.int64), np.zeros(LOOP_TICKET_SIZE, np.int64)
        y = np.empty(len(self.problem.outputs))
        while True:
            self._make_room()
            run = partial(self._engine.run, self.problem)
            done = self._call(run, x, y, ticket, rest)
            if done < 0:
                # What the objective gave at x is not a result; this says so.
                self.problem.read_outputs(y, self.problem.space.decode(x))
            rest -= done
            if rest == 0:
                return x

    # --- what came out

    def record(self) -> None:
        """Add the present state to the history."""
        from divlearn.metrics.hypervolume import MAX_OBJECTIVES, hypervolume

        problem = self.problem
        value = math.nan
        measurable = problem.num_objectives <= MAX_OBJECTIVES
        if problem.reference is not None and measurable:
            value = hypervolume(
                self.front_objectives, problem.reference, problem.ideal, problem.senses
            )
        row = (self.evaluations, self.seconds, self.front_size, value)
        for name, number in zip(self.history, row, strict=True):
            self.history[name].append(number)

    def result(self, stopped: str = "") -> Result:
        """Return everything found so far."""
        problem, m = self.problem, self.problem.num_objectives
        outputs, solutions = self._front_outputs(), self._front_solutions()
        return Result(
            X=[problem.space.decode(codes) for codes in solutions],
            F=outputs[:, :m],
            G=outputs[:, m:],
            evaluations=self.evaluations,
            seconds=self.seconds,
            seed=self.seed,
            method=self.method,
            stopped=stopped,
            history={name: list(values) for name, values in self.history.items()},
            problem=problem.name,
            objectives=dict(problem.objectives),
            constraints=problem.constraints,
            reference=problem.reference,
            ideal=problem.ideal,
            settings=self.settings.describe(),
            versions={"divlearn": __version__, "numpy": np.__version__},
            learned={
                "space": problem.space.describe(),
                **self._engine.learned(self._state, problem, self.settings),
            },
            counts=self._remarks.counts(self.evaluations, self._num_failed),
            failures=self._remarks.tally.reasons(),
            extras=self._remarks.extras_of(problem.extras, solutions),
        )

    # --- files

    def save(self, path: str | Path) -> None:
        """Write the whole state to a file; :meth:`load` continues from there."""
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
            The settings, needed only if they held experts or encodings of one's own.
        """
        return checkpoint.load(cls, path, problem, method)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle with the clock stopped."""
        attributes = vars(self) | {"_seconds_before": self.seconds, "_started": None}
        del attributes["_engine"]
        return attributes

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Unpickle; addresses are those of another process."""
        vars(self).update(attributes)
        self._engine = engine_for(self.settings)
        self._state = self._engine.renewed(self._state, self.settings)


def _listed(argument: str, entries: Any) -> list[Any]:
    """Turn ``entries`` into a list, or say that they are none."""
    try:
        if isinstance(entries, (str, bytes, Mapping)):
            raise TypeError
        return list(entries)
    except TypeError:
        raise InputError(
            f"{argument} must be a list with one entry per candidate, got {entries!r}."
        ) from None


def state_of(optimizer: Optimizer) -> Any:
    """The arrays of an optimizer, for tests and inspection."""
    return optimizer._state
