"""Tables in the layout of the paper's appendix."""

from divlearn.lab.baselines import BASELINES
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.layout import GENERAL, GROUPS, PROCESSOR, clock_grids, group_of
from divlearn.lab.bench.render import times_markdown
from divlearn.lab.bench.summary import Cell, Report

PROBLEMS = ("bitsp-20", "bitsp-50", "bikp-50")
METHODS = ("dl", "nsga2", "ws-dp", "paper-ucb")


def report():
    """Runs of four methods, one of which treats knapsacks alone."""
    suite = Suite(
        "made-up",
        "",
        tuple(map(Case, PROBLEMS)),
        tuple(map(Contender, METHODS)),
        budget=10,
        instances=(0, 1),
    )
    cells = {}
    for problem in PROBLEMS:
        for rank, method in enumerate(METHODS):
            there = method != "ws-dp" or problem == "bikp-50"
            places = {(i, 0): 1.0 for i in (0, 1)} if there else {}
            values = {
                "hypervolume": dict.fromkeys(places, 0.1 * (rank + 1)),
                "front_size": dict.fromkeys(places, 10.0 + rank),
                "seconds": dict.fromkeys(places, 30.0 * (rank + 1)),
                "cpu_seconds": dict.fromkeys(places, 1.0),
                "evaluations": dict.fromkeys(places, 10.0),
            }
            cells[problem, method] = Cell(problem, method, places, values, 0, 0, True)
    return Report(suite, cells)


def test_every_method_of_the_papers_groups_exists():
    """A name that is misspelled would be general in silence."""
    named = {name for names in GROUPS.values() for name in names}
    assert named - set(BASELINES) <= {"paper-ucb", "paper-ts", "paper-literal"} | {
        "uniform",
        "dl",
    }
    assert group_of("qnehvi") == group_of("of-another-package") == GENERAL


def test_sizes_of_a_family_stand_side_by_side_under_groups():
    """Methods without runs there are left out, and so is a group of none."""
    tours, items = clock_grids(report())
    assert tours.header == [
        "method",
        *(f"bitsp-{n} {title}" for n in (20, 50) for title in ("HV", "NDS", "Time")),
    ]
    first = [row[0].text for row in tours.rows]
    groups = ["_General_", "_Divide and Learn_", "_divlearn_"]
    assert first == [groups[0], "nsga2", groups[1], "paper-ucb", groups[2], "dl"]
    assert [row[0].text for row in items.rows][:2] == ["_Problem-specific_", "ws-dp"]


def test_the_best_of_a_column_is_marked_and_times_have_units():
    """The highest hypervolume, the least time."""
    rows = {row[0].text: row[1:4] for row in next(clock_grids(report())).rows}
    assert [entry.text for entry in rows["paper-ucb"]] == ["0.4000", "13", "2.0m"]
    assert [entry.best for entry in rows["paper-ucb"]] == [True, True, False]
    assert rows["dl"][2].text == "30s"
    assert rows["dl"][2].best


def test_times_may_be_those_of_the_processor():
    """In the place of those by the clock."""
    rows = {r[0].text: r for r in next(clock_grids(report(), time=PROCESSOR)).rows}
    assert [entry.text for entry in rows["dl"][1:4]] == ["0.1000", "10", "1.0s"]


def test_the_file_of_times_has_the_tables():
    """Below the costs of every run."""
    text = times_markdown(report())
    assert "## In the layout of the paper" in text
    assert "| _General_ |" in text
