"""The file of a study: who may write it, what may be in it, what if it goes away."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.lock import holder_of
from divlearn.study import Study, StudyReader, summary
from divlearn.study.export import export
from divlearn.study.store.schema import FROM_THE_FIRST, SEALED
from divlearn.study.store.upgrade import FIRST, NEW
from tests.study.conftest import same_front, tiny


@pytest.fixture
def path(tmp_path, study_at):
    """The file of a small study that is done."""
    with study_at(tiny()) as study:
        study.run(budget=30, workers=0)
    return tmp_path / "study.db"


def change(path, *statements):
    """Let another program write the file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


# --- taken away


def remove(path):
    """As by rm."""
    path.unlink()


def rename(path):
    """As by mv."""
    path.rename(path.with_name("moved.db"))


def replace(path):
    """As by mv of another study over it."""
    shutil.copy(path, path.with_name("other.db"))
    path.with_name("other.db").rename(path)


def link_elsewhere(path):
    """A symbolic link in its place."""
    rename(path)
    path.symlink_to("elsewhere.db")


def remove_all(path):
    """As by rm of all that belongs to it."""
    for file in path.parent.glob("study.db*"):
        file.unlink()


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    "harm",
    [remove, rename, replace, link_elsewhere, remove_all],
    ids=lambda f: f.__name__,
)
def test_a_file_that_is_taken_away_stops_the_study_and_nothing_is_lost(
    harm, workers, study_at, tmp_path
):
    """A copy beside it has every outcome, and goes on as if nothing had been."""
    reported = []

    def listen(study, trial):
        reported.append(trial.number)
        if len(reported) == 20:
            harm(study.path)

    with study_at(tiny()) as study:
        words = r"while it was open.*'.*study\.rescued-1\.db'"
        with pytest.raises(StoreError, match=words):
            study.run(budget=60, workers=workers, callbacks=listen)
        with pytest.raises(StoreError, match=words):
            study.run(budget=60, workers=0)
        known = [t.number for t in study.trials() if t.state == "ok"]
    assert len(known) >= 20
    with Study(tiny(), tmp_path / "study.rescued-1.db") as study:
        assert [t.number for t in study.trials() if t.state == "ok"] == known
        assert set(reported) <= set(known)
        result = study.run(budget=60, workers=0)
        assert study.verify()
    with study_at(tiny(), "whole.db") as study:
        assert same_front(study.run(budget=60, workers=0), result)


def at_outcome(number, harm):
    """Do something to the file as soon as an outcome is there."""
    return lambda study, trial: trial.number == number and harm(study.path)


def test_a_renamed_file_is_complete_too(study_at, tmp_path):
    """What stood in the log is moved into the file, whatever it is called now."""
    with study_at(tiny()) as study, pytest.raises(StoreError, match="renamed"):
        study.run(budget=30, workers=0, callbacks=at_outcome(20, rename))
    with Study(tiny(), tmp_path / "moved.db") as study:
        assert len(study.trials()) >= 20
        assert study.verify()


def test_a_log_that_is_removed_stops_the_study(study_at, tmp_path):
    """What would be written to it would be gone with the process."""

    def harm(path):
        Path(f"{path}-wal").unlink()

    with study_at(tiny()) as study, pytest.raises(StoreError, match="lost its log"):
        study.run(budget=30, workers=0, callbacks=at_outcome(9, harm))
    with Study(tiny(), tmp_path / "study.rescued-1.db") as study:
        assert len(study.trials()) >= 10


def test_a_rescue_finds_a_place_if_the_directory_is_gone(
    study_at, tmp_path, monkeypatch
):
    """It is then in the directory where the process is."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def harm(path):
        shutil.rmtree(path.parent)

    study = study_at(tiny(), "inner/study.db")
    with study, pytest.raises(StoreError, match=r"here/study\.rescued-1\.db"):
        study.run(budget=30, workers=0, callbacks=at_outcome(9, harm))
    with Study(tiny(), tmp_path / "here/study.rescued-1.db") as study:
        assert len(study.trials()) >= 10


# --- one writer per file


@pytest.mark.parametrize("name", ["link.db", "folder/../study.db", "folder/study.db"])
def test_a_second_writer_is_refused_by_any_name(name, study_at, tmp_path):
    """A symbolic link, another way to write the path, a link to the directory."""
    (tmp_path / "link.db").symlink_to("study.db")
    (tmp_path / "folder").symlink_to(tmp_path)
    name = name.replace("folder/../", f"{tmp_path}/../{tmp_path.name}/")
    study_at(tiny())
    with pytest.raises(InputError, match=f"in use.*process {os.getpid()} on "):
        study_at(tiny(), name)
    assert holder_of(tmp_path / name).startswith(str(os.getpid()))


def test_a_study_with_two_names_is_refused(path, study_at, tmp_path):
    """SQLite keeps its log by name; by hard links both coordinators paid for all."""
    os.link(path, tmp_path / "other.db")
    for name in ("study.db", "other.db"):
        with pytest.raises(InputError, match=r"2 names \(hard links\).*copy the file"):
            study_at(tiny(), name)
    (tmp_path / "other.db").unlink()
    study_at(tiny())


def test_a_hard_link_made_while_it_is_open_lets_nobody_in(study_at, tmp_path):
    """Neither by its number of names nor, if the first goes away, by the file."""
    study = study_at(tiny())
    os.link(study.path, tmp_path / "other.db")
    with pytest.raises(InputError, match="2 names"):
        study_at(tiny(), "other.db")
    study.path.unlink()
    with pytest.raises(InputError, match="in use"):
        study_at(tiny(), "other.db")


HOLD = """
import sys
import divlearn as dl
from tests.study.conftest import tiny
with dl.Study(tiny(), sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="needs such locks")
def test_a_lock_that_is_removed_while_open_lets_nobody_in(path, study_at, tmp_path):
    """The file itself is locked as well."""
    command = [sys.executable, "-c", HOLD, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as other:
        assert other.stdout.readline() == "held\n"
        (tmp_path / "study.db.lock").unlink()
        with pytest.raises(InputError, match=r"in use.*under another name"):
            study_at(tiny())
        other.communicate("\n")
    study_at(tiny())


def test_a_link_in_place_of_the_lock_is_not_followed(study_at, tmp_path):
    """What it leads to was emptied."""
    victim = tmp_path / "victim"
    victim.write_text("dear")
    (tmp_path / "study.db.lock").symlink_to(victim)
    with pytest.raises(InputError, match=r"lock .* is a link or no file"):
        study_at(tiny())
    (tmp_path / "study.db.lock").unlink()
    os.link(victim, tmp_path / "study.db.lock")
    with pytest.raises(InputError, match=r"lock .* is a link or no file"):
        study_at(tiny())
    assert victim.read_text() == "dear"


# --- files of others


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM outcomes; END",
        "CREATE VIEW v AS SELECT * FROM outcomes",
        "CREATE INDEX i ON outcomes (state)",
        "CREATE TABLE more (a)",
        "CREATE VIRTUAL TABLE more USING fts5 (a)",
        "ALTER TABLE outcomes ADD COLUMN more GENERATED ALWAYS AS (number + 1)",
        "DROP TABLE checkpoint",
    ],
)
def test_a_file_with_anything_but_our_tables_is_refused(statement, path, study_at):
    """A trigger in a study from somebody else deleted outcomes."""
    change(path, statement)
    content = path.read_bytes()
    for look in (lambda: study_at(tiny()), lambda: StudyReader(path)):
        with pytest.raises(InputError, match="its tables were changed: it"):
            look()
    assert path.read_bytes() == content


@pytest.mark.parametrize("table", [table.name for table in SEALED])
def test_a_table_that_is_a_view_is_refused(table, path, study_at):
    """It would run what stands in it whenever it is read."""
    change(
        path,
        f"ALTER TABLE {table} RENAME TO real",
        f"CREATE VIEW {table} AS SELECT * FROM real",
    )
    with pytest.raises(InputError, match="its tables were changed"):
        study_at(tiny())


def test_a_study_of_the_first_version_is_brought_up_to_date(path, study_at, tmp_path):
    """It goes on as if it had always been of this version."""
    old = tmp_path / "old.db"
    FIRST.make(old)
    with closing(sqlite3.connect(old)) as target, target:
        target.execute("ATTACH ? AS new", (str(path),))
        for table in FROM_THE_FIRST:
            names = ", ".join(name for name in table.columns if name not in NEW)
            rest = f"SELECT {names} FROM new.{table.name}"
            target.execute(f"INSERT INTO {table.name} ({names}) {rest}")
    with pytest.raises(InputError, match=r"version 1 .*bring it up to date"):
        StudyReader(old)
    with study_at(tiny(), "old.db") as study, study_at(tiny()) as mine:
        assert study.verify()
        goes_on = (study.run(budget=40, workers=0), mine.run(budget=40, workers=0))
        assert same_front(*goes_on)
    assert summary(old).evaluations == 40


# --- paths


@pytest.mark.parametrize("path", ["a\0b.db", "x" * 10_000, "pipe", ".", "/dev/null"])
def test_a_path_that_can_be_no_file_is_told(path, tmp_path, monkeypatch):
    """With words: a pipe would have been waited for for ever."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    for use in (lambda p: Study(tiny(), p), StudyReader):
        with pytest.raises(InputError, match=r"path .*(name of a file|cannot be used)"):
            use(path)


def test_no_directory_is_made_for_a_study_or_an_export(path, tmp_path):
    """A slip in a path made directories without asking."""
    words = "the directory '.*nowhere' does not exist; make it first"
    with pytest.raises(InputError, match=words):
        Study(tiny(), tmp_path / "nowhere/x.db")
    with pytest.raises(InputError, match=words):
        export(path, tmp_path / "nowhere/x.csv")
    assert not (tmp_path / "nowhere").exists()


def test_a_part_of_a_file_is_never_written_through_a_link(tmp_path, monkeypatch):
    """Whoever guesses its name could have had any file overwritten."""
    from divlearn.basics.files import write_atomically

    victim = tmp_path / "victim"
    victim.write_text("dear")
    monkeypatch.setattr("secrets.token_hex", lambda n: "guessed")
    (tmp_path / ".front.json.guessed.part").symlink_to(victim)
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / "front.json", b"new")
    assert victim.read_text() == "dear"
