"""What a search found: the front, ways to choose from it, tables and files."""

from divlearn.result.choice import Choice
from divlearn.result.front import Result
from divlearn.result.loading import load

__all__ = ["Choice", "Result", "load"]
