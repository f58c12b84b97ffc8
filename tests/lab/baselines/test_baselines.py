"""Baselines by one name: in solve, ask and tell, studies, files and benchmarks."""

import pickle
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines import BASELINES, AskTell, WholeSolver, baseline
from divlearn.lab.baselines.random_local_search import Moves
from divlearn.methods.names import all_methods, method_for, method_from
from divlearn.optimizer.optimizer import state_of
from divlearn.testing import check_baseline

SPACES = {
    "permutation": dl.Permutation(6),
    "subset": dl.Subset(8, min=2, max=5),
    "binary": dl.Binary(7),
    "mixed": dl.Composite(
        kind=dl.Categorical(["a", "b", "c"]),
        size=dl.Integer(1, 9, n=2),
        order=dl.Permutation(4),
    ),
}


def problem_over(space):
    """Two objectives over any space, one of them maximised."""

    def evaluate(x):
        codes = space.encode(x)
        ranks = np.arange(len(codes))
        return float(codes @ ranks), float(codes @ ranks[::-1])

    return dl.Problem(
        space, evaluate, {"a": "min", "b": "max"}, reference=(200, -1), ideal=(0, 200)
    )


@dataclass(frozen=True)
class Sweep(WholeSolver):
    """A method that evaluates some solutions and then ends by itself."""

    name: ClassVar[str] = "sweep"
    size: int = 10

    def solve(self, problem, ledger, seed):
        """Evaluate random solutions; the last one by compiled code, as it were."""
        for number in range(self.size):
            ledger.call_solver("dice")
            codes = problem.space.encode(problem.space.sample(seed + number))
            outputs = ledger.evaluate(codes)
        ledger.take(codes, outputs - 1.0)
        ledger.count(1)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "name", ["random", "pure-ucb", "pure-exp3", "pure-thompson", "rls"]
)
def test_the_simple_baselines_pass_the_shared_checks_on_every_space(name, space):
    """They need no extra and serve as controls everywhere."""
    check_baseline(name, problem_over(SPACES[space]), budget=30)


def test_every_baseline_has_a_line_and_is_listed_among_the_methods():
    """A name that is offered must lead somewhere."""
    for name, entry in BASELINES.items():
        assert all_methods()[name] == entry.about


def test_random_search_is_not_led_by_what_it_is_told():
    """The control draws the same solutions whatever they are worth."""
    problem = problem_over(SPACES["permutation"])
    first, second = (dl.Optimizer(problem, "random", seed=3) for _ in range(2))
    for _ in range(10):
        (one,), (other,) = first.ask(), second.ask()
        assert (one.codes == other.codes).all()
        first.tell(one, [0.0, 0.0])
        second.tell(other, None)


def test_a_bandit_returns_to_its_best_arm():
    """Learning shows: with few arms the best one is pulled most."""
    space = dl.Binary(12)
    problem = dl.Problem(space, lambda x: float(x.sum()), ["ones"])
    for name in ("pure-ucb", "pure-exp3", "pure-thompson"):
        optimizer = dl.Optimizer(problem, baseline(name).replace(arms=5), seed=1)
        pulled = []
        for _ in range(400):
            (candidate,) = optimizer.ask()
            pulled.append(int(candidate.x.sum()))
            optimizer.tell(candidate, [pulled[-1]])
        late = pulled[200:]
        assert late.count(min(pulled)) > 1.3 * len(late) / 5, name


def test_steps_of_the_random_local_search_shrink_and_spare_what_moved_last():
    """Long insertions first, neighbours in the end, and every item has its turn."""
    n, rng = 20, np.random.default_rng(0)
    moves, order = Moves(dl.Permutation(n), 0.5, rng), np.arange(n)
    far = [np.abs(moves.moved(order, 1.0) - order).max() for _ in range(40)]
    near = [np.abs(moves.moved(order, 0.0) - order).max() for _ in range(40)]
    assert max(far) > n // 2
    assert max(near) == 1
    bits = Moves(dl.Binary(9), 0.9, rng)
    rows = [bits.moved(np.zeros(9, int), 0.0) for _ in range(9)]
    assert (np.sum(rows, axis=0) == 1).all()


def test_a_custom_baseline_solves_in_one_go():
    """It ends by itself, counts what it did, and says so."""
    problem = problem_over(SPACES["binary"])
    result = dl.solve(problem, method=Sweep())
    assert result.evaluations == 11
    assert result.stopped == "the method came to its end"
    assert result.learned["solver_calls"] == {"dice": 10}
    assert result.method == "sweep"
    check_baseline(Sweep(), dl.problems.get("bitsp-20"))


def test_a_budget_stops_a_method_that_solves_in_one_go():
    """The budget holds exactly, with everything found kept."""
    result = dl.solve(problem_over(SPACES["binary"]), 4, method=Sweep(size=100))
    assert result.evaluations == 4
    assert len(result.X) >= 1
    assert result.learned["solver_calls"] == {"dice": 5}


def test_a_method_that_solves_in_one_go_cannot_be_asked_or_saved(tmp_path):
    """The message says what to use instead."""
    problem = problem_over(SPACES["binary"])
    optimizer = dl.Optimizer(problem, Sweep())
    with pytest.raises(dl.InputError, match=r"cannot be\s+asked"):
        optimizer.ask()
    with pytest.raises(dl.InputError, match="save its result"):
        optimizer.save(tmp_path / "state.npz")
    with pytest.raises(dl.InputError, match="cannot be asked"):
        dl.Study(problem, tmp_path / "a.db", method=Sweep())
    assert not (tmp_path / "a.db").exists()


def test_callbacks_see_every_evaluation_of_a_method_that_solves_in_one_go():
    """Users watch all methods in the same way."""
    seen = []
    dl.solve(
        problem_over(SPACES["binary"]),
        method=Sweep(),
        callbacks=lambda optimizer, candidate: seen.append(candidate.x),
    )
    assert len(seen) == 10


def test_an_error_of_the_objective_keeps_what_a_method_found_before():
    """Nothing already found is lost, by no method."""
    calls = []

    def evaluate(x):
        calls.append(x)
        if len(calls) > 3:
            raise RuntimeError("out of order")
        return float(x.sum()), 1.0

    problem = dl.Problem(dl.Binary(5), evaluate, ["a", "b"])
    with pytest.raises(dl.EvaluationError, match="out of order") as caught:
        dl.solve(problem, method=Sweep())
    assert caught.value.result.evaluations == 3


def test_an_optimizer_with_a_baseline_outlives_pickling():
    """The running search is asked and told again what it was before."""
    problem = dl.problems.get("bitsp-20")
    optimizer = dl.Optimizer(problem, "pure-ucb", seed=2)
    for _ in range(30):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    twin = pickle.loads(pickle.dumps(optimizer))
    assert (twin.ask()[0].codes == optimizer.ask()[0].codes).all()
    assert twin.evaluations == 30


def test_a_study_with_a_baseline_resumes_and_verifies(tmp_path):
    """Its options are in the file, so that nothing has to be said again."""
    problem = dl.problems.get("bitsp-20")
    method = baseline("pure-ucb").replace(arms=7)
    with dl.Study(problem, tmp_path / "a.db", method=method, seed=1) as study:
        study.run(budget=12, workers=1)
    with dl.Study(problem, tmp_path / "a.db") as study:
        study.run(budget=30, workers=1)
        assert study.verify()
        result = study.result()
    assert result.settings["arms"] == 7
    assert result.method == "pure-ucb"


def test_a_description_makes_the_same_baseline_again():
    """What a file says is enough for the built-in ones, and a clear error else."""
    method = baseline("pure-ucb").replace(width=0.5)
    assert method_from(method.describe()) == method
    with pytest.raises(dl.InputError, match="pass it again"):
        method_from(Sweep().describe())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: baseline("pure-ucb").replace(arm=3), "Did you mean 'arms'"),
        (lambda: baseline("pure-ucb").replace(arms=0), "arms must be"),
        (lambda: dl.solve(problem_over(dl.Binary(3)), 9, method="randm"), "'random'"),
    ],
)
def test_wrong_options_and_names_are_explained(call, words):
    """The message names the option and the nearest right one."""
    with pytest.raises(dl.InputError, match=words):
        call()


@dataclass(frozen=True)
class Forgetful(AskTell):
    """A method whose proposals do not depend on its seed alone."""

    name: ClassVar[str] = "forgetful"

    def start(self, problem, budget, seed):
        """Begin with a seed that nobody knows."""
        return method_for("random").start(problem, budget, next(SEEDS))


SEEDS = iter(range(10**6))


def test_the_shared_check_notices_a_method_that_does_not_repeat():
    """A check that cannot fail would be worth nothing."""
    with pytest.raises(AssertionError, match="same seed gave different fronts"):
        check_baseline(Forgetful(), problem_over(SPACES["permutation"]))


@dataclass(frozen=True)
class Slow(AskTell):
    """A method whose first proposals are quick and whose others are slow."""

    name: ClassVar[str] = "slow"

    def start(self, problem, budget, seed):
        """Draw solutions, after a while with a pause."""
        inner = method_for("random").start(problem, budget, seed)
        propose = inner.propose

        def slowed(count, numbers):
            time.sleep(0.05 * (numbers[0] >= 20))
            return propose(count, numbers)

        inner.propose = slowed
        return inner


def test_a_time_limit_holds_for_methods_that_become_slow():
    """After twenty quick candidates nobody may count on the next ones to be quick."""
    problem = dl.problems.get("bitsp-20")
    result = dl.solve(problem, seconds=0.2, method=Slow())
    assert 0 < result.evaluations <= 26


@pytest.mark.parametrize("given", ["stop", "optimizer", "both"])
def test_every_limit_holds_for_a_method_that_solves_in_one_go(given):
    """The budget is that of the search, wherever it was said."""
    problem = problem_over(SPACES["binary"])
    seen = []

    @dataclass(frozen=True)
    class Looking(Sweep):
        """Notes what it may spend."""

        name: ClassVar[str] = "looking"

        def solve(self, problem, ledger, seed):
            """Look, then sweep."""
            seen.append(ledger.left)
            super().solve(problem, ledger, seed)

    method = Looking(size=100)
    if given == "stop":
        result = dl.solve(problem, stop=dl.MaxEvaluations(6), method=method)
    elif given == "optimizer":
        optimizer = dl.Optimizer(problem, method, budget=3)
        result = dl.solve(problem, 6, optimizer=optimizer)
    else:
        result = dl.solve(problem, 9, stop=dl.MaxEvaluations(6), method=method)
    assert seen == [6]
    assert result.evaluations == 6
    assert result.stopped == "all 6 evaluations made"


def test_a_method_that_solved_in_one_go_does_not_do_so_again_unasked():
    """The same solutions would be counted twice."""
    problem = dl.problems.get("bitsp-20")
    optimizer = dl.Optimizer(problem, Sweep(), budget=5)
    dl.solve(problem, 5, optimizer=optimizer)
    with pytest.raises(dl.InputError, match="make a new one"):
        dl.solve(problem, 9, optimizer=optimizer)
    twin = pickle.loads(pickle.dumps(optimizer))
    assert (twin.result().F == optimizer.result().F).all()


def test_candidates_that_may_not_be_tried_count_as_failed_for_the_method():
    """A method that waited for them would wait for ever."""
    space = dl.Binary(6)
    problem = dl.Problem(
        space, lambda x: float(x.sum()), ["a"], valid=lambda x: bool(x[0])
    )
    optimizer = dl.Optimizer(problem, baseline("pure-ucb").replace(arms=40))
    for _ in range(20):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert len(state_of(optimizer).proposer._pull_of) == 0


def test_the_log_of_a_long_run_is_small():
    """Saved states of millions of evaluations must fit into memory."""
    problem = dl.problems.get("bitsp-20")
    optimizer = dl.Optimizer(problem, "random")
    optimizer.run(100)
    log = state_of(optimizer)._log
    held = len(log._events) * 8 + len(log._outputs) * 8 + len(log._codes)
    assert held <= 100 * (2 * 16 + 16 + 20)
