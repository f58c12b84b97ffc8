"""``write_report``: a study or a result as one file that can be mailed and printed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from divlearn.basics.errors import DivlearnError, InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import storable
from divlearn.result import Result
from divlearn.web.bundle import hashed, script, text_of
from divlearn.web.favourites import Favourites
from divlearn.web.outcome import ResultWatch
from divlearn.web.paper import content_of
from divlearn.web.sketches import sketches_of
from divlearn.web.sources import watch_of
from divlearn.web.view import as_text
from divlearn.web.watch import Watch

#: Bytes that designs may take in the file, and sketches of them.
MOST_BYTES = 1_000_000

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main class="report">
{content}
</main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def write_report(
    source: str | Path | Result, path: str | Path, matters: bool = True
) -> None:
    """Write one file with all that there is to see, readable without JavaScript.

    Parameters
    ----------
    source
        File of a study, a result or a benchmark; or a result.
    path
        The HTML file to write.
    matters
        Whether to work out what matters, which may take some seconds.
    """
    watch = opened(source)
    view = view_of(watch, matters)
    write_atomically(path, storable(page_of(view)).encode())


def opened(source: str | Path | Result) -> Watch:
    """Look at a source once; raises if there is nothing to see."""
    if isinstance(source, Result):
        watch: Watch = ResultWatch(Path(source.problem or "result"), source)
    else:
        watch = watch_of(Path(source))
        watch.look()
    if watch.error:
        raise InputError(watch.error)
    return watch


def view_of(watch: Watch, matters: bool) -> dict[str, Any]:
    """All that a report shows, as plain data."""
    front = watch.front()
    kept = _few_enough(watch.designs(front["numbers"]), front["numbers"])
    sketch, sketches = sketches_of(watch.drawing(), kept, MOST_BYTES)
    return {
        **watch.body(),
        "file": watch.path.name,
        "made": time.time(),
        "front": front,
        "replay": watch.replay(),
        "designs": kept,
        "sketch": sketch,
        "sketches": sketches,
        "favourites": _favourites(watch),
        "matters": watch.matters() if matters else None,
    }


def _favourites(watch: Watch) -> list[dict[str, Any]]:
    """Favourites of the source, if they can be read."""
    try:
        return Favourites(watch.path).all()
    except DivlearnError:
        return []


def _few_enough(designs: Mapping[int, Any], numbers: Sequence[int]) -> list[Any]:
    """Designs in the order of the front; None for those that are too many."""
    kept, room = [], MOST_BYTES
    for number in numbers:
        x = designs.get(number)
        room -= len(as_text(x)) + 1
        kept.append(x if room > 0 else None)
    return kept


def page_of(view: Mapping[str, Any]) -> str:
    """The whole file as text."""
    style, live = text_of("style.css"), script("report")
    policy = (
        f"default-src 'none'; script-src {hashed(live)}; style-src {hashed(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = as_text(view).replace("<", "\\u003c").replace(">", "\\u003e")
    return _PAGE.format(
        policy=policy,
        title=escape(f"{view['problem'][:200]} - divlearn report"),
        style=style,
        content="\n".join(content_of(view)),
        data=data.replace("&", "\\u0026"),
        script=live,
    )
