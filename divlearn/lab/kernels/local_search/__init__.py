"""Kernels of Pareto local search: every neighbour of a solution, by differences."""
