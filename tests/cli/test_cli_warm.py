"""``divlearn warm``: everything compiled at once."""

import io
import json
import re
import subprocess
import sys
from itertools import count

import pytest
from rich.console import Console

from divlearn.cli.warm import Kind, Work, kinds_of_search, missing_groups
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.loops import Step
from divlearn.methods.dl import compilation
from divlearn.methods.paper import search as paper_search
from divlearn.terminal import LiveProgress
from divlearn.terminal.places import Screen

#: All groups of kernels that are told apart.
ALL = {*compilation.SECONDS, "step of experts", "asking", "loop", "archive"}

compiles = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture
def empty(monkeypatch):
    """A cache in which nothing is."""
    monkeypatch.setattr(compilation, "are_cached", lambda *kernels: False)
    monkeypatch.setattr("divlearn.kernels.jit.is_cached", lambda kernel: False)
    monkeypatch.setattr(Step, "is_cached", lambda step: False)
    for module in (compilation, paper_search):
        monkeypatch.setattr(module, "loops_are_cached", lambda compiled: False)


@pytest.fixture
def rehearsed(monkeypatch):
    """What was to be compiled, instead of compiling it."""
    seen = []
    monkeypatch.setattr(Kind, "rehearse", lambda kind: seen.append(kind.what))
    return seen


def test_all_groups_of_kernels_are_compiled(empty):
    """One that is new, and that no kind of search here calls, would be forgotten."""
    groups = missing_groups(kinds_of_search())
    assert set().union(*groups) == ALL
    assert sum(map(len, groups)) == len(ALL)


@compiles
def test_what_is_compiled_is_told_with_what_it_takes_and_took(
    divlearn, empty, rehearsed
):
    """Who waits for a minute wants to know what for."""
    outcome = divlearn("warm")
    assert outcome.code == 0
    assert re.search(r"first time only: about \d+ s of CPU time", outcome.err)
    assert "Everything is compiled; searches start at once from now on." in outcome.out
    assert "s of CPU time" in outcome.out
    for what in ("permutations", "mixtures", "noise", "the paper's method", "bikp-N"):
        assert what in rehearsed


@compiles
def test_json_says_the_same(divlearn, empty, rehearsed):
    """One object, and with --quiet nothing else."""
    outcome = divlearn("warm", "--quiet", "--json")
    assert outcome.err == ""
    assert set(outcome.json["compiled"]) == ALL
    assert outcome.json["cpu_seconds"] >= 0
    assert outcome.json["seconds"] > 0


@compiles
def test_a_second_time_there_is_nothing_to_compile(divlearn):
    """The searches are real ones here."""
    assert divlearn("warm", "-q", "--json").code == 0
    again = divlearn("warm")
    assert again.code == 0
    assert again.err == ""
    assert "Everything was compiled before." in again.out


@compiles
@pytest.mark.parametrize("kind", kinds_of_search(), ids=lambda kind: kind.what)
def test_a_rehearsal_asks_and_runs(kind, monkeypatch):
    """In all ways, the replay of a study included, all kernels are called."""
    made = []
    begin = Kind._begin

    def remember(self, method):
        made.append(begin(self, method))
        return made[-1]

    monkeypatch.setattr(Kind, "_begin", remember)
    kind.rehearse()
    for search in range(0, len(made), 3):
        asked, replayed, looped = made[search : search + 3]
        assert asked.evaluations == replayed.evaluations == 20
        assert (looped.evaluations >= 20) is looped.compiled
    assert len(made) == 3 * len(kind.methods)


@compiles
def test_ctrl_c_keeps_what_was_compiled(tmp_path):
    """It ends at once, and says that the same line goes on."""
    code = (
        "import os, signal; from divlearn.cli import execute;"
        "from divlearn.cli.warm import Kind;"
        "Kind.rehearse = lambda self: os.kill(os.getpid(), signal.SIGINT);"
        "execute(['warm', '--json'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    said = done.stderr.splitlines()[-1]
    assert said.startswith("Stopped by Ctrl-C; what was compiled is kept")
    assert json.loads(done.stdout)["error"] == {"message": said, "exit_code": 130}


def test_without_a_compiler_there_is_nothing_to_do(divlearn, monkeypatch):
    """Plain Python would take hours for nothing."""
    monkeypatch.setattr("divlearn.kernels.jit.JIT_DISABLED", True)
    outcome = divlearn("warm")
    assert outcome.code == 2
    assert "NUMBA_DISABLE_JIT is set" in outcome.err


@compiles
def test_what_cannot_be_kept_is_not_compiled(divlearn, monkeypatch):
    """It would be compiled again by the next process."""
    monkeypatch.setattr("divlearn.kernels.archive.insert._cache", object())
    outcome = divlearn("warm")
    assert outcome.code == 2
    assert "NUMBA_CACHE_DIR" in outcome.err


def test_the_bar_moves_by_the_time_used_within_a_step_and_by_the_plan_between():
    """A step that takes longer than planned does not run ahead of the others."""
    work = Work(10.0)
    work.step("permutations", 6.0)
    assert 0.0 <= work.share < 0.1
    work.step("noise", 0.0)
    assert work.share == 0.6
    assert work.facts() == ["60%", "compiling for noise"]
    work.step("nothing more", 4.0)
    work.step("", 0.0)
    assert work.facts() == ["100%"]


def test_a_terminal_shows_a_bar(monkeypatch, empty, rehearsed, divlearn):
    """By the display that searches have, too."""
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=80)
    monkeypatch.setattr(
        "divlearn.terminal.choose_progress",
        lambda title: LiveProgress(
            title, Screen(console), ticking=False, clock=count().__next__
        ),
    )
    assert divlearn("warm").code == 0
    text = stream.getvalue()
    assert "divlearn warm" in text
    assert "compiling for" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")  # the cursor is back
