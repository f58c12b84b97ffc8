"""What is predicted of designs, and whether it is as sure as it says."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.result.importance.surrogate import MOST_USED
from divlearn.result.prediction import predict
from divlearn.result.sample import Sample

SPACE = dl.Composite(
    order=dl.Permutation(6), depth=dl.Integer(0, 9), kind=dl.Categorical("abc")
)


def two(x):
    """A smooth output and one with an interaction."""
    first = float(np.flatnonzero(np.array(x["order"]) == 0)[0])
    kind = "abc".index(x["kind"])
    return 2.0 * x["depth"] + first, (x["depth"] - 4.0) ** 2 * (1.0 + kind)


def sample_of(count, function=two, space=SPACE, seed=0):
    """Random designs with their values."""
    designs = [space.sample(1_000 * seed + k) for k in range(count)]
    codes = np.array([space.encode(x) for x in designs])
    outputs = np.array([np.atleast_1d(function(x)) for x in designs], float)
    return Sample(space, codes, outputs)


def test_intervals_hold_what_they_promise_on_designs_never_seen():
    """Nine of ten true values lie within; the means are close."""
    others = [SPACE.sample(k) for k in range(5_000, 5_120)]
    found = predict(sample_of(60), ["cost", "gain"], others)
    truth = np.array([two(x) for x in others])
    for j, name in enumerate(("cost", "gain")):
        one = [p.estimates[name] for p in found]
        means = np.array([e.mean for e in one])
        inside = [e.low <= t <= e.high for e, t in zip(one, truth[:, j], strict=True)]
        error = np.var(means - truth[:, j]) / np.var(truth[:, j])
        assert 0.8 <= np.mean(inside) <= 1.0
        assert error < 0.1
        assert abs((1.0 - error) - one[0].explained) < 0.1


def test_intervals_hold_what_they_promise_of_many_variables_and_few_designs():
    """Weights that were fitted to all designs know each of them a little."""
    space = dl.Composite(**{f"v{k}": dl.Categorical("abcd") for k in range(20)})
    rng = np.random.default_rng(1)
    effects = rng.normal(size=(20, 4)) * np.exp(rng.normal(size=20))[:, None]

    def value(x):
        return sum(effects[k, "abcd".index(x[f"v{k}"])] for k in range(20))

    others = [space.sample(k) for k in range(5_000, 5_150)]
    found = predict(sample_of(60, value, space), ["cost"], others)
    inside = [
        one.estimates["cost"].low <= value(x) <= one.estimates["cost"].high
        for one, x in zip(found, others, strict=True)
    ]
    assert 0.88 <= np.mean(inside) <= 0.99


def test_what_cannot_be_predicted_is_said_so():
    """Noise has no law: the interval is as wide as the values are spread."""
    rng = np.random.default_rng(0)
    sample = sample_of(50, lambda x: rng.normal())
    (found,) = predict(sample, ["noise"], [SPACE.sample(9_999)])
    estimate = found.estimates["noise"]
    assert estimate.explained < 0.25
    assert "less than 25% of noise" in found.note
    assert 0.7 < estimate.std / sample.outputs.std() < 1.5


def test_nothing_is_said_from_a_handful_of_designs():
    """An empty answer is better than an invented one."""
    (found,) = predict(sample_of(9), ["cost", "gain"], [SPACE.sample(99)])
    assert (found.estimates, found.designs) == ({}, 9)
    assert "9 designs have values; below 10" in found.note
    assert predict(sample_of(9), ["cost", "gain"], []) == []


def test_an_output_that_never_changes_is_predicted_to_stay():
    """There is nothing to fit, and nothing may break."""
    sample = sample_of(12, lambda x: 7.0)
    estimate = predict(sample, ["same"], [SPACE.sample(99)])[0].estimates["same"]
    assert (estimate.mean, estimate.std) == (7.0, 0.0)


def test_a_design_that_was_evaluated_is_told_as_measured():
    """The mean of several measurements."""
    sample = sample_of(12)
    twice = Sample(
        SPACE,
        np.concatenate((sample.codes, sample.codes[:1])),
        np.concatenate((sample.outputs, sample.outputs[:1] + 2.0)),
    )
    seen, new = predict(twice, ["a", "b"], [SPACE.sample(0), SPACE.sample(99)])
    assert seen.measured["a"] == sample.outputs[0, 0] + 1.0
    assert new.measured is None
    assert seen.to_dict()["estimates"]["a"]["mean"] == seen.estimates["a"].mean


def test_of_many_designs_the_nearest_are_used():
    """A model of all would take too long; what is far away says least."""
    space = dl.Integer(0, 9, n=8)
    sample = sample_of(MOST_USED + 200, lambda x: float(x[0]), space)
    asked = space.decode(sample.codes[450])
    (found,) = predict(sample, ["first"], [asked])
    assert found.designs == MOST_USED
    assert abs(found.estimates["first"].mean - sample.outputs[450, 0]) < 0.3


def test_a_design_of_another_space_is_refused():
    """With the words of the space."""
    with pytest.raises(InputError, match="depth"):
        predict(sample_of(12), ["a", "b"], [{"order": [0, 1, 2, 3, 4, 5], "kind": "a"}])
