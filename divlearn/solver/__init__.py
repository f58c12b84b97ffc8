"""A whole search in one call."""

from divlearn.solver.solve import solve

__all__ = ["solve"]
