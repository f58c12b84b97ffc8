"""Text in narrow terminals: broken between words, nothing lost."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import divlearn as dl
from divlearn.basics.wrapping import aligned, columns, listing, wrapped
from divlearn.cli.output import listed
from divlearn.cli.report import summary as summary_of_a_run
from divlearn.cli.show import as_text
from divlearn.lab.bench.render import print_grid
from divlearn.lab.bench.table import Entry, Grid
from divlearn.methods.names import all_methods
from divlearn.study import summary as summary_of_a_study

WIDTHS = [40, 60, 80, 120]


def words(text):
    """What is said, wherever lines end."""
    return text.split()


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that makes standard output a terminal so wide."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def make(width):
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr("divlearn.basics.wrapping.sys.stdout", Terminal())

    return make


@given(st.text(alphabet="ab c\n", max_size=200), st.integers(8, 40))
def test_no_word_is_lost_and_no_line_that_can_be_broken_is_too_long(text, width):
    """Whatever the text."""
    broken = wrapped(text, width)
    assert words(broken) == words(text)
    for line in broken.split("\n"):
        assert len(line) <= width or len(line.split()) == 1


def test_pipes_and_files_are_not_wrapped(monkeypatch):
    """Programs read lines as they were written."""
    monkeypatch.setattr("divlearn.basics.wrapping.sys.stdout", io.StringIO())
    assert columns() is None
    assert wrapped("word " * 100, None) == "word " * 100


def test_a_command_to_be_copied_stays_in_one_piece():
    """A command that is broken over lines is two commands."""
    command = "  divlearn resume a/very/long/path/to/a/study.db --out there"
    assert wrapped(command, 20) == command


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rows", [dl.problems.catalogue(), list(all_methods().items())])
def test_problems_and_methods_are_listed_by_words(terminal, monkeypatch, width, rows):
    """At any width, with all that is said."""
    terminal(width)
    text = listed(rows, as_json=False)
    assert max(map(len, text.splitlines())) <= width
    monkeypatch.undo()
    assert words(text) == words(listed(rows, as_json=False))


def result_with_long_names():
    """A result whose table is wide."""
    objectives = {"energy per inference": "min", "delay of the slowest part": "min"}
    return dl.Result([0, 1], [[1.5, 20.25], [2.5, 10.125]], objectives=objectives)


@pytest.mark.parametrize("width", WIDTHS)
def test_summaries_are_broken_between_words(terminal, width):
    """In Python as on the command line."""
    terminal(width)
    result = result_with_long_names()
    for text in (str(result), summary_of_a_run(result, {}, ["A remark. " * 20])):
        assert max(map(len, text.splitlines())) <= width
        assert "delay of the slowest part" in " ".join(words(text))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_study_is_shown_by_words_and_its_table_fits(terminal, tmp_path, width):
    """No "a|go" at the end of a line, and every number has its name."""
    terminal(width)
    names = ["energy per inference", "delay of the slowest part", "area of the chip"]
    problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x, 0), names)
    with dl.Study(problem, tmp_path / "x.db") as study:
        study.run(budget=5, workers=0)
    seen = summary_of_a_study(tmp_path / "x.db")
    text = wrapped(as_text(seen, columns()), columns())
    assert max(map(len, text.splitlines()[1:])) <= width
    for name in names:
        assert name in " ".join(words(text))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_comparison_in_a_narrow_terminal_loses_no_name_and_no_number(width):
    """Cut to "bik…" it compares nothing."""
    header = ["problem", "limit", "paper-ts", "uniform", "difference", "p", "pairs"]
    row = ["bikp-100 (fill=true)", "10,000 evaluations", "0.6123", "0.6100"]
    row += ["0.0023 (0.0011 to 0.0035)", "0.031", "5"]
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False)
    print_grid(Grid(header, [[Entry(text) for text in row]]), console)
    said = " ".join(words(stream.getvalue()))
    assert "…" not in said
    for text in row:
        assert text in said
    assert max(map(len, stream.getvalue().splitlines())) <= width


def test_names_and_descriptions_stand_side_by_side_where_there_is_room():
    """And one below the other where there is not."""
    pairs = [("name", "a description of some words that is long")]
    assert listing(pairs, 80).count("\n") == 0
    assert listing(pairs, 38).splitlines()[1].startswith("      ")
    assert listing(pairs, 30).splitlines()[0] == "name"


def test_names_stand_to_the_left_and_numbers_to_the_right_of_their_columns():
    """No line ends in spaces, which would break where a terminal is narrow."""
    rows = [["", "cost", "time"], ["blades", "3", "12.5"], ["r", "-", ""]]
    assert aligned(rows) == ["        cost  time", "blades     3  12.5", "r          -"]
