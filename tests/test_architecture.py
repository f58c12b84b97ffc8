"""The shape of the project: who imports whom, what loads when, what the map says."""

import ast
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "divlearn"


def in_new_process(code):
    """Run Python code from the project's root and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_imports_go_in_one_direction():
    """The layers of docs/dev/architecture.md, as .importlinter holds them."""
    printed = in_new_process(
        "import sys; from importlinter.cli import lint_imports;"
        "sys.exit(lint_imports(no_cache=True))"
    )
    assert "0 broken" in printed


@pytest.mark.parametrize(
    "module",
    [
        "divlearn",
        "divlearn.cli",
        "divlearn.basics.errors",
        "divlearn.methods.paper.experts",
        "divlearn.metrics",
        "divlearn.problems",
        "divlearn.result",
        "divlearn.methods.names",
        "divlearn.spaces",
        "divlearn.optimizer.stop",
        "divlearn.terminal",
        "divlearn.plot",
        "divlearn.web.server",
    ],
)
def test_the_compiler_and_other_heavy_packages_load_only_when_needed(module):
    """``import divlearn`` is quick, and no part of it pays for what it may not use."""
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    heavy = {"numba", "llvmlite", "moocore", "rich", "matplotlib", "pandas", "pymoo"}
    assert heavy.isdisjoint(json.loads(in_new_process(code)))


def test_import_divlearn_alone_does_not_even_load_numpy():
    """All public names are looked up when they are first used."""
    code = "import json, sys, divlearn; print(json.dumps(sorted(sys.modules)))"
    assert "numpy" not in json.loads(in_new_process(code))


def test_every_public_name_can_be_reached():
    """The list of names in ``__init__`` is written by hand and must stay true."""
    import divlearn

    for name in divlearn.__all__:
        assert getattr(divlearn, name) is not None
    assert set(divlearn.__all__) <= set(dir(divlearn))


def test_the_list_of_files_is_as_the_files_say():
    """``python docs/dev/list_files.py`` writes it anew."""
    lister = runpy.run_path(str(ROOT / "docs/dev/list_files.py"))
    assert (ROOT / "docs/dev/files.md").read_text() == lister["content"]()


def test_the_reference_is_as_the_code_says():
    """``python docs/dev/list_names.py`` writes it anew."""
    lister = runpy.run_path(str(ROOT / "docs/dev/list_names.py"))
    assert (ROOT / "docs/reference.md").read_text() == lister["content"]()


def test_every_folder_of_the_package_is_a_package_and_every_file_says_what_it_is():
    """A folder without __init__.py would be missing in the list, and in the wheel."""
    for file in PACKAGE.rglob("*.py"):
        assert (file.parent / "__init__.py").exists(), file
        assert ast.get_docstring(ast.parse(file.read_text())), file


def test_the_entrance_hall_has_at_most_22_entries():
    """Whoever opens the package sees its rooms, not its screws."""
    entries = [e for e in PACKAGE.iterdir() if e.name != "__pycache__"]
    assert len(entries) <= 22


def test_the_plan_of_the_house_fits_on_four_screens():
    """What a room has to tell beyond it stands in ``docs/dev/inside.md``."""
    lines = (ROOT / "docs/dev/architecture.md").read_text().splitlines()
    assert len(lines) <= 4 * 55


def test_the_layers_in_the_architecture_document_are_those_that_are_held():
    """The document says the same to people as .importlinter to the machine."""
    text = (ROOT / "docs/dev/architecture.md").read_text()
    drawn = re.search(r"## The direction of imports.*?```\n(.*?)```", text, re.DOTALL)
    held = (ROOT / ".importlinter").read_text()
    layers = re.search(r"layers =\n(.*?)ignore_imports", held, re.DOTALL)
    names = [line.replace(":", " ").split() for line in layers[1].splitlines()]
    assert [line.split() for line in drawn[1].splitlines()] == names
