"""Reports of studies as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from divlearn.lab.paper.claims import VERDICTS, Claim
from divlearn.lab.paper.study import Figure, Findings, Row, Study, Table

#: What was found out, study by study.
Found = Sequence[tuple[Study, Findings]]

HEADING = "The paper's studies, measured"
CLOCK_REMARK = "Claims that a clock decides are in `times.md`."
CLAIM_COLUMNS = ("claim", "the paper", "measured", "verdict")


def number_text(value: Any) -> str:
    """Write what stands in a table; numbers with four digits.

    Examples
    --------
    >>> number_text(0.123456), number_text(12345), number_text(None), number_text("UCB")
    ('0.1235', '12,345', '-', 'UCB')
    >>> number_text(1234567.0), number_text(float("nan")), number_text(True)
    ('1,234,567', '-', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, int) or (isinstance(value, float) and abs(value) >= 1e4):
        return f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.3e}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table_markdown(table: Table) -> str:
    """Write a table with its title and its note."""
    return "\n\n".join(
        part
        for part in (f"**{table.title}**", rows_markdown(table.rows), table.note)
        if part
    )


def rows_markdown(rows: Sequence[Row]) -> str:
    """Write rows as a Markdown table, numbers to the right."""
    if not rows:
        return "No runs yet."
    titles = list(rows[0])
    first = rows[0]
    rules = ["---" if isinstance(first[title], str) else "---:" for title in titles]
    lines = [_line(titles), f"|{'|'.join(rules)}|"]
    lines += [_line(number_text(row[title]) for title in titles) for row in rows]
    return "\n".join(lines)


def _line(texts: Iterable[str]) -> str:
    """Write one row; a bar inside a text would begin a new column."""
    return f"| {' | '.join(str(text).replace('|', '/') for text in texts)} |"


def claim_rows(study: Study, claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Claims as rows of a table, with where they stand and how they were decided."""
    return [
        {
            "study": study.name,
            "line": claim.line,
            "claim": claim.text,
            "the paper": claim.paper,
            "measured": claim.measured,
            "verdict": claim.verdict,
            "rule": claim.rule,
        }
        for claim in claims
    ]


def all_claims(found: Found, timed: bool = False) -> list[dict[str, Any]]:
    """Rows of the claims of all studies: those by a clock, or all others."""
    return [
        row
        for study, findings in found
        for row in claim_rows(
            study, findings.timed_claims if timed else findings.claims
        )
    ]


def claims_markdown(rows: Sequence[Row]) -> str:
    """Write claims as one table: claim, paper, measured, verdict."""
    return rows_markdown(
        [
            {"study": row["study"]}
            | {column: row[column] for column in CLAIM_COLUMNS}
            | {"verdict": f"**{row['verdict']}**"}
            for row in rows
        ]
    )


def counted_verdicts(rows: Sequence[Row]) -> str:
    """Say how many claims hold.

    Examples
    --------
    >>> counted_verdicts([])
    'Of 0 claims, 0 hold, 0 do not hold, and 0 are not decided.'
    """
    verdicts = [row["verdict"] for row in rows]
    held, failed, undecided = map(verdicts.count, VERDICTS)
    return (
        f"Of {len(verdicts)} claims, {held} hold, {failed} do not hold, and "
        f"{undecided} "
        "are not decided."
    )


def report_markdown(found: Found, short: bool) -> str:
    """Write the whole report; pictures are those of the studies' directories."""
    rows = all_claims(found)
    parts = [f"# {HEADING}", form_remark(short), counted_verdicts(rows)]
    parts += [claims_markdown(rows), CLOCK_REMARK]
    for study, findings in found:
        parts += [f"## {study.title}", *study_parts(study, findings)]
    return "\n\n".join(parts) + "\n"


def form_remark(short: bool) -> str:
    """Say which form of the studies this is."""
    if short:
        return (
            "Short form: few and small runs, to see that everything works. Verdicts "
            "need the full form, `divlearn bench paper`."
        )
    return "Full form, with the sizes and numbers of runs that the paper states."


def study_parts(study: Study, findings: Findings) -> list[str]:
    """Write one study: remarks, tables, figures, rules of its verdicts."""
    parts = [
        f"`divlearn bench paper-{study.name}`, from line {study.line} of the paper."
    ]
    parts += list(findings.remarks)
    parts += map(table_markdown, findings.tables)
    parts += [figure_markdown(study, figure) for figure in findings.figures]
    return [*parts, *rules_of(findings.claims)]


def rules_of(claims: Sequence[Claim]) -> list[str]:
    """Write how each verdict follows from the numbers."""
    rules = [f"- {claim.text} {claim.rule}" for claim in claims]
    return ["**How the verdicts follow**", "\n".join(rules)] if rules else []


def figure_markdown(study: Study, figure: Figure) -> str:
    """Write a picture with what stands below it."""
    return f"![{figure.title}]({study.name}/{figure.name}.png)\n\n*{figure.title}*"


def times_markdown(found: Found) -> str:
    """Write what was measured by a clock; other machines give other numbers."""
    rows = all_claims(found, timed=True)
    parts = [
        f"# {HEADING}: times",
        "They depend on the machine and on what else it did.",
        *([counted_verdicts(rows), claims_markdown(rows)] if rows else []),
    ]
    for study, findings in found:
        own = [
            *map(table_markdown, findings.timed_tables),
            *(figure_markdown(study, one) for one in findings.timed_figures),
            *rules_of(findings.timed_claims),
        ]
        parts += [f"## {study.title}", *own] if own else []
    return "\n\n".join(parts) + "\n"
