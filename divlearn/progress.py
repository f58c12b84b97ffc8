"""How a search shows itself: the protocol, and the one that shows nothing."""

from __future__ import annotations

from typing import Protocol

from divlearn.optimizer import Optimizer


class Progress(Protocol):
    """Something that shows how a search goes."""

    def compiling(self) -> None:
        """Say that kernels are compiled, because they are not in the cache yet."""

    def start(
        self, optimizer: Optimizer, budget: int | None, seconds: float | None
    ) -> None:
        """Say that the search begins."""

    def update(self, optimizer: Optimizer) -> None:
        """Show where it is."""

    def say(self, message: str) -> None:
        """Show a message while it runs, such as what Ctrl-C has set going."""

    def finish(self) -> None:
        """Say that it is over."""


class Silent:
    """Shows nothing."""

    def compiling(self) -> None:
        """Show nothing."""

    def start(
        self, optimizer: Optimizer, budget: int | None, seconds: float | None
    ) -> None:
        """Show nothing."""

    def update(self, optimizer: Optimizer) -> None:
        """Show nothing."""

    def say(self, message: str) -> None:
        """Show nothing."""

    def finish(self) -> None:
        """Show nothing."""
