"""Reports of studies as one HTML file that needs no other."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN
from divlearn.lab.paper.study import Figure, Findings, Row, Study, Table
from divlearn.lab.paper.text import (
    CLAIM_COLUMNS,
    CLOCK_REMARK,
    HEADING,
    Found,
    all_claims,
    counted_verdicts,
    form_remark,
    number_text,
)

#: Bytes of the pictures that could be drawn, by study and name.
Pictures = Mapping[tuple[str, str], bytes]

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; }
h2 { border-top: 1px solid #bbb; margin-top: 2.5rem; padding-top: 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: left;
  vertical-align: top; }
td.number { text-align: right; white-space: nowrap; }
figure { margin: 1.5rem 0; }
figure img { max-width: 100%; }
figcaption, p.note { color: #555; font-size: 13px; }
.holds { font-weight: bold; color: #006d4e; }
.fails { font-weight: bold; color: #a83f00; }
.open { color: #555; }
"""
CLASSES = {HOLDS: "holds", FAILS: "fails", OPEN: "open"}


def report_html(found: Found, pictures: Pictures, short: bool) -> str:
    """Write the whole report with its pictures inside."""
    parts = [
        f"<h1>{escape(HEADING)}</h1>",
        _paragraph(form_remark(short)),
        _paragraph(counted_verdicts(all_claims(found))),
        _claims(all_claims(found)),
        _paragraph(CLOCK_REMARK),
    ]
    for study, findings in found:
        parts += _study_parts(study, findings, pictures)
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(HEADING)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _study_parts(study: Study, findings: Findings, pictures: Pictures) -> list[str]:
    """Write one study."""
    command = f"divlearn bench paper-{study.name}"
    parts = [
        f'<h2 id="{escape(study.name)}">{escape(study.title)}</h2>',
        f"<p><code>{escape(command)}</code>, from line {study.line} of the paper.</p>",
        *map(_paragraph, findings.remarks),
        *map(_table, findings.tables),
    ]
    parts += [_figure(study, one, pictures) for one in findings.figures]
    rules = [f"<li>{escape(f'{one.text} {one.rule}')}</li>" for one in findings.claims]
    if rules:
        listed = "\n".join(rules)
        parts.append(f"<h3>How the verdicts follow</h3>\n<ul>\n{listed}\n</ul>")
    return parts


def _paragraph(text: str) -> str:
    """Write a paragraph; `quoted` words become code."""
    pieces = escape(text, quote=False).split("`")
    marked = [f"<code>{p}</code>" if k % 2 else p for k, p in enumerate(pieces)]
    return f"<p>{''.join(marked)}</p>"


def _claims(rows: Sequence[Row]) -> str:
    """Write the claims of all studies with coloured verdicts."""
    head = "".join(f"<th>{escape(title)}</th>" for title in ("study", *CLAIM_COLUMNS))
    lines = []
    for row in rows:
        name, verdict = escape(row["study"]), escape(row["verdict"])
        cells = [f'<td><a href="#{name}">{name}</a></td>']
        cells += [f"<td>{escape(str(row[c]))}</td>" for c in CLAIM_COLUMNS[:-1]]
        cells.append(f'<td class="{CLASSES[row["verdict"]]}">{verdict}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(lines)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


def _table(table: Table) -> str:
    """Write a table with its title and its note."""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f"<h3>{escape(table.title)}</h3>\n{_rows(table.rows)}{note}"


def _rows(rows: Sequence[Row]) -> str:
    """Write rows, numbers to the right."""
    if not rows:
        return "<p>No runs yet.</p>"
    head = "".join(f"<th>{escape(title)}</th>" for title in rows[0])
    lines = []
    for row in rows:
        lines.append(f"<tr>{''.join(map(_cell, row.values()))}</tr>")
    body = "\n".join(lines)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


def _cell(value: Any) -> str:
    """Write a field of a table, a number to the right."""
    kind = "" if isinstance(value, str) else ' class="number"'
    return f"<td{kind}>{escape(number_text(value))}</td>"


def _figure(study: Study, figure: Figure, pictures: Pictures) -> str:
    """Write a picture as part of the page."""
    content = pictures.get((study.name, figure.name))
    if content is None:
        return f"<p>No picture: {escape(figure.title)}</p>"
    data = b64encode(content).decode()
    title = escape(figure.title)
    return (
        f'<figure><img alt="{title}" src="data:image/png;base64,{data}">'
        f"<figcaption>{title}</figcaption></figure>"
    )
