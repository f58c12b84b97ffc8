"""What the tests of `dl` share: scratch of the right size, and small searches."""

import numpy as np

import divlearn as dl
from divlearn.kernels.archive import insert, new_archive
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl import state as learner
from divlearn.methods.dl.kernels.search.tours import list_near, set_tour
from divlearn.methods.dl.method import DL
from tests.kernels.cases import new_search

#: Short enough to be run as plain Python, long enough to use every arm.
EVALUATIONS = 60 if JIT_DISABLED else 200


def small(**changes):
    """The method with few random solutions first; changes are of its options.

    The Gaussian process is left out unless asked for; and points are not fitted in
    plain Python, where that takes most of the time.
    """
    never = 5_000  # do these tests look for noise that nobody declared
    base = {"geometry": not JIT_DISABLED, "gp_candidates": 0, "check_from": never}
    return DL(**{"initial": 6} | base | changes)


def state_for(space, num_objectives=2, settings=None, **options):
    """The state of a search that has not begun, with an objective nobody calls."""
    settings = small() if settings is None else settings
    names = [f"f{j}" for j in range(num_objectives)]
    problem = dl.Problem(space, lambda x: None, names, **options)
    return new_search(problem, settings)[1]


def tour_of(cost, order):
    """A cycle and its pair costs, with an empty queue."""
    tour = learner._tour(len(order), len(order))
    tour = tour._replace(cost=np.array(cost, float, order="C"))
    list_near(tour)
    set_tour(tour, np.array(order, np.int64), 0)
    return tour


def symmetric(rng, n):
    """Random symmetric costs, shape (n, n)."""
    cost = rng.random((n, n))
    return cost + cost.T


def archive_of(rows):
    """An archive after rows of objectives, shape (k, m), and its size."""
    archive, size = new_archive(len(rows) + 1, 1, rows.shape[1], 0), 0
    for number, row in enumerate(rows):
        new = insert(archive, size, np.array([number]), row)
        size = size if new < 0 else new
    return archive, size
