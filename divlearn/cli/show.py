"""``divlearn show``: where a study is, looked at from outside."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import as_json as write_json
from divlearn.basics.text import one_line, printable
from divlearn.basics.wrapping import columns, wrapped
from divlearn.cli.command import Command, argument, command, flag
from divlearn.cli.output import DONE, echo

if TYPE_CHECKING:
    from divlearn.result import Result
    from divlearn.study import Summary

#: Solutions of a front that fit on a screen.
MOST_SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class Show(Command):
    """Show how a study is doing.

    Its state, speed, time left, failures and front.
    """

    study: str = argument("STUDY", "File of a study, such as chip.db.")
    explain: bool = flag(
        "Show what matters for which objective, and what good designs share."
    )

    def execute(self) -> int:
        """Print what the file says."""
        from divlearn.study import summary

        seen = summary(self.study)
        width = columns()
        if self.as_json:
            more = _understood(seen.front) if self.explain else {}
            echo(write_json(seen.to_dict() | more, default=_plain))
        else:
            text = seen.front.explain() if self.explain else as_text(seen, width)
            echo(wrapped(text, width))
        return DONE


show = command(Show)


def as_text(seen: Summary, width: int | None = None) -> str:
    """Say in a few lines where a study is; a table is no wider than ``width``."""
    from divlearn.result.report import ends

    lines = [f"{seen.path}: {seen.problem}, {seen.method}, seed {seen.seed}"]
    if seen.fork_of is not None:
        lines.append(f"  a fork of {seen.fork_of}")
    by = f" (process {seen.holder})" if seen.holder else ""
    lines.append(f"  {seen.state}{by}: {_progress(seen)}")
    lines.append(f"  {_counts(seen) or 'no candidates yet'}")
    lines += [f"  {line}" for line in ends({}, seen.reasons)]
    if seen.stopped:
        lines.append(f"  stopped: {seen.stopped}")
    if seen.hypervolume is not None:
        volume, ratio = seen.hypervolume, seen.hypervolume_ratio
        text = f"{volume:.6g}" if ratio is None else f"{volume:.6g} (ratio {ratio:.4f})"
        lines.append(f"  hypervolume {text}")
    lines += ["", *_front(seen, width)]
    if seen.state == "stopped" and seen.origin is not None:
        lines += ["", f"To continue: divlearn resume {seen.path}"]
    return "\n".join(map(printable, lines))


def _counts(seen: Summary) -> str:
    """How many candidates are in which state."""
    # What was running when the process ended is run again when it goes on.
    words = {} if seen.state == "running" else {"running": "cut off"}
    parts = [f"{n:,} {words.get(state, state)}" for state, n in seen.counts.items()]
    if seen.enqueued:
        parts.append(f"{seen.enqueued:,} enqueued")
    return ", ".join(parts)


def _progress(seen: Summary) -> str:
    """How far it is, how fast and for how long."""
    from divlearn.terminal.words import speed

    of = "" if seen.budget is None else f" of {seen.budget:,}"
    parts = [f"{seen.evaluations:,}{of} evaluations in {_duration(seen.seconds)}"]
    if seen.rate is not None:
        parts.append(f"{speed(seen.rate / 3600)} over the last {seen.recent}")
    if seen.average is not None:
        parts.append(f"{speed(seen.average / 3600)} on average")
    if seen.state == "running" and seen.seconds_left:
        parts.append(f"about {_duration(seen.seconds_left)} left")
    if seen.last_outcome is not None:
        ago = max(0.0, time.time() - seen.last_outcome)
        parts.append(f"last outcome {_duration(ago)} ago")
    return ", ".join(parts)


def _front(seen: Summary, width: int | None) -> list[str]:
    """The front as a table, the middle left out where it is long."""
    front = seen.front
    if not len(front.F):
        done = seen.counts.get("ok", 0) + seen.counts.get("known", 0)
        nothing = f"none of {seen.evaluations:,} evaluations gave values"
        if not done:
            return [nothing if seen.evaluations else "nothing was evaluated yet"]
        limits = ", ".join(front.constraints)
        return [f"no feasible solution yet: all {done:,} with values violate {limits}"]
    kept = list(range(len(front.F)))
    if len(kept) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        kept = [*kept[:half], *kept[-half:]]
    names = ["trial", *front.objectives, *front.constraints]
    names += _more(front)
    lines = _table([names, *(_row(front, i) for i in kept)], width)
    left = len(front.F) - len(kept)
    if left:
        lines.insert(1 + MOST_SHOWN // 2, f"  ... {left:,} more ...")
    return [f"front of {len(front.F):,}:", *lines]


def _table(rows: list[list[str]], width: int | None) -> list[str]:
    """Rows below a header; where that is too wide, every number with its name."""
    header, *others = rows
    widths = [max(len(row[j]) for row in rows) for j in range(len(header))]
    if width is None or sum(widths) + 2 * len(widths) <= width:
        return [
            "  " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))
            for row in rows
        ]
    named = (zip(header, row, strict=True) for row in others)
    return ["", *("  " + ", ".join(f"{n} {c}" for n, c in row) for row in named)]


def _more(front: Result) -> dict[str, Any]:
    """Columns after the values: extra metrics, and where known designs come from."""
    from divlearn.result.table import with_sources

    return with_sources(front.extras, front.sources)


def _row(front: Result, i: int) -> list[str]:
    """A solution of the front: trial, values, extra metrics, where it comes from."""
    numbers = [f"{value:.6g}" for value in (*front.F[i], *front.G[i])]
    extras = [values[i] for values in _more(front).values()]
    more = [
        one_line(v, 20) if isinstance(v, str) else "" if v is None else f"{v:.6g}"
        for v in extras
    ]
    trial = "" if front.trials is None else str(front.trials[i])
    return [trial, *numbers, *more]


def _understood(front: Result) -> dict[str, Any]:
    """What ``explain`` says, as data."""
    front.understand()
    return dict(front.insights)


def _duration(seconds: float) -> str:
    """A time in the unit that suits it.

    Examples
    --------
    >>> _duration(7), _duration(300), _duration(90_000)
    ('7 s', '5 min', '25 h')
    """
    if seconds < 120:
        return f"{seconds:.3g} s"
    if seconds < 7_200:
        return f"{seconds / 60:.3g} min"
    return f"{seconds / 3_600:.3g} h"


def _plain(value: Any) -> Any:
    """Turn arrays and NumPy numbers into what JSON knows."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
