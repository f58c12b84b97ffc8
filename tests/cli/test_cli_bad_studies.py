"""What can go wrong around a study: a clear message, the right code, a usable file."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import divlearn as dl
from tests.cli.simulators import change, make_study, needs_shell
from tests.workers.processes import running, wait_until

pytestmark = needs_shell
ROOT = Path(dl.__file__).parent.parent


@pytest.fixture(autouse=True)
def chip(tmp_path):
    """A TOML file in the folder where commands run."""
    return make_study(tmp_path)


@pytest.mark.parametrize(
    ("mood", "words"),
    [
        ("exit", "exit code 4; it said: no licence left"),
        ("garbage", "ends in 'Segmentation fault'"),
        ("few", "standard output lacks 'area'"),
        ("hang", "longer than 0.5 s"),
        ("family", "with every process that it had started"),
    ],
)
def test_a_simulator_that_never_works_is_told_and_the_study_goes_on_when_it_does(
    divlearn, mood, words, tmp_path
):
    """Code 1 with what it said; mended, the same study gives a front."""
    Path("mood").write_text(mood)
    command = ("run", "chip.toml", "--budget", 2, "--timeout", 0.5, "-q", "--json")
    outcome = divlearn(*command)
    error = outcome.json["error"]
    assert outcome.code == error["exit_code"] == 1
    made = 0 if mood == "few" else 2
    assert ("none of 2 evaluations gave values" in error["message"]) == bool(made)
    assert words in error["message"]
    assert words in outcome.err
    shown = divlearn("show", "chip.db", "--json").json
    assert (shown["evaluations"], shown["F"]) == (made, [])
    assert shown["state"] == ("done" if made else "stopped")
    assert wait_until(lambda: not running(tmp_path))
    Path("mood").write_text("well")
    mended = divlearn("resume", "chip.db", "--budget", 6, "--timeout", 20, "--json")
    assert mended.code == 0
    assert mended.json["counts"]["ok"] == 6 - made
    assert mended.json["F"]


def test_some_failures_are_counted_in_the_summary(divlearn):
    """A run in which most went well is a good run."""
    change("sim.sh", "held)", "*) [ $(number width) -gt 15 ] && exit 3; answer ;; x)")
    Path("mood").write_text("picky")
    outcome = divlearn("run", "chip.toml", "-q")
    assert outcome.code == 0
    assert "6 ok, 6 failed\n" in outcome.out
    said = "6 failed: the command ended with exit code 3 and said nothing"
    assert said in outcome.out
    assert said in divlearn("show", "chip.db").out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("timeout", "timout", "line 14: [evaluate] has the unknown key 'timout'. Did"),
        ('"sh", ', '"./gone", ', "gone' is not there; compile it"),
        ('"sh", ', '"no-such-tool", ', "'no-such-tool' was not found on the PATH"),
        ("[space]", "[space", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_before_a_study_begins(divlearn, old, new, words):
    """With its name, the line and what to do; nothing is left behind."""
    change("chip.toml", old, new)
    outcome = divlearn("run", "chip.toml")
    assert outcome.code == 2
    assert "chip.toml" in outcome.err
    assert words in outcome.err
    assert not Path("chip.db").exists()


@pytest.mark.parametrize("damage", ["truncated", "overwritten", "replaced"])
def test_a_damaged_store_is_refused_unchanged_and_its_backup_goes_on(divlearn, damage):
    """By every command; nothing that can be saved is made worse."""
    divlearn("run", "chip.toml")
    shutil.copy("chip.db", "backup.db")
    content = Path("chip.db").read_bytes()
    middle = len(content) // 2
    Path("chip.db").write_bytes(
        {
            "truncated": content[:middle],
            "overwritten": content[:4096] + b"\xff" * (len(content) - 4096),
            "replaced": b"front,cost\n1,2\n" * 99,
        }[damage]
    )
    broken = Path("chip.db").read_bytes()
    for command in (("run", "chip.toml", "--budget", 20), ("resume", "chip.db")):
        outcome = divlearn(*command)
        assert outcome.code == 2
        assert "damaged" in outcome.err or "not a study" in outcome.err
    assert divlearn("export", "chip.db", "all.csv", "--trials").code in (1, 2)
    assert Path("chip.db").read_bytes() == broken
    shutil.move("backup.db", "chip.db")
    outcome = divlearn("resume", "chip.db", "--budget", 14, "--json")
    assert outcome.json["evaluations"] == 14


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outcomes SET objectives = '[1, ' WHERE number = 3",
        "UPDATE outcomes SET objectives = '{}' WHERE number = 3",
        "UPDATE study SET value = '{\"kind\": 3}' WHERE key = 'origin'",
        "UPDATE study SET value = 'chip' WHERE key = 'problem'",
    ],
)
def test_a_row_that_makes_no_sense_is_told_as_damage(divlearn, statement):
    """A bit that fell over in a text is still a whole SQLite file."""
    divlearn("run", "chip.toml")
    with sqlite3.connect("chip.db") as connection:
        connection.execute(statement)
    connection.close()
    outcome = divlearn("resume", "chip.db", "--budget", 20)
    assert outcome.code == 2
    assert "is damaged" in outcome.err


def test_a_directory_that_cannot_be_written_is_refused(divlearn):
    """Before anything is evaluated; a file in the way stops even a superuser."""
    outcome = divlearn("run", "chip.toml", "--store", "sim.sh/chip.db")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err
    assert not Path("chip-evaluations").exists()


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from divlearn.cli import execute
sys.exit(execute(sys.argv[2:]))
"""


def test_a_full_disk_ends_the_run_with_everything_in_the_store(divlearn, tmp_path):
    """Code 1 and what to do; with room again the same front as in one go."""
    divlearn("run", "chip.toml", "--store", "whole.db", "--budget", 40, "--workers", 0)
    words = ["150000", "run", "chip.toml", "--budget=40", "--workers=0", "--json"]
    limited = subprocess.run(
        [sys.executable, "-c", LIMITED, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=600,
    )
    assert limited.returncode == 1, limited.stdout + limited.stderr
    assert "could not be written" in limited.stderr
    assert "make room and run the same line again" in limited.stdout
    assert "Traceback" not in limited.stderr
    before = divlearn("show", "chip.db", "--json").json
    assert 0 < before["evaluations"] < 40
    after = divlearn("resume", "chip.db", "--json").json
    whole = divlearn("show", "whole.db", "--json").json
    assert (after["evaluations"], after["F"]) == (40, whole["F"])


def test_a_run_that_fails_from_the_start_stops_early_and_is_mended_by_a_second_try(
    divlearn,
):
    """Five designs instead of the whole budget; the command to go on is printed."""
    Path("mood").write_text("exit")
    outcome = divlearn("run", "chip.toml", "--budget", 40, "-q", "--json")
    error = outcome.json["error"]
    assert outcome.code == error["exit_code"] == 1
    assert error["evaluations"] == error["counts"]["failed"] == 5
    assert "the first 5 evaluations failed" in error["message"]
    assert "(5 times): the command ended with exit code 4" in error["message"]
    assert error["reasons"][0]["count"] == 5
    assert "divlearn resume chip.db --retry-failed" in outcome.err
    shown = divlearn("show", "chip.db").out
    assert "stopped: 5 of 40 evaluations" in shown
    assert "none of 5 evaluations gave values" in shown
    Path("mood").write_text("well")
    mended = divlearn("resume", "chip.db", "--retry-failed", "--budget", 12, "--json")
    assert mended.code == 0
    assert mended.json["counts"] == {"ok": 12}
    again = divlearn("resume", "chip.db", "--json").json
    assert again["F"] == mended.json["F"]


def test_only_failures_that_match_are_tried_again(divlearn):
    """By a part of the message, or a regular expression."""
    Path("mood").write_text("exit")
    divlearn("run", "chip.toml", "--budget", 3, "-q")
    Path("mood").write_text("well")
    command = ("resume", "chip.db", "--json", "--retry-failed", "--matching")
    nothing = divlearn(*command, "out of memory").json["error"]
    assert nothing["counts"] == {"failed": 3}
    assert divlearn(*command, "no licen[cs]e").json["counts"] == {"ok": 3}
    alone = divlearn("resume", "chip.db", "--matching", "x")
    assert alone.code == 2
    assert "--matching needs --retry-failed" in alone.err


def test_failures_may_be_allowed_on_the_command_line_and_in_the_file(divlearn):
    """As many as one likes."""
    Path("mood").write_text("exit")
    never = ("run", "chip.toml", "-q", "--json", "--max-failures", "never")
    assert divlearn(*never).json["error"]["evaluations"] == 12
    change("chip.toml", "[run]", "[run]\nmax_failures = 7\nretry_failed = true")
    some = divlearn("run", "chip.toml", "-q", "--json", "--store", "other.db")
    assert some.json["error"]["evaluations"] == 7
    Path("mood").write_text("well")
    both = divlearn("run", "chip.toml", "-q", "--json", "--store", "other.db")
    assert both.json["counts"] == {"ok": 12}
    wrong = divlearn("run", "chip.toml", "--max-failures", "some")
    assert wrong.code == 2
    assert "--max-failures must be" in wrong.err


def test_a_missing_history_is_explained(divlearn):
    """Its picture is listed in the help, so one looks for it."""
    out = divlearn("run", "chip.toml", "-q", "--out", "front").out
    assert "No history.png: the hypervolume that it shows needs a reference" in out
    assert Path("front/front.png").exists()
    header = Path("front/front.csv").read_text().splitlines()[0]
    assert header == "trial,width,height,time,area,heat_max,heat"
