"""``OtherMethod``: a method of another package, which is asked or solves in one go."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.files import digest_of
from divlearn.methods.base import Compilation, Method

if TYPE_CHECKING:
    from divlearn.basics.typing import Codes, Floats, Integers
    from divlearn.methods.others.search import OtherSearch
    from divlearn.problems import Problem

#: What a description calls the hash of the files that a method reads.
DIGEST = "digest"
#: CPU seconds that the archive takes to compile.
SECONDS = 2.0
#: Number of a solution that was not proposed but came from elsewhere.
ELSEWHERE = -1


@dataclass(frozen=True)
class Entry:
    """Where a method lives, and a line on it: imported when it is used.

    Attributes
    ----------
    home
        Module.
    kind
        Name of the class.
    about
        What it is, for lists.
    needs
        Modules from elsewhere without which it does not run.
    """

    home: str
    kind: str
    about: str
    needs: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(find_spec(module) is not None for module in self.needs)

    def make(self) -> OtherMethod:
        """The method with its usual options."""
        made: OtherMethod = getattr(import_module(self.home), self.kind)()
        return made


class OtherMethod(Method):
    """Base of all methods that are not divlearn's own; the fields are its options.

    A subclass is a frozen dataclass derived from :class:`AskTell` or
    :class:`WholeSolver`, and every function that takes a method takes it.

    Attributes
    ----------
    name
        What users call it.
    """

    name: ClassVar[str]
    quick: ClassVar[bool] = False

    def warm_up(self, problem: Problem) -> None:
        """Compile or load kernels; called before the clock of a run starts."""

    def begin(self, problem: Problem, budget: int | None, seed: int) -> OtherSearch:
        """Begin a search by a method that can treat the problem."""
        from divlearn.methods.others.search import OtherSearch

        self.require(problem)
        return OtherSearch(self, problem, budget, seed)

    def missing(
        self, problem: Problem, budget: int | None, compiled: bool
    ) -> Compilation | None:
        """What has to be compiled: the archive, as far as is known."""
        from divlearn.kernels.archive import insert
        from divlearn.kernels.jit import is_cached

        return (
            None if is_cached(insert) else Compilation(self.name, {"archive": SECONDS})
        )

    def compile(self, problem: Problem, budget: int | None, compiled: bool) -> None:
        """Compile or load kernels."""
        self.warm_up(problem)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some options changed."""
        known = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        for option in changes:
            require_one_of(f"option of {self.name}", option, known)
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def describe(self) -> dict[str, Any]:
        """All options as plain data that can be written and compared.

        If the method reads files, a hash of their content is there too: a file may
        change while its name stays.
        """
        options = dataclasses.asdict(self)  # type: ignore[call-overload]
        files = {DIGEST: self.digest} if self.sources() else {}
        return {"method": self.name, **options, **files}

    def sources(self) -> tuple[str, ...]:
        """Files whose content decides what the method finds, as options name them."""
        return ()

    @property
    def digest(self) -> str:
        """Short hash of these files; empty if there are none, or one is missing."""
        try:
            return digest_of(self.sources())[:16] if self.sources() else ""
        except InputError:
            return ""


class Proposer(Protocol):
    """A running search that is asked and told, over plain arrays.

    Answers may come in any order, late or never, and further candidates may be wanted
    while answers are outstanding.
    """

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Return ``count`` candidates, shape (count, n), which have these numbers."""

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Learn what a candidate is worth.

        Parameters
        ----------
        number
            Its number, or :data:`ELSEWHERE`.
        codes
            What was evaluated, shape (n,): what was proposed, or that repaired.
        outputs
            Objectives, minimised, then constraints, feasible <= 0, shape (m + c,).
        """

    def fail(self, number: int, codes: Codes) -> None:
        """Learn that a candidate could not be evaluated."""


class AskTell(OtherMethod):
    """A method that proposes candidates; it also runs in an Optimizer or a Study."""

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a search.

        Parameters
        ----------
        problem
            What to search; its objective is not to be called.
        budget
            Number of evaluations that are planned, if known.
        seed
            The same seed must give the same candidates, bit for bit.
        """
        raise NotImplementedError


class Spent(Exception):
    """Nothing is left to evaluate; methods let it pass."""


class Ledger(Protocol):
    """The books of a run: what was evaluated, and how much is left.

    Attributes
    ----------
    budget
        Evaluations that are allowed; None for any number.
    left
        Evaluations that are left, infinity where there is no budget.
    """

    budget: int | None

    @property
    def left(self) -> float:
        """Evaluations that are left."""

    def evaluate(self, codes: Codes) -> Floats:
        """Evaluate a solution, shape (n,), and keep it if nothing beats it.

        It is repaired first, if the problem has a repair, as every candidate is.

        Returns
        -------
        Objectives, minimised, then constraints, feasible <= 0, shape (m + c,).

        Raises
        ------
        Spent
            If there is nothing left, before anything is evaluated.
        """

    def take(self, codes: Codes, outputs: Floats) -> None:
        """Keep a solution that compiled code evaluated; it is counted by ``count``."""

    def count(self, evaluations: int) -> None:
        """Count evaluations that compiled code has made.

        Raises
        ------
        Spent
            If none are left, or it is time to stop; what was taken is kept.
        """

    def call_solver(self, name: str) -> None:
        """Note one call of a specialised solver."""

    def tell(self, what: str, value: Any) -> None:
        """Let the result say so in ``learned``; the last value of a name counts."""


class WholeSolver(OtherMethod):
    """A method that cannot be asked: it runs in :func:`divlearn.solve` alone."""

    def solve(self, problem: Problem, ledger: Ledger, seed: int) -> None:
        """Search until done or until ``ledger`` raises :class:`Spent`."""
        raise NotImplementedError
