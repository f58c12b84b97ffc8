"""What a run leaves behind, and arrays as bytes."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Floats
from divlearn.problems import Problem

OK, FAILED = "ok", "failed"
#: Whether solutions are kept as the user sees them, or as codes of their space.
VALUES, CODES = "values", "codes"
HISTORY = ("evaluations", "seconds", "front_size", "hypervolume")


@dataclass(frozen=True)
class Outcome:
    """What came out of a run, ready to be sent and stored.

    Attributes
    ----------
    state, message, details
        ``"ok"``, or ``"failed"`` with the reason in a line and the traceback.
    evaluations, stopped
        How far the run came, and why it ended.
    seconds, cpu_seconds
        What it cost: time of the search, and processor time of the whole call.
    call_seconds, overhead
        Seconds of the whole call of solve, and those that the benchmark itself spent
        around it.
    hypervolume
        Of the final front, as a ratio where the problem has an ideal point; None
        where it has no reference point.
    front_size
        Number of solutions that differ in canonical form.
    front, solutions, form
        Objective values, shape (k, m), and solutions, as bytes of NumPy's file
        format; ``form`` is one of ``"values"`` and ``"codes"``.
    history
        Rows of :data:`HISTORY`, shape (4, rows), as bytes.
    tally
        Evaluations by kind and other work, where the method counts them.
    measures
        Numbers that only the run itself can tell, such as the hypervolume of a front
        as it was observed under noise.
    series
        Columns of equal length by name, by the name of the series: ``"trace"`` is what
        a method recorded of itself, ``"snapshots"`` how the front was on the way.
    versions
        Versions of what ran.
    """

    state: str
    message: str = ""
    details: str = ""
    evaluations: int = 0
    stopped: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    call_seconds: float = 0.0
    overhead: float = 0.0
    hypervolume: float | None = None
    front_size: int = 0
    front: bytes = b""
    solutions: bytes = b""
    form: str = VALUES
    history: bytes = b""
    tally: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[str, float | None] = field(default_factory=dict)
    series: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def pack(array: NDArray[Any]) -> bytes:
    """Turn an array into bytes; whole numbers take as little room as they need.

    Examples
    --------
    >>> unpack(pack(np.array([[1, 2], [3, 255]]))).dtype
    dtype('uint8')
    """
    if array.dtype.kind in "iu" and array.size:
        least, most = np.min_scalar_type(array.min()), np.min_scalar_type(array.max())
        array = array.astype(np.promote_types(least, most))
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def unpack(content: bytes) -> NDArray[Any]:
    """Turn back what :func:`pack` made."""
    array: NDArray[Any] = np.load(io.BytesIO(content), allow_pickle=False)
    return array


def pack_solutions(solutions: Any, problem: Problem) -> tuple[bytes, str]:
    """Turn solutions into bytes: as they are where they form an array, else codes.

    Returns
    -------
    The bytes and their form.
    """
    if isinstance(solutions, np.ndarray) and solutions.dtype.kind in "biuf":
        return pack(solutions), VALUES
    codes = [problem.space.encode(x) for x in solutions]
    rows = np.array(codes, np.int64).reshape(len(codes), problem.space.num_positions)
    return pack(rows), CODES


def unpack_solutions(content: bytes, form: str, problem: Problem) -> list[Any]:
    """Return solutions as the user declared them.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> problem = get("bicvrp-20")
    >>> x = problem.space.sample()
    >>> (back,) = unpack_solutions(*pack_solutions([x], problem), problem)
    >>> problem.space.distance(x, back)
    0.0
    """
    rows = unpack(content)
    if rows.dtype.kind in "iu":
        rows = rows.astype(np.int64)
    if form == VALUES:
        return list(rows)
    return [problem.space.decode(row) for row in rows]


def pack_history(history: Mapping[str, Any]) -> bytes:
    """Turn the history of a result into bytes."""
    return pack(np.array([history[name] for name in HISTORY], np.float64))


def unpack_history(content: bytes) -> dict[str, Floats]:
    """Return the history by name, shape (rows,) each."""
    return dict(zip(HISTORY, unpack(content), strict=True))


def packed_series(
    series: Mapping[str, Mapping[str, Floats]],
) -> Iterator[tuple[str, str, bytes]]:
    """Yield series as their name, the names of their columns and their bytes.

    Numbers are kept with the 24 bits of a short float: enough for any picture.
    """
    for name, columns in series.items():
        rows = np.array([*columns.values()], np.float32)
        yield name, json.dumps([*columns]), zlib.compress(pack(rows))


def unpack_series(columns: str, content: bytes) -> dict[str, Floats]:
    """Return columns by name, shape (rows,) each.

    Examples
    --------
    >>> ((_, *kept),) = packed_series({"trace": {"reward": np.array([0.5, 0.25])}})
    >>> unpack_series(*kept)
    {'reward': array([0.5 , 0.25])}
    """
    rows = unpack(zlib.decompress(content)).astype(np.float64)
    return dict(zip(json.loads(columns), rows, strict=True))
