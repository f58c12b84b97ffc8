"""The assignment of least cost, and what others lose against it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn.methods.dl.kernels.search.matching import (
    list_losses,
    new_matching,
    solve_assignment,
)
from tests.reference import linear_assignment as reference


@given(st.integers(0, 999), st.integers(1, 6), st.booleans())
def test_the_cheapest_of_all_assignments_is_found_and_others_lose_what_they_cost_more(
    seed, n, whole
):
    """Also with ties and negative costs; reduced costs add up to the difference."""
    rng = np.random.default_rng(seed)
    cost = (
        rng.integers(-3, 4, (n, n)).astype(float) if whole else rng.normal(size=(n, n))
    )
    matching = new_matching(n, 1)
    matching.cost[:] = cost
    least = solve_assignment(matching)
    every = reference.orders(n)
    totals = reference.costs(cost, every)
    assert_allclose(least, totals.min(), atol=1e-12)
    assert_allclose(reference.costs(cost, matching.item[None]), least, atol=1e-12)
    list_losses(matching)
    taken_from = np.argsort(matching.item)[every]  # whose item each place takes
    assert_allclose(
        reference.costs(matching.loss, taken_from), totals - least, atol=1e-9
    )
    assert_allclose(matching.back, reference.ways(matching.loss), atol=1e-9)
    sorted_losses = np.take_along_axis(matching.loss, matching.near, axis=1)
    assert (np.diff(sorted_losses, axis=1) >= 0.0).all()
