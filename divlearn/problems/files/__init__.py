"""Instance files: TSPLIB, VRPLIB, knapsack text, and JSON of our own."""

from divlearn.problems.files.json_file import write
from divlearn.problems.files.reading import read

__all__ = ["read", "write"]
