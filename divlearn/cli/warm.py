"""``divlearn warm``: compile all that a search may call, at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.basics.wrapping import columns, wrapped
from divlearn.cli.command import Command, command, flag
from divlearn.cli.output import DONE, echo
from divlearn.cli.signals import leaving_at_once

if TYPE_CHECKING:
    from divlearn.methods.base import Method
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.problems import Problem
    from divlearn.terminal.pace import Gauge

STOPPED = (
    "Stopped by Ctrl-C; what was compiled is kept, and the same line compiles the rest."
)
#: Budgets of a long search, and of one so short that it compares solutions by their
#: similarity.
LONG, SHORT = 10_000, 60
#: Evaluations that a search makes: asked for one by one, and in the compiled loop. By
#: then it has called all of its kernels, those that make room for more included.
ASKED, LOOPED = 20, 3_000
#: Seconds of CPU time that the objective of a built-in problem takes to compile.
PROBLEM_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True)
class Warm(Command):
    """Compile everything now, so that no search has to wait for it.

    About a minute the first time after an installation or an upgrade, a few seconds
    after that. Without it, each search compiles what it needs before it begins.
    """

    quiet: bool = flag("Show no progress, only the summary.", names="--quiet -q")

    def execute(self) -> int:
        """Go through searches of all kinds."""
        begun = Times.now()
        require_kept()
        with leaving_at_once(self.as_json, STOPPED):
            kinds, names = kinds_of_search(), built_in_names()
            groups = missing_groups(kinds)
            costs = [sum(of_kind.values()) for of_kind in groups]
            work = Work(sum(costs) + PROBLEM_SECONDS * len(names))
            with shown(work, quiet=self.quiet or not any(groups)) as step:
                for kind, cost in zip(kinds, costs, strict=True):
                    step(kind.what, cost)
                    kind.rehearse()
                for name in names:
                    step(name, PROBLEM_SECONDS)
                    of_problem(name).rehearse()
        self._tell(Times.now().since(begun), sorted(set().union(*groups)))
        return DONE

    def _tell(self, took: Times, groups: list[str]) -> None:
        """Say what it took."""
        if self.as_json:
            echo(write_json({"compiled": groups, **asdict(took)}))
            return
        if groups:
            text = "Everything is compiled; searches start at once from now on. It took"
        else:
            text = "Everything was compiled before. To look through it took"
        text += f" {took.cpu_seconds:.0f} s of CPU time, {took.seconds:.0f} s in all."
        echo(wrapped(text, columns()))


warm = command(Warm)


@dataclass(frozen=True)
class Times:
    """Seconds by the clock, and of CPU time."""

    cpu_seconds: float
    seconds: float

    @classmethod
    def now(cls) -> Times:
        """What has passed since some moment."""
        return cls(time.process_time(), time.perf_counter())

    def since(self, begun: Times) -> Times:
        """What has passed between two moments."""
        seconds = self.seconds - begun.seconds
        return Times(self.cpu_seconds - begun.cpu_seconds, seconds)


def require_kept() -> None:
    """Refuse to compile what would be lost at the end of the process."""
    from divlearn.kernels.archive import insert
    from divlearn.kernels.jit import JIT_DISABLED

    if JIT_DISABLED:
        raise InputError(
            "NUMBA_DISABLE_JIT is set, so nothing is compiled at all; unset it."
        )
    cache: Any = getattr(insert, "_cache", None)
    if not hasattr(cache, "_cache_file"):
        raise InputError(
            "compiled code cannot be kept: no directory for it can be written. Set "
            "the environment variable NUMBA_CACHE_DIR to one that can."
        )


# --- what is compiled


@dataclass(frozen=True)
class Kind:
    """Searches of one kind, by ask and tell and in the compiled loop.

    Attributes
    ----------
    what
        What their kernels are for, in words.
    problem, methods, budget
        The searches; ``budget`` is what they are planned for.
    """

    what: str
    problem: Problem
    methods: tuple[str | Method, ...] = ("dl",)
    budget: int = LONG

    def missing(self) -> dict[str, float]:
        """Groups of kernels that are not compiled yet, with what they cost."""
        from divlearn.methods.names import method_for

        groups: dict[str, float] = {}
        for method in map(method_for, self.methods):
            for compiled in {False, self.problem.can_run_compiled}:
                work = method.missing(self.problem, self.budget, compiled)
                groups |= {} if work is None else work.groups
        return groups

    def rehearse(self) -> None:
        """Call all kernels once, which compiles them or finds them on disk."""
        for method in self.methods:
            events = self._ask_and_tell(method)
            self._begin(method).replay(events)  # as a study with many outcomes does
            looped = self._begin(method)
            if looped.compiled:
                looped.warm_up(compiled=True)
                looped.run(min(self.budget, LOOPED))

    def _ask_and_tell(self, method: str | Method) -> list[Any]:
        """Search by ask and tell; returns what happened, for a replay."""
        from divlearn.spaces.packing import Packing

        asked, packing = self._begin(method), Packing(self.problem.space)
        asked.warm_up(compiled=False)
        events: list[Any] = []
        for _ in range(ASKED):
            (candidate,) = asked.ask()
            values = self.problem.evaluate(candidate.x)
            asked.tell(candidate, values)
            events += [packing.pack(candidate.codes), (candidate.id, values)]
        return events

    def _begin(self, method: str | Method) -> Optimizer:
        from divlearn.optimizer import Optimizer

        return Optimizer(self.problem, method, budget=self.budget)


def kinds_of_search() -> list[Kind]:
    """Searches that call all kernels together, those that take long first."""
    from divlearn.methods.dl.method import DL
    from divlearn.problems import Problem, get
    from divlearn.spaces import Categorical, Composite, Permutation

    order = Permutation(5, before=[(0, 1)])  # rules have a kernel of their own
    mixture = Composite(order=order, kind=Categorical("abc", n=3))
    tour, bits = get("bitsp-10"), get("ubqp-10")

    def simulate(x: dict[str, list[int]]) -> tuple[float, float]:
        return float(x["order"][0]), float(x["order"][1])

    def of_mixture(noise: bool) -> Problem:
        return Problem(mixture, simulate, ["a", "b"], noise=noise)

    return [
        Kind("permutations", tour),
        Kind("choices and numbers", bits),
        Kind("few evaluations", bits, budget=SHORT),
        Kind("few evaluations of orders", tour, budget=SHORT),
        Kind("long solutions", bits, (DL(broad=True, gp_candidates=0),)),
        Kind("assignments", get("qap-10")),
        Kind("routes", get("bicvrp-10")),
        Kind("mixtures", of_mixture(noise=False)),
        Kind("noise", of_mixture(noise=True)),
        Kind("the paper's method", tour, ("paper-ucb", "paper-ts", "uniform")),
        Kind("random search", tour, ("random",)),
    ]


def missing_groups(kinds: Sequence[Kind]) -> list[dict[str, float]]:
    """For each kind the groups of kernels that it is the first to compile."""
    groups: list[dict[str, float]] = []
    for kind in kinds:
        known = set().union(*groups)
        missing = kind.missing().items()
        groups.append({name: cost for name, cost in missing if name not in known})
    return groups


def built_in_names() -> list[str]:
    """Built-in problems with a compiled objective of any size."""
    from divlearn.problems import catalogue

    return [name for name, _ in catalogue() if name.endswith("-N")]


def of_problem(name: str) -> Kind:
    """A search of a built-in problem, for the sake of its objective.

    At random, as every method calls the same objective and other methods take longer.
    """
    from divlearn.problems import get

    return Kind(name, get(name.replace("N", "10")), ("random",))


# --- what is shown of it


class Work:
    """Steps whose cost is known, to be shown by a display of searches.

    Parameters
    ----------
    total
        About how many seconds of CPU time all steps take.
    """

    def __init__(self, total: float) -> None:
        self.total = total
        self._what = ""
        self._behind = self._cost = self._begun = 0.0

    def step(self, what: str, cost: float) -> None:
        """Begin the next step, which takes so many seconds of CPU time."""
        self._behind += self._cost
        self._what, self._cost, self._begun = what, cost, time.process_time()

    @property
    def share(self) -> float:
        """Part that is done, 0 to 1; within a step by the CPU time used."""
        used = min(self._cost, time.process_time() - self._begun)
        return min(1.0, (self._behind + used) / self.total)

    def facts(self) -> list[str]:
        """What is compiled now, and how much of all is done."""
        words = [f"compiling for {self._what}"] if self._what else []
        return [f"{self.share:.0%}", *words]

    def waiting(self) -> str:
        """Nothing: the bar moves."""
        return ""

    def picture(self, width: int, height: int) -> list[str]:
        """Nothing to draw."""
        return []

    def gauge(self, clock: Callable[[], float]) -> Gauge:
        """What looks at it for a display."""
        from divlearn.terminal.pace import OwnWords
        from divlearn.terminal.words import compiling

        return OwnWords(compiling("everything", self.total))


@contextmanager
def shown(work: Work, quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """Show the steps of which what is yielded is told."""
    from divlearn.terminal import choose_progress
    from divlearn.terminal.display import Silent

    display: Any = Silent() if quiet else choose_progress("divlearn warm")

    def step(what: str, cost: float) -> None:
        work.step(what, cost)
        display.update(work)

    display.start(work, None, None)
    try:
        yield step
    finally:
        work.step("", 0.0)
        display.finish()
