"""``fork``: begin a new study that knows what an old one has evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from divlearn.basics.paths import file_path
from divlearn.basics.typing import Value
from divlearn.methods.base import Method
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.study.declaration import method_in_notes, require_askable
from divlearn.study.differences import differences
from divlearn.study.forking.carrying import OldStudy, carry
from divlearn.study.forking.changes import NEWEST, Changes
from divlearn.study.forking.making import make_whole
from divlearn.study.forking.report import ForkReport
from divlearn.study.known import take_designs
from divlearn.study.opened import OpenStudy
from divlearn.study.reader import StudyReader
from divlearn.study.study import Study


def fork(
    old: Study | str | Path,
    new: str | Path,
    problem: Problem,
    *,
    method: str | Method | None = None,
    seed: int | None = None,
    lag: int | None = None,
    ordered: bool | None = None,
    archive_size: int | None = None,
    rename: Mapping[str, str] | None = None,
    fill: Mapping[str, Any] | None = None,
    only: Mapping[str, Any] | None = None,
    convert: Callable[[Value], Value] | None = None,
    recompute: Mapping[str, Callable[[dict[str, Any]], float]] | None = None,
    repeats: str = NEWEST,
) -> Study:
    """Begin a study of a changed problem that knows what an old one has evaluated.

    The old study is only read, even while it runs. Its designs that are still valid
    are known in the new one, at no cost; ``report`` of the new study says how many,
    and lists what was left out. The new file appears whole or not at all.

    Parameters
    ----------
    old
        The old study, or its file, for which its problem is not needed.
    new
        File of the new study; must not exist.
    problem
        What to optimize from now on.
    method, seed, lag, ordered, archive_size
        As of :class:`divlearn.Study`; if None, as in the old study.
    rename
        New names of knobs and metrics by their old ones.
    fill
        Values that new knobs had in the old study, by name; nested ones as ``"a.b"``.
        A knob with only one value needs none.
    only
        Values of old knobs; designs with others are left out. Use it for a knob that
        was dropped and now has a fixed value.
    convert
        ``convert(x)`` makes a design of the new space of an old one, or returns None to
        leave it out; instead of ``rename`` and ``fill``.
    recompute
        Functions by the name of a new objective or constraint, which are given a dict
        of all metrics that are known about a trial. What has the same name needs none.
    repeats
        Which value counts where several old designs have become one: that of the
        ``"newest"`` trial, or the ``"mean"``. If the problem has noise, all of them.

    Returns
    -------
    The new study, open.
    """
    changes = Changes(
        rename or {}, fill or {}, only or {}, convert, recompute or {}, repeats
    )
    given: dict[str, Any] = {"seed": seed, "lag": lag, "ordered": ordered}
    given |= {"archive_size": archive_size}
    make_fork(read_old(old), new, problem, changes, method=method, **given)
    return Study(problem, new)


def read_old(study: Study | str | Path) -> OldStudy:
    """Read all of a study, with its problem if it is open."""
    if isinstance(study, Study):
        notes = study._opened.store.notes()
        return OldStudy(study.path, notes, study.trials(), study.queue())
    with StudyReader(study) as reader:
        queue = reader.queue()  # first: a study that runs may make trials of it
        return OldStudy(reader.path, reader.notes, reader.trials(), queue)


def make_fork(
    old: OldStudy,
    new: str | Path,
    problem: Problem,
    changes: Changes,
    *,
    method: str | Method | None = None,
    origin: dict[str, Any] | None = None,
    **given: Any,
) -> ForkReport:
    """Make the file of a fork; ``origin`` is what :meth:`Study.remember` would keep."""
    require_problem(problem)
    notes, path = old.notes, file_path("new", new)
    lines = differences(notes, problem, method, **given)
    designs, report = carry(old, problem, changes, lines)
    if method is None:
        method = method_in_notes(old.path, notes)
    require_askable(method, problem)
    same = ("seed", "lag", "ordered", "archive_size")
    kept = {name: notes.get(name) for name in same}
    kept |= {name: value for name, value in given.items() if value is not None}

    def fill(scratch: Path) -> None:
        opened = OpenStudy(problem, scratch, method, checkpoint=False, **kept)
        try:
            report.count(take_designs(opened, designs))
            opened.store.note(fork=report.to_dict(), origin=origin)
        finally:
            opened.close()

    make_whole(path, fill)
    return report
