"""Orders: what a change is worth by the model, and the search that follows it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.descent import descend
from divlearn.methods.dl.kernels.models.gp.guides import set_costs, set_guides
from divlearn.methods.dl.kernels.models.gp.mixture import set_mixture
from divlearn.methods.dl.kernels.models.gp.orders import (
    AFTER,
    AT,
    BEFORE,
    BESIDE,
    PLACE,
)
from divlearn.methods.dl.kernels.models.gp.posterior import set_distances
from divlearn.methods.dl.kernels.models.gp.state import new_gp
from divlearn.methods.dl.kernels.search.orders import cut_order
from tests.kernels.cases import words_of
from tests.kernels.dl.models.gp.cases import codes_of, learn, memory_of, predict_at

N = 6


@lean_kernel
def price(gp, layout, x, weights):
    """Costs of all actions at ``x``, for means under weights."""
    set_distances(gp, layout, x)
    set_guides(gp, weights, 0.0)
    set_costs(gp, 0, cut_order(gp.order, x.shape[0]))


@lean_kernel
def improve(order, limit, words):
    """Descend under the costs of an order."""
    return descend(cut_order(order, order.items.shape[0]), limit, order.kept, words)


@lean_kernel
def mix(gp):
    """Set the shares of the first output."""
    set_mixture(gp, 0)


def shares_of(gp):
    """Shares of all ways to compare orders, by the kernel."""
    mix(gp)
    return gp.shares[0]


def cost_of(order, x):
    """Sum of the costs of all actions of an order, by definition."""
    at, follow, ahead = (
        costs.reshape(N, N) for costs in (order.at, order.follow, order.ahead)
    )
    total = sum(at[place, item] for place, item in enumerate(x))
    total += sum(follow[x[i - 1], x[i]] for i in range(N))
    return total + sum(ahead[x[i], x[j]] for j in range(N) for i in range(j))


@pytest.mark.parametrize("kind", range(5))
def test_means_of_sums_over_actions_change_as_the_costs_say(kind):
    """However far away, in each of the five ways to compare orders."""
    space = dl.Permutation(N)
    gp = memory_of(space, 12, num_objectives=1, seed=kind)
    gp.log_weights[:] = 0.0
    gp.log_weights[0, 5 + kind] = 8.0  # nearly all of the share
    gp.outputs.unit = 1.0
    learn(gp, space.layout)
    x, *others = codes_of(space, 6, seed=70)
    price(gp, space.layout, x, np.ones(1))
    predict_at(gp, space.layout, x)
    before = gp.outputs[0].predicted
    for y in others:
        predict_at(gp, space.layout, y)
        change = gp.outputs[0].scale * (gp.outputs[0].predicted - before)
        assert_allclose(cost_of(gp.order, y) - cost_of(gp.order, x), change, atol=1e-5)


def test_pairs_in_order_are_believed_in_before_how_early_items_come():
    """A few random orders cannot tell the two apart; then the richer model is taken."""
    gp = new_gp(dl.Permutation(N).layout, 1, 1, 4)
    gp.log_weights[:] = 0.0
    shares = dict(zip(gp.blocks.kind, shares_of(gp), strict=False))
    others = [shares[kind] for kind in (AT, AFTER, BESIDE, BEFORE)]
    assert_allclose(others, others[0])
    assert shares[PLACE] < 0.1 * shares[BEFORE]


def test_a_descent_ends_where_no_single_move_helps():
    """Insertions, exchanges and reversals, compared with all of them one by one."""
    rng, words = np.random.default_rng(1), words_of(5)
    gp = memory_of(dl.Permutation(N), 4)
    order = gp.order
    for costs in (order.at, order.follow, order.ahead):
        costs[:] = rng.normal(size=N * N)
    order.used[:] = 1
    for _ in range(5):
        order.items[:] = start = rng.permutation(N)
        assert improve(order, 1, words) <= 1
        assert cost_of(order, order.items) <= cost_of(order, start)
        improve(order, 1000, words)
        found, least = list(order.items), cost_of(order, order.items)
        assert sorted(found) == list(range(N))
        for i in range(N):
            for j in range(N):
                moved, low, high = found.copy(), min(i, j), max(i, j)
                moved.insert(j, moved.pop(i))
                turned = [
                    *found[:low],
                    *found[low : high + 1][::-1],
                    *found[high + 1 :],
                ]
                assert cost_of(order, moved) >= least - 1e-9
                if high - low < N - 1:
                    assert cost_of(order, turned) >= least - 1e-9
