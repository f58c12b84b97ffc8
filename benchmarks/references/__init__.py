"""Other methods on the same instances, for comparison; see README.md."""
