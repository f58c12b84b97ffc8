"""What a run tells at its end, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, listing, wrapped
from divlearn.cli.files import CONTENTS

if TYPE_CHECKING:
    from divlearn.result import Result

TRADE_OFFS = (
    "How to read this: the front holds the best trade-offs found. From one of its "
    "solutions to another, something gets better and something else worse; which one "
    "to take is up to you."
)
HYPERVOLUME = (
    "The hypervolume says how much of the space between the reference and the ideal "
    "point the front covers: 0 is nothing, 1 would be the ideal point itself, which "
    "is out of reach for most problems."
)
#: Width of such text where there is no terminal.
PLAIN_WIDTH = 80


def summary(result: Result, files: Mapping[str, Path], remarks: Sequence[str]) -> str:
    """Tell what was found in words that need no background."""
    parts = [result.summary()]
    if len(result.X) and len(result.objectives) > 1:
        known = result.reference is not None and result.ideal is not None
        text = f"{TRADE_OFFS}\n{HYPERVOLUME}" if known else TRADE_OFFS
        parts.append(wrapped(text, columns() or PLAIN_WIDTH))
    if files:
        parts.append(_listing(files))
    return wrapped("\n\n".join([*parts, *remarks]), columns())


def as_json(
    request: Mapping[str, Any], result: Result, files: Mapping[str, Path], **more: Any
) -> str:
    """Write a run as one JSON object."""
    entry = {
        "counts": result.counts,
        "reasons": result.failures,
        **request,
        "method": result.method,
        "seed": result.seed,
        "evaluations": result.evaluations,
        "seconds": result.seconds,
        "stopped": result.stopped,
        "objectives": result.objectives,
        "constraints": result.constraints,
        "front_size": len(result.X),
        "reference": result.reference,
        "ideal": result.ideal,
        **_measures(result),
        "F": result.F,
        "G": result.G,
        "X": list(result.X),
        "extras": result.extras,
        "trials": result.trials,
        "sources": result.sources,
        "files": {name: str(path) for name, path in files.items()},
        **more,
    }
    return write_json(entry, default=_plain)


def _measures(result: Result) -> dict[str, float | None]:
    """Measure the front as far as its points of comparison are known."""
    volume = ratio = None
    if result.reference is not None:
        volume = result.hypervolume(result.reference)
        if result.ideal is not None:
            ratio = result.hypervolume(result.reference, result.ideal)
    return {"hypervolume": volume, "hypervolume_ratio": ratio}


def _listing(files: Mapping[str, Path]) -> str:
    """List the files, the picture first."""
    named = [(files[name], text) for name, text in CONTENTS.items() if name in files]
    pairs = [(str(path), text) for path, text in named]
    return f"Written\n{listing(pairs, columns(), indent='  ')}"


def _plain(value: Any) -> Any:
    """Turn arrays and NumPy numbers into what JSON knows."""
    return value.tolist()
