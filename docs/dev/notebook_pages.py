"""Makes pages of the site from the notebooks of ``examples/``, as they are kept.

Nothing is run: code, text and pictures are those of the file, so a page shows what
``run_notebooks.py`` wrote there. A notebook is a list of cells in JSON, and these have
text, code, printed lines and pictures only; anything else is refused.
"""

import base64
import json
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def write_pages(folder):
    """Write a page and its pictures per notebook into a folder, where they changed."""
    folder.mkdir(exist_ok=True)
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        page, pictures = page_of(json.loads(path.read_text()), path.stem)
        where = f"{path.name} <../../examples/{path.name}>"
        page += f"\nThis page is a notebook: {{download}}`{where}`.\n"
        for name, data in {f"{path.stem}.md": page.encode(), **pictures}.items():
            written = folder / name
            if not written.exists() or written.read_bytes() != data:
                written.write_bytes(data)


def page_of(book, stem):
    """The text of a page, and its pictures as bytes by name."""
    parts, pictures = [], {}
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            parts.append(shown(output, f"{stem}-{len(pictures) + 1}.png", pictures))
    return "\n\n".join(parts) + "\n", pictures


def shown(output, name, pictures):
    """What a page says for an output; a picture is kept under a name."""
    data = output.get("data", {})
    if "image/png" in data:
        pictures[name] = base64.b64decode("".join(data["image/png"]))
        return f"![what the code above draws]({name})"
    lines = output.get("text") or data.get("text/plain")
    if lines is None:
        raise ValueError(f"a page cannot show an output of {sorted(output)}")
    return f"```{{code-block}} text\n:class: output\n\n{''.join(lines).rstrip()}\n```"
