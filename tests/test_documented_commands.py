"""Commands and modules in the documents for programs, and for those who build on it."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from divlearn.cli import execute

ROOT = Path(__file__).parent.parent


def blocks(document, language):
    """Texts of the code blocks of a language, "" for none."""
    text = (ROOT / document).read_text()
    found = re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)
    return [block for name, block in found if name == language]


def commands(block):
    """Command lines of a block, without what stands behind them as a remark."""
    lines = [line for line in block.splitlines() if line.startswith("divlearn ")]
    return [shlex.split(re.split(r"\s{2,}", line)[0])[1:] for line in lines]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def test_everything_that_can_be_told_is_told_as_the_page_says(here, capsys):
    """Line by line; the ids of the page are those that ask gives."""
    page = "docs/for-agents.md"
    (here / "pump.toml").write_text(blocks(page, "toml")[0])
    begin, telling = (
        next(b for b in blocks(page, "") if word in b) for word in ("init", "--failed")
    )
    assert execute(commands(begin)[0]) == 0
    assert execute(["ask", "pump.db", "-n", "8"]) == 0
    (json_block, _) = blocks(page, "json")
    (here / "answers.json").write_text(json_block)
    told = commands(telling)
    assert len(told) == 7
    for words in told[1:]:  # the second one tells the first again, by name
        assert execute(words) == 0, words
    assert execute(["status", "pump.db", "--json"]) == 0
    assert '"pending": [{"id": 0' in capsys.readouterr().out
    assert execute(["ask", "pump.db"]) == 4


@pytest.fixture
def modules(here):
    """The modules of the page, as files."""
    names = []
    for block in blocks("docs/extending.md", "python"):
        name = re.match(r"# (\w+)\.py\n", block)[1]
        (here / f"{name}.py").write_text(block)
        names.append(name)
    yield names
    for name in names:
        sys.modules.pop(name, None)


def test_the_first_steps_of_building_on_it_are_short(modules):
    """A method or a problem of one's own takes fewer than 15 lines."""
    for block in blocks("docs/extending.md", "python"):
        assert len([line for line in block.splitlines()[1:] if line.strip()]) < 15


def test_the_commands_of_building_on_it_run(modules, monkeypatch, capsys):
    """As they stand there, but for less to do."""
    monkeypatch.setattr("divlearn.lab.bench.pictures.draw_all", lambda *_: [])
    lines = [c for block in blocks("docs/extending.md", "") for c in commands(block)]
    own = [words for words in lines if any("my_" in word for word in words)]
    assert len(own) == 4
    for number, words in enumerate(own):
        less = ["--budget", "30", "-q"]
        if words[0] == "bench":
            less += ["--instances", "1", "--workers", "1", "--out", f"out{number}"]
            less += [] if "--problems" in words else ["--problems", "bitsp-20"]
            less += [] if "--methods" in words else ["--methods", "random"]
        assert execute([*words, *less]) == 0, words
    said = capsys.readouterr().out
    for name in ("climber", "shelves-12", "cheapest"):
        assert name.lower() in said.lower()
