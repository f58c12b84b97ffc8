"""What the arrays of a search by experts may hold; see ``kernels/state.py``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from divlearn.methods.paper.kernels.search import FILLER
from divlearn.methods.paper.kernels.state import (
    ACTION,
    CONTROL,
    POSITION,
    TALLY_NAMES,
    SearchState,
)
from divlearn.methods.paper.kernels.trace import COLUMNS
from divlearn.methods.paper.trace import WHOLE
from divlearn.optimizer.checkpoint.front import require_front
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    FLAG,
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

#: Fields of the control record that settings determine: all before the cursor.
SETTINGS = CONTROL.names[: CONTROL.names.index("proposed")]  # type: ignore[index,union-attr]

_CURSOR: dict[str, Rule] = {
    "proposed": COUNT,
    "observed": COUNT,
    "visited": COUNT,  # see _require_visits
    "ended": FLAG,
    "weight": Whole(0, lambda s: s.length("weights") - 1),
    "iteration": Whole(1, lambda s: s.setting("iterations")),
    "stride": Whole(1, lambda s: max(1, s.setting("window"))),
    "num_windows": COUNT,  # see _require_windows
    "subproblem": COUNT,
    "step": Whole(0, lambda s: max(1, s.setting("refine_steps"))),
    "centre": Whole(0, lambda s: max(0, s.length("neighbours") - 1)),
    "end_of_iteration": FLAG,
    "construct_next": FLAG,
    "improved": FLAG,
    "stagnation": COUNT,
    "visit_known": FLAG,
    "updates": COUNT,
    "archive_size": Whole(0, lambda s: s.length("archive.order")),
    # As many moves are made in a step.
    "radius": Number(1.0, lambda s: float(s.fresh["control"]["max_radius"][0]), True),
    "temperature": ANY,
    "mean_reward": ANY,
    "clips": COUNT,
    "clip_bias": POSITIVE,
    "least_violation": POSITIVE,
    "told": ANY,
    "best_seen": ANY,
    "looked": COUNT,
    "traced": Whole(0, lambda s: s.length("trace.rows")),
}

TABLE: Table = {
    "control": {
        **dict.fromkeys(SETTINGS, SAME),
        **_CURSOR,
        **dict.fromkeys(TALLY_NAMES, COUNT),
    },
    "layout.places": SAME,
    "layout.segments": SAME,
    "layout.rules": SAME,
    "layout.links": SAME,
    "layout.edges": SAME,
    "actions": {**dict.fromkeys(ACTION.names or (), ANY), "visits": POSITIVE},
    "positions": {**dict.fromkeys(POSITION.names or (), ANY), "learning_rate": SAME},
    "objectives": {"sign": SAME, "low": ANY, "high": ANY},
    "expert_shares": Number(0.0, 1.0, True),
    "archive.solutions": COUNT,  # all codes: see require_members
    "archive.outputs": ANY,
    "archive.keys": ANY,
    "archive.order": COUNT,
    "weights": SAME,
    "incumbents": COUNT,
    "incumbent_outputs": ANY,
    "known": Whole(0, 2),
    "visit_best": ANY,
    "bests.solutions": COUNT,
    "bests.outputs": ANY,
    "bests.measured": ANY,
    "bests.known": FLAG,
    "least_violating": COUNT,
    "neighbours": Whole(0, lambda s: s.length("neighbours") - 1),
    "centres": Whole(-1, lambda s: s.length("neighbours") - 1),
    "near": Whole(0, lambda s: s.length("centres")),
    "groups": SAME,
    "group_ends": SAME,
    "group_counts": SAME,
    "shares": SAME,
    "words": Random(),
    "noise_words": Random(),
    "trace.rows": ANY,  # see _require_rows
    "trace.choices": COUNT,
    "trace.words": Random(),
}

#: Arrays that grow together, by doubling.
GROWING = (
    ("archive.solutions", "archive.outputs", "archive.keys", "archive.order"),
    ("trace.rows",),
)


def require_consistent(state: SearchState) -> None:
    """Refuse arrays whose numbers are right one by one, but not together."""
    control = state.control[0]
    require_front("archive", state.archive, int(control.archive_size), state.layout)
    _require_windows(state)
    _require_centres(state)
    _require_visits(state)
    _require_rows(state)
    known = state.known > 0
    require_members("incumbents", state.incumbents, state.layout, known)
    finite = np.isfinite(state.incumbent_outputs[known]).all()
    require(bool(finite), "incumbent_outputs must be finite")
    _require_bests(state)
    seen = [0] if math.isfinite(control.least_violation) else []
    least = state.least_violating[None]
    require_members("least_violating", least, state.layout, seen)


def _require_bests(state: SearchState) -> None:
    """The best of a visit has outputs, and that of a weight is a solution with some."""
    finite = state.control[0].visit_known == 0 or np.isfinite(state.visit_best).all()
    require(bool(finite), "visit_best must be finite")
    bests, known = state.bests, state.bests.known > 0
    require_members("bests.solutions", bests.solutions, state.layout, known)
    for name in ("outputs", "measured"):
        finite = np.isfinite(getattr(bests, name)[known]).all()
        require(bool(finite), f"bests.{name} must be finite")


def _require_centres(state: SearchState) -> None:
    """Indices are counted as often as this iteration's neighbourhoods hold them."""
    drawn = state.neighbours[state.centres[state.centres >= 0]]
    counts = np.bincount(drawn.ravel(), minlength=len(state.near))
    require(np.array_equal(counts, state.near), "near must follow from the centres")


def _require_visits(state: SearchState) -> None:
    """The search has ended where its schedule says so, and nowhere else."""
    control = state.control[0]
    ends = control.visits > 0 and control.visited >= control.visits
    require(control.ended == ends, "control.ended must follow from the visits")


def _require_windows(state: SearchState) -> None:
    """The windows cover the positions, and the cursor is inside of them."""
    control = state.control[0]
    rest = len(state.layout.places) - int(control.window)
    windows = 1 + max(0, -(-rest // int(control.stride)))
    if len(state.group_ends):
        windows = len(state.group_ends)
    if control.use_windows == 0:
        windows = 0
    require(control.num_windows == windows, "control.num_windows must cover all")
    last = windows + int(control.num_neighbourhoods) - 1
    inside = control.subproblem <= last or (
        control.subproblem == last + 1 and control.end_of_iteration == 1
    )
    require(inside, f"control.subproblem must be from 0 to {last}")


def _require_rows(state: SearchState) -> None:
    """Rows of the trace have whole numbers where they count, and weights there are."""
    rows = state.trace.rows[: int(state.control[0].traced)]
    whole = rows[:, [COLUMNS.index(name) for name in WHOLE]]
    counted = ((whole >= 0) & (whole <= MANY)).all()  # and no number is not one
    require(bool(counted), "trace.rows must count iterations and evaluations")
    weights = rows[:, COLUMNS.index("weight")]
    right = (weights < len(state.weights)).all()
    require(bool(right), "trace.rows must name weights that there are")


def require_tickets(state: SearchState, tickets: Any) -> None:
    """What is under way was made for one of the weights."""
    kinds, weights = tickets[:, 0], tickets[:, 1]
    right = ((kinds >= 0) & (kinds <= FILLER)).all()
    right &= ((weights >= 0) & (weights < len(state.weights))).all()
    require(bool(right), "pending.tickets must name a kind and a weight")
