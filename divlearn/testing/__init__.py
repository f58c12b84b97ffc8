"""Test cases for your own spaces, problems, experts, encodings, moves and methods.

Each function raises AssertionError with a message that says what is wrong and where.
"""

from divlearn.testing.baseline import check_baseline
from divlearn.testing.encoding import check_encoding
from divlearn.testing.expert import check_expert
from divlearn.testing.move import check_move
from divlearn.testing.problem import check_problem
from divlearn.testing.space import check_space

__all__ = [
    "check_baseline",
    "check_encoding",
    "check_expert",
    "check_move",
    "check_problem",
    "check_space",
]
