import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn.lab.codesign import Technology, Workload, costs_of, design_of
from divlearn.lab.codesign.design import Array
from divlearn.lab.codesign.digital import Product, cycles, traffic
from tests.reference import codesign as slow

SIZES = st.integers(1, 60)
ARRAYS = st.builds(
    Array, st.integers(1, 20), st.integers(1, 20), st.sampled_from(["ws", "os", "is"])
)


@given(st.builds(Product, SIZES, SIZES, SIZES), ARRAYS)
def test_traffic_is_that_of_all_folds(product, array):
    """Compared with a walk through every fold."""
    assert traffic(product, array) == slow.count_words(product, array)


@given(st.builds(Product, SIZES, SIZES, SIZES), ARRAYS)
def test_an_array_takes_at_least_its_share_of_the_work(product, array):
    """No more than one product per element and cycle."""
    assert cycles(product, array) * array.rows * array.cols >= product.macs


@pytest.mark.parametrize(
    ("dataflow", "expected"),
    [("ws", 1 * 1 * (32 + 16 + 324 - 2)), ("os", 21 * 1 * (32 + 16 + 9 - 2)),
     ("is", 1 * 21 * (32 + 16 + 16 - 2))],
)  # fmt: skip
def test_cycles_follow_the_equation_of_scale_sim(dataflow, expected):
    """A layer of 16 filters of 3 x 3 on 20 x 20 pixels, by hand."""
    assert cycles(Product(324, 9, 16), Array(16, 16, dataflow)) == expected


def test_totals_are_the_sums_of_the_blocks(good):
    """What a designer reads block by block adds up."""
    costs = costs_of(design_of(good))
    blocks = costs.blocks.values()
    assert_allclose(costs.energy_uj, sum(b.energy for b in blocks) * 1e-6)
    assert_allclose(costs.delay_us, sum(b.time for b in blocks) * 1e-3)
    assert_allclose(costs.area_mm2, sum(b.area for b in blocks))
    assert all(min(dataclasses.astuple(b)) >= 0 for b in blocks)


@pytest.mark.parametrize(
    ("change", "less", "more"),
    [
        ({"frequency": 800}, ["delay_us"], []),
        ({"rows": 32, "cols": 32}, ["delay_us"], ["area_mm2"]),
        ({"hd_dim": 8192}, [], ["energy_uj", "delay_us", "area_mm2"]),
        ({"adc_bits": 8}, [], ["area_mm2", "energy_uj"]),
        ({"adcs": 16}, ["delay_us"], ["area_mm2"]),
        ({"act_bits": 8}, [], ["energy_uj", "area_mm2"]),
        ({"retrain": 10}, [], ["energy_uj"]),
        ({"encoder": "kronecker"}, ["energy_uj", "area_mm2"], []),
        ({"am_bits": 4}, [], ["energy_uj"]),
    ],
)
def test_costs_move_as_an_engineer_expects(good, change, less, more):
    """Signs of the trade-offs; a wrong one would make the benchmark meaningless."""
    before, after = costs_of(design_of(good)), costs_of(design_of({**good, **change}))
    for name in less:
        assert getattr(after, name) < getattr(before, name)
    for name in more:
        assert getattr(after, name) > getattr(before, name)


def test_every_constant_has_a_unit_and_a_source():
    """One table; what nobody published is called an assumption."""
    table = Technology.table()
    assert len(table) == len(dataclasses.fields(Technology))
    for name, value, unit, source in table:
        assert value > 0, name
        assert unit, name
        assert source, name
    assert any("assumption" in source for *_, source in table)


def test_custom_constants_and_images_change_the_costs(good):
    """The model can be moved to another process and another data set."""
    design = design_of(good)
    plain = costs_of(design)
    leaky = costs_of(design, Technology(leakage=50.0))
    assert leaky.energy_uj > plain.energy_uj
    assert leaky.delay_us == plain.delay_us
    larger = costs_of(design, workload=Workload(32, 3))
    assert larger.delay_us > plain.delay_us
