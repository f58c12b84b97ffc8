"""``divlearn run`` and ``divlearn resume``."""

import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.simulator import load_toml
from divlearn.study import StudyReader
from divlearn.terminal import LogProgress
from tests.cli.simulators import change, make_study, needs_shell
from tests.workers.processes import wait_until

pytestmark = needs_shell
FRONT = ("F", "X", "evaluations", "counts")


@pytest.fixture(autouse=True)
def chip(tmp_path):
    """A TOML file in the folder where commands run."""
    return make_study(tmp_path)


def same_front(one, other):
    """Whether two JSON answers tell the same front."""
    return all(one[name] == other[name] for name in FRONT)


class PressesCtrlC(LogProgress):
    """A display that interrupts the study once there are so many outcomes."""

    after = 5

    def update(self, optimizer):
        """Send the signal that the keys send."""
        if optimizer.evaluations >= self.after:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def pressing(monkeypatch):
    """Return a context in which displays press Ctrl-C."""

    @contextmanager
    def press():
        with monkeypatch.context() as patch:
            patch.setattr(
                "divlearn.terminal.choose_progress",
                lambda title: PressesCtrlC(title, sys.stderr),
            )
            yield

    return press


def test_the_command_gives_the_front_that_the_library_gives(divlearn):
    """And leaves the study beside the TOML file, and what --out asked for."""
    outcome = divlearn("run", "chip.toml", "--out", "out", "--json")
    assert outcome.code == 0
    problem, options = load_toml("chip.toml")
    with dl.Study(problem, "own.db", **options.of_study()) as study:
        result = study.run(**options.of_run())
    assert outcome.json["F"] == result.F.tolist()
    assert outcome.json["study"] == "chip.db"
    assert outcome.json["counts"] == {"ok": 12}
    assert outcome.json["evaluations"] == 12
    names = {"front.json", "front.csv", "front.png"}
    assert (
        set(outcome.json["files"]) == {p.name for p in Path("out").iterdir()} == names
    )
    assert dl.load("out/front.json").F.tolist() == result.F.tolist()
    assert "searching for 12 evaluations" in outcome.err


def test_the_summary_says_where_everything_is(divlearn):
    """What somebody reads who comes back in the morning."""
    out = divlearn("run", "chip.toml", "-q").out
    for words in ("chip:", "12 evaluations", "is in chip.db", "--budget", "--out DIR"):
        assert words in out


def test_options_replace_what_the_file_says_and_resume_remembers_them(divlearn):
    """A study that was begun with options goes on with them."""
    Path("deep").mkdir()
    options = ("--seed", 5, "--method", "paper-ts", "--store", "deep/other.db")
    begun = divlearn("run", "chip.toml", "--budget", 6, *options, "--json").json
    assert (begun["seed"], begun["method"], begun["evaluations"]) == (5, "paper-ts", 6)
    again = divlearn("resume", "deep/other.db", "--json").json
    assert same_front(begun, again)
    more = divlearn("resume", "deep/other.db", "--budget", 9, "--json").json
    assert (more["seed"], more["evaluations"]) == (5, 9)
    last = divlearn("resume", "deep/other.db", "--json").json
    assert last["evaluations"] == 9
    assert not Path("chip.db").exists()


def test_the_same_command_goes_on(divlearn):
    """The budget counts all runs; a larger one in the file is a larger one."""
    first = divlearn("run", "chip.toml", "--json").json
    assert same_front(first, divlearn("run", "chip.toml", "--json").json)
    change("chip.toml", "budget = 12", "budget = 15")
    assert divlearn("resume", "chip.db", "--json").json["evaluations"] == 15


def test_ctrl_c_gives_130_and_the_printed_command_completes_the_run(divlearn, pressing):
    """Stopped and continued, a study must give what it gives in one go."""
    whole = divlearn("run", "chip.toml", "--store", "whole.db", "--json").json
    with pressing():
        stopped = divlearn("run", "chip.toml", "--out", "out")
    assert stopped.code == 130
    assert Path("out/front.csv").exists()
    again = re.search(r"^  (divlearn resume .*)$", stopped.out, re.MULTILINE)[1]
    assert again == "divlearn resume chip.db --out out"
    shown = divlearn("show", "chip.db")
    assert "stopped: " in shown.out
    assert "To continue: divlearn resume chip.db" in shown.out
    resumed = divlearn(*shlex.split(again)[1:], "--json")
    assert resumed.code == 0
    assert same_front(resumed.json, whole)


def test_ctrl_c_is_told_with_json_too(divlearn, pressing):
    """The object has what was found and the command that continues."""
    with pressing():
        stopped = divlearn("run", "chip.toml", "--json")
    assert stopped.code == 130
    assert stopped.json["stopped"] == "interrupted"
    assert stopped.json["resume"] == "divlearn resume chip.db"


def test_a_real_ctrl_c_finishes_what_runs_and_leaves_no_process(tmp_path):
    """As a shell and a person see it, with a simulator that takes its time."""
    (tmp_path / "mood").write_text("held")
    process = subprocess.Popen(
        [sys.executable, "-m", "divlearn", "run", "chip.toml", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(dl.__file__).parent.parent)},
        start_new_session=True,
    )
    assert wait_until((tmp_path / "begun").exists)
    os.killpg(process.pid, signal.SIGINT)
    while "running and will be finished; press it again" not in (
        said := process.stderr.readline()
    ):
        assert said
    (tmp_path / "go").touch()
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, out + err
    assert "Traceback" not in out + err
    assert "divlearn resume chip.db" in out
    with StudyReader(tmp_path / "chip.db") as reader:
        assert {trial.state for trial in reader.trials()} == {"ok"}
        assert reader.holder is None


# --- what resume needs


def test_a_study_that_was_moved_with_its_file_goes_on(divlearn, tmp_path):
    """Both are found where they are now, and the program beside them."""
    make_study("here")
    divlearn("run", "here/chip.toml", "--budget", 4)
    Path("here").rename("there")
    outcome = divlearn("resume", "there/chip.db", "--budget", 6, "--json")
    assert outcome.code == 0
    assert outcome.json["toml"] == str(tmp_path / "there" / "chip.toml")


def test_a_toml_file_that_is_gone_is_named_with_the_remedy(divlearn):
    """The remedy works."""
    divlearn("run", "chip.toml", "--budget", 4)
    Path("new").mkdir()
    for name in ("chip.toml", "sim.sh", "mood"):
        Path(name).rename(f"new/{name}")
    outcome = divlearn("resume", "chip.db")
    assert outcome.code == 2
    assert (
        "chip.toml', which describes the study 'chip.db', is not there" in outcome.err
    )
    assert "divlearn run NEW/PLACE/chip.toml --store chip.db" in outcome.err
    moved = divlearn("run", "new/chip.toml", "--store", "chip.db", "--json")
    assert (moved.code, moved.json["evaluations"]) == (0, 12)
    assert divlearn("resume", "chip.db").code == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("high = 30}\nheight", "high = 31}\nheight", ["width: integer 1..30 -> 1..31"]),
        ("area = ", "size = ", ["area: objective dropped", "size: new objective"]),
        ("max = 25", "max = 20", ["heat_max: limit 25.0 -> 20.0"]),
        ("seed = 3", "seed = 4", ["seed: 3 -> 4"]),
        ('"{here}/sim.sh"', '"{here}/./sim.sh"', ["command in [evaluate]", "--accept"]),
    ],
)
def test_a_file_that_changed_in_what_matters_is_refused(divlearn, old, new, words):
    """Two kinds of evaluations in one study would compare what cannot be compared."""
    divlearn("run", "chip.toml", "--budget", 4)
    change("chip.toml", old, new)
    for command in (("resume", "chip.db"), ("run", "chip.toml")):
        outcome = divlearn(*command)
        assert outcome.code == 2
        assert all(word in outcome.err for word in words)
    change("chip.toml", new, old)
    assert divlearn("resume", "chip.db", "--budget", 6).code == 0


def test_another_command_goes_on_where_the_user_says_so(divlearn):
    """A licence server that moved evaluates as before; once said, it is known."""
    divlearn("run", "chip.toml", "--budget", 4)
    change("chip.toml", '"{here}/sim.sh"', '"{here}/./sim.sh"')
    accepted = divlearn("resume", "chip.db", "--budget", 6, "--accept-changes")
    assert accepted.code == 0
    assert divlearn("resume", "chip.db", "--budget", 8).code == 0


def test_what_does_not_matter_may_change(divlearn):
    """Time limits, workers and retries have no say in which design is next."""
    divlearn("run", "chip.toml", "--budget", 4)
    change("chip.toml", "timeout = 20", 'timeout = 30\nenvironment = {MODE = "x"}')
    change("chip.toml", "workers = 1", "workers = 2\nretries = 1")
    outcome = divlearn("resume", "chip.db", "--budget", 6, "--timeout", 40)
    assert outcome.code == 0


def test_a_study_of_python_is_resumed_in_python(divlearn):
    """A file cannot hold a function."""
    problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
    with dl.Study(problem, "own.db") as study:
        study.run(budget=3, workers=0)
    outcome = divlearn("resume", "own.db")
    assert outcome.code == 2
    assert "Study(problem, 'own.db')" in outcome.err


def test_workers_that_would_be_idle_are_told_in_words(divlearn):
    """Not as a line of Python."""
    change("chip.toml", "workers = 1", "workers = 2\nlag = 1")
    outcome = divlearn("run", "chip.toml", "-q", "--budget", 3)
    assert outcome.err.startswith("Note: only 1 of 2 workers")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run",), "Missing argument 'TOML'"),
        (("run", "none.toml"), "'none.toml' cannot be read"),
        (("run", "chip.toml", "--budget", "many"), "--budget must be a whole number"),
        (("run", "chip.toml", "--workers", -1), "--workers must be"),
        (("run", "chip.toml", "--timeout", 0), "--timeout must be"),
        (("run", "chip.toml", "--running", "stop"), "--running must be one of"),
        (("run", "chip.toml", "--method", "magic"), "magic"),
        (("run", "chip.toml", "--store", "mood/x.db"), "cannot be written"),
        (("run", "chip.toml", "--out", "mood"), "--out must be a directory"),
        (("run", "chip.toml", "--buget", 3), "No such option '--buget'"),
        (("resume", "none.db"), "does not exist"),
        (("resume", "chip.toml"), "a TOML file is for 'divlearn run'"),
    ],
)
def test_a_wrong_request_gives_one_clear_message_and_code_2(divlearn, arguments, words):
    """Also as JSON, and before anything is evaluated."""
    outcome = divlearn(*arguments, "--json")
    assert outcome.code == outcome.json["error"]["exit_code"] == 2
    assert words in outcome.err
    assert words in outcome.json["error"]["message"]
    assert not list(Path().glob("chip-evaluations/*"))


@pytest.mark.parametrize("command", [("run", "chip.toml"), ("init", "chip.toml", "a")])
def test_a_method_that_nobody_knows_is_told_with_its_line(divlearn, command):
    """As other mistakes in the file are; what an option says goes before the file."""
    change("chip.toml", "seed = 3", "seed = 3\nmethod = 'magic'")
    lines = Path("chip.toml").read_text().splitlines()
    outcome = divlearn(*command)
    assert outcome.code == 2
    number = 1 + lines.index("method = 'magic'")
    assert f"chip.toml, line {number}: method must be" in outcome.err


def test_a_run_without_an_end_is_refused(divlearn):
    """The message says both places where a limit can stand."""
    change("chip.toml", "budget = 12\n", "")
    outcome = divlearn("run", "chip.toml")
    assert outcome.code == 2
    assert "--budget" in outcome.err
    assert "[run] of 'chip.toml'" in outcome.err


def test_a_study_that_runs_elsewhere_is_refused_with_its_holder(divlearn):
    """Two coordinators would evaluate everything twice."""
    divlearn("run", "chip.toml", "--budget", 3)
    problem, _ = load_toml("chip.toml")
    with dl.Study(problem, "chip.db"):
        outcome = divlearn("resume", "chip.db")
    assert outcome.code == 5
    assert f"process {os.getpid()}" in outcome.err


@pytest.mark.parametrize("command", [("run", "chip.toml"), ("resume", "chip.db")])
def test_a_study_goes_on_without_the_state_that_its_file_keeps(
    divlearn, monkeypatch, command
):
    """With --no-checkpoint all outcomes are learned again, to the same front."""
    whole = divlearn("run", "chip.toml", "--store", "whole.db", "--json").json
    monkeypatch.setattr("divlearn.study.coordinator.REPEATED", 0.0)
    divlearn("run", "chip.toml", "--budget", 6)
    monkeypatch.setattr("divlearn.study.replay._saved", crash)
    options = ("--budget", 12, "--no-checkpoint", "--json")
    assert same_front(whole, divlearn(*command, *options).json)


def crash(*_):
    """Nobody may ask for it."""
    raise AssertionError("the state was read")


def test_a_limit_on_the_front_stands_in_the_file_or_the_command(divlearn, chip):
    """The option replaces what the file says; trials are all kept."""
    change(chip, "seed = 3", "seed = 3\nmethod = 'uniform'\narchive_size = 4")
    fronts = [
        divlearn("run", "chip.toml", "-q", "--store", name, "--json", *more).json["F"]
        for name, more in (("a.db", ()), ("b.db", ("--archive-size", 5)))
    ]
    assert all(len(front) <= most for front, most in zip(fronts, (4, 5), strict=True))
    with StudyReader("a.db") as a, StudyReader("b.db") as b:
        assert [one.notes["archive_size"] for one in (a, b)] == [4, 5]
        assert len(a.trials()) == len(b.trials()) == 12
