"""What the browser runs: files of ``static/``, for the page and as one script."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

#: Files that the page asks for by name, with their types.
TYPES = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"\./([a-z]+)\.js";\n', re.MULTILINE)


@cache
def text_of(name: str) -> str:
    """Content of a file of ``static/``."""
    return files("divlearn.web").joinpath("static", name).read_text("utf-8")


@cache
def names() -> tuple[str, ...]:
    """Names of all files of ``static/``."""
    folder = files("divlearn.web").joinpath("static")
    listed = (entry.name for entry in folder.iterdir())
    return tuple(sorted(n for n in listed if n.rpartition(".")[2] in TYPES))


@cache
def script(entry: str) -> str:
    """A module and all that it imports as one script, for a file of its own.

    The modules share their names: none of them uses one that another one has.
    """
    parts = [_IMPORT.sub("", text_of(f"{name}.js")) for name in _order(entry)]
    body = "\n".join(
        re.sub(r"^export ", "", part, flags=re.MULTILINE) for part in parts
    )
    return f'"use strict";\n(() => {{\n{body}\n}})();'


def _order(entry: str, before: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Modules in the order in which they can be run."""
    for name in _IMPORT.findall(text_of(f"{entry}.js")):
        if name not in before:
            before = _order(name, before)
    return (*before, entry)


def hashed(text: str) -> str:
    """How a policy names a script or a style that stands in the page itself."""
    digest = b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
