"""A linear constraint that is learned from what a repair leaves alone."""

import numpy as np
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.models.hidden import (
    GIVEN_UP,
    LEARNING,
    LOST,
    PATIENCE,
    TRUSTED,
    excess_of,
    judge,
    learn_answer,
    new_hidden,
)
from tests.reference.hidden import conditioned


def test_an_answer_cuts_off_the_weights_that_disagree():
    """The kernel computes what the formulas say, on bits, categories and numbers."""
    letters = dl.Categorical(["a", "b", "c"], n=2)
    space = dl.Composite(bits=dl.Binary(3), letters=letters, number=dl.Integer(0, 4))
    layout, rng = space.layout, np.random.default_rng(3)
    hidden = new_hidden(layout, len(layout.places), True)
    size = len(hidden.mean)
    assert size == 3 + 6 + 1 + 1
    mean, covariance = np.zeros(size), np.eye(size)
    for seed in range(12):
        codes = space.encode(space.sample(seed))
        features = np.zeros(size)
        for place, code in zip(layout.places, codes, strict=True):
            action = place.offset + code
            features[hidden.feature[action]] += hidden.level[action]
        features[-1] = np.sqrt(size - 1)
        allowed = bool(rng.random() < 0.5)
        expected = float(mean @ features)
        assert_allclose(excess_of(hidden, layout, codes), expected, atol=1e-9)
        assert learn_answer(hidden, layout, codes, allowed) == (
            (expected <= 0) == allowed
        )
        mean, covariance = conditioned(mean, covariance, features, allowed)
        assert_allclose(hidden.mean, mean, rtol=1e-6, atol=1e-9)
        assert_allclose(hidden.covariance, covariance, rtol=1e-6, atol=1e-9)


def test_trust_comes_with_right_predictions_and_goes_with_wrong_ones():
    """What never predicts is given up after so many questions per weight."""
    layout = dl.Binary(4).layout
    hidden = new_hidden(layout, 4, True)
    record = hidden.record[0]
    for _ in range(100):
        judge(hidden, True)
    assert record.stage == TRUSTED
    while record.right >= LOST:
        judge(hidden, False)
    assert record.stage == LEARNING
    for _ in range(PATIENCE * len(hidden.mean) + 1):
        judge(hidden, False)
    assert record.stage == GIVEN_UP
