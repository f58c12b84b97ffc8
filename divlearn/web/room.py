"""``Room``: all watches of a server; they look while somebody has the page open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from divlearn.basics.errors import DivlearnError, InputError
from divlearn.basics.text import one_line
from divlearn.web.sketches import sketch_of
from divlearn.web.sources import Source, find, watch_of
from divlearn.web.view import as_text
from divlearn.web.watch import Watch

#: Seconds between two looks, and between two searches for new files.
LOOK, SEARCH = 1.0, 5.0
#: Seconds of reading after which the page is told what is known by then.
MOMENT = 0.25
#: Seconds between two looks while one reads on, in which others get their answers.
BREATH = 0.05
#: Seconds that working out what matters may take.
PATIENCE = 600


class Room:
    """Files that are shown, and what was last seen of them.

    Parameters
    ----------
    given
        Files and folders.
    """

    def __init__(self, given: Sequence[Path]) -> None:
        self._given = list(given)
        self._lock = threading.Lock()
        self._watches: dict[str, Watch] = {}
        self._sources: dict[str, Source] = {}
        self._heads: dict[str, str] = {}
        self._searched = float("-inf")
        self._matters: dict[str, tuple[int, str]] = {}
        self._asking = threading.Lock()
        self.turn: int = 0

    # --- looking

    @property
    def reading(self) -> bool:
        """Whether some file is so large that it has been read in part only."""
        every = self._watches.values()
        return any(watch.share is not None and not watch.error for watch in every)

    def look(self) -> None:
        """Read what is new in all files, as far as one comes in a moment."""
        with self._lock:
            until = time.monotonic() + MOMENT
            if time.monotonic() - self._searched > SEARCH:
                self._search()
            changed = False
            for name, watch in list(self._watches.items()):
                left = max(0.0, until - time.monotonic())
                if watch.look(left) or name not in self._heads:
                    text = as_text({"id": name, **self._about(name), **watch.head()})
                    changed |= self._heads.get(name) != text
                    self._heads[name] = text
            self.turn += changed

    def _search(self) -> None:
        """Find files that are new; those that are gone say so themselves."""
        self._searched = time.monotonic()
        for source in find(self._given):
            if source.id not in self._watches:
                self._sources[source.id] = source
                self._watches[source.id] = watch_of(source.path)
        for name, source in self._sources.items():
            if self._watches[name].error:  # it may be of another kind by now
                fresh = watch_of(source.path)
                if type(fresh) is not type(self._watches[name]):
                    self._watches[name] = fresh

    def _about(self, name: str) -> dict[str, Any]:
        """What a source is called."""
        return {"label": self._sources[name].label}

    # --- telling

    def heads(self) -> str:
        """What a list of studies shows, as JSON."""
        with self._lock:
            listed = ",".join(self._heads.values())
        return f'{{"now":{time.time()},"heads":[{listed}]}}'

    def path_of(self, name: str) -> Path:
        """File of a source."""
        return self._of(name).path

    def body(self, name: str) -> str:
        """What the page of one study shows, as JSON."""
        with self._lock:
            body = self._of(name).body()
            view = {"id": name, **self._about(name), **body}
            return as_text({**view, "time": time.time()})

    def front(self, name: str, have: int) -> str:
        """The front of one study, or what has changed in it, as JSON."""
        with self._lock:
            return as_text(self._of(name).front(have))

    def replay(self, name: str) -> str:
        """How the front of one study grew, as JSON."""
        with self._lock:
            return as_text(self._of(name).replay())

    def design(self, name: str, number: int) -> str:
        """One design and what a picture of it is made of, as JSON."""
        with self._lock:
            watch = self._of(name)
            found = watch.designs([number])
            if number not in found:
                raise InputError(f"there is no trial {number}.")
            x = found[number]
            return as_text({"x": x, "sketch": sketch_of(watch.drawing(), x)})

    def _of(self, name: str) -> Watch:
        """The watch of a source; raises if there is none."""
        if name not in self._watches:
            raise InputError("there is no such study here.")
        return self._watches[name]

    # --- what matters

    def matters(self, name: str) -> str:
        """What matters, worked out by another process; the same until there is news."""
        with self._asking:  # one process at a time, however many ask
            with self._lock:
                path, version = self._of(name).path, self._of(name).version
            known = self._matters.get(name)
            if known is None or known[0] != version:
                known = self._matters[name] = version, _asked(path)
        return known[1]


def _asked(path: Path) -> str:
    """Let another process work out what matters."""
    order = [sys.executable, "-m", "divlearn.web.matters", str(path.resolve())]
    try:
        done = subprocess.run(order, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return as_text({"error": f"this took more than {PATIENCE} s, and was ended."})
    if done.returncode or not done.stdout.startswith(b"{"):
        why = one_line(done.stderr.decode(errors="replace")[-300:])
        return as_text({"error": f"this could not be worked out ({why})."})
    return done.stdout.decode()


class Listeners:
    """Everybody who has the page open; nobody looks at files for nobody."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._count = 0
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()

    async def __aenter__(self) -> Listeners:
        self._count += 1
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *reason: object) -> None:
        self._count -= 1

    async def _watch(self) -> None:
        """Look once a second as long as somebody listens."""
        while self._count > 0:
            turn = self.room.turn
            with suppress(DivlearnError):
                await asyncio.to_thread(self.room.look)
            if self.room.turn != turn:
                async with self._news:
                    self._news.notify_all()
            await asyncio.sleep(BREATH if self.room.reading else LOOK)
        self._task = None

    async def news(self, seconds: float) -> None:
        """Wait for something new, at most so long."""
        async with self._news:
            try:
                await asyncio.wait_for(self._news.wait(), seconds)
            except TimeoutError:
                return
