"""A result in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import one_line, printable
from divlearn.basics.units import measured, unit_of
from divlearn.metrics import hypervolume_is_exact
from divlearn.result.tally import ENDS, KNOWN, OK, REUSED

if TYPE_CHECKING:
    from divlearn.result.front import Result


def summary(result: Result) -> str:
    """Say in a few lines what was found, see :meth:`Result.summary`."""
    count = len(result.F)
    head = f"{result.problem or 'result'}: " + (
        f"{count:,} {'solution' if count == 1 else 'solutions'} on the front"
        if count
        else _nothing(result)
    )
    lines = [
        head,
        f"  {result.evaluations:,} evaluations in {seconds_text(result.seconds)}"
        f"{_how(result)}",
        *(f"  {line}" for line in ends(result.counts, result.failures)),
    ]
    if result.stopped:
        lines.append(f"  stopped: {result.stopped}")
    if count:
        lines += ["", *_objective_table(result)]
        lines += [f"  {line}" for line in _hypervolume_lines(result)]
    elif result.constraints and _has_values(result):
        lines.append(
            "  a solution is feasible if every constraint value is <= 0 "
            f"({', '.join(result.constraints)}); search longer or give repair="
        )
    return "\n".join(map(printable, lines))


def ends(
    counts: Mapping[str, int], failures: Sequence[Mapping[str, Any]], most: int = 3
) -> Iterator[str]:
    """Yield what was known before, and how evaluations ended unless all went well."""
    if known := counts.get(KNOWN):
        yield f"{known:,} known {'design' if known == 1 else 'designs'}, at no cost"
    bad = [state for state in ENDS[1:] if counts.get(state)]
    reused = counts.get(REUSED, 0)
    if bad or reused:
        words = ", ".join(f"{counts.get(state, 0):,} {state}" for state in (OK, *bad))
        yield words + (f" ({reused:,} answered by earlier ones)" if reused else "")
    for reason in failures[:most]:
        if reason["message"]:
            yield f"{reason['count']:,} {reason['kind']}: {one_line(reason['message'])}"
    others = sum(reason["count"] for reason in failures[most:])
    if others:
        yield f"{others:,} for other reasons"


def why_empty(result: Result) -> str:
    """Why there is nothing to choose from, and what to do about it."""
    if not _has_values(result):
        return f"{_nothing(result)}, so there is nothing to choose"
    return (
        "no feasible solution was found, so there is none to choose; search longer, or "
        "check the constraints"
    )


def _nothing(result: Result) -> str:
    """What to say if there is no front."""
    if not result.evaluations and not result.counts.get(KNOWN):
        return "nothing was evaluated"
    if not _has_values(result):
        return f"none of {result.evaluations:,} evaluations gave values"
    return "no feasible solution found"


def _has_values(result: Result) -> bool:
    """Whether any evaluation gave values, as far as known."""
    if result.counts.get(KNOWN):
        return True
    return bool(result.evaluations) and result.counts.get(OK, 1) > 0


def seconds_text(seconds: float) -> str:
    """Write a time the way people say it."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _how(result: Result) -> str:
    """Give method and seed in brackets, if known."""
    known = [result.method] if result.method else []
    if result.seed is not None:
        known.append(f"seed {result.seed}")
    return f" ({', '.join(known)})" if known else ""


def _objective_table(result: Result) -> Iterator[str]:
    """Yield one line per objective: what is best and what the front spans."""
    best = (result.F * result.sign).min(axis=0) * result.sign
    worst = (result.F * result.sign).max(axis=0) * result.sign
    rows = [("objective", "sense", "best", "worst")]
    for j, (name, sense) in enumerate(result.objectives.items()):
        row = result.label(name), sense, f"{best[j]:.6g}", f"{worst[j]:.6g}"
        rows.append(row)
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for name, sense, *numbers in rows:
        cells = (f"{n:>{w}}" for n, w in zip(numbers, widths[2:], strict=True))
        yield f"  {name:{widths[0]}}  {sense:{widths[1]}}  {'  '.join(cells)}"


def _hypervolume_lines(result: Result) -> Iterator[str]:
    """Yield the hypervolume, if the problem has a reference point, and the knee."""
    knee = ", ".join(
        f"{name} {measured(f'{v:.6g}', unit_of(result.units, name))}"
        for name, v in result.knee().f.items()
    )
    yield f"knee (a balanced choice): {knee}"
    if result.reference is None:
        return
    value = result.hypervolume()
    meaning = (
        f"above the reference point {_point(result.reference)}"
        if result.ideal is None
        else f"of 1 between {_point(result.reference)} and {_point(result.ideal)}"
    )
    exact = hypervolume_is_exact(len(result.objectives))
    note = "" if exact else " (approximate, because there are many objectives)"
    yield f"hypervolume: {value:.6g} {meaning}{note}"


def _point(point: Any) -> str:
    """Write a point of objective space."""
    return "(" + ", ".join(f"{number:g}" for number in point) + ")"
