"""The tool that builds a wheel with machine code."""

import base64
import csv
import hashlib
import runpy
import zipfile
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parent.parent / "tools/dist.py"))


@pytest.fixture
def wheel(tmp_path):
    """A wheel packed from a small folder."""
    tree = tmp_path / "tree"
    info = tree / "thing-1.0.dist-info"
    (tree / "thing/__pycache__").mkdir(parents=True)
    info.mkdir()
    (tree / "thing/a.py").write_text("a = 1\n")
    (tree / "thing/__pycache__/a.f-1.py311.nbi").write_bytes(b"code")
    (info / "WHEEL").write_text(
        "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    (info / "RECORD").write_text("stale,,\n")
    target = tmp_path / "thing.whl"
    TOOL["pack"](tree, target)
    return zipfile.ZipFile(target)


def test_a_packed_wheel_is_for_this_system_alone(wheel):
    """Machine code runs nowhere else."""
    text = wheel.read("thing-1.0.dist-info/WHEEL").decode()
    assert f"Tag: {TOOL['tag']()}\n" in text
    assert "Root-Is-Purelib: false" in text
    assert "py3-none-any" not in text


def test_a_packed_wheel_lists_every_file_with_its_hash(wheel):
    """An installer compares them."""
    listed = wheel.read("thing-1.0.dist-info/RECORD").decode().splitlines()
    rows = {name: (digest, size) for name, digest, size in csv.reader(listed)}
    assert set(rows) == set(wheel.namelist())
    digest = hashlib.sha256(b"code").digest()
    expected = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert rows["thing/__pycache__/a.f-1.py311.nbi"] == (f"sha256={expected}", "4")
    assert rows["thing-1.0.dist-info/RECORD"] == ("", "")
