"""Learning from differences: tables of what a change is worth, and search in them."""
