"""``PaperSearch``: a search by ``DivideAndLearn``."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from divlearn.kernels.archive import enlarged
from divlearn.kernels.jit import are_cached
from divlearn.kernels.loops import Step, loops_are_cached
from divlearn.methods.base import TICKET_SIZE, Compilation
from divlearn.methods.drivers import LOOP_SECONDS, CompiledSearch
from divlearn.methods.moves import custom_records
from divlearn.methods.paper.kernels.search import ADDED, has_room, observe, propose
from divlearn.methods.paper.kernels.trace import rewards_of_rows
from divlearn.methods.paper.method import PRESETS
from divlearn.methods.paper.report import learned
from divlearn.methods.paper.state import expert_records
from divlearn.methods.paper.trace import columns_of, has_rows, with_rows
from divlearn.problems import Problem
from divlearn.spaces import Permutation

STEP = Step(propose, observe, has_room)
#: CPU seconds that the step takes to compile, measured with an empty cache
#: (``python benchmarks/compiling.py``).
SECONDS = 12.0
#: And what reads a trace.
TRACE_SECONDS = 1.0


class PaperSearch(CompiledSearch):
    """A search by experts between two evaluations."""

    state: Any

    added: ClassVar[int] = ADDED
    step: ClassVar[Step] = STEP

    @property
    def ending(self) -> str | None:
        """That the schedule has ended, if it has."""
        if not self.state.control["ended"][0]:
            return None
        visits, iterations = (
            int(self.state.control[name][0]) for name in ("visits", "iterations")
        )
        return f"the schedule of {visits:,} x {iterations:,} iterations has ended"

    def end_with_schedule(self) -> None:
        """End after T iterations for each weight and sweep."""
        self.state.control["visits"] = len(self.state.weights) * self.method.sweeps

    def make_room(self, count: int) -> None:
        """Enlarge a full archive; a candidate may begin a row of the trace."""
        state = self.state
        if state.control["archive_size"][0] >= len(state.archive.order):
            self.state = state._replace(archive=enlarged(state.archive))
        if not has_rows(state, count):
            self.state = self.state._replace(trace=with_rows(state, count))

    def renew(self) -> None:
        """Look the addresses of experts and custom moves up again."""
        records = expert_records(self.method, len(self.state.layout.places))
        own = custom_records(self.method.refinement.custom_moves)
        self.state = self.state._replace(experts=records, custom_moves=own)

    def learned(self) -> dict[str, Any]:
        """What a result tells about the search."""
        return learned(self.state, self.problem)

    def trace(self) -> dict[str, NDArray[Any]] | None:
        """What happened, iteration by iteration, as columns by name."""
        return columns_of(self) if self.method.trace else None


def missing(compiled: bool, traced: bool) -> Compilation | None:
    """What has to be compiled before a search can begin; None if nothing."""
    groups = {} if STEP.is_cached() else {"step of experts": SECONDS}
    if traced and not are_cached(rewards_of_rows):
        groups["trace"] = TRACE_SECONDS
    if not loops_are_cached(compiled):
        groups |= LOOP_SECONDS[compiled]
    return Compilation("the paper's experts", groups) if groups else None


@cache
def rehearse(traced: bool) -> None:
    """Call all kernels of a step on a tiny problem, once in a process."""
    space = Permutation(3)
    tiny = Problem(space, lambda x: 0.0, ["none"])
    search = PRESETS["uniform"]().replace(trace=traced).begin(tiny, None, 0)
    codes = np.empty((1, space.num_positions), np.int64)
    ticket = np.empty((1, TICKET_SIZE), np.int64)
    search.propose(codes, ticket)
    search.observe(codes[0], np.zeros(1), ticket[0])
    search.learned()
    search.trace()
