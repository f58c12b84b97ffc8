"""Pictures of results; they need matplotlib, ``pip install "divlearn[plot]"``."""

from divlearn.visualize.front import front
from divlearn.visualize.history import history

__all__ = ["front", "history"]
