import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import divlearn as dl
from divlearn.lab.bench.record import (
    CODES,
    VALUES,
    pack,
    pack_solutions,
    unpack,
    unpack_solutions,
)
from divlearn.lab.bench.work import front_size
from divlearn.metrics import num_non_dominated
from divlearn.problems import TSP, get

SHAPES = arrays.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5)


@given(arrays.arrays(np.int64, SHAPES))
def test_whole_numbers_survive_being_packed(array):
    """They are made smaller on the way, and must not lose anything by that."""
    np.testing.assert_array_equal(unpack(pack(array)), array)


@given(arrays.arrays(np.float64, SHAPES, elements=st.floats(allow_nan=False)))
def test_other_numbers_keep_every_bit(array):
    """Hypervolumes of stored fronts must be those of the run."""
    assert unpack(pack(array)).tobytes() == array.tobytes()


def test_small_numbers_take_little_room():
    """A front of tours through 100 cities is 8 times as large otherwise."""
    tours = np.tile(np.arange(100), (40, 1))
    assert len(pack(tours)) < 100 * 40 + 200


@pytest.mark.parametrize(
    ("name", "form"),
    [("bitsp-9", VALUES), ("bikp-9", VALUES), ("bicvrp-9", CODES)],
)
def test_solutions_come_back_as_the_user_declared_them(name, form):
    """So that any measure of a front can be taken later."""
    problem = get(name)
    result = dl.solve(problem, 200)
    content, packed = pack_solutions(result.X, problem)
    assert packed == form
    back = unpack_solutions(content, packed, problem)
    for x, y in zip(result.X, back, strict=True):
        assert type(y) is type(x)
        np.testing.assert_array_equal(problem.evaluate(y), problem.evaluate(x))


def test_no_solution_at_all_is_packed_too():
    """A search may find nothing feasible."""
    problem = get("bicvrp-9")
    assert unpack_solutions(*pack_solutions([], problem), problem) == []


def test_one_tour_from_two_starts_counts_once():
    """The number of solutions is that of different ones."""
    problem = TSP([[[0, 0], [0, 1], [1, 1], [1, 0]]] * 2)
    tours = [[0, 1, 2, 3], [1, 2, 3, 0], [3, 2, 1, 0]]
    result = dl.Result(tours, [[4.0, 4.0]] * 3, objectives=["a", "b"])
    assert front_size(result, problem) == 1


def test_solutions_are_counted_as_the_metric_counts_them():
    """The shortcut for fronts whose points all differ is a shortcut only."""
    problem = get("tritsp-20")
    result = dl.solve(problem, 2_000)
    expected = num_non_dominated(result.F, X=list(result.X), problem=problem)
    assert front_size(result, problem) == expected == len(result.F)
