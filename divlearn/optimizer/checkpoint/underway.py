"""Candidates under way, and those that failed, in a state file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.arrays import ArrayFile
from divlearn.methods.base import TICKET_SIZE
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import require
from divlearn.problems import Problem


def pack_pending(
    pending: Sequence[Candidate], problem: Problem
) -> dict[str, NDArray[np.int64]]:
    """Numbers, codes and tickets of candidates."""
    n = problem.space.num_positions
    return {
        "pending.ids": np.array([c.id for c in pending], np.int64),
        "pending.codes": _rows([c.codes for c in pending], n),
        "pending.tickets": _rows([c.ticket for c in pending], TICKET_SIZE),
    }


def pack_failed(failed: Collection[bytes], problem: Problem) -> NDArray[np.int64]:
    """Codes of what failed, shape (f, n)."""
    rows = [np.frombuffer(codes, np.int64) for codes in sorted(failed)]
    return _rows(rows, problem.space.num_positions)


def _rows(rows: list[NDArray[np.int64]], width: int) -> NDArray[np.int64]:
    """Stack rows, also when there are none."""
    return np.array(rows, np.int64).reshape(len(rows), width)


def read_pending(file: ArrayFile, problem: Problem, next_id: int) -> list[Candidate]:
    """Candidates under way: solutions of the space, each with a number of its own."""
    ids = _read(file, "pending.ids", ())
    codes = _read(file, "pending.codes", (problem.space.num_positions,))
    tickets = _read(file, "pending.tickets", (TICKET_SIZE,))
    require(len(ids) == len(codes) == len(tickets), "pending must be of one length")
    numbered = ((ids >= 0) & (ids < next_id)).all()
    own = len(np.unique(ids)) == len(ids)
    require(bool(numbered and own), f"pending.ids must be different, below {next_id}")
    require_members("pending.codes", codes, problem.space.layout)
    decode = problem.space.decode
    return [
        Candidate(int(number), decode(row), row, ticket)
        for number, row, ticket in zip(ids, codes, tickets, strict=True)
    ]


def read_failed(file: ArrayFile, problem: Problem) -> set[bytes]:
    """Solutions that are not to be tried again."""
    rows = _read(file, "failed", (problem.space.num_positions,))
    require_members("failed", rows, problem.space.layout)
    return {codes.tobytes() for codes in rows}


def _read(file: ArrayFile, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Read whole numbers, any number of rows."""
    header = file.headers[name]
    right = header.dtype == np.int64 and header.shape[1:] == shape
    require(right and len(header.shape) > 0, f"{name} has the shape {header.shape}")
    return file.read(name)
