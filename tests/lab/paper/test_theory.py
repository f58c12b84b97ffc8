"""The study of the theory, on tiny measurements."""

import json

import numpy as np
import pytest

from divlearn import InputError
from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN, VERDICTS
from divlearn.lab.paper.runner import suites_of
from divlearn.lab.paper.studies import theory
from divlearn.lab.paper.studies.theory import measured as measuring
from divlearn.lab.paper.studies.theory.claims import grows_at_most, rate_of
from divlearn.lab.paper.studies.theory.measured import Sizes
from divlearn.lab.paper.study import Evidence
from divlearn.lab.theory.growth import Exponent
from divlearn.lab.theory.instances import WITH_OPTIMUM

TINY = Sizes(20, 12, 15, 4, 300, 2, WITH_OPTIMUM)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the study says of tiny measurements, and where it keeps them."""
    folder = tmp_path_factory.mktemp("theory")
    before, measuring.SHORT = measuring.SHORT, TINY
    findings = theory.findings(Evidence({}, None, folder, short=True))
    yield findings, folder
    measuring.SHORT = before


def test_every_table_has_rows_of_equal_columns(found):
    """A table is written from the columns of its first row."""
    for table in found[0].tables:
        assert table.rows
        assert all(list(row) == list(table.rows[0]) for row in table.rows)


def test_every_claim_has_a_verdict_and_a_line_of_the_paper(found):
    """Claims are unique, and say how they were decided."""
    claims = found[0].claims
    assert len({claim.text for claim in claims}) == len(claims)
    for claim in claims:
        assert claim.verdict in VERDICTS
        assert 400 < claim.line < 4_000
        assert claim.rule
        assert claim.measured


def test_counted_claims_do_not_depend_on_the_sample(found):
    """Two lemmas fail at sizes of the paper, however little is measured."""
    verdicts = {claim.line: claim.verdict for claim in found[0].claims}
    assert (verdicts[3129], verdicts[3205]) == (FAILS, FAILS)
    assert verdicts[3288] == HOLDS


def test_figures_can_be_drawn(found):
    """Every panel has something in it."""
    for figure in found[0].figures:
        panels = figure.draw().get_axes()
        assert panels
        assert all(axes.has_data() for axes in panels)


def test_what_was_measured_is_kept_and_gives_the_same_again(found):
    """A study that was killed goes on with the part it was at."""
    findings, folder = found
    kept = {path.name: path.read_text() for path in folder.glob("*.json")}
    assert any(name.startswith("methods-bitsp-20.") for name in kept)
    assert all(json.loads(text) for text in kept.values())
    again = theory.findings(Evidence({}, None, folder, short=True))
    assert list(again.claims) == list(findings.claims)
    assert [t.rows for t in again.tables] == [t.rows for t in findings.tables]


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.3, 0.5, HOLDS), (0.4, 0.6, OPEN), (0.6, 0.7, FAILS)]
)
def test_an_exponent_is_judged_by_its_interval(low, high, verdict):
    """Against the exponent of a bound, one half."""
    assert grows_at_most(Exponent((low + high) / 2, low, high), 0.5) == verdict


def test_the_exponent_of_a_bound_with_a_logarithm_is_above_one_half():
    """By 1 / (2 log T), which changes from the first to the last round."""
    found = rate_of(10_000, with_log=True)
    assert 0.5 + 0.5 / np.log(10_000) < found < 0.5 + 0.5 / np.log(1_000)
    assert rate_of(10_000, with_log=False) == 0.5


def test_changes_of_runs_are_refused_where_a_study_makes_none():
    """It measures what it says, whatever number of seeds somebody asks for."""
    with pytest.raises(InputError, match=r"--seeds .* paper-theory makes none"):
        suites_of([theory.STUDY], short=True, seeds=3, instances=None)
    assert suites_of([theory.STUDY], short=True, seeds=None) == {"theory": []}
