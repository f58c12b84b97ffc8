"""Designs as engineers have them: reals, conditions, constraints, noise."""

from divlearn.lab.engineering.problem import EngineeringDesign

__all__ = ["EngineeringDesign"]
