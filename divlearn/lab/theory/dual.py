"""The dual function on the additive toy, where its optimum is known at any time."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.theory.toys import AdditiveToy
from divlearn.methods.base import TICKET_SIZE
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.kernels.windows import multiplicity
from divlearn.methods.paper.method import DivideAndLearn


def dual_gaps(
    toy: AdditiveToy, method: DivideAndLearn, iterations: int, seed: int
) -> Floats:
    """g(lambda*) - g(lambda_t) after every iteration, shape (T,).

    g(lambda) is the least of f(x) + sum_i lambda_i xi_i(x_i) over all solutions, with
    f the cost 1 - worth. The toy's positions are free, so each takes its least part.
    No xi_i is negative, so g never falls with a price and lambda* is the highest
    price everywhere. xi changes with the tables: each gap is that of its iteration.
    """
    search = method.replace(iterations=iterations).begin(toy, None, seed)
    codes = np.empty((1, len(toy.worths)), np.int64)
    ticket = np.empty((1, TICKET_SIZE), np.int64)
    gaps: list[float] = []
    last = 1
    while len(gaps) < iterations:
        search.make_room(1)
        search.propose(codes, ticket)
        now = int(search.state.control["iteration"][0])
        if now != last:
            gaps.append(_gap(search.state, toy))
            last = now
        search.observe(codes[0], toy.evaluate(codes[0].tolist()), ticket[0])
    return np.array(gaps)


def _gap(state: SearchState, toy: AdditiveToy) -> float:
    """The gap by the tables as they are."""
    violations = violation_table(state)
    losses = (1.0 - toy.worths) / len(toy.worths)
    prices = state.positions["dual"][:, None]
    highest = np.where(violations > 0.0, state.control["dual_cap"][0], 0.0)
    best = (losses + highest * violations).min(axis=1)
    return float((best - (losses + prices * violations).min(axis=1)).sum())


def violation_table(state: SearchState) -> Floats:
    """xi_i of every action at every position, shape (n, actions)."""
    n = len(state.positions)
    actions = state.actions.reshape(n, -1)
    updates = max(1, int(state.control["updates"][0]))
    shared = np.array([multiplicity(state, i) - 1 for i in range(n)])
    spread = actions["value"].var(axis=1)
    unsure = 1.0 - actions["visits"] / updates
    return np.asarray(shared[:, None] * spread[:, None] * unsure)
