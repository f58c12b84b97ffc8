"""Numbers of a search in words."""

from __future__ import annotations

from divlearn.result.report import seconds_text
from divlearn.terminal.pace import Reading


def facts(reading: Reading) -> list[str]:
    """Say where a search is, one fact after the other."""
    words = [f"{reading.evaluations:,} evaluations"]
    if reading.share is not None:
        words[0] += f" ({reading.share:.0%})"
    words.append(f"{rate(reading.rate)} per second")
    words.append(f"front {len(reading.front):,}")
    if reading.hypervolume is not None:
        words.append(f"{reading.measure} {reading.hypervolume:.4f}")
    if reading.seconds_left is not None and reading.share != 1.0:
        words.append(f"{duration(reading.seconds_left)} left")
    return words


def rate(per_second: float) -> str:
    """Write a speed: whole numbers, but what is slow with its digits.

    Examples
    --------
    >>> rate(512345.6), rate(0.25)
    ('512,346', '0.25')
    """
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"


def duration(seconds: float) -> str:
    """Write a time without digits that change too fast to read.

    Examples
    --------
    >>> duration(0.4213), duration(42.4), duration(600), duration(7260)
    ('0.4 s', '42 s', '10 min 0 s', '2 h 1 min')
    """
    return seconds_text(round(seconds, 1 if seconds < 10 else 0))
