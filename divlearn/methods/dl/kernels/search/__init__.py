"""Search inside what was learned: nothing is evaluated here."""
