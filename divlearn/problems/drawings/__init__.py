"""How designs are drawn: what a picture of a tour, a schedule or a choice is made of.

A *drawing* belongs to a problem and is plain data: places of cities, times of jobs. It
turns a design into a *sketch*, a dict of lists, numbers and texts that any program can
put on paper; ``kind`` says how to read it:

- ``tour``, ``routes``: ``labels`` of points, and ``panels``, each with a ``title``,
  ``points`` (x and y), and ``lines``, lists of numbers of points in the order of
  visits. Routes also have the number of the ``depot``, ``loads`` and a ``capacity``.
- ``schedule``: names of ``rows``, ``bars`` with ``row``, ``start``, ``end``, ``item``
  and ``label``, what the ``axis`` counts, and ``due``, a list of ``item``, ``label``,
  ``time`` and ``end``.
- ``groups``: as a schedule, with bars stacked from 0 and ``limits`` of rows, or None.
- ``choice``: ``items`` with ``label``, ``chosen``, ``values`` and ``weights``, names of
  ``values``, and ``limits`` with ``name``, ``used`` and ``capacity``.
- ``network``: ``labels`` of nodes, which are ``chosen``, and ``panels``, each with a
  ``title``, ``points``, and ``links`` and ``bad`` links, pairs of numbers of points.
- ``rows``: names of the chosen ``columns``, and ``rows`` with ``label``, ``marks``
  (places in ``columns``) and whether they are ``bad``: do not get what a row ``asks``.
- ``assignment``: ``points``, ``labels`` of what is at each of them, and ``links``,
  each two numbers of points and a strength between 0 and 1.

All have ``kind`` and ``note``, a remark that belongs below the picture or "".
"""

from divlearn.problems.drawings.assignment import Assignment
from divlearn.problems.drawings.base import Drawing
from divlearn.problems.drawings.choice import Choice
from divlearn.problems.drawings.described import described, drawing_from
from divlearn.problems.drawings.groups import Groups
from divlearn.problems.drawings.matching import Matching
from divlearn.problems.drawings.network import Network, Sites
from divlearn.problems.drawings.routes import Routes
from divlearn.problems.drawings.rows import Rows
from divlearn.problems.drawings.schedule import Schedule
from divlearn.problems.drawings.tour import Tour

__all__ = [
    "Assignment",
    "Choice",
    "Drawing",
    "Groups",
    "Matching",
    "Network",
    "Routes",
    "Rows",
    "Schedule",
    "Sites",
    "Tour",
    "described",
    "drawing_from",
]
