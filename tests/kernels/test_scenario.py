"""Scenarios: what the experts are told instead of the reward that was earned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.random import uniform
from divlearn.methods.paper.kernels.scenario import disturbed, largest_reward
from divlearn.methods.paper.scenario import STRESS_TESTS, read_scenario
from tests.kernels.cases import differing_arrays, hashed_problem, new_search
from tests.reference import scenario as reference

SPACE = dl.Binary(4)
rewards = st.lists(st.floats(-1, 1), max_size=20)
sizes = st.sampled_from([0.0, 0.1, 0.3, 0.7])


def state_under(scenario, seed=0):
    """The state of a search that has not begun."""
    return new_search(
        hashed_problem(SPACE), dl.DivideAndLearn(scenario=scenario), seed
    )[1]


def told(scenario, earned, seed=0):
    """What a scenario makes of rewards, one after the other."""
    state = state_under(scenario, seed)
    return [disturbed(state, reward) for reward in earned]


def uniforms(count, seed=0):
    """The random numbers that a scenario draws."""
    words = state_under("noise", seed).noise_words.copy()
    return [uniform(words) for _ in range(count)]


@given(rewards, sizes)
def test_noise_agrees_with_its_definition(earned, size):
    """A uniform number of mean 0 is added."""
    expected = reference.noise(earned, size, uniforms(len(earned)))
    assert_allclose(told(f"noise-{size}", earned), expected, atol=1e-12)


def test_noise_is_bounded_and_has_the_size_as_its_standard_deviation():
    """As the paper says: sigma is 0.3 or 0.7."""
    found = np.array(told("noise-0.7", [0.0] * 20_000))
    assert abs(found).max() <= 0.7 * 3**0.5
    assert abs(found.mean()) < 0.02
    assert_allclose(found.std(), 0.7, rtol=0.02)


@given(rewards, sizes)
def test_heavy_tails_agree_with_their_definition(earned, size):
    """Quantiles of Student's t with two degrees of freedom."""
    expected = reference.heavy_tail(earned, size, uniforms(len(earned)))
    assert_allclose(told(f"heavy-tail-{size}", earned), expected, rtol=1e-9, atol=1e-12)


def test_heavy_tails_reach_far_beyond_bounded_rewards():
    """Else the scenario would only be more noise."""
    found = np.abs(told("heavy-tail-0.3", [0.0] * 20_000))
    assert found.max() > 10
    assert np.median(found) < 0.5
    assert largest_reward(state_under("heavy-tail")) > 10
    assert largest_reward(state_under("noise-0.7")) == 1.0


@pytest.mark.parametrize("iteration", [1, 39, 40, 79, 80, 119, 120, 300])
def test_rewards_shift_at_the_iterations_of_the_paper(iteration):
    """Down at 40, back at 80, down again at 120."""
    state = state_under("shift-0.2")
    state.control[0].iteration = iteration
    expected = reference.shift(0.5, 0.2, iteration)
    assert disturbed(state, 0.5) == expected


@given(rewards, sizes)
def test_the_adversary_agrees_with_its_definition(earned, size):
    """It takes from what was good before, and spares a new best."""
    found = told(f"adversarial-{size}", earned)
    assert_allclose(found, reference.adversarial(earned, size), atol=1e-12)


@given(rewards, sizes)
def test_plateaus_agree_with_their_definition(earned, size):
    """Differences near the best shrink to a tenth."""
    found = told(f"plateau-{size}", earned)
    assert_allclose(found, reference.plateau(earned, size), atol=1e-12)


def test_a_solution_that_was_good_is_worth_less_when_it_is_seen_again():
    """The adversary in one line."""
    assert told("adversarial-0.5", [0.6, 0.6, 0.7]) == [0.6, 0.6 - 0.5, 0.7]


def test_the_adversary_forgets_at_a_new_weight():
    """Rewards under another weight are other rewards."""
    problem = hashed_problem(SPACE)
    method = dl.DivideAndLearn(scenario="adversarial", iterations=2, initial=2)
    optimizer = dl.Optimizer(problem, method, 0)
    control, seen = optimizer.search.state.control[0], set()
    for _ in range(60):
        (candidate,) = optimizer.ask()
        if control.iteration == 1 and control.step == 0:
            seen.add(np.isinf(control.best_seen))
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert True in seen


@pytest.mark.parametrize("scenario", ["noise-0", "shift-0", "adversarial-0"])
def test_a_scenario_of_size_zero_changes_nothing(tiny_tour, scenario):
    """It has random words of its own, so the search is the same bit for bit."""
    runs = []
    for given_scenario in (None, scenario):
        method = dl.DivideAndLearn(scenario=given_scenario, iterations=10)
        runs.append(dl.Optimizer(tiny_tour, method, 3))
        runs[-1].run(400)
    assert set(differing_arrays(*runs)) <= {"control", "noise_words"}


def test_scenarios_disturb_rewards_and_never_the_front(tiny_tour):
    """All values of the front are those of the objective."""
    for scenario in STRESS_TESTS:
        method = dl.DivideAndLearn(scenario=scenario)
        result = dl.solve(tiny_tour, 150, method=method, seed=1)
        true = [tiny_tour.evaluate(x) for x in result.X]
        assert_allclose(result.F, true)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("nois", "must be None or one of noise, shift"),
        ("noise-", "must be a number from 0 to 10"),
        ("noise--1", "must be a number from 0 to 10"),
        ("shift-nan", "must be a number from 0 to 10"),
        (0.3, "must be None or one of noise, shift"),
    ],
)
def test_what_is_no_scenario_is_refused(scenario, words):
    """The message says what there is."""
    with pytest.raises(dl.InputError, match=words):
        dl.DivideAndLearn(scenario=scenario)


def test_scenarios_have_usual_sizes():
    """Names without a size."""
    assert read_scenario("plateau") == read_scenario("plateau-0.3")
    assert dl.DivideAndLearn(scenario="shift-0.2").name == "custom"
