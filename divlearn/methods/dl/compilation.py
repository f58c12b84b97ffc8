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
from divlearn.methods.dl.kernels.arms.broad import propose_broad
from divlearn.methods.dl.kernels.arms.gp import (
    adopt_nearest,
    propose_small,
    tables_are_next,
    take_answer,
)
from divlearn.methods.dl.kernels.arms.linkage import learn_linked, propose_linked
from divlearn.methods.dl.kernels.arms.pairing import learn_pairing, propose_pairing
from divlearn.methods.dl.kernels.arms.planned import propose_planned
from divlearn.methods.dl.kernels.arms.repeat import propose_repeat, weigh_answer
from divlearn.methods.dl.kernels.arms.routes import learn_routes, propose_routes
from divlearn.methods.dl.kernels.learning import (
    learn_broad,
    learn_choice,
    learn_sequence,
)
from divlearn.methods.dl.kernels.models.gp.fitting import fit_model
from divlearn.methods.dl.kernels.models.gp.order_search import find_best_order
from divlearn.methods.dl.kernels.models.gp.search import find_best
from divlearn.methods.dl.kernels.models.linkage import FEWEST
from divlearn.methods.dl.method import DL
from divlearn.methods.dl.rules import (
    PAIRED_LENGTHS,
    ROUTED_LENGTHS,
    ROUTED_LEVELS,
    SHORTEST,
    completed,
    links_values,
    matches_orders,
)
from divlearn.methods.dl.search import STEP, DLSearch
from divlearn.methods.dl.state import uses_values
from divlearn.methods.drivers import LOOP_SECONDS
from divlearn.methods.elsewhere import called_elsewhere, can_compile_elsewhere
from divlearn.problems import Problem
from divlearn.spaces import Binary, Composite, Integer, Permutation, Space

#: Families of kernels: where there are permutations, and elsewhere; in words, as
#: "compiling for ...".
SEQUENCE, CHOICE = "permutations", "choices and numbers"
#: CPU seconds that kernels take to compile, measured with an empty cache on a busy
#: machine (``python benchmarks/compiling.py``).
SECONDS = {
    "step": 4.5,
    "learning": 3.0,
    "sequence": 15.0,
    "choice": 15.0,
    "plans of orders": 6.0,
    "gp": 10.0,
    "gp of orders": 16.0,
    "pairing": 7.0,
    "routes": 7.0,
    "repeats": 2.5,
    "linkage": 3.5,
    "broad": 6.0,
}
#: Solutions per evaluation that a space must have for the Gaussian process to find new
#: ones to the end.
AMPLE = 8
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
    tables
        Whether tables make candidates; if not, the search ends before they would.
    gp, pairing, routes, plans, repeats, linkage, broad
        Whether the Gaussian process, the models of pairs and of routes, planned orders,
        repeated measurements, groups of positions and broad steps take part.
    """

    family: str
    steps: bool
    loop: bool
    tables: bool = True
    gp: bool = False
    pairing: bool = False
    routes: bool = False
    plans: bool = False
    repeats: bool = False
    linkage: bool = False
    broad: bool = False


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
    needs = needs_of(completed(method, problem, budget), problem, budget, compiled)
    groups = {group: cost for group, cost, ready in _kernels(needs) if not ready}
    return Compilation(needs.family, groups) if groups else None


def needs_of(full: DL, problem: Problem, budget: int | None, compiled: bool) -> Needs:
    """The kernels that a search with nothing left open calls."""
    small, alone = bool(full.gp_candidates), _gp_is_alone(full, problem, budget)
    return Needs(
        CHOICE if uses_values(problem, full) else SEQUENCE,
        steps=small or not compiled,  # few evaluations go step by step in any case
        loop=compiled,
        tables=not alone,
        gp=small,
        pairing=bool(full.pairing_samples),
        routes=bool(full.route_samples),
        plans=full.plans and matches_orders(full, problem),
        repeats=bool(full.repeats and problem.noise),
        linkage=bool(full.linkage and links_values(problem)),
        broad=bool(full.broad),
    )


def _gp_is_alone(full: DL, problem: Problem, budget: int | None) -> bool:
    """Whether the Gaussian process makes all candidates but the random ones.

    It runs out of them where a space is hardly larger than the budget.
    """
    if not uses_values(problem, full) or problem.noise or budget is None:
        return False
    if full.gp_candidates is None or budget > full.gp_candidates:
        return False
    levels = problem.space.layout.places.values
    return bool(np.log(levels).sum() > np.log(AMPLE * budget))


def _kernels(needs: Needs) -> Iterator[tuple[str, float, bool]]:
    """Yield groups of kernels to call, their cost, and whether they are ready."""
    orders = needs.family == SEQUENCE
    groups: dict[str, tuple[bool, tuple[Any, ...]]] = {
        "step": (True, STEP),
        "learning": (not needs.broad, (learn_sequence if orders else learn_choice,)),
        "sequence": (orders, (propose_sequence,)),
        "choice": (
            needs.tables and not orders and not needs.broad,
            (propose_choice,),
        ),
        "broad": (needs.broad, (propose_broad, learn_broad)),
        "plans of orders": (needs.plans, (propose_planned,)),
        "gp": (needs.gp and not orders, (fit_model, find_best)),
        "gp of orders": (
            needs.gp and orders,
            (fit_model, find_best_order, tables_are_next, adopt_nearest),
        ),
        "pairing": (needs.pairing, (propose_pairing, learn_pairing)),
        "routes": (needs.routes, (propose_routes, learn_routes)),
        "repeats": (needs.repeats, (propose_repeat, weigh_answer)),
        "linkage": (needs.linkage, (propose_linked, learn_linked)),
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
    needs = needs_of(completed(method, problem, budget), problem, budget, compiled)
    if needs.steps and _is_worth_two(needs):
        with called_elsewhere(__name__, compile_gp.__name__, needs.family):
            search = _tiny_search(replace(needs, gp=False))
            search.make_room(1)
            if needs.tables:
                search.compile_tables()
            _ = search.addresses
    if needs.steps and needs.gp and needs.family == SEQUENCE:
        # Probes of the model of pairs would come before the Gaussian process.
        rehearse(replace(needs, pairing=False))
    if needs.steps and needs.plans:  # their tables would hide the process, too
        rehearse(replace(needs, gp=False, pairing=False))
    if needs.steps:
        rehearse(needs)


def _is_worth_two(needs: Needs) -> bool:
    """Whether two processes share the work: tables and Gaussian process both wait."""
    ready = {group: ready for group, _, ready in _kernels(needs)}
    tables = all(ready.get(part, True) for part in ("learning", "sequence", "choice"))
    process = ready.get("gp", True) and ready.get("gp of orders", True)
    return not tables and not process and can_compile_elsewhere()


def compile_gp(family: str) -> None:
    """Call the kernels of the Gaussian process alone."""
    search = _tiny_search(Needs(family, steps=True, loop=False, gp=True))
    space, state = search.problem.space, search.state
    for seed in range(FEW):
        codes = space.encode(space.sample(seed))
        take_answer(state, codes, _answer(codes))
    propose_small(state, np.empty_like(codes), np.empty(TICKET_SIZE, np.int64))


@cache
def rehearse(needs: Needs) -> None:
    """Call all kernels of a step on a tiny problem, once in a process."""
    search = _tiny_search(needs)
    codes = np.empty((1, search.problem.space.num_positions), np.int64)
    ticket = np.empty((1, TICKET_SIZE), np.int64)
    for _ in range(FEW + needs.tables):  # the last one without the Gaussian process
        search.propose(codes, ticket)
        answer = _answer(codes[0], search.problem.num_objectives)
        search.observe(codes[0], answer, ticket[0])
    if needs.gp and needs.family == SEQUENCE:
        tables_are_next(search.state)
    search.learned()


def _answer(codes: Codes, num_objectives: int = 1) -> Any:
    """Something that differs from solution to solution."""
    return np.full(num_objectives, float(codes @ np.arange(1, 1 + len(codes))))


def _tiny_search(needs: Needs) -> DLSearch:
    """A search that has not begun, on a problem that costs nothing."""
    space = _tiny_space(needs)
    names = ["none", "nothing"] if needs.routes else ["none"]
    tiny = Problem(space, lambda x: 0.0, names, noise=needs.repeats)
    return _tiny_method(needs).begin(tiny, None, 0)


def _tiny_method(needs: Needs) -> DL:
    """A method that calls all that is needed within a few candidates."""
    return DL(
        initial=2,
        tables=needs.family == CHOICE or needs.pairing or not needs.gp,
        gp_candidates=FEW if needs.gp else 0,
        pairing_samples=FEW if needs.pairing else 0,
        route_samples=FEW if needs.routes else 0,
        plans=needs.plans,
        linkage=needs.linkage,
        broad=needs.broad,
    )


def _tiny_space(needs: Needs) -> Space:
    """A space with the same kind of kernels."""
    if needs.family == CHOICE:
        return Binary(FEWEST if needs.linkage else 3)
    if needs.pairing:
        return Permutation(PAIRED_LENGTHS[0])
    if needs.routes:
        n, levels = ROUTED_LENGTHS[0], ROUTED_LEVELS[0]
        return Composite(order=Permutation(n), knob=Integer(1, levels))
    return Permutation(SHORTEST if needs.plans else 3)
