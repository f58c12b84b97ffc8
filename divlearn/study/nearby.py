"""Designs near one that somebody has in mind, the most promising first."""

from __future__ import annotations

import numpy as np

from divlearn.basics.errors import InputError, NothingToAsk
from divlearn.basics.typing import Codes, Floats, Value
from divlearn.metrics.dominance import non_dominated
from divlearn.optimizer.elsewhere import usable_codes
from divlearn.problems import Problem
from divlearn.result.prediction import Moments, moments
from divlearn.result.sample import Sample
from divlearn.study.found import whole_sample
from divlearn.study.opened import OpenStudy

#: Moves away from the design, and designs that are drawn for each number of moves.
MOST_MOVES, DRAWN = 3, 80


def near_designs(
    study: OpenStudy, around: Value, count: int
) -> list[tuple[Value, str]]:
    """Designs near ``around`` that the study does not have, with their source.

    Raises
    ------
    NothingToAsk
        If it has all that were found.
    """
    space = study.problem.space
    codes = _drawn(study, around)
    if not len(codes):
        raise NothingToAsk(
            f"all designs that were found within {MOST_MOVES} moves of this one have "
            "been tried."
        )
    rows = _best(study.problem, whole_sample(space, study.store), codes, count)
    return [(space.decode(codes[row]), "suggested near a design") for row in rows]


def _drawn(study: OpenStudy, around: Value) -> Codes:
    """Different designs by one move, then by two and three, shape (k, n)."""
    problem, space = study.problem, study.problem.space
    start = space.decode(space.encode(around))
    taken = {packed for packed, _ in study.store.designs()}
    taken |= {queued.codes for queued in study.queue}
    seeds = np.random.default_rng(
        [study.declaration.seed, study.store.num_candidates()]
    )
    found: dict[bytes, Codes] = {}
    for moves in range(1, MOST_MOVES + 1):
        for _ in range(DRAWN):
            x = start
            for seed in seeds.integers(0, 2**62, moves):
                x = space.neighbour(x, int(seed))
            try:
                codes = usable_codes(problem, x)
            except InputError:  # not valid, or beyond repair
                continue
            packed = study.packing.pack(codes)
            if packed not in taken:
                found.setdefault(packed, codes)
    return np.array(list(found.values())).reshape(-1, space.num_positions)


def _best(problem: Problem, sample: Sample, codes: Codes, count: int) -> list[int]:
    """Rows of codes, the most promising first; the nearest if nothing is known."""
    expected = moments(sample, codes)
    if expected is None:
        return list(range(min(count, len(codes))))
    return _promising(problem, sample.outputs, expected, count)


def _promising(
    problem: Problem, outputs: Floats, expected: list[Moments], count: int
) -> list[int]:
    """Rows that may add most to the front, one after the other.

    A row is hoped to be better than its mean by a deviation. It is worth how far every
    solution would have to improve to dominate it, in units of each objective's range.
    """
    m = problem.num_objectives
    low, size = outputs.min(axis=0), np.ptp(outputs, axis=0)
    size = np.where(size > 0.0, size, 1.0)
    signs = np.concatenate((problem.sign, np.ones(outputs.shape[1] - m)))
    offset = np.where(signs > 0, low, low + size)
    scaled = (outputs - offset) * signs / size
    means = (np.stack([one.mean for one in expected], axis=1) - offset) * signs / size
    hoped = means - np.stack([one.std for one in expected], axis=1) / size
    limits = -offset[m:] / size[m:]  # where constraints are met
    feasible = (scaled[:, m:] <= limits).all(axis=1)
    front = scaled[feasible, :m] if feasible.any() else scaled[:, :m]
    front = front[non_dominated(front)]
    broken = np.maximum(hoped[:, m:] - limits, 0.0).sum(axis=1)
    chosen: list[int] = []
    for _ in range(min(count, len(hoped))):
        ahead = np.max(front[:, None, :] - hoped[None, :, :m], axis=2).min(axis=0)
        worth = ahead - broken
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(worth)))
        front = np.concatenate((front, means[chosen[-1:], :m]))
    return chosen
