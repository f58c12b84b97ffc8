"""Families of random instances, each drawn from a generator by a published rule."""
