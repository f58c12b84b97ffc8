"""What the model says of a candidate, against numpy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from tests.kernels.dl.models.gp.cases import (
    MIXED,
    bound_at,
    codes_of,
    coordinates,
    kept_parts,
    learn,
    memory_of,
    pair_up,
    predict_at,
    predict_changed,
    wait_for,
)
from tests.reference import gp as reference

PAIRS = [(0, 6, 0.3), (3, 8, 0.1), (6, 8, 0.2)]
SPACES = [MIXED, dl.Binary(6), dl.Composite(a=dl.Permutation(5), b=dl.Integer(0, 7))]


def expected(space, gp, o, points, noise, targets, x, pairs=()):
    """Mean and deviation at ``x`` by definition."""
    weights, mixed = kept_parts(gp, o)

    def of(a, b):
        smooth = gp.outputs[o].smooth
        return reference.covariance(
            space.segments(), weights, pairs, a, b, smooth, mixed
        )

    kernel = np.array([[of(a, b) for b in points] for a in points])
    covariances = np.array([of(x, b) for b in points])
    mean, variance = reference.posterior(kernel, noise, targets, covariances, of(x, x))
    return mean, np.sqrt(variance)


@pytest.mark.parametrize("smooth", [[0, 0], [1, 0]], ids=["rough", "one smooth"])
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_mean_and_deviation_are_those_of_the_definition(space, smooth):
    """For outputs that are not bent, at solutions that were not seen."""
    gp = memory_of(space, 12, seed=1)
    gp.outputs.smooth = smooth
    learn(gp, space.layout)
    for x in codes_of(space, 5, seed=50):
        predict_at(gp, space.layout, x)
        for o in range(2):
            y = gp.values[:12, o]
            noise = np.full(12, np.exp(gp.outputs[o].log_noise))
            targets = (y - y.mean()) / y.std()
            wanted = expected(space, gp, o, gp.points[:12], noise, targets, x)
            found = gp.outputs[o].predicted, gp.outputs[o].deviation
            assert_allclose(found, wanted, rtol=1e-6)


def test_pairs_count_in_mean_and_deviation():
    """Also in the covariance of the candidate with itself."""
    gp = memory_of(MIXED, 12, seed=1)
    pair_up(gp, PAIRS)
    learn(gp, MIXED.layout)
    x, y = codes_of(MIXED, 1, seed=50)[0], gp.values[:12, 0]
    predict_at(gp, MIXED.layout, x)
    noise = np.full(12, np.exp(gp.outputs[0].log_noise))
    targets = (y - y.mean()) / y.std()
    wanted = expected(MIXED, gp, 0, gp.points[:12], noise, targets, x, PAIRS)
    found = gp.outputs[0].predicted, gp.outputs[0].deviation
    assert_allclose(found, wanted, rtol=1e-7)


def test_proposals_without_an_answer_are_believed_to_come_out_as_predicted():
    """The mean stays, and the deviation at them is next to nothing."""
    gp = memory_of(MIXED, 10, seed=2)
    (x,) = codes_of(MIXED, 1, seed=1000)
    learn(gp, MIXED.layout)
    predict_at(gp, MIXED.layout, x)
    before = gp.outputs[["predicted", "deviation"]].copy()
    wait_for(gp, MIXED, 1)
    learn(gp, MIXED.layout)
    predict_at(gp, MIXED.layout, x)
    assert_allclose(gp.outputs.predicted, before["predicted"], rtol=1e-4, atol=1e-4)
    assert (gp.outputs.deviation < 0.02 * before["deviation"]).all()
    assert gp.control[0].num_pending == 1


@pytest.mark.parametrize("pairs", [[], PAIRS], ids=["alone", "pairs"])
def test_a_changed_coordinate_is_predicted_as_the_changed_solution(pairs):
    """At every position, for every other value; one output is smooth, one is not."""
    gp, layout = memory_of(MIXED, 12, seed=4), MIXED.layout
    gp.outputs.smooth = [1, 0]
    pair_up(gp, pairs)
    learn(gp, layout)
    x = codes_of(MIXED, 1, seed=60)[0]
    for i, arity in enumerate(layout.places.arity):
        for value in set(range(arity)) - {x[i]}:
            other = x.copy()
            other[i] = value
            predict_changed(gp, layout, x, i, coordinates(gp, layout, other)[i])
            changed = gp.outputs[["predicted", "deviation"]].copy()
            predict_at(gp, layout, other)
            for name in ("predicted", "deviation"):
                assert_allclose(gp.outputs[name], changed[name], rtol=1e-7)


@pytest.mark.parametrize("smooth", [[1, 0], [2, 0]], ids=["smooth", "matern"])
def test_a_changed_real_is_predicted_as_the_changed_solution(smooth):
    """On linear and logarithmic scales, also for outputs that are smooth."""
    space = dl.Composite(a=dl.Real(0, 1), b=dl.Integer(1, 10**6, n=2, log=True))
    gp, layout = memory_of(space, 12, seed=4), space.layout
    gp.outputs.smooth = smooth
    learn(gp, layout)
    x, others = codes_of(space, 1, seed=60)[0], codes_of(space, 4, seed=70)
    for i in range(3):
        for other in others:
            other[:] = np.where(np.arange(3) == i, other, x)
            predict_changed(gp, layout, x, i, coordinates(gp, layout, other)[i])
            changed = gp.outputs[["predicted", "deviation"]].copy()
            predict_at(gp, layout, other)
            for name in ("predicted", "deviation"):
                assert_allclose(gp.outputs[name], changed[name], rtol=1e-7)
        others = codes_of(space, 4, seed=80 + i)


def test_values_without_noise_are_the_means_at_the_points():
    """What the front is made of: nearer to one another than what was measured."""
    gp = memory_of(MIXED, 12, seed=6)
    learn(gp, MIXED.layout)
    for r in range(12):
        predict_at(gp, MIXED.layout, gp.points[r])
        y = gp.outputs.centre + gp.outputs.scale * gp.outputs.predicted
        assert_allclose(gp.fitted[:, r], y, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_no_deviation_is_greater_than_its_bound(space):
    """Else a candidate would be passed over that is better than what is known.

    At the anchor itself the bound is the deviation.
    """
    gp = memory_of(space, 12, seed=3)
    pair_up(gp, PAIRS if space is MIXED else [])
    gp.control.num_front = 1  # a bound is for gains, so there is a front
    learn(gp, space.layout)
    anchor, *others = codes_of(space, 8, seed=90)
    for x in (anchor, *others, gp.points[0]):
        bound_at(gp, space.layout, anchor, x)
        bounds = gp.outputs.deviation.copy()
        predict_at(gp, space.layout, x)
        assert (bounds >= gp.outputs.deviation * (1 - 1e-9)).all()
        if x is anchor:
            assert_allclose(bounds, gp.outputs.deviation, rtol=1e-6)


def test_ways_to_compare_orders_that_matter_little_are_left_out():
    """And are not counted at all for candidates; what is left keeps its proportions."""
    space = dl.Permutation(6)
    gp = memory_of(space, 12, num_objectives=1, seed=4)
    gp.log_weights[:] = 0.0
    gp.log_weights[0, 5 + 3] = 4.0  # nearly all of it: items side by side
    learn(gp, space.layout)
    assert gp.heard.tolist() == [0, 0, 0, 1, 0]
    assert gp.shares[0, :3].tolist() == [0.0, 0.0, 0.0]
    assert_allclose(gp.shares[0].sum(), 1.0)
    predict_at(gp, space.layout, gp.points[0])
    assert gp.alike[3, 0] == 1.0
