"""The tutorials and notebooks do what they say, from nothing to a picture."""

import json
import re
import runpy
import shlex
from pathlib import Path

import pytest

from divlearn.cli import execute

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted(ROOT.glob("docs/tutorial-*.md"))
NOTEBOOKS = sorted(ROOT.glob("examples/*.ipynb"))
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
FILE = re.compile(r"# ([\w.]+)\n")


def follow(text, names):
    """Do what a reader does: save files, run commands, type code.

    Only the benchmark is shorter: its processes do not know of ``short_gp``.
    """
    for kind, block in BLOCK.findall(text):
        if saved := FILE.match(block):
            Path(saved[1]).write_text(block.replace("budget = 500", "budget = 30"))
        elif kind == "console":
            for line in re.findall(r"^\$ divlearn (.*)$", block, re.MULTILINE):
                assert execute(shlex.split(line)) == 0, line
        elif kind == "python":
            exec(compile(block, "tutorial", "exec"), names)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda p: p.stem)
def test_a_tutorial_leads_to_its_pictures(page, tmp_path, monkeypatch, request):
    """Every picture that the page shows is drawn on the way, by that name."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    if page.stem == "tutorial-simulator":  # it chooses from a front of 60 evaluations
        request.getfixturevalue("whole_gp")
    follow(text, {"__name__": "__main__"})
    shown = set(re.findall(r"pictures/tutorials/([\w-]+\.png)", text))
    assert shown
    assert shown <= {path.name for path in tmp_path.iterdir()}
    assert all((ROOT / "docs/pictures/tutorials" / name).exists() for name in shown)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_shows_as_much_as_it_did(notebook, tmp_path, monkeypatch):
    """As plain code, without Jupyter: cells need nothing of it."""
    runner = runpy.run_path(str(ROOT / "docs/dev/run_notebooks.py"))
    monkeypatch.chdir(tmp_path)
    kept = json.loads(notebook.read_text())
    assert shapes(runner["run"](notebook)) == shapes(kept)
    assert any(tmp_path.iterdir()), "a notebook leaves something to keep"


def shapes(book):
    """What kinds of outputs each cell has."""
    return [
        [sorted(o.get("data", o)) for o in cell.get("outputs", [])]
        for cell in book["cells"]
    ]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_small_and_tells_nothing_of_a_machine(notebook):
    """It is kept with what it showed, so that a forge shows it too."""
    text = notebook.read_text()
    assert len(text) < 200_000
    assert not re.search(r"/(home|root|tmp|work|Users)/", text)
    cells = json.loads(text)["cells"]
    outputs = [o for c in cells for o in c.get("outputs", [])]
    assert any("image/png" in o.get("data", {}) for o in outputs)
    assert not any(o["output_type"] == "error" for o in outputs)


def test_there_are_notebooks_and_tutorials_for_every_kind_of_user():
    """An engineer, a planner, a researcher; a notebook for each and one to begin."""
    assert len(TUTORIALS) == 3
    assert len(NOTEBOOKS) >= 4
