"""What a search by ``DL`` compiles, what that costs, and how it is done beforehand.

Every kernel that a search will call is known from its options and its space. All of
them are called once on a tiny problem, so that none is compiled in the middle of a
run, where minutes of silence would look like a hanging objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import are_cached
from divlearn.kernels.loops import loops_are_cached
from divlearn.methods.base import TICKET_SIZE, Compilation
from divlearn.methods.dl.kernels.arms.bandit import propose_choice, propose_sequence
from divlearn.methods.dl.kernels.arms.gp import adopt_nearest, tables_are_next
from divlearn.methods.dl.kernels.arms.pairing import learn_pairing, propose_pairing
from divlearn.methods.dl.kernels.arms.repeat import propose_repeat, weigh_answer
from divlearn.methods.dl.kernels.learning import learn_choice, learn_sequence
from divlearn.methods.dl.kernels.models.gp.fitting import fit_model
from divlearn.methods.dl.kernels.models.gp.order_search import find_best_order
from divlearn.methods.dl.kernels.models.gp.search import find_best
from divlearn.methods.dl.method import DL
from divlearn.methods.dl.rules import PAIRED_LENGTHS, completed
from divlearn.methods.dl.search import STEP
from divlearn.methods.dl.state import uses_values
from divlearn.methods.drivers import LOOP_SECONDS
from divlearn.problems import Problem
from divlearn.spaces import Binary, Permutation, Space

#: Families of kernels: where there are permutations, and elsewhere; in words, as
#: "compiling for ...".
SEQUENCE, CHOICE = "permutations", "choices and numbers"
#: CPU seconds that kernels take to compile, measured with an empty cache on a busy
#: machine (``python benchmarks/compiling.py``).
SECONDS = {
    "step": 4.0,
    "sequence": 30.0,
    "choice": 30.0,
    "gp": 15.0,
    "gp of orders": 22.0,
    "pairing": 9.0,
    "repeats": 3.0,
}
#: Candidates of a rehearsal: the Gaussian process makes the third and later ones.
FEW = 4


@dataclass(frozen=True)
class Needs:
    """Which kernels a search calls.

    Attributes
    ----------
    family
        One of SEQUENCE and CHOICE.
    steps
        Whether candidates are asked for and answers told from Python.
    loop
        Whether the compiled loop runs.
    gp, pairing, repeats
        Whether the Gaussian process, the model of pairs and repeated measurements
        take part.
    """

    family: str
    steps: bool
    loop: bool
    gp: bool = False
    pairing: bool = False
    repeats: bool = False


def missing(
    method: DL, problem: Problem, budget: int | None, compiled: bool
) -> Compilation | None:
    """What has to be compiled before a search can begin; None if nothing.

    Parameters
    ----------
    method, problem, budget
        The search, as an Optimizer takes it.
    compiled
        Whether it runs in the compiled loop.
    """
    needs = needs_of(completed(method, problem, budget), problem, compiled)
    groups = {group: cost for group, cost, ready in _kernels(needs) if not ready}
    return Compilation(needs.family, groups) if groups else None


def needs_of(full: DL, problem: Problem, compiled: bool) -> Needs:
    """The kernels that a search with nothing left open calls."""
    small = bool(full.gp_candidates)
    return Needs(
        CHOICE if uses_values(problem, full) else SEQUENCE,
        steps=small or not compiled,  # few evaluations go step by step in any case
        loop=compiled,
        gp=small,
        pairing=bool(full.pairing_samples),
        repeats=bool(full.repeats and problem.noise),
    )


def _kernels(needs: Needs) -> Iterator[tuple[str, float, bool]]:
    """Yield groups of kernels to call, their cost, and whether they are ready."""
    groups: dict[str, tuple[bool, tuple[Any, ...]]] = {
        "step": (True, STEP),
        "sequence": (needs.family == SEQUENCE, (propose_sequence, learn_sequence)),
        "choice": (needs.family == CHOICE, (propose_choice, learn_choice)),
        "gp": (needs.gp and needs.family == CHOICE, (fit_model, find_best)),
        "gp of orders": (
            needs.gp and needs.family == SEQUENCE,
            (fit_model, find_best_order, tables_are_next, adopt_nearest),
        ),
        "pairing": (needs.pairing, (propose_pairing, learn_pairing)),
        "repeats": (needs.repeats, (propose_repeat, weigh_answer)),
    }
    for group, (called, kernels) in groups.items():
        if called:
            yield group, SECONDS[group], are_cached(*kernels)
    for compiled, called in ((False, needs.steps), (True, needs.loop)):
        if called:
            ((group, cost),) = LOOP_SECONDS[compiled].items()
            yield group, cost, loops_are_cached(compiled)


# --- compiling


def compile_steps(
    method: DL, problem: Problem, budget: int | None, compiled: bool = False
) -> None:
    """Compile or load the kernels that a search calls from Python.

    Parameters
    ----------
    method, problem, budget, compiled
        As of :func:`missing`; the compiled loop itself is up to its search, as it
        takes the problem's objective.
    """
    needs = needs_of(completed(method, problem, budget), problem, compiled)
    if needs.steps and needs.gp and needs.family == SEQUENCE:
        # Probes of the model of pairs would come before the Gaussian process.
        rehearse(replace(needs, pairing=False))
    if needs.steps:
        rehearse(needs)


@cache
def rehearse(needs: Needs) -> None:
    """Call all kernels of a step on a tiny problem, once in a process."""
    space = _tiny_space(needs)
    tiny = Problem(space, lambda x: 0.0, ["none"], noise=needs.repeats)
    search = _tiny_method(needs).begin(tiny, None, 0)
    codes = np.empty((1, space.num_positions), np.int64)
    ticket = np.empty((1, TICKET_SIZE), np.int64)
    for _ in range(FEW + 1):  # the last one without the Gaussian process
        search.propose(codes, ticket)
        search.observe(codes[0], _answer(codes[0]), ticket[0])
    if needs.gp and needs.family == SEQUENCE:
        tables_are_next(search.state)
    search.learned()


def _answer(codes: Codes) -> Any:
    """Something that differs from solution to solution."""
    return np.array([float(codes @ np.arange(1, 1 + len(codes)))])


def _tiny_method(needs: Needs) -> DL:
    """A method that calls all that is needed within a few candidates."""
    return DL(
        initial=2,
        tables=needs.family == CHOICE or needs.pairing or not needs.gp,
        gp_candidates=FEW if needs.gp else 0,
        pairing_samples=FEW if needs.pairing else 0,
    )


def _tiny_space(needs: Needs) -> Space:
    """A space with the same kind of kernels."""
    if needs.family == CHOICE:
        return Binary(3)
    return Permutation(PAIRED_LENGTHS[0] if needs.pairing else 3)
