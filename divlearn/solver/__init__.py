"""A whole search in one call."""

from divlearn.solver.one_call import solve

__all__ = ["solve"]
