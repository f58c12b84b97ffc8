"""Tables for a paper: what is bold, what has stars, and what LaTeX makes of names."""

from dataclasses import replace

import pytest

from divlearn.lab.bench.publishing import escaped, holm, published, stars_of
from divlearn.lab.bench.suite import Suite
from divlearn.lab.bench.summary import Cell, Report
from divlearn.lab.bench.task import Case, Contender

PLACES = [(instance, 0) for instance in range(12)]
#: Hypervolumes of methods by instance: far worse, hardly worse, and the best.
VALUES = {
    "random": [0.30 + 0.01 * k for k in range(12)],
    "uniform": [0.60 + 0.01 * k + (0.011 if k % 2 else -0.012) for k in range(12)],
    "dl": [0.60 + 0.01 * k for k in range(12)],
}


@pytest.fixture
def report():
    """Three methods on a problem, as if they had run."""
    suite = Suite(
        "50% off",
        "",
        (Case("bitsp-20", label="a_tour"),),
        tuple(map(Contender, VALUES)),
        budget=100,
        instances=tuple(range(12)),
        columns=("hypervolume", "spread"),
        exact=False,
    )
    cells = {}
    for method, numbers in VALUES.items():
        values = {
            "hypervolume": dict(zip(PLACES, numbers, strict=True)),
            "spread": dict(zip(PLACES, [1.0 - n for n in numbers], strict=True)),
            "percent": {},
        }
        runs = dict.fromkeys(PLACES)
        cells["a_tour", method] = Cell("a_tour", method, runs, values, 0, 0, True)
    return Report(suite, cells)


def test_stars_say_what_is_worse_by_more_than_chance(report):
    """The far one has as many as 12 pairs allow; the near one none."""
    assert stars_of(report, "a_tour") == {"random": 3, "uniform": 0}
    worse = {m: report.against_best("a_tour", m).p_value for m in ("random", "uniform")}
    assert holm(worse)["random"] == 2 * worse["random"]


def test_holm_never_lowers_a_value_nor_changes_the_order():
    """Against the definition, on numbers that tie and that exceed 1."""
    values = {"a": 0.04, "b": 0.01, "c": 0.9, "d": 0.04}
    found = holm(values)
    assert found == {"b": 0.04, "a": 0.12, "d": 0.12, "c": 0.9}
    assert holm({}) == {}


def test_latex_has_rules_bold_errors_and_stars(report):
    """And nothing in it that LaTeX reads as something else."""
    text = published(report, "latex")
    assert r"\textbf{0.6550} {\scriptsize $\pm$ 0.0104}" in text
    assert r"random & 0.3550 {\scriptsize $\pm$ 0.0104}$^{***}$ & 0.645 \\" in text
    assert r"\multicolumn{2}{c}{a\_tour}" in text
    assert r"\cmidrule(lr){2-3}" in text
    assert r"50\% off" in text
    assert "p $<$ 0.05" in text
    body = text.split(r"\midrule", 1)[1]
    assert body.count(r"\midrule") == 2  # between groups of methods
    assert "over 12 instances" in text


def test_markdown_has_the_same(report):
    """Stars are no emphasis there."""
    text = published(report, "markdown")
    assert r"| random | 0.3550 ± 0.0104\*\*\* | 0.645 |" in text
    assert "| dl | **0.6550** ± 0.0104 | **0.345** |" in text


def test_runs_that_are_missing_are_told(report):
    """A mean of fewer runs must not pass for one of all."""
    cell = report.cells["a_tour", "random"]
    cells = {**report.cells, ("a_tour", "random"): replace(cell, missing=3)}
    text = published(replace(report, cells=cells), "latex")
    assert "(12 of 15 runs)" in text


def test_all_that_latex_reads_is_escaped():
    """Names are the user's."""
    assert escaped("a_b & 5% #1 {x} ~ ^ \\ $") == (
        r"a\_b \& 5\% \#1 \{x\} \textasciitilde{} \textasciicircum{} "
        r"\textbackslash{} \$"
    )
    assert escaped("|x| < 3 ± 1") == r"$|$x$|$ $<$ 3 $\pm$ 1"
