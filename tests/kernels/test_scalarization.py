import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.paper.kernels.scalarization import better, scalarize, violation
from divlearn.methods.paper.scalarization import SCALARIZATIONS
from tests.kernels.cases import new_search

WEIGHTS = [[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]]
LOW, HIGH = np.array([-1.0, 0.0, 2.0]), np.array([3.0, 10.0, 2.0])


def state_with(name="weighted-sum", augmentation=0.05):
    """Three objectives with known bounds, the last of no width, two constraints."""
    problem = dl.Problem(
        dl.Binary(3), lambda x: (0,) * 5, ["a", "b", "c"], constraints=["g", "h"]
    )
    settings = dl.DivideAndLearn(
        scalarization=name, augmentation=augmentation, weights=WEIGHTS
    )
    state = new_search(problem, settings)[1]
    state.objectives.low, state.objectives.high = LOW, HIGH
    return state


outputs = st.tuples(
    st.floats(-1, 3), st.floats(0, 10), st.just(2.0), st.floats(-2, 2), st.floats(-2, 2)
).map(np.array)


@given(outputs, st.sampled_from(SCALARIZATIONS), st.integers(0, 1))
def test_costs_agree_with_the_formulas(y, name, w):
    """Normalised by the bounds; an objective without width says nothing."""
    state = state_with(name, augmentation=0.2)
    parts = np.array(WEIGHTS[w])[:2] * (y[:2] - LOW[:2]) / (HIGH[:2] - LOW[:2])
    expected = {
        "weighted-sum": parts.sum(),
        "tchebycheff": parts.max(),
        "augmented-tchebycheff": parts.max() + 0.2 * parts.sum(),
    }
    assert_allclose(scalarize(state, w, y), expected[name], atol=1e-12)


@given(outputs)
def test_violation_sums_what_lies_above_zero(y):
    """Constraints that hold do not make up for others."""
    expected = np.maximum(0, y[3:]).sum()
    assert_allclose(violation(state_with(), y), expected)


@given(outputs, outputs)
def test_better_means_less_violation_and_then_less_cost(y, z):
    """A feasible solution always beats an infeasible one."""
    state = state_with()
    mine, other = np.maximum(0, y[3:]).sum(), np.maximum(0, z[3:]).sum()
    if mine != other:
        assert better(state, 0, y, z) == (mine < other)
    else:
        assert better(state, 0, y, z) == (
            scalarize(state, 0, y) < scalarize(state, 0, z)
        )
    assert not better(state, 0, y, y)


@pytest.mark.parametrize("name", SCALARIZATIONS)
def test_costs_are_zero_at_the_lower_bounds(name):
    """The ideal point so far costs nothing; before any answer all cost the same."""
    state = state_with(name)
    assert scalarize(state, 0, np.append(LOW, [0, 0])) == 0
    state.objectives.low, state.objectives.high = np.inf, -np.inf
    assert scalarize(state, 0, np.array([5.0, 5, 5, 0, 0])) == 0
