"""``DL``, the default method: learn what a change is worth, and search in that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_optional_whole,
    require_whole,
)
from divlearn.basics.errors import InputError
from divlearn.methods.base import Compilation, Method
from divlearn.methods.dl.encodings import Encoding
from divlearn.methods.moves import Move, Moves, read_custom_moves, read_moves
from divlearn.methods.options import described_fields, replaced

if TYPE_CHECKING:
    from divlearn.methods.dl.search import DLSearch
    from divlearn.problems import Problem

NAME = "dl"
#: Names of all encodings, see divlearn.methods.dl.kernels.models.encodings.
ENCODINGS = ("position", "successor", "neighbour", "precedence", "thermometer")
#: Options that switch something on or off.
FLAGS = (
    "tables",
    "archive",
    "pairs",
    "plans",
    "clauses",
    "geometry",
    "pairing",
    "uncertainty",
    "gaps",
    "plateaus",
    "repeats",
    "hidden",
    "linkage",
    "corner",
)


#: Whole numbers that a rule decides if they are None, and the least of each.
RULED = {
    "memory": 1,
    "exploration": 0,
    "window": 1,
    "gp_candidates": 0,
    "pairing_samples": 0,
    "position_samples": 0,
    "route_samples": 0,
    "final_from": 0,
    "check_from": 1,
    "questions": 0,
    "count_questions": 0,
}


@dataclass(frozen=True)
class DL(Method):
    """Learn what a change is worth from the difference that it makes.

    Parameters
    ----------
    initial
        Random solutions evaluated first; at most a fifth of the budget.
    moves
        Names of the moves of blind steps, or names with shares; a kind of space of
        which none is named uses all of its moves. None for all moves, and for swap,
        insertion and reversal of permutations, the latter only until the tables know
        something, and where neighbours explain an output.
    custom_moves
        Your own moves, see :class:`divlearn.Move`, made beside these.
    encodings
        Names of the encodings that compete where something is permuted; None for all
        that fit the space. They are ``"position"``, ``"successor"``, ``"neighbour"``,
        ``"precedence"`` and ``"thermometer"``.
    custom_encodings
        Your own encodings, see :class:`divlearn.Encoding`, that compete as well.
        On a space without permutations they take the place of ``pairs`` and ``plans``.
    replays
        Past differences replayed after an evaluation that was not predicted; without
        permutations those that change several positions count more.
    memory
        Past differences that are kept; None for 4,096, and more for long solutions.
    tables
        Search inside the tables; without it only blind steps are made.
    archive
        Evaluate neighbours of archive members that are predicted not to be dominated.
    pairs
        Learn what pairs of values are worth, too, on spaces without permutations.
    plans
        Plan the whole front, once every value is known to add the same wherever it
        stands: on spaces without permutations, and for the order of up to 128 items
        without constraints, where items at positions explain everything.
    clauses
        Where a single constraint counts violated rows over bits, learn these rows by
        questions, and plan under them.
    count_questions
        Evaluations that ``clauses`` may spend on finding rows of two bits all at once,
        such as edges of a graph, 0 for none; None for a rule: half of the budget.
    geometry
        Fit points whose distances explain pair costs, where that predicts better.
    pairing
        Where sums over pairs explain the problem and no encoding does, as in quadratic
        assignment, sample random solutions, fit flows between positions and distances
        between items to them, and search inside that model.
    uncertainty
        Explore where the tables know least.
    gaps
        Choose weights by the gaps of the archive.
    plateaus
        Let members of the archive give way to later solutions with the same outputs,
        where something is permuted, so that the front wanders over plateaus.
    repeats
        Where the problem is declared noisy, or noise is found, measure again what seems
        to belong to the front, and compare means of measurements.
    kicks
        Kicks in a search inside the tables, times the square root of the positions.
    blind_share
        Least share of evaluations that do not look at the tables: they judge them.
    exploration
        Evaluations that mostly explore; None for five per item of a permutation, and
        without permutations for four per value of each position.
    exploring_moves
        Moves of an exploring step.
    window
        Positions of a subproblem, inside which a step changes something; None for all.
    gp_candidates
        Candidates that the Gaussian process makes at first, 0 for none; None for a
        rule: 300 on spaces without permutations; none on more than 30 positions with
        constraints, nor on more than 128 where more than 2,000 evaluations are planned.
    pairing_samples
        Random solutions that ``pairing`` may spend, 0 for none; None for a rule: two
        per pair of items, and no more than half of the budget, where three evaluations
        per pair are planned.
    position_samples
        Differences after which ``plans`` expects to know what every item adds at every
        position, 0 for none; None for a rule: 1.1 (n - 1)^2 + 20 for n items, if that
        is no more than half of the budget. Where positions explain everything, blind
        steps are random solutions until then.
    route_samples
        Samples before the model of routes is fitted, and at most as many again if that
        is not enough, 0 for none; None for a rule: on an order of 8 to 128 items and
        one ordered knob, with two objectives, 10 per position, where four times as many
        and 1,000 others are planned.
    final_share
        Share of the budget at the end that only measures the front again, where the
        problem is declared noisy, ``repeats`` is on and the budget is known.
    final_from
        Answers after which that begins; None for a rule: by ``final_share``.
    check_from
        Candidates after which one solution is measured again, where the problem does
        not say whether it has noise and ``repeats`` is on; None for a rule: 20, or a
        tenth of the budget if that is less, and never with less than 20 evaluations.
    hidden
        Where the problem has ``repair`` or ``valid``, learn what is left alone as a
        linear constraint, on spaces without permutations, and plan with it.
    linkage
        Where nothing new is found, ask which bits and categories belong together, and
        change such groups as a whole: with plans of at least 1,000 evaluations.
    broad
        Steps that change many positions at once, by tables that are learned from such
        steps; None for a rule: on more than 900 positions without permutations, if
        half of the budget does not suffice to try every value of each. Spaces with
        rules, problems with a repair and more than four constraints have none.
    corner
        Where the problem has no reference point, let the worst of the first answers in
        every objective stand for it while the Gaussian process chooses.
    questions
        Calls of ``repair`` and ``valid`` per candidate that find out what would be
        evaluated, 0 for none; None for a rule: 64 if the repair is compiled, else 16.
        They cost time, but no evaluation.

    Examples
    --------
    >>> import divlearn as dl
    >>> method = dl.DL(geometry=False)
    >>> problem = dl.problems.get("bitsp-20")
    >>> dl.solve(problem, budget=30, method=method).evaluations
    30
    >>> method.replace(initial=10).initial
    10
    """

    initial: int = 50
    moves: Moves = None
    custom_moves: Sequence[Move] = ()
    encodings: tuple[str, ...] | None = None
    custom_encodings: Sequence[Encoding] = ()
    replays: int = 10
    memory: int | None = None
    tables: bool = True
    archive: bool = True
    pairs: bool = True
    plans: bool = True
    clauses: bool = True
    geometry: bool = True
    pairing: bool = True
    uncertainty: bool = True
    gaps: bool = True
    plateaus: bool = True
    repeats: bool = True
    kicks: float = 25.0
    blind_share: float = 0.05
    exploration: int | None = None
    exploring_moves: int = 3
    window: int | None = None
    gp_candidates: int | None = None
    pairing_samples: int | None = None
    position_samples: int | None = None
    route_samples: int | None = None
    final_share: float = 0.0
    final_from: int | None = None
    check_from: int | None = None
    hidden: bool = True
    linkage: bool = True
    corner: bool = True
    broad: bool | None = None
    questions: int | None = None
    count_questions: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.encodings, str):
            raise InputError(
                f"encodings must be a list of names, got {self.encodings!r}."
            )
        if self.encodings is not None:
            object.__setattr__(self, "encodings", tuple(self.encodings))
        for name in self.encodings or ():
            require_one_of("encodings", name, ENCODINGS)
        custom = _read_custom(self.custom_encodings)
        object.__setattr__(self, "custom_encodings", custom)
        object.__setattr__(self, "moves", read_moves(self.moves))
        own = read_custom_moves(self.custom_moves)
        object.__setattr__(self, "custom_moves", own)
        for name in FLAGS:
            require_flag(name, getattr(self, name))
        if self.broad is not None:
            require_flag("broad", self.broad)
        for name, least in RULED.items():
            require_optional_whole(name, getattr(self, name), least)
        require_whole("initial", self.initial, 1)
        require_whole("replays", self.replays, 0)
        require_number("kicks", self.kicks, 0)
        require_number("blind_share", self.blind_share, 0, 1)
        require_whole("exploring_moves", self.exploring_moves, 1)
        require_number("final_share", self.final_share, 0, 1)

    @property
    def name(self) -> str:  # type: ignore[override]
        """What results call it: "dl", or "custom" if an option was changed."""
        return NAME if self == DL() else "custom"

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some options changed."""
        return replaced(self, {}, changes)

    def describe(self) -> dict[str, Any]:
        """All options as plain data that can be written and compared."""
        return {"method": NAME, **described_fields(self)}

    def begin(self, problem: Problem, budget: int | None, seed: int) -> DLSearch:
        """Begin a search, with all that is left open filled in."""
        from divlearn.methods.dl.rules import completed
        from divlearn.methods.dl.search import DLSearch
        from divlearn.methods.dl.state import new_state

        full = completed(self, problem, budget)
        return DLSearch(full, problem, new_state(problem, full, seed))

    def missing(
        self, problem: Problem, budget: int | None, compiled: bool
    ) -> Compilation | None:
        """What has to be compiled before a search can begin; None if nothing."""
        from divlearn.methods.dl.compilation import missing

        return missing(self, problem, budget, compiled)

    def compile(self, problem: Problem, budget: int | None, compiled: bool) -> None:
        """Compile or load what a search calls from Python."""
        from divlearn.methods.dl.compilation import compile_steps

        compile_steps(self, problem, budget, compiled)


def dl_from(description: Mapping[str, Any]) -> DL:
    """Make a method from what :meth:`DL.describe` wrote."""
    options = dict(description)
    options.pop("method")
    for encoding in options.get("custom_encodings", ()):
        raise InputError(
            f"the encoding {encoding['encoding']!r} is not one of the built-in "
            "ones; pass method= with the DL that holds it."
        )
    return DL(**options)


def _read_custom(given: object) -> tuple[Encoding, ...]:
    """Return a user's own encodings in a tuple."""
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    for encoding in listed:
        if not isinstance(encoding, Encoding):
            raise InputError(
                "custom_encodings must be a list of objects of classes that derive "
                f"from divlearn.Encoding, got {encoding!r}."
            )
    names = [*ENCODINGS, *(encoding.name for encoding in listed)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"custom_encodings needs a name of its own for every encoding, got "
                f"{name!r} twice or as the name of a built-in one."
            )
    return listed
