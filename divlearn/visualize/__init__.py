"""Pictures of results; they need matplotlib, ``pip install "divlearn[plot]"``."""

from divlearn.visualize.front import front
from divlearn.visualize.history import history
from divlearn.visualize.trace import trace

__all__ = ["front", "history", "trace"]
