"""From a result to what matters, as plain data.

Two sources are compared for every output: what the method itself has learned, and a
surrogate that is fitted to a sample of what was evaluated. The one that leaves less
unexplained is told, with its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.result.importance.factors import Factor, factors_of
from divlearn.result.importance.surrogate import (
    Covariances,
    Explained,
    chosen_designs,
    explain,
    standard_error,
)
from divlearn.result.importance.table import OTHERS
from divlearn.result.importance.targets import HYPERVOLUME, depths, tamed
from divlearn.result.sample import Sample

if TYPE_CHECKING:
    from divlearn.result.front import Result

#: Where numbers come from.
SURROGATE = "surrogate"
#: Designs without which nothing is said.
FEWEST = 10
#: Positions beyond which a surrogate takes too long.
MOST_POSITIONS = 2_000
#: Share of the variance that must be explained before anything is said.
LEAST_EXPLAINED = 0.25
#: Single positions, and pairs, that are kept per output; the smallest share of a pair.
MOST_SINGLE, MOST_PAIRS, LEAST_PAIR = 40, 10, 0.01
#: Differences of an output, in units of its largest value, that are rounding.
SAME = 1e-12
#: Decimals of shares.
DECIMALS = 6


def measure(result: Result) -> dict[str, Any]:
    """What matters for every output, as :class:`Importance` reads it."""
    learned = _learned(result)
    fitted = _fitted(result) if result.sample is not None else {}
    names = [*result.objectives, *result.constraints]
    extra = [name for name in (*fitted, *learned) if name not in names]
    return {
        name: _better(learned.get(name), fitted.get(name))
        for name in (*names, *dict.fromkeys(extra))
    }


def _better(
    learned: dict[str, Any] | None, fitted: dict[str, Any] | None
) -> dict[str, Any]:
    """Of two sources the one that explains more, where both were tested."""
    if learned is None:
        return fitted or _unknown(0, "nothing was recorded")
    tested = learned.pop("tested")
    if fitted is None or not fitted["shares"]:
        return learned
    score = round(learned["explained"] or 0.0, 2)
    return learned if tested and score >= round(fitted["explained"], 2) else fitted


def _unknown(designs: int, why: str) -> dict[str, Any]:
    """An output of which nothing is known."""
    return {
        "source": "",
        "explained": None,
        "designs": designs,
        "note": why,
        "shares": {},
        "single": {},
        "pairs": [],
    }


# --- what a method has learned


def _learned(result: Result) -> dict[str, dict[str, Any]]:
    """What the method says, by output, in the form of all sources."""
    known = result.learned.get("what_matters", {})
    return {name: _told(told) for name, told in known.items()}


def _told(told: Mapping[str, Any]) -> dict[str, Any]:
    """What a method says about one output."""
    unexplained = told.get("unexplained")
    explained = None if unexplained is None else max(0.0, 1.0 - unexplained)
    scale = 1.0 if explained is None else explained
    parts, single = told.get("parts", {}), told.get("shares", {})
    shares: dict[str, float] = {}
    for name, share in single.items():
        part = parts.get(name, name)
        shares[part] = shares.get(part, 0.0) + share
    return _tidy(
        source=told.get("source", "tables"),
        explained=explained,
        designs=told["from"],
        note=told.get("by", ""),
        shares={name: (scale * share, None) for name, share in shares.items()},
        single={name: scale * share for name, share in single.items()},
        pairs=[(a, b, scale * share) for a, b, share in told.get("pairs", [])],
    ) | {"tested": told.get("tested", True)}


# --- a surrogate


def _fitted(result: Result) -> dict[str, dict[str, Any]]:
    """What a surrogate says, by output and for the hypervolume."""
    sample = result.sample
    assert sample is not None
    if why := _why_not(sample):
        return {name: _unknown(len(sample.codes), why) for name in _names(result)}
    used = chosen_designs(len(sample.codes))
    sample = Sample(sample.space, sample.codes[used], sample.outputs[used])
    factors = factors_of(sample.space, sample.codes)
    covariances = Covariances(factors)
    return {
        name: _explained(values, factors, covariances)
        for name, values in _values(result, sample)
    }


def _why_not(sample: Sample) -> str:
    """Why no surrogate is fitted; empty if one is."""
    if len(sample.codes) < FEWEST:
        return f"fewer than {FEWEST} designs with values"
    if sample.codes.shape[1] > MOST_POSITIONS:
        return f"more than {MOST_POSITIONS:,} positions"
    return ""


def _names(result: Result) -> list[str]:
    """All that is to be explained."""
    more = [HYPERVOLUME] if _has_depths(result) else []
    return [*result.objectives, *result.constraints, *more]


def _has_depths(result: Result) -> bool:
    """Whether there is a front to be far from, in several objectives."""
    return len(result.objectives) > 1 and len(result.F) > 0


def _values(result: Result, sample: Sample) -> Iterator[tuple[str, Floats]]:
    """Values of everything that is to be explained, shape (s,) each."""
    # Whatever is finite may be a value: differences of such numbers need not be.
    units = np.maximum(np.abs(sample.outputs).max(axis=0), 1e-300)
    outputs, m = sample.outputs / units, len(result.objectives)
    for name, column in zip(_names(result), outputs.T, strict=False):
        yield name, tamed(column)
    if _has_depths(result):
        outputs[:, :m] *= result.sign
        front = np.clip(result.F / units[:m], -1.0, 1.0) * result.sign
        yield HYPERVOLUME, depths(outputs, front, m)


def _explained(
    values: Floats, factors: list[Factor], covariances: Covariances
) -> dict[str, Any]:
    """What a surrogate says about one output."""
    designs = len(values)
    if not factors or np.ptp(values) <= SAME:
        return _unknown(designs, "the same in all designs")
    with np.errstate(all="ignore"):
        found = explain(covariances, values)
    if not found.explained >= LEAST_EXPLAINED:
        share = found.explained if found.explained > 0.0 else 0.0
        why = f"a surrogate explains only {share:.0%} of designs that it has not seen"
        return _unknown(designs, why)
    return _tidy(
        source=SURROGATE,
        explained=found.explained,
        designs=designs,
        note=_form(factors, found),
        shares=_by_part(factors, found),
        single=_by_name(factors, found),
        pairs=_pairs(factors, found),
    )


def _by_part(
    factors: list[Factor], found: Explained
) -> dict[str, tuple[float, float | None]]:
    """Share and standard error of every part."""
    shares: dict[str, tuple[float, float | None]] = {}
    for part in dict.fromkeys(factor.part for factor in factors):
        own = [b for b, factor in enumerate(factors) if factor.part == part]
        error = standard_error(found.without[:, own].sum(axis=1))
        share = float(found.shares[own].sum())
        shares[part] = share * found.explained, float(error) * found.explained
    return shares


def _by_name(factors: list[Factor], found: Explained) -> dict[str, float]:
    """Share of every position or item."""
    shares: dict[str, float] = {}
    for factor, share in zip(factors, found.shares, strict=True):
        own = factor.split(found.alpha)
        own = own / (own.sum() or 1.0) * share * found.explained
        for name, part in zip(factor.names, own.tolist(), strict=True):
            shares[name] = shares.get(name, 0.0) + part
    return shares


def _pairs(factors: list[Factor], found: Explained) -> list[tuple[str, str, float]]:
    """What two things do together beyond what each does alone."""
    names = [f.names[0] if len(f.names) == 1 else f.part for f in factors]
    together: dict[tuple[str, str], float] = {}
    for a, b in np.argwhere(found.pairs > 0.0):
        if names[a] != names[b]:
            pair = names[a], names[b]
            share = found.explained * float(found.pairs[a, b])
            together[pair] = together.get(pair, 0.0) + share
    return [(*pair, share) for pair, share in together.items()]


def _form(factors: list[Factor], found: Explained) -> str:
    """In which terms the largest order is best understood, in words."""
    forms = [b for b, factor in enumerate(factors) if factor.form]
    if not forms:
        return ""
    best = max(forms, key=lambda b: found.shares[b])
    return factors[best].form if found.shares[best] > 0.1 else ""


# --- plain data


def _tidy(
    source: str,
    explained: float | None,
    designs: int,
    note: str,
    shares: Mapping[str, tuple[float, float | None]],
    single: Mapping[str, float],
    pairs: list[tuple[str, str, float]],
) -> dict[str, Any]:
    """Sorted, rounded, and short enough for a file."""
    ordered = sorted(shares.items(), key=lambda item: -item[1][0])
    largest = sorted(single.items(), key=lambda item: -item[1])
    rest = sum(share for _, share in largest[MOST_SINGLE:])
    largest = [*largest[:MOST_SINGLE], *([(OTHERS, rest)] if rest > 0.0 else [])]
    together = sorted(pairs, key=lambda pair: -pair[2])[:MOST_PAIRS]
    return {
        "source": source,
        "explained": None if explained is None else round(explained, DECIMALS),
        "designs": designs,
        "note": note,
        "shares": {name: [_rounded(n) for n in numbers] for name, numbers in ordered},
        "single": {name: _rounded(share) for name, share in largest},
        "pairs": [[a, b, _rounded(s)] for a, b, s in together if s >= LEAST_PAIR],
    }


def _rounded(number: float | None) -> float | None:
    """A share with few decimals, rounded down: they must not add up to more than 1."""
    scale = 10**DECIMALS
    return None if number is None else math.floor(float(number) * scale) / scale
