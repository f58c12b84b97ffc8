"""Values of any size, and parts of a method that raise."""

import numpy as np
import pytest
from numba import njit

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.methods.paper.experts import EXP3, Expert, Mixture
from divlearn.optimizer.stop import HypervolumeStagnation
from divlearn.problems.compiled import Compiled
from tests.custom_encodings import Colours
from tests.search_cases import two_counts

LARGEST = np.finfo(float).max


def random_values(space, scale, seed=1, **options):
    """A problem whose two objectives are drawn at random, once per solution."""
    rng, known = np.random.default_rng(seed), {}

    def evaluate(x):
        key = space.encode(x).tobytes()
        return known.setdefault(key, scale * rng.uniform(-1, 1, 2))

    return dl.Problem(space, evaluate, ["a", "b"], **options)


@pytest.mark.parametrize("scale", [LARGEST, 8e307, 1e-308])
@pytest.mark.parametrize("method", ["dl", "paper-ucb", "nsga2"])
def test_a_search_goes_on_where_values_are_as_large_as_a_float_can_be(scale, method):
    """All of a small space is seen, and the front is the true one."""
    problem = random_values(dl.Integer(-5, 5), scale)
    result = dl.solve(problem, 80, method=method, seed=1)
    values = np.array([problem.evaluate(x) for x in range(-5, 6)])
    expected = values[dl.metrics.non_dominated(values)]
    assert sorted(result.F.tolist()) == sorted(expected.tolist())
    assert "nan" not in result.summary()


def test_the_usual_penalty_of_a_failed_design_does_not_hurt_the_search():
    """The largest float beside ordinary values: what is found is what is there."""

    def evaluate(x):
        return (LARGEST, LARGEST) if x[0] and x[1] else (x.sum(), (~x).sum())

    result = dl.solve(dl.Problem(dl.Binary(6), evaluate, ["ones", "zeros"]), 200)
    assert sorted(result.F[:, 0]) == [0, 1, 2, 3, 4, 5]


def test_members_that_differ_in_the_last_digit_are_told_apart_at_any_size():
    """Learning sees less than the archive, which compares what was measured."""
    steps = [1e300 * (1 + k * 2.0**-50) for k in range(5)]
    problem = dl.Problem(dl.Integer(0, 4), lambda x: (steps[x], -steps[x]), ["a", "b"])
    assert sorted(dl.solve(problem, 40).F[:, 0]) == steps
    three = dl.Problem(
        dl.Integer(0, 4), lambda x: (steps[x], -steps[x], 0), list("abc")
    )
    assert sorted(dl.solve(three, 40).F[:, 0]) == steps


def test_a_violation_larger_than_any_number_is_reported_as_a_number():
    """The sum of two largest floats is told as one of them."""
    problem = dl.Problem(
        dl.Binary(3), lambda x: (1.0, LARGEST, LARGEST), ["a"], constraints=["b", "c"]
    )
    told = dl.solve(problem, 9).learned["least_violation"]
    assert told["sum_of_violations"] == LARGEST


def test_the_mean_of_measurements_as_large_as_floats_is_one_too():
    """Repeated measurements of a noisy problem jump from one end to the other."""
    rng = np.random.default_rng(2)
    problem = dl.Problem(
        dl.Binary(2), lambda x: LARGEST * rng.choice([-1, 1], 2), ["a", "b"], noise=True
    )
    assert np.isfinite(dl.solve(problem, 120).F).all()


def test_a_history_of_huge_values_has_numbers_and_can_stagnate():
    """Hypervolumes by the box, and growth where no volume is a number."""
    problem = random_values(
        dl.Integer(0, 9_999), LARGEST, reference=[LARGEST] * 2, ideal=[-LARGEST] * 2
    )
    stop = HypervolumeStagnation(100, relative=0.5)
    result = dl.solve(problem, 1_000, method="random", stop=stop)
    assert 0 < result.history["hypervolume"][-1] < 1
    assert "hypervolume grew by" in result.stopped


# --- what raises


class Divides(Expert):
    """An expert that divides by 0 once an action was tried."""

    name = "divides"

    @staticmethod
    def score(known, options):
        """Raises in the end."""
        return 1.0 / (known.visits - 2.0)


class Reaches(Colours):
    """An encoding that looks beyond its room for one solution."""

    @staticmethod
    def list_actions(x, actions):
        """Raises where all codes are 1."""
        for i in range(len(x)):
            actions[i] = x[i]
        return actions[len(actions)] if x.sum() == len(x) else len(x)


@njit
def count_both(x, table, y):
    """Ones and zeros."""
    y[0], y[1] = x.sum(), (1 - x).sum()


def compiled_counts():
    """A problem for the compiled loop."""
    compiled = Compiled(count_both, np.zeros((1, 1)))
    return dl.Problem(dl.Binary(6), None, ["a", "b"], compiled=compiled)


@pytest.mark.parametrize("make", [compiled_counts, two_counts])
def test_an_expert_that_raises_ends_the_search_with_all_that_was_found(make, capfd):
    """In words that blame the method, and nothing is printed and passed over."""
    method = method_for("paper-ts").replace(mixture=Mixture((Divides(), EXP3())))
    with pytest.raises(
        dl.SearchError, match=r"raised ZeroDivisionError.* \.result"
    ) as e:
        dl.solve(make(), 5_000, method=method)
    assert len(e.value.result.F) > 0
    assert e.value.result.stopped == "the method failed"
    assert isinstance(e.value.__cause__, ZeroDivisionError)
    assert "Exception ignored" not in "".join(capfd.readouterr())


def test_an_encoding_that_raises_ends_the_search_with_all_that_was_found():
    """Which asks and tells as any other one before."""
    method = method_for("dl").replace(custom_encodings=(Reaches(),), gp_candidates=0)
    with pytest.raises(dl.SearchError, match="raised IndexError") as caught:
        dl.solve(two_counts(), 500, method=method)
    assert len(caught.value.result.F) > 0


def test_a_compiled_objective_that_raises_is_blamed_itself():
    """Not the method, and with the solution that did it."""

    @njit
    def raises(x, table, y):
        y[0] = 1.0 / (x.sum() - 3.0)
        y[1] = 0.0

    compiled = Compiled(raises, np.zeros((1, 1)))
    problem = dl.Problem(dl.Binary(6), None, ["a", "b"], compiled=compiled)
    for method in ("paper-ts", "dl"):
        with pytest.raises(dl.EvaluationError, match="the objective raised") as caught:
            dl.solve(problem, 500, method=method)
        assert sum(caught.value.x) == 3
