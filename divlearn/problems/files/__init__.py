"""Instance files: TSPLIB, VRPLIB, knapsack text, and our own JSON."""

from divlearn.problems.files.json_file import write
from divlearn.problems.files.reading import read

__all__ = ["read", "write"]
