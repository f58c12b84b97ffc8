"""What the model of routes may hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.routes.model import (
    IN_USE,
    NO_MODEL,
    NUM_PROBES,
    ROUTES,
    WAITING,
    Routes,
)
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    FLAG,
    POSITIVE,
    SAME,
    Number,
    Table,
    Whole,
    require,
)

ROUTES_TABLE: Table = {
    "routes.record": {
        **dict.fromkeys(ROUTES.names or (), COUNT),
        **dict.fromkeys(("limit", "begin", "knob"), SAME),
        "phase": Whole(WAITING, NO_MODEL),
        "total": FLAG,
        "tighter": Whole(-1, 1),
        "stored": Whole(0, lambda s: s.length("routes.solutions")),
        "handed": Whole(0, NUM_PROBES),
        "error": ANY,
        "sure": ANY,
        "usual": POSITIVE,
    },
    "routes.base": COUNT,
    "routes.solutions": COUNT,
    "routes.values": Number(finite=True),
    "routes.probes": COUNT,
    "routes.answers": Number(finite=True),
    "routes.answered": FLAG,
    "routes.places": Number(finite=True),
    "routes.ways": Number(0.0, finite=True),
    "routes.loads": Number(0.0, finite=True),
    "routes.limits": Number(0.0, finite=True),
    "routes.near": Whole(0, lambda s: max(0, s.length("routes.near") - 1)),
    "routes.heavy": COUNT,
    "routes.outcomes": Number(finite=True),
}


def require_routes(routes: Routes, layout: Layout) -> None:
    """Stored solutions are an order and a value of the knob, and so are probes."""
    record = routes.record[0]
    if not len(routes.limits):
        require(record.phase == NO_MODEL, "routes.record.phase must be that of none")
        return
    kept = min(int(record.heavy), len(routes.outcomes))
    for name, rows, used in (
        ("solutions", routes.solutions, int(record.stored)),
        ("probes", routes.probes, int(record.handed)),
        ("heavy", routes.heavy, kept),
    ):
        right = _are_solutions(rows[:used], len(routes.limits))
        require(right, f"routes.{name} must hold solutions")
    require(record.tighter != 0, "routes.record.tighter must be a direction")
    if record.phase == IN_USE:
        right = np.array_equal(routes.ways, routes.ways.T)
        require(bool(right), "routes.ways must be symmetric")


def _are_solutions(rows: Any, levels: int) -> bool:
    """Whether rows are an order, and then a value of the knob."""
    orders, knobs = np.sort(rows[:, :-1], axis=1), rows[:, -1]
    right = (orders == np.arange(orders.shape[1])).all()
    return bool(right and (knobs < levels).all())
