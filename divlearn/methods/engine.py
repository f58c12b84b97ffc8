"""Engines: what an optimizer needs of a family of methods, the same for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from divlearn.kernels.archive import enlarged
from divlearn.kernels.loops import EVALUATING
from divlearn.kernels.records import saved_arrays, with_arrays
from divlearn.methods import learned
from divlearn.methods.dl import stages
from divlearn.methods.dl import state as learner
from divlearn.methods.dl.kernels.arms import bandit
from divlearn.methods.dl.kernels.step import TICKET_SIZE as DIFFERENCE_TICKET
from divlearn.methods.loop import call_loop
from divlearn.methods.names import Method
from divlearn.methods.others import state as of_baselines
from divlearn.methods.others.base import Baseline
from divlearn.methods.paper import state as assembly
from divlearn.methods.paper.kernels import drivers, search
from divlearn.methods.paper.kernels.state import SearchState
from divlearn.methods.paper.settings import Settings
from divlearn.methods.plan import resolve
from divlearn.problems import Problem

assert DIFFERENCE_TICKET == search.TICKET_SIZE
TICKET_SIZE = search.TICKET_SIZE
#: Numbers that a loop notes: a ticket, and whether an evaluation is under way.
LOOP_TICKET_SIZE = EVALUATING + 1


@dataclass(frozen=True)
class Engine:
    """One family of methods.

    Attributes
    ----------
    begin
        ``begin(method, problem, budget, seed)`` returns the method with all that it
        leaves open filled in, and the state of a search that has not begun.
    propose_many, observe
        The step, see :mod:`divlearn.methods.paper.kernels.drivers`.
    run
        The loop over a compiled objective, ``run(problem, state, x, y, ticket,
        evaluations)``; see :func:`divlearn.methods.loop.call_loop`.
    with_room
        ``with_room(state, count)``: the state, with places for so many candidates.
    renewed
        Return a state that came from another process with this one's addresses.
    learned
        What a result tells about its search.
    added
        First number of the ticket of a solution from elsewhere.
    fail
        ``fail(state, codes, ticket)`` says that an evaluation failed.
    saved, restored
        A state as arrays, and back: ``restored(new state, arrays)``.
    quick_to_restore
        Whether that is quicker than to be asked and told everything again.
    replay
        Asks and tells again what is known, see
        :func:`divlearn.methods.paper.kernels.drivers.replay`; None where that is done
        one by one. What failed must not matter to it.
    """

    begin: Callable[[Any, Problem, int | None, int], tuple[Any, Any]]
    propose_many: Callable[..., None]
    observe: Callable[..., bool]
    run: Callable[..., int]
    with_room: Callable[[Any, int], Any]
    renewed: Callable[[Any, Any], Any]
    learned: Callable[..., dict[str, Any]]
    added: int
    fail: Callable[..., None] = lambda state, codes, ticket: None
    saved: Callable[[Any], dict[str, Any]] = saved_arrays
    restored: Callable[[Any, dict[str, Any]], Any] = with_arrays
    quick_to_restore: bool = True
    replay: Callable[..., int] | None = None


def _begin_experts(
    settings: Settings, problem: Problem, budget: int | None, seed: int
) -> tuple[Settings, Any]:
    """Fill settings in by the paper's table."""
    full, weights = resolve(settings, problem, budget)
    return full, assembly.new_state(problem, full, weights, seed)


def _begin_differences(
    settings: Settings, problem: Problem, budget: int | None, seed: int
) -> tuple[Settings, Any]:
    """Fill settings in for a problem and a budget."""
    full, weights = resolve(settings, problem, budget)
    return full, learner.new_state(problem, full, weights, seed)


def _room_of_experts(state: SearchState, count: int) -> SearchState:
    """Enlarge a full archive; candidates alone take no room."""
    if state.control[0].archive_size < len(state.archive.order):
        return state
    return state._replace(archive=enlarged(state.archive))


def _renew_experts(state: SearchState, settings: Settings) -> SearchState:
    """Look the experts' addresses up again."""
    records = assembly.expert_records(settings, len(state.layout.places))
    return state._replace(experts=records)


#: The paper's method: experts that choose an action for every position.
EXPERTS = Engine(
    begin=_begin_experts,
    propose_many=drivers.propose_many,
    observe=search.observe,
    run=partial(call_loop, drivers.run),
    with_room=_room_of_experts,
    renewed=_renew_experts,
    learned=learned.by_experts,
    added=search.ADDED,
    replay=drivers.replay,
)
#: Learning from differences.
DIFFERENCES = Engine(
    begin=_begin_differences,
    propose_many=stages.propose_many,
    observe=stages.observe,
    run=partial(call_loop, stages.run),
    with_room=learner.with_room,
    renewed=learner.renewed,
    learned=learned.by_differences,
    added=bandit.ADDED,
    replay=stages.replay,
)


#: Methods to compare with, which run in Python.
BASELINES = Engine(
    begin=of_baselines.begin,
    propose_many=of_baselines.BaselineState.propose,
    observe=of_baselines.BaselineState.observe,
    run=of_baselines.run,
    with_room=lambda state, count: state,
    renewed=lambda state, method: state.renewed(),
    learned=lambda state, problem, method: state.learned(),
    added=of_baselines.ADDED,
    fail=of_baselines.BaselineState.fail,
    saved=of_baselines.BaselineState.saved,
    restored=of_baselines.BaselineState.restored,
    quick_to_restore=False,
)


def engine_for(method: Method) -> Engine:
    """The engine that understands this method."""
    if isinstance(method, Baseline):
        return BASELINES
    return EXPERTS if method.differences is None else DIFFERENCES
