"""``DesignAdder``: the part of a study that takes designs from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from divlearn.basics.checks import require_text
from divlearn.basics.typing import Value
from divlearn.problems import Problem
from divlearn.study.known import Additions, read_known, read_queued, take_designs
from divlearn.study.opened import OpenStudy
from divlearn.study.sources import REFUSE, read_designs


class DesignAdder:
    """What is known, and what somebody wants to know."""

    problem: Problem
    _opened: OpenStudy

    def add(self, x: Value, values: Any, *, source: str = "") -> bool:
        """Take a design that was evaluated elsewhere; it costs no evaluation.

        The search learns from it before it chooses anything new, and the front may
        have it. Its trial has the state ``"known"``.

        Parameters
        ----------
        x
            The design, as the function would receive it.
        values
            What the function would return for it, constraints and extra metrics
            included.
        source
            Where the values come from; trials, tables and results tell it.

        Returns
        -------
        False if the study had values of this design already: it counts once.
        """
        self._opened.require_open()
        design = read_known(self.problem, x, values, require_text("source", source))
        return bool(take_designs(self._opened, [design]).known)

    def enqueue(self, x: Value, *, source: str = "") -> bool:
        """Let a design be evaluated before the search chooses others.

        It passes through ``repair`` and must be ``valid``; the budget counts it.

        Parameters
        ----------
        x
            The design, as the function would receive it.
        source
            Who wants to know; trials and tables tell it.

        Returns
        -------
        False if the study has evaluated this design or will do so anyway.
        """
        self._opened.require_open()
        design = read_queued(self.problem, x, require_text("source", source))
        return bool(take_designs(self._opened, [design]).enqueued)

    def queue(self) -> list[tuple[Value, str]]:
        """Return designs that wait to be evaluated, and where they come from."""
        self._opened.require_open()
        decode, unpack = self.problem.space.decode, self._opened.packing.unpack
        return [(decode(unpack(one.codes)), one.source) for one in self._opened.queue]

    def add_from(
        self,
        designs: Any,
        *,
        columns: Mapping[str, str] | None = None,
        on_error: str = REFUSE,
        source: str = "",
        dry_run: bool = False,
    ) -> Additions:
        """Take designs from a table, another study or a result, all of them or none.

        Rows with values are known designs, see :meth:`add`. Rows of a table whose
        objectives are all empty are enqueued, see :meth:`enqueue`. What the study has
        already counts once.

        Parameters
        ----------
        designs
            A file: a table (``.csv``, ``.json``, ``.parquet``), the file of a study, or
            a saved result. Or a pandas DataFrame, a :class:`divlearn.Result`, or a list
            of pairs ``(x, values)``. Tables have the columns that :meth:`trials` and
            ``divlearn export`` write.
        columns
            Names of theirs with names of ours, ``{"Cost [EUR]": "cost"}``; numbers are
            taken as they are.
        on_error
            ``"refuse"`` takes nothing if a row is wrong, and tells all that are;
            ``"skip"`` leaves such rows out.
        source
            Where they come from, for trials and tables; the name of the file if empty.
        dry_run
            Whether only to check and count.

        Returns
        -------
        How many were taken, were there already, or were left out, and why.

        Raises
        ------
        divlearn.study.BadRows
            If rows are wrong; ``.errors`` has a text for each.
        """
        self._opened.require_open()
        name = require_text("source", source)
        reading = read_designs(
            self.problem, designs, columns=columns, on_error=on_error, name=name
        )
        taken = take_designs(self._opened, reading.designs, dry_run=dry_run)
        return replace(
            taken,
            source=reading.name,
            errors=reading.errors,
            without=reading.without,
            unused=reading.unused,
        )
