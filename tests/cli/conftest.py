"""A command line that runs in the test's own process, in a folder of its own."""

import json
from types import SimpleNamespace

import pytest

from divlearn.cli import execute


@pytest.fixture
def divlearn(capsys, monkeypatch, tmp_path):
    """Return a function that runs a command and gives code, out, err and json."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capsys.readouterr()
        code = execute([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        data = json.loads(out) if "--json" in arguments else None
        return SimpleNamespace(code=code, out=out, err=err, json=data)

    return call
