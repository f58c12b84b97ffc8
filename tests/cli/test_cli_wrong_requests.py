import json
import subprocess
import sys

import pytest

WRONG = [
    (["solve", "bitsp-20"], "--bugdet 5", ["--bugdet", "--budget"]),  # unknown option
    (["solve"], "", ["PROBLEM"]),  # no problem
    (["slove"], "", ["slove", "solve"]),  # unknown command
    (["solve", "bitps-20"], "", ["bitps-20", "bitsp-N"]),  # unknown problem
    (["solve", "bitsp"], "", ["bitsp", "bitsp-100"]),  # no size
    (["solve", "bitsp-20"], "--budget 0", ["--budget", "'0'"]),
    (["solve", "bitsp-20"], "--budget -3", ["--budget", "'-3'"]),
    (["solve", "bitsp-20"], "--budget=-3", ["--budget", "'-3'"]),
    (["solve", "bitsp-20"], "--budget abc", ["--budget", "'abc'"]),
    (["solve", "bitsp-20"], "--budget nan", ["--budget", "'nan'"]),
    (["solve", "bitsp-20"], "--budget", ["--budget", "argument"]),
    (["solve", "bitsp-20"], "--seconds 0", ["--seconds", "'0'"]),
    (["solve", "bitsp-20"], "--seconds soon", ["--seconds", "'soon'"]),
    (["solve", "bitsp-20"], "--stagnation 0", ["--stagnation", "'0'"]),
    (["solve", "bitsp-20"], "--instance -1", ["--instance", "'-1'"]),
    (["solve", "bitsp-20"], "--seed 1.5", ["--seed", "'1.5'"]),
    (["solve", "bitsp-20"], "--method paper-tz", ["paper-tz", "paper-ts"]),
    (["solve", "bitsp-20"], "--set initia=3", ["initia", "initial"]),
    (["solve", "bitsp-20"], "--set initial=soon", ["initial", "soon"]),
    (["solve", "bitsp-20"], "--set initial", ["--set", "initial=20"]),
    (["solve", "bitsp-20"], "--option decoder=flags", ["decoder", "no options"]),
    (["solve", "bicvrp-20"], "--option decoder=magic", ["decoder", "magic", "greedy"]),
    (["solve", "bitsp-20"], "--reference 1", ["--reference", "1"]),
    (["solve", "bitsp-20"], "--reference a,b", ["--reference", "a,b"]),
    (["solve", "bitsp-20"], "--resume gone.npz", ["--resume", "gone.npz", "--out"]),
    (["solve", "bitsp-20", "surplus"], "", ["surplus"]),
    (["problems", "surplus"], "", ["surplus"]),
]


@pytest.mark.parametrize(("command", "options", "words"), WRONG)
def test_a_wrong_request_gives_one_clear_message_and_code_2(
    divlearn, command, options, words
):
    """Each message names the argument and what came, on standard error alone."""
    outcome = divlearn(*command, *options.split())
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert len(outcome.err.splitlines()) < 20
    for word in words:
        assert word in outcome.err


@pytest.mark.parametrize(("command", "options", "words"), WRONG)
def test_a_wrong_request_is_an_error_object_with_json(
    divlearn, command, options, words
):
    """Programs read standard output; it must be JSON whatever happens."""
    outcome = divlearn(*command, "--json", *options.split())
    assert outcome.code == outcome.json["error"]["exit_code"] == 2
    assert all(word in outcome.json["error"]["message"] for word in words)


@pytest.mark.parametrize("place", ["file/out", "file"])
def test_a_directory_that_cannot_be_written_is_refused_before_the_search(
    divlearn, tmp_path, monkeypatch, place
):
    """Hours of search must not end with nothing to show."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("divlearn.cli.solve.search", None)  # would fail if reached
    outcome = divlearn("solve", "bitsp-20", "--budget", 10, "--out", place)
    assert outcome.code == 2
    assert "--out must be a directory that can be written" in outcome.err
    assert place in outcome.err


def test_the_process_ends_with_the_code_and_without_a_traceback():
    """The same from outside, as a shell sees it."""
    command = [sys.executable, "-m", "divlearn", "solve", "nothing", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["exit_code"] == 2
