"""A linkage-tree mixing algorithm for bits, categories and levels."""
