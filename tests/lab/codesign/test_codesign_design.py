import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn.lab.codesign import Technology, costs_of, design_of
from divlearn.lab.codesign.crossbars import read_cycles
from divlearn.lab.codesign.design import inactive, why_invalid
from divlearn.lab.codesign.images import SIDE
from divlearn.lab.codesign.spaces import PAPER_FIXED, large_space, paper_space

LARGE, PAPER = large_space(), paper_space()


def reason(x):
    """Why a design cannot be built."""
    design, constants = design_of(x), Technology()
    cycles = read_cycles(design, constants)
    return why_invalid(design, SIDE, cycles, constants.most_read_cycles)


def number_of_designs(space):
    """All combinations of values."""
    return math.prod(len(part.values) for part in space.parts.values())


def test_the_spaces_have_the_sizes_of_the_paper_and_of_the_documentation():
    """20 parameters each, in the paper's space 15 of them free."""
    assert number_of_designs(PAPER) == 221_184
    assert len(PAPER.parts) + len(PAPER_FIXED) == 20
    assert 1e11 < number_of_designs(LARGE) < 1.01e11
    assert len(LARGE.parts) == 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frequency": 800, "reram_size": 512}, "512 rows takes 128 cycles at 800"),
        (
            {"extractor": "conv2", "kernel_size_1": 7, "kernel_size_2": 7},
            "map of 1 x 1 is too small",
        ),
        (
            {
                "extractor": "conv2",
                "kernel_size_1": 7,
                "kernel_size_2": 5,
                "stride_2": 2,
                "out_channels_2": 8,
                "encoder": "kronecker",
            },
            "needs 16 features, the extractor gives 8",
        ),
    ],
)
def test_a_design_that_cannot_be_built_says_why(good, change, message):
    """One rule each; without the change the design is fine."""
    assert reason(good) == ""
    assert message in reason({**good, **change})


def test_about_one_in_ten_large_designs_is_invalid_and_no_paper_design():
    """As documented; failures are part of the problem."""
    invalid = sum(bool(reason(LARGE.sample(seed))) for seed in range(2_000)) / 2_000
    assert 0.08 < invalid < 0.11
    assert not any(reason(PAPER.sample(seed)) for seed in range(500))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_inactive_variables_change_no_cost(seed, other):
    """They may take any value: it is the same chip."""
    x, y = LARGE.sample(seed), LARGE.sample(other)
    same = {**x, **{name: y[name] for name in inactive(x)}}
    if not reason(x):
        assert costs_of(design_of(same)) == costs_of(design_of(x))
        assert not reason(same)


@given(st.integers(0, 10**6))
def test_active_variables_are_not_called_inactive(seed):
    """Changing the layers of an extractor that is used changes what it costs."""
    x = LARGE.sample(seed)
    if x["extractor"] == "conv2" and not reason(x):
        assert inactive(x) == []
        more = {**x, "out_channels_2": 40 - x["out_channels_2"]}
        assert reason(more) or costs_of(design_of(more)) != costs_of(design_of(x))
