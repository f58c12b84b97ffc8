"""What matters in a study, worked out by a process of its own.

It needs the compiler and much of the file. So the page starts this module as another
process, with the low priority, when somebody wants to know:
``python -m divlearn.web.matters chip.db`` writes plain data to its output.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import DivlearnError

if TYPE_CHECKING:
    from divlearn.result import Result

#: Knobs per output that are told.
MOST_KNOBS = 12


def matters(result: Result) -> dict[str, Any]:
    """What is understood of a result, as plain data.

    Returns
    -------
    ``targets``: per output its name, how sure its shares are, and the shares of the
    variance by knob with their errors, the largest first. ``sections``: what else can
    be said, lines by title.
    """
    from divlearn.result.explanation import sections
    from divlearn.result.importance.table import certainty

    targets = [
        {
            "name": target.name,
            "sure": certainty(target),
            "shares": [
                {"knob": knob, "share": share, "error": error}
                for knob, (share, error) in list(target.shares.items())[:MOST_KNOBS]
            ],
        }
        for target in result.importance().targets.values()
    ]
    told = sections(result)
    others = {t: lines for t, lines in told.items() if not t.startswith("What matters")}
    return {"targets": targets, "sections": others, "of": result.evaluations}


def understood(path: Path) -> dict[str, Any]:
    """What matters in the study or the result of a file, or why that is not known."""
    from divlearn.result import load
    from divlearn.study.reader import StudyReader

    try:
        if path.suffix == ".json":
            return matters(load(path))
        with StudyReader(path) as reader:
            return matters(reader.front())
    except (
        DivlearnError,
        ArithmeticError,
        LookupError,
        ValueError,
        TypeError,
    ) as error:
        return {"error": str(error)}


def main() -> None:
    """Write what matters in the file that is named to standard output, as JSON."""
    from divlearn.web.view import as_text

    with suppress(AttributeError, OSError):
        os.nice(10)
    sys.stdout.write(as_text(understood(Path(sys.argv[1]))))


if __name__ == "__main__":
    main()
