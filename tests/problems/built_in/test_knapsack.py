import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import Knapsack
from tests.reference import knapsack as reference

checked = settings(deadline=None, derandomize=True, max_examples=80)


@st.composite
def instances(draw):
    """Weights, values, capacities and a choice; tenths, so that sums round."""
    n, m, c = draw(st.integers(1, 10)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 9999)))
    weights = rng.integers(0, 8, (n, c)) / 10
    values = rng.random((n, m))
    capacity = np.maximum(0.1, np.round(weights.sum(axis=0) * rng.random(c), 1))
    return weights, values, capacity, rng.integers(0, 2, n)


def repaired(problem, choice):
    return problem.repair_codes(problem.space.encode(choice))


repairs = st.tuples(st.sampled_from(["random-drop", "efficiency"]), st.booleans())


@checked
@given(instances())
def test_outputs_are_the_values_and_the_raw_constraint_values(instance):
    """Objectives in the user's sense, then load minus capacity per constraint."""
    weights, values, capacity, choice = instance
    problem = Knapsack(weights, values, capacity)
    loads = [reference.total(choice, column) for column in weights.T]
    expected = [reference.total(choice, column) for column in values.T]
    assert_allclose(
        problem.evaluate(choice),
        [*expected, *(np.array(loads) - capacity)],
        atol=1e-12,
    )
    assert_allclose(problem.load(choice), loads, atol=1e-12)
    assert set(problem.senses) == {"max"}


@checked
@given(instances(), repairs)
def test_a_repaired_choice_is_feasible_to_the_last_bit(instance, repair):
    """The raw constraint values, which round like any sum, must not be above 0."""
    weights, values, capacity, choice = instance
    kind, fill = repair
    problem = Knapsack(weights, values, capacity, repair=kind, fill=fill)
    assert problem.constraints == ()
    raw = Knapsack(weights, values, capacity)
    outputs = raw.evaluate(repaired(problem, choice))
    assert (outputs[problem.num_objectives :] <= 0.0).all()


@checked
@given(instances(), repairs)
def test_a_repair_is_a_pure_function_that_changes_nothing_the_second_time(
    instance, repair
):
    """Else the same seed would not give the same run, nor ask/tell the same front."""
    weights, values, capacity, choice = instance
    kind, fill = repair
    problem = Knapsack(weights, values, capacity, repair=kind, fill=fill)
    first = repaired(problem, choice)
    repaired(problem, 1 - choice)  # another one in between
    assert_array_equal(repaired(problem, choice), first)
    assert_array_equal(repaired(problem, first), first)


@checked
@given(instances())
def test_random_drop_only_drops_and_stops_as_soon_as_the_rest_fits(instance):
    """The item that was dropped last did not fit."""
    weights, values, capacity, choice = instance
    problem = Knapsack(weights, values, capacity, repair="random-drop")
    after = repaired(problem, choice)
    assert (after <= choice).all()
    dropped = np.flatnonzero(after < choice)
    if len(dropped):
        raw = Knapsack(weights, values, capacity)
        eye = np.eye(len(choice), dtype=int)
        excess = [
            raw.evaluate(after + eye[j])[values.shape[1] :].max() for j in dropped
        ]
        assert max(excess) > 0.0


def test_random_drop_prefers_no_item():
    """4,000 choices, each one item too heavy: all items are dropped about equally."""
    problem = Knapsack(np.ones(40), np.ones((40, 2)), 20, repair="random-drop")
    rng = np.random.default_rng(0)
    times = np.zeros(40)
    for _ in range(4_000):
        choice = np.zeros(40, int)
        choice[rng.permutation(40)[:21]] = 1
        (item,) = np.flatnonzero(choice - repaired(problem, choice))
        times[item] += 1
    # 100 each, with a standard deviation of 10.
    assert times.min() >= 55
    assert times.max() <= 145


@checked
@given(instances())
def test_efficiency_repair_drops_the_least_efficient_first(instance):
    """Compares with the slow definition."""
    weights, values, capacity, choice = instance
    problem = Knapsack(weights, values, capacity, repair="efficiency")
    assert_array_equal(
        repaired(problem, choice),
        reference.drop_least_efficient(choice, weights, values, capacity),
    )


@checked
@given(instances())
def test_filling_adds_what_fits_by_efficiency(instance):
    """Compares with the slow definition, which weighs everything anew each time."""
    weights, values, capacity, choice = instance
    for repair in ("efficiency", "random-drop"):
        dropping = Knapsack(weights, values, capacity, repair=repair)
        filling = Knapsack(weights, values, capacity, repair=repair, fill=True)
        dropped = repaired(dropping, choice)
        assert_array_equal(
            repaired(filling, choice),
            reference.fill(dropped, weights, values, capacity),
        )


def test_items_are_near_if_values_and_weights_are_similar():
    """Each column counts by its share of the largest entry."""
    problem = Knapsack([1, 2, 2], [[4, 4], [4, 4], [0, 4]], 3)
    assert_allclose(
        problem.distance,
        [[0, 0.5, np.hypot(1, 0.5)], [0.5, 0, 1], [np.hypot(1, 0.5), 1, 0]],
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": [1, 2, 3]}, r"values must be an array of shape \(n, m\)"),
        ({"values": [[1, 2], [3, -4], [5, 6]]}, r"values\[1, 1\] = -4"),
        ({"weights": [1, 2]}, r"shape \(3,\) or \(3, c\).*got shape \(2,\)"),
        ({"weights": [1, 2, np.nan]}, r"weights\[2\] = nan"),
        ({"weights": [1, 2, -3]}, r"weights\[2\] = -3"),
        ({"capacity": 0}, "capacity must be positive, got 0"),
        ({"capacity": [1, 2]}, r"capacity must be one number, got shape \(2,\)"),
        ({"capacity": "big"}, "capacity must be one number, got 'big'"),
        ({"capacity": np.inf}, "capacity must hold finite numbers only"),
        ({"weights": np.ones((3, 2)), "capacity": 5}, "2 numbers, one per column"),
        ({"repair": "efficency"}, "Did you mean 'efficiency'"),
        ({"fill": True}, "fill=True needs a repair"),
        ({"fill": 1, "repair": "efficiency"}, "fill must be True or False, got 1"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(changes, message):
    """Each message names the argument, what was expected and what came."""
    right = {"weights": [1, 2, 3], "values": [[1, 2], [3, 4], [5, 6]], "capacity": 4}
    Knapsack(**right)
    with pytest.raises(InputError, match=message):
        Knapsack(**(right | changes))
