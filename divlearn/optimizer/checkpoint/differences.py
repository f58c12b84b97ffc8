"""What the arrays of a search by differences may hold, see methods.dl.kernels.state."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from divlearn.methods.dl.checking import AGREED, DECLARED, DIFFERED, UNDER_WAY
from divlearn.methods.dl.kernels.answers import LONGEST_STRIDE
from divlearn.methods.dl.kernels.arms.bandit import ARMS
from divlearn.methods.dl.kernels.arms.pairing import CLOSED
from divlearn.methods.dl.kernels.state import CONTROL, DifferenceState
from divlearn.optimizer.checkpoint.front import require_front
from divlearn.optimizer.checkpoint.gp import (
    GP_TABLE,
    require_gp,
)
from divlearn.optimizer.checkpoint.linkage import LINKAGE_TABLE, require_linkage
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.pairing import PAIRING_TABLE, require_pairing
from divlearn.optimizer.checkpoint.routes import ROUTES_TABLE, require_routes
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    COUNTDOWN,
    MANY,
    POSITIVE,
    SAME,
    Number,
    Random,
    Rule,
    Table,
    Whole,
    require,
)
from divlearn.optimizer.checkpoint.values import VALUES_TABLE, require_plan

#: Fields of the control record that settings determine: all before the cursor.
SETTINGS = CONTROL.names[: CONTROL.names.index("proposed")]  # type: ignore[index,union-attr]

_CURSOR: dict[str, Rule] = {
    **dict.fromkeys(CONTROL.names[len(SETTINGS) :], COUNT),  # type: ignore[index]
    "archive_size": Whole(0, lambda s: s.length("archive.order")),
    "logged": Whole(0, lambda s: s.length("log")),
    "least_violation": POSITIVE,
    "usual_gain": POSITIVE,
    "gained": ANY,
    "checked": Whole(DECLARED, DIFFERED),
    "fitted": ANY,
    "stride": Number(1.0, LONGEST_STRIDE),
}
_ARM: dict[str, Rule] = {
    "on": SAME,
    "pause": COUNTDOWN,
    "wait": COUNT,
    "tries": COUNT,
    "entered": COUNT,
    "gain": ANY,
    "recent": ANY,
    "idle": COUNT,
}

TABLE: Table = {
    "control": {**dict.fromkeys(SETTINGS, SAME), **_CURSOR},
    "layout.places": SAME,
    "layout.segments": SAME,
    "layout.rules": SAME,
    "layout.links": SAME,
    "layout.edges": SAME,
    "objectives": {"sign": SAME, "low": ANY, "high": ANY},
    "arms": _ARM,
    "archive.solutions": COUNT,  # all codes: see require_members
    "archive.outputs": ANY,
    "archive.keys": ANY,
    "archive.order": COUNT,
    "open": Whole(0, CLOSED),
    "tables.encodings": SAME,
    "tables.keys": Whole(-1, MANY),
    "tables.mean": ANY,
    "tables.variance": POSITIVE,
    "tables.noise": POSITIVE,
    "tables.error": POSITIVE,
    "tables.size": POSITIVE,
    "tables.changed": POSITIVE,
    "tables.chosen": Whole(0, lambda s: s.length("tables.encodings") - 1),
    "tables.judged": COUNT,
    "log": ANY,
    "ring.parents": COUNT,
    "ring.children": COUNT,
    "ring.deltas": ANY,
    "ring.changes": Whole(-MANY, MANY),
    "parents.solutions": COUNT,
    "parents.outputs": ANY,
    "parents.serials": COUNT,
    "seen": ANY,  # hashes, never an index by themselves
    "points": ANY,
    "weights": Number(finite=True),
    "low": ANY,
    "high": ANY,
    "least_violating": COUNT,
    "least_outputs": Number(finite=True),
    "near": Whole(-1, lambda s: s.length("near") - 1),
    "shares": SAME,
    "rng": Random(),
    "repeats.counts": COUNT,
    "repeats.asked": COUNT,
    "repeats.contenders": {"serial": COUNT, "count": COUNT, "asked": COUNT},
    "repeats.solutions": COUNT,
    "repeats.outputs": ANY,
    "repeats.tickets": Whole(-MANY, MANY),
    "repeats.squares": POSITIVE,
    "repeats.again": COUNT,
    "repeats.first": Number(finite=True),
    "repeats.margin": ANY,
    **VALUES_TABLE,
    **GP_TABLE,
    **PAIRING_TABLE,
    **LINKAGE_TABLE,
    **ROUTES_TABLE,
}

#: Arrays that grow together, by doubling.
GROWING = (
    (
        "archive.solutions",
        "archive.outputs",
        "archive.keys",
        "archive.order",
        "open",
        "repeats.counts",
        "repeats.asked",
    ),
    ("seen",),
)


def require_consistent(state: DifferenceState) -> None:
    """Refuse arrays whose numbers are possible one by one, but not together."""
    control, layout = state.control[0], state.layout
    require_front("archive", state.archive, int(control.archive_size), layout)
    # One free place ends every search in the set, and a false count would fill it.
    held = np.count_nonzero(state.seen)
    require(control.num_seen == held, "control.num_seen must be the number of seen")
    _require_parents(state)
    _require_ring(state)
    _require_least(state)
    _require_repeats(state)
    require_linkage(state.linkage, layout)
    require_plan(state)
    require_gp(state.gp, layout)
    require_pairing(state.pairing, layout)
    require_routes(state.routes, layout)


def _require_parents(state: DifferenceState) -> None:
    """Parents that are remembered are solutions with outputs."""
    control, parents = state.control[0], state.parents
    used = parents.serials > 0
    rows = np.flatnonzero(used)
    placed = (parents.serials[used] % len(used) == rows).all()
    latest = max(parents.serials.max(), control.walk_parent, control.last_sample)
    right = bool(placed) and latest <= control.last_parent
    require(right, "parents.serials must be numbers of parents")
    require_members("parents.solutions", parents.solutions, state.layout, used)
    finite = np.isfinite(parents.outputs[used]).all()
    require(bool(finite), "parents.outputs must be finite")


def _require_ring(state: DifferenceState) -> None:
    """Differences that are kept are between solutions."""
    if not state.ring.parents.shape[1]:  # changes are listed, and hashed before use
        return
    used = slice(0, min(int(state.control[0].differences), len(state.ring.deltas)))
    require_members("ring.parents", state.ring.parents, state.layout, used)
    require_members("ring.children", state.ring.children, state.layout, used)


def _require_least(state: DifferenceState) -> None:
    """The solution of least violation is a solution, once something was evaluated."""
    seen = [0] if math.isfinite(state.control[0].least_violation) else []
    least = state.least_violating[None]
    require_members("least_violating", least, state.layout, seen)


def _require_repeats(state: DifferenceState) -> None:
    """Contenders are solutions that an arm made."""
    repeats, contenders = state.repeats, state.repeats.contenders
    if not len(contenders):
        return
    open_ = state.control[0].checked in (UNDER_WAY, AGREED, DIFFERED)
    seen = [0] if open_ else []
    require_members("repeats.again", repeats.again[None], state.layout, seen)
    used = contenders.serial > 0
    serials = contenders.serial[used]
    placed = (serials % len(contenders) == np.flatnonzero(used)).all()
    right = bool(placed and (contenders.count[used] > 0).all())
    right &= not used.any() or serials.max() <= state.control[0].last_contender
    require(right, "repeats.contenders must be numbered")
    require_members("repeats.solutions", repeats.solutions, state.layout, used)
    finite = np.isfinite(repeats.outputs[used]).all()
    require(bool(finite), "repeats.outputs must be finite")
    require_arms("repeats.tickets", repeats.tickets[used])


def require_arms(name: str, tickets: Any) -> None:
    """Tickets name the arm that made a candidate."""
    kinds = tickets[:, 0]
    known = ((kinds >= 0) & (kinds < len(ARMS))).all()
    require(bool(known), f"{name} must name an arm")


def require_tickets(state: DifferenceState, tickets: Any) -> None:
    """What is under way was made by an arm, from any parent."""
    require_arms("pending.tickets", tickets)
    near = (np.abs(tickets[:, 1].astype(float)) <= MANY).all()
    require(bool(near), "pending.tickets must name a parent")
