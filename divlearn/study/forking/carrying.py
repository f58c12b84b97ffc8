"""From the trials of an old study to designs that a new one knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.text import one_line
from divlearn.basics.typing import Value
from divlearn.problems import Problem
from divlearn.result.tally import KNOWN
from divlearn.spaces.differences import text_of
from divlearn.study.differences import plain
from divlearn.study.forking.changes import MEAN, Changes, Unfit
from divlearn.study.forking.designs import Reshaping, knobs_of, require_known
from divlearn.study.forking.report import ForkReport
from divlearn.study.forking.values import Recomputation
from divlearn.study.known import Design, KnownDesign, QueuedDesign, read_queued
from divlearn.study.trial import ABANDONED, Trial
from divlearn.workers.base import OK, RUNNING


class OldStudy(NamedTuple):
    """What a study is that is forked: its file, notes, trials and queue."""

    path: Path
    notes: dict[str, Any]
    trials: list[Trial]
    queue: list[tuple[Value, str]]  # designs that wait, and who wants to know


class Carried(NamedTuple):
    """A design that is still valid, and the number of its trial."""

    number: int
    design: KnownDesign


def carry(
    old: OldStudy, problem: Problem, changes: Changes, differences: list[str]
) -> tuple[list[Design], ForkReport]:
    """Make designs of a new study of all that is still valid in an old one.

    Parameters
    ----------
    old
        The old study.
    problem
        The new problem.
    changes
        What the user says about how one becomes the other.
    differences
        What differs, for the report.

    Returns
    -------
    Known designs by the number of their trials, then those that wait to be evaluated;
    and what became of all trials.
    """
    _require_renamed(old, changes)
    lines = [_as_told(line, changes) for line in differences]
    report = ForkReport(str(old.path), [x for x in lines if x], len(old.trials))
    carried = list(_carried(old, problem, changes, report))
    known = carried if problem.noise else _merged(carried, changes.repeats, old)
    queued = list(_queued(old, problem, changes, report))
    report.merged += len(carried) - len(known)
    return [*(one.design for one in known), *queued], report


def _as_told(line: str, changes: Changes) -> str:
    """A difference with what the user says about it; "" if another line says it.

    Examples
    --------
    >>> told = Changes(rename={"width": "breadth"}, fill={"angle": 3})
    >>> _as_told("angle: new knob, integer 0..9", told)
    'angle: new knob, integer 0..9, was 3'
    >>> _as_told("breadth: new knob, integer 0..9", told)
    'width: renamed to breadth, integer 0..9'
    >>> _as_told("width: knob dropped", told)
    ''
    """
    name, _, rest = line.partition(": ")
    if rest.startswith("new ") and name in changes.fill:
        return f"{line}, was {text_of(plain(changes.fill[name]))}"
    for before, after in changes.rename.items():
        if name == before and rest.endswith(" dropped"):
            return ""
        if name == after and rest.startswith("new "):
            _, comma, what = rest.partition(", ")
            return f"{before}: renamed to {after}{comma}{what}"
    return line


def _carried(
    old: OldStudy, problem: Problem, changes: Changes, report: ForkReport
) -> Iterator[Carried]:
    """Yield what can be taken over, and report what cannot."""
    reshape = Reshaping(old.notes["problem"]["space"], problem, changes)
    recompute = Recomputation(problem, changes)
    for trial in old.trials:
        if trial.state == OK and not trial.attempts:  # answered by another trial
            report.merged += 1
            continue
        try:
            _require_values(trial)
            codes = reshape(trial.x)
            outputs, extras = recompute(trial)
        except Unfit as unfit:
            report.leave_out(f"trial {trial.number}", unfit)
            continue
        design = KnownDesign(codes, outputs, extras, _source(old, trial))
        yield Carried(trial.number, design)


def _require_values(trial: Trial) -> None:
    """Refuse a trial that was not evaluated, or not with success."""
    if trial.state in (RUNNING, ABANDONED):
        raise Unfit("it has no outcome yet")
    if trial.state not in (OK, KNOWN):
        raise Unfit(f"it {_HOW_IT_ENDED[trial.state]}", one_line(trial.message, 60))


_HOW_IT_ENDED = {
    "infeasible": "is infeasible",
    "failed": "failed",
    "timed out": "timed out",
}


def _source(old: OldStudy, trial: Trial) -> str:
    """Where a value comes from, and where it came from before."""
    before = f" ({trial.source})" if trial.source else ""
    return f"fork of {old.path.name}, trial {trial.number}{before}"


def _merged(carried: list[Carried], repeats: str, old: OldStudy) -> list[Carried]:
    """One measurement per design, by the number of the newest."""
    groups: dict[bytes, list[Carried]] = {}
    for one in carried:
        groups.setdefault(one.design.codes.tobytes(), []).append(one)
    merge = _mean if repeats == MEAN else _newest
    return sorted((merge(group, old) for group in groups.values()), key=_number)


def _number(one: Carried) -> int:
    return one.number


def _newest(group: list[Carried], old: OldStudy) -> Carried:
    """The last measurement of a design."""
    return group[-1]


def _mean(group: list[Carried], old: OldStudy) -> Carried:
    """The mean of all measurements of a design, which itself was never measured."""
    number, newest = group[-1]
    rows = [one.design.outputs for one in group]
    if all(row == rows[0] for row in rows):
        return group[-1]
    outputs = tuple(np.mean(np.array(rows), axis=0).tolist())
    numbers = ", ".join(str(one.number) for one in group)
    source = f"fork of {old.path.name}, mean of trials {numbers}"
    return Carried(number, KnownDesign(newest.codes, outputs, newest.extras, source))


def _queued(
    old: OldStudy, problem: Problem, changes: Changes, report: ForkReport
) -> Iterator[QueuedDesign]:
    """Yield designs that wait to be evaluated, and report those that cannot be."""
    reshape = Reshaping(old.notes["problem"]["space"], problem, changes)
    for place, (x, source) in enumerate(old.queue):
        try:
            yield read_queued(problem, problem.space.decode(reshape(x)), source)
        except Unfit as unfit:
            report.leave_out(f"enqueued design {place}", unfit)
        except InputError as error:
            refused = Unfit("it cannot be evaluated", one_line(str(error), 60))
            report.leave_out(f"enqueued design {place}", refused)


def _require_renamed(old: OldStudy, changes: Changes) -> None:
    """Refuse new names for what was not there."""
    knobs = list(knobs_of(old.notes["problem"]["space"]))
    groups = {k[:i] for k in knobs for i, letter in enumerate(k) if letter == "."}
    problem = old.notes["problem"]
    metrics = [name for name, _ in problem["objectives"]] + problem["constraints"]
    extras = {name for trial in old.trials for name in trial.extras or {}}
    known = [*knobs, *sorted(groups), *metrics, *sorted(extras)]
    require_known("rename", changes.rename, known, "a knob or metric of the old study")
