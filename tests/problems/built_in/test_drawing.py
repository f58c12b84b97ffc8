"""Families beyond the paper's: drawn by the published rules, with sensible points."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import hypervolume
from divlearn.problems import get
from divlearn.problems.built_in.drawing import correlated_uniform
from divlearn.testing import check_problem

NEW = [
    "bitsp-matrix",
    "conflicttsp",
    "biatsp",
    "maxtsp",
    "noisytsp",
    "qap",
    "biap",
    "triap",
    "dispatch",
    "bifsp",
    "jobshop",
    "bilop",
    "synkp",
    "ubqp",
    "mnk",
    "mixed",
]


@pytest.mark.parametrize("word", NEW)
def test_every_family_passes_the_checks_of_a_problem(word):
    """Compiled and called from Python, alone and in a search."""
    check_problem(get(f"{word}-7", instance=2), samples=8)


@pytest.mark.parametrize("word", NEW)
def test_the_same_number_is_the_same_instance_and_another_is_not(word):
    """Results of different people are about the same numbers."""
    one, same = get(f"{word}-12", instance=3), get(f"{word}-12", instance=3)
    other = get(f"{word}-12", instance=4)
    x = one.space.sample(0)
    assert_array_equal(one.evaluate(x), same.evaluate(x))
    assert one.describe() == same.describe()
    assert one.describe() != other.describe()
    assert_array_equal(one.reference, same.reference)
    assert_array_equal(one.ideal, same.ideal)
    assert (one.name, one.instance) == (f"{word}-12", 3)


@pytest.mark.parametrize("word", NEW)
def test_points_leave_room_above_a_random_sample_and_a_search(word):
    """A ratio near 0 or 1 would tell good searches from bad ones no longer."""
    problem = get(f"{word}-20", instance=1)
    solutions = [problem.space.sample(seed) for seed in range(1_000, 1_200)]
    values = problem.evaluate_batch(solutions)
    feasible = (values[:, problem.num_objectives :] <= 0.0).all(axis=1)
    found = values[feasible, : problem.num_objectives]
    random = hypervolume(found, problem.reference, problem.ideal, problem.senses)
    searched = dl.solve(problem, budget=2_000, method="paper-ts").hypervolume()
    assert 0.02 < random < 0.45
    assert 1.2 * random < searched < 0.85


@pytest.mark.parametrize(
    ("word", "reach"),
    [
        ("qap", 8.0),
        ("biap", 7.0),
        ("dispatch", 8.4),
        ("bifsp", 6.0),
        ("bilop", 6.8),
        ("synkp", 3.2),
        ("ubqp", 4.8),
        ("mnk", 4.8),
    ],
)
def test_points_are_deviations_of_random_solutions_away_from_their_mean(word, reach):
    """The published rule, whose reach grows with the root of N."""
    problem = get(f"{word}-16", instance=1)
    values = problem.evaluate_batch([problem.space.sample(s) for s in range(500)])
    mean, deviation = values.mean(axis=0)[:2], values.std(axis=0)[:2]
    assert_allclose(problem.reference, mean + problem.sign * 2.0 * deviation)
    assert_allclose(problem.ideal, mean - problem.sign * reach * deviation)


def test_points_exist_where_all_random_solutions_are_equal():
    """No order of these four jobs is late; small sizes have a reach of 3."""
    problem = get("bifsp-4", instance=1)
    assert problem.evaluate(range(4))[1] == 0.0
    assert (problem.reference[1], problem.ideal[1]) == (2.0, -3.0)


def test_random_distances_are_symmetric_uniform_and_fixed_by_the_instance():
    """The instances of the paper's diversity table, as docs/problems.md has them."""
    distances = get("bitsp-matrix-50", instance=3).distances
    drawn = np.random.default_rng(3).random((2, 50, 50))
    above = np.triu_indices(50, 1)
    for matrix, numbers in zip(distances, drawn, strict=True):
        assert_array_equal(matrix, matrix.T)
        assert_array_equal(matrix[above], numbers[above])
        assert_array_equal(np.diag(matrix), 0.0)


def test_random_distances_have_the_points_of_comparison_of_tours_on_maps():
    """Hypervolumes of both kinds of tours are on one scale."""
    problem, plain = get("bitsp-matrix-50"), get("bitsp-50")
    assert_array_equal(problem.reference, plain.reference)
    assert_array_equal(problem.ideal, plain.ideal)


def test_lengths_in_conflict_are_drawn_as_published():
    """Border cities are farther from the right for objective 1, from the left for 2."""
    problem = get("conflicttsp-12", instance=5, regions=3, alpha=2.5)
    places = np.random.default_rng(5).random((12, 2))
    strip = np.empty(12, int)
    strip[np.argsort(places[:, 0])] = np.repeat([0, 1, 2], 4)
    for i in range(12):
        for j in range(12):
            far = float(np.hypot(*(places[i] - places[j])))
            expected = [
                far * (2.5 if dear(places[:, 0], strip, side, i, j) else 1.0)
                for side in (1, 0)
            ]
            assert_allclose(problem.distances[:, i, j], expected)


def dear(across, strip, side, i, j):
    """Whether one city is at a border and the other in the strip on its ``side``."""
    for city, other in ((i, j), (j, i)):
        mine, here = across[strip == strip[city]], strip[city]
        at_right = here < 2 and across[city] == mine.max()
        at_left = here > 0 and across[city] == mine.min()
        if at_right and strip[other] == here + side:
            return True
        if at_left and strip[other] == here - 1 + side:
            return True
    return False


def test_lengths_without_a_conflict_are_the_same_length():
    """All disagreement of the two objectives comes from the borders."""
    problem = get("conflicttsp-20", instance=1, alpha=1)
    assert_array_equal(problem.distances[0], problem.distances[1])
    assert (get("conflicttsp-20", instance=1).distances >= problem.distances).all()


def test_tours_without_geometry_are_two_matrices_of_random_numbers():
    """Ideal 0, and a reference worse than most random tours."""
    problem = get("biatsp-9", instance=5)
    expected = np.random.default_rng(5).random((2, 9, 9))
    expected[:, range(9), range(9)] = 0.0
    assert_array_equal(problem.distances, expected)
    assert not problem.symmetric
    assert_array_equal(problem.ideal, [0, 0])


def test_the_longer_of_two_lengths_is_on_the_maps_of_a_tour_with_three():
    """One instance in two readings, with the points of tours."""
    problem, plain = get("maxtsp-9", instance=5), get("tritsp-9", instance=5)
    assert_array_equal(problem.coordinates, plain.coordinates)
    assert_array_equal(problem.reference, plain.reference[:2])
    first, second, third = plain.evaluate(range(9))
    assert_allclose(problem.evaluate(range(9)), [max(first, second), third])


def test_a_noisy_tour_is_the_tour_of_the_same_number():
    """So that what noise costs can be measured."""
    problem, plain = get("noisytsp-9", instance=5), get("bitsp-9", instance=5)
    assert_array_equal(problem.noise_free([range(9)]), [plain.evaluate(range(9))])
    assert_array_equal(problem.reference, plain.reference)
    assert (problem.level, problem.noise) == (0.05, True)
    assert get("noisytsp-9", noise=0.2).level == 0.2


def test_flow_shops_are_drawn_as_published():
    """First the times, then the due dates."""
    problem = get("bifsp-9", instance=5, machines=4)
    rng = np.random.default_rng(5)
    times = rng.integers(1, 100, (9, 4))
    assert_array_equal(problem.times, times)
    assert_array_equal(problem.due, times.sum(axis=1) * (1 + 3 * rng.random(9)))
    assert get("bifsp-9").times.shape == (9, 10)


def test_assignments_are_drawn_as_published():
    """Distances, then two flows, each what is above the diagonal."""
    problem = get("qap-9", instance=5)
    upper = np.triu(np.random.default_rng(5).integers(1, 100, (3, 9, 9)), 1)
    symmetric = upper + upper.transpose(0, 2, 1)
    assert_array_equal(problem.distances, symmetric[0])
    assert_array_equal(problem.flows, symmetric[1:])


def test_synergies_are_added_to_the_items_of_a_knapsack():
    """Weights and values of the plain family, then different pairs with bonuses."""
    problem, plain = get("synkp-30", instance=5), get("bikp-30", instance=5)
    assert_array_equal(problem.weights, plain.weights[:, 0])
    assert_array_equal(problem.values, plain.values)
    assert problem.capacity == 7.5
    assert len({tuple(pair) for pair in problem.pairs}) == 30
    assert (problem.pairs[:, 0] < problem.pairs[:, 1]).all()
    assert 0.0 < problem.bonuses.min() < problem.bonuses.max() < 1.0
    assert len(get("synkp-30", pairs=70).pairs) == 70


def test_quadratic_problems_have_the_density_and_correlation_asked_for():
    """Whole numbers from -100 to 100 in the same places for both objectives."""
    first, second = get("ubqp-150", density=0.3, rho=-0.6).matrices
    used = first[np.triu_indices(150)] != 0.0
    assert abs(used.mean() - 0.3) < 0.02
    assert not np.tril(first, -1).any()
    assert_array_equal(first, np.round(first))
    assert (first.min(), first.max()) == (-100, 100)
    both = np.stack([first, second])[:, (first != 0.0) | (second != 0.0)]
    assert abs(np.corrcoef(both)[0, 1] + 0.6) < 0.03


def test_landscapes_have_the_links_and_correlation_asked_for():
    """K other bits for each bit, contributions uniform in [0, 1]."""
    for k in (1, 2, 3, 4):
        problem = get("mnk-40", k=k, rho=0.5)
        assert problem.links.shape == (40, k)
        assert problem.contributions.shape == (2, 40, 2 ** (k + 1))
    both = get("mnk-300", k=4, rho=0.5).contributions.reshape(2, -1)
    assert abs(np.corrcoef(both)[0, 1] - 0.5) < 0.03
    assert abs(both.mean() - 0.5) < 0.01
    assert get("mnk-40").links.shape == (40, 2)


@pytest.mark.parametrize("rho", [-1.0, -0.4, 0.0, 0.9, 1.0])
def test_correlated_numbers_are_uniform_whatever_the_correlation(rho):
    """Deciles hold a tenth each, and the correlation is the one asked for."""
    u = correlated_uniform(np.random.default_rng(0), (20_000,), rho)
    assert abs(np.corrcoef(u)[0, 1] - rho) < 0.02
    for column in u:
        shares = np.histogram(column, bins=10, range=(0, 1))[0] / 20_000
        assert_allclose(shares, 0.1, atol=0.01)


def test_designs_are_a_third_of_each_kind():
    """With values as declared: letters, whole numbers, powers of two, switches."""
    problem = get("mixed-20", instance=2)
    parts = problem.space.parts
    assert [type(part).__name__ for part in parts.values()].count("Categorical") == 7
    assert problem.space.num_positions == 20
    assert parts["switches"] == dl.Binary(6)
    for name, part in parts.items():
        if isinstance(part, dl.Integer):
            assert part.low == 1
            assert 4 <= part.high <= 16
        elif isinstance(part, dl.Ordinal):
            assert part.values == [2**k for k in range(len(part.values))]
            assert 4 <= len(part.values) <= 16
        elif name != "switches":
            assert 3 <= len(part.values) <= 6
            assert part.values[0] == "a"
    assert problem.num_objectives == 4


def test_main_effects_of_designs_carry_the_published_share_of_the_variance():
    """Over all designs the sum has mean 0 and variance 1; levels act smoothly."""
    exact = get("mixed-20", instance=2).exact
    main = sum(np.square(effect).mean(axis=0) for effect in exact.effects)
    joint = sum(
        np.square(table).mean(axis=(0, 1)) for _, _, table in exact.interactions
    )
    assert_allclose(main, 0.7)
    assert_allclose(joint, 0.3)
    solutions = [exact.space.sample(seed) for seed in range(2_000)]
    sums = np.log(exact.evaluate_batch(solutions) / exact.scale) / exact.bend
    assert_allclose(sums.mean(axis=0), 0.0, atol=0.1)
    assert_allclose(sums.std(axis=0), 1.0, atol=0.1)
    count = exact.effects[7]  # the first position in order: a parabola in its steps
    assert_allclose(np.diff(count, n=3, axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mnk-5", {"k": 5}, "k must be below the number of bits, 5, got 5"),
        ("mnk-50", {"k": 0}, "k must be a whole number from 1 to 10, got 0"),
        ("mnk-50", {"rho": 1.5}, "rho must be a number from -1 to 1, got 1.5"),
        ("ubqp-50", {"rho": "x"}, "rho must be a number"),
        ("ubqp-50", {"density": -1}, "density must be a number from 0 to 1, got -1"),
        ("bifsp-50", {"machines": 0}, "machines must be a whole number from 1"),
        ("synkp-5", {"pairs": 11}, "pairs must be a whole number from 1 to 10, got 11"),
        ("noisytsp-5", {"noise": -1}, "noise must be a number of at least 0, got -1"),
        ("mixed-5", {"noise": None}, "noise must be a number of at least 0, got None"),
        ("conflicttsp-8", {"regions": 9}, "regions must be .* from 2 to 8, got 9"),
        ("conflicttsp-8", {"regions": 1}, "regions must be .* from 2 to 8, got 1"),
        ("conflicttsp-8", {"alpha": 0.5}, "alpha must be a number of at least 1, got"),
        ("mixed-3", {}, "size of mixed-N must be from 4"),
        ("mnk-50", {"K": 2}, "mnk-N has the options k, rho; got K"),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_possible(name, options, message):
    """Each message names the option, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        get(name, **options)
