"""What subproblems a method has on a problem, and what the search itself lists."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.methods.names import method_for
from divlearn.methods.paper.cover import cover_of
from divlearn.methods.paper.kernels.schedule import begin_iteration
from divlearn.methods.paper.kernels.windows import list_positions, num_holding
from divlearn.problems import get


@pytest.mark.parametrize("iteration", [1, 3, 50])
@pytest.mark.parametrize("name", ["bitsp-50", "bikp-50", "bicvrp-20"])
def test_a_cover_has_the_subproblems_of_the_search(name, iteration):
    """Windows of the iteration, then the neighbourhood of its centre, and k_i."""
    problem = get(name)
    method = method_for("paper-ucb").replace(iterations=60)
    state = dl.Optimizer(problem, method).search.state
    begin_iteration(state, iteration)
    control, x = state.control[0], problem.space.encode(problem.space.sample(3))
    found = []
    for k in range(int(control.num_windows + control.num_neighbourhoods)):
        control.subproblem, control.centre = k, 7
        found.append(tuple(state.subset[: list_positions(state, x)].tolist()))
    centres = [7] * int(control.num_neighbourhoods)
    cover = cover_of(problem, method, iteration, centres, x)
    assert list(cover.groups) == found
    for q, centre in enumerate(centres):
        state.centres[q] = centre
        state.near[state.neighbours[centre]] += 1
    counts = [num_holding(state, i, x[i]) for i in range(len(x))]
    assert cover.multiplicities.tolist() == counts


def test_a_cover_of_groups_is_made_of_them():
    """Two groups that share one position of three bits."""
    problem = dl.Problem(dl.Binary(3), lambda x: (0, 0), ["a", "b"])
    settings = {"decomposition.groups": [[0, 1], [1, 2]]}
    cover = cover_of(problem, dl.DivideAndLearn().replace(**settings))
    assert cover.groups == ((0, 1), (1, 2))
    assert (cover.widest_overlap, cover.greatest_multiplicity) == (1, 2)
    assert cover.diameters(problem.space).tolist() == [2, 2]


def test_centres_need_a_distance():
    """There is no neighbourhood without one."""
    problem = dl.Problem(dl.Binary(3), lambda x: (0, 0), ["a", "b"])
    with pytest.raises(dl.InputError, match="centres needs a problem that declares"):
        cover_of(problem, centres=np.array([1]))
