"""Drawings from what ``describe`` says, as files hold it."""

from __future__ import annotations

from typing import Any

from divlearn.basics.errors import InputError
from divlearn.problems.drawings.assignment import Assignment
from divlearn.problems.drawings.base import Drawing
from divlearn.problems.drawings.choice import Choice
from divlearn.problems.drawings.groups import Groups
from divlearn.problems.drawings.matching import Matching
from divlearn.problems.drawings.network import Network, Sites
from divlearn.problems.drawings.routes import Routes
from divlearn.problems.drawings.rows import Rows
from divlearn.problems.drawings.schedule import Schedule
from divlearn.problems.drawings.tour import Tour

#: All kinds of drawings by name.
KINDS: dict[str, type[Drawing]] = {
    kind.kind: kind
    for kind in (
        *(Tour, Routes, Schedule, Groups, Choice, Assignment, Matching),
        *(Network, Sites, Rows),
    )
}


def described(drawing: Drawing | None) -> dict[str, Any] | None:
    """Describe a drawing as plain data, if there is one."""
    return None if drawing is None else drawing.describe()


def drawing_from(description: Any) -> Drawing | None:
    """Make a drawing from its description; None if it is not one.

    Examples
    --------
    >>> from divlearn.problems.drawings import Tour, drawing_from
    >>> drawing_from(Tour([(0, 0), (1, 0)]).describe()).kind
    'tour'
    """
    if not isinstance(description, dict):
        return None
    fields = {name: v for name, v in description.items() if name != "kind"}
    try:
        return KINDS[description["kind"]](**fields)
    except (InputError, LookupError, TypeError, ValueError):
        return None
