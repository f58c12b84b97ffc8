"""The shape of the project: who imports whom, what loads when, what the map says."""

import json
import re
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
        "divlearn.errors",
        "divlearn.experts",
        "divlearn.metrics",
        "divlearn.problems",
        "divlearn.result",
        "divlearn.settings",
        "divlearn.spaces",
        "divlearn.stop",
        "divlearn.terminal",
        "divlearn.visualize",
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


def test_the_map_in_the_architecture_document_is_true():
    """Every file of the package stands in the tree, and nothing else does."""
    text = (ROOT / "docs/dev/architecture.md").read_text()
    tree = re.search(r"```\ndivlearn/\n(.*?)```", text, re.DOTALL)[1]
    drawn, folders = set(), []
    for line in tree.splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()
        folders = folders[: len(indent) // 2 - 1]
        if name.endswith("/"):
            folders.append(name)
        else:
            drawn.add("".join([*folders, name]))
    real = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    real -= {name for name in real if name.endswith("/__init__.py")}
    assert drawn == real
