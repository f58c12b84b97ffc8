"""``divlearn show``: where a study is, what a result holds, in words or a picture."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.basics.text import printable
from divlearn.basics.wrapping import columns, wrapped
from divlearn.cli.command import Command, argument, command, flag, option
from divlearn.cli.output import DONE, echo
from divlearn.cli.values import Whole

if TYPE_CHECKING:
    from divlearn.result import Result
    from divlearn.study import Summary

#: Largest picture of the front in a terminal, in characters.
PICTURE_SIZE = (56, 10)
#: How files of results begin.
RESULT = b"{"


@dataclass(frozen=True, kw_only=True)
class Show(Command):
    """Show how a study is doing, or what a result holds.

    Its state, speed, time left, failures and front, with the design of every solution;
    or one solution, what matters, or a picture.
    """

    study: str = argument("FILE", "File of a study, such as chip.db, or front.json.")
    explain: bool = flag(
        "Show what matters for which objective, and what good designs share."
    )
    solution: int | None = option(
        Whole(0, "3"), "N", "Show solution N of the front, and its neighbours."
    )
    plot: str | None = option(
        str,
        "KIND",
        "Draw a picture: front, parallel, history, designs, design, importance, "
        "learned, encodings, arms or trace.",
    )
    to: Path | None = option(
        Path, "PICTURE", "File of the picture (png, svg, pdf); FILE-KIND.png if not."
    )

    def execute(self) -> int:
        """Print what the file says."""
        self._require_one_thing()
        seen, front = _opened(self.study)
        if self.plot is not None:
            return self._draw(front, self.plot)
        if self.as_json:
            about = {} if seen is None else seen.to_dict()
            more = _understood(front) if self.explain else {}
            about = about or _plain_result(front)
            echo(write_json(about | more, default=_plain))
        else:
            width = columns()
            echo(wrapped(self._text(seen, front, width), width))
        return DONE

    def _require_one_thing(self) -> None:
        """Refuse options that contradict each other."""
        if self.explain and (self.plot or self.solution is not None):
            raise InputError("--explain goes with neither --plot nor --solution.")
        if self.to is not None and self.plot is None:
            raise InputError("--to needs --plot KIND, which says what to draw.")
        if self.plot not in (None, "design") and self.solution is not None:
            raise InputError("--solution goes with --plot design only.")

    def _text(self, seen: Summary | None, front: Result, width: int | None) -> str:
        """What is shown in words."""
        if self.explain:
            return front.explain(min(80, max(40, width or 80)))
        if self.solution is not None:
            return one_solution(front, self.solution)
        return as_text(seen, width) if seen is not None else of_result(front, width)

    def _draw(self, front: Result, kind: str) -> int:
        """Draw a picture, and say where it is."""
        path = self.to or Path(f"{Path(self.study).with_suffix('')}-{kind}.png")
        options = {} if self.solution is None else {"row": self.solution}
        front.plot(path, kind=kind, **options)
        if self.as_json:
            echo(write_json({"picture": str(path), "kind": kind}))
        else:
            echo(f"Written {path}")
        return DONE


show = command(Show)


def _opened(path: str) -> tuple[Summary | None, Result]:
    """A study and its front; or no study, and a result."""
    from divlearn.result import load
    from divlearn.study import summary

    try:
        with Path(path).open("rb") as file:
            is_result = file.read(1) == RESULT
    except OSError:
        is_result = False
    if is_result:
        return None, load(path)
    seen = summary(path)
    return seen, seen.front


# --- words


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
        lines.append(f"  hypervolume {text}{_bars(seen.front)}")
    lines += ["", *_front(seen, width)]
    if seen.state == "stopped" and seen.origin is not None:
        lines += ["", f"To continue: divlearn resume {seen.path}"]
    return "\n".join(map(printable, lines))


def of_result(result: Result, width: int | None = None) -> str:
    """Say what a result holds, with its front as numbered rows."""
    lines = [result.summary()]
    if bars := _bars(result):
        lines.append(f"  hypervolume over the evaluations{bars}")
    if len(result.F):
        lines += ["", *_drawn(result, width)]
    return "\n".join(lines)


def one_solution(result: Result, number: int) -> str:
    """Show a solution: its values, its design, and what its neighbours would change."""
    choice = result[number]
    lines = [str(choice)]
    for other in result.neighbours(number) if len(result) > 1 else []:
        lines += ["", str(result.compare(number, other.index))]
    return "\n".join(lines)


def _front(seen: Summary, width: int | None) -> list[str]:
    """The front in numbers, or why there is none."""
    front = seen.front
    if len(front.F):
        return _drawn(front, width)
    done = seen.counts.get("ok", 0) + seen.counts.get("known", 0)
    if not done:
        nothing = f"none of {seen.evaluations:,} evaluations gave values"
        return [nothing if seen.evaluations else "nothing was evaluated yet"]
    limits = ", ".join(front.constraints)
    return [f"no feasible solution yet: all {done:,} with values violate {limits}"]


def _drawn(front: Result, width: int | None) -> list[str]:
    """The front as a picture, in a terminal, and as numbered rows."""
    from divlearn.terminal import front_picture, front_rows, shows_unicode

    lines = [f"front of {len(front.F):,}:"]
    if width is not None and len(front.F) > 1 and shows_unicode():
        size = min(PICTURE_SIZE[0], width - 14), PICTURE_SIZE[1]
        named = {front.label(name): s for name, s in front.objectives.items()}
        picture = front_picture(front.F, named, *size)
        lines += [*picture, ""] if picture else []
    return lines + front_rows(front, width)


def _bars(front: Result) -> str:
    """How the hypervolume grew, if the terminal can show it."""
    from divlearn.terminal import shows_unicode, sparkline

    bars = sparkline(front.history["hypervolume"])
    return f"  {bars}" if bars and shows_unicode() else ""


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


# --- data


def _understood(front: Result) -> dict[str, Any]:
    """What ``explain`` says, as data."""
    front.understand()
    return dict(front.insights)


def _plain_result(result: Result) -> dict[str, Any]:
    """What a result holds, as data."""
    words = (
        "problem method seed evaluations seconds stopped counts failures objectives "
        "constraints units F G extras trials sources"
    )
    plain = {name: getattr(result, name) for name in words.split()}
    return plain | {"X": list(result.X)}


def _plain(value: Any) -> Any:
    """Turn arrays and NumPy numbers into what JSON knows."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
