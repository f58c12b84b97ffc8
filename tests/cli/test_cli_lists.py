import json
import subprocess
import sys

import divlearn as dl
from divlearn.methods.names import DEFAULT_METHOD, all_methods


def test_the_version_is_that_of_the_package(divlearn):
    """In words and as JSON."""
    assert divlearn("--version").out == f"divlearn {dl.__version__}\n"
    assert divlearn("--version", "--json").json == {"version": dl.__version__}


def test_ctrl_c_anywhere_is_told_in_words(divlearn, monkeypatch):
    """Also in a command that does not expect it, and as JSON if that was asked for."""

    def press():
        raise KeyboardInterrupt

    monkeypatch.setattr("divlearn.methods.names.all_methods", press)
    stopped = divlearn("methods", "--json")
    assert stopped.code == 130
    assert "stopped by Ctrl-C; run the same line again" in stopped.err
    assert stopped.json["error"]["exit_code"] == 130


def test_no_command_shows_the_help(divlearn):
    """A newcomer types the name alone first."""
    outcome = divlearn()
    assert outcome.code == 0
    assert "solve" in outcome.out


def test_problems_lists_the_whole_catalogue(divlearn):
    """What is listed is what ``problems.get`` understands."""
    names = [entry["name"] for entry in divlearn("problems", "--json").json]
    assert names == [name for name, _ in dl.problems.catalogue()]
    assert all(name in divlearn("problems").out for name in names)


def test_methods_lists_all_and_marks_the_default(divlearn):
    """The default named in the help must be the real one."""
    lines = divlearn("methods").out.splitlines()
    assert [line.split()[0] for line in lines] == list(all_methods())
    marked = [line for line in lines if line.endswith("(default)")]
    assert [line.split()[0] for line in marked] == [DEFAULT_METHOD]
    assert f"[default: {DEFAULT_METHOD}]" in divlearn("solve", "--help").out
    assert {e["name"] for e in divlearn("methods", "--json").json} == set(all_methods())


def test_help_does_not_load_what_a_search_needs():
    """``--help`` has to be quick; the compiler alone takes longer than the help."""
    code = (
        "import json, sys; from divlearn.cli import execute;"
        "execute(['solve', '--help']);"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    heavy = {"numba", "numpy", "moocore", "matplotlib", "pandas", "rich"}
    assert heavy.isdisjoint(json.loads(done.stderr))
