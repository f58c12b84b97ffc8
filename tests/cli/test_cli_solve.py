import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.arrays import pack_described
from divlearn.basics.errors import MissingExtra
from divlearn.terminal import LogProgress

QUICK = ("solve", "bitsp-20", "--quiet")
FILES = {"front.json", "front.csv", "front.png", "history.png", "state.npz"}


def test_the_command_gives_the_front_that_the_library_gives(divlearn):
    """The command line adds nothing of its own to a search."""
    outcome = divlearn(
        *QUICK, "--instance", 3, "--budget", "2e3", "--seed", 5, "--json"
    )
    problem = dl.problems.get("bitsp-20", instance=3)
    result = dl.solve(problem, budget=2_000, seed=5)
    assert outcome.code == 0
    assert outcome.json["evaluations"] == 2_000
    np.testing.assert_array_equal(outcome.json["F"], result.F)
    np.testing.assert_array_equal(outcome.json["X"], result.X)
    assert outcome.json["hypervolume_ratio"] == result.hypervolume()


@pytest.mark.parametrize(
    ("method", "setting"),
    [
        ("paper-ts", "refinement.steps=1"),
        ("dl", "tables=false"),
        ("dl", "encodings=successor,position"),
    ],
)
def test_settings_reach_the_search(divlearn, method, setting):
    """``--set`` must not be a decoration."""
    command = (*QUICK, "--budget", 1000, "--method", method, "--json")
    changed = divlearn(*command, "--set", setting)
    plain = divlearn(*command)
    assert changed.json["method"] == "custom"
    assert changed.json["F"] != plain.json["F"]


def test_a_setting_of_another_method_is_refused(divlearn):
    """It would be a decoration."""
    outcome = divlearn(*QUICK, "--budget", 100, "--set", "refinement.steps=1")
    assert outcome.code == 2
    assert "must be one of initial, " in outcome.err
    assert "got 'refinement.steps'" in outcome.err


def test_options_reach_the_problem(divlearn):
    """The greedy decoder needs an order alone, the cap split also a limit."""
    command = ("solve", "bicvrp-20", "-q", "--budget", 50, "--json")
    split = divlearn(*command)
    greedy = divlearn(*command, "--option", "decoder=greedy")
    assert set(split.json["X"][0]) == {"order", "limit"}
    assert len(greedy.json["X"][0]) == 20


def test_a_given_reference_point_is_used(divlearn):
    """The ratio refers to the box that it spans."""
    outcome = divlearn(*QUICK, "--budget", 500, "--reference", "30,40", "--json")
    assert outcome.json["reference"] == [30, 40]
    ratio = outcome.json["hypervolume"] / (30 * 40)
    assert outcome.json["hypervolume_ratio"] == pytest.approx(ratio)


def test_out_holds_all_files_and_they_tell_the_same(divlearn, tmp_path):
    """A picture to look at, tables to go on with, and the state."""
    outcome = divlearn(*QUICK, "--budget", 1000, "--out", "deep/down", "--json")
    folder = tmp_path / "deep" / "down"
    assert set(outcome.json["files"]) == FILES == {p.name for p in folder.iterdir()}
    front = dl.load(folder / "front.json")
    np.testing.assert_array_equal(front.F, outcome.json["F"])
    with (folder / "front.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["length 1"]) for row in rows] == front.F[:, 0].tolist()
    assert (folder / "front.png").read_bytes()[:4] == b"\x89PNG"


def test_a_trace_is_written_beside_the_front(divlearn, tmp_path):
    """A row per iteration, and a picture of them."""
    asked = ("solve", "bitsp-12", "-q", "--method", "paper-ucb", "--set", "trace=true")
    outcome = divlearn(*asked, "--budget", 500, "--out", "here", "--json")
    assert set(outcome.json["files"]) == FILES | {"trace.csv", "trace.png"}
    with (tmp_path / "here" / "trace.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(dl.load(tmp_path / "here" / "front.json").trace) > 5


def test_the_summary_names_the_picture_and_explains_itself(divlearn):
    """What a newcomer reads at the end of the demo."""
    out = divlearn(*QUICK, "--budget", 1000, "--out", "demo").out
    for words in ("demo/front.png", "1,000 evaluations", "hypervolume", "trade-offs"):
        assert words in out


def test_without_matplotlib_the_rest_is_written_and_the_remedy_named(
    divlearn, tmp_path, monkeypatch
):
    """Pictures are an extra; a missing extra must not spoil a run."""

    def missing(*_arguments):
        raise MissingExtra('pictures need matplotlib: pip install "divlearn[plot]".')

    monkeypatch.setattr("divlearn.plot.front", missing)
    outcome = divlearn(*QUICK, "--budget", 100, "--out", "x")
    assert outcome.code == 0
    assert "divlearn[plot]" in outcome.out
    assert {p.name for p in (tmp_path / "x").iterdir()} == {
        "front.json",
        "front.csv",
        "state.npz",
    }


def test_without_any_limit_a_budget_is_chosen_and_told(divlearn):
    """A search that nobody limits must end all the same."""
    outcome = divlearn("solve", "bitsp-20", "--json")
    assert outcome.json["evaluations"] == 10_000
    assert "10,000 evaluations" in outcome.err


def test_the_schedule_of_a_method_ends_the_search(divlearn):
    """Also of one that is saved before its end and resumed without a limit."""
    little = ("--method", "paper-ucb", "--set", "iterations=2", "--set", "weights=3")
    command = (*QUICK, *little, "--budget", "schedule", "--json")
    whole = divlearn(*command).json
    part = divlearn(*command, "--seconds", "1e-6", "--out", "x").json
    rest = divlearn(*QUICK, "--resume", "x/state.npz", "--json").json
    assert whole["stopped"] == "the schedule of 3 x 2 iterations has ended"
    assert part["evaluations"] < whole["evaluations"] == rest["evaluations"]
    assert rest["F"] == whole["F"]


def test_a_time_limit_ends_the_search(divlearn):
    """Half a second is enough for some evaluations and short enough for a test."""
    outcome = divlearn(*QUICK, "--seconds", "0.5", "--json")
    assert outcome.json["evaluations"] > 0
    assert "time limit" in outcome.json["stopped"]


@pytest.mark.usefixtures("tiny_spaces_go_on")
def test_stagnation_ends_the_search(divlearn):
    """Five cities have few tours, so that the front is complete soon."""
    outcome = divlearn("solve", "bitsp-5", "-q", "--stagnation", 500, "--json")
    assert "hypervolume" in outcome.json["stopped"]


def test_progress_stays_out_of_standard_output(divlearn):
    """``--json > file`` must be JSON and nothing else, also without --quiet."""
    outcome = divlearn("solve", "bitsp-20", "--budget", 500, "--json")
    assert outcome.json["evaluations"] == 500
    assert "searching for 500 evaluations" in outcome.err


def test_a_finished_search_goes_on_with_a_larger_budget(divlearn):
    """--budget counts all evaluations, those of the first sitting included."""
    divlearn(*QUICK, "--seconds", 0.2, "--out", "x")
    before = dl.load("x/front.json").evaluations
    state = ("--resume", "x/state.npz", "--json")
    after = divlearn(*QUICK, "--budget", before + 500, *state)
    assert after.json["evaluations"] == before + 500


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["bitsp-21"], ["another problem (bitsp-20)", "n 20 -> 21"]),
        (["bitsp-20", "--instance", 1], ["instance: its data"]),
        (["bitsp-20", "--seed", 9], ["--seed", "9"]),
        (["bitsp-20", "--method", "uniform"], ["--method", "uniform", "dl"]),
        (["bitsp-20", "--set", "initial=3"], ["--method", "custom", "dl"]),
    ],
)
def test_a_state_of_something_else_is_refused(divlearn, change, words):
    """It would mix two searches without anyone noticing."""
    divlearn(*QUICK, "--budget", 100, "--out", "x")
    outcome = divlearn("solve", *change, "--budget", 200, "--resume", "x/state.npz")
    assert outcome.code == 2
    assert all(word in outcome.err for word in words)


def test_a_file_that_is_no_state_is_refused(divlearn, tmp_path):
    """Naming the wrong file of the output directory is an easy slip."""
    divlearn(*QUICK, "--budget", 100, "--out", "x")
    outcome = divlearn(*QUICK, "--budget", 200, "--resume", "x/front.json")
    assert outcome.code == 2
    assert "not a state file" in outcome.err


def test_a_state_that_somebody_altered_is_not_resumed(divlearn):
    """One line that names the file and the array, and the exit code of bad input."""
    divlearn(*QUICK, "--out", "x")
    with np.load("x/state.npz") as file:
        arrays = {name: file[name] for name in file.files}
    arrays["archive.order"][0] = -1
    content = pack_described(arrays, str(arrays.pop("about")))
    Path("x/state.npz").write_bytes(content)
    outcome = divlearn(*QUICK, "--budget", 200, "--resume", "x/state.npz")
    assert outcome.code == 2
    assert "x/state.npz is not a state file" in outcome.err
    assert "archive.order must be from 0" in outcome.err
    assert "Traceback" not in outcome.err


class PressesCtrlC(LogProgress):
    """A progress display that interrupts the search."""

    def __init__(self, after):
        super().__init__("test", sys.stderr)
        self.after = after

    def update(self, optimizer):
        """Send the signal that the keys send."""
        if optimizer.evaluations >= self.after:
            os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_saves_everything_and_the_printed_command_completes_the_run(
    divlearn, monkeypatch
):
    """Stopped and continued, a search must give what it gives in one go."""
    command = ("solve", "bitsp-20", "--budget", 20_000, "--seed", 2)
    whole = divlearn(*command, "--json", "--quiet").json
    with monkeypatch.context() as patch:
        display = PressesCtrlC(after=3_000)
        patch.setattr("divlearn.terminal.choose_progress", lambda _title: display)
        stopped = divlearn(*command)
    assert stopped.code == 130
    assert "runs/bitsp-20-0-dl-s2/front.png" in stopped.out
    again = re.search(r"^  (divlearn solve .*)$", stopped.out, re.MULTILINE)[1]
    state = "runs/bitsp-20-0-dl-s2/state.npz"
    expected = f"divlearn solve bitsp-20 --budget 20000 --seed 2 --resume {state}"
    assert again == expected
    resumed = divlearn(*shlex.split(again)[1:], "--json").json
    assert resumed["evaluations"] == whole["evaluations"] == 20_000
    assert resumed["F"] == whole["F"]
    assert resumed["X"] == whole["X"]


def test_ctrl_c_twice_does_not_overwrite_the_first_state(divlearn, monkeypatch):
    """The second run starts anew, so the first one's state must survive."""
    display = PressesCtrlC(after=1_000)
    monkeypatch.setattr("divlearn.terminal.choose_progress", lambda _title: display)
    command = ("solve", "bitsp-20", "--budget", "1e6", "--json")
    first, second = divlearn(*command), divlearn(*command)
    assert first.json["files"]["state.npz"] != second.json["files"]["state.npz"]
    assert second.json["files"]["state.npz"] in second.json["resume"]


def test_a_real_ctrl_c_ends_the_process_with_130_and_no_traceback(tmp_path):
    """The same from outside, as a shell and a person see it."""
    search = ["solve", "bitsp-20", "--seconds", "300", "--out", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "divlearn", *search],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    line = process.stderr.readline()
    while "compiling" in line:
        line = process.stderr.readline()
    assert "searching" in line
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, out + err
    assert "Traceback" not in out + err
    assert f"{shlex.join(search)} --resume {tmp_path}/state.npz" in out
    assert {path.name for path in tmp_path.iterdir()} == FILES


def test_a_failing_objective_gives_code_1_the_solution_and_what_was_found(
    divlearn, monkeypatch, tmp_path
):
    """What was found before is worth as much as ever."""

    def simulate(x):
        if x[0] == 3:
            raise RuntimeError("licence server is down")
        return float(x[0]), float(x[-1])

    def fragile(_name, instance):
        return dl.Problem(dl.Permutation(5), simulate, ["a", "b"], name="fragile")

    monkeypatch.setattr("divlearn.problems.get", fragile)
    outcome = divlearn(*QUICK, "--budget", 5000, "--json")
    error = outcome.json["error"]
    assert outcome.code == error["exit_code"] == 1
    assert "licence server is down" in error["message"]
    assert error["x"].startswith("[3")
    assert "licence server is down" in outcome.err
    assert "Traceback" not in outcome.err
    saved = json.loads((tmp_path / error["files"]["front.json"]).read_text())
    assert saved["evaluations"] == error["evaluations"]


def test_ctrl_c_while_the_search_is_prepared_ends_the_process_at_once(tmp_path):
    """An exception inside the compiler would be lost, or end in a traceback."""
    code = (
        "import os, signal; from divlearn import Optimizer;"
        "from divlearn.cli import execute;"
        "Optimizer.warm_up = lambda self, *a: os.kill(os.getpid(), signal.SIGINT);"
        f"execute(['solve', 'bitsp-20', '--json', '--out', {str(tmp_path)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    said = done.stderr.splitlines()[-1]
    assert said.startswith("Stopped by Ctrl-C before the search began")
    assert json.loads(done.stdout)["error"] == {"message": said, "exit_code": 130}
    assert "Traceback" not in done.stderr


def test_a_job_in_the_background_of_a_script_does_not_hear_ctrl_c(tmp_path):
    """The shell lets it ignore the keys, which are meant for what is in front."""
    code = (
        "import os, signal; from divlearn import Optimizer;"
        "from divlearn.cli import execute;"
        "signal.signal(signal.SIGINT, signal.SIG_IGN);"
        "Optimizer.warm_up = lambda self, *a: os.kill(os.getpid(), signal.SIGINT);"
        f"execute(['solve', 'bitsp-20', '--budget', '50', '--out', {str(tmp_path)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == FILES
