"""Numbers of a search in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlearn.result.report import seconds_text

if TYPE_CHECKING:
    from divlearn.terminal.pace import Reading

#: Seconds without an outcome that are worth a word.
WORTH_A_WORD = 2.0


def compiling(what: str, seconds: float) -> str:
    """Say what is compiled and how long that takes.

    Examples
    --------
    >>> compiling("permutations", 88.9)
    'compiling for permutations, the first time only: about 90 s of CPU time'
    """
    about = max(5, 5 * round(seconds / 5))
    return f"compiling for {what}, the first time only: about {about} s of CPU time"


def facts(reading: Reading) -> list[str]:
    """Say where a search is, one fact after the other."""
    words = [f"{reading.evaluations:,} evaluations"]
    if reading.share is not None:
        words[0] += f" ({reading.share:.0%})"
    if reading.failed:
        words.append(f"{reading.failed:,} failed")
    words.append(speed(reading.rate))
    words.append(f"front {len(reading.front):,}")
    if reading.hypervolume is not None:
        words.append(f"{reading.measure} {reading.hypervolume:.4f}")
    if reading.seconds_left is not None and reading.share != 1.0:
        words.append(f"{duration(reading.seconds_left)} left")
    return words


def waiting(reading: Reading) -> str:
    """Say what is running and for how long nothing came of it; nothing if not long.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn.terminal.pace import Reading
    >>> none = np.empty((0, 2))
    >>> waiting(Reading(0, 0.0, None, None, none, None, "", waited=75.0, running=2))
    '2 evaluations running, no outcome yet after 1 min 15 s'
    """
    if reading.waited < WORTH_A_WORD:
        return ""
    words = []
    if reading.running:
        plural = "" if reading.running == 1 else "s"
        words.append(f"{reading.running:,} evaluation{plural} running")
    since = duration(reading.waited)
    words.append(
        f"last outcome {since} ago" if reading.new else f"no outcome yet after {since}"
    )
    return ", ".join(words)


def speed(per_second: float) -> str:
    """Write a speed: whole numbers, but what is slow with its digits.

    Examples
    --------
    >>> speed(512345.6), speed(0.25), speed(0.002)
    ('512,346 per second', '0.25 per second', '7.2 per hour')
    """
    if 0 < per_second < 0.1:
        return f"{3600 * per_second:.3g} per hour"
    number = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"
    return f"{number} per second"


def duration(seconds: float) -> str:
    """Write a time without digits that change too fast to read.

    Examples
    --------
    >>> duration(0.4213), duration(42.4), duration(600), duration(7260)
    ('0.4 s', '42 s', '10 min 0 s', '2 h 1 min')
    """
    return seconds_text(round(seconds, 1 if seconds < 10 else 0))
