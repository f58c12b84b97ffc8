"""Proposals as a whole: unseen, reproducible, and better than chance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.models.gp.fitting import fit_model
from divlearn.methods.dl.kernels.models.gp.points import choose_rows, take_point
from divlearn.methods.dl.kernels.models.gp.proposal import propose_gp
from divlearn.methods.dl.kernels.models.gp.state import new_gp
from divlearn.metrics import hypervolume
from tests.kernels.cases import (
    SEEDS,
    composites,
    conditionals,
    hashed_objectives,
    words_of,
)
from tests.kernels.dl.models.gp.cases import MIXED, QUICK, codes_of
from tests.reference.layout import members

FEW = settings(max_examples=5 if JIT_DISABLED else 40)


class Search:
    """Proposals over a space, one at a time or in batches."""

    def __init__(self, space, m, c=0, seed=0, **changes):
        self.layout = space.layout
        self.gp = new_gp(space.layout, m, m + c, 60, **QUICK | changes)
        self.seen, self.words = np.zeros(1024, np.uint64), words_of(seed)

    def propose(self):
        """The next proposal, or None."""
        x = np.zeros(len(self.layout.places), np.int64)
        found = propose_gp(self.gp, self.layout, self.seen, self.words, x)
        return x if found else None

    def run(self, function, evaluations, batch=1):
        """Evaluate proposals in batches; returns them and their outputs."""
        xs, ys = [], []
        while len(xs) < evaluations:
            asked = [self.propose() for _ in range(batch)]
            for x in asked:
                if x is not None:
                    xs.append(x)
                    ys.append(np.array(function(x), float))
                    take_point(self.gp, x, ys[-1])
            if asked[-1] is None:
                break
        return np.array(xs), np.array(ys)


ANY_SPACE = st.one_of(composites(), conditionals())


def additive(space, m, seed=0):
    """Sums of effects of all values."""
    rng, places = np.random.default_rng(seed), space.layout.places
    effects = rng.normal(size=(int(places.arity.sum()), m))
    return lambda x: effects[places.offset + x].sum(axis=0)


@FEW
@given(
    st.one_of(composites(), conditionals()), SEEDS, st.integers(1, 3), st.integers(1, 4)
)
def test_proposals_are_unseen_members(space, seed, m, batch):
    """In every kind of space, without structure, one at a time or several."""
    function = hashed_objectives(space, m)
    search = Search(space, m, seed=seed)
    xs, _ = search.run(lambda x: function(space.decode(x)), 12, batch)
    assert all(is_member(space.layout, x) for x in xs)
    assert len({x.tobytes() for x in xs}) == len(xs)


@pytest.mark.parametrize(
    "space", [dl.Binary(3), dl.Subset(4, 2), dl.Permutation(3), dl.Ordinal("abc", 2)]
)
def test_a_space_is_exhausted_and_then_nothing_is_proposed(space):
    """Every solution once."""
    search = Search(space, 2)
    xs, _ = search.run(additive(space, 2), 99)
    assert sorted(map(tuple, xs.tolist())) == sorted(members(space.segments()))
    assert search.propose() is None


def test_the_seed_decides_every_proposal():
    """The same seed gives the same bits, another one gives others."""
    function = additive(MIXED, 2)
    runs = [Search(MIXED, 2, seed=seed).run(function, 14)[0] for seed in (1, 1, 2)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize(
    "space",
    [
        dl.Binary(15),
        dl.Subset(15, min=3, max=8),
        dl.Categorical(range(4), 8),
        dl.Ordinal(range(6), 8),
        dl.Composite(a=dl.Permutation(6), b=dl.Integer(1, 9, n=3), c=MIXED),
    ],
    ids=repr,
)
def test_forty_evaluations_beat_two_hundred_random_ones(space, batch):
    """On sums of effects; a fifth of the evaluations."""
    function = additive(space, 2)
    random = np.array([function(x) for x in codes_of(space, 200)])
    low, high = random.min(axis=0), random.max(axis=0)
    changes = {"num_tries": 60, "num_steps": 200, "num_initial": 8}
    _, ys = Search(space, 2, **changes).run(function, 40, batch)

    def quality(values):
        return hypervolume((values - low) / (high - low), [1.0, 1.0])

    assert quality(ys) > quality(random)


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_the_feasible_is_found_where_it_is_rare():
    """Nothing feasible among the first: then the chance to be feasible counts."""
    space = dl.Binary(20)

    def function(x):
        return [-float(x[:10].sum()), float(x[10:].sum()), 17.0 - x.sum()]

    _, ys = Search(space, 2, 1, num_initial=8).run(function, 40)
    assert (ys[:8, 2] > 0).all()
    assert (ys[:, 2] <= 0).sum() >= 5


@pytest.mark.parametrize("scale", [1e-12, 1e12])
@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_units_do_not_matter_for_validity(scale, shift):
    """Tiny, huge and shifted outputs: proposals go on, numbers stay finite."""
    function = additive(MIXED, 2)
    search = Search(MIXED, 2)
    xs, _ = search.run(lambda x: scale * (function(x) + shift), 10)
    assert len(xs) == 10
    assert np.isfinite(search.gp.fitted[:, :8]).all()


def test_objectives_that_are_constant_do_no_harm():
    """One of them says nothing."""
    function = additive(MIXED, 1)
    xs, _ = Search(MIXED, 2).run(lambda x: [function(x)[0], 5.0], 10)
    assert len(xs) == 10


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_noise_is_recognised(noise):
    """Its deviation, relative to that of the outputs, within a factor of two."""
    space, rng = dl.Binary(10), np.random.default_rng(0)
    function = additive(space, 1)
    points = codes_of(space, 100)
    exact = np.array([function(x)[0] for x in points])
    deviation = noise * exact.std()
    gp = new_gp(space.layout, 1, 1, 100, warp=0)
    for x, y in zip(points, exact, strict=True):
        take_point(gp, x, np.array([y + deviation * rng.normal()]))
    choose_rows(gp)
    fit_model(gp, space.layout)
    output = gp.outputs[0]
    found = np.exp(0.5 * output.log_noise) * output.signal
    found *= gp.values[:, 0].std() / exact.std()
    if noise == 0.0:
        assert found < 0.05
    else:
        assert_allclose(found, noise, rtol=0.5)


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_a_pair_that_acts_together_is_found():
    """A product of two signs among ten bits has no effect of either alone."""
    space = dl.Binary(10)
    points = codes_of(space, 60)
    gp = new_gp(space.layout, 1, 1, 60)
    for x in points:
        product = (2 * x[2] - 1) * (2 * x[7] - 1)
        take_point(gp, x, np.array([product + 0.5 * x[0] + 0.2 * x[5]]))
    choose_rows(gp)
    fit_model(gp, space.layout)
    heaviest = np.argmax(gp.log_pairs[0, : gp.outputs[0].num_pairs])
    assert sorted(gp.pairs[0, heaviest]) == [2, 7]


def fitted(space, points, outputs, **settings):
    """A memory of one output whose constants were fitted."""
    gp = new_gp(space.layout, 1, 1, len(points), warp=0, **settings)
    for x, y in zip(points, outputs, strict=True):
        take_point(gp, x, np.array([y]))
    choose_rows(gp)
    fit_model(gp, space.layout)
    return gp


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
@pytest.mark.parametrize(("power", "smooth"), [(2, 1), (1, 0)])
def test_an_output_is_taken_for_smooth_where_it_is(power, smooth):
    """A parabola has no kinks, sums of many random steps have nothing else."""
    space, rng = dl.Integer(0, 30, n=2), np.random.default_rng(1)
    points = codes_of(space, 60)
    steps = np.cumsum(rng.normal(size=(2, 31)), axis=1)
    curves = ((points - 12.0) ** 2, np.array([steps[[0, 1], x] for x in points]))
    gp = fitted(space, points, curves[0 if power == 2 else 1].sum(axis=1))
    assert gp.outputs[0].smooth == smooth


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_pairs_that_the_evidence_does_not_pay_for_are_not_taken():
    """Noise looks like pairs, and every pair taken would be an error."""
    space, rng = dl.Binary(10), np.random.default_rng(2)
    points = codes_of(space, 60)
    function = additive(space, 1)
    outputs = [function(x)[0] + 0.5 * rng.normal() for x in points]
    assert fitted(space, points, outputs).outputs[0].num_pairs == 0
    assert fitted(space, points, outputs, least_evidence=-1e9).outputs[0].num_pairs == 3


def test_factors_that_grow_row_by_row_are_those_that_are_made_anew():
    """To the last bit, so that a search goes on the same after it was loaded."""
    function, runs = additive(MIXED, 2), []
    for forget in (False, True):
        search, xs = Search(MIXED, 2, seed=5), []
        for _ in range(14):
            if forget:
                search.gp.conditioned[:] = 0
            xs.append(search.propose())
            take_point(search.gp, xs[-1], function(xs[-1]))
        runs.append(np.array(xs))
    assert (runs[0] == runs[1]).all()
