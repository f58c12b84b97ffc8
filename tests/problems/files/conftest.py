"""Small files of every kind, and a place to write others."""

from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def data():
    """Folder with published instances."""
    return DATA


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file and gives its path."""

    def write(text, name="instance.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write
