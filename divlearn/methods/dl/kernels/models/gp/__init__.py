"""The similarity expert: proposals from few points on spaces of any kind."""
