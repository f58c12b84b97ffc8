"""Runs the notebooks of ``examples/`` and writes what they show into them.

``python docs/dev/run_notebooks.py`` after a notebook has changed. Cells run as plain
Python: what they print is kept, and so is the value of the last line, a figure as a
small picture. Nothing of Jupyter is needed, neither here nor in the tests.
"""

import ast
import base64
import contextlib
import io
import json
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
#: Dots per inch of saved pictures.
FINENESS = 80


def run_cell(source, names):
    """Run the code of a cell; return its outputs as a notebook keeps them."""
    tree, value = ast.parse(source), None
    last = (
        tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        shown = {"output_type": "display_data", "metadata": {}, "data": data_of(value)}
        outputs.append(shown)
    return outputs


def data_of(value):
    """How a notebook shows a value."""
    if hasattr(value, "savefig"):
        picture = io.BytesIO()
        value.savefig(picture, dpi=FINENESS, metadata={"Software": None})
        coded = base64.b64encode(picture.getvalue()).decode()
        return {"image/png": coded, "text/plain": ["a picture"]}
    data = {"text/plain": str(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def run(path):
    """Run a notebook in the current folder; return it with its outputs."""
    book, names, number = json.loads(path.read_text()), {"__name__": "__main__"}, 0
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = run_cell("".join(cell["source"]), names)
    return book


def main():
    """Run and write all of them."""
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            book = run(path)
        path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
