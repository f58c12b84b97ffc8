"""Writes docs/dev/files.md: every file of the package with its first line.

Run ``python docs/dev/list_files.py`` after a file was added, moved or renamed; a test
compares. It also writes the list of public names, see ``list_names.py``.
"""

import ast
import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "divlearn"
TARGET = ROOT / "docs/dev/files.md"
HEAD = """# Files

Written by `python docs/dev/list_files.py` from the first lines of the files.
[architecture.md](architecture.md) explains how they fit together.

"""


def first_line(file):
    """What a file says about itself."""
    said = ast.get_docstring(ast.parse(file.read_text())) or ""
    return said.split("\n")[0]


def lines_of(folder, depth=0):
    """Yield a line for the folder, then for each of its files and folders."""
    pad = "  " * depth
    yield f"{pad}- **{folder.name}/** {first_line(folder / '__init__.py')}"
    for file in sorted(folder.glob("*.py")):
        if file.name != "__init__.py":
            yield f"{pad}  - `{file.name}` {first_line(file)}"
    for inner in sorted(folder.iterdir()):
        if (inner / "__init__.py").exists():
            yield from lines_of(inner, depth + 1)


def content():
    """The whole page."""
    return HEAD + "\n".join(lines_of(PACKAGE)) + "\n"


if __name__ == "__main__":
    TARGET.write_text(content())
    runpy.run_path(str(Path(__file__).parent / "list_names.py"), run_name="__main__")
