"""Runs whose optimum is known: exact regret, violations, the dual gap, sweeps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.lab.theory.additivity import spread_of_means
from divlearn.lab.theory.assumptions import assumptions_of, diameter_rows, lemma_rows
from divlearn.lab.theory.dual import dual_gaps, violation_table
from divlearn.lab.theory.dynamics import needed_factor, price_path, relation
from divlearn.lab.theory.regrets import expert_alone, local_search, whole_method
from divlearn.lab.theory.runs import (
    cumulated,
    known_instance,
    regret_of,
    traced,
)
from divlearn.lab.theory.samples import costs_of, random_codes
from divlearn.lab.theory.sweeps import count_sweep, sizes_of
from divlearn.lab.theory.toys import AdditiveToy, random_toy
from divlearn.methods.paper.cover import cover_of, window_cover
from divlearn.methods.paper.experts import EXP3, UCB
from divlearn.methods.paper.kernels.dual_update import soft_violation
from divlearn.problems import get
from divlearn.result.trace import Trace


@pytest.mark.parametrize("problem", [random_toy(5, 3), get("bikp-10"), get("bitsp-7")])
def test_regret_is_what_a_solution_costs_more_than_the_best(problem):
    """Never below 0, at most about 1, and 0 once the best solution is found."""
    instance = known_instance(problem, sample=100)
    regret = regret_of(traced(whole_method("uniform"), instance, 60, 0), instance)
    assert regret.shape == (60,)
    assert (regret > -1e-12).all()
    assert (regret < 1.2).all()
    assert_allclose(regret.min(), 0.0, atol=1e-9)


def test_cumulative_regret_is_the_sum_until_a_round():
    """By seed, at rounds that are evenly spaced in their logarithm."""
    instance = known_instance(random_toy(5, 3), sample=50)
    method = expert_alone(EXP3())
    rounds, sums = cumulated(method, instance, 20, 2)
    regret = regret_of(traced(method, instance, 20, 1), instance)
    assert_allclose(sums[1], np.cumsum(regret)[rounds - 1])
    assert sums.shape == (2, len(rounds))


def test_an_expert_alone_builds_one_solution_per_iteration():
    """So that a round of the theory is an evaluation."""
    trace = traced(
        expert_alone(UCB()), known_instance(random_toy(5, 3), sample=50), 30, 0
    )
    assert_array_equal(np.diff(trace["evaluations"]), 1)
    assert_array_equal(trace["share_ucb"], 1.0)


def test_a_local_search_never_gets_worse():
    """One solution that is improved, without constructions."""
    instance = known_instance(random_toy(6, 4), sample=50)
    regret = regret_of(traced(local_search(6, True), instance, 80, 0), instance)
    assert (np.diff(regret) <= 0.0).all()
    assert regret[-1] < regret[0]


def test_the_cover_of_a_problem_is_that_of_the_papers_table():
    """Small, medium and large problems."""
    assert cover_of(get("bitsp-20")) == window_cover(20, 15, 6)
    assert cover_of(get("bitsp-100")) == window_cover(100, 35, 18)


def test_the_spread_of_mean_rewards_is_that_of_the_worths():
    """Estimated from random choices, against the formula of the toy."""
    toy = AdditiveToy([[0.0, 1.0], [0.4, 0.5], [0.2, 0.2]])
    codes = random_codes(toy, 4_000, seed=1)
    found = spread_of_means(toy, codes, -costs_of(toy, codes)[:, 0])
    assert_allclose(found, toy.largest_spread(), rtol=0.05)


def test_violations_of_all_actions_are_those_of_the_search():
    """The table that the dual function is made of, against the kernel."""
    toy = random_toy(20, 4)
    state = whole_method("paper-ucb").begin(toy, None, 0).state
    rng = np.random.default_rng(0)
    state.actions["value"][:] = rng.random(80)
    state.actions["visits"][:] = rng.integers(0, 5, 80)
    state.control["updates"] = 20
    for i, values in enumerate(state.actions["value"].reshape(20, 4)):
        state.positions["value_sum"][i] = values.sum()
        state.positions["value_square_sum"][i] = np.square(values).sum()
    expected = [[soft_violation(state, i, a) for a in range(4)] for i in range(20)]
    table = violation_table(state)
    assert_allclose(table, expected, atol=1e-12)
    assert (table > 0.0).any()


def test_a_dual_gap_is_never_negative_and_closes_at_the_highest_price():
    """Prices that start at their cap are optimal: no xi is negative."""
    toy, method = random_toy(20, 3), whole_method("paper-ucb")
    gaps = dual_gaps(toy, method, 8, seed=0)
    assert gaps.shape == (8,)
    assert (gaps > -1e-12).all()
    assert gaps.max() > 0.0
    capped = method.replace(**{"coordination.start": 10.0})
    assert_allclose(dual_gaps(toy, capped, 8, seed=0), 0.0, atol=1e-9)


def test_the_path_of_prices_is_the_rise_of_their_sum():
    """Two shared positions whose mean price rises by 1 and by 3."""
    trace = Trace({"price_mean": [1.0, 2.0, 5.0], "shared": [2, 2, 2]})
    assert_array_equal(price_path(trace), [0.0, 2.0, 8.0])


def test_disagreement_is_compared_with_the_variance_round_by_round():
    """The factor of the worst round, and the correlation of ranks."""
    columns = {"disagreement": [0.9, 0.5, 0.1], "overlap_variance": [0.1, 0.2, 0.4]}
    assert needed_factor(Trace(columns)) == 9.0
    assert_allclose(relation(Trace(columns)), -1.0)
    columns["overlap_variance"] = [0.0, 0.0, 0.0]
    assert (needed_factor(Trace(columns)), relation(Trace(columns))) == (0.0, 0.0)


def test_the_lemma_on_shared_positions_fails_at_the_papers_largest_size():
    """Counted by hand: 69 of 100 positions are shared, (3 - 1) / 3 of them allowed."""
    holds = {row["n"]: row["(d) holds"] for row in lemma_rows()}
    assert holds == {20: True, 50: True, 100: False}
    assert lemma_rows()[2]["|O|"] == 69


def test_scattered_positions_have_a_larger_diameter_than_the_lemma_allows():
    """Windows have exactly what it says."""
    for row in diameter_rows():
        assert row["window"] == row["bound s (s - 1) / 2"] <= row["scattered, most"]
    assert diameter_rows()[0]["scattered, most"] > 10


def test_assumptions_of_the_toy_are_those_that_it_was_made_for():
    """Additive, with the slope that its worths imply."""
    row = assumptions_of("additive-choices-20", 80)
    assert (row["n"], row["K"], row["d"], row["Q"], row["D"]) == (20, 2, 15, 6, 15)
    assert row["additive"] > 0.999
    assert row["L"] <= 1 / 20 / row["B"] + 1e-9


def test_numbers_of_windows_from_one_on_are_compared():
    """All with the same overlap, and with what the rule recommends."""
    found = count_sweep("additive-choices-20", 150, seeds=1, spread=0.05)
    assert found["counts"] == [
        window_cover(20, size, 3).num_subproblems for size in sizes_of(20)
    ]
    assert found["counts"][0] == 1
    assert len(found["regret"]) == len(found["counts"])
    assert_allclose(found["K*"], (20 / (3 * 0.05)) ** 0.5)


def test_a_method_runs_the_same_with_and_without_its_trace():
    """What is measured is the method that people use."""
    toy = random_toy(6, 3)
    method = whole_method("paper-ucb").replace(weights=[[1.0]])
    plain = dl.solve(toy, budget=300, method=method, seed=1, progress=False)
    traced_too = dl.solve(
        toy, budget=300, method=method.replace(trace="full"), seed=1, progress=False
    )
    assert_array_equal(plain.F, traced_too.F)
