import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import solution_distance
from divlearn.problems import Noisy, get


@pytest.fixture
def tour():
    """A tour of 12 cities without noise."""
    return get("bitsp-12")


def test_errors_are_normal_with_the_level_as_their_share_of_the_value(tour):
    """4,000 evaluations of one solution: mean, deviation, symmetry, independence."""
    problem = Noisy(tour, level=0.1, seed=3)
    x = tour.space.sample(1)
    z = np.array([problem.evaluate(x) for _ in range(4_000)]) / tour.evaluate(x) - 1.0
    assert_allclose(z.mean(axis=0), 0.0, atol=0.005)
    assert_allclose(z.std(axis=0), 0.1, rtol=0.05)
    assert_allclose((z > 0.1).mean(axis=0), 0.1587, atol=0.02)  # beyond one deviation
    assert abs(np.corrcoef(z.T)[0, 1]) < 0.05
    assert abs(np.corrcoef(z[1:, 0], z[:-1, 0])[0, 1]) < 0.05


def test_errors_of_different_solutions_do_not_go_together(tour):
    """Else differences between neighbours would be less noisy than promised."""
    problem = Noisy(tour, level=0.1)
    solutions = [tour.space.sample(seed) for seed in range(2_000)]
    z = problem.evaluate_batch(solutions) / tour.evaluate_batch(solutions) - 1.0
    assert_allclose(z.std(axis=0), 0.1, rtol=0.1)
    assert abs(np.corrcoef(z[1:, 0], z[:-1, 0])[0, 1]) < 0.08


def test_the_same_seed_gives_the_same_errors_in_any_order_of_solutions(tour):
    """A search that is saved and continued, or runs in parallel, meets the same."""
    one, other = Noisy(tour, seed=5), Noisy(tour, seed=5)
    x, y = tour.space.sample(0), tour.space.sample(1)
    first = [one.evaluate(x), one.evaluate(x), one.evaluate(y)]
    y_first = other.evaluate(y)
    assert_array_equal([other.evaluate(x), other.evaluate(x), y_first], first)
    assert (first[0] != first[1]).all()
    assert (Noisy(tour, seed=6).evaluate(x) != first[0]).all()
    one.restart()
    assert_array_equal(one.evaluate(x), first[0])


def test_a_search_repeats_by_its_seed(tour):
    """Two runs of new problems, and two of the same one: a search restarts it."""
    problem = Noisy(tour)
    results = [
        dl.solve(noisy, budget=300, seed=4) for noisy in (problem, Noisy(tour), problem)
    ]
    for result in results[1:]:
        assert_array_equal(result.F, results[0].F)


def test_a_front_is_judged_without_noise(tour):
    """What noise_free gives is what the exact problem gives, for all solutions."""
    problem = Noisy(tour)
    result = dl.solve(problem, budget=200)
    exact = [tour.evaluate(x) for x in result.X]
    assert_array_equal(problem.noise_free(result.X), exact)
    assert (exact != result.F).all()


def test_constraints_repairs_and_points_are_those_of_the_exact_problem():
    """Noise is in the objectives alone; whether a choice fits is known."""
    problem = Noisy(get("synkp-10"))
    x = problem.space.sample(0)
    assert problem.evaluate(x)[2] == problem.exact.evaluate(x)[2]
    assert_array_equal(problem.reference, problem.exact.reference)
    repaired = Noisy(get("bikp-10"), reference=[0, 0])
    assert_array_equal(repaired.reference, [0, 0])
    assert_array_equal(repaired.ideal, repaired.exact.ideal)
    everything = np.ones(10, bool)
    assert repaired.exact.load(everything) > repaired.exact.capacity
    assert repaired.exact.load(repaired.repair(everything)) <= repaired.exact.capacity


def test_a_noisy_tour_is_still_a_tour(tour):
    """Canonical form and distance do not change with how lengths are measured."""
    problem = Noisy(tour)
    x = tour.space.sample(2)
    turned = np.roll(x, 3)
    assert_array_equal(problem.canonical(turned), tour.canonical(x))
    assert solution_distance(problem)(x, turned) == 0.0
    assert not Noisy(get("mnk-5")).tours


def test_without_a_level_there_is_no_noise(tour):
    """Level 0 evaluates exactly, and says so."""
    problem = Noisy(tour, level=0)
    x = tour.space.sample(0)
    assert not problem.noise
    assert_array_equal(problem.evaluate(x), tour.evaluate(x))


def test_a_state_file_knows_the_noise_it_was_made_with(tour, tmp_path):
    """Continuing with another level or seed would mix two problems."""
    problem = Noisy(tour, level=0.1, seed=1)
    optimizer = dl.Optimizer(problem)
    optimizer.save(tmp_path / "state.npz")
    dl.Optimizer.load(tmp_path / "state.npz", problem)
    for other in (Noisy(tour, level=0.2, seed=1), Noisy(tour, level=0.1, seed=2)):
        with pytest.raises(InputError, match="belongs to another problem"):
            dl.Optimizer.load(tmp_path / "state.npz", other)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"exact": "bitsp-20"}, "exact must be a built-in problem.*got 'bitsp-20'"),
        ({"level": -0.1}, "level must be a number of at least 0, got -0.1"),
        ({"level": "5 %"}, "level must be a number"),
        ({"seed": 0.5}, "seed must be a whole number"),
    ],
)
def test_wrong_arguments_are_refused(tour, changed, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        Noisy(**({"exact": tour} | changed))
    with pytest.raises(InputError, match="without noise"):
        Noisy(Noisy(tour))


def test_in_a_study_errors_follow_the_evaluation_not_the_worker(tour, tmp_path):
    """Replicates differ, whoever measures them, and the front repeats."""
    results, spreads = [], []
    for workers in (0, 1, 3):
        path = tmp_path / f"{workers}.db"
        with dl.Study(Noisy(tour, level=0.1), path, lag=4) as study:
            results.append(study.run(12, workers=workers, replicates=3))
            spreads += [min(trial.spread.values()) for trial in study.trials()]
    assert min(spreads) > 0.0
    for result in results[1:]:
        assert_array_equal(result.F, results[0].F)


def test_an_error_belongs_to_its_seed(tour):
    """The same seed again is the same measurement, and leaves no trace."""
    problem, x = Noisy(tour), tour.space.sample(0)
    plain = Noisy(tour).evaluate(x)
    seeded = [problem.evaluate_seeded(x, seed) for seed in (7, 7, 8)]
    assert_array_equal(seeded[0], seeded[1])
    assert (seeded[0] != seeded[2]).all()
    assert_array_equal(problem.evaluate_seeded(x, None), plain)
