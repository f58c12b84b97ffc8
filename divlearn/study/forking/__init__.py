"""A study that changes: a new one that knows what an old one has evaluated."""
