"""The pair model of permutations: flows between positions, distances between items."""
