"""What is known before a search of one call begins."""

from __future__ import annotations

from typing import Any

from divlearn.basics.typing import Codes
from divlearn.optimizer.elsewhere import require_learning
from divlearn.optimizer.optimizer import Optimizer
from divlearn.study.known import Design, KnownDesign, in_order
from divlearn.study.sources import read_designs


def read_all(optimizer: Optimizer, known: Any) -> list[Design]:
    """Read designs for an optimizer: whatever :meth:`divlearn.Study.add_from` takes."""
    require_learning(optimizer.settings)
    return read_designs(optimizer.problem, known).designs


def learn_all(
    optimizer: Optimizer, designs: list[Design]
) -> tuple[list[Codes], list[Codes]]:
    """Let an optimizer learn known designs, each once.

    Returns
    -------
    Codes of what was learned, and of what has no values and is to be evaluated first.
    """
    known: dict[bytes, KnownDesign] = {}
    enqueued: dict[bytes, Codes] = {}
    for design in designs:
        key = design.codes.tobytes()
        if not isinstance(design, KnownDesign):
            enqueued.setdefault(key, design.codes)
        elif optimizer.problem.noise:  # another measurement, unless it is the same
            known.setdefault(key + repr(design.outputs).encode(), design)
        else:
            known.setdefault(key, design)
    for one in in_order(optimizer.problem, known.values()):
        optimizer.take_known(one.codes, one.outputs, one.source)
        optimizer.remarks.keep(one.codes, one.extras, optimizer.search.front_codes)
    learned = {one.codes.tobytes(): one.codes for one in known.values()}
    rest = [codes for key, codes in enqueued.items() if key not in learned]
    return list(learned.values()), rest
