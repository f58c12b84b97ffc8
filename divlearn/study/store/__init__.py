"""The file of a study: SQLite, one writer, any number of readers."""

from divlearn.study.store.store import Store

__all__ = ["Store"]
