"""How experts share the choices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import require_flag, require_number, require_one_of
from divlearn.basics.errors import InputError
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.experts.by_name import expert_from

#: Which share stays as it is while the others follow the uncertainty.
FORMS = ("fixed-third", "fixed-first")
#: What shares follow, and how fast.
WEIGHTS, EXP4_RATE = ("uncertainty", "exp4"), 2.0
#: rho_0 of the third expert, and the share of the second against the first. The paper
#: gives no number for the constant share of the first; a third treats all alike.
THIRD_SHARE, HYBRID_RATIO, FIRST_SHARE = 0.3, 0.5, 1 / 3


@dataclass(frozen=True)
class Mixture:
    """Which experts choose, and how often each.

    Every expert has a share with which it is drawn where nothing is known yet. With
    rho = ``third_share`` and h = ``hybrid_ratio`` these are ``(1 - rho)(1 - h)`` for
    the first, ``(1 - rho) h`` for the second and ``rho`` for the others, in equal
    parts. Where the uncertainty u of a position falls from 1 to 0, the share of the
    first is multiplied by u, and the second gets what it loses: in the paper's set,
    UCB hands over to EXP3. One expert alone chooses always.

    Parameters
    ----------
    experts
        One or more: objects such as ``UCB(coefficient=2)``, names such as ``"ucb"``,
        or descriptions such as ``{"expert": "ucb", "coefficient": 2}``. The order
        matters, since each place has its own share.
    shares
        One share per expert instead of those above, 1 in total. They do not move
        unless ``adaptive`` is True.
    third_share
        rho, share of the third expert, of all after the second together if there are
        more; None for the paper's 0.3.
    hybrid_ratio
        h, share of the second expert against the first where nothing is known; None
        for 0.5. The paper's ratios of EXP3 are reached with ``adaptive=False``.
    adaptive
        Whether the shares follow the uncertainty; None for yes, unless ``shares`` are
        given.
    form
        ``"fixed-third"`` is Algorithm 2: the shares of the third expert and of further
        ones stay. With ``"fixed-first"``, the paper's other form, the share of the
        first stays, 1/3 unless ``shares`` says otherwise, and the second gets what all
        others lose; h is then its share against theirs.
    weights
        What moves the shares: ``"uncertainty"`` as in the paper; or ``"exp4"``, with
        which an expert gains by rewards above the mean for actions that it recommends
        more than the others do. The shares above are then where each weight vector
        begins. All scores are computed at each update, which makes it slower.
    rate
        With ``"exp4"``, how fast the shares follow; None for 2.

    Examples
    --------
    >>> Mixture(("thompson", "exp3", "ftrl")).start_shares
    (0.35, 0.35, 0.3)
    >>> Mixture(("ucb", "exp3"), hybrid_ratio=0.75).start_shares
    (0.25, 0.75)
    """

    experts: tuple[Expert, ...]
    shares: tuple[float, ...] | None = None
    third_share: float | None = None
    hybrid_ratio: float | None = None
    adaptive: bool | None = None
    form: str = "fixed-third"
    weights: str = "uncertainty"
    rate: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "experts", _read_experts(self.experts))
        if self.shares is not None:
            object.__setattr__(self, "shares", _read_shares(self.shares))
        require_one_of("form", self.form, FORMS)
        require_one_of("weights", self.weights, WEIGHTS)
        if self.rate is not None:
            require_number("rate", self.rate, 1e-6)
        if self.third_share is not None:
            require_number("third_share", self.third_share, 0, 1)
        if self.hybrid_ratio is not None:
            require_number("hybrid_ratio", self.hybrid_ratio, 0, 1)
        if self.adaptive is not None:
            require_flag("adaptive", self.adaptive)
        self._require_enough_experts()
        self._require_no_contradiction()

    def _require_enough_experts(self) -> None:
        """Raise for options that would have nothing to say."""
        count = len(self.experts)
        given = {
            "third_share": (self.third_share, 3),
            "hybrid_ratio": (self.hybrid_ratio, 2),
            "adaptive": (self.adaptive, 2),
            "form": (None if self.form == FORMS[0] else self.form, 3),
            "weights": (None if self.weights == WEIGHTS[0] else self.weights, 2),
        }
        for name, (value, least) in given.items():
            if value is not None and count < least:
                raise InputError(
                    f"{name} needs at least {least} experts, got {value!r} with "
                    f"{count}; leave it out, or name more experts, such as "
                    f"experts={','.join(('thompson', 'exp3', 'ftrl')[:least])}."
                )

    def _require_no_contradiction(self) -> None:
        """Raise for options of which one makes another void."""
        count, exp4 = len(self.experts), self.weights == "exp4"
        if self.shares is not None and len(self.shares) != count:
            raise InputError(
                f"shares must be one number per expert, {count} in all, got "
                f"{self.shares!r}."
            )
        for name in ("third_share", "hybrid_ratio"):
            if self.shares is not None and getattr(self, name) is not None:
                raise InputError(
                    f"shares already says what {name} would; pass one of the two."
                )
        if self.form == "fixed-first" and self.third_share is not None:
            raise InputError(
                "third_share is for form='fixed-third'; with 'fixed-first' the others "
                "share what the first leaves: pass hybrid_ratio or shares."
            )
        if exp4 and (self.adaptive is not None or self.form != FORMS[0]):
            raise InputError(
                "adaptive and form say how shares follow the uncertainty, but with "
                "weights='exp4' they follow rewards; leave both out."
            )
        if self.rate is not None and not exp4:
            raise InputError(
                f"rate is that of weights='exp4', got {self.rate!r} with "
                f"{self.weights!r}; leave it out."
            )

    @property
    def start_shares(self) -> tuple[float, ...]:
        """The share of each expert where nothing is known."""
        count = len(self.experts)
        if self.shares is not None:
            return self.shares
        if count == 1:
            return (1.0,)
        h = HYBRID_RATIO if self.hybrid_ratio is None else self.hybrid_ratio
        if self.form == "fixed-first":
            rest = 1.0 - FIRST_SHARE
            others = (rest * (1.0 - h) / (count - 2),) * (count - 2)
            return (FIRST_SHARE, rest * h, *others)
        rho = THIRD_SHARE if self.third_share is None else self.third_share
        rho = rho if count > 2 else 0.0
        others = tuple(rho / (count - 2) for _ in range(count - 2))
        return ((1.0 - rho) * (1.0 - h), (1.0 - rho) * h, *others)

    @property
    def fading(self) -> tuple[bool, ...]:
        """Whose shares fall with the uncertainty, in favour of the second expert."""
        moves = self.shares is None if self.adaptive is None else self.adaptive
        moves = moves and self.weights == "uncertainty"
        count = len(self.experts)
        if self.form == "fixed-first":
            return tuple(moves and place > 1 for place in range(count))
        return tuple(moves and place == 0 and count > 1 for place in range(count))

    @property
    def exp4_rate(self) -> float:
        """How fast the shares follow rewards; 0 if they do not."""
        if self.weights != "exp4":
            return 0.0
        return EXP4_RATE if self.rate is None else self.rate


def _read_experts(given: Any) -> tuple[Expert, ...]:
    """Return experts, of which each may be given by its name or description."""
    if isinstance(given, (Expert, str, Mapping)) or not isinstance(given, Iterable):
        given = (given,)
    experts = tuple(map(expert_from, given))
    if not experts:
        raise InputError(
            "experts must be one or more experts, such as ucb,exp3,ftrl or "
            "divlearn.methods.paper.experts.UCB(), got ()."
        )
    return experts


def _read_shares(given: Any) -> tuple[float, ...]:
    """Return shares that are 1 in total."""
    numbers = given if isinstance(given, (list, tuple)) else (given,)
    shares = tuple(require_number("shares", number, 0, 1) for number in numbers)
    if not math.isclose(sum(shares), 1.0, abs_tol=1e-9):
        raise InputError(f"shares must be 1 in total, got {given!r}.")
    return shares
