import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from divlearn.basics.errors import InputError, StoreError
from divlearn.lab.bench import Store, schema
from divlearn.lab.bench.record import Outcome
from divlearn.lab.bench.task import Case, Contender, ReferenceTask, Task
from divlearn.lab.bench.work import perform
from tests.lab.bench.conftest import outcome


def task(instance=0, **changes):
    """Make a task."""
    plain = Task(Case("bitsp-8"), instance, Contender("uniform"), 0, budget=120)
    return plain if not changes else Task(**{**vars(plain), **changes})


def test_a_run_comes_back_as_it_was_written(store):
    """Row, front, solutions and history."""
    done = perform(task(3))
    store.write(task(3), done)
    (run,) = store.runs()
    assert run.task == task(3)
    assert (run.key, run.ok) == (task(3).key, True)
    for name in ("evaluations", "seconds", "cpu_seconds", "hypervolume", "front_size"):
        assert getattr(run, name) == getattr(done, name)
    front = store.front(run.key)
    assert front.shape == (run.front_size, 2)
    from divlearn.lab.bench.cases import build

    problem = build(task(3).case, 3)
    lengths = [problem.evaluate(x) for x in store.solutions(run.key, problem)]
    np.testing.assert_allclose(lengths, front)
    assert store.history(run.key)["hypervolume"][-1] == run.hypervolume


def test_runs_come_in_the_order_that_is_asked_for(store):
    """Tables must not depend on which worker was quicker."""
    for instance in (2, 0, 1):
        store.write(task(instance), outcome(0.5))
    keys = [task(i).key for i in (0, 1, 7, 2)]
    assert [run.task.instance for run in store.runs(keys)] == [0, 1, 2]


def test_a_second_outcome_of_a_task_replaces_the_first(store):
    """A run that failed and is tried again is one run."""
    store.write(task(), Outcome("failed", "no licence"))
    store.write(task(), outcome(0.5))
    assert [run.state for run in store.runs()] == ["ok"]


def test_exact_fronts_and_measures_are_kept(store):
    """They are dear to compute, and computed once."""
    job = ReferenceTask(Case("bikp-10"), 0)
    store.write(job, perform(job))
    assert store.exact().keys() == {job.key}
    assert store.exact_front(job.key).shape[1] == 2
    assert store.exact_front("unknown") is None
    store.write_measure("key", "coverage", 0.25)
    store.write_measure("key", "spread", None)
    assert store.measures("coverage") == {"key": 0.25}
    assert store.measures("spread") == {"key": None}


def test_a_new_label_reaches_stored_runs(store):
    """Methods are compared by the names that the suite gives them now."""
    store.write(task(), outcome(0.5))
    store.relabel([task(contender=Contender("uniform", label="control"))])
    assert store.runs()[0].task.contender.label == "control"


def test_a_store_opened_again_holds_what_was_written(tmp_path):
    """The very purpose of a store."""
    path = tmp_path / "bench.db"
    with Store(path) as store:
        store.write(task(), outcome(0.5))
    with Store(path) as store:
        assert store.states() == {task().key: "ok"}


def test_a_reader_sees_what_a_writer_has_written(store):
    """``bench compare`` works while a benchmark runs."""
    store.write(task(), outcome(0.5))
    with Store(store.path, read_only=True) as reader:
        store.write(task(1), outcome(0.5))
        assert len(reader.runs()) == 2
        with pytest.raises(InputError, match="readonly"):
            reader.write(task(2), outcome(0.5))


def test_a_second_writer_is_refused_and_told_who_is_first(store):
    """Two processes would make every run twice."""
    with pytest.raises(InputError, match=f"in use.*process {os.getpid()}"):
        Store(store.path)
    store.write(task(), outcome(0.5))  # the first one is not disturbed


HOLDS = """
import sys, time
from divlearn.lab.bench import Store
store = Store(sys.argv[1])
print("open", flush=True)
time.sleep(60)
"""


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    """After kill -9 the same command must work at once."""
    path = tmp_path / "bench.db"
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "open\n"
        with pytest.raises(InputError, match=f"process {process.pid}"):
            Store(path)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Store(path) as store:
        assert store.runs() == []


def test_a_store_of_another_version_is_refused_and_left_alone(tmp_path):
    """It says which version it has and what to do, and loses nothing."""
    path = tmp_path / "bench.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {schema.BENCH.version + 1}")
    connection.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(InputError) as caught:
            Store(path, read_only=read_only)
        for word in (f"version {schema.BENCH.version + 1}", "--store"):
            assert word in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    """Naming the wrong file must not cost its content."""
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("remember the milk\n" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(InputError, match="not a store of divlearn bench"):
            Store(path)
        assert path.read_bytes() == before


def test_a_store_cut_in_half_is_told(tmp_path):
    """A copy that broke off must not pass for an empty store."""
    path = tmp_path / "bench.db"
    with Store(path) as store:
        for instance in range(30):
            store.write(task(instance), outcome(0.5))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with (
        pytest.raises((StoreError, InputError), match=r"damaged|not a store"),
        Store(path) as store,
    ):
        store.runs()


def test_an_empty_file_is_refused(tmp_path):
    """It may have been a store; those that are made appear whole or not at all."""
    path = tmp_path / "bench.db"
    path.touch()
    with pytest.raises(InputError, match=r"is empty.*remove"):
        Store(path)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_with_a_trigger_is_refused(store, read_only):
    """Nothing in a file from somebody else may run."""
    store.close()
    with closing(sqlite3.connect(store.path)) as connection, connection:
        text = "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"
        connection.execute(text)
    with pytest.raises(InputError, match="its tables were changed: it has a trigger"):
        Store(store.path, read_only=read_only)


def test_a_store_that_does_not_exist_is_not_made_by_a_reader(tmp_path):
    """A slip in a name must not look like a store without runs."""
    with pytest.raises(InputError, match="does not exist"):
        Store(tmp_path / "bench.db", read_only=True)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    """Before any run is made."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        Store(tmp_path / "file" / "bench.db")


def test_a_run_that_is_not_there_is_told(store):
    """Rather than an error of the database."""
    with pytest.raises(StoreError, match="holds no run"):
        store.front("unknown")
