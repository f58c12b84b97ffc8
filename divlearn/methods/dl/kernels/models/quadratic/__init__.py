"""Single values and products of pairs, on spaces without permutations."""
