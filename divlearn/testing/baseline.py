"""What an optimizer relies on in every baseline."""

from __future__ import annotations

import random
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.errors import InvalidDesign
from divlearn.methods.names import method_for
from divlearn.methods.others.base import AskTell, OtherMethod, WholeSolver
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.optimizer import Optimizer
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.solver import solve
from divlearn.testing.part import check_description
from divlearn.testing.require import require

#: In the check of failures, one in this many evaluations fails.
FAILS_EVERY = 5
#: Candidates under way in the check of late answers.
UNDER_WAY = 7


def check_baseline(
    method: str | OtherMethod, problem: Problem, budget: int = 60, seed: int = 0
) -> None:
    """Check a method to compare with, on a problem that it can handle.

    The same seed gives the same run, whatever the global random state is. The budget is
    met exactly, or not reached by a method that ends by itself. An objective in Python
    is called as often as evaluations are counted. A method that can be asked proposes
    members of the space; takes answers in any order, late, never and for solutions from
    elsewhere; survives failures; and continues from a saved state as if it had never
    stopped.

    Parameters
    ----------
    method
        Name or object.
    problem
        What to search.
    budget
        Evaluations of each run.
    seed
        Seed of each run.

    Examples
    --------
    >>> import divlearn as dl
    >>> check_baseline("random", dl.problems.get("bitsp-20"))
    """
    chosen = method_for(method)
    require(isinstance(chosen, OtherMethod), f"{method!r} is not a baseline.")
    assert isinstance(chosen, OtherMethod)
    if not isinstance(method, str):
        held = chosen.describe().get("method")
        require(held == chosen.name, f"describe() must hold 'method': {chosen.name!r}.")
    else:
        check_description(chosen, "method")
    _check_runs(chosen, problem, budget, seed)
    if isinstance(chosen, AskTell):
        _check_answers(chosen, problem, budget, seed)
        _check_failures(chosen, problem, budget, seed)
        _check_saved(chosen, problem, budget, seed)


def _check_runs(method: OtherMethod, problem: Problem, budget: int, seed: int) -> None:
    """Two runs agree, and meet the budget."""
    with _counted(problem) as calls:
        first = solve(problem, budget, method=method, seed=seed)
    made = first.evaluations
    counted = problem.compiled is not None or len(calls) == made
    require(counted, f"{len(calls)} calls of the objective count as {made}.")
    with _other_chance():
        second = solve(problem, budget, method=method, seed=seed)
    _require_equal(first, second, "two runs with the same seed")
    if isinstance(method, WholeSolver):
        require(0 < made <= budget, f"{made} evaluations were made of {budget}.")
    else:
        require(made == budget, f"{made} evaluations were made instead of {budget}.")
    require(first.method == method.name, f"the result calls it {first.method!r}.")


@contextmanager
def _counted(problem: Problem) -> Iterator[list[Any]]:
    """Count calls of an objective in Python."""
    calls: list[Any] = []
    function = problem._function

    def evaluate(x: Any) -> Any:
        calls.append(None)
        return function(x)

    batch, problem._function, problem._batch = problem._batch, evaluate, None
    try:
        yield calls
    finally:
        problem._function, problem._batch = function, batch


@contextmanager
def _other_chance() -> Iterator[None]:
    """Disturb the global random states, which no method may use or change."""
    torch = sys.modules.get("torch")
    random.seed(4321)
    np.random.seed(4321)  # noqa: NPY002
    if torch is not None:
        torch.manual_seed(4321)
    before = _chance(torch)
    yield
    require(before == _chance(torch), "a global random state was used.")


def _chance(torch: Any) -> tuple[Any, ...]:
    """The global random states."""
    of_numpy = np.random.get_state()[1].tobytes()  # type: ignore[index] # noqa: NPY002
    of_torch = None if torch is None else torch.get_rng_state().numpy().tobytes()
    return random.getstate(), of_numpy, of_torch


def _check_answers(method: AskTell, problem: Problem, budget: int, seed: int) -> None:
    """Answers come late, in another order, in batches, or never."""

    def run() -> Result:
        problem.restart()
        optimizer = Optimizer(problem, method, seed, budget=budget)
        under_way: list[Candidate] = []
        dice = np.random.default_rng(seed)
        elsewhere = problem.space.sample(seed + 1)
        _tell_from_elsewhere(optimizer, elsewhere)
        while optimizer.evaluations < budget:
            while len(under_way) < UNDER_WAY:
                under_way += optimizer.ask(1 + len(under_way) % 3)
            _require_members(problem, under_way)
            candidate = under_way.pop(int(dice.integers(len(under_way))))
            if dice.random() < 0.9:  # the others are never answered
                optimizer.tell(candidate, _outputs(problem, candidate.x))
        return optimizer.result()

    _require_equal(run(), run(), "two runs with late answers")


def _check_failures(method: AskTell, problem: Problem, budget: int, seed: int) -> None:
    """Failures count, and the search continues, even if all fail at first."""
    optimizer = Optimizer(problem, method, seed, budget=budget)
    for number in range(budget):
        (candidate,) = optimizer.ask()
        fails = number < FAILS_EVERY or number % FAILS_EVERY == 0
        values = None if fails else _outputs(problem, candidate.x)
        optimizer.tell(candidate, values)
    made = optimizer.evaluations
    require(made == budget, f"{made} of {budget} evaluations count; some failed.")


def _check_saved(method: AskTell, problem: Problem, budget: int, seed: int) -> None:
    """A saved search continues as if it had never stopped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "state.npz")
        optimizer = Optimizer(problem, method, seed, budget=budget)
        _advance(optimizer, budget // 2)
        waiting = optimizer.ask(2)
        optimizer.save(path)
        other = Optimizer.load(path, problem, method)
        require(len(other.pending) == len(waiting), "pending candidates are lost.")
    for one in (optimizer, other):
        _advance(one, budget // 3)
    mine, theirs = optimizer.result(), other.result()
    _require_equal(mine, theirs, "a search and its saved twin")


def _advance(optimizer: Optimizer, count: int) -> None:
    """Evaluate deterministically: the same solution gives the same values."""
    for _ in range(count):
        (candidate,) = optimizer.ask()
        seed = zlib.crc32(candidate.codes.tobytes())
        m = optimizer.problem.num_objectives
        values = np.random.default_rng(seed).random(m)
        constraints = np.zeros(optimizer.problem.num_constraints)
        optimizer.tell(candidate, [*values, *constraints])


def _tell_from_elsewhere(optimizer: Optimizer, x: Any) -> None:
    """Tell of a solution that was not asked for, if it can be evaluated."""
    outputs = _outputs(optimizer.problem, x)
    if outputs is not None:
        optimizer.add(x, outputs)


def _outputs(problem: Problem, x: Any) -> Any:
    """Evaluate; None for a design that cannot be evaluated."""
    try:
        return problem.evaluate(x)
    except InvalidDesign:
        return None


def _require_members(problem: Problem, candidates: list[Candidate]) -> None:
    """Every candidate is a solution of the space."""
    for candidate in candidates:
        require(
            problem.space.contains(candidate.x),
            f"{candidate.x!r} was proposed, which is not in {problem.space!r}.",
        )


def _require_equal(one: Result, other: Result, what: str) -> None:
    """Fronts are equal bit for bit."""
    same = one.F.shape == other.F.shape and bool((one.F == other.F).all())
    require(same, f"{what} gave different fronts.")
    require(
        one.evaluations == other.evaluations,
        f"{what} made {one.evaluations} and {other.evaluations} evaluations.",
    )
