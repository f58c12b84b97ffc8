"""Constants of the theory, on instances where they are known."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.lab.theory.additivity import explained
from divlearn.lab.theory.samples import Scale, sampled_scale
from divlearn.lab.theory.stability import lipschitz, sample_changes, tightest
from divlearn.lab.theory.toys import AdditiveToy, random_toy
from divlearn.methods.paper.cover import diameter, overlaps, window_cover
from divlearn.methods.paper.kernels.windows import (
    list_positions,
    multiplicity,
)
from divlearn.problems import get
from divlearn.testing import check_problem

UNIT = Scale(np.zeros(1), np.ones(1), np.ones(1))


@pytest.mark.parametrize(
    ("n", "size", "overlap"), [(20, 15, 6), (100, 35, 18), (9, 9, 4)]
)
def test_windows_are_those_of_the_search(n, size, overlap):
    """The theory speaks of the subproblems that the method really has."""
    method = dl.DivideAndLearn().replace(
        **{"decomposition.size": size, "decomposition.overlap": overlap}
    )
    state = method.begin(random_toy(n, 2), 100, 0).state
    cover = window_cover(n, size, overlap)
    found = []
    for k in range(int(state.control["num_windows"][0])):
        state.control["subproblem"][0] = k
        count = list_positions(state, np.zeros(n, np.int64))
        found.append(state.subset[:count].tolist())
    assert found == [window.tolist() for window in cover.subproblems]
    assert [multiplicity(state, i) for i in range(n)] == cover.multiplicities.tolist()


def test_facts_of_a_cover_are_counts_over_its_windows():
    """Windows 0-3, 2-5 and 4-6 over seven positions."""
    cover = window_cover(7, 4, 2)
    assert (
        cover.num_subproblems,
        cover.widest_overlap,
        cover.greatest_multiplicity,
    ) == (3, 2, 2)
    assert_array_equal(cover.shared, [2, 3, 4, 5])
    assert_array_equal(cover.shared_per_subproblem, [2, 4, 2])


def test_a_single_window_shares_nothing():
    """A problem that is not divided has no overlap, whatever was asked for."""
    cover = window_cover(5, 5, 3)
    assert (cover.num_subproblems, cover.widest_overlap, len(cover.shared)) == (1, 0, 0)


def test_overlaps_diminish_by_the_papers_formula():
    """Whole powers are not rounded down by an error of the last bit."""
    assert_array_equal(overlaps(8, 0.5, 16)[[0, 3, 15]], [8, 4, 2])
    assert_array_equal(overlaps(5, 0.0, 4), [5, 5, 5, 5])


@pytest.mark.parametrize("positions", [(0, 1, 2), (1, 3), (0, 2, 4), (0, 4)])
def test_the_diameter_of_positions_is_the_greatest_distance_of_all_orders(positions):
    """Tried out on all orders of the items at these positions of five."""
    space, where = dl.Permutation(5), list(positions)
    greatest = 0.0
    for items in itertools.permutations(where):
        other = np.arange(5)
        other[where] = items
        greatest = max(greatest, space.distance(np.arange(5), other))
    assert diameter(space, np.array(positions)) == greatest


def test_the_diameter_of_values_counts_positions_and_steps():
    """Hamming distance for bits, steps for ordered values."""
    space = dl.Composite(on=dl.Binary(3), level=dl.Integer(1, 9))
    assert diameter(space, np.array([1, 2, 3])) == 2 + 8


@pytest.mark.parametrize("permutation", [False, True])
def test_an_additive_problem_passes_the_checks_and_has_the_optimum_of_all(permutation):
    """The optimum is that of all solutions, tried one by one."""
    toy = random_toy(4, 4, permutation, seed=2)
    check_problem(toy, samples=8)
    tuples = itertools.product(range(4), repeat=4)
    allowed = [x for x in tuples if not permutation or len(set(x)) == 4]
    best = max(float(toy.evaluate(list(x))[0]) for x in allowed)
    assert_allclose(toy.best_value(), best)


@pytest.mark.parametrize(
    ("worths", "permutation", "message"),
    [
        ([[0.1, 1.2]], False, "worths must be a matrix of numbers from 0 to 1"),
        ([0.1, 0.2], False, "worths must be a matrix"),
        ([[0.1, 0.2]], True, "as many actions as positions, got 1 positions and 2"),
    ],
)
def test_worths_that_make_no_problem_are_refused(worths, permutation, message):
    """Each message says what is expected."""
    with pytest.raises(InputError, match=message):
        AdditiveToy(worths, permutation)


def test_the_slope_of_an_additive_problem_is_found_and_there_is_no_coupling():
    """A bit flip changes the mean worth by 1 / n: L = 1/8, C = 0."""
    toy = AdditiveToy(np.tile([0.0, 1.0], (8, 1)))
    changes = sample_changes(toy, UNIT, window_cover(8, 5, 2), moves=6, count=300)
    assert_allclose(lipschitz(changes), 1 / 8)
    assert_allclose(tightest(changes), [1 / 8, 0.0], atol=1e-9)
    assert_allclose(changes.units, 1 / 8)


def test_changes_stay_inside_their_windows():
    """So that distances are at most the diameter of a window."""
    problem = get("bitsp-12")
    scale = sampled_scale(problem, np.array([0.5, 0.5]), 200)
    changes = sample_changes(
        problem, scale, window_cover(12, 4, 2), moves=40, count=200
    )
    assert changes.distance.max() <= 6
    assert set(changes.shared) == {2, 4}


def test_a_sum_over_positions_is_explained_and_its_control_is_not():
    """All of the variance against none."""
    found = explained(random_toy(6, 3), UNIT, count=400)
    assert found.positions > 0.9999
    assert found.control < 0.1
    assert np.isnan(found.adjacency)


def test_positions_explain_nothing_of_a_tour_and_neighbours_explain_all():
    """Every rotation of a tour is as long: a city's place alone means nothing."""
    problem = get("bitsp-8")
    found = explained(problem, sampled_scale(problem, np.array([0.5, 0.5]), 200), 1_500)
    assert abs(found.positions) < 0.1
    assert found.adjacency > 0.9999
