"""A study survives kill -9 at any moment."""

import json
import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
@pytest.mark.parametrize(("method", "workers"), [("dl", 2), ("paper-ts", 0)])
def test_a_killed_study_ends_as_if_it_had_never_stopped(method, workers):
    """Killed and resumed: nothing reported is lost, and the front is the same."""
    options = {"kills": 12, "budget": 50, "seed": 3, "patience": 0.25}
    words = [f"--{name}={value}" for name, value in options.items()]
    words += [f"--method={method}", f"--workers={workers}"]
    require_unharmed(words)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_a_study_killed_while_it_takes_known_designs_has_all_of_a_call_or_none():
    """And the front is the same, wherever it was killed."""
    options = {"kills": 12, "budget": 20, "seed": 5, "patience": 0.1, "known": 40}
    words = [f"--{name}={value}" for name, value in options.items()]
    require_unharmed([*words, "--workers=0"])
    assert killed("--kills=8", "--adding=150", "--seed=1")["kills"] == 8


def require_unharmed(words):
    """Kill a study as often as told, and compare."""
    outcome = killed(*words)
    assert outcome["kills"] >= 12
    assert outcome["identical"]


def killed(*words):
    """What became of studies that were killed."""
    command = [sys.executable, "-m", "tests.study.kill", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_a_killed_fork_is_there_as_a_whole_or_not_at_all():
    """Killed at moments all over its way; forked again, it is the same."""
    command = [sys.executable, "-m", "tests.study.kill_fork", "--moments=25"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr
    outcomes = json.loads(done.stdout)
    assert min(outcomes.values()) > 0
