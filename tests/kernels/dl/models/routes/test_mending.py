"""An item at a wrong place is put where its changes are explained."""

import numpy as np
import pytest

from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.routes.changes import error_of
from divlearn.methods.dl.kernels.models.routes.mending import mend_item
from divlearn.methods.dl.kernels.models.routes.model import new_routes


def a_model(seed, n=12, count=150, right=0.6):
    """Exact points in a plane, and changes of which a share is as they say."""
    rng = np.random.default_rng(seed)
    routes = new_routes(n, 2, n, count)
    points, flat = routes.latent.points, routes.flat
    points[:, :2], flat[4] = rng.random((n + 1, 2)), (0.0, 0.0, 1.0)
    for r in range(count):
        routes.around[r] = rng.permutation(n)[:4]
        change = -error_of(points, routes.around[r], 0.0, 0)
        if error_of(points, routes.around[r], change, 0) > 1e-12:
            change = -change
        routes.changes[r] = change if rng.random() < right else rng.normal()
    return routes, rng


@pytest.mark.parametrize("seed", range(5))
def test_an_item_gets_back_to_its_place(seed):
    """All others are where they belong."""
    routes, rng = a_model(seed)
    points, words = routes.latent.points, np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    truth = points.copy()
    points[3, :2] = rng.random(2)
    mend_item(routes, 3, 150, 1e-6, words)
    assert points == pytest.approx(truth, abs=1e-6)


def test_an_item_without_changes_stays():
    """Nothing is known of it."""
    routes, _ = a_model(0)
    before = routes.latent.points.copy()
    mend_item(routes, 12, 0, 1e-6, np.ones(4, np.uint64))
    assert (routes.latent.points == before).all()
