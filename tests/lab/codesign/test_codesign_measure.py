import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

pytest.importorskip("sklearn")

from divlearn.lab.codesign import Technology, design_of
from divlearn.lab.codesign.classifier import classify, learn, quantise
from divlearn.lab.codesign.design import Array, Convolution
from divlearn.lab.codesign.devices import GRID, conductances, convert
from divlearn.lab.codesign.encoder import encode, factors, feature_grid
from divlearn.lab.codesign.features import (
    LARGEST_SUM,
    choose_filters,
    convolve,
    extract,
    pool,
)
from divlearn.lab.codesign.images import BRIGHTEST, NUM_CLASSES, draw, load
from divlearn.lab.codesign.measure import FAST, FULL, Effort, measure_error
from tests.reference import codesign as slow

#: Cells that do what they are told.
PERFECT = Technology(
    programming_error=0.0, telegraph_noise=0.0, stuck_low=0.0, stuck_high=0.0
)
SMALL = Effort(train=200, test=150, draws=1)


def is_whole(values):
    """Whether float32 holds sums of them exactly, in whatever order."""
    return (values == np.rint(values)).all()


def test_images_are_bytes_of_all_classes_that_differ_by_draw(rng):
    """Every measurement sees other images, places, light and noise."""
    digits, labels = load()
    assert digits.shape == (1797, 16, 16)
    assert set(labels) == set(range(NUM_CLASSES))
    sample = draw(rng, 300, 200)
    assert sample.pixels.shape == (20, 20, 1, 500)
    assert sample.labels.shape == (500,)
    assert is_whole(sample.pixels)
    assert 0 <= sample.pixels.min() < sample.pixels.max() <= BRIGHTEST
    assert not np.array_equal(draw(rng, 300, 200).labels, sample.labels)
    assert draw(rng, 1_000, 10_000).pixels.shape[-1] == 1797


@pytest.mark.parametrize(("kernel", "stride"), [(1, 1), (3, 1), (3, 2), (5, 2)])
def test_convolutions_are_those_of_the_slow_version(rng, kernel, stride):
    """Windows overlap in memory; one wrong stride would give other sums."""
    maps = rng.integers(0, 256, (8, 8, 3, 4)).astype(np.float32)
    filters = rng.integers(-127, 128, (2, kernel, kernel, 3)).astype(np.float32)
    found = convolve(maps, filters, stride)
    assert_array_equal(found, slow.convolve(maps, filters, stride))


def test_pooling_takes_the_largest_of_four_and_leaves_what_is_over():
    """An odd map loses its last row and column."""
    maps = np.arange(25, dtype=np.float32).reshape(5, 5, 1, 1)
    assert_array_equal(pool(maps)[..., 0, 0], [[6, 8], [16, 18]])


def test_filters_keep_all_sums_exact(good, rng):
    """The largest possible sum of products is below 2**24, as float32 needs."""
    maps = rng.integers(0, 256, (14, 14, 24, 30)).astype(np.float32)
    layer = Convolution(32, 7, 1, Array(8, 8))
    filters = choose_filters(maps, layer, design_of(good), rng)
    assert filters.shape == (32, 7, 7, 24)
    assert is_whole(filters)
    assert np.abs(filters).sum(axis=(1, 2, 3)).max() <= LARGEST_SUM
    assert len(np.unique(filters.reshape(32, -1), axis=0)) == 32


@pytest.mark.parametrize("extractor", ["none", "conv1", "conv2"])
@pytest.mark.parametrize("bits", [1, 8])
def test_features_are_whole_numbers_of_the_promised_bits(good, rng, extractor, bits):
    """The encoder's sums are exact only then."""
    design = design_of({**good, "extractor": extractor, "act_bits": bits})
    sample = draw(rng, 40, 20)
    features = extract(design, sample, rng)
    assert features.shape == (design.num_features(20), 60)
    assert is_whole(features)
    assert features.min() == 0
    top = 2**bits - 1
    assert 0.8 * top < features.max() <= top


def test_cells_err_as_the_constants_say(rng):
    """Stuck cells by their shares, the others about their level."""
    read = conductances(np.full(200_000, 1.0), 2, rng, Technology()) / GRID
    stuck = np.isin(read, [0.0, 3.0])
    assert_allclose(stuck.mean(), 0.0904 + 0.0175, atol=0.005)
    assert_allclose(read[~stuck].mean(), 0.98, atol=0.02)  # telegraph noise lowers it
    assert_allclose(read[~stuck].std(), 2.8 * 3 / 39, rtol=0.05)
    ideal = conductances(np.arange(16.0), 4, rng, PERFECT)
    assert_array_equal(ideal, GRID * np.arange(16))


def test_converters_round_and_clip():
    """Codes from -2**(bits - 1) on; sums below half a step vanish."""
    sums = np.array([0.4, -0.4, 0.6, 1.6, 99.0, -99.0], np.float32)
    assert_array_equal(convert(sums, bits=3, full=4.0), [0, 0, 1, 2, 3, -4])


@pytest.mark.parametrize("kind", ["systolic", "pim", "kronecker"])
def test_every_encoder_keeps_near_things_near(good, rng, kind):
    """Hypervectors of similar features agree in more places than those of others."""
    design = design_of({**good, "encoder": kind, "adc_bits": 8})
    base = rng.integers(0, 16, (200, 40)).astype(np.float32)
    near = base.copy()
    near[:10] = rng.integers(0, 16, (10, 40))
    vectors = encode(design, np.hstack([base, near]), 40, rng, Technology())
    assert vectors.shape == (1024, 80)
    assert set(np.unique(vectors)) == {-1, 1}
    agree = (vectors[:, :40].T @ vectors[:, 40:]) / 1024
    assert np.diag(agree).min() > 0.5
    assert np.abs(agree - np.diag(np.diag(agree))).mean() < 0.2


def test_kronecker_factors_multiply_to_the_whole():
    """Every length of a hypervector and every number of features has a grid."""
    for number in (128, 256, 512, 1024, 2048, 4096, 8192, 3072):
        assert np.prod(factors(number)) == number
    for number in range(16, 400):
        rows, cols = feature_grid(number)
        assert number <= rows * cols < number + cols


@pytest.mark.parametrize(("am_bits", "cell_bits"), [(1, 1), (2, 1), (4, 2), (4, 4)])
def test_a_perfect_class_memory_finds_the_most_similar_class(
    good, rng, am_bits, cell_bits
):
    """Bit slices, blocks and signs must add up to a plain product."""
    change = {"am_bits": am_bits, "cell_bits": cell_bits, "adc_bits": 8}
    design = design_of({**good, **change, "reram_size": 64})
    design = dataclasses.replace(design, adc_bits=16)  # converts without loss
    vectors = np.where(rng.random((1024, 90)) < 0.5, 1, -1).astype(np.float32)
    classes = rng.integers(-40, 41, (1024, NUM_CLASSES)).astype(np.float32)
    found = classify(design, vectors, classes, rng, PERFECT)
    scores = slow.similarities(vectors, quantise(classes, am_bits), am_bits)
    lost = scores.max(axis=1) - scores[np.arange(90), found]
    assert lost.max() <= 0.01 * scores.std()  # equals may change places by rounding
    assert (lost == 0).mean() > 0.9


def test_learning_again_corrects_training_images(rng):
    """Passes lower the errors on what was learned."""
    sample_labels = rng.integers(0, NUM_CLASSES, 300)
    centres = rng.standard_normal((256, NUM_CLASSES))
    noise = 9 * rng.standard_normal((256, 300))
    vectors = np.where(centres[:, sample_labels] + noise >= 0, 1, -1).astype(np.float32)

    def errors(passes):
        classes = learn(vectors, sample_labels, passes)
        return (np.argmax(vectors.T @ classes, axis=1) != sample_labels).mean()

    assert errors(10) < errors(0)


def test_designs_differ_in_error_as_they_should(good):
    """Measured, not modelled: what must hurt does, far beyond the noise."""

    def error(**change):
        design, rngs = design_of({**good, **change}), map(np.random.default_rng, (1, 2))
        return np.mean([measure_error(design, r, SMALL, Technology()) for r in rngs])

    plain = error()
    assert plain < 0.4
    assert error(hd_dim=128, act_bits=1) > plain + 0.1
    assert error(adc_bits=3, reram_size=512, encoder="pim") > plain + 0.2


def test_both_efforts_learn_from_as_many_images():
    """So that they measure the same error, one with less noise."""
    assert FAST.train == FULL.train
    assert FULL.draws * FULL.test > 4 * FAST.test
