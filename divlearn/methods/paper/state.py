"""Turns a problem and settings into the arrays that the kernels work on."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Integers, Records
from divlearn.errors import InputError
from divlearn.kernels.archive import new_archive
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.moves import move_shares
from divlearn.kernels.random import seed_words
from divlearn.kernels.records import OBJECTIVE, new_records
from divlearn.methods.paper.decomposition import nearest
from divlearn.methods.paper.experts.mixture import MAX_EXPERTS, UPDATES
from divlearn.methods.paper.kernels.scores import score_address
from divlearn.methods.paper.kernels.search import start_search
from divlearn.methods.paper.kernels.state import (
    ACTION,
    CONTROL,
    EXPERT,
    POSITION,
    SearchState,
)
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.scalarization import SCALARIZATIONS
from divlearn.methods.paper.settings import Settings
from divlearn.problems import Problem

#: Slots of a new archive; it doubles when it is full.
NUM_SLOTS = 256
#: Moves of a permutation unless the settings name others.
DEFAULT_MOVES = ("swap", "insertion", "reversal")


def new_state(
    problem: Problem, settings: Settings, weights: Floats, seed: int
) -> SearchState:
    """Make the state of a search that has not begun.

    Parameters
    ----------
    problem
        What to search.
    settings
        Resolved settings, see :func:`divlearn.methods.paper.settings.resolve`.
    weights
        Weight vectors, shape (W, m).
    seed
        Seed of all random choices.
    """
    layout = problem.space.layout
    n, m, c = len(layout.places), problem.num_objectives, problem.num_constraints
    w = len(weights)
    objectives = new_records(m, OBJECTIVE)
    objectives.sign = problem.sign
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    state = SearchState(
        control=_control(settings, layout),
        layout=layout,
        actions=new_records(int(layout.places.arity.sum()), ACTION),
        positions=new_records(n, POSITION),
        objectives=objectives,
        experts=expert_records(settings, n),
        archive=new_archive(NUM_SLOTS, n, m, c),
        weights=np.ascontiguousarray(weights),
        incumbents=np.zeros((w, n), np.int64),
        incumbent_outputs=np.zeros((w, m + c)),
        known=np.zeros(w, np.int64),
        least_violating=np.zeros(n, np.int64),
        neighbours=_neighbours(problem, settings),
        shares=_shares(settings.refinement),
        subset=np.zeros(n, np.int64),
        scratch=np.zeros(max(n, int(layout.places.arity.max())), np.int64),
        outputs=np.zeros(m + c),
        words=words,
    )
    start_search(state)
    return state


def expert_records(settings: Settings, n: int) -> Records:
    """Addresses, valid in this process only, and parameters of the experts' scores."""
    records = new_records(MAX_EXPERTS, EXPERT)
    for record, expert in zip(records, settings.mixture.experts, strict=False):
        try:
            record.address = score_address(type(expert).score)
        except TypeError as error:
            raise InputError(
                f"experts: the score of {expert!r} must be plain arithmetic that "
                f"numba compiles. {error}"
            ) from error
        record.a, record.b = expert.parameters(n)
    return records


def _shares(refinement: Refinement) -> Floats:
    """Shares of the moves."""
    return move_shares(DEFAULT_MOVES if refinement.moves is None else refinement.moves)


def _neighbours(problem: Problem, settings: Settings) -> Integers:
    """Nearest indices of each index; no rows where none are asked for."""
    if problem.distance is None or not settings.decomposition.neighbourhoods:
        return np.zeros((0, 0), np.int64)
    assert isinstance(settings.decomposition.size, int)
    return nearest(problem.distance, settings.decomposition.size)


def _control(settings: Settings, layout: Layout) -> Records:
    """The record of settings, with cursor and tally at zero."""
    mixture, learning = settings.mixture, settings.learning
    division, refinement = settings.decomposition, settings.refinement
    coordination = settings.coordination
    fields: dict[str, Any] = {
        "num_initial": settings.initial,
        "iterations": settings.iterations,
        "refine_steps": refinement.steps,
        "patience": settings.patience,
        "construct_every": settings.construct_every,
        "keep_better": settings.keep_better,
        "adaptive_radius": refinement.adaptive,
        "max_radius": refinement.max_radius,
        "window": division.size,
        "overlap": division.overlap,
        "overlap_decay": division.decay,
        "num_neighbourhoods": division.neighbourhoods,
        "use_windows": division.windows,
        "items": PERMUTATION in layout.segments.kind,
        "scalarization": SCALARIZATIONS.index(settings.scalarization),
        "augmentation": settings.augmentation,
        "update": UPDATES.index(learning.update),
        "share_tables": learning.share_tables,
        "num_experts": len(mixture.experts),
        "adaptive_mixture": mixture.adaptive,
        "third_share": mixture.third_share,
        "hybrid_ratio": mixture.hybrid_ratio,
        "learning_rate": learning.learning_rate,
        "least_probability": learning.least_probability,
        "loss_cap": learning.loss_cap,
        "temperature_start": learning.temperature,
        "temperature_decay": learning.temperature_decay,
        "coordinate": coordination is not None,
    }
    if coordination is not None:
        fields |= {
            "accelerated": coordination.accelerated,
            "dual_start": coordination.start,
            "dual_step": coordination.step,
            "dual_cap": coordination.cap,
            "consensus": coordination.consensus,
        }
    control = new_records(1, CONTROL)
    for name, value in fields.items():
        control[name][0] = value
    return control
