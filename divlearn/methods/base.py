"""What a method is, and what a search by it does: the same for all of them.

A *method* is a frozen dataclass whose fields are its options. It begins a *search*,
which holds everything that is remembered between two evaluations. ``Optimizer``,
studies and the command line know nothing else of a method.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from divlearn.basics.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from divlearn.basics.typing import Codes, Floats, Integers
    from divlearn.kernels.loops import Conversation
    from divlearn.problems import Problem

#: Numbers of a ticket, which says what a candidate is; of a ticket of a compiled run.
TICKET_SIZE, LOOP_TICKET_SIZE = 2, 3


@dataclass(frozen=True)
class Compilation:
    """What is still to be compiled.

    Attributes
    ----------
    what
        What it is for, in words: "permutations".
    groups
        Groups of kernels, with about how many seconds of CPU time each takes.
    """

    what: str
    groups: Mapping[str, float]

    @property
    def seconds(self) -> float:
        """About how many seconds of CPU time it takes."""
        return sum(self.groups.values())


class Method(ABC):
    """How to search; a subclass is a frozen dataclass, and its fields are its options.

    Attributes
    ----------
    name
        What users and results call it.
    quick
        Whether a proposal always takes far less than a tenth of a second, and nothing
        is lost if several are made before the answers come. Time limits and Ctrl-C
        then wait for several evaluations.
    """

    name: ClassVar[str]
    quick: ClassVar[bool] = True

    @abstractmethod
    def begin(self, problem: Problem, budget: int | None, seed: int) -> Search:
        """Begin a search.

        Parameters
        ----------
        problem
            What to search; its objective is not called.
        budget
            Number of evaluations that are planned, if known.
        seed
            The same seed gives the same candidates, bit for bit.
        """

    @abstractmethod
    def replace(self, **changes: Any) -> Self:
        """Return a copy with some options changed."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """All options as plain data that can be written and compared."""

    def require(self, problem: Problem) -> None:  # noqa: B027 - most treat all
        """Raise InputError for a problem that the method cannot treat."""

    def require_budget(  # noqa: B027 - most can use any
        self, problem: Problem, budget: int | None
    ) -> None:
        """Raise InputError for a number of evaluations that the method cannot use.

        ``budget`` is None if only time or the method itself ends the search.
        """

    def missing(
        self, problem: Problem, budget: int | None, compiled: bool
    ) -> Compilation | None:
        """What has to be compiled before a search can begin; None if nothing.

        ``compiled`` says whether it runs in the compiled loop.
        """
        return None

    def compile(  # noqa: B027 - not all are compiled
        self, problem: Problem, budget: int | None, compiled: bool
    ) -> None:
        """Compile or load what a search calls from Python, before it begins.

        The compiled loop itself is left to its search, see :meth:`Search.run`.
        """


class Search(ABC):
    """A search between two evaluations.

    Attributes
    ----------
    method
        The method, with everything filled in that it left open.
    problem
        What is searched.
    state
        All that the search remembers, with ``control``, ``objectives`` and ``archive``.
    added
        First number of the ticket of a solution from elsewhere.
    quick_to_restore
        Whether loading arrays is quicker than asking and telling everything again.
    can_replay
        Whether :meth:`replay` works; it must not depend on what failed.
    """

    added: ClassVar[int]
    quick_to_restore: ClassVar[bool] = True
    can_replay: ClassVar[bool] = False

    method: Any
    problem: Problem
    state: Any

    # --- where it is

    @property
    def observed(self) -> int:
        """Number of answers taken in."""
        return int(self.state.control["observed"][0])

    @property
    def front_size(self) -> int:
        """Number of non-dominated solutions found."""
        return int(self.state.control["archive_size"][0])

    def front_codes(self) -> Codes:
        """Codes of the front, shape (k, n)."""
        archive = self.state.archive
        codes: Codes = archive.solutions[archive.order[: self.front_size]]
        return codes

    def front_outputs(self) -> Floats:
        """Objectives in the user's senses, then constraints, shape (k, m + c)."""
        archive = self.state.archive
        outputs: Floats = archive.outputs[archive.order[: self.front_size]]
        outputs[:, : self.problem.num_objectives] *= self.problem.sign
        return outputs

    # --- what it says

    @property
    def notices(self) -> tuple[str, ...]:
        """What users are to be told, sentence by sentence; nothing is taken back."""
        return ()

    @property
    def noisy(self) -> bool:
        """Whether the same solution is known to have different values."""
        return bool(self.problem.noise)

    def measures_again(self, ticket: Integers) -> bool:
        """Whether a candidate is a solution that was evaluated before, on purpose."""
        return False

    def limit_front(self, most: int) -> None:
        """Keep at most so many members, see :mod:`divlearn.kernels.crowding`.

        Before the first answer, and again before arrays are restored.
        """
        self.state.archive.limit[0] = most

    # --- its end

    @property
    def ending(self) -> str | None:
        """Why there will be no more candidates; None as long as there may be some."""
        return None

    def end_with_schedule(self) -> None:
        """Come to an end by itself, see :data:`divlearn.methods.budget.SCHEDULE`."""
        raise InputError(
            f"budget must be a number of evaluations for method {self.method.name!r}, "
            'which has no schedule of its own, got "schedule"; it is for the '
            'paper\'s methods, such as "paper-ucb".'
        )

    # --- the step

    @abstractmethod
    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write candidates, shape (q, n), and their tickets, shape (q, 2).

        Where the search has come to its end, the first number of a ticket is
        :data:`divlearn.kernels.loops.ENDED` instead, and so are all after it.
        """

    @abstractmethod
    def observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer, in the user's senses; whether it entered the front."""

    def fail(self, codes: Codes, ticket: Integers) -> None:  # noqa: B027 - or not
        """Learn that a candidate could not be evaluated."""

    # --- loops over it

    @abstractmethod
    def run(self, x: Codes, y: Floats, ticket: Integers, evaluations: int) -> int:
        """Make evaluations of the problem's compiled objective; 0 only compiles.

        ``x``, ``y`` and ``ticket``, shape (3,), hold the last candidate afterwards.

        Returns
        -------
        The number of evaluations made: fewer than asked when something is full or the
        search has come to its end, and -1 minus their number when ``x`` has a value
        that is not finite.
        """

    def replay(self, known: Conversation, x: Codes) -> int:
        """Ask and tell again what is known; see :func:`divlearn.kernels.loops.replay`.

        Its events begin where it last stopped; only if ``can_replay``.
        """
        raise NotImplementedError

    # --- what it knows, files, copies

    @abstractmethod
    def learned(self) -> dict[str, Any]:
        """What a result tells about the search."""

    def gauges(self) -> dict[str, Any]:
        """Numbers, in dicts by name, whose course over time a result keeps."""
        return {}

    def trace(self) -> dict[str, NDArray[Any]] | None:
        """What happened, as columns of equal length by name; None if not recorded."""
        return None

    @abstractmethod
    def saved(self) -> dict[str, NDArray[Any]]:
        """All that a file must hold, as arrays by name."""

    @abstractmethod
    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Continue the search whose :meth:`saved` returned these arrays."""

    def copy(self) -> Self:
        """A search in the same state, independent from here on."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), state=copy.deepcopy(self.state))
        return other
