import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import divlearn as dl
from tests.cli.test_cli_solve import PressesCtrlC

DATA = Path(__file__).parents[1] / "data"
TWO = (DATA / "gr17.tsp", DATA / "br17.atsp")


def test_files_give_the_front_that_the_library_gives(divlearn):
    """One TSPLIB file per objective."""
    outcome = divlearn("solve", *TWO, "-q", "--budget", 2000, "--seed", 3, "--json")
    result = dl.solve(dl.problems.read(*TWO), budget=2000, seed=3)
    assert outcome.code == 0
    assert (outcome.json["problem"], outcome.json["instance"]) == ("gr17+br17", None)
    np.testing.assert_array_equal(outcome.json["F"], result.F)
    assert outcome.json["hypervolume_ratio"] == result.hypervolume()


def test_the_search_of_files_shows_their_names(divlearn):
    """In the progress and in the summary."""
    outcome = divlearn("solve", *TWO, "--budget", 500)
    assert "gr17+br17, dl, seed 0" in outcome.err
    assert "gr17+br17" in outcome.out


@pytest.mark.parametrize(
    ("name", "options", "solution"),
    [
        ("P-n16-k8.vrp", ["--option", "decoder=greedy"], 15),
        ("petersen.txt", ["--instance", 1], 10),
        ("petersen.txt", [], 6),
        ("burma14.tsp", ["--option", "rounded=false"], 14),
    ],
)
def test_options_reach_the_file(divlearn, name, options, solution):
    """Decoders, the problem in a file of several, unrounded distances."""
    command = ("solve", DATA / name, "-q", "--budget", 100, "--json", *options)
    outcome = divlearn(*command)
    assert outcome.code == 0
    assert len(outcome.json["X"][0]) == solution
    whole = np.array_equal(outcome.json["F"], np.round(outcome.json["F"]))
    assert whole == ("rounded=false" not in options and "--instance" not in options)


def test_a_written_problem_is_searched_as_the_named_one(divlearn):
    """The JSON is the same problem, so the front is the same."""
    dl.problems.get("bikp-50", instance=2).write("written.json")
    budget = ("-q", "--budget", 60, "--json")
    written = divlearn("solve", "written.json", *budget)
    named = divlearn("solve", "bikp-50", "--instance", 2, *budget)
    assert written.json["F"] == named.json["F"]
    assert written.json["hypervolume_ratio"] == named.json["hypervolume_ratio"]


def test_a_saved_search_of_files_goes_on_and_knows_its_files(divlearn):
    """Another file of the same size is another problem."""
    divlearn("solve", *TWO, "-q", "--budget", 1000, "--out", "x")
    more = ("-q", "--budget", 2000, "--resume", "x/state.npz", "--json")
    assert divlearn("solve", *TWO, *more).json["evaluations"] == 2000
    swapped = divlearn("solve", *TWO[::-1], *more)
    assert swapped.code == 2
    assert "instance: its data" in swapped.err


def test_ctrl_c_names_the_files_in_the_command_that_continues(divlearn, monkeypatch):
    """And keeps the search in a folder with their names."""
    command = ("solve", *TWO, "--budget", 20_000)
    whole = divlearn(*command, "--json", "--quiet").json
    with monkeypatch.context() as patch:
        display = PressesCtrlC(after=3_000)
        patch.setattr("divlearn.terminal.choose_progress", lambda _title: display)
        stopped = divlearn(*command)
    assert stopped.code == 130
    assert "runs/gr17+br17-dl-s0/front.png" in stopped.out
    again = re.search(r"^  (divlearn solve .*)$", stopped.out, re.MULTILINE)[1]
    resumed = divlearn(*shlex.split(again)[1:], "--json").json
    assert resumed["F"] == whole["F"]


def test_a_reference_point_replaces_that_of_the_rule(divlearn):
    """The ideal point stays, so that there is a ratio."""
    command = ("solve", *TWO, "-q", "--budget", 500, "--json")
    assert divlearn(*command).json["reference"] == [5900, 310]
    outcome = divlearn(*command, "--reference", "9000,900")
    ratio = outcome.json["hypervolume"] / (9000 * 900)
    assert outcome.json["hypervolume_ratio"] == pytest.approx(ratio)


def test_a_file_without_ending_is_found_but_a_name_stays_a_name(divlearn):
    """``./`` before it makes a file of anything."""
    text = "2 5\n3 1\n4 5\n"
    for name in ("items", "bitsp-5"):
        Path(name).write_text(text)
    quick = ("-q", "--budget", 20, "--json")
    assert len(divlearn("solve", "items", *quick).json["X"][0]) == 2
    assert len(divlearn("solve", "bitsp-5", *quick).json["X"][0]) == 5
    assert len(divlearn("solve", "./bitsp-5", *quick).json["X"][0]) == 2


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["gone.tsp"], ["gone.tsp", "No such file"]),
        ([DATA / "gr17.tsp", "bitsp-20"], ["bitsp-20", "cannot be read"]),
        ([DATA / "gr17.tsp", DATA / "gr21.tsp"], ["gr21.tsp, line 4", "DIMENSION 17"]),
        (
            [DATA / "gr17.tsp", "--instance", 1],
            ["has the options", "got instance"],
        ),
        ([DATA / "gr17.tsp", "--option", "decoder=greedy"], ["got decoder"]),
        (["half.tsp"], ["half.tsp, line", "NODE_COORD_SECTION", "may be cut off"]),
        (["bitsp-20", "bitsp-30"], ["PROBLEM must be one name", "'bitsp-30'"]),
    ],
)
def test_a_wrong_file_gives_one_clear_message_and_code_2(divlearn, words, messages):
    """A cut file above all: nothing is searched."""
    content = (DATA / "burma14.tsp").read_bytes()
    Path("half.tsp").write_bytes(content[: len(content) // 2])
    outcome = divlearn("solve", *words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") < 5
    for message in messages:
        assert message in outcome.err
