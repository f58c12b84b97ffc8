"""When the Gaussian process makes candidates, and when it no longer does."""

import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.arms.bandit import GP
from divlearn.methods.dl.kernels.arms.gp import WELL_KNOWN
from divlearn.methods.dl.rules import GP_CANDIDATES, LONGEST_ORDER, completed
from divlearn.optimizer.optimizer import state_of


def orders(n):
    """A problem over orders of ``n`` items."""
    return dl.Problem(dl.Permutation(n), lambda x: (x[0], x[-1]), ["a", "b"])


@pytest.mark.usefixtures("whole_gp")
@pytest.mark.parametrize("budget", [60, 2_000, 50_000, None])
def test_orders_are_served_whatever_is_planned(budget):
    """Else a search that is stopped early would be worse the more was planned."""
    served = completed(dl.DL(), orders(LONGEST_ORDER), budget).gp_candidates
    assert served == GP_CANDIDATES
    longer = completed(dl.DL(), orders(LONGEST_ORDER + 1), budget)
    assert longer.gp_candidates == 0


@pytest.mark.usefixtures("whole_gp")
@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_points_behind_a_tour_end_the_process():
    """Tables that predict what was held out need no process beside them."""
    optimizer = dl.Optimizer(dl.problems.get("bitsp-20", instance=0), "dl", budget=600)
    optimizer.run(200)
    state = state_of(optimizer)
    assert state.control[0].fitted < WELL_KNOWN
    made = state.arms[GP].tries
    optimizer.run(50)
    assert 0 < state_of(optimizer).arms[GP].tries == made
