"""``Stopwatch``: how long each part of a method takes, while someone measures.

The parts are functions that the method calls anyway. For as long as it is measured each
is replaced by one that looks at the clock, so methods contain no clocks, and a search
that nobody measures loses no time.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import Any

#: Part of the time in functions that belong to no component.
ELSEWHERE = ""


@dataclass(frozen=True)
class Place:
    """A function that is watched, and the component that its time belongs to.

    Attributes
    ----------
    module
        Where its caller looks it up.
    path
        Its name there, such as ``"fit"`` or ``"Posterior.at"``.
    component
        Component of the method; :data:`ELSEWHERE` for none.
    """

    module: str
    path: str
    component: str

    def owner(self) -> Any:
        """The module or class that has the function."""
        found = import_module(self.module)
        *classes, _ = self.path.split(".")
        return attrgetter(".".join(classes))(found) if classes else found

    @property
    def name(self) -> str:
        """Name of the function in its owner."""
        return self.path.rpartition(".")[2]


class Stopwatch:
    """CPU seconds by component; what one part calls of another counts there alone.

    Parameters
    ----------
    clock
        Tells the time in seconds.

    Attributes
    ----------
    seconds
        Seconds by component.

    Examples
    --------
    >>> now = iter(range(10))
    >>> watch = Stopwatch(lambda: next(now))
    >>> inner = watch.around("inner", lambda: None)
    >>> watch.around("outer", inner)()
    >>> watch.seconds
    {'outer': 2, 'inner': 1}
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._running: list[str] = []
        self._since = 0.0
        self.seconds: dict[str, float] = {}

    def around(self, component: str, function: Callable[..., Any]) -> Any:
        """Return the function, with its time counted for a component."""

        @functools.wraps(function, updated=())
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._enter(component)
            try:
                return function(*args, **kwargs)
            finally:
                self._leave()

        return watched

    def _enter(self, component: str) -> None:
        self._note()
        self._running.append(component)

    def _leave(self) -> None:
        self._note()
        self._running.pop()

    def _note(self) -> None:
        """Count the time since the last look for whoever is running."""
        now = self._clock()
        if self._running:
            name = self._running[-1]
            self.seconds[name] = self.seconds.get(name, 0) + now - self._since
        self._since = now

    @contextmanager
    def over(self, places: Sequence[Place]) -> Iterator[None]:
        """Watch these functions for as long as the block runs."""
        replaced: list[tuple[Any, str, Any]] = []
        try:
            for place in places:
                owner, name = place.owner(), place.name
                function = vars(owner)[name]
                replaced.append((owner, name, function))
                setattr(owner, name, self.around(place.component, function))
            yield
        finally:
            for owner, name, function in reversed(replaced):
                setattr(owner, name, function)
