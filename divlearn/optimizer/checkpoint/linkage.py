"""What groups of positions, and the questions about them, may hold."""

from __future__ import annotations

import numpy as np

from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.linkage import (
    DEEPEST,
    GIVEN_UP,
    IDLE,
    LINKAGE,
    MOST_PARTNERS,
    Linkage,
    linked_places,
)
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import (
    COUNT,
    FLAG,
    Number,
    Scope,
    Table,
    Whole,
    require,
)


def _last_rank(scope: Scope) -> int:
    """The last place in the order of positions."""
    return max(0, scope.length("linkage.order") - 1)


def _last_node(scope: Scope) -> int:
    """The last number that a node may have."""
    return max(0, scope.length("linkage.known") - 1)


LINKAGE_TABLE: Table = {
    "linkage.record": {
        **dict.fromkeys(LINKAGE.names or (), COUNT),
        "stage": Whole(IDLE, GIVEN_UP),
        "bit": Whole(-1, _last_rank),
        "waiting": Whole(0, DEEPEST - 2),
        "partners": Whole(0, MOST_PARTNERS + 1),
        "node": Whole(0, _last_node),
        "toggled": FLAG,
        "groups": Whole(0, lambda s: s.length("linkage.order")),
    },
    "linkage.order": COUNT,
    "linkage.anchor": COUNT,
    "linkage.other": COUNT,
    "linkage.base": Number(finite=True),
    "linkage.outputs": Number(finite=True),
    "linkage.known": FLAG,
    "linkage.stack": Whole(0, _last_node),
    "linkage.found": Whole(0, _last_rank),
    "linkage.covered": FLAG,
    "linkage.starts": Whole(0, lambda s: s.length("linkage.members")),
    "linkage.members": COUNT,
    "linkage.question": COUNT,
}


def require_linkage(linkage: Linkage, layout: Layout) -> None:
    """Groups are of positions that can be grouped, and questions are solutions."""
    record, size = linkage.record[0], len(linkage.order)
    if not size:
        quiet = record.stage in (IDLE, GIVEN_UP) and record.groups == 0
        require(bool(quiet), "linkage.record must be that of no groups")
        return
    places = linked_places(layout)
    right = np.array_equal(np.sort(linkage.order), places)
    require(right, "linkage.order must hold all positions that can be grouped")
    begun = [0] if record.stage != IDLE and record.questions else []
    for name in ("anchor", "other", "question"):
        codes = getattr(linkage, name)[None]
        require_members(f"linkage.{name}", codes, layout, begun)
    starts = linkage.starts[: int(record.groups) + 1]
    rising = starts[0] == 0 and bool((np.diff(starts) > 1).all())
    require(rising, "linkage.starts must rise")
    members = linkage.members[: int(starts[-1])]
    require(bool(np.isin(members, places).all()), "linkage.members must be positions")
    _require_tree(linkage, size)


def _require_tree(linkage: Linkage, size: int) -> None:
    """What is asked about are nodes of the tree, whose leaves have one rank each."""
    nodes, level = set(), [(1, 0, size)]
    while level:
        node, low, high = level.pop()
        nodes.add(node)
        if high - low > 1:
            middle = (low + high) // 2
            level += [(2 * node, low, middle), (2 * node + 1, middle, high)]
    record = linkage.record[0]
    waiting = linkage.stack[: int(record.waiting)].tolist()
    asked = [int(record.node)] if record.node else []
    require(all(node in nodes for node in (*waiting, *asked)), "linkage.stack is wrong")
    right = record.bit >= 0 or not (waiting or asked)
    require(bool(right), "linkage.record.bit must be a position")
