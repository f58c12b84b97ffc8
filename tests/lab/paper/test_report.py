import csv

import pytest
from matplotlib.figure import Figure as Picture

from divlearn.lab.paper.claims import FAILS, HOLDS, Claim
from divlearn.lab.paper.files import write_reports
from divlearn.lab.paper.study import Figure, Findings, Study, Table


@pytest.fixture
def found():
    """One study with a table, a figure, two claims and a time."""
    rows = [{"who": "a|b", "HV": 0.123456789}, {"who": "<c>", "HV": None}]
    claims = [
        Claim(1410, "More is more.", "2", "3", HOLDS, "It is above 1."),
        Claim(1420, "Less is more.", "1", "0", FAILS, "It is below 1."),
    ]
    findings = Findings(
        [Table("numbers", "Numbers", rows, "A note.")],
        [Figure("empty", "An empty picture.", lambda: Picture(figsize=(1, 1)))],
        claims,
        ["Read `this` first."],
        [Table("clock", "By a clock", [{"seconds": 1.5}])],
    )
    return [(Study("demo", "A demo", 1400, lambda evidence: findings), findings)]


def read(path):
    """Rows of a file of comma-separated values."""
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_report_holds_claims_tables_figures_and_rules(found, tmp_path):
    """In Markdown, with pictures beside it."""
    files, remarks = write_reports(found, tmp_path, short=True)
    text = files["report.md"].read_text()
    assert remarks == []
    for part in (
        "Of 2 claims, 1 hold, 1 do not hold, and 0 are not decided.",
        "| demo | More is more. | 2 | 3 | **holds** |",
        "| a/b | 0.1235 |",
        "A note.",
        "(demo/empty.png)",
        "- Less is more. It is below 1.",
        "Short form",
    ):
        assert part in text
    assert "seconds" not in text
    assert "1.5" in files["times.md"].read_text()
    assert (tmp_path / "demo" / "empty.png").stat().st_size > 0


def test_the_page_needs_no_other_file_and_no_text_can_break_it(found, tmp_path):
    """Pictures are inside, and signs of HTML are written as such."""
    files, _ = write_reports(found, tmp_path, short=False)
    page = files["report.html"].read_text()
    assert "data:image/png;base64," in page
    assert "&lt;c&gt;" in page
    assert "<code>this</code>" in page
    assert "http" not in page
    assert 'class="fails">does not hold' in page


def test_tables_are_kept_with_every_digit(found, tmp_path):
    """Four digits are for readers only."""
    write_reports(found, tmp_path, short=False)
    rows = read(tmp_path / "demo" / "numbers.csv")
    assert rows[0] == {"who": "a|b", "HV": "0.123456789"}
    claims = read(tmp_path / "claims.csv")
    assert [row["verdict"] for row in claims] == [HOLDS, FAILS]
