"""The package for OptunaHub has what its registry asks for, and works."""

import importlib.util
import re
import runpy
import sys
import types
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "package/samplers/divlearn"


@pytest.fixture
def hub(monkeypatch):
    """What ``optunahub`` does: import the folder of a package as a module."""

    def load_module(package):
        assert package == "samplers/divlearn"
        place = PACKAGE / "__init__.py"
        spec = importlib.util.spec_from_file_location("hub_divlearn", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    stand_in = types.SimpleNamespace(load_module=load_module)
    monkeypatch.setitem(sys.modules, "optunahub", stand_in)


def test_the_package_has_all_files_and_fields():
    """The registry refuses a package without them."""
    files = {path.name for path in PACKAGE.iterdir()} - {"__pycache__"}
    wanted = {"README.md", "LICENSE", "__init__.py", "example.py", "requirements.txt"}
    assert files == wanted
    _, front, text = (PACKAGE / "README.md").read_text().split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    wanted = "author title description tags optuna_versions license"
    assert list(fields) == wanted.split()
    assert fields["tags"].startswith("[sampler,")
    assert fields["license"] == "MIT License"
    assert {"## Abstract", "## APIs", "## Installation", "## Example"} <= set(
        text.splitlines()
    )


@pytest.mark.usefixtures("hub", "quiet", "short_gp")
def test_the_example_and_the_code_of_its_page_run(capsys):
    """Newcomers copy them."""
    runpy.run_path(str(PACKAGE / "example.py"), run_name="__main__")
    assert "permutation of 8" in capsys.readouterr().out
    text = (PACKAGE / "README.md").read_text()
    [block] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    assert len(names["study"].trials) == 40
