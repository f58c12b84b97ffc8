"""``Notices``: what a search finds out and users should know, said once."""

from __future__ import annotations

from divlearn.methods.base import Search
from divlearn.terminal.display import Display


class Notices:
    """Hands sentences of a search on to a display, each of them once.

    Parameters
    ----------
    display
        Who shows them.
    """

    def __init__(self, display: Display) -> None:
        self._display, self._said = display, 0

    def tell(self, search: Search) -> None:
        """Say what the search has noticed since it was last asked."""
        notices = search.notices
        for sentence in notices[self._said :]:
            self._display.say(sentence)
        self._said = len(notices)
