"""Divide and Learn, as published: position-wise bandits with several experts."""
