"""How to search: divlearn's own methods, and what other packages add."""
