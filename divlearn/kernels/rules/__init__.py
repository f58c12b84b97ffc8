"""Rules on what goes together inside a segment, one file per kind of rule."""
