import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.archive import insert
from divlearn.methods.dl.kernels.front import measure_front
from divlearn.methods.dl.kernels.search.improvement import predicted_gain, promises
from tests.kernels.dl.cases import state_for

VALUES = st.integers(-8, 8).map(lambda k: k / 8)


def state_of(rows, y, delta):
    """A state with a front of ``rows``, and a member whose change is predicted."""
    m, size = rows.shape[1], 0
    names = [f"c{j}" for j in range(len(y) - m)]
    state = state_for(dl.Binary(2), m, constraints=names)
    for row in rows:
        outputs = np.r_[row, np.zeros(len(names))]
        size = max(size, insert(state.archive, size, np.zeros(2, np.int64), outputs))
    state.control.archive_size = size
    measure_front(state.archive, size, state.low, state.high)
    state.told[:], state.delta[:] = y, delta
    return state


@st.composite
def predictions(draw):
    """A front, and a solution with one constraint and a predicted difference."""
    m = draw(st.integers(1, 4))
    rows = np.array(draw(st.lists(st.tuples(*[VALUES] * m), min_size=1, max_size=8)))
    y, delta = (np.array(draw(st.tuples(*[VALUES] * (m + 1)))) for _ in range(2))
    return rows, state_of(rows, y, delta)


@given(predictions())
def test_a_promise_is_feasible_and_covered_by_nobody(case):
    """Some objective must fall, too: else a member itself would promise something."""
    rows, state = case
    m = rows.shape[1]
    delta, after = state.delta.copy(), state.told + state.delta
    feasible = after[m] <= 0
    covered = any((row <= after[:m]).all() for row in rows)
    expected = feasible and not covered and (delta[:m] < 0).any()
    assert promises(state) == expected


@given(predictions())
def test_a_predicted_gain_needs_a_feasible_solution_that_nobody_covers(case):
    """The same question, answered by a number."""
    rows, state = case
    m = rows.shape[1]
    after = state.told + state.delta
    found = predicted_gain(state)
    if after[m] > 0 or any((row <= after[:m]).all() for row in rows):
        assert found == 0.0
    elif m != 2 or (after[:m] < state.high).all():
        assert found > 0.0


def test_rounding_promises_nothing():
    """A member that is predicted to gain less than a billionth of the box."""
    rows = np.array([[0.0, 1.0], [1.0, 0.0]])
    for step, expected in ((1e-12, False), (1e-6, True)):
        state = state_of(rows, rows[1], np.array([-step, 0.0]))
        assert promises(state) == expected
