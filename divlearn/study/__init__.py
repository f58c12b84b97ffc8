"""Studies: searches in a file, for evaluations that cost minutes or hours.

Public names are loaded when they are first used: who only reads a file needs no search.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divlearn.study.forking.fork import fork
    from divlearn.study.forking.report import ForkReport
    from divlearn.study.known import Additions
    from divlearn.study.reader import StudyReader
    from divlearn.study.replay import NotReproduced, Verification
    from divlearn.study.sources import BadRows
    from divlearn.study.standing import Status, status
    from divlearn.study.study import Study
    from divlearn.study.summarize import Summary, summary
    from divlearn.study.telling import Told
    from divlearn.study.trial import Trial
    from divlearn.study.trials import Failure

_HOMES = {
    "Additions": "known",
    "BadRows": "sources",
    "Failure": "trials",
    "ForkReport": "forking.report",
    "NotReproduced": "replay",
    "Status": "standing",
    "Study": "study",
    "StudyReader": "reader",
    "Summary": "summarize",
    "Told": "telling",
    "Trial": "trial",
    "Verification": "replay",
    "fork": "forking.fork",
    "status": "standing",
    "summary": "summarize",
}

__all__ = [
    "Additions",
    "BadRows",
    "Failure",
    "ForkReport",
    "NotReproduced",
    "Status",
    "Study",
    "StudyReader",
    "Summary",
    "Told",
    "Trial",
    "Verification",
    "fork",
    "status",
    "summary",
]


def __getattr__(name: str) -> Any:
    """Load a name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module 'divlearn.study' has no attribute {name!r}")
    return getattr(import_module(f"divlearn.study.{_HOMES[name]}"), name)
