"""Shared test cases: check a space, a problem, an expert or an encoding of one's own.

Each function raises AssertionError with a message that says what is wrong and where.
"""

from divlearn.testing.encoding import check_encoding
from divlearn.testing.expert import check_expert
from divlearn.testing.problem import check_problem
from divlearn.testing.space import check_space

__all__ = ["check_encoding", "check_expert", "check_problem", "check_space"]
