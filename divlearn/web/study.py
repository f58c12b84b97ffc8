"""``StudyWatch``: a study that may be running, looked at without its problem."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.lock import holder_of
from divlearn.basics.paths import file_path
from divlearn.problems.drawings import Drawing, drawing_from
from divlearn.study.notes import checked
from divlearn.study.store.glance import Ended, Glance, parts_of
from divlearn.study.summarize import rate_of, state_of
from divlearn.study.trial import Names, names_of
from divlearn.web.designs import kinds_of, knobs_of
from divlearn.web.growth import Growth
from divlearn.web.points import few, rough, thinned
from divlearn.web.tallies import Tallies
from divlearn.web.view import objectives_of, turned, units_of
from divlearn.web.watch import Columns, Watch

#: Points beside the front that a page draws, and candidates listed as running.
MOST_OTHERS, MOST_RUNNING = 1_500, 64
#: Rows of the history of a study that is read for the first time.
STEPS = 80
#: Members of the front whose details are read at a time, and the part of the time of
#: a first reading that outcomes take, which come before details.
MANY, OUTCOMES = 2_000, 0.7
#: Failures that are compared with the file, since a later run may have mended them.
MOST_FAILED = 2_000


class Details(NamedTuple):
    """A member of the front: its knobs, constraints, extra metrics and source."""

    knobs: dict[str, Any]
    limits: dict[str, float]
    extras: dict[str, Any]
    source: str


#: What a first reading of a large file has not come to.
UNKNOWN = Details({}, {}, {}, "")


class StudyWatch(Watch):
    """A study."""

    kind = "study"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._begin({})

    def _begin(self, notes: dict[str, Any]) -> None:
        """Know nothing but what the study is."""
        self.notes: dict[str, Any] = notes
        described = notes.get("problem") or {"objectives": [], "constraints": []}
        self.names: Names = names_of(described)
        self.senses: list[str] = [sense for _, sense in described["objectives"]]
        self.growth: Growth = Growth(
            self.senses, notes.get("reference"), notes.get("ideal")
        )
        self._kinds = kinds_of(described.get("space"))
        self.tallies: Tallies = Tallies()
        self.share = None
        self._step, self._bare = 1, False
        self.holder: str | None = None
        self._identity: Any = None
        self._sequence = self._asked = self._queued = self._running = 0
        self._ended = bytearray()
        self._pieces: list[Any] = []
        self._details: dict[int, Details] = {}
        self._open: dict[int, tuple[Any, float, str]] = {}

    # --- reading

    def _restless(self) -> bool:
        """Whether it ran when it was last seen: its process may have ended since."""
        return self.holder is not None

    def _read(self) -> None:
        """Read what came in since the last look."""
        path = file_path("path", self.path)
        mark = self._mark()
        if self._seen is not None and mark == self._seen:
            self.holder = holder_of(path)
            return
        with Glance(path) as file:
            self._renew(file)
            before = self.growth.numbers.tolist()
            self._read_ended(file)
            after = self.growth.numbers.tolist()
            if before != after:
                self._changed(before, after)
            if self.share is None:
                self._read_open(file)
                self._read_details(file, [n for n in after if n not in self._details])
        self.holder = holder_of(path)

    def _read_ended(self, file: Glance) -> None:
        """Take in outcomes, as many as there is time for."""
        last = file.last_sequence
        if self.share is None:  # else it is the rest of a reading that goes on
            self._step = max(1, (last - self._sequence) // STEPS)
        for ended in file.ended_after(self._sequence, *map(len, self.names)):
            for part in parts_of(ended, self._step):
                self._take(part)
            if self._late():
                break
        self.share = None
        if self._sequence < last:
            self._bare, self.share = True, OUTCOMES * self._sequence / last

    def _renew(self, file: Glance) -> None:
        """Read what the study is; begin anew if it is another one, or was revised."""
        notes = file.notes()
        if not notes:
            raise InputError(
                f"the study {self.path.name!r} is empty so far: it has not begun, or "
                "was stopped before it began."
            )
        checked(self.path, notes)
        identity = notes["created"], notes["problem"]
        known = {
            s: self.tallies.failed[s] for s in list(self.tallies.failed)[-MOST_FAILED:]
        }
        if identity != self._identity or file.states_of(known) != known:
            self._begin(notes)
            self._identity = identity
            self._anew()
        self.notes = notes

    def _take(self, ended: Ended) -> None:
        """Take in outcomes."""
        self.tallies.add(ended)
        numbers = ended.number
        self._ended.extend(bytes(max(0, int(numbers.max()) + 1 - len(self._ended))))
        np.frombuffer(self._ended, np.uint8)[numbers] = 1
        valued = np.asarray(~np.isnan(ended.f).any(axis=1))
        feasible = valued & np.asarray((np.nan_to_num(ended.g) <= 0).all(axis=1))
        self.growth.add(
            numbers[feasible],
            ended.f[feasible],
            self.tallies.evaluations,
            self.tallies.run_seconds,
        )
        if valued.any():
            piece = numbers[valued], ended.f[valued], feasible[valued]
            self._pieces.append(piece)
        if len(self._pieces) > 64:
            self._all()
        self._sequence = int(ended.sequence[-1])

    def _all(self) -> Any:
        """Numbers, objectives and feasibility of all that have values."""
        columns = zip(*self._pieces, strict=True)
        self._pieces = [tuple(np.concatenate(column) for column in columns)]
        return self._pieces[0]

    def _read_open(self, file: Glance) -> None:
        """Read which candidates have no outcome."""
        self._asked, self._queued = file.asked, len(file.queue())
        ended = np.frombuffer(self._ended, np.uint8)
        missing = np.flatnonzero(ended == 0).tolist()
        missing += range(len(ended), self._asked)
        self._running = len(missing)
        wanted = missing[-MOST_RUNNING:]
        known = {n: self._open[n] for n in wanted if n in self._open}
        self._open = known | file.designs_of(n for n in wanted if n not in known)

    def _read_details(self, file: Glance, numbers: list[int]) -> None:
        """Read knobs, extra metrics and sources of new members of the front."""
        if len(self._details) > 2 * len(self.growth.numbers):  # many have left it
            kept = self.growth.numbers.tolist()
            self._details = {n: d for n in kept if (d := self._details.get(n))}
        for start in range(0, len(numbers), MANY):
            if start and self._late():
                left = (len(numbers) - start) / len(self.growth.numbers)
                self._bare, self.share = True, 1.0 - (1.0 - OUTCOMES) * left
                return
            self._detail(file, numbers[start : start + MANY])
        if self._bare:  # somebody has rows without details
            self._bare = False
            self._anew()

    def _detail(self, file: Glance, numbers: list[int]) -> None:
        """Read knobs, extra metrics and sources of some trials."""
        measured, designs = file.measured_of(numbers), file.designs_of(numbers)
        for number in numbers:
            g, extras = measured[number]
            x, _, source = designs[number]
            limits = dict(zip(self.names.constraints, g, strict=True))
            knobs = knobs_of(x, self._kinds)
            self._details[number] = Details(knobs, limits, extras, source)

    # --- telling

    def head(self) -> Columns:
        """What a list of studies shows."""
        if self.error or not self.notes:
            return {"kind": self.kind, "error": self.error or "nothing was read yet"}
        notes, tallies = self.notes, self.tallies
        return {
            "kind": self.kind,
            "error": "",
            "problem": notes["name"],
            "method": notes["method"],
            "seed": notes["seed"],
            "state": state_of(self.holder, notes),
            "holder": self.holder,
            "share": self.share,
            **self._pace(),
            "last": tallies.last,
            "counts": tallies.by_state(),
            "running": self._running,
            "enqueued": self._queued,
            "stopped": notes.get("stopped") or "",
            "fork_of": (notes.get("fork") or {}).get("of"),
            "objectives": objectives_of(notes["problem"]["objectives"], self._units),
            "front_size": len(self.growth.numbers),
            "hypervolume": self.growth.volume,
            "ratio": self.growth.ratio,
            "few": few(self.growth.values),
            "version": self.version,
        }

    def _pace(self) -> Columns:
        """How far it is, how fast, and for how long."""
        tallies, budget = self.tallies, self.notes.get("target")
        done, seconds = tallies.evaluations, tallies.run_seconds
        late = 0.0
        if self.holder is not None and tallies.last is not None:
            late = time.time() - tallies.last
        rate, recent = rate_of(list(tallies.at), late)
        left = None
        if self.holder is not None and budget is not None and rate:
            left = max(0, budget - done) / rate
        return {
            "evaluations": done,
            "budget": budget,
            "seconds": seconds,
            "rate": rate,
            "recent": recent,
            "average": done / seconds if seconds else None,
            "left": left,
        }

    def body(self) -> Columns:
        """What the page of one study shows, but for the rows of its front."""
        if self.error:
            return self.head()
        return {
            **self.head(),
            "constraints": list(self.names.constraints),
            "kinds": self._kinds,
            "reference": self.notes.get("reference"),
            "ideal": self.notes.get("ideal"),
            "history": self.growth.history,
            "others": self._others(),
            "reasons": self.tallies.reasons(),
            "workers": self.tallies.workers(),
            "now": [
                {"number": number, "asked": asked, "source": source}
                for number, (_, asked, source) in self._open.items()
            ],
            "spent": self.tallies.seconds,
            "created": self.notes["created"],
            "divlearn": self.notes["divlearn"],
        }

    def _others(self) -> Columns:
        """Some of the evaluated points that are not on the front."""
        if not self._pieces:
            return {"F": [[] for _ in self.senses], "feasible": []}
        numbers, values, feasible = self._all()
        inside = np.zeros(int(numbers.max()) + 1, np.bool_)
        inside[self.growth.numbers] = True
        aside = np.flatnonzero(~inside[numbers])
        kept = aside[thinned(aside, MOST_OTHERS)]
        columns = rough(values[kept]).T
        return {"F": columns.tolist(), "feasible": feasible[kept].tolist()}

    def rows(self, numbers: list[int] | None = None) -> Columns:
        """Rows of the front as columns: all, or those with numbers."""
        every = self.growth.numbers
        kept = np.arange(len(every))
        if numbers is not None:
            kept = np.flatnonzero(np.isin(every, numbers))
        chosen = every[kept].tolist()
        details = [self._details.get(number, UNKNOWN) for number in chosen]
        sources = [one.source for one in details]
        columns = {
            "G": turned([one.limits for one in details]),
            "knobs": turned([one.knobs for one in details]),
            "extras": turned([one.extras for one in details]),
        }
        names = [name for group in columns.values() for name in group]
        return {
            "numbers": chosen,
            "F": self.growth.values[kept].T.tolist(),
            **columns,
            "units": units_of(names, self._units),
            "sources": sources if any(sources) else None,
        }

    def designs(self, numbers: list[int]) -> dict[int, Any]:
        """Designs with numbers, as the user declared them."""
        with Glance(file_path("path", self.path)) as file:
            return {n: x for n, (x, _, _) in file.designs_of(numbers).items()}

    @property
    def _units(self) -> dict[str, str]:
        """Units by name."""
        return self.notes.get("units") or {}

    def replay(self) -> Columns | None:
        """Since when each member is on the front, and which rows have left it."""
        growth = self.growth
        return {
            "evaluations": growth.history["evaluations"],
            "numbers": growth.numbers.tolist(),
            "since": growth.since.tolist(),
            "past": growth.past.told(),
        }

    def drawing(self) -> Drawing | None:
        """How designs are drawn; None if nobody said so."""
        return drawing_from(self.notes.get("drawing"))
