import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from divlearn.methods.dl.kernels.front import measure_front
from divlearn.methods.dl.kernels.search.outlook import Outlook, predicted_gain, promises
from tests.kernels.dl.cases import archive_of

VALUES = st.integers(-8, 8).map(lambda k: k / 8)


@st.composite
def outlooks(draw):
    """A front, a solution with one constraint, and a predicted difference."""
    m = draw(st.integers(1, 4))
    rows = np.array(draw(st.lists(st.tuples(*[VALUES] * m), min_size=1, max_size=8)))
    archive, size = archive_of(rows)
    low, high = np.empty((2, m))
    measure_front(archive, size, low, high)
    y, delta = (np.array(draw(st.tuples(*[VALUES] * (m + 1)))) for _ in range(2))
    return rows, Outlook(archive, size, low, high, y, delta, np.empty(m + 1))


@given(outlooks())
def test_a_promise_is_feasible_and_covered_by_nobody(case):
    """Some objective must fall, too: else a member itself would promise something."""
    rows, outlook = case
    m = rows.shape[1]
    delta, after = outlook.delta.copy(), outlook.y + outlook.delta
    feasible = after[m] <= 0
    covered = any((row <= after[:m]).all() for row in rows)
    expected = feasible and not covered and (delta[:m] < 0).any()
    assert promises(outlook) == expected


@given(outlooks())
def test_a_predicted_gain_needs_a_feasible_solution_that_nobody_covers(case):
    """The same question, answered by a number."""
    rows, outlook = case
    m = rows.shape[1]
    after = outlook.y + outlook.delta
    found = predicted_gain(outlook)
    if after[m] > 0 or any((row <= after[:m]).all() for row in rows):
        assert found == 0.0
    elif m != 2 or (after[:m] < outlook.high).all():
        assert found > 0.0


def test_rounding_promises_nothing():
    """A member that is predicted to gain less than a billionth of the box."""
    rows = np.array([[0.0, 1.0], [1.0, 0.0]])
    archive, size = archive_of(rows)
    low, high = np.zeros(2), np.ones(2)
    for step, expected in ((1e-12, False), (1e-6, True)):
        delta = np.array([-step, 0.0])
        outlook = Outlook(archive, size, low, high, rows[1], delta, np.empty(2))
        assert promises(outlook) == expected
