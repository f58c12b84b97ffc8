"""Operation counts beside the clock: claims, tables and pictures."""

import pytest

from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN
from divlearn.lab.paper.studies import flops
from divlearn.lab.paper.study import Evidence

SHARES = {"large": 0.7, "small": 0.3}


def run(error=0.0, **more):
    """Shares that the model misses by an error."""
    measured = {"large": 0.7 - error, "small": 0.3 + error}
    known = {"elsewhere": 0.1, "operations": 1e9, "seconds": 2.0}
    return {"predicted": SHARES, "measured": measured, **known, **more}


def three(error=0.0):
    """Three runs with errors around one."""
    return [run(error - 0.0001), run(error), run(error + 0.0001)]


def counts(saved=0.95):
    """Operations of two problems, ours being less by a share."""
    return {
        name: dict.fromkeys(flops.BAYESIAN, 1e12) | {flops.OURS: (1 - saved) * 1e12}
        for name in ("a", "b")
    }


def verdicts(found, counted):
    """The four verdicts."""
    return [claim.verdict for claim in flops.claims(found, counted)]


def test_the_papers_own_numbers_confirm_the_papers_claims():
    """Its errors, and a saving between 90 and 99 %."""
    found = {k: three(one.paper / 100) for k, one in flops.METHODS.items()}
    assert verdicts(found, counts()) == [HOLDS] * 4


def test_other_numbers_contradict_them():
    """Errors of 45 %, where another component is the largest, and little saved."""
    found = {label: three(0.45) for label in flops.METHODS}
    assert verdicts(found, counts(saved=0.5)) == [FAILS] * 4


def test_without_measurements_nothing_is_decided():
    """If no package of a method is there."""
    assert verdicts({}, {}) == [OPEN] * 4


def test_a_row_has_our_error_beside_the_papers():
    """In percentage points, the mean over runs."""
    (row,) = flops.error_table({"NSGA-II": three(0.1)}).rows
    assert row["MAE %"] == pytest.approx(10.0)
    assert row["the paper's MAE %"] == 0.69
    assert row["operations per s"] == 5e8
    shares = flops.share_table({"NSGA-II": three(0.1)}).rows
    assert shares[0]["predicted %"] == pytest.approx(70.0)
    assert shares[0]["measured %"] == pytest.approx(60.0)


def test_all_methods_of_a_problem_are_counted():
    """Solvers of tours and of knapsacks where they apply, networks where they are."""
    pytest.importorskip("torch")
    tours, items = flops.counted("bitsp-20"), flops.counted("bikp-50")
    assert "ws-lkh" in tours
    assert "ws-lkh" not in items
    assert "ws-dp" in items
    for found in (tours, items):
        assert found["training of pmoco"] > found["pmoco"] > 0
        assert min(found[m] for m in flops.BAYESIAN) > 10 * found[flops.OURS]
    assert "training of pmoco" not in flops.counted("tritsp-100")


def test_what_a_clock_said_is_kept(tmp_path, monkeypatch):
    """A report that is made again has the same numbers."""
    calls = []

    def timed(one, short):
        calls.append(one.method)
        return three(0.01 * len(calls))

    monkeypatch.setattr(flops, "timed", timed)
    monkeypatch.setattr(flops, "counted", lambda name: counts()["a"])
    evidence = Evidence({}, None, tmp_path, short=True)
    first, second = flops.findings(evidence), flops.findings(evidence)
    assert len(calls) == len(flops.METHODS)
    assert first.claims == second.claims
    assert first.timed_tables == second.timed_tables


def test_pictures_have_a_pair_of_bars_per_method_and_component():
    """Ours and the paper's; the model's and the clock's."""
    pytest.importorskip("matplotlib")
    found = {label: three(0.05) for label in flops.METHODS}
    (axes,) = flops.draw_errors(found).axes
    assert len(axes.patches) == 2 * len(flops.METHODS)
    panels = flops.draw_shares(found).axes
    assert [len(p.patches) for p in panels[: len(found)]] == [4] * len(found)
