"""Numbers of finished runs: of their rows and fronts, and by a model of their cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from divlearn.basics.errors import InputError, MissingExtra
from divlearn.lab.bench.cases import can_judge, problem_of
from divlearn.lab.bench.fronts import front_measure, kept_as, less_is_better, measured
from divlearn.lab.bench.redundancy import redundancy
from divlearn.lab.bench.rows import Run
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import OBSERVED, changed_settings
from divlearn.lab.bench.task import ReferenceTask
from divlearn.methods.budget import planned

#: Values by the key of the run; NaN where a run has none.
Values = dict[str, float]

#: Measures of which less is better.
LESS_IS_BETTER = frozenset(
    {"spread", "operations", "redundancy", "cpu_seconds", "seconds"}
)
#: Measures that say what a front is like rather than how good it is.
NEUTRAL = frozenset({"raw_diversity", "knn_diversity", "mean_objective"})


def wants_less(name: str) -> bool:
    """Whether less of a measure is better."""
    return name in LESS_IS_BETTER or less_is_better(name)


def values_of(name: str, runs: Sequence[Run], store: Store) -> Values:
    """Take a measure of finished runs; what is dear to compute is kept in the store.

    Parameters
    ----------
    name
        One of :data:`divlearn.lab.bench.suite.MEASURES`, or a column of a run.
    runs
        Finished runs.
    store
        Where their fronts are.
    """
    if name == "operations":
        return {run.key: _operations(run, store) for run in runs}
    if name == "redundancy":
        return {run.key: redundancy(run) for run in runs}
    if name == OBSERVED:
        known = store.measures(name)
        return {run.key: _observed(run, known) for run in runs}
    if front_measure(name) is not None:
        return _front_values(name, runs, store)
    return {run.key: _number(getattr(run, name)) for run in runs}


def in_percent(values: Values, runs: Sequence[Run], exact: dict[str, float]) -> Values:
    """Give hypervolumes as percent of those of the exact fronts.

    Parameters
    ----------
    values
        Hypervolumes.
    runs
        The runs of one problem.
    exact
        Hypervolumes of exact fronts by key, see :meth:`Store.exact`.

    Returns
    -------
    The percentages; nothing where the exact front of any instance is not known.
    """
    whole = {run.key: exact.get(exact_key(run)) for run in runs}
    if not all(whole.values()):
        return {}
    return {key: 100.0 * values[key] / (whole[key] or math.nan) for key in whole}


def exact_key(run: Run) -> str:
    """Key of the exact front of the instance of a run."""
    return ReferenceTask(run.task.case, run.task.instance).key


def _number(value: float | None) -> float:
    """NaN for what is not there."""
    return math.nan if value is None else float(value)


def _observed(run: Run, known: Mapping[str, float | None]) -> float:
    """What the search saw; without noise that is what its front is worth."""
    if run.key in known:
        return _number(known[run.key])
    problem = problem_of(run.task.case, run.task.instance)
    return math.nan if can_judge(problem) else _number(run.hypervolume)


# --- measures of fronts


def _front_values(name: str, runs: Sequence[Run], store: Store) -> Values:
    """Measure fronts that were not measured before."""
    kept = kept_as(name)
    known = store.measures(kept)
    for run in runs:
        if run.key not in known:
            problem = problem_of(run.task.case, run.task.instance)
            solutions = store.solutions(run.key, problem)
            value = measured(name, store.front(run.key), solutions, problem)
            known[run.key] = value
            store.write_measure(run.key, kept, value)
    return {run.key: _number(known[run.key]) for run in runs}


# --- operation counts


def _operations(run: Run, store: Store) -> float:
    """Count the operations of a run by the model; NaN where there is none for it."""
    from divlearn.lab.bench.operations import operations, total

    task = run.task
    try:
        counts = operations(
            problem_of(task.case, task.instance),
            changed_settings(task.contender),
            run.evaluations,
            budget=planned(task.budget),
            front_size=float(store.history(run.key)["front_size"].mean()),
            tally=run.tally,
        )
    except (InputError, MissingExtra):
        return math.nan
    return total(counts)
