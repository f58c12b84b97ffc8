import csv
import dataclasses
import io

import pytest

from divlearn.lab.bench import Case, Contender, Suite, summarize_suite, write_files
from divlearn.lab.bench.record import Outcome
from divlearn.lab.bench.render import print_report, table_markdown
from divlearn.lab.bench.table import quality_grids
from divlearn.lab.bench.words import short_count, short_seconds
from tests.lab.bench.conftest import fill, outcome


def make(**changes):
    """Make a suite of two methods on tours of three sizes and a knapsack."""
    names = ("bitsp-8", "bitsp-9", "bitsp-10", "bikp-10")
    return Suite(
        "mine",
        "",
        tuple(map(Case, names)),
        (Contender("paper-ts"), Contender("uniform")),
        **{"budget": 1_000, "instances": (0, 1), **changes},
    )


def better(task):
    """0.5 and 0.6 for one method, 0.1 less for the other."""
    return 0.5 + 0.1 * task.instance - 0.1 * (task.contender.label == "uniform")


@pytest.fixture
def report(store):
    """A complete report."""
    suite = make()
    fill(store, suite, better)
    for reference in suite.references():
        store.write(reference, outcome(0.8))
    return summarize_suite(suite, store)


def test_a_row_per_method_and_columns_per_problem_family_by_family(report):
    """The layout of the paper, three sizes side by side."""
    tours, knapsack = quality_grids(report)
    assert tours.header == [
        "method",
        *("bitsp-8 HV", "NDS", "ops"),
        *("bitsp-9 HV", "NDS", "ops"),
        *("bitsp-10 HV", "NDS", "ops"),
    ]
    assert [row[0].text for row in tours.rows] == ["paper-ts", "uniform"]
    assert tours.rows[0][1].text == "0.5500 ± 0.0500"
    assert knapsack.header[1] == "bikp-10 HV %"
    assert knapsack.rows[0][1].text == "68.75 ± 6.25"


def test_methods_are_compared_with_dl_whatever_its_budget(store):
    """Its label may hold a budget of its own; without it there is no such part."""
    methods = (Contender("uniform"), Contender("paper-ts"), Contender("dl", budget=50))
    suite = dataclasses.replace(make(), methods=methods)
    fill(store, suite, better)
    text = table_markdown(summarize_suite(suite, store))
    part = text.partition("## Against dl@50")[2]
    assert "| bitsp-8 | dl@50 | uniform | -0.1000 ± 0.0000 |" in part
    assert "| bitsp-8 | dl@50 | paper-ts | +0.0000 ± 0.0000 |" in part
    others = (*methods[:2], Contender("paper-ucb"))
    other = dataclasses.replace(suite, methods=others)
    fill(store, other, better)
    assert "## Against dl" not in table_markdown(summarize_suite(other, store))


def test_the_best_is_bold_and_so_is_what_looks_the_same(report):
    """Of equal sizes none is better."""
    text = table_markdown(report)
    row = next(line for line in text.splitlines() if line.startswith("| uniform"))
    assert "| 0.4500 ± 0.0500 |" in row
    assert "**2**" in row
    assert "| paper-ts | **0.5500 ± 0.0500** |" in text


def test_the_markdown_has_no_column_too_many(report):
    """A bar inside a text would begin a new one."""
    blocks = table_markdown(report).split("\n\n")
    for block in blocks:
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1


def test_tables_say_what_they_show_and_hold_no_times(report):
    """Times depend on the machine, and the table must not."""
    text = table_markdown(report)
    assert text.startswith(
        "# mine: 1,000 evaluations per run, instances 0 to 1, seed 0"
    )
    assert "standard error over instances" in text
    assert "percent of the exact front" in text
    assert "CPU" not in text
    assert "second" not in text


@pytest.mark.parametrize(
    ("instances", "seeds", "words"),
    [
        ((0, 1), (0,), "over instances."),
        ((0, 1), (0, 1), "over instances (each the mean of its seeds)."),
        ((0,), (0, 1), "over seeds."),
        ((0,), (0,), "HV: hypervolume ratio."),
    ],
)
def test_the_legend_says_over_what_means_are_taken(store, instances, seeds, words):
    """An error over seeds and one over instances are different things."""
    suite = make(instances=instances, seeds=seeds)
    fill(store, suite, better)
    assert words in table_markdown(summarize_suite(suite, store))


def test_paired_differences_stand_below(report):
    """-0.1 on both instances: no win, two losses, and no proof by two pairs."""
    text = table_markdown(report)
    expected = "| bitsp-8 | paper-ts | uniform | -0.1000 ± 0.0000 | 0.500 | 0-0-2 | 2 |"
    assert expected in text


def test_failures_gaps_and_mixed_versions_are_told(store):
    """Nobody may take a table with holes for a complete one."""
    suite = make()
    first, second, third, *_ = suite.tasks()
    store.write(first, Outcome("failed", "RuntimeError: no licence"))
    store.write(second, outcome(0.5))
    store.write(third, outcome(0.5, versions={"divlearn": "9.9"}))
    text = table_markdown(summarize_suite(suite, store))
    assert "0.5000 (1 of 2 runs)" in text
    assert "13 runs not made yet." in text
    assert "- bitsp-8 instance 0, paper-ts, seed 0: RuntimeError: no licence" in text
    assert "0.1.0, 9.9" in text


def test_standard_deviations_are_shown_where_a_suite_asks_for_them(store):
    """The paper's diversity table gives them for every column."""
    suite = make(deviation="deviation", seeds=(0, 1, 2), instances=(0,))
    fill(store, suite, lambda task: float(task.seed))
    grid = next(quality_grids(summarize_suite(suite, store)))
    assert grid.rows[0][1].text == "1.0000 ± 1.0000"
    assert grid.rows[0][2].text == "2 ± 0"


def test_files_hold_every_problem_method_and_run(report, store, tmp_path):
    """CSV for whoever wants to compute something else."""
    files, remarks = write_files(report, store, tmp_path)
    assert remarks == []
    rows = {
        name: list(csv.DictReader(io.StringIO(files[name].read_text())))
        for name in ("table.csv", "times.csv", "runs.csv")
    }
    assert len(rows["table.csv"]) == len(rows["times.csv"]) == 4 * 2
    assert len(rows["runs.csv"]) == 4 * 2 * 2
    first = rows["table.csv"][1]
    assert (first["problem"], first["method"], first["best"]) == (
        "bitsp-8",
        "uniform",
        "paper-ts",
    )
    assert float(first["hypervolume_mean"]) == pytest.approx(0.45)
    assert float(first["against_best_mean_difference"]) == pytest.approx(-0.1)
    assert first["percent_mean"] == ""
    assert not any("seconds" in name for name in first)
    assert float(rows["times.csv"][0]["cpu_seconds_mean"]) == 0.4
    assert float(rows["times.csv"][0]["evaluations_per_cpu_second"]) == 120 / 0.4
    last = rows["runs.csv"][-1]
    assert (last["problem"], last["instance"], last["state"]) == ("bikp-10", "1", "ok")
    assert float(last["percent"]) == pytest.approx(100 * 0.5 / 0.8)


@pytest.mark.parametrize(("width", "first"), [(160, 3), (100, 2), (60, 1)])
def test_the_terminal_gets_as_many_problems_side_by_side_as_fit(report, width, first):
    """No line is broken in the middle of a number."""
    from rich.console import Console

    stream = io.StringIO()
    print_report(report, Console(file=stream, width=width))
    lines = stream.getvalue().splitlines()
    header = next(line for line in lines if "bitsp-8 HV" in line)
    assert header.count(" HV") == first
    assert "0.5500 ± 0.0500*" in stream.getvalue()
    assert "CPU s" in header
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (999.0, "999"),
        (999.9, "1.00k"),
        (12_345.0, "12.3k"),
        (999_500.0, "1.00M"),
        (1.5e12, "1.50T"),
        (2e18, "2000P"),
    ],
)
def test_counts_are_written_with_three_digits(number, text):
    """Operation counts span many powers of ten."""
    assert short_count(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0012, "0.001"), (1.234, "1.23"), (59.96, "60.0")]
)
def test_seconds_are_written_with_the_digits_that_matter(seconds, text):
    """Runs take milliseconds or hours."""
    assert short_seconds(seconds) == text


@pytest.mark.parametrize(
    ("deviation", "text"),
    [
        ("quartiles", "0.5500 (0.5250 to 0.5750)"),
        ("worst", "0.5500 (worst 0.5000)"),
        ("variation", "0.5500 (CV 12.86%)"),
        ("stability", "0.5500 (stability 7.78)"),
    ],
)
def test_a_table_can_say_more_than_means(store, deviation, text):
    """Median and quartiles, worst case, variation, stability; the best is marked."""
    suite = make(deviation=deviation, columns=("hypervolume", "front_size"))
    fill(store, suite, better)
    report = summarize_suite(suite, store)
    rows = next(quality_grids(report)).rows
    assert rows[0][1].text == text
    assert [row[1].best for row in rows] == [True, False]
    assert "±" not in table_markdown(report).split("Against the best")[0]
