"""Numbers of tables as text."""

from __future__ import annotations

import math

from divlearn.lab.bench.statistics import Spread
from divlearn.metrics import Comparison, Summary

#: Digits after the point.
DECIMALS = {
    "hypervolume": 4,
    "observed_hypervolume": 4,
    "percent": 2,
    "front_size": 0,
    "coverage": 3,
    "adjusted_diversity": 2,
    "raw_diversity": 3,
    "knn_diversity": 3,
    "spread": 3,
    "mean_reward": 4,
    "mean_objective": 3,
    "redundancy": 2,
}
PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
NOTHING = "-"


def decimals_of(measure: str) -> int:
    """Digits after the point, also of measures that are not divlearn's own."""
    return DECIMALS.get(measure, 4)


def measure_text(measure: str, summary: Summary | None, spread: float | None) -> str:
    """Write a mean, with what stands behind it if ``spread`` is given.

    Examples
    --------
    >>> from divlearn.metrics import summarize
    >>> measure_text("hypervolume", summarize([0.5, 0.6]), spread=0.05)
    '0.5500 ± 0.0500'
    >>> measure_text("operations", summarize([1.234e9]), spread=None)
    '1.23G'
    """
    if summary is None:
        return NOTHING
    if measure == "operations":
        return short_count(summary.mean)
    if measure in ("cpu_seconds", "seconds"):
        return short_seconds(summary.mean)
    if measure == "evaluations":
        return f"{summary.mean:,.0f}"
    decimals = decimals_of(measure)
    text = f"{summary.mean:.{decimals}f}"
    if spread is None or math.isnan(spread):
        return text
    return f"{text} ± {spread:.{decimals}f}"


def spread_text(
    measure: str, spread: Spread, deviation: str, less_is_better: bool
) -> str:
    """Write what many values are like, in one of the ways of a suite.

    Examples
    --------
    >>> from divlearn.lab.bench.statistics import spread_of
    >>> spread = spread_of([0.5, 0.6, 0.8])
    >>> spread_text("hypervolume", spread, "quartiles", False)
    '0.6000 (0.5500 to 0.7000)'
    >>> spread_text("hypervolume", spread, "worst", False)
    '0.6333 (worst 0.5000)'
    >>> spread_text("hypervolume", spread, "stability", False)
    '0.6333 (stability 4.15)'
    """
    if not spread.count:
        return NOTHING
    digits = f".{decimals_of(measure)}f"
    if deviation == "quartiles":
        low, high = spread.low_quartile, spread.high_quartile
        return f"{spread.median:{digits}} ({low:{digits}} to {high:{digits}})"
    worst = spread.greatest if less_is_better else spread.least
    behind = {
        "worst": f"worst {worst:{digits}}",
        "variation": f"CV {spread.variation:.2%}",
        "stability": f"stability {spread.stability:.3g}",
    }
    return f"{spread.mean:{digits}} ({behind[deviation]})"


def short_count(number: float) -> str:
    """Write a large number with three digits.

    Examples
    --------
    >>> short_count(123_456_789.0), short_count(999.0)
    ('123M', '999')
    """
    for size, prefix in PREFIXES:
        if number >= 0.9995 * size:
            return f"{_three_digits(number / size)}{prefix}"
    return f"{number:.0f}"


def short_seconds(seconds: float) -> str:
    """Write seconds with three digits.

    Examples
    --------
    >>> short_seconds(0.0123), short_seconds(12.34), short_seconds(1234.5)
    ('0.012', '12.3', '1234')
    """
    if seconds >= 100:
        return f"{seconds:.0f}"
    return f"{seconds:.1f}" if seconds >= 10 else f"{seconds:.{3 - (seconds >= 1)}f}"


def _three_digits(number: float) -> str:
    """Write a number from 1 to 1000."""
    return f"{number:.{2 - min(2, int(math.log10(max(1.0, number))))}f}"


def difference_text(comparison: Comparison, decimals: int) -> str:
    """Write a mean difference with its standard error."""
    text = f"{comparison.mean_difference:+.{decimals}f}"
    if math.isnan(comparison.standard_error):
        return text
    return f"{text} ± {comparison.standard_error:.{decimals}f}"


def p_text(p_value: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> p_text(0.0625), p_text(1e-9)
    ('0.062', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def score_text(comparison: Comparison) -> str:
    """Write wins, ties and losses."""
    return f"{comparison.wins}-{comparison.ties}-{comparison.losses}"
