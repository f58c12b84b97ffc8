"""What the states of all methods have in common: records, and arrays to be saved.

A state is a NamedTuple of arrays and of such tuples. Kernels change the arrays in
place. Nothing is kept elsewhere, so that a state that was written and read back
continues as if it had never stopped.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Records

OBJECTIVE = np.dtype(
    [
        ("sign", "f8"),  # 1 where minimised, -1 where maximised
        ("low", "f8"),  # least value so far, minimised
        ("high", "f8"),  # greatest value so far, minimised
    ]
)
#: The state of any family of methods: a NamedTuple of arrays and of such tuples.
State = TypeVar("State", bound=Any)


#: Parts that are rebuilt rather than saved: scratch, and addresses of this process.
UNSAVED = frozenset(
    [
        "custom_moves",
        "subset",
        "scratch",
        "beliefs",
        "outputs",
        "told",
        "experts",
        "expert_options",
        "expert_marginals",
        "expert_gains",
        "latent",
        "changes",
        "tour",
        "order",
        "matching",
        "sums",
        "delta",
        "trial",
        "inside",
        "parts",
        "repairer",
    ]
)


#: Fields of a part from which on all are scratch or addresses.
SCRATCH_FROM = {
    "archive": "tree",
    "layout": "answer",
    "tables": "addresses",
    "gp": "rows",
    "pairing": "targets",
    "routes": "cheapest",
    "values": "changed",
    "clauses": "here",
    "hidden": "feature",
    "plan": "corner",
    "plan.archive": "tree",
    "plan.relax": "weighted",
}


def _saved_parts(part: Any, prefix: str) -> dict[str, Any]:
    """What a file must hold of a tuple of arrays and tuples, by field."""
    fields: tuple[str, ...] = part._fields
    end = SCRATCH_FROM.get(prefix)
    if end is not None:
        fields = fields[: fields.index(end)]
    kept = fields if prefix else [name for name in fields if name not in UNSAVED]
    return {name: getattr(part, name) for name in kept}


def saved_arrays(state: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """All arrays of the state that a file must hold, by dotted name."""
    arrays: dict[str, NDArray[Any]] = {}
    for field, part in _saved_parts(state, prefix).items():
        name = f"{prefix}.{field}" if prefix else field
        if isinstance(part, tuple):
            arrays |= saved_arrays(part, name)
        else:
            arrays[name] = part
    return arrays


def with_arrays(
    state: State, arrays: dict[str, NDArray[Any]], prefix: str = ""
) -> State:
    """Return ``state`` with its saved arrays replaced by ``arrays``."""
    changes: dict[str, Any] = {}
    for field, part in _saved_parts(state, prefix).items():
        name = f"{prefix}.{field}" if prefix else field
        if isinstance(part, tuple):
            changes[field] = with_arrays(part, arrays, name)
        else:
            changes[field] = _as_saved(arrays[name])
    return state._replace(**changes)  # type: ignore[no-any-return]


def new_records(count: int, dtype: np.dtype[Any]) -> Records:
    """Make ``count`` records of zeros whose fields are attributes."""
    return np.zeros(count, dtype).view(np.recarray)


def _as_saved(array: NDArray[Any]) -> NDArray[Any]:
    """Give records read from a file their attributes back."""
    return array.view(np.recarray) if array.dtype.names else array
