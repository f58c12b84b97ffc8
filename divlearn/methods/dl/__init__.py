"""``dl``: learning from differences."""
