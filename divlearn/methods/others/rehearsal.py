"""Runs that only compile or load code, before the clock of the real one starts."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.methods.others.base import AskTell, Spent, WholeSolver

if TYPE_CHECKING:
    from divlearn.problems import Problem

#: Evaluations of a rehearsal: enough to scan some neighbours.
FEW = 8


class Rehearsal:
    """A ledger for very few evaluations, which keeps nothing."""

    def __init__(self) -> None:
        self.budget: int | None = FEW
        self.left: float = FEW

    def evaluate(self, codes: Codes) -> Floats:
        """End the rehearsal: what a problem evaluates is for the real run."""
        raise Spent("rehearsal")

    def take(self, codes: Codes, outputs: Floats) -> None:
        """Pass over a solution."""

    def count(self, evaluations: int) -> None:
        """Count, and end where nothing is left."""
        self.left -= evaluations
        if self.left < 1:
            raise Spent("rehearsal")

    def call_solver(self, name: str) -> None:
        """Pass over a call."""

    def tell(self, what: str, value: Any) -> None:
        """Pass over what is told."""


def rehearse(method: WholeSolver, problem: Problem) -> None:
    """Let a method begin to solve a problem, so that its kernels are compiled.

    Only for methods whose evaluations are made by compiled code.
    """
    with suppress(Spent):
        method.solve(problem, Rehearsal(), seed=0)


def ask_once(method: AskTell, problem: Problem) -> None:
    """Ask a search of its own for one candidate, so that its kernels are compiled.

    A compiled objective is called once too, but for one with noise, whose draws are
    for the real run.
    """
    from divlearn.kernels.scale import tame

    x = method.start(problem, None, 0).propose(1, np.arange(1))[0]
    outputs = np.zeros(len(problem.outputs))
    tame(outputs, outputs.copy())  # as answers are before a search sees them
    compiled = problem.compiled
    if compiled is None or problem.noise:
        return
    with suppress(Exception):  # what is wrong with it shows in the run itself
        if compiled.repair is not None:
            compiled.repair(x, compiled.table)
        compiled.objective(x, compiled.table, outputs)
