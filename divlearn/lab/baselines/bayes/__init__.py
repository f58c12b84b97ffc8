"""Bayesian optimization: Gaussian processes over the parts of any space."""
