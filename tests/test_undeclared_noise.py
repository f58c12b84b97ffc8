"""Noise that nobody declared is found by measuring one solution twice."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.checking import AFTER, NOTICE
from divlearn.methods.dl.kernels.arms.bandit import REPEAT
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.search_cases import ones_and_zeros

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="too slow in plain Python")
QUICK = dl.DL(gp_candidates=0, initial=10)
#: The Gaussian process makes some candidates before and after the check.
FIRST = dl.DL(gp_candidates=25, initial=10)
SPACES = {"bits": dl.Binary(14), "order": dl.Permutation(7)}


def exact(x):
    """Two values that depend on nothing but x."""
    place = np.arange(1, 1 + len(x))
    return float(place @ x), float(place[::-1] @ (x * x) % 17)


def noisy():
    """The same values, each time a little off."""
    rng = np.random.default_rng(0)
    return lambda x: tuple(np.array(exact(x)) * (1.0 + 0.05 * rng.random(2)))


class Said:
    """A display that remembers what it was told."""

    def __init__(self):
        self.messages = []

    def compiling(self, what, seconds):
        """Pass over it."""

    def start(self, optimizer, budget, seconds):
        """Pass over it."""

    def update(self, optimizer):
        """Pass over it."""

    def say(self, message):
        """Remember it."""
        self.messages.append(message)

    def finish(self):
        """Pass over it."""


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("method", [QUICK, FIRST], ids=["tables", "gp"])
def test_an_exact_problem_pays_one_evaluation_and_goes_on_as_declared(space, method):
    """The second measurement leaves no trace but its count."""
    asked, declared = (
        dl.solve(dl.Problem(space, exact, ["a", "b"], noise=n), budget=b, method=method)
        for n, b in ((None, 61), (False, 60))
    )
    assert_array_equal(asked.F, declared.F)
    assert [x.tolist() for x in asked.X] == [x.tolist() for x in declared.X]
    assert asked.learned["evaluations_by_kind"]["repeat"] == 1
    assert asked.learned["noise"].startswith("none found")
    assert "noise" not in declared.learned


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("method", [QUICK, FIRST], ids=["tables", "gp"])
def test_noise_is_found_and_told_and_means_are_compared(space, method):
    """From then on it is as if it had been declared."""
    said = Said()
    problem = dl.Problem(space, noisy(), ["a", "b"])
    result = dl.solve(problem, budget=220, method=method, progress=said)
    assert said.messages == [NOTICE]
    assert result.learned["noise"].startswith("found")
    assert result.learned["repeated_measurements"] > 8
    assert result.learned["measurements_per_member"]["most"] > 1
    assert "different values" in result.explain()


def test_one_repeat_in_the_first_tenth_of_the_budget():
    """Whatever is declared, or too few evaluations, cost nothing."""

    def repeats(budget, **options):
        calls = []

        def evaluate(x):
            calls.append(x.tobytes())
            return exact(x)

        problem = dl.Problem(dl.Binary(14), evaluate, ["a", "b"], **options)
        dl.solve(problem, budget=budget, method=QUICK)
        seen = set()
        return [k for k, x in enumerate(calls, 1) if x in seen or seen.add(x)]

    assert repeats(40) == [4]
    assert repeats(400)[0] == AFTER + 1
    assert repeats(19) == []
    assert repeats(50, noise=False) == []
    assert len(repeats(100, noise=True)) > 1


def test_compiled_objectives_are_exact_unless_they_say_otherwise():
    """Built-in problems pay nothing."""
    problem = dl.problems.get("ubqp-20")
    assert problem.noise is False
    assert dl.problems.get("noisytsp-8").noise is True
    assert dl.Problem(dl.Binary(3), ones_and_zeros, ["a", "b"]).noise is None
    optimizer = dl.Optimizer(problem, QUICK, budget=200)
    optimizer.run(60)
    assert state_of(optimizer).arms[REPEAT].tries == 0


def test_rounding_is_no_noise():
    """Sums in another order differ in their last digits."""
    signs = itertools.cycle([1.0, 1.0 + 1e-15, 1.0 - 1e-15])
    problem = dl.Problem(
        dl.Binary(14), lambda x: tuple(next(signs) * v for v in exact(x)), ["a", "b"]
    )
    result = dl.solve(problem, budget=60, method=QUICK)
    assert result.learned["noise"].startswith("none found")


def test_nothing_feasible_is_checked_as_well():
    """The solution of least violation is measured twice."""
    rng = np.random.default_rng(0)
    problem = dl.Problem(
        dl.Binary(14),
        lambda x: (*exact(x), 1.0 + rng.random()),
        ["a", "b"],
        constraints=["c"],
    )
    optimizer = dl.Optimizer(problem, QUICK, budget=300)
    ask_and_tell(optimizer, 40)
    assert optimizer.search.noisy


def test_answers_may_be_late_and_batches_large():
    """Nothing is asked again before there is an answer, and only once."""
    problem = dl.Problem(dl.Binary(14), exact, ["a", "b"])
    optimizer = dl.Optimizer(problem, QUICK, budget=300, seed=2)
    first = optimizer.ask(30)
    assert len({c.codes.tobytes() for c in first}) == 30
    for candidate in first:
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    (again,) = optimizer.ask()
    assert optimizer.search.measures_again(again.ticket)
    rest = optimizer.ask(5)
    assert not any(optimizer.search.measures_again(c.ticket) for c in rest)
    for candidate in (*rest, again):
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert optimizer.evaluations == 36


@pytest.mark.parametrize("stop", [25, 60])
def test_a_saved_search_remembers_what_it_found(tmp_path, stop):
    """Before the check is answered, and after noise was found."""
    problem = dl.Problem(dl.Binary(14), noisy(), ["a", "b"])
    optimizer = dl.Optimizer(problem, QUICK, budget=400, seed=1)
    ask_and_tell(optimizer, stop)
    optimizer.ask(2)
    optimizer.save(tmp_path / "state.npz")
    again = dl.Optimizer.load(tmp_path / "state.npz", problem, method=QUICK)
    assert differing_arrays(optimizer, again) == []
    assert again.search.notices == optimizer.search.notices
    assert again.evaluations == optimizer.evaluations
    for one in (optimizer, again):
        one.problem = dl.Problem(dl.Binary(14), exact, ["a", "b"])
    ask_and_tell(again, 30)


def test_a_study_measures_again_and_continues_where_it_was(tmp_path):
    """Equal designs are not evaluated twice, but for what the search asks for."""
    path = tmp_path / "study.db"
    problem = dl.Problem(dl.Binary(14), noisy(), ["a", "b"], name="noisy")
    said = Said()
    with dl.Study(problem, path, method=QUICK, seed=1) as study:
        study.run(budget=60, progress=said)
    assert said.messages == [NOTICE]
    with dl.Study(problem, path, method=QUICK, seed=1) as study:
        result = study.run(budget=90)
    assert result.learned["noise"].startswith("found")
    assert result.counts.get("reused", 0) == 0
    assert result.learned["repeated_measurements"] > 3


def test_a_study_that_reuses_answers_is_taken_at_its_word(tmp_path):
    """Who says that equal designs have equal values gets no second measurement."""
    problem = dl.Problem(dl.Binary(14), noisy(), ["a", "b"], name="noisy")
    with dl.Study(problem, tmp_path / "study.db", method=QUICK, seed=1) as study:
        result = study.run(budget=60, duplicates="reuse")
    assert result.learned["noise"].startswith("none found")
    assert result.counts["reused"] == 1
