"""What a search shows in a terminal while it runs."""

from divlearn.terminal.braille import scatter
from divlearn.terminal.live import LiveProgress
from divlearn.terminal.log import LogProgress
from divlearn.terminal.picture import front_picture
from divlearn.terminal.progress import Progress, choose_progress

__all__ = [
    "LiveProgress",
    "LogProgress",
    "Progress",
    "choose_progress",
    "front_picture",
    "scatter",
]
