"""What a search compiles, what that costs, and how it is done before it begins.

Every kernel that a search will call is known from its settings and its space. All of
them are called once on a tiny problem, so that none is compiled in the middle of a
run, where minutes of silence would look like a hanging objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.kernels.archive import insert
from divlearn.kernels.jit import are_cached, is_cached
from divlearn.methods.dl.kernels import drivers as difference_drivers
from divlearn.methods.dl.kernels.arms.bandit import propose_choice, propose_sequence
from divlearn.methods.dl.kernels.arms.pairing import learn_pairing, propose_pairing
from divlearn.methods.dl.kernels.arms.repeat import propose_repeat, weigh_answer
from divlearn.methods.dl.kernels.learning import learn_choice, learn_sequence
from divlearn.methods.dl.kernels.models.gp.fitting import fit_model
from divlearn.methods.dl.kernels.models.gp.search import find_best
from divlearn.methods.dl.state import uses_values
from divlearn.methods.engine import TICKET_SIZE, engine_for
from divlearn.methods.names import Method
from divlearn.methods.others.base import Baseline
from divlearn.methods.paper.kernels import drivers
from divlearn.methods.paper.settings import Settings, settings_for
from divlearn.methods.plan import PAIRED_LENGTHS, resolve
from divlearn.problems import Problem
from divlearn.spaces import Binary, Permutation, Space

#: Families of kernels: the paper's experts, differences where there are permutations,
#: differences elsewhere; in words, as "compiling for ...".
EXPERTS, SEQUENCE, CHOICE = "the paper's experts", "permutations", "choices and numbers"
#: CPU seconds that kernels take to compile, measured with an empty cache on a machine
#: that others used as well (``python benchmarks/compiling.py``).
SECONDS = {
    "asking of experts": 4.0,
    "loop of experts": 4.0,
    "asking": 3.0,
    "loop": 4.0,
    "sequence": 18.0,
    "choice": 15.0,
    "similarity": 10.0,
    "pairing": 6.0,
    "repeats": 2.0,
    "baseline": 2.0,
}
#: Candidates of a rehearsal: the similarity expert speaks from the third on.
FEW = 4


@dataclass(frozen=True)
class Needs:
    """Which kernels a search calls.

    Attributes
    ----------
    family
        One of EXPERTS, SEQUENCE and CHOICE.
    steps
        Whether candidates are asked for and answers told from Python.
    loop
        Whether the compiled loop runs.
    similarity, pairing, repeats
        Whether the similarity expert, the model of pairs and repeated measurements
        take part.
    """

    family: str
    steps: bool
    loop: bool
    similarity: bool = False
    pairing: bool = False
    repeats: bool = False


@dataclass(frozen=True)
class Compilation:
    """What is still to be compiled.

    Attributes
    ----------
    what
        What it is for, in words: "permutations".
    groups
        The groups of kernels, by their names in SECONDS.
    """

    what: str
    groups: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """About how many seconds of CPU time it takes."""
        return sum(SECONDS[group] for group in self.groups)


def missing(
    method: Method, problem: Problem, budget: int | None, compiled: bool
) -> Compilation | None:
    """What has to be compiled before a search can begin; None if nothing.

    Parameters
    ----------
    method, problem, budget
        The search, as an Optimizer takes it.
    compiled
        Whether it runs in the compiled loop.
    """
    if isinstance(method, Baseline):
        ready = is_cached(insert)
        return None if ready else Compilation(method.name, ("baseline",))
    needs = needs_of(resolve(method, problem, budget)[0], problem, compiled)
    groups = tuple(group for group, ready in _kernels(needs) if not ready)
    return Compilation(needs.family, groups) if groups else None


def needs_of(settings: Settings, problem: Problem, compiled: bool) -> Needs:
    """The kernels that a search with resolved settings calls."""
    given = settings.differences
    if given is None:
        return Needs(EXPERTS, steps=not compiled, loop=compiled)
    small = bool(given.kernel_points)
    return Needs(
        CHOICE if uses_values(problem, settings) else SEQUENCE,
        steps=small or not compiled,  # few evaluations go step by step in any case
        loop=compiled,
        similarity=small,
        pairing=bool(given.pairing_samples),
        repeats=bool(given.repeats and problem.noise),
    )


def _kernels(needs: Needs) -> Iterator[tuple[str, bool]]:
    """Yield the groups of kernels that are called, and whether they are ready."""
    experts = needs.family == EXPERTS
    of = " of experts" if experts else ""
    module = drivers if experts else difference_drivers
    if needs.steps:
        yield f"asking{of}", module.kernels_are_cached(compiled=False)
    if needs.loop:
        yield f"loop{of}", module.kernels_are_cached(compiled=True)
    if needs.family == SEQUENCE:
        yield "sequence", are_cached(propose_sequence, learn_sequence)
    if needs.family == CHOICE:
        yield "choice", are_cached(propose_choice, learn_choice)
    if needs.similarity:
        yield "similarity", are_cached(fit_model, find_best)
    if needs.pairing:
        yield "pairing", are_cached(propose_pairing, learn_pairing)
    if needs.repeats:
        yield "repeats", are_cached(propose_repeat, weigh_answer)


# --- compiling


def compile_steps(
    method: Method, problem: Problem, budget: int | None, compiled: bool = False
) -> None:
    """Compile or load the kernels that a search calls from Python.

    Parameters
    ----------
    method, problem, budget, compiled
        As of :func:`missing`; the compiled loop itself is up to its optimizer, as it
        is compiled together with the problem's objective.
    """
    if isinstance(method, Baseline):
        method.warm_up(problem)
        return
    needs = needs_of(resolve(method, problem, budget)[0], problem, compiled)
    if needs.steps:
        rehearse(needs)


@cache
def rehearse(needs: Needs) -> None:
    """Call all kernels of a step on a tiny problem, once in a process."""
    method = _tiny_method(needs)
    space = _tiny_space(needs)
    tiny = Problem(space, lambda x: 0.0, ["none"], noise=needs.repeats)
    engine = engine_for(method)
    settings, state = engine.begin(method, tiny, None, 0)
    codes = np.empty((1, space.num_positions), np.int64)
    ticket = np.empty((1, TICKET_SIZE), np.int64)
    for _ in range(FEW + 1):  # the last one without the similarity expert
        state = engine.with_room(state, 1)
        engine.propose_many(state, codes, ticket)
        engine.observe(state, codes[0], _answer(codes[0]), ticket[0])
    engine.learned(state, tiny, settings)


def _answer(codes: Codes) -> Any:
    """Something that differs from solution to solution."""
    return np.array([float(codes @ np.arange(1, 1 + len(codes)))])


def _tiny_method(needs: Needs) -> Settings:
    """Settings that call all that is needed within a few candidates."""
    if needs.family == EXPERTS:
        return settings_for("uniform")
    return settings_for("dl").replace(
        **{
            "initial": 2,
            "differences.kernel_points": FEW if needs.similarity else 0,
            "differences.pairing_samples": FEW if needs.pairing else 0,
        }
    )


def _tiny_space(needs: Needs) -> Space:
    """A space with the same kind of kernels."""
    if needs.family == CHOICE:
        return Binary(3)
    return Permutation(PAIRED_LENGTHS[0] if needs.pairing else 3)
