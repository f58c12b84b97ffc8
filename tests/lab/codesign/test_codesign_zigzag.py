import sys

import pytest

from divlearn import MissingExtra
from divlearn.lab.codesign import Technology, Workload, costs_of, design_of
from divlearn.lab.codesign.zigzag import require_zigzag, zigzag_costs


def test_without_zigzag_the_install_command_is_named(monkeypatch):
    """Also where one of its own dependencies is what is missing."""
    monkeypatch.setitem(sys.modules, "zigzag.api", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[zigzag\]"'):
        require_zigzag()


def test_zigzag_agrees_with_the_closed_form_within_a_factor(good):
    """An independent count of cycles and accesses: near, not equal; area is ours."""
    pytest.importorskip("zigzag")
    for change in ({}, {"dataflow": "os"}, {"encoder": "kronecker"}):
        design = design_of({**good, **change})
        ours, theirs = costs_of(design), zigzag_costs(design, Technology(), Workload())
        assert 0.7 < theirs.delay_us / ours.delay_us < 1.5
        assert 1.0 < theirs.energy_uj / ours.energy_uj < 3.0
        assert theirs.area_mm2 == ours.area_mm2
        assert theirs.energy_uj != ours.energy_uj
        assert list(theirs.blocks) == list(ours.blocks)


def test_a_design_without_digital_products_is_the_same_for_both(good):
    """Pixels into crossbars: nothing for ZigZag to map."""
    design = design_of({**good, "extractor": "none", "encoder": "pim"})
    assert zigzag_costs(design, Technology(), Workload()) == costs_of(design)
