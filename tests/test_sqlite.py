"""SQLite files are made whole, are known by their letters, and can be looked at."""

import sqlite3
from contextlib import closing

import pytest

from divlearn.basics.errors import StoreError
from divlearn.basics.sqlite import FileKind, closed_on_error, connect_to_read

KIND = FileKind("demo", 3, "CREATE TABLE one (x TEXT); CREATE TABLE two (x TEXT);")


def tables(connection):
    """Names of all tables."""
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


def test_tables_are_made_all_or_none():
    """A statement that fails leaves an empty file, which is made anew next time."""
    broken = FileKind("demo", 3, KIND.tables + "CREATE TABLE one (y TEXT);")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            broken.make_tables(connection)
        connection.rollback()
        assert tables(connection) == []
        KIND.make_tables(connection)
        assert tables(connection) == ["one", "two"]


def test_a_kind_is_known_by_its_letters():
    """Files of other kinds and of other programs have no version."""
    with closing(sqlite3.connect(":memory:")) as connection:
        KIND.make_tables(connection)
        assert KIND.version_of(connection) == 3
        assert FileKind("else", 3, "").version_of(connection) is None


def test_a_connection_that_cannot_be_used_is_closed():
    """Otherwise the file would stay open as long as the error is kept."""
    connection = sqlite3.connect(":memory:")
    with pytest.raises(ValueError, match="no"), closed_on_error(connection):
        raise ValueError("no")
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


def test_a_reader_cannot_write(tmp_path):
    """Whoever looks must not disturb."""
    path = tmp_path / "demo.db"
    with closing(sqlite3.connect(path)) as connection:
        KIND.make_tables(connection)
    with closing(connect_to_read(path, "the demo")) as connection:
        assert tables(connection) == ["one", "two"]
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DROP TABLE one")


def test_a_log_that_cannot_be_read_is_explained(tmp_path, monkeypatch):
    """Without a place for shared memory, changes in the log would be overlooked."""
    path = tmp_path / "demo.db"
    path.touch()
    path.with_name("demo.db-wal").touch()
    real = sqlite3.connect

    class NoMemory(sqlite3.Connection):
        def execute(self, *arguments):
            raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(
        sqlite3, "connect", lambda *a, **k: real(*a, **k, factory=NoMemory)
    )
    with pytest.raises(StoreError, match=r"the demo .* copy both files"):
        connect_to_read(path, "the demo")
