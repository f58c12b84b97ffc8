"""How an expert's score is called."""

import numpy as np
import pytest

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.paper.kernels.known import Known
from divlearn.methods.paper.kernels.scores import score_address, score_at

NOTHING = np.zeros(1)
NAMES = ("first", "second", "third")


def weighted(known, options):
    """All numbers, told apart by powers of two."""
    first = known.value + 2 * known.variance + 4 * known.visits
    second = 8 * known.log_weight + 16 * known.loss + 32 * known.updates
    third = 64 * known.temperature + 128 * known.num_actions + 256 * known.best
    fourth = 512 * known.rival + 1024 * known.u + 2048 * known.v
    fifth = 4096 * options.first + 8192 * options.second + 16384 * options.third
    return first + second + third + fourth + fifth


def test_kernels_call_a_score_by_its_address():
    """All that is known and all options arrive in their order."""
    known = Known(*(float(k) for k in range(1, 13)))
    expected = sum((k + 1) * 2.0**k for k in range(15))
    address = np.uint64(score_address(weighted, NAMES))
    assert score_at(address, known, np.array([13.0, 14.0, 15.0, 99.0])) == expected


def one(known, options):
    """A whole number, where a number with decimals is expected."""
    return 1


def test_a_whole_number_is_a_score_too():
    """A user need not think of the type that a kernel wants."""
    assert score_at(np.uint64(score_address(one)), Known(), NOTHING) == 1.0


@pytest.mark.skipif(JIT_DISABLED, reason="is about compiled scores")
def test_a_score_that_does_not_compile_is_refused_with_its_name():
    """Instead of a page of the compiler's own words at some later time."""

    def unknown(known, options):
        return undefined_name  # noqa: F821

    with pytest.raises(TypeError, match="unknown does not compile"):
        score_address(unknown)


@pytest.mark.skipif(JIT_DISABLED, reason="is about compiled scores")
def test_an_option_that_an_expert_does_not_have_is_refused_by_its_name():
    """As a spelling mistake would be in Python."""

    def misspelt(known, options):
        return options.frist

    with pytest.raises(TypeError, match="frist"):
        score_address(misspelt, NAMES)
