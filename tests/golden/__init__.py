"""Fronts that no change of the code may change; hashes of what version 0.1.0 found."""
