"""What a search understood about a problem, in words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.text import printable
from divlearn.result.importance.table import Target, certainty
from divlearn.result.understanding import SPACE

if TYPE_CHECKING:
    from divlearn.result.front import Result

#: Entries of a list that are written out.
MOST_ENTRIES = 12
#: Knobs named per output, and the smallest share worth naming.
MOST_KNOBS, LEAST_SHARE = 6, 0.03
#: Characters in a line.
WIDTH = 80
#: Lines on what the front shares.
MOST_LINES = 12
#: Parts of ``learned`` that have their own section, or lines of their own.
MATTERS, PREDICTED = "what_matters", "explained_by"
KINDS = "evaluations_by_kind"
ENTERED, GAINED = "entered_front", "share_of_gain"
SECTIONS = (MATTERS, SPACE, KINDS, ENTERED, GAINED, PREDICTED)
#: Too long to print; it can be read in ``learned``.
TOO_LONG = ("unexplained_history", "course", "tables")
#: What a name in ``learned`` says to a reader, if that is more than its words.
IN_WORDS = {
    "gp": "Gaussian process",
    "repeated_measurements": "evaluations that measured something again",
    "measurements_per_member": "measurements per member of the front",
    "measurement_std": "estimated standard deviation of one measurement",
    "geometry_error": "points behind pair costs: error on held-out differences",
    "values_are_exact": "values predict every output exactly",
    "linkage": "positions that belong together, and are changed as a whole",
    "hidden_constraint": "what a repair or valid leaves alone, as a linear constraint",
    "positions_are_exact": "items at positions predict every output exactly",
    "routes": "orders that are cut into routes",
    "pairing_samples": "random solutions for a model of pairs",
    "pairing_fitted_to": "model of pairs of positions and of items: fitted to",
    "pairing_shared": "model of pairs: shared by the objectives",
    "pairing_error": "model of pairs: error on held-out solutions",
    "actions_certain": "actions known for certain",
    "updates_on_last_weight": "updates of the experts on the last weight",
    "positions_without_majority": "positions without a majority action",
    "least_violation": "no feasible solution; least violation",
}


def explain(result: Result, width: int = WIDTH) -> str:
    """Say what was understood, see :meth:`Result.explain`."""
    lines = list(_wrapped(_head(result), "", width))
    for title, entries in sections(result).items():
        rows = (row for entry in entries for row in _wrapped(entry, "  ", width))
        lines += ["", title, *rows]
    return "\n".join(map(printable, lines))


def sections(result: Result) -> dict[str, list[str]]:
    """What was understood, by title: lines of any length, those inside indented."""
    tellers: dict[str, Callable[[Result], Iterable[str]]] = {
        "What matters (shares of the variance)": _matters,
        f"What all {len(result.F):,} solutions of the front share "
        "(of random designs)": _shared,
        "How the front was found": _found,
        "Settings": _settings,
    }
    told = {title: _entries(tell, result) for title, tell in tellers.items()}
    if not result.learned:
        told["What was learned"] = ["nothing was recorded"]
    return {title: entries for title, entries in told.items() if entries}


def _entries(tell: Callable[[Result], Iterable[str]], result: Result) -> list[str]:
    """The lines of a section; files from others may hold unreadable data."""
    try:
        return list(tell(result))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return ["what was recorded about this cannot be read"]


def _head(result: Result) -> str:
    """What is explained."""
    count = len(result.F)
    return (
        f"{result.problem or 'result'}: {count:,} solution{'' if count == 1 else 's'} "
        f"from {result.evaluations:,} evaluations"
    )


def _method(result: Result) -> str:
    """Method and seed."""
    from divlearn.methods.names import all_methods

    method = result.method or "unknown"
    about = all_methods().get(method)
    seed = "" if result.seed is None else f", seed {result.seed}"
    return f"method: {method}" + (f" ({about})" if about else "") + seed


def _wrapped(text: str, indent: str, width: int) -> list[str]:
    """Break a line by words, the rest indented further."""
    own = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(),
        width,
        initial_indent=indent + own,
        subsequent_indent=indent + own + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


# --- what matters, and what the front has in common


def _matters(result: Result) -> Iterator[str]:
    """Yield what every output depends on, or why that is not known."""
    targets = result.importance().targets.values()
    if not any(target.source or target.designs for target in targets):
        return
    for target in targets:
        if target.known:
            yield f"{target.name}: {_dependence(target)}"
        else:
            yield f"{target.name}: {certainty(target)}"


def _dependence(target: Target) -> str:
    """What one output depends on."""
    shares = {name: share for name, (share, _) in target.shares.items()}
    named = [n for n, share in shares.items() if share >= LEAST_SHARE][:MOST_KNOBS]
    words = [f"{name} {_share(target, name)}" for name in named]
    rest = sum(share for name, share in shares.items() if name not in named)
    if named and rest >= 0.005:
        words.append(f"all others {rest:.0%}")
    pairs = [f"{p.first} with {p.second} {p.share:.0%}" for p in target.pairs[:2]]
    if pairs:
        words.append(f"of it in pairs: {', '.join(pairs)}")
    return f"{', '.join(words)} ({certainty(target)})"


def _share(target: Target, name: str) -> str:
    """A share, with its standard error where that is not small."""
    share, error = target.shares[name]
    doubt = f" ± {100 * error:.0f}" if error is not None and error >= 0.005 else ""
    return f"{share:.0%}{doubt}"


def _shared(result: Result) -> list[str]:
    """What all solutions of the front have in common, the most surprising first."""
    if SPACE not in result.learned or len(result.F) < 2:
        return []
    lines = result.common().lines
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([f"and {more} more"] if more > 0 else [])] or [
        "nothing"
    ]


# --- how it was found


def _found(result: Result) -> Iterator[str]:
    """Yield how evaluations were made and what they gained, then all the rest."""
    learned = result.learned
    yield _method(result)
    entered, gained = learned.get(ENTERED, {}), learned.get(GAINED, {})
    for kind, count in learned.get(KINDS, {}).items():
        plural = "" if count == 1 else "s"
        words = f"{_told(kind)}: {_value(count)} evaluation{plural}"
        if kind in entered:
            words += f", {entered[kind]:.0%} of them entered the front"
        if kind in gained:
            words += f", {gained[kind]:.0%} of its gain"
        yield words
    yield from map(_predicted, learned.get(PREDICTED, []))
    rest = {k: v for k, v in learned.items() if k not in (*SECTIONS, *TOO_LONG)}
    yield from _outline(rest, 0)


def _predicted(row: Mapping[str, Any]) -> str:
    """How well tables predict the differences that steps make to one output."""
    errors = {n: q for n, q in row.items() if n not in ("output", "by")}
    words = f"differences of {row['output']}: best predicted by {row['by']}"
    if row["by"] in errors:
        words += f", which leaves {errors.pop(row['by']):.0%}"
    others = [f"{name} {q:.0%}" for name, q in errors.items() if q < 1.0]
    return words + (f" ({', '.join(others)})" if others else "")


def _settings(result: Result) -> Iterator[str]:
    """Yield the settings of what ran, a line per group."""
    settings = dict(result.settings)
    if settings.pop("method", None) == "dl":
        yield _pairs({"initial": settings.pop("initial"), **_unusual(settings)})
        return
    single = {k: v for k, v in settings.items() if not isinstance(v, Mapping)}
    if _pairs(single):
        yield _pairs(single)
    for name, group in settings.items():
        if isinstance(group, Mapping):
            yield f"{_words(name)}: {_pairs(group)}"


def _unusual(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of ``DL`` that are not the usual ones."""
    from divlearn.methods.dl.method import DL

    usual = DL()
    return {
        name: value
        for name, value in options.items()
        if value not in (getattr(usual, name, None), [], ())
    }


def _pairs(data: Mapping[str, Any]) -> str:
    """Names with values; unset ones are left out."""
    return ", ".join(
        f"{_words(name)} {_value(value)}"
        for name, value in data.items()
        if value is not None
    )


def _outline(data: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield an indented list of names and values."""
    for name, value in data.items():
        label = "  " * depth + _told(name)
        if isinstance(value, Mapping):
            yield label
            yield from _outline(value, depth + 1)
        elif _is_list_of_mappings(value):
            yield label
            for item in value:
                yield "  " * (depth + 1) + _pairs(item)
        else:
            yield f"{label}: {_value(value)}"


def _is_list_of_mappings(value: Any) -> bool:
    """Whether each entry deserves its own line."""
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(item, Mapping) for item in value)
    )


def _told(name: Any) -> str:
    """What a name in ``learned`` says."""
    return IN_WORDS.get(name) or _words(name)


def _words(name: Any) -> str:
    """A name in plain words."""
    return str(name).replace("_", " ")


def _value(value: Any) -> str:
    """Write one value as a reader expects it."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return f"({_pairs(value)})"
    if isinstance(value, (list, tuple)):
        words = [_value(item) for item in value[:MOST_ENTRIES]]
        more = f", ... ({len(value):,} in all)" if len(value) > MOST_ENTRIES else ""
        return ", ".join(words) + more if value else "none"
    if value is None or isinstance(value, bool):
        return {None: "not set", True: "yes", False: "no"}[value]
    if isinstance(value, (int, np.integer)):
        return f"{value:,}"
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    return str(value)
