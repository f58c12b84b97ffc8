"""Settings of ``dl``: what is learned from differences, and how it is used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.errors import InputError
from divlearn.methods.dl.encodings import Encoding

#: Names of all encodings, see divlearn.methods.dl.kernels.models.encodings.
ENCODINGS = ("position", "successor", "neighbour", "precedence", "thermometer")
#: Settings that switch something on or off.
FLAGS = (
    "tables",
    "archive",
    "pairs",
    "plans",
    "geometry",
    "pairing",
    "uncertainty",
    "gaps",
    "repeats",
)


@dataclass(frozen=True)
class Differences:
    """Learn what a change is worth from the difference that it makes.

    Parameters
    ----------
    encodings
        Names of the encodings that compete where something is permuted; None for all
        that fit the space. They
        are ``"position"``, ``"successor"``, ``"neighbour"``, ``"precedence"`` and
        ``"thermometer"``.
    own_encodings
        Encodings of one's own, see :class:`divlearn.Encoding`, that compete as well.
        On a space without permutations they take the place of ``pairs`` and ``plans``.
    replays
        Past differences replayed after an evaluation that was not predicted; without
        permutations those that change several positions count more.
    ring
        Past differences that are kept; None for 4,096, and more for long solutions.
    tables
        Search inside the tables; without it only blind steps are made.
    archive
        Evaluate neighbours of archive members that are predicted not to be dominated.
    pairs
        Learn what pairs of values are worth, too, on spaces without permutations.
    plans
        Plan the whole front, on spaces without permutations, once every value is known
        to add the same wherever it stands.
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
    repeats
        Where the problem is declared noisy, measure again what seems to belong to the
        front, and compare means of measurements.
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
    kernel_points
        Candidates that the similarity expert makes at first, 0 for none; None for a
        rule: on spaces without permutations, where no more than 2,000 evaluations
        are planned, 300; none on more than 30 positions with constraints.
    pairing_samples
        Random solutions that ``pairing`` may spend, 0 for none; None for a rule: 3.6
        per pair of items, and no more than half of the budget.
    final_share
        Share of the budget at the end that only measures the front again, where the
        problem is declared noisy, ``repeats`` is on and the budget is known.
    final_from
        Answers after which that begins; None for a rule: by ``final_share``.
    """

    encodings: tuple[str, ...] | None = None
    own_encodings: tuple[Encoding, ...] = ()
    replays: int = 10
    ring: int | None = None
    tables: bool = True
    archive: bool = True
    pairs: bool = True
    plans: bool = True
    geometry: bool = True
    pairing: bool = True
    uncertainty: bool = True
    gaps: bool = True
    repeats: bool = True
    kicks: float = 25.0
    blind_share: float = 0.05
    exploration: int | None = None
    exploring_moves: int = 3
    window: int | None = None
    kernel_points: int | None = None
    pairing_samples: int | None = None
    final_share: float = 0.0
    final_from: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.encodings, str):
            raise InputError(
                f"encodings must be a list of names, got {self.encodings!r}."
            )
        if self.encodings is not None:
            object.__setattr__(self, "encodings", tuple(self.encodings))
        for name in self.encodings or ():
            require_one_of("encodings", name, ENCODINGS)
        object.__setattr__(self, "own_encodings", _read_own(self.own_encodings))
        for name in FLAGS:
            require_flag(name, getattr(self, name))
        require_whole("replays", self.replays, 0)
        if self.ring is not None:
            require_whole("ring", self.ring, 1)
        require_number("kicks", self.kicks, 0)
        require_number("blind_share", self.blind_share, 0, 1)
        require_whole("exploring_moves", self.exploring_moves, 1)
        if self.exploration is not None:
            require_whole("exploration", self.exploration, 0)
        if self.window is not None:
            require_whole("window", self.window, 1)
        if self.kernel_points is not None:
            require_whole("kernel_points", self.kernel_points, 0)
        if self.pairing_samples is not None:
            require_whole("pairing_samples", self.pairing_samples, 0)
        require_number("final_share", self.final_share, 0, 1)
        if self.final_from is not None:
            require_whole("final_from", self.final_from, 0)


def _read_own(given: object) -> tuple[Encoding, ...]:
    """Return encodings of a user's own in a tuple."""
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    for encoding in listed:
        if not isinstance(encoding, Encoding):
            raise InputError(
                "own_encodings must be a list of objects of classes that derive from "
                f"divlearn.Encoding, got {encoding!r}."
            )
    names = [*ENCODINGS, *(encoding.name for encoding in listed)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"own_encodings needs a name of its own for every encoding, got "
                f"{name!r} twice or as the name of a built-in one."
            )
    return listed
