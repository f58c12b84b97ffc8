"""Engines: what an optimizer needs of a family of methods, the same for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from divlearn import assembly, learned, learner, stages
from divlearn.kernels import drivers, search
from divlearn.kernels.archive import enlarged
from divlearn.kernels.dl import arms
from divlearn.kernels.dl import drivers as difference_drivers
from divlearn.kernels.dl.step import TICKET_SIZE as DIFFERENCE_TICKET
from divlearn.kernels.jit import is_cached
from divlearn.kernels.state import SearchState
from divlearn.problems import Problem
from divlearn.settings import Settings

assert DIFFERENCE_TICKET == search.TICKET_SIZE
TICKET_SIZE = search.TICKET_SIZE


@dataclass(frozen=True)
class Engine:
    """One family of methods.

    Attributes
    ----------
    new_state
        ``new_state(problem, settings, weights, seed)`` makes a state.
    propose_many, observe, run
        The step and the compiled loop, see :mod:`divlearn.kernels.drivers`.
    kernels_are_cached
        Whether nothing needs to be compiled.
    with_room
        ``with_room(state, count)``: the state, with places for so many candidates.
    renewed
        Return a state that came from another process with this one's addresses.
    learned
        What a result tells about its search.
    added
        First number of the ticket of a solution from elsewhere.
    replay
        Asks and tells again what is known, see :func:`divlearn.kernels.drivers.replay`;
        None where that is done one by one.
    """

    new_state: Callable[..., Any]
    propose_many: Callable[..., None]
    observe: Callable[..., bool]
    run: Callable[..., int]
    kernels_are_cached: Callable[[Settings, Problem, bool], bool]
    with_room: Callable[[Any, int], Any]
    renewed: Callable[[Any, Settings], Any]
    learned: Callable[..., dict[str, Any]]
    added: int
    replay: Callable[..., int] | None = None


def _room_of_experts(state: SearchState, count: int) -> SearchState:
    """Enlarge a full archive; candidates alone take no room."""
    if state.control[0].archive_size < len(state.archive.order):
        return state
    return state._replace(archive=enlarged(state.archive))


def _renew_experts(state: SearchState, settings: Settings) -> SearchState:
    """Look the experts' addresses up again."""
    records = assembly.expert_records(settings, len(state.layout.places))
    return state._replace(experts=records)


def _parts_are_cached(settings: Settings, problem: Problem, compiled: bool) -> bool:
    """Whether the loop and the parts that this space needs are there."""
    parts = learner.parts_for(problem, settings)
    ready = difference_drivers.kernels_are_cached(compiled)
    return ready and all(is_cached(part) for part in parts)


#: The paper's method: experts that choose an action for every position.
EXPERTS = Engine(
    new_state=assembly.new_state,
    propose_many=drivers.propose_many,
    observe=search.observe,
    run=drivers.run,
    kernels_are_cached=lambda settings, problem, compiled: drivers.kernels_are_cached(
        compiled
    ),
    with_room=_room_of_experts,
    renewed=_renew_experts,
    learned=learned.by_experts,
    added=search.ADDED,
    replay=drivers.replay,
)
#: Learning from differences.
DIFFERENCES = Engine(
    new_state=learner.new_state,
    propose_many=stages.propose_many,
    observe=stages.observe,
    run=stages.run,
    kernels_are_cached=_parts_are_cached,
    with_room=learner.with_room,
    renewed=learner.renewed,
    learned=learned.by_differences,
    added=arms.ADDED,
    replay=stages.replay,
)


def engine_for(settings: Settings) -> Engine:
    """The engine that understands these settings."""
    return EXPERTS if settings.differences is None else DIFFERENCES


def kernels_are_cached(settings: Settings, problem: Problem, compiled: bool) -> bool:
    """Whether a search starts at once: in the compiled loop, or by ask and tell."""
    return engine_for(settings).kernels_are_cached(settings, problem, compiled)
