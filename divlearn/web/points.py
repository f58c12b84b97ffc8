"""Points as a picture needs them: not too many, and not too exact."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats, Integers

#: Points of the small front in a list of studies.
FEW_POINTS = 200


def few(values: Floats) -> list[list[float]]:
    """Some points of a front in its first two objectives, for a small picture."""
    shown = values[:, :2] if len(values) else values
    points: list[list[float]] = rough(shown[thinned(shown, FEW_POINTS)]).tolist()
    return points


def thinned(values: Floats | Integers, most: int) -> Integers:
    """Rows of at most ``most`` values, evenly spaced, the first and last included."""
    if len(values) <= most:
        return np.arange(len(values))
    return np.unique(np.linspace(0, len(values) - 1, most).round().astype(np.int64))


def rough(values: Floats) -> Floats:
    """Numbers to five digits: a picture shows no more, and they take less room."""
    with np.errstate(divide="ignore", invalid="ignore"):
        digits = 4 - np.floor(np.log10(np.abs(values)))
    scale = 10.0 ** np.clip(np.nan_to_num(digits, posinf=0.0), -300, 300)
    rounded: Floats = np.round(values * scale) / scale
    return np.where(np.isfinite(rounded), rounded, values)
