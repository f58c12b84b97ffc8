"""What the model says of a candidate, against numpy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from tests.kernels.dl.models.gp.cases import (
    MIXED,
    codes_of,
    coordinates,
    feature_weights,
    learn,
    memory_of,
    pair_up,
    predict_at,
    predict_changed,
    wait_for,
)
from tests.reference import similarity as reference

PAIRS = [(0, 6, 0.3), (3, 8, 0.1), (6, 8, 0.2)]
SPACES = [MIXED, dl.Binary(6), dl.Composite(a=dl.Permutation(5), b=dl.Integer(0, 7))]


def expected(space, sim, o, points, noise, targets, x, pairs=()):
    """Mean and deviation at ``x`` by definition."""
    weights = feature_weights(sim, o)

    def of(a, b):
        smooth = sim.outputs[o].smooth == 1
        return reference.covariance(space.segments(), weights, pairs, a, b, smooth)

    kernel = np.array([[of(a, b) for b in points] for a in points])
    similar = np.array([of(x, b) for b in points])
    mean, variance = reference.posterior(kernel, noise, targets, similar, of(x, x))
    return mean, np.sqrt(variance)


@pytest.mark.parametrize("smooth", [[0, 0], [1, 0]], ids=["rough", "one smooth"])
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_mean_and_deviation_are_those_of_the_definition(space, smooth):
    """For outputs that are not bent, at solutions that were not seen."""
    sim = memory_of(space, 12, seed=1)
    sim.outputs.smooth = smooth
    learn(sim, space.layout)
    for x in codes_of(space, 5, seed=50):
        predict_at(sim, space.layout, x)
        for o in range(2):
            y = sim.values[:12, o]
            noise = np.full(12, np.exp(sim.outputs[o].log_noise))
            targets = (y - y.mean()) / y.std()
            wanted = expected(space, sim, o, sim.points[:12], noise, targets, x)
            found = sim.outputs[o].predicted, sim.outputs[o].deviation
            assert_allclose(found, wanted, rtol=1e-7)


def test_pairs_count_in_mean_and_deviation():
    """Also in the covariance of the candidate with itself."""
    sim = memory_of(MIXED, 12, seed=1)
    pair_up(sim, PAIRS)
    learn(sim, MIXED.layout)
    x, y = codes_of(MIXED, 1, seed=50)[0], sim.values[:12, 0]
    predict_at(sim, MIXED.layout, x)
    noise = np.full(12, np.exp(sim.outputs[0].log_noise))
    targets = (y - y.mean()) / y.std()
    wanted = expected(MIXED, sim, 0, sim.points[:12], noise, targets, x, PAIRS)
    found = sim.outputs[0].predicted, sim.outputs[0].deviation
    assert_allclose(found, wanted, rtol=1e-7)


def test_proposals_without_an_answer_are_believed_to_come_out_as_predicted():
    """The mean stays, and the deviation at them is next to nothing."""
    sim = memory_of(MIXED, 10, seed=2)
    (x,) = codes_of(MIXED, 1, seed=1000)
    learn(sim, MIXED.layout)
    predict_at(sim, MIXED.layout, x)
    before = sim.outputs[["predicted", "deviation"]].copy()
    wait_for(sim, MIXED, 1)
    learn(sim, MIXED.layout)
    predict_at(sim, MIXED.layout, x)
    assert_allclose(sim.outputs.predicted, before["predicted"], rtol=1e-4, atol=1e-4)
    assert (sim.outputs.deviation < 0.02 * before["deviation"]).all()
    assert sim.control[0].num_pending == 1


@pytest.mark.parametrize("pairs", [[], PAIRS], ids=["alone", "pairs"])
def test_a_changed_coordinate_is_predicted_as_the_changed_solution(pairs):
    """At every position, for every other value; one output is smooth, one is not."""
    sim, layout = memory_of(MIXED, 12, seed=4), MIXED.layout
    sim.outputs.smooth = [1, 0]
    pair_up(sim, pairs)
    learn(sim, layout)
    x = codes_of(MIXED, 1, seed=60)[0]
    for i, arity in enumerate(layout.places.arity):
        for value in set(range(arity)) - {x[i]}:
            other = x.copy()
            other[i] = value
            predict_changed(sim, layout, x, i, coordinates(sim, layout, other)[i])
            changed = sim.outputs[["predicted", "deviation"]].copy()
            predict_at(sim, layout, other)
            for name in ("predicted", "deviation"):
                assert_allclose(sim.outputs[name], changed[name], rtol=1e-7)


def test_values_without_noise_are_the_means_at_the_points():
    """What the front is made of: nearer to one another than what was measured."""
    sim = memory_of(MIXED, 12, seed=6)
    learn(sim, MIXED.layout)
    for r in range(12):
        predict_at(sim, MIXED.layout, sim.points[r])
        y = sim.outputs.centre + sim.outputs.scale * sim.outputs.predicted
        assert_allclose(sim.fitted[:, r], y, rtol=1e-7, atol=1e-9)
