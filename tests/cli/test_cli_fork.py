"""``divlearn fork``: a study that changes, from the command line."""

from pathlib import Path

import pytest

from divlearn.study import StudyReader
from tests.cli.simulators import change, make_study, needs_shell

pytestmark = needs_shell


@pytest.fixture
def chip(divlearn):
    """Twelve evaluations of a chip whose width was limited to 30."""
    make_study(".")
    assert divlearn("run", "chip.toml", "-q", "--workers", 0).code == 0
    return divlearn


def test_a_refused_study_names_the_command_that_carries_it_over(chip):
    """A wider range, another sense, a tighter limit: one line each, then on it goes."""
    change("chip.toml", "high = 30}\nheight", "high = 40}\nheight")
    change("chip.toml", 'area = "min"', 'area = "max"')
    change("chip.toml", "max = 25", "max = 20")
    refused = chip("run", "chip.toml")
    assert refused.code == 2
    *lines, command = refused.err.splitlines()
    assert [line.strip() for line in lines[1:4]] == [
        "width: integer 1..30 -> 1..40",
        "area: minimize -> maximize",
        "heat_max: limit 25.0 -> 20.0",
    ]
    assert command == "  divlearn fork chip.db chip.toml"
    forked = chip(*command.split()[1:])
    assert forked.code == 0
    assert forked.out.splitlines() == [
        "chip-2.db: a fork of chip.db",
        *lines[1:4],
        "12 designs of 12 trials known, at no cost",
        "To continue: divlearn resume chip-2.db",
    ]
    with StudyReader("chip-2.db") as reader:
        for trial in reader.trials():
            assert trial.g["heat_max"] == trial.extras["heat"] - 20
    again = chip("resume", "chip-2.db", "--budget", 3, "-q", "--json").json
    assert (again["evaluations"], again["counts"]) == (3, {"known": 12, "ok": 3})
    assert "\n  a fork of chip.db\n" in chip("show", "chip-2.db").out


def test_new_names_and_new_knobs_are_told_on_the_line(chip):
    """Values are read as their knobs have them; a file of its own is made."""
    text = Path("chip.toml").read_text()
    text = text.replace("height =", "depth =").replace(
        "[objectives]",
        'mode = {type = "categorical", values = ["1", "2"]}\n[objectives]',
    )
    Path("tall.toml").write_text(text)
    refused = chip("run", "tall.toml", "--store", "chip.db")
    assert "  divlearn fork chip.db tall.toml --fill depth=VALUE" in refused.err
    told = ("--rename", "height=depth", "--fill", "mode=2", "--seed", 8)
    report = chip("fork", "chip.db", "tall.toml", *told, "--json").json
    assert report["study"] == "tall.db"
    assert report["resume"] == "divlearn resume tall.db"
    assert report["fork"]["differences"] == [
        "height: renamed to depth, integer 1..30",
        "mode: new knob, categorical '1', '2', was '2'",
        "seed: 3 -> 8",
    ]
    with StudyReader("tall.db") as new, StudyReader("chip.db") as old:
        assert new.notes["seed"] == 8
        for mine, theirs in zip(new.trials(), old.trials(), strict=True):
            assert mine.x["depth"] == theirs.x["height"]
            assert mine.x["mode"] == "2"


def test_another_simulator_needs_a_word(chip):
    """Its values may be others."""
    change("chip.toml", '"{here}/sim.sh"', '"{here}/./sim.sh"')
    outcome = chip("fork", "chip.db")
    assert outcome.code == 2
    assert "command in [evaluate]" in outcome.err
    assert "--accept-changes" in outcome.err
    assert chip("fork", "chip.db", "--accept-changes").code == 0
    assert chip("resume", "chip-2.db", "--budget", 1, "-q", "--workers", 0).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chip.db", "--store", "chip.db"], "file of its own"),
        (["chip.db", "--only", "width"], "--only must be a name and a value"),
        (["chip.db", "--only", "with=3"], "Did you mean 'width'"),
        (["chip.db", "--fill", "width=3"], "have 'width' already"),
        (["chip.db", "--repeats", "best"], "--repeats must be one of newest, mean"),
        (["chip.db", "--method", "nsga9"], "method must be one of"),
        (["none.db"], "'none.db' does not exist"),
        (["chip.db", "none.toml"], "none.toml"),
    ],
)
def test_wrong_requests_say_what_is_wrong(chip, words, said):
    """And make nothing."""
    outcome = chip("fork", *words)
    assert outcome.code == 2
    assert said in outcome.err
    assert not list(Path().glob("chip-2*"))


def test_built_in_problems_go_on_with_another_method(divlearn):
    """The problem is made again; the options of the last run hold."""
    begun = ("solve", "bikp-50", "-q", "--store", "x.db", "--method", "random")
    divlearn(*begun, "--budget", 10)
    refused = divlearn("solve", "bikp-50", "-q", "--store", "x.db", "--method", "dl")
    assert "method: random -> dl" in refused.err
    assert "divlearn fork x.db\nwith --method M or --seed K." in refused.err
    forked = divlearn("fork", "x.db", "--method", "uniform", "--seed", 4)
    assert forked.out.startswith(
        "x-2.db: a fork of x.db\n  method: random -> uniform\n"
    )
    with StudyReader("x-2.db") as reader:
        assert reader.notes["seed"] == 4
        assert reader.notes["origin"]["run"] == {"budget": 10, "workers": 0}


def test_a_study_of_python_is_forked_there_unless_a_file_says_more(divlearn):
    """Its problem is not in the file; a TOML file may describe it."""
    import divlearn as dl

    make_study(".")
    space = dl.Composite(width=dl.Integer(1, 9), height=dl.Integer(1, 9))

    def evaluate(x):
        return {"time": x["width"], "area": x["height"], "heat": 3.0}

    problem = dl.Problem(space, evaluate, ["time", "area"], extras=["heat"])
    with dl.Study(problem, "own.db", method="random") as study:
        study.run(5, workers=0, progress=False)
    assert "was begun in Python" in divlearn("fork", "own.db").err
    forked = divlearn("fork", "own.db", "chip.toml")
    assert forked.code == 0
    assert "5 designs of 5 trials known" in forked.out
