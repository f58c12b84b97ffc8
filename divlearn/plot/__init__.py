"""Pictures of results; they need matplotlib, ``pip install "divlearn[plot]"``."""

from divlearn.plot.arms import arms
from divlearn.plot.design import design
from divlearn.plot.designs import designs
from divlearn.plot.encodings import encodings
from divlearn.plot.front import front
from divlearn.plot.history import history
from divlearn.plot.importance import importance
from divlearn.plot.kinds import KINDS, draw, possible
from divlearn.plot.learned import learned
from divlearn.plot.parallel import parallel
from divlearn.plot.trace import trace

__all__ = [
    "KINDS",
    "arms",
    "design",
    "designs",
    "draw",
    "encodings",
    "front",
    "history",
    "importance",
    "learned",
    "parallel",
    "possible",
    "trace",
]
