"""A result with all that only the file of its study knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from divlearn.basics.typing import Extras
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.result.sample import Sample, thinned
from divlearn.result.tally import ENDS, KNOWN, OK, REUSED, Tally
from divlearn.spaces import Space
from divlearn.spaces.packing import Packing
from divlearn.study.store import Store


def complete(result: Result, problem: Problem, store: Store) -> Result:
    """Add numbers of trials, extra metrics, a sample, and how evaluations ended."""
    result.counts, result.failures = endings(store)
    designs = list(store.designs(OK, KNOWN))
    numbers = _numbers(result, problem, designs)
    outcomes = [None if n is None else store.outcome(n) for n in numbers]
    rows = [(o.extras if o is not None else None) or {} for o in outcomes]
    result.extras = by_name(rows)
    if None not in numbers:
        result.trials = [n for n in numbers if n is not None]
    ended = [(codes, store.outcome(number)) for codes, number in thinned(designs)]
    result.sample = sample_of(
        problem.space, ((codes, trial.outputs) for codes, trial in ended if trial)
    )
    return result


def whole_sample(space: Space, store: Store) -> Sample:
    """All designs with values, in the order of their numbers."""
    designs = {number: codes for codes, number in store.designs(OK, KNOWN)}
    outcomes = (trial for trial in store.outcomes() if trial.number in designs)
    return sample_of(space, ((designs[t.number], t.outputs) for t in outcomes))


def sample_of(
    space: Space, rows: Iterable[tuple[bytes, Sequence[float] | None]]
) -> Sample:
    """Packed codes and outputs as a sample."""
    packing, width = Packing(space), space.num_positions
    kept = [(codes, outputs) for codes, outputs in rows if outputs is not None]
    codes = [packing.unpack(packed) for packed, _ in kept]
    outputs = np.array([numbers for _, numbers in kept], float)
    return Sample(
        space,
        np.array(codes, np.int64).reshape(-1, width),
        outputs.reshape(len(kept), -1 if kept else 0),
    )


def endings(store: Store) -> tuple[dict[str, int], list[dict[str, object]]]:
    """Evaluations by how they ended, and why, the most frequent reasons first."""
    states = store.counts()
    made = states.keys() - {KNOWN}
    counts = {s: states.get(s, 0) for s in ENDS if s in states or (s == OK and made)}
    if KNOWN in states:
        counts[KNOWN] = states[KNOWN]
    reused = store.num_reused()
    if reused:
        counts[REUSED] = reused
    return counts, Tally(store.endings()).reasons()


def by_name(rows: list[Extras]) -> dict[str, list[float | str | None]]:
    """Extra metrics as lists by name; None where one is missing.

    Examples
    --------
    >>> by_name([{"noise": 40.0}, {"log": "fine"}])
    {'noise': [40.0, None], 'log': [None, 'fine']}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _numbers(
    result: Result, problem: Problem, designs: list[tuple[bytes, int]]
) -> list[int | None]:
    """Number of the first trial with values of each solution."""
    packing = Packing(problem.space)
    wanted = [packing.pack(problem.space.encode(x)) for x in result.X]
    found = dict.fromkeys(wanted, -1)
    for codes, number in designs:
        if found.get(codes) == -1:
            found[codes] = number
    return [None if found[codes] < 0 else found[codes] for codes in wanted]
