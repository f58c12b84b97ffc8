"""The trace of a search: room for its rows, and its columns by name."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Floats, Words
from divlearn.methods.base import TICKET_SIZE
from divlearn.methods.paper.kernels.state import SearchState, TraceState
from divlearn.methods.paper.kernels.trace import COLUMNS, rewards_of_rows
from divlearn.methods.paper.method import DivideAndLearn

if TYPE_CHECKING:
    from divlearn.methods.paper.search import PaperSearch

#: Rows that there is room for at first.
FIRST_ROWS = 1024
#: Columns that hold whole numbers.
WHOLE = (
    *("weight", "iteration", "evaluations", "overlap"),
    *("subproblems", "shared", "clips"),
)


def new_trace(method: DivideAndLearn, num_outputs: int, words: Words) -> TraceState:
    """An empty trace; without room where none is asked for."""
    experts = len(method.mixture.experts)
    width = len(COLUMNS) + experts + num_outputs
    return TraceState(
        rows=np.zeros((FIRST_ROWS if method.trace else 0, width)),
        choices=np.zeros(experts, np.int64),
        words=words,
    )


def has_rows(state: SearchState, count: int) -> bool:
    """Whether ``count`` more rows fit."""
    control = state.control[0]
    return not control.tracing or control.traced + count <= len(state.trace.rows)


def with_rows(state: SearchState, count: int) -> TraceState:
    """The trace with room for ``count`` more rows, by doubling."""
    trace, needed = state.trace, int(state.control[0].traced) + count
    while len(trace.rows) < needed:
        more = np.zeros_like(trace.rows)
        trace = trace._replace(rows=np.concatenate([trace.rows, more]))
    return trace


def columns_of(search: PaperSearch) -> dict[str, NDArray[Any]]:
    """All columns of a trace by name, each of shape (rows,).

    Rewards are those of the solutions at which iterations ended, by the bounds of the
    objectives as the search knows them now: so rows can be compared. The best reward
    is that of the weight so far; the regret is what lacks to the best of all its rows.
    """
    state = _at_end_of_iteration(search)
    names, count = _names(search), int(state.control[0].traced)
    rows = state.trace.rows[:count]
    table = dict(zip(names, rows.T.copy(), strict=True))
    for name, sign in zip(search.problem.objectives, search.problem.sign, strict=True):
        table[f"objective_{name}"] *= sign
    for name in ("clips", "clip_bias"):  # of the iteration, not since the beginning
        table[name] = np.diff(table[name], prepend=0.0)
    first = {name: table.pop(name) for name in COLUMNS[:3]}
    table = first | _rewards(state, count) | table
    return {n: c.astype(np.int64) if n in WHOLE else c for n, c in table.items()}


def _at_end_of_iteration(search: PaperSearch) -> SearchState:
    """The state, with the row of an iteration that has come to its end.

    A search writes that row when it is asked for the next candidate, so a copy is
    asked. An expert that fails may be the reason why the search has ended.
    """
    state: SearchState = search.state
    control = state.control[0]
    if control.ended or not control.end_of_iteration:
        return state
    other = search.copy()
    codes = np.empty((1, search.problem.space.num_positions), np.int64)
    with suppress(Exception):
        other.propose(codes, np.empty((1, TICKET_SIZE), np.int64))
        state = other.state
    return state


def _names(search: PaperSearch) -> list[str]:
    """Names of the columns of a row."""
    problem = search.problem
    experts = [expert.name for expert in search.method.mixture.experts]
    return [
        *COLUMNS,
        *_distinct([f"share_{name}" for name in experts]),
        *(f"objective_{name}" for name in problem.objectives),
        *(f"constraint_{name}" for name in problem.constraints),
    ]


def _distinct(names: list[str]) -> list[str]:
    """The same names, numbered where one occurs again.

    Examples
    --------
    >>> _distinct(["share_ucb", "share_exp3", "share_ucb"])
    ['share_ucb', 'share_exp3', 'share_ucb_2']
    """
    earlier = [names[:i].count(name) for i, name in enumerate(names)]
    return [f"{n}_{k + 1}" if k else n for n, k in zip(names, earlier, strict=True)]


def _rewards(state: SearchState, count: int) -> dict[str, Floats]:
    """Reward, best reward so far, and regret of every row."""
    rewards = np.empty(count)
    rewards_of_rows(state, rewards)
    outputs = state.trace.rows[:count, -state.incumbent_outputs.shape[1] :]
    rewards[np.isnan(outputs).any(axis=1)] = np.nan
    best, regret = rewards.copy(), rewards.copy()
    for w in np.unique(state.trace.rows[:count, 0]):
        own = state.trace.rows[:count, 0] == w
        best[own] = np.fmax.accumulate(rewards[own])
        regret[own] = best[own][-1] - rewards[own]
    return {"reward": rewards, "best_reward": best, "regret": regret}
