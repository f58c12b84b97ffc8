"""``divlearn bench`` and ``divlearn train``."""
