"""The script that sets the paper's numbers beside ours."""

import dataclasses

import pytest

from benchmarks import paper_table
from divlearn.lab.bench import Contender, built_in, summarize_suite
from tests.lab.bench.conftest import fill, outcome


@pytest.fixture
def report(store):
    """Three methods on all problems of the table, two instances."""
    methods = Contender("paper-ts"), Contender("ws-2opt"), Contender("dl", budget=70)
    suite = dataclasses.replace(
        built_in("table1-all"), methods=methods, instances=(0, 1)
    )
    scores = {"dl": 0.3, "paper-ts": 0.2, "ws-2opt": 0.1}
    fill(store, suite, lambda t: scores[t.contender.method] + 0.01 * t.instance)
    for reference in suite.references():
        store.write(reference, outcome(0.4))
    return summarize_suite(suite, store)


def test_the_paper_has_ten_columns_and_none_for_weighted_sums_of_routes():
    """12 problems, three of which have no weighted sum."""
    rows = paper_table.read_paper()
    assert len(rows) == 12 * 10 - 3
    assert rows["bitsp-100", "paper-ts"]["hypervolume"] == "0.47"
    assert rows["bicvrp-50", "nsga2"]["front_size"] == "9"
    assert ("bicvrp-20", "ws") not in rows


def test_the_best_stands_first_with_the_difference_and_the_number_of_the_paper(report):
    """Weighted sums share the paper's column; what the paper lacks is left empty."""
    text = paper_table.table(report, "bitsp-20", paper_table.read_paper())
    lines = [[part.strip() for part in line.split("|")] for line in text.splitlines()]
    assert [line[1] for line in lines[2:]] == ["`dl@70`", "`paper-ts`", "`ws-2opt`"]
    assert lines[2][2:5] == ["0.3050 ± 0.0050", "", ""]
    assert lines[3][2:5] == ["0.2050 ± 0.0050", "0.600", "-0.1000 ± 0.0000"]
    assert lines[4][3] == "0.625"
    assert lines[3][8] == "102"
    assert len({len(line) for line in lines}) == 1


def test_knapsacks_are_also_given_in_percent_of_the_exact_front(report):
    """The paper gives ratios, which differ too much between instances."""
    text = paper_table.table(report, "bikp-50", paper_table.read_paper())
    line = next(line for line in text.splitlines() if "paper-ts" in line)
    assert "| 0.2050 ± 0.0050 | 51.25 % | 0.347 |" in line


def test_missing_runs_are_told(store):
    """A mean of one instance is not taken for one of five."""
    suite = dataclasses.replace(
        built_in("table1-all"), methods=(Contender("dl"),), instances=(0, 1)
    )
    first = dataclasses.replace(suite, instances=(0,))
    fill(store, first, lambda task: 0.3)
    report = summarize_suite(suite, store)
    text = paper_table.table(report, "bitsp-20", paper_table.read_paper())
    assert "| `dl` | 0.3000 (1 of 2 runs) |" in text
