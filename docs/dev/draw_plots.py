"""Draw the pictures of docs/plots.md, by the code that stands there.

``python docs/dev/draw_plots.py`` runs it and writes small files to docs/pictures/plots.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent.parent
PICTURES = DOCS / "pictures" / "plots"
#: Pixels from side to side, the first that makes a small file, and its bytes.
WIDTHS, MOST_BYTES = (860, 760, 660, 560, 460), 60_000
COLOURS = 64


def code() -> list[str]:
    """The blocks of code of the page."""
    text = (DOCS / "plots.md").read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def shrink(source: Path, target: Path) -> None:
    """Write a picture with fewer pixels and colours."""
    from PIL import Image

    whole = Image.open(source).convert("RGB")
    # Few dots may have a colour that matters, such as the knee's.
    how = {"method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
    for width in WIDTHS:
        size = min(width, whole.width)
        height = round(whole.height * size / whole.width)
        picture = whole.resize((size, height), Image.Resampling.LANCZOS)
        picture.quantize(COLOURS, **how).save(target, optimize=True)
        if target.stat().st_size < MOST_BYTES:
            break


def main() -> None:
    """Run the page in a folder of its own, and keep what it draws."""
    home, names = Path.cwd(), {}
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for block in code():
                exec(compile(block, "docs/plots.md", "exec"), names)
        finally:
            os.chdir(home)
        for picture in sorted(Path(folder).glob("*.png")):
            shrink(picture, PICTURES / picture.name)


if __name__ == "__main__":
    main()
