"""How long each component of a method of the paper's frame takes, by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.bench.operations.frame import calls_by_component
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.problems import Problem

#: CPU seconds of a timing that is long enough to be read.
LEAST_SECONDS = 0.02


class FrameTimes(NamedTuple):
    """What a search by one of the paper's methods took."""

    seconds: dict[str, float]  # CPU seconds by component, of the whole search
    constructed: int  # solutions that experts built
    front_size: int


def measured_frame(
    problem: Problem, method: DivideAndLearn, evaluations: int, seed: int
) -> FrameTimes:
    """Repeat each component on a state in the middle of a search."""
    from divlearn.optimizer.optimizer import Optimizer

    optimizer = Optimizer(problem, method, seed, budget=evaluations)
    optimizer.run(evaluations)
    state = optimizer.search.state
    constructed, front_size = int(state.control[0].constructed), optimizer.front_size
    calls = calls_by_component(
        problem, optimizer.settings, len(state.weights), evaluations
    )
    calls["construction"] = constructed
    each = _seconds(optimizer)
    seconds = {name: calls[name] * per_call for name, per_call in each.items()}
    return FrameTimes(seconds, constructed, front_size)


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


def _per_call(part: Callable[[int], Any]) -> float:
    """Best of three timings that are long enough to be read."""
    times = 16
    while True:
        seconds = _cpu(part, times)
        if seconds >= LEAST_SECONDS:
            return min(seconds, _cpu(part, times), _cpu(part, times)) / times
        times *= 4


def _cpu(part: Callable[[int], Any], times: int) -> float:
    """CPU seconds of ``times`` repetitions."""
    part(1)
    start = time.process_time()
    part(times)
    return time.process_time() - start
