"""Outputs as the model sees them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.models.gp.points import choose_rows, take_point
from divlearn.methods.dl.kernels.models.gp.state import new_gp
from divlearn.methods.dl.kernels.models.gp.warping import WARPS, sort
from tests.kernels.dl.models.gp.cases import bend_targets, learn

SPACE = dl.Binary(20)


def memory_with(values):
    """A memory of one output with the given values."""
    gp = new_gp(SPACE.layout, 1, 1, len(values))
    for number, value in enumerate(values):
        take_point(gp, SPACE.encode(SPACE.sample(number)), np.array([value]))
    choose_rows(gp)
    return gp


@pytest.mark.parametrize("warp", WARPS)
def test_targets_are_standardised_and_the_slopes_are_theirs(warp):
    """Mean 0 and deviation 1; a logarithm of values above the least one."""
    y = np.random.default_rng(0).lognormal(size=12)
    gp = memory_with(y)
    slopes = bend_targets(gp, 0, warp)
    warp_scale = warp * (np.sort(y)[6] - y.min())
    bent = np.log1p((y - y.min()) / warp_scale) if warp else y
    expected = (bent - bent.mean()) / bent.std()
    assert_allclose(gp.targets[0, :12], expected, atol=1e-12)
    slope = 1 / (y - y.min() + warp_scale) if warp else np.ones(12)
    assert_allclose(slopes, np.log(slope / bent.std()).sum())


@pytest.mark.parametrize("warp", WARPS)
def test_values_without_noise_come_back_in_their_own_units(warp):
    """Where the noise is small they are the values measured."""
    y = np.random.default_rng(1).lognormal(size=12)
    gp = memory_with(y)
    gp.outputs.warp, gp.outputs.log_noise = warp, np.log(1e-9)
    learn(gp, SPACE.layout)
    assert_allclose(gp.fitted[0, :12], y, rtol=1e-5)


@pytest.mark.parametrize("value", [0.0, 3.0, -1e15])
@pytest.mark.parametrize("warp", WARPS)
def test_equal_values_are_no_division_by_zero(value, warp):
    """An objective that says nothing, at first or for ever."""
    gp = memory_with([value] * 5)
    assert np.isfinite(bend_targets(gp, 0, warp))
    assert (gp.targets[0, :5] == 0.0).all()


def test_sort_is_that_of_numpy():
    """Only the first values, in place."""
    values = np.random.default_rng(2).normal(size=30)
    expected = np.r_[np.sort(values[:20]), values[20:]]
    sort(values, 20)
    assert (values == expected).all()
