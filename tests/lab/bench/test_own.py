import re
from pathlib import Path

import pytest

from divlearn.basics.errors import InputError
from divlearn.lab.bench import read_suite
from divlearn.problems import get, write

EVERYTHING = """
name = "mine"
description = "what I care about"
budget = 5_000
instances = 2
first_instance = 10
seeds = [3, 7]
columns = ["hypervolume", "coverage"]
deviation = "deviation"

[[problems]]
name = "bitsp-20"

[[problems]]
name = "bikp-50"
label = "filled"
options = {fill = true, repair = "efficiency"}
instances = [1, 4]

[[methods]]
name = "uniform"

[[methods]]
name = "paper-ts"
label = "patient"
settings = {patience = 50, refinement = {steps = 7, moves = ["swap"]}}

[[methods]]
name = "paper-ucb"
settings = {coordination = "none"}
"""


def read(tmp_path, text):
    """Read a suite from a text."""
    path = tmp_path / "suite.toml"
    path.write_text(text)
    return read_suite(path)


def test_everything_that_a_suite_may_say_is_understood(tmp_path):
    """The whole format in one file."""
    suite = read(tmp_path, EVERYTHING)
    assert (suite.name, suite.budget, suite.seeds) == ("mine", 5_000, (3, 7))
    assert (suite.columns, suite.deviation) == (
        ("hypervolume", "coverage"),
        "deviation",
    )
    tour, filled = suite.problems
    assert suite.instances_of(tour) == (10, 11)
    assert suite.instances_of(filled) == (1, 4)
    assert filled.options == {"fill": True, "repair": "efficiency"}
    _, patient, plain = suite.methods
    assert (patient.label, patient.settings["refinement.steps"]) == ("patient", 7)
    assert patient.settings["refinement.moves"] == ("swap",)
    assert plain.settings == {"coordination": None}
    assert plain.label == "paper-ucb (coordination=none)"


def test_a_short_suite_takes_names_alone(tmp_path):
    """Methods, name and instances have defaults."""
    suite = read(tmp_path, 'seconds = 2\nproblems = ["bitsp-20"]')
    assert (suite.name, suite.seconds, suite.budget) == ("suite", 2, None)
    assert suite.instances == (0, 1, 2)
    assert len(suite.methods) > 1


def test_instance_files_stand_beside_the_suite(tmp_path):
    """Paths in a suite are relative to it, wherever the command is typed."""
    write(get("bitsp-9"), tmp_path / "tour.json")
    suite = read(tmp_path, 'budget = 10\nproblems = [{files = "tour.json"}]')
    (case,) = suite.problems
    assert case.label == "tour"
    assert suite.instances_of(case) == (0,)


HEAD = 'budget = 10\nproblems = ["bitsp-20"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "bugdet = 5", ["'bugdet'", "allowed are", "Did you mean 'budget'?"]),
        (HEAD + "colour = 5", ["'colour'", "allowed are name,"]),
        ("budget = 10", ["problems", "must be given"]),
        ('problems = ["bitsp-20"]', ["budget or seconds"]),
        (HEAD + "seconds = 3", ["budget", "seconds", "not both"]),
        ("budget = 0\nproblems = ['bitsp-20']", ["budget", "0"]),
        ("budget = 10\nproblems = 'bitsp-20'", ["problems must be a list"]),
        ("budget = 10\nproblems = ['bitps-20']", ["bitps-20", "bitsp-N"]),
        ("budget = 10\nproblems = [5]", ["problem 1", "5"]),
        ("budget = 10\nproblems = [{nam = 'x'}]", ["problem 1", "'nam'", "'name'"]),
        ("budget = 10\nproblems = [{label = 'x'}]", ["problem 1", "name"]),
        ("budget = 10\nproblems = [{files = 'gone.tsp'}]", ["gone.tsp"]),
        ("budget = 10\nproblems = [{name = 'bikp-9', options = 3}]", ["options", "3"]),
        (HEAD + "instances = 0", ["instances", "0"]),
        (HEAD + "instances = [1, 1]", ["instances", "different"]),
        (HEAD + "seeds = -1", ["seeds", "-1"]),
        (HEAD + "methods = ['paper-tz']", ["paper-tz", "paper-ts"]),
        (
            HEAD + "methods = [{name = 'paper-ts', setings = {}}]",
            ["method 1", "'setings'", "'settings'"],
        ),
        (
            HEAD + "methods = [{name = 'paper-ts', settings = {patienc = 5}}]",
            ["patienc", "patience"],
        ),
        (
            HEAD + "methods = [{name = 'paper-ts', settings = {learning = {x = 5}}}]",
            ["learning.x"],
        ),
        (HEAD + "columns = ['hypervolum']", ["hypervolum", "'hypervolume'"]),
        (HEAD + "deviation = 'range'", ["deviation", "range"]),
        (HEAD + "name = 5", ["name", "5"]),
        ("budget = = 10", ["not TOML", "line 1"]),
    ],
)
def test_a_wrong_suite_gives_a_message_with_file_key_and_what_is_allowed(
    tmp_path, text, words
):
    """Nobody knows the keys of a format by heart."""
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    message = str(caught.value)
    assert "suite.toml" in message
    assert all(word in message for word in words), message


def test_a_suite_that_is_not_there_is_named(tmp_path):
    """The same as of any other file."""
    with pytest.raises(InputError, match=r"gone\.toml"):
        read_suite(tmp_path / "gone.toml")


TOUR = """NAME: {name}
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 3
3 4 3
4 4 0
EOF
"""


def test_the_example_of_the_documentation_is_a_suite(tmp_path):
    """People copy it."""
    text = (Path(__file__).parents[3] / "docs/running-benchmarks.md").read_text()
    example = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    for name in ("kroA100", "kroB100"):
        (tmp_path / f"{name}.tsp").write_text(TOUR.format(name=name))
    suite = read(tmp_path, example)
    labels = [case.label for case in suite.problems]
    assert labels == ["bitsp-50", "filled knapsack", "kroA100+kroB100"]
    assert len(suite.tasks()) == (5 + 3 + 1) * 2 * (2 + 6)


def test_the_ablation_changes_one_thing_at_a_time():
    """Every variant can run, and differs from the whole method."""
    suite = read_suite(Path(__file__).parents[3] / "benchmarks/ablation.toml")
    suite.require_runnable()
    whole, *variants = suite.methods
    assert whole.label == "whole method"
    assert len({variant.label for variant in variants}) == 21
    for variant in variants:
        assert (variant.method, variant.settings) != (whole.method, whole.settings)


def test_a_grid_schedule_initial_and_snapshots_are_read(tmp_path):
    """As from Python."""
    path = tmp_path / "mine.toml"
    path.write_text(
        """
        budget = 500
        initial = 20
        snapshots = 5
        exact = false
        problems = ["bikp-8"]
        [[methods]]
        name = "paper-ts"
        grid = {patience = [5, 10], refinement = {moves = [["swap"], ["reversal"]]}}
        [[methods]]
        name = "paper-ts"
        budget = "schedule"
        """
    )
    suite = read_suite(path)
    assert (suite.initial, suite.snapshots) == (20, 5)
    assert suite.references() == []
    assert len(suite.methods) == 5
    assert suite.methods[1].settings["refinement.moves"] == ("reversal",)
    assert suite.methods[4].label == "paper-ts@schedule"


def test_a_grid_without_lists_is_refused(tmp_path):
    """With the setting that has none."""
    path = tmp_path / "mine.toml"
    path.write_text(
        """
        budget = 500
        problems = ["bitsp-8"]
        methods = [{name = "paper-ts", grid = {patience = 5}}]
        """
    )
    with pytest.raises(InputError, match="got 5 for patience"):
        read_suite(path)
