"""Problems: one's own, and the built-in ones with their instances."""

from divlearn.problems.base import Compiled, Problem

__all__ = ["Compiled", "Problem"]
