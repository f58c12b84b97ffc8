"""The file of a study keeps everything, and refuses what would spoil it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.lock import Lock, holder_of
from divlearn.spaces.packing import Packing
from divlearn.study import Study, StudyReader
from divlearn.study.store import Store
from divlearn.study.store.rows import numbers_from, numbers_to_text
from divlearn.study.store.schema import CANDIDATES
from divlearn.study.trial import Names, Trial
from divlearn.workers import Attempt
from tests.study.conftest import SPACES, tiny
from tests.study.damage import rewrite

NAMES = Names(("cost", "loss"), ("limit",))
ROW = (0, 0, b"\x01\x00", "[1,0]", 12.5, "asked", "")


def asked():
    """The trial of that row, as it was asked for."""
    trial = Trial(0, [1, 0], asked=12.5)
    trial.codes = b"\x01\x00"
    return trial


def tried(extras=None):
    """A try that failed, and one that did not."""
    first = Attempt(0, 0, 0, None, None, ended=13.0)
    first.end("failed", message="no licence").by("w1", 1.5)
    second = Attempt(0, 1, 0, None, None, ended=15.0)
    second.end("ok", (1.0, -0.0, 1e-300), extras=extras).by("w2", 2.5)
    return [first, second]


def done(extras=None):
    """What became of it."""
    return Trial(
        0,
        state="ok",
        f={"cost": 1.0, "loss": -0.0},
        g={"limit": 1e-300},
        replicates=1,
        attempts=2,
        seconds=4.0,
        worker="w2",
        message="no licence",
        ended=15.0,
        extras=extras,
        at=3.0,
    )


def told(records):
    """Records as text: they have no equality, and zeros have signs."""
    return [repr(record) for record in records]


EXTRAS = {"area": 2.5, "tool": "caf\udce9"}


def test_what_was_written_is_read_back(tmp_path):
    """Candidates, attempts, outcomes and notes, after the file was closed."""
    with Store(tmp_path / "s.db") as store:
        store.note(seed=3, name="chip")
        store.add_candidate(asked())
        store.add_outcomes(tried(), [done()])
    with Store(tmp_path / "s.db") as store:
        store.expect(NAMES)
        assert store.notes() == {"name": "chip", "seed": 3}
        assert list(store.candidates()) == [ROW]
        assert told(store.attempts()) == told(tried())
        assert told(store.outcomes()) == told([done()])
        assert told(store.outcomes(0, False)) == told([done()])
        assert str(store.outcome(0).outputs[1]) == "-0.0"
        assert store.counts() == {"ok": 1}
        assert store.open_candidates() == []


def test_other_metrics_are_kept_by_name(tmp_path):
    """Numbers and texts beside objectives and constraints, exactly."""
    with Store(tmp_path / "s.db") as store:
        store.expect(NAMES)
        store.add_candidate(asked())
        store.add_outcomes(tried(EXTRAS)[1:], [done(EXTRAS)])
        assert next(store.attempts()).extras == EXTRAS
        assert told(store.outcomes()) == told([done(EXTRAS)])


def test_a_transaction_that_fails_leaves_nothing_behind(tmp_path):
    """The second row is refused, so the first is not there either."""
    with Store(tmp_path / "s.db") as store:
        store.add_candidate(asked())
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add_outcomes(tried() * 2, [done()])
        assert list(store.attempts()) == []
        assert list(store.outcomes()) == []
        store.add_outcomes(tried(), [done()])
        assert store.open_candidates() == []


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_are_kept_to_the_last_bit(numbers):
    """A replay must learn exactly what the study learned."""
    read = numbers_from(numbers_to_text(tuple(numbers)))
    assert np.array(read).tobytes() == np.array(numbers, float).tobytes()


@pytest.mark.parametrize(
    "space", [*SPACES.values(), dl.Integer(0, 256), dl.Integer(1, 70_000, n=2)]
)
def test_codes_are_packed_and_unpacked(space):
    """In the smallest type that holds them all."""
    packing = Packing(space)
    for seed in range(5):
        codes = space.encode(space.sample(seed))
        assert np.array_equal(packing.unpack(packing.pack(codes)), codes)
    small = max(max(segment[1]) for segment in space.segments()) <= 256
    assert (packing.kind.itemsize == 1) == small


def test_candidates_are_in_the_file_before_they_are_run(tmp_path):
    """What the objective sees in the file while it runs holds its own design."""
    path = tmp_path / "s.db"
    seen = []

    def evaluate(x):
        with StudyReader(path) as reader:
            trial = reader.trials()[-1]
        seen.append((trial.state, trial.x, x))
        return x, -x

    problem = dl.Problem(dl.Integer(0, 9), evaluate, ["up", "down"])
    with Study(problem, path) as study:
        study.run(budget=6, workers=0, duplicates="rerun")
    assert len(seen) == 6
    assert all(state == "running" and mine == x for state, mine, x in seen)


def test_outcomes_are_in_the_file_before_callbacks_hear_of_them(tmp_path):
    """Whatever was reported to the user is kept."""
    path = tmp_path / "s.db"

    def look(study, trial):
        with StudyReader(path) as reader:
            assert reader.trials()[trial.number].f == trial.f

    with Study(tiny(), path) as study:
        study.run(budget=6, workers=0, callbacks=look)


# --- what is refused


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (tiny("binary"), "space: permutation"),
        (dl.Problem(SPACES["permutation"], sum, ["cost", "gain"]), "gain: maximize"),
        (tiny(constraints=["weight"]), "weight: new constraint"),
    ],
)
def test_another_problem_is_refused_with_the_part_that_differs(other, part, study_at):
    """Its outcomes would mean something else."""
    study_at(tiny()).close()
    with pytest.raises(InputError, match=f"of permutation was begun with.*\n  {part}"):
        study_at(other)
    study_at(tiny())


@pytest.mark.parametrize("other", [None, (5, 0)])
def test_another_reference_point_is_refused(other, study_at):
    """Searches aim at it, so that the study could not go on as it began."""
    study_at(tiny(reference=(4, 0))).close()
    with pytest.raises(InputError, match=r"reference: \[4.0, 0.0\] -> "):
        study_at(tiny(reference=other))
    study_at(tiny(reference=(4, 0)))


@pytest.mark.parametrize(
    "other", [{"seed": 4}, {"lag": 9}, {"ordered": False}, {"method": "paper-ts"}]
)
def test_another_way_to_search_is_refused(other, study_at):
    """What the candidates follow from cannot change in the middle."""
    study_at(tiny(), seed=3).close()
    with pytest.raises(InputError, match=f"\n  {next(iter(other))}: "):
        study_at(tiny(), **other)
    study_at(tiny(), seed=3, lag=8, ordered=True, method="dl")


def test_what_is_left_out_is_as_in_the_file(study_at):
    """Opening again needs the problem and the path only."""
    settings = dl.DivideAndLearn(patience=7)
    study_at(tiny(), method=settings, seed=5, lag=3, ordered=False).close()
    d = study_at(tiny())._opened.declaration
    assert (d.seed, d.lag, d.ordered) == (5, 3, False)
    assert d.settings == settings


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"lag": 0}, {"ordered": "no"}])
def test_wrong_arguments_leave_no_study_behind(wrong, study_at):
    """The next, right line must be able to begin it."""
    with pytest.raises(InputError, match=f"{next(iter(wrong))} must be"):
        study_at(tiny(), **wrong)
    study_at(tiny())


def test_a_newer_format_is_refused(study_at, tmp_path):
    """It may hold what this version would destroy."""
    study_at(tiny()).close()
    with sqlite3.connect(tmp_path / "study.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match=r"version 99.*upgrade"):
        study_at(tiny())
    with pytest.raises(InputError, match=r"version 99.*upgrade"):
        StudyReader(tmp_path / "study.db")


def test_files_of_others_are_refused_and_not_changed(study_at, tmp_path):
    """A text, and a database of another program."""
    (tmp_path / "notes.db").write_text("buy milk\n" * 200)
    with pytest.raises(InputError, match="not a study"):
        study_at(tiny(), "notes.db")
    assert (tmp_path / "notes.db").read_text() == "buy milk\n" * 200
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE things (a)")
    connection.close()
    with pytest.raises(InputError, match="another program"):
        study_at(tiny(), "other.db")


@pytest.mark.parametrize("path", ["", ".", 3])
def test_a_path_that_names_no_file_is_refused(path):
    """With words, not with an error of the file system."""
    with pytest.raises(InputError, match="name of a file"):
        Study(tiny(), path)


def test_a_place_that_cannot_be_written_is_refused(study_at, tmp_path):
    """A file where a directory should be; and for readers, a file that is not there."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="directory that you may write to"):
        study_at(tiny(), "file/study.db")
    with pytest.raises(InputError, match="does not exist"):
        StudyReader(tmp_path / "none.db")


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="needs such a directory")
def test_a_directory_that_is_read_only_is_refused():
    """Also for those who may write everywhere else."""
    with pytest.raises(InputError, match="directory that you may write to"):
        Study(tiny(), "/sys/kernel/study.db")


# --- damage


@pytest.mark.parametrize("damage", ["truncated", "half overwritten", "one page"])
def test_a_damaged_file_is_refused_and_its_backup_works(damage, study_at, tmp_path):
    """Nothing is added to what cannot be trusted."""
    with study_at(tiny()) as study:
        study.run(budget=60, workers=0)
    path, backup = tmp_path / "study.db", tmp_path / "backup.db"
    shutil.copy(path, backup)
    content = bytearray(path.read_bytes())
    half = len(content) // 2
    if damage == "truncated":
        del content[half:]
    elif damage == "one page":  # of outcomes, which opening alone would not read
        place = content.index(b"this process") // 4096 * 4096
        content[place : place + 4096] = b"\xff" * 4096
    else:
        content[4096:half] = b"\xff" * (half - 4096)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged.*backup"):
        study_at(tiny())
    assert path.read_bytes() == content
    shutil.copy(backup, path)
    with study_at(tiny()) as study:
        assert study.run(budget=61, workers=0).evaluations == 61


def test_an_empty_file_is_refused(study_at, tmp_path):
    """It may have been a study; those that are made appear whole or not at all."""
    (tmp_path / "study.db").touch()
    with pytest.raises(InputError, match=r"is empty.*backup, or remove"):
        study_at(tiny())
    with pytest.raises(InputError, match="is empty"):
        StudyReader(tmp_path / "study.db")


def test_a_full_disk_is_told_and_the_study_goes_on_later(study_at):
    """All outcomes that were reported are there, and the front is that of one run."""
    reported = []
    study = study_at(tiny())
    ((pages,),) = study._opened.store._all("PRAGMA page_count")
    study._opened.store._all(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(StoreError, match=r"full.*make room"):
        study.run(
            budget=300,
            workers=0,
            callbacks=lambda _, trial: reported.append(trial.number),
        )
    study._opened.store._all("PRAGMA max_page_count = 100000")
    kept = [t.number for t in study.trials() if t.state == "ok"]
    assert reported
    assert kept == reported
    assert study.run(budget=300, workers=0).evaluations == 300
    assert study.verify()


def test_a_forged_candidate_is_found_by_the_replay(study_at, tmp_path):
    """The replay meets a candidate that follows from something else."""
    with study_at(tiny()) as study:
        study.run(budget=40, workers=0)
    rewrite(tmp_path / "study.db", CANDIDATES, 20, codes=b"")
    with study_at(tiny()) as study:
        report = study.verify()
        assert not report
        assert "candidate 20" in str(report)
        assert report.candidates == 20
        with pytest.raises(StoreError, match="not reproduced at candidate 20"):
            study.run(budget=41, workers=0)
    with StudyReader(tmp_path / "study.db") as reader:
        assert len(reader.front().X)


def test_a_row_that_was_changed_is_refused_by_name(study_at, tmp_path):
    """Its checksum was made for another value."""
    with study_at(tiny()) as study:
        study.run(budget=10, workers=0)
    with closing(sqlite3.connect(tmp_path / "study.db")) as connection, connection:
        connection.execute("UPDATE outcomes SET seconds = 99.5 WHERE number = 7")
    words = r"damaged \(table outcomes, number 7: column seconds"
    with pytest.raises(InputError, match=words):
        study_at(tiny())
    reader = StudyReader(tmp_path / "study.db")
    with reader, pytest.raises(InputError, match=words):
        reader.front()


# --- one writer


def test_two_writers_are_one_too_many(study_at):
    """The message names the process that has the study, and closing lets go."""
    study = study_at(tiny())
    with pytest.raises(InputError, match=f"in use.*process {os.getpid()} on "):
        study_at(tiny())
    study.close()
    study_at(tiny())


HOLD = """
import sys, time
from pathlib import Path
from divlearn.basics.lock import Lock
with Lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_ends_with_the_process_that_holds_it(study_at, tmp_path):
    """Also by kill -9, after which nobody could have let go of it."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "study.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InputError, match=f"process {other.pid} on"):
            study_at(tiny())
        assert holder_of(tmp_path / "study.db").startswith(str(other.pid))
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert holder_of(tmp_path / "study.db") is None
        study_at(tiny())


FORK = """
import os, sys, time
from pathlib import Path
from divlearn.basics.lock import Lock
with Lock(Path(sys.argv[1])):
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(600)
        os._exit(0)
    time.sleep(600)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_worker_that_outlives_its_study_does_not_keep_the_lock(tmp_path):
    """Else a study could not be resumed before the last evaluation ended."""
    path = tmp_path / "study.db"
    command = [sys.executable, "-c", FORK, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        child = int(other.stdout.readline())
        try:
            other.kill()
            other.wait()
            with Lock(path):
                os.kill(child, 0)  # it lives
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_closed_study_says_so(study_at):
    """Instead of an error of the database."""
    study = study_at(tiny())
    study.close()
    study.close()
    for use in (study.result, study.trials, study.verify, lambda: study.run(3)):
        with pytest.raises(InputError, match="closed"):
            use()
    assert "closed" in repr(study)
