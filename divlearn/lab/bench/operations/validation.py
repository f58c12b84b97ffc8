"""``validate``: predicted shares of operations beside measured shares of time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from divlearn.basics.errors import InputError
from divlearn.lab.bench.operations.frame_times import measured_frame
from divlearn.lab.bench.operations.model import model_of, operations
from divlearn.lab.bench.operations.places import WATCHED, Watched
from divlearn.lab.bench.operations.stopwatch import Stopwatch
from divlearn.methods.base import Method
from divlearn.methods.names import method_for
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.problems import Problem

#: Evaluations by which the paper's methods are looked at.
FRAME_EVALUATIONS = 50_000
#: Share of a run that is made before the clock starts, so that all code is loaded.
REHEARSED = 0.4


@dataclass(frozen=True)
class Validation:
    """Predicted shares of operations beside measured shares of time, by component.

    Attributes
    ----------
    predicted, measured
        Shares of the components, of sum 1 each.
    elsewhere
        Share of all CPU time that belongs to no component, and is in no share above:
        the interpreter between the parts, and books that are kept. None where parts
        were timed by themselves.
    operations
        All operations by the model.
    seconds
        CPU seconds of all components.
    """

    predicted: dict[str, float]
    measured: dict[str, float]
    elsewhere: float | None = None
    operations: float = 0.0
    seconds: float = 0.0

    @property
    def mean_absolute_error(self) -> float:
        """Mean over components of the difference of shares, from 0 to 1."""
        differences = [abs(p - self.measured[k]) for k, p in self.predicted.items()]
        return sum(differences) / len(differences)

    @property
    def largest_agrees(self) -> bool:
        """Whether the component that the model calls the largest takes the most time.

        Examples
        --------
        >>> Validation({"a": 0.8, "b": 0.2}, {"a": 0.6, "b": 0.4}).largest_agrees
        True
        """
        largest = max(self.predicted, key=self.predicted.__getitem__)
        return largest == max(self.measured, key=self.measured.__getitem__)

    def __str__(self) -> str:
        width = max(14, *(len(name) for name in self.predicted))
        lines = [f"{'component':<{width}} predicted  measured"]
        for name, share in self.predicted.items():
            lines.append(f"{name:<{width}} {share:9.1%} {self.measured[name]:9.1%}")
        lines.append(f"mean absolute error {self.mean_absolute_error:.1%}")
        if self.elsewhere is not None:
            lines.append(f"elsewhere, of all time {self.elsewhere:.1%}")
        return "\n".join(lines)


def validate(
    problem: Problem,
    method: str | Method,
    evaluations: int | None = None,
    seed: int = 0,
) -> Validation:
    """Compare the model with the time that each component really takes.

    The components of the paper's methods are compiled into one loop. Each is repeated
    by itself on a state in the middle of a search; its time per call times its number
    of calls in that search is its measured share. Of all other methods a whole run is
    timed, with a clock around the functions that do the work of a component.

    Parameters
    ----------
    problem
        A problem with a compiled objective.
    method
        Name of a method that :func:`operations` can count, or one with options.
    evaluations
        Length of the run; if None, enough for the shares of this method to settle.
    seed
        Seed of the run.

    Examples
    --------
    >>> from divlearn import problems
    >>> found = validate(problems.get("bitsp-20"), "nsga2", 500)
    >>> sorted(found.predicted) == sorted(found.measured)
    True
    """
    chosen = method_for(method)
    if problem.compiled is None:
        raise InputError(
            "validate needs a problem with a compiled objective, such as bitsp-20: the "
            "time of a Python function would hide all else."
        )
    if isinstance(chosen, DivideAndLearn):
        return _of_frame(problem, chosen, evaluations or FRAME_EVALUATIONS, seed)
    model_of(chosen)  # refuses what has none
    watched = WATCHED[chosen.name]
    return _of_run(problem, chosen, watched, evaluations or watched.evaluations, seed)


def _of_frame(
    problem: Problem, method: DivideAndLearn, evaluations: int, seed: int
) -> Validation:
    """Time the components of one of the paper's methods one by one."""
    timed = measured_frame(problem, method, evaluations, seed)
    counts = operations(
        problem,
        method,
        evaluations,
        tally={"constructed": timed.constructed},
        front_size=timed.front_size,
    )
    return _compare({k: c.total for k, c in counts.items()}, timed.seconds, None)


def _of_run(
    problem: Problem, method: Method, watched: Watched, evaluations: int, seed: int
) -> Validation:
    """Time a whole run."""
    from divlearn.lab.bench.work import tally_of
    from divlearn.solver import solve

    solve(problem, max(1, int(REHEARSED * evaluations)), method=method, seed=seed + 1)
    watch = Stopwatch()
    with watch.over(watched.places):
        begun = time.process_time()
        result = solve(problem, evaluations, method=method, seed=seed)
        whole = time.process_time() - begun
    counts = operations(
        problem,
        method,
        result.evaluations,
        budget=evaluations,
        tally=tally_of(result),
        front_size=_mean_front(result.history),
    )
    predicted: dict[str, float] = {}
    for name, count in counts.items():
        part = watched.joined.get(name, name)
        predicted[part] = predicted.get(part, 0.0) + count.total
    seconds = {name: watch.seconds.get(name, 0.0) for name in predicted}
    elsewhere = max(0.0, 1.0 - sum(seconds.values()) / whole)
    return _compare(predicted, seconds, elsewhere)


def _mean_front(history: Mapping[str, list[float]]) -> float:
    """Mean number of solutions in the archive."""
    sizes = history["front_size"]
    return float(sum(sizes) / len(sizes))


def _compare(
    counts: dict[str, float], seconds: dict[str, float], elsewhere: float | None
) -> Validation:
    """Turn operations and seconds into shares."""
    return Validation(
        _shares(counts),
        _shares(seconds),
        elsewhere,
        sum(counts.values()),
        sum(seconds.values()),
    )


def _shares(parts: dict[str, float]) -> dict[str, float]:
    """Divide by the sum."""
    whole = sum(parts.values())
    return {name: part / whole for name, part in parts.items()}
