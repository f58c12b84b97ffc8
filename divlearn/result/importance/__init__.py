"""What matters: how much of every output each part of a design explains."""

from divlearn.result.importance.table import Importance, Pair, Row, Target

__all__ = ["Importance", "Pair", "Row", "Target"]
