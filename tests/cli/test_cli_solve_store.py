"""``divlearn solve --store``: a search of a built-in problem that is a study."""

import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from divlearn.problems import get
from divlearn.terminal import LogProgress

STUDY = ("solve", "bitsp-20", "-q", "--store", "x.db")


def test_a_store_changes_nothing_about_the_front(divlearn):
    """One evaluation at a time, each candidate knows all before it, as without."""
    alone = divlearn("solve", "bitsp-20", "-q", "--budget", 150, "--json").json
    kept = divlearn(*STUDY, "--budget", 150, "--out", "out", "--json").json
    assert kept["F"] == alone["F"]
    assert kept["X"] == alone["X"]
    assert (kept["study"], kept["instance"]) == ("x.db", 0)
    assert set(kept["files"]) == {"front.json", "front.csv", "front.png", "history.png"}


def test_the_same_command_and_resume_both_go_on(divlearn):
    """With the instance, the options and the settings that it was begun with."""
    command = ("solve", "bicvrp-20", "-q", "--instance", 3, "--store", "x.db")
    more = ("--option", "decoder=greedy", "--set", "tables=false")
    begun = divlearn(*command, *more, "--budget", 20, "--json").json
    again = divlearn(*command, *more, "--budget", 30, "--json").json
    last = divlearn("resume", "x.db", "--budget", 40, "-q", "--json").json
    assert [one["evaluations"] for one in (begun, again, last)] == [20, 30, 40]
    assert last["method"] == begun["method"] == "custom"
    assert last["instance"] == 3
    assert divlearn("resume", "x.db", "-q", "--json").json["F"] == last["F"]


def test_files_are_found_again_from_another_directory(divlearn, monkeypatch):
    """A study remembers where its instance files are."""
    get("bikp-50", instance=2).write("sack.json")
    divlearn("solve", "sack.json", "-q", "--budget", 20, "--store", "x.db")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert divlearn("resume", "../x.db", "--budget", 25).code == 0
    Path("../sack.json").unlink()
    outcome = divlearn("resume", "../x.db", "--budget", 30)
    assert outcome.code == 2
    assert "sack.json" in outcome.err


def test_workers_give_the_same_front_whatever_their_number(divlearn):
    """From two on candidates are chosen eight ahead."""
    command = ("solve", "bitsp-20", "-q", "--budget", 40, "--json")
    two = divlearn(*command, "--store", "2.db", "--workers", 2).json
    three = divlearn(*command, "--store", "3.db", "--workers", 3).json
    assert two["F"] == three["F"]


def test_without_a_limit_the_usual_budget_is_told(divlearn, monkeypatch):
    """And remembered."""
    monkeypatch.setattr("divlearn.cli.origin.DEFAULT_BUDGET", 30)
    outcome = divlearn("solve", "bitsp-20", "--store", "x.db", "--json")
    assert outcome.json["evaluations"] == 30
    assert "stopping after 30 evaluations" in outcome.err
    assert divlearn("resume", "x.db", "--json").json["evaluations"] == 30


class PressesCtrlC(LogProgress):
    """A display that interrupts the search."""

    def update(self, optimizer):
        """Send the signal that the keys send."""
        if optimizer.evaluations >= 30:
            os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_names_the_command_that_continues(divlearn, monkeypatch):
    """The whole is the same as in one go."""
    whole = divlearn(*STUDY[:3], "--store", "whole.db", "--budget", 60, "--json").json
    command = ("solve", "bitsp-20", "--store", "x.db", "--budget", 60, "--json")
    with monkeypatch.context() as patch:
        patch.setattr(
            "divlearn.terminal.choose_progress",
            lambda title: PressesCtrlC(title, sys.stderr),
        )
        stopped = divlearn(*command)
    assert stopped.code == 130
    assert stopped.json["evaluations"] < 60
    assert stopped.json["resume"] == "divlearn resume x.db"
    words = shlex.split(stopped.json["resume"])[1:]
    resumed = divlearn(*words, "--json").json
    assert resumed["F"] == whole["F"]
    assert resumed["evaluations"] == 60


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--workers", 2), "--workers needs --store"),
        (("--store", "x.db", "--resume", "state.npz"), "exclude each other"),
        (("--store", "taken/x.db"), "cannot be written"),
    ],
)
def test_wrong_requests_are_told(divlearn, arguments, words):
    """With exit code 2."""
    Path("taken").write_text("a file")
    outcome = divlearn("solve", "bitsp-20", "--budget", 10, *arguments)
    assert outcome.code == 2
    assert words in outcome.err


def test_another_problem_in_the_same_store_is_refused(divlearn):
    """It would mix two searches without anyone noticing."""
    divlearn(*STUDY, "--budget", 10)
    for other in (["bitsp-21"], ["bitsp-20", "--instance", 1]):
        outcome = divlearn("solve", *other, "--budget", 20, "--store", "x.db")
        assert outcome.code == 2
        assert "begun with something else" in outcome.err


def test_a_limit_on_the_front_is_the_same_with_and_without_a_store(divlearn):
    """And a study that was begun with it goes on with it."""
    command = ("solve", "tritsp-20", "-q", "--method", "uniform", "--archive-size", 6)
    alone = divlearn(*command, "--budget", 150, "--json").json
    divlearn(*command, "--budget", 150, "--store", "x.db")
    kept = divlearn("resume", "x.db", "-q", "--json").json
    assert len(alone["F"]) == 6
    assert kept["F"] == alone["F"]
    wrong = divlearn(*command[:-1], 5, "--budget", 150)
    assert wrong.code == 2
    assert "archive_size must be at least 6" in wrong.err
