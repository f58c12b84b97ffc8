"""``validate``: predicted shares of operations beside measured shares of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from divlearn.errors import InputError
from divlearn.lab.bench.operations.frame import calls_by_component
from divlearn.lab.bench.operations.model import operations
from divlearn.methods.base import Method
from divlearn.problems import Problem


@dataclass(frozen=True)
class Validation:
    """Predicted shares of operations beside measured shares of time, by component."""

    predicted: dict[str, float]
    measured: dict[str, float]

    @property
    def mean_absolute_error(self) -> float:
        """Mean over components of the difference of shares, from 0 to 1."""
        differences = [abs(p - self.measured[k]) for k, p in self.predicted.items()]
        return sum(differences) / len(differences)

    def __str__(self) -> str:
        lines = [f"{'component':<14} predicted  measured"]
        for name, share in self.predicted.items():
            lines.append(f"{name:<14} {share:9.1%} {self.measured[name]:9.1%}")
        lines.append(f"mean absolute error {self.mean_absolute_error:.1%}")
        return "\n".join(lines)


def validate(
    problem: Problem, method: str | Method, evaluations: int = 50_000, seed: int = 0
) -> Validation:
    """Compare the model with the time that each component really takes.

    Each component is repeated by itself on a state in the middle of a search; its time
    per call times its number of calls in that search is its measured share.
    """
    from divlearn.optimizer.optimizer import Optimizer

    optimizer = Optimizer(problem, method, seed, budget=evaluations)
    if not optimizer.compiled:
        raise InputError("validate needs a problem with a compiled objective.")
    optimizer.run(evaluations)
    constructions = int(optimizer.search.state.control[0].constructed)
    counts = operations(
        problem,
        method,
        evaluations,
        tally={"constructed": constructions},
        front_size=optimizer.front_size,
    )
    calls = calls_by_component(
        problem, optimizer.settings, len(optimizer.search.state.weights), evaluations
    )
    calls["construction"] = constructions
    seconds = {
        name: calls[name] * per_call for name, per_call in _seconds(optimizer).items()
    }
    return Validation(
        _shares({name: count.total for name, count in counts.items()}), _shares(seconds)
    )


def _shares(parts: dict[str, float]) -> dict[str, float]:
    """Divide by the sum."""
    whole = sum(parts.values())
    return {name: part / whole for name, part in parts.items()}


def _seconds(optimizer: Any) -> dict[str, float]:
    """CPU seconds of one call of each component."""
    from divlearn.kernels.jit import no_repair
    from divlearn.lab.kernels import timing

    state, compiled = optimizer.search.state, optimizer.problem.compiled
    x, y = state.incumbents[0].copy(), state.incumbent_outputs[0].copy()
    changed, out = x.copy(), y.copy()
    worse = y + 0.1 * np.abs(y)
    repair = compiled.repair or no_repair
    evaluate = timing.repeat_evaluation()
    parts: dict[str, Callable[[int], Any]] = {
        "refinement": lambda k: timing.repeat_refinement(state, changed, k),
        "evaluation": lambda k: evaluate(
            compiled.objective, repair, compiled.table, changed, x, out, k
        ),
        "archive": lambda k: timing.repeat_archive(state, x, worse, k),
        "acceptance": lambda k: timing.repeat_acceptance(state, worse, k),
        "experts": lambda k: timing.repeat_update(state, x, k),
        "coordination": lambda k: timing.repeat_coordination(state, x, k),
        "construction": lambda k: timing.repeat_construction(state, changed, k),
    }
    return {name: _per_call(part) for name, part in parts.items()}


def _per_call(part: Callable[[int], Any], least: float = 0.02) -> float:
    """Best of three timings that are long enough to be read."""
    times = 16
    while True:
        seconds = _cpu(part, times)
        if seconds >= least:
            return min(seconds, _cpu(part, times), _cpu(part, times)) / times
        times *= 4


def _cpu(part: Callable[[int], Any], times: int) -> float:
    """CPU seconds of ``times`` repetitions."""
    part(1)
    start = time.process_time()
    part(times)
    return time.process_time() - start
