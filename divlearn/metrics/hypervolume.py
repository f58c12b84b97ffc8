"""The volume of objective space that a set of points dominates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Objectives
from divlearn.metrics.dominance import read_point, read_points, read_signs

MOST_EXACT_OBJECTIVES = 6
#: Limit of the library that measures volumes.
MAX_OBJECTIVES = 31
SAMPLES = 2**18
#: Powers of two, over all objectives, up to which volumes are measured directly.
USUAL_BITS = 900


def hypervolume(
    F: ArrayLike,  # noqa: N803 - the public name
    reference: ArrayLike,
    ideal: ArrayLike | None = None,
    senses: Sequence[str] | None = None,
) -> float:
    """Measure how much of objective space the points dominate, up to the reference.

    Exact for up to six objectives. Above that the exact value takes too long, so it is
    approximated by sampling 2**18 directions. They are always the same, so equal points
    give equal values, and more points never give less (error about 0.1 to 0.3 %).
    :func:`hypervolume_is_exact` says which of the two it is.

    Parameters
    ----------
    F
        Objective values, shape (q, m). Points that are not better than the reference
        in every objective contribute nothing; no points at all give 0.
    reference
        Point that is worse than anything you hope for, shape (m,).
    ideal
        Point that is better than anything you can reach, shape (m,). If given, the
        result is the ratio of the volume to that of the box between the two points: the
        measure of the paper's tables, between 0 and 1.
    senses
        ``"min"`` or ``"max"`` per objective; all minimised if None.

    Returns
    -------
    The volume or, with ``ideal``, the ratio. A volume that is too large for a float is
    infinite, one that is too small is 0; a ratio never suffers from this.

    Examples
    --------
    >>> from divlearn.metrics import hypervolume
    >>> hypervolume([[1, 3], [2, 2]], reference=(4, 4))
    5.0
    >>> hypervolume([[1, 3], [2, 2]], reference=(4, 4), ideal=(0, 0))
    0.3125
    >>> hypervolume([[5, 2]], reference=(1, 4), senses=("max", "min"))
    8.0
    """
    points = read_points(F)
    num_objectives = points.shape[1] or np.size(np.asarray(reference, object))
    if num_objectives > MAX_OBJECTIVES:
        raise InputError(
            f"F may have at most {MAX_OBJECTIVES} objectives, got {num_objectives}; "
            "measure some of them."
        )
    sign = read_signs(senses, num_objectives)
    corner = sign * read_point(reference, num_objectives, "reference")
    best = None if ideal is None else sign * read_point(ideal, len(sign), "ideal")
    if best is not None and (best >= corner).any():
        raise InputError(
            "ideal must be better than reference in every objective, but is not in "
            f"objective {int(np.argmax(best >= corner))}; swap the two points or check "
            f"senses (got ideal = {ideal!r})."
        )
    if not len(points):
        return 0.0
    points = points * sign
    points = points[(points < corner).all(axis=1)]
    return _measured(points, corner, best) if len(points) else 0.0


def hypervolume_is_exact(num_objectives: int) -> bool:
    """Whether :func:`hypervolume` is exact for this many objectives.

    Examples
    --------
    >>> from divlearn.metrics import hypervolume_is_exact
    >>> hypervolume_is_exact(6), hypervolume_is_exact(7)
    (True, False)
    """
    count = require_whole("num_objectives", num_objectives, least=1)
    return count <= MOST_EXACT_OBJECTIVES


def _measured(points: Objectives, corner: Floats, best: Floats | None) -> float:
    """Volume of points below the corner, all minimised; a ratio if there is a box."""
    with np.errstate(over="ignore"):
        gaps = corner - points
        sides = gaps[0] if best is None else corner - best
    if _is_usual(gaps.max(axis=0)) and _is_usual(sides):
        return _volume(gaps) / (1.0 if best is None else float(sides.prod()))
    return _measured_in_units(points, corner, best)


def _is_usual(sizes: Floats) -> bool:
    """Whether products of numbers of these sizes are far from the limits of a float.

    Otherwise the library that measures volumes may end the process.
    """
    bits = np.abs(np.frexp(sizes)[1]).sum()
    return bool(np.isfinite(sizes).all() and bits <= USUAL_BITS)


def _measured_in_units(
    points: Objectives, corner: Floats, best: Floats | None
) -> float:
    """Like :func:`_measured`, with powers of two as units to keep products finite."""
    rows = np.vstack([points, corner, corner if best is None else best])
    units = np.frexp(np.abs(rows).max(axis=0))[1]
    rows = np.ldexp(rows, -units)
    gaps = rows[-2] - rows[:-2]
    gaps = gaps[(gaps > 0).all(axis=1)]
    if not len(gaps):  # negligible next to the sizes of these objectives
        return 0.0
    bits = np.frexp(gaps.max(axis=0))[1]
    volume = _volume(np.ldexp(gaps, -bits))
    if best is None:
        mantissas, bits = np.ones(1), bits + units
    else:
        mantissas, powers = np.frexp(rows[-2] - rows[-1])
        bits = bits - powers
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        return float(np.ldexp(volume / mantissas.prod(), int(bits.sum())))


def _volume(gaps: Objectives) -> float:
    """Volume of the union of the boxes from 0 to each row of ``gaps``, all positive."""
    import moocore

    if hypervolume_is_exact(gaps.shape[1]):
        return float(moocore.hypervolume(-gaps, ref=np.zeros(gaps.shape[1])))
    # Sampled directions treat objectives alike only if they have the same scale.
    scale = gaps.max(axis=0)
    volume = moocore.hv_approx(
        -gaps / scale,
        ref=np.zeros(len(scale)),
        nsamples=SAMPLES,
        seed=0,
        method="DZ2019-MC",
    )
    return float(volume * scale.prod())
