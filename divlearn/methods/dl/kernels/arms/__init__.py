"""The ways to make a candidate, and the bandit that shares candidates among them."""
