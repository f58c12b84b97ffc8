import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import (
    TourDistance,
    adjusted_diversity,
    diversity,
    knn_diversity,
    raw_diversity,
)
from tests.reference import slow_metrics

METRICS = [raw_diversity, adjusted_diversity, knn_diversity]
LINE = dl.Integer(0, 10)
fronts = st.integers(3, 8).flatmap(
    lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=9)
)


def test_raw_diversity_computed_by_hand():
    """Steps 1, 9 and 10 of 10 between 0, 1 and 10."""
    assert raw_diversity([0, 1, 10], LINE) == pytest.approx(20 / 3 / 10)


def test_adjusted_diversity_computed_by_hand():
    """The same times the natural logarithm of 4."""
    expected = 20 / 3 / 10 * math.log(4)
    assert adjusted_diversity([0, 1, 10], LINE) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (1, (1 + 1 + 2 + 6) / 4),  # 0-1, 1-0, 3-1, 9-3
        (2, (2 + 1.5 + 2.5 + 7) / 4),
        (3, (13 / 3 + 11 / 3 + 11 / 3 + 23 / 3) / 4),  # all others
        (9, (13 / 3 + 11 / 3 + 11 / 3 + 23 / 3) / 4),  # there are no more
    ],
)
def test_knn_diversity_computed_by_hand(k, expected):
    """The mean over the solutions 0, 1, 3 and 9 of the mean of k steps."""
    assert knn_diversity([0, 1, 3, 9], LINE, k=k) == pytest.approx(expected / 10)


def test_three_neighbours_are_the_default():
    """As in the paper."""
    solutions = [0, 1, 2, 3, 10]
    by_default = knn_diversity(solutions, LINE)
    assert by_default == knn_diversity(solutions, LINE, k=3)
    assert by_default != knn_diversity(solutions, LINE, k=2)


@given(fronts, st.integers(1, 4), st.booleans())
def test_diversity_of_tours_equals_its_definition(solutions, k, directed):
    """Agrees with edge sets and loops over all pairs, with repeats among them."""

    def slow(a, b):
        return slow_metrics.edge_jaccard(a, b, directed)

    distance, raw = TourDistance(directed), slow_metrics.raw_diversity(solutions, slow)
    assert raw_diversity(solutions, distance) == pytest.approx(raw, abs=1e-12)
    adjusted = raw * math.log(1 + len(solutions))
    assert adjusted_diversity(solutions, distance) == pytest.approx(adjusted, abs=1e-12)
    nearest = slow_metrics.knn_diversity(solutions, slow, k)
    assert knn_diversity(solutions, distance, k=k) == pytest.approx(nearest, abs=1e-12)


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=2))
def test_diversity_of_bits_equals_its_definition(solutions):
    """Agrees with the share of different bits and loops over all pairs."""

    def slow(a, b):
        return sum(x != y for x, y in zip(a, b, strict=True)) / 5

    space = dl.Binary(5)
    raw = slow_metrics.raw_diversity(solutions, slow)
    assert raw_diversity(solutions, space) == pytest.approx(raw)
    nearest = slow_metrics.knn_diversity(solutions, slow, 3)
    assert knn_diversity(solutions, space) == pytest.approx(nearest)


def test_diversity_of_a_mixture_uses_the_metric_of_the_space(tiny_mixed):
    """As a share of 10 (order) + 1 + 10 (widths) + 6 (chosen)."""
    solutions = [tiny_mixed.space.sample(seed) for seed in range(7)]

    def slow(a, b):
        return tiny_mixed.space.distance(a, b) / 27

    raw = slow_metrics.raw_diversity(solutions, slow)
    assert raw_diversity(solutions, tiny_mixed) == pytest.approx(raw)
    nearest = slow_metrics.knn_diversity(solutions, slow, 3)
    assert knn_diversity(solutions, tiny_mixed) == pytest.approx(nearest)


def test_a_function_is_called_for_every_pair():
    """What a solution's distance to itself is does not matter."""

    def distance(a, b):
        return 7.0 if a is b else abs(a - b)

    assert raw_diversity([0, 1, 10], distance) == pytest.approx(20 / 3)
    assert knn_diversity([0, 1, 10], distance, k=1) == pytest.approx(11 / 3)


def test_the_front_of_a_search_is_measured_as_it_comes(tiny_tour):
    """``result.X`` and the problem are all that is needed."""
    front = dl.solve(tiny_tour, budget=500, seed=0).X
    raw = slow_metrics.raw_diversity(front.tolist(), slow_metrics.edge_jaccard)
    assert raw_diversity(front, tiny_tour) == pytest.approx(raw)
    assert 0 < raw < 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solutions", [[], np.empty((0, 2)), [4], [4, 4], [4, 4, 4]])
def test_one_solution_or_repeats_of_it_have_no_diversity(metric, solutions):
    """A search that found nothing is measured, not refused."""
    assert metric(solutions, LINE) == 0


@pytest.mark.parametrize("metric", METRICS)
def test_blocks_make_no_difference(metric, monkeypatch):
    """Distances are held a few rows at a time."""
    solutions = [dl.Permutation(6).sample(seed) for seed in range(20)]
    whole = metric(solutions, TourDistance())
    monkeypatch.setattr(diversity, "BLOCK", 1)
    assert metric(solutions, TourDistance()) == pytest.approx(whole)


@pytest.mark.parametrize("metric", METRICS)
def test_large_fronts_are_estimated_from_evenly_spaced_solutions(metric):
    """Always the same estimate, close to the exact value."""
    solutions = np.sort(np.random.default_rng(0).integers(0, 1000, 400))
    space = dl.Integer(0, 999)
    exact, estimate = metric(solutions, space), metric(solutions, space, most=100)
    assert estimate != exact
    assert estimate == pytest.approx(exact, rel=0.15)
    assert metric(solutions, space, most=100) == estimate
    assert metric(solutions, space, most=400) == exact


def test_estimates_compare_the_chosen_ones_with_all_others():
    """Of 0, 1, 4, 6 and 10 the first, middle and last are chosen."""
    solutions = [0, 1, 4, 6, 10]
    raw = ((1 + 4 + 6 + 10) + (4 + 3 + 2 + 6) + (10 + 9 + 6 + 4)) / 12 / 10
    assert raw_diversity(solutions, LINE, most=3) == pytest.approx(raw)
    nearest = knn_diversity(solutions, LINE, k=1, most=3)
    assert nearest == pytest.approx((1 + 2 + 4) / 3 / 10)


def test_three_thousand_tours_of_a_hundred_cities_take_seconds_at_most():
    """The limit is generous: it takes a quarter of a second where nothing else runs."""
    rng = np.random.default_rng(0)
    solutions = rng.permuted(np.tile(np.arange(100), (3_000, 1)), axis=1)
    begun = time.process_time()
    raw_diversity(solutions, TourDistance())
    knn_diversity(solutions, TourDistance())
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("metric", METRICS)
def test_solutions_are_not_changed(metric):
    """What the caller passes in is the caller's."""
    solutions = np.array([[2, 0, 1], [0, 1, 2]])
    for distance in (TourDistance(), dl.Permutation(3)):
        metric(solutions, distance)
        assert_array_equal(solutions, [[2, 0, 1], [0, 1, 2]])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("solutions", "distance", "options", "message"),
    [
        (5, LINE, {}, "X needs the solutions one after another"),
        ({"a": 1}, LINE, {}, "X needs the solutions one after another"),
        ("01", LINE, {}, "X needs the solutions one after another"),
        ([1, 2], "hamming", {}, "distance must be a problem, a space or a function"),
        ([1, 2], None, {}, "distance must be a problem, a space or a function"),
        ([1, 20], LINE, {}, "lies between 0 and 10, got 20"),
        ([20], LINE, {}, "lies between 0 and 10, got 20"),  # also where there is one
        ([1, np.nan], LINE, {}, "needs whole numbers, got"),
        ([0, 1, 2], TourDistance(), {}, "X needs one tour per row"),
        ([1, 2], LINE, {"most": 0}, "most must be a whole number of at least 1"),
    ],
)
def test_wrong_arguments_are_named(metric, solutions, distance, options, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        metric(solutions, distance, **options)


@pytest.mark.parametrize("k", [0, -1, 1.5, "3"])
def test_k_is_a_whole_number_of_at_least_one(k):
    """The mean over no neighbours has no meaning."""
    with pytest.raises(InputError, match="k must be a whole number of at least 1"):
        knn_diversity([1, 2], LINE, k=k)
