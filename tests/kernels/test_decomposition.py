import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.kernels.schedule import begin_iteration
from divlearn.methods.paper.kernels.windows import (
    lay_windows,
    list_positions,
    multiplicity,
    note_centre,
    num_holding,
    num_subproblems,
)
from tests.kernels.cases import hashed_problem, new_search, small_settings, walk
from tests.reference import decomposition as reference


def state_with(n=20, distance=None, space=None, **division):
    """A search over n bits, or over any other space, divided as told."""
    problem = hashed_problem(space or dl.Binary(n), distance=distance)
    settings = dl.DivideAndLearn(decomposition=Decomposition(**division))
    return new_search(problem, settings)[1]


def listed(state, k, x=None):
    """Positions of subproblem ``k``."""
    state.control[0].subproblem = k
    x = np.zeros(len(state.layout.places), np.int64) if x is None else x
    return state.subset[: list_positions(state, x)].tolist()


@given(
    st.integers(1, 40),
    st.integers(1, 15),
    st.integers(0, 14),
    st.integers(1, 5000),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)
def test_windows_agree_with_the_definition(n, size, overlap, t, decay):
    """Every window, their number, and in how many of them each position lies."""
    size = min(n, size)
    overlap = min(overlap, size - 1)
    state = state_with(n, size=size, overlap=overlap, decay=decay)
    state.control[0].iteration = t
    lay_windows(state)
    expected = reference.windows(n, size, overlap, t, decay)
    assert num_subproblems(state) == len(expected)
    assert [listed(state, k) for k in range(len(expected))] == expected
    assert set().union(*expected) == set(range(n))
    for i in range(n):
        assert multiplicity(state, i) == reference.multiplicity(expected, i)


def test_overlap_diminishes_as_the_paper_says():
    """o_t = floor(o_0 t^-alpha), also where that is a whole number."""
    state = state_with(40, size=10, overlap=8, decay=0.5)
    overlaps = {}
    for t in (1, 2, 3, 4, 16, 64, 65):
        state.control[0].iteration = t
        lay_windows(state)
        overlaps[t] = 10 - int(state.control[0].stride)
    assert overlaps == {1: 8, 2: 5, 3: 4, 4: 4, 16: 2, 64: 1, 65: 0}


def test_without_windows_only_neighbourhoods_remain():
    """No position then lies in more than one window."""
    distance = abs(np.subtract.outer(np.arange(20.0), np.arange(20.0)))
    state = state_with(20, distance, size=5, windows=False, neighbourhoods=3)
    assert num_subproblems(state) == 3
    assert {multiplicity(state, i) for i in range(20)} == {1}


def test_groups_of_your_own_take_the_place_of_windows():
    """Each is listed in order, and counts where it holds a position."""
    groups = [[4, 0, 2], [1, 3], [2, 3, 4]]
    state = state_with(5, groups=groups)
    assert num_subproblems(state) == 3
    assert [listed(state, k) for k in range(3)] == [[0, 2, 4], [1, 3], [2, 3, 4]]
    assert [multiplicity(state, i) for i in range(5)] == [1, 1, 2, 2, 2]
    assert [num_holding(state, i, 0) for i in range(5)] == [1, 1, 2, 2, 2]


@given(st.integers(0, 99), st.integers(0, 3), st.booleans(), st.booleans())
def test_positions_are_counted_in_windows_and_drawn_neighbourhoods(
    seed, drawn, windows, items
):
    """Of the neighbourhoods only those that have begun in this iteration."""
    rng = np.random.default_rng(seed)
    n, size, order = 9, 4, rng.permutation(9)
    distance = rng.random((n, n))
    state = state_with(
        distance=distance,
        space=dl.Permutation(n) if items else dl.Binary(n),
        size=size,
        overlap=2,
        windows=windows,
        neighbourhoods=3,
    )
    centres = rng.integers(0, n, drawn)
    first = num_subproblems(state) - 3
    begin_iteration(state, 1)
    for q, centre in enumerate(centres):
        state.control[0].subproblem = first + q
        for c in (0, centre):  # drawn anew, as where nothing can move
            state.control[0].centre = c
            note_centre(state)
    near = [reference.nearest(distance, c, size) for c in centres]
    held = [sum(i in row for row in near) for i in (order if items else range(n))]
    laid = reference.windows(n, size, 2, 1, 0.1) if windows else []
    expected = [max(1, held[i] + reference.multiplicity(laid, i)) for i in range(n)]
    assert [num_holding(state, i, order[i]) for i in range(n)] == expected


def test_neighbourhoods_may_be_left_out_of_the_count():
    """As in the first version of this software."""
    distance = abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    options = {"size": 4, "windows": False, "neighbourhoods": 2}
    state = state_with(9, distance, count_neighbourhoods=False, **options)
    begin_iteration(state, 1)
    assert {num_holding(state, i, 0) for i in range(9)} == {1}


def test_centres_are_those_of_the_present_iteration():
    """Walking through iterations, every count follows from the centres drawn."""
    distance = abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    problem = hashed_problem(dl.Permutation(9), distance=distance)
    settings = small_settings(**{"decomposition.neighbourhoods": 2})
    optimizer, state = new_search(problem, settings)
    most = 0
    for _ in walk(optimizer, state, 60):
        centres = [int(c) for c in state.centres if c >= 0]
        near = [reference.nearest(distance, c, 4) for c in centres]
        counts = [sum(i in row for row in near) for i in range(9)]
        assert state.near.tolist() == counts
        most = max(most, len(centres))
    assert most == 2


@given(st.integers(0, 99), st.integers(2, 9), st.integers(1, 9))
def test_neighbour_subproblems_hold_the_nearest_positions(seed, n, size):
    """Positions stand for themselves where there is no permutation."""
    distance = np.random.default_rng(seed).random((n, n))
    state = state_with(n, distance, size=min(n, size), windows=False)
    for centre in range(n):
        state.control[0].centre = centre
        expected = reference.nearest(distance, centre, min(n, size))
        assert listed(state, 0) == sorted(expected)


@given(st.integers(0, 99), st.integers(2, 9), st.integers(2, 9))
def test_neighbouring_items_stand_where_the_solution_holds_them(seed, n, size):
    """In a tour the cities near a city are grouped, wherever they are visited."""
    rng = np.random.default_rng(seed)
    distance, order = rng.random((n, n)), rng.permutation(n)
    state = state_with(
        distance=distance, space=dl.Permutation(n), size=min(n, size), windows=False
    )
    for centre in range(n):
        state.control[0].centre = centre
        near = reference.nearest(distance, centre, min(n, size))
        expected = [i for i in range(n) if order[i] in near]
        assert listed(state, 0, order) == expected


def test_genes_beside_a_permutation_belong_to_every_neighbourhood():
    """A gene of another kind may concern any item."""
    space = dl.Composite(order=dl.Permutation(4), cap=dl.Integer(1, 3))
    distance = abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    state = state_with(distance=distance, space=space, size=2, windows=False)
    state.control[0].centre = 3
    assert listed(state, 0, np.array([2, 0, 3, 1, 0])) == [0, 2, 4]


def test_a_distance_of_another_size_is_refused():
    """Kernels trust it; a wrong one would write outside of their arrays."""
    with pytest.raises(dl.InputError, match="row for every item"):
        hashed_problem(dl.Permutation(5), distance=np.zeros((50, 50)))
    with pytest.raises(dl.InputError, match="row for every position"):
        hashed_problem(dl.Binary(5), distance=np.zeros((4, 4)))
