"""Turns a problem and options into the arrays that the kernels work on."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Records, Words
from divlearn.kernels.archive import NUM_SLOTS, new_archive
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.moves import move_shares
from divlearn.kernels.random import seed_words
from divlearn.kernels.records import OBJECTIVE, new_records
from divlearn.methods.moves import DEFAULT_MOVES, custom_records, require_moves_fit
from divlearn.methods.paper.coordination import ACCELERATIONS
from divlearn.methods.paper.decomposition import nearest
from divlearn.methods.paper.experts.base import NOISES
from divlearn.methods.paper.experts.learning import UPDATES
from divlearn.methods.paper.kernels.schedule import start_search
from divlearn.methods.paper.kernels.scores import score_address
from divlearn.methods.paper.kernels.state import (
    ACTION,
    CONTROL,
    EXPERT,
    POSITION,
    Bests,
    SearchState,
)
from divlearn.methods.paper.kernels.trace import FULL
from divlearn.methods.paper.method import FULL_TRACE, DivideAndLearn
from divlearn.methods.paper.refinement import ACCEPTS, Refinement
from divlearn.methods.paper.rules import num_subproblems
from divlearn.methods.paper.scalarization import NORMALISATIONS, SCALARIZATIONS
from divlearn.methods.paper.scenario import read_scenario
from divlearn.methods.paper.trace import new_trace
from divlearn.problems import Problem
from divlearn.spaces.base import MAX_ACTIONS

#: What makes other seeds of the seed, for generators beside that of the search.
_NOISE, _TRACE = 0x6E6F697365, 0x7472616365


def new_state(
    problem: Problem, method: DivideAndLearn, weights: Floats, seed: int
) -> SearchState:
    """Make the state of a search that has not begun.

    Parameters
    ----------
    problem
        What to search.
    method
        With nothing left open, see :func:`divlearn.methods.paper.rules.completed`.
    weights
        Weight vectors, shape (W, m).
    seed
        Seed of all random choices.
    """
    require_moves_fit(method.refinement.custom_moves, problem.space)
    layout = problem.space.layout
    n, m, c = len(layout.places), problem.num_objectives, problem.num_constraints
    _require_room(int(layout.places.arity.sum()))
    w, k = len(weights), len(method.mixture.experts)
    num_bests = w if method.archive == "best" else 0
    objectives = new_records(m, OBJECTIVE)
    objectives.sign = problem.sign
    state = SearchState(
        control=_control(method, layout),
        layout=layout,
        actions=new_records(int(layout.places.arity.sum()), ACTION),
        positions=_positions(method, layout, horizon(method, problem, w)),
        objectives=objectives,
        experts=expert_records(method, n),
        expert_options=expert_options(method, n),
        expert_shares=np.zeros(k),
        expert_marginals=np.zeros(k),
        expert_gains=np.zeros(k),
        archive=new_archive(max(NUM_SLOTS, num_bests + 1), n, m, c),
        weights=np.ascontiguousarray(weights),
        incumbents=np.zeros((w, n), np.int64),
        incumbent_outputs=np.zeros((w, m + c)),
        known=np.zeros(w, np.int64),
        visit_best=np.zeros(m + c),
        bests=_bests(num_bests, n, m + c),
        least_violating=np.zeros(n, np.int64),
        **_subproblems(problem, method),
        shares=_shares(method.refinement),
        custom_moves=custom_records(method.refinement.custom_moves),
        subset=np.zeros(n, np.int64),
        scratch=np.zeros(max(n, int(layout.places.arity.max())), np.int64),
        beliefs=np.zeros((int(layout.places.arity.max()), 2)),
        outputs=np.zeros(m + c),
        words=_words(seed),
        noise_words=_words(seed ^ _NOISE),
        trace=new_trace(method, m + c, _words(seed ^ _TRACE)),
    )
    start_search(state)
    return state


def _require_room(actions: int) -> None:
    """Refuse a space whose actions do not all fit into a table."""
    if actions > MAX_ACTIONS:
        raise InputError(
            f"the method of the paper has a table of all actions, at most "
            f"{MAX_ACTIONS:,}, and this space has {actions:,}; use the method 'dl', "
            "whose tables hold what was learned."
        )


def _words(seed: int) -> Words:
    """Words of a random generator."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    return words


def expert_records(method: DivideAndLearn, n: int) -> Records:
    """Shares of the experts, and addresses of their scores in this process."""
    experts = method.mixture.experts
    records = new_records(len(experts), EXPERT)
    records.share = method.mixture.start_shares
    records.fades = method.mixture.fading
    for record, expert in zip(records, experts, strict=True):
        if method.learning.probability == "mixture" or method.mixture.exp4_rate:
            expert.require_noise(n)
        record.noise = NOISES.index(expert.noise)
        try:
            names = tuple(expert.options(n))
            record.address = score_address(type(expert).score, names)
        except TypeError as error:
            raise InputError(
                f"experts: the score of {expert!r} must be plain arithmetic that "
                f"numba compiles. {error}"
            ) from error
    return records


def expert_options(method: DivideAndLearn, n: int) -> Floats:
    """Options of the experts' scores, a row for each."""
    rows = [list(expert.options(n).values()) for expert in method.mixture.experts]
    options = np.zeros((len(rows), max(1, *map(len, rows), 1)))
    for row, numbers in zip(options, rows, strict=True):
        row[: len(numbers)] = numbers
    return options


def horizon(method: DivideAndLearn, problem: Problem, num_weights: int) -> int:
    """How often the tables learn until they are reset, about; at least once."""
    assert method.iterations is not None
    updates = method.iterations
    if method.learning.update == "evaluation":
        assert method.refinement.steps is not None
        subproblems = num_subproblems(method.decomposition, problem)
        updates *= max(1, method.refinement.steps * subproblems)
    return updates * (num_weights if method.learning.share_tables else 1)


def _positions(method: DivideAndLearn, layout: Layout, updates: int) -> Records:
    """Records of the positions, of which the learning rate is a setting."""
    records = new_records(len(layout.places), POSITION)
    records.learning_rate = method.learning.rates(layout.places.arity, updates)
    return records


def _bests(w: int, n: int, num_outputs: int) -> Bests:
    """No best solution of any of ``w`` weights yet."""
    solutions = np.zeros((w, n), np.int64)
    outputs, measured = (np.zeros((w, num_outputs)) for _ in range(2))
    return Bests(solutions, outputs, measured, np.zeros(w, np.int64))


def _shares(refinement: Refinement) -> Floats:
    """Shares of the moves."""
    return move_shares(DEFAULT_MOVES if refinement.moves is None else refinement.moves)


def _subproblems(problem: Problem, method: DivideAndLearn) -> dict[str, Any]:
    """Neighbourhoods and groups, see :class:`SearchState`."""
    neighbours = _neighbours(problem, method)
    groups = method.decomposition.groups or ()
    flat = [i for group in groups for i in group]
    n = problem.space.num_positions if groups else 0
    around = method.decomposition.neighbourhoods if len(neighbours) else 0
    return {
        "neighbours": neighbours,
        "centres": np.full(around or 0, -1, np.int64),
        "near": np.zeros(len(neighbours), np.int64),
        "groups": np.array(flat, np.int64),
        "group_ends": np.cumsum([len(group) for group in groups], dtype=np.int64),
        "group_counts": np.bincount(np.array(flat, np.int64), minlength=n),
    }


def _neighbours(problem: Problem, method: DivideAndLearn) -> Integers:
    """Nearest indices of each index; no rows where none are asked for."""
    if problem.distance is None or not method.decomposition.neighbourhoods:
        return np.zeros((0, 0), np.int64)
    assert isinstance(method.decomposition.size, int)
    return nearest(problem.distance, method.decomposition.size)


def _control(method: DivideAndLearn, layout: Layout) -> Records:
    """The record of options, with cursor and tally at zero."""
    learning = method.learning
    fields = {
        **_schedule_fields(method),
        **_refinement_fields(method),
        **_coordination_fields(method),
        "items": PERMUTATION in layout.segments.kind,
        "scalarization": SCALARIZATIONS.index(method.scalarization),
        "augmentation": method.augmentation,
        "normalisation": NORMALISATIONS.index(str(method.normalisation)),
        "update": UPDATES.index(learning.update),
        "share_tables": learning.share_tables,
        "exp4_rate": method.mixture.exp4_rate,
        "mixture_probability": learning.probability == "mixture",
        "least_probability": learning.least_probability,
        "loss_cap": learning.loss_cap,
        "temperature_start": learning.temperature,
        "temperature_decay": learning.temperature_decay,
        "tracing": FULL if method.trace == FULL_TRACE else int(method.trace),
    }
    fields["scenario"], fields["disturbance"] = read_scenario(method.scenario)
    control = new_records(1, CONTROL)
    for name, value in fields.items():
        control[name][0] = value
    return control


def _schedule_fields(method: DivideAndLearn) -> dict[str, Any]:
    """How long, and what when."""
    leaves = method.after_patience == "next-weight"
    return {
        "num_initial": method.initial,
        "iterations": method.iterations,
        "patience": method.patience,
        "leave_weight": leaves,
        "by_best": leaves or method.refinement.accept != "better",
        "construct_every": method.construct_every,
        "keep_better": method.keep_better,
    }


def _refinement_fields(method: DivideAndLearn) -> dict[str, Any]:
    """Subproblems, and what is done in them."""
    division, refinement = method.decomposition, method.refinement
    return {
        "refine_steps": refinement.steps,
        "adaptive_radius": refinement.adaptive,
        "max_radius": refinement.max_radius,
        "accept": ACCEPTS.index(refinement.accept),
        "rate": refinement.rate,
        "window": division.size,
        "overlap": division.overlap,
        "overlap_decay": division.decay,
        "num_neighbourhoods": division.neighbourhoods,
        "use_windows": division.windows,
        "count_neighbourhoods": division.count_neighbourhoods,
    }


def _coordination_fields(method: DivideAndLearn) -> dict[str, Any]:
    """Prices, unless they are off."""
    coordination = method.coordination
    if coordination is None:
        return {"coordinate": False}
    return {
        "coordinate": True,
        "acceleration": ACCELERATIONS.index(str(coordination.acceleration)),
        "dual_start": coordination.start,
        "dual_step": coordination.step,
        "dual_cap": coordination.cap,
        "consensus": coordination.consensus,
    }
