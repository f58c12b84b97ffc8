"""The examples and the code in the documents do what they say."""

import re
import runpy
from pathlib import Path

import pytest

import divlearn as dl

ROOT = Path(__file__).parent.parent
BUDGETS = {
    "job_order.py": 300,
    "ask_tell.py": 120,
    "mixed_design.py": 200,
    "conditional_knobs.py": 40,
    "any_engine.py": 20,
    "changed_study.py": 20,
    "known_designs.py": 15,
    "several_scores.py": 15,
    "custom_move.py": 2_100,  # more than a Gaussian process takes part in
}
DOCUMENTS = (
    "README.md",
    "docs/quickstart.md",
    "docs/spaces.md",
    "docs/results.md",
    "docs/plots.md",
    "docs/problems.md",
    "docs/structure.md",
    "docs/for-agents.md",
    "docs/integrations.md",
    "docs/how-to.md",
)


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("examples/*.py")), ids=lambda p: p.name
)
def test_every_example_runs_and_finds_a_front(path, tmp_path, monkeypatch, capsys):
    """With a small budget, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    result = runpy.run_path(str(path))["main"](BUDGETS[path.name])
    assert isinstance(result, dl.Result)
    assert len(result.X) > 0
    assert result.evaluations >= BUDGETS[path.name]
    assert capsys.readouterr().out


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_code_in_a_document_runs_from_top_to_bottom(
    document, tmp_path, monkeypatch, capsys
):
    """A newcomer copies it block by block; only a minute is cut to a second here."""
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL
    )
    assert blocks
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        short = block.replace("seconds=60", "seconds=1")
        exec(compile(short, document, "exec"), names)
    if "print(result)" in "".join(blocks):
        assert "solutions on the front" in capsys.readouterr().out


def headings(document):
    """Anchors of a document's headings, as its readers make them."""
    text = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    words = (h.lower() for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", word).replace(" ", "-") for word in words}


def test_the_documents_link_to_files_and_headings_that_exist():
    """A dead link is the first thing that a reader finds."""
    pages = [*ROOT.glob("*.md")]
    for folder in ("docs", "examples", "benchmarks"):
        pages += (ROOT / folder).rglob("*.md")
    for page in pages:
        for link, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", page.read_text()):
            target = page.parent / link if link else page
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in headings(target), f"{page.name}: #{anchor}"


def test_every_picture_of_the_gallery_is_drawn_by_its_code():
    """Nothing is shown that the page does not draw, and all files are small."""
    text = (ROOT / "docs/plots.md").read_text()
    shown = set(re.findall(r"\(pictures/plots/(.*?)\)", text))
    drawn = set(re.findall(r'"([\w-]+\.png)"', text))
    files = {path.name: path for path in (ROOT / "docs/pictures/plots").iterdir()}
    assert shown == drawn == set(files)
    assert all(path.stat().st_size < 60_000 for path in files.values())
