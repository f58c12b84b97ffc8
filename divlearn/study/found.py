"""A result with all that only the file of its study knows."""

from __future__ import annotations

from divlearn.basics.typing import Extras
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.result.tally import ENDS, KNOWN, OK, REUSED, Tally
from divlearn.spaces.packing import Packing
from divlearn.study.store import Store


def complete(result: Result, problem: Problem, store: Store) -> Result:
    """Add numbers of trials, extra metrics, and how evaluations ended."""
    result.counts, result.failures = endings(store)
    numbers = _numbers(result, problem, store)
    outcomes = [None if n is None else store.outcome(n) for n in numbers]
    rows = [(o.extras if o is not None else None) or {} for o in outcomes]
    result.extras = by_name(rows)
    if None not in numbers:
        result.trials = [n for n in numbers if n is not None]
    return result


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


def _numbers(result: Result, problem: Problem, store: Store) -> list[int | None]:
    """Number of the first trial with values of each solution."""
    packing = Packing(problem.space)
    designs = [packing.pack(problem.space.encode(x)) for x in result.X]
    wanted, found = set(designs), dict[bytes, int]()
    if wanted:
        for codes, number in store.designs(OK, KNOWN):
            if codes in wanted:
                found.setdefault(codes, number)
    return [found.get(codes) for codes in designs]
