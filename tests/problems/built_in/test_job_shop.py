import numpy as np
import pytest

from divlearn import InputError
from divlearn.problems import JobShop, get


def finished(problem, order):
    """When each job is finished, from the earliest start of one step after another."""
    n, steps = problem.times.shape
    done = {}
    for job in order:
        k = sum(1 for other, _ in done if other == job)
        before = [done[job, k - 1]] if k else [0.0]
        same = [
            end
            for (other, step), end in done.items()
            if problem.routes[other, step] == problem.routes[job, k]
        ]
        done[job, k] = max(before + same) + problem.times[job, k]
    return np.array([done[job, steps - 1] for job in range(n)])


@pytest.mark.parametrize("seed", range(5))
def test_steps_begin_when_their_job_and_their_machine_are_free(seed):
    """The objective agrees with a slow schedule made of a dictionary of ends."""
    problem = get("jobshop-4x3", instance=seed)
    x = problem.space.sample(seed)
    ends = finished(problem, list(x))
    expected = [ends.max(), np.maximum(ends - problem.due, 0.0).sum()]
    np.testing.assert_allclose(problem.evaluate(x), expected)


def test_a_name_may_have_both_sizes_of_a_job_shop():
    """10x5 is ten jobs on five machines, also of a flow shop."""
    both = get("jobshop-10x4", instance=2)
    assert both.name == "jobshop-10x4"
    assert both.times.shape == (10, 4)
    same = get("jobshop-10", instance=2, machines=4)
    np.testing.assert_array_equal(both.routes, same.routes)
    assert get("bifsp-6x3").times.shape == (6, 3)
    with pytest.raises(InputError, match="bitsp-N has one size, got two"):
        get("bitsp-10x4")


@pytest.mark.parametrize(
    ("routes", "message"),
    [
        ([[0, 1]], r"routes must be .*\(2, 2\).*got shape \(1, 2\)"),
        ([[0, 1], [0.5, 1]], "whole and from 0"),
        ([[0, 1], [0, 9]], "got 9 as the greatest"),
    ],
)
def test_wrong_routes_are_refused_with_what_is_wrong(routes, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        JobShop([[1, 2], [3, 4]], routes, [5, 6])
