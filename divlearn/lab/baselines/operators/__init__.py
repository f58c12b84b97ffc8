"""Crossover and mutation over the integer codes of any space, many rows at a time."""

from divlearn.lab.baselines.operators.space import SpaceOperators

__all__ = ["SpaceOperators"]
