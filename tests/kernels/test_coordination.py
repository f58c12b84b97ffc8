import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.paper.coordination import Coordination
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.kernels.dual_update import (
    penalty,
    soft_violation,
    update_duals,
)
from divlearn.methods.paper.kernels.update_experts import update_experts
from tests.kernels.cases import hashed_problem, new_search
from tests.reference import coordination as reference
from tests.reference import decomposition
from tests.reference.experts import Tables

N, ARITY, SIZE, OVERLAP = 9, 3, 5, 3
WINDOWS = decomposition.windows(N, SIZE, OVERLAP, 1, 0.0)
K = [decomposition.multiplicity(WINDOWS, i) for i in range(N)]


def state_with(**coordination):
    """Nine choices among three, divided into windows of which up to three overlap."""
    settings = dl.DivideAndLearn(
        decomposition=Decomposition(size=SIZE, overlap=OVERLAP, decay=0.0),
        coordination=Coordination(**coordination),
    )
    return new_search(hashed_problem(dl.Categorical(range(ARITY), N)), settings)[1]


solutions = st.lists(st.integers(0, ARITY - 1), min_size=N, max_size=N)
histories = st.lists(st.tuples(solutions, st.floats(-1, 1)), max_size=25)


def learned(state, history):
    """Tables after a history of rewards, by the kernel and by the reference."""
    literal = Tables([ARITY] * N)
    for x, reward in history:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward)
    return literal


def violations(literal, x):
    """Soft violation of every position."""
    return [
        reference.soft_violation(K[i], literal.V[i], literal.N[i], x[i])
        for i in range(N)
    ]


def test_some_positions_lie_in_one_window_and_some_in_several():
    """Else the tests below would not see what they are about."""
    assert set(K) == {1, 2, 3}


@given(histories, solutions)
def test_soft_violations_agree_with_the_definition(history, x):
    """(k - 1) Var(V) (1 - N / sum N), zero before anything is known."""
    state = state_with()
    literal = learned(state, history)
    found = [soft_violation(state, i, x[i]) for i in range(N)]
    assert_allclose(found, violations(literal, x), atol=1e-12)


@given(histories, solutions, st.floats(0, 5))
def test_the_penalty_is_the_priced_sum_of_violations(history, x, price):
    """What is taken off the reward."""
    state = state_with()
    literal = learned(state, history)
    prices = price * (1 + np.arange(N))
    state.positions.dual = prices
    expected = np.dot(prices, violations(literal, x))
    assert_allclose(penalty(state, np.array(x)), expected, atol=1e-10)


@given(histories, solutions, st.integers(1, 30), st.floats(0, 400))
def test_the_plain_dual_update_agrees_with_the_algorithm(history, x, t, step):
    """A price times exp(alpha_t xi), held below the cap, only where windows overlap."""
    state = state_with(acceleration="none", start=0.01, step=step, cap=2.0)
    xi = violations(learned(state, history), x)
    state.control[0].iteration = t
    for _ in range(3):
        update_duals(state, np.array(x))
    for i in range(N):
        price = 0.01
        for _ in range(3 if K[i] > 1 else 0):
            price = reference.plain_dual(price, xi[i], t, step, 2.0)
        assert_allclose(state.positions.dual[i], price, rtol=1e-9)
        assert price <= 2.0


@given(histories, solutions, st.floats(0, 100))
def test_nesterov_s_dual_update_agrees_with_the_formula(history, x, step):
    """Over ten iterations; it is what is done unless something else is asked for."""
    state = state_with(start=0.01, step=step, cap=2.0)
    xi = violations(learned(state, history), x)
    prices = [0.01] * N
    for t in range(1, 11):
        state.control[0].iteration = t
        update_duals(state, np.array(x))
        for i in range(N):
            if K[i] > 1:
                prices[i] = reference.nesterov_dual(prices[i], xi[i], t, step, 2.0)
    assert_allclose(state.positions.dual, prices, rtol=1e-8)
    assert state.positions.dual.max() <= 2.0


def test_nesterov_s_first_step_is_twice_the_plain_one():
    """Theta is 1 at t = 1, so that the momentum repeats the step."""
    history, x = [([0] * N, 1.0), ([1] * N, -1.0)], np.full(N, 2)
    moved = {}
    for name in ("none", "nesterov"):
        state = state_with(acceleration=name, start=0.01)
        learned(state, history)
        update_duals(state, x)
        moved[name] = state.positions.dual - 0.01
    assert moved["none"].max() > 0
    assert_allclose(moved["nesterov"], 2.0 * moved["none"])


def test_a_first_price_above_the_cap_falls_to_it():
    """Momentum must not carry it below zero."""
    state = state_with(start=9.0, cap=2.0)
    update_duals(state, np.zeros(N, np.int64))
    assert state.positions.dual[np.array(K) > 1].min() >= 0.0
    assert state.positions.dual[np.array(K) > 1].max() <= 2.0


@given(histories, solutions, st.floats(0, 100))
def test_the_averaged_dual_update_agrees_with_its_recursion(history, x, step):
    """Over ten iterations, with the mirror sequence beside the prices."""
    state = state_with(acceleration="averaged", start=0.01, step=step, cap=2.0)
    xi = violations(learned(state, history), x)
    prices = [(0.01, 0.01)] * N
    for t in range(1, 11):
        state.control[0].iteration = t
        update_duals(state, np.array(x))
        for i in range(N):
            if K[i] > 1:
                prices[i] = reference.averaged_dual(*prices[i], xi[i], t, step, 2.0)
    assert_allclose(state.positions.dual, [price for price, _ in prices], rtol=1e-8)
    assert_allclose(state.positions.dual_mirror, [m for _, m in prices], rtol=1e-8)
    assert state.positions.dual.max() <= 2.0 + 1e-12


def test_an_enormous_step_ends_at_the_cap():
    """The exponential must not overflow, in compiled code or in Python."""
    state = state_with(start=1e-6, step=1e12, cap=7.0)
    learned(state, [([0] * N, 1.0), ([1] * N, -1.0)])
    x = np.full(N, 2)
    assert soft_violation(state, 2, 2) > 0
    for t in (1, 2, 3):
        state.control[0].iteration = t
        update_duals(state, x)
    overlapping = np.array(K) > 1
    assert_allclose(state.positions.dual[overlapping], 7.0)
    assert_allclose(state.positions.dual[~overlapping], 1e-6)
