"""Tests of spaces without permutations: tables, search inside them, plans."""
