"""What stands in a report for who has no JavaScript, and on paper."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from html import escape
from itertools import combinations
from typing import Any

import numpy as np

from divlearn.basics.text import one_line
from divlearn.basics.units import unit_of, with_unit
from divlearn.basics.version import __version__
from divlearn.metrics.dominance import SIGNS
from divlearn.result.report import seconds_text
from divlearn.web.picture import front_picture
from divlearn.web.view import as_text

#: Rows and columns of the table, and pictures of pairs of objectives.
MOST_ROWS, MOST_COLUMNS, MOST_PICTURES = 2_000, 16, 6
#: Characters from which a text of users scrolls in a place of its own.
ENDLESS = 100


def content_of(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of the page; a script fills the one called live."""
    yield _head(view)
    yield '<div id="live" class="live"></div>'
    yield '<div class="static">'
    if view["kind"] == "benchmark":
        yield from _means(view)
    else:
        yield from _pictures(view)
        yield from _table(view)
        yield from _matters(view)
    yield "</div>"
    yield from _reasons(view)
    made = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(view["made"]))
    yield (
        f"<footer>Made by divlearn {__version__}, {made}. It asks no other computer "
        "for anything.</footer>"
    )


def _head(view: Mapping[str, Any]) -> str:
    """What it is, what it cost, and what was found."""
    of = f" of {view['budget']:,}" if view.get("budget") else ""
    seed = "" if view["seed"] is None else f", seed {view['seed']}"
    found = "finished runs" if view["kind"] == "benchmark" else "solutions on the front"
    facts = [
        f"{view['evaluations']:,}{of} evaluations in {seconds_text(view['seconds'])}",
        f"{view['front_size']:,} {found}",
    ]
    if view.get("ratio") is not None:
        facts.append(f"hypervolume {view['ratio']:.4g} of 1")
    elif view.get("hypervolume") is not None:
        facts.append(f"hypervolume {view['hypervolume']:.6g}")
    if view.get("stopped"):
        facts.append(f"stopped: {view['stopped']}")
    title, state = _said(view["problem"]), escape(view["state"])
    about = _said(view["file"])
    if view["method"]:
        about += f", method {escape(view['method'])}{seed}"
    return (
        f'<header class="card head"><div><h1>{title}</h1>'
        f'<p class="about">{about}</p><p>{escape(" · ".join(facts))}</p></div>'
        f'<span class="pill {state}">{state}</span></header>'
    )


def _said(text: str) -> str:
    """Text of users: its direction is its own, and a long one scrolls in its place."""
    endless = ' class="endless" tabindex="0"' if len(text) > ENDLESS else ""
    return f"<bdi{endless}>{escape(text)}</bdi>"


def _means(view: Mapping[str, Any]) -> Iterator[str]:
    """Means of a benchmark, a table each."""
    for table in view["tables"]:
        titles = "".join(_heading(title) for title in ["problem", *table["columns"]])
        yield f'<section class="card long-card"><h2>{escape(table["title"])}</h2>'
        yield f'<table class="rows"><thead><tr>{titles}</tr></thead><tbody>'
        for name, row in zip(table["names"], table["rows"], strict=True):
            cells = "".join(_mean(cell) for cell in row)
            yield f'<tr><th scope="row">{_said(name)}</th>{cells}</tr>'
        yield "</tbody></table></section>"


def _mean(cell: Mapping[str, Any] | None) -> str:
    """A mean with its interval."""
    if cell is None:
        return "<td>-</td>"
    text = f"{cell['mean']:.4g}"
    if cell["runs"] > 1:
        text += f" ({cell['low']:.4g} to {cell['high']:.4g})"
    return f'<td class="num">{text}</td>'


def _heading(title: str) -> str:
    """The head of a column."""
    return f'<th scope="col">{_said(title)}</th>'


def _pictures(view: Mapping[str, Any]) -> Iterator[str]:
    """The front, every pair of objectives."""
    objectives = view["objectives"]
    values = np.array(view["front"]["F"], float).T
    yield '<section class="card"><h2>Front</h2>'
    if not len(values):
        yield "<p>No solution was found so far.</p>"
    elif len(objectives) > 1:
        sign = np.array([SIGNS[one["sense"]] for one in objectives])
        yield '<div class="pictures">'
        for axes in list(combinations(range(len(objectives)), 2))[:MOST_PICTURES]:
            yield front_picture(values, sign, objectives, axes)
        yield '</div><p class="muted">The diamond marks the knee.</p>'
    yield "</section>"


def _table(view: Mapping[str, Any]) -> Iterator[str]:
    """The front as a table, in the order of the first objective."""
    front = view["front"]
    columns = _columns(view)
    order = _order(view)
    more = len(order) - MOST_ROWS
    titles = ["solution", "trial", *columns]
    cells = map(_heading, titles)
    yield '<section class="card long-card"><h2>Solutions</h2><div class="scroll">'
    yield f'<table class="rows"><thead><tr>{"".join(cells)}</tr></thead><tbody>'
    for row, i in enumerate(order[:MOST_ROWS]):
        values = "".join(_cell(column[i]) for column in columns.values())
        yield f'<tr><th scope="row">{row}</th>{_cell(front["numbers"][i])}{values}</tr>'
    yield "</tbody></table></div>"
    if more > 0:
        yield f"<p>and {more:,} more, which are in the data of this file</p>"
    yield "</section>"


def _columns(view: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Objectives, constraints, metrics and knobs by title, or designs as text."""
    front = view["front"]
    titles = [with_unit(one["name"], one["unit"]) for one in view["objectives"]]
    columns = dict(zip(titles, front["F"], strict=True))
    for group in ("G", "extras", "knobs"):
        named = {with_unit(n, unit_of(front["units"], n)): n for n in front[group]}
        columns |= {t: front[group][n] for t, n in named.items() if t not in columns}
    if not front["knobs"]:
        columns["design"] = [None if x is None else as_text(x) for x in view["designs"]]
    return dict(list(columns.items())[:MOST_COLUMNS])


def _order(view: Mapping[str, Any]) -> list[int]:
    """Rows of the front sorted by their objectives, the best of the first one first."""
    signs = [SIGNS[one["sense"]] for one in view["objectives"]]
    columns = zip(signs, view["front"]["F"], strict=True)
    keys = zip(*([sign * v for v in column] for sign, column in columns), strict=True)
    return [i for _, i in sorted((key, i) for i, key in enumerate(keys))]


def _cell(value: Any) -> str:
    """A cell of a table."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f'<td class="num">{value:.6g}</td>'
    text = "" if value is None else one_line(str(value), 160)
    return f"<td><bdi>{escape(text)}</bdi></td>"


def _matters(view: Mapping[str, Any]) -> Iterator[str]:
    """What matters, in words."""
    matters = view["matters"] or {}
    targets = [t for t in matters.get("targets", []) if t["shares"]]
    if not targets:
        return
    yield '<section class="card"><h2>What matters</h2><ul class="plain">'
    for target in targets:
        shares = ", ".join(
            f"{one['knob']} {one['share']:.0%}"
            for one in target["shares"][:6]
            if one["share"] >= 0.01
        )
        sure = f'<span class="muted">({escape(target["sure"])})</span>'
        words = _said(f"{target['name']}: {shares}")
        yield f"<li>{words} {sure}</li>"
    yield "</ul></section>"


def _reasons(view: Mapping[str, Any]) -> Iterator[str]:
    """Why evaluations gave no values."""
    if not view["reasons"]:
        return
    yield '<section class="card long-card"><h2>Evaluations without values</h2>'
    yield '<ul class="plain">'
    for one in view["reasons"][:20]:
        yield (
            f"<li>{one['count']:,} {escape(one['kind'])}: {_said(one['message'])}</li>"
        )
    yield "</ul></section>"
