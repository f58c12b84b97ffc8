"""The documentation site: built without a warning, whole, and of this project alone."""

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = runpy.run_path(str(ROOT / "tools/docs.py"))


def test_the_site_is_built_and_documents_every_public_name():
    """Unchanged pages come from the last build, so this is quick the second time."""
    pytest.importorskip("sphinx")
    assert TOOL["build"]()
    assert list(TOOL["mistakes"](TOOL["SITE"].resolve())) == []
    names = runpy.run_path(str(ROOT / "docs/dev/list_names.py"))
    for module, things in names["public_things"]():
        anchors = TOOL["Page"](TOOL["SITE"] / f"api/{module}.html").anchors
        missing = {f"{module}.{thing}" for thing in things} - anchors
        assert not missing
        assert all(names["first_line"](thing) for thing in things.values())


def test_notebooks_are_pages_with_all_that_they_show(tmp_path):
    """Every line of code, every printed line and every picture."""
    pages = runpy.run_path(str(ROOT / "docs/dev/notebook_pages.py"))
    pages["write_pages"](tmp_path)
    listed = (ROOT / "docs/index.md").read_text()
    for path in ROOT.glob("examples/*.ipynb"):
        text, drawn = (tmp_path / f"{path.stem}.md").read_text(), 0
        for cell in json.loads(path.read_text())["cells"]:
            assert "".join(cell["source"]) in text
            for output in cell.get("outputs", ()):
                drawn += "image/png" in output.get("data", ())
                assert "".join(output.get("text", ())).rstrip() in text
        pictures = sorted(tmp_path.glob(f"{path.stem}-*.png"))
        assert drawn == len(pictures) > 0
        assert all(f"]({picture.name})" in text for picture in pictures)
        assert f"](../examples/{path.name})" in listed


def test_a_page_does_not_leave_out_an_output_silently():
    """An error that a notebook kept, say, is no page."""
    pages = runpy.run_path(str(ROOT / "docs/dev/notebook_pages.py"))
    cell = {"cell_type": "code", "source": ["1 / 0"]}
    cell["outputs"] = [{"output_type": "error", "ename": "ZeroDivisionError"}]
    with pytest.raises(ValueError, match="ename"):
        pages["page_of"]({"cells": [cell]}, "wrong")


def test_dead_links_and_foreign_scripts_are_found(tmp_path):
    """What the check is for."""
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html">b</a><a href="#none">c</a>'
        '<a href="#top">d</a><a href="https://example.org">e</a>'
        '<script src="https://example.org/x.js"></script>'
    )
    said = list(TOOL["mistakes"](tmp_path))
    assert [sentence.split()[1] for sentence in said] == ["loads", "links", "links"]
    assert "b.html, which does not exist" in said[1]
    assert "#none, which has no such heading" in said[2]


def test_every_page_is_in_the_list_of_pages():
    """The navigation of the site is the list in index.md, and nothing else."""
    listed = (ROOT / "docs/index.md").read_text()
    for page in ROOT.glob("docs/*.md"):
        assert page.stem == "index" or f"]({page.name})" in listed, page.name
