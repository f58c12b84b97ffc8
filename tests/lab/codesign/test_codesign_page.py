"""The page about the co-design problem says what the code does."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from divlearn.lab.codesign import Technology
from divlearn.lab.codesign.points import POINTS
from divlearn.lab.codesign.spaces import large_space, paper_space

DOCS = Path(__file__).parent.parent.parent.parent / "docs"
PAGE = (DOCS / "codesign.md").read_text()


def test_the_table_of_constants_is_that_of_the_code():
    """Value, unit and source of each; nothing else."""
    expected = [
        f"| `{name}` | {value:g} | {unit} | {source} |"
        for name, value, unit, source in Technology.table()
    ]
    table = PAGE.split("| constant | value | unit | source |\n|---|---|---|---|\n")[1]
    assert table.split("\n\n")[0].splitlines() == expected


@pytest.mark.parametrize("space", [large_space(), paper_space()])
def test_every_variable_is_named(space):
    """A designer finds all of them."""
    for name in space.parts:
        assert f"`{name}`" in PAGE


def test_the_points_are_those_of_the_code():
    """As powers of ten."""
    for space, points in POINTS.items():
        for name, row in points._asdict().items():
            line = next(x for x in PAGE.splitlines() if f"| {space}: {name} |" in x)
            powers = [float(p) for p in re.findall(r"10\^(-?[0-9.]+)", line)]
            assert powers == list(row[1:])


def test_the_block_diagram_is_a_picture():
    """Well-formed, with a description for who cannot see it."""
    root = ElementTree.parse(DOCS / "pictures" / "codesign.svg").getroot()
    assert root.tag.endswith("svg")
    assert any(child.tag.endswith("desc") for child in root)
    assert "pictures/codesign.svg" in PAGE


def test_the_code_on_the_page_runs(capsys):
    """A newcomer copies it."""
    pytest.importorskip("sklearn")
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "docs/codesign.md", "exec"), {})
    assert "class memory" in capsys.readouterr().out
