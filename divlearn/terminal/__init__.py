"""What a search shows in a terminal while it runs."""

from divlearn.terminal.braille import scatter, shows_unicode
from divlearn.terminal.live import LiveProgress
from divlearn.terminal.log import LogProgress
from divlearn.terminal.picture import front_picture
from divlearn.terminal.progress import Progress, choose_progress
from divlearn.terminal.rows import front_rows
from divlearn.terminal.sparkline import sparkline

__all__ = [
    "LiveProgress",
    "LogProgress",
    "Progress",
    "choose_progress",
    "front_picture",
    "front_rows",
    "scatter",
    "shows_unicode",
    "sparkline",
]
