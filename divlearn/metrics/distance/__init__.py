"""How far apart solutions are."""

from divlearn.metrics.distance.base import SolutionDistance
from divlearn.metrics.distance.choice import solution_distance
from divlearn.metrics.distance.space import SpaceDistance
from divlearn.metrics.distance.tour import TourDistance

__all__ = ["SolutionDistance", "SpaceDistance", "TourDistance", "solution_distance"]
