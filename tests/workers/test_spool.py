"""Evaluations by whoever takes files from a directory."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.workers import Attempt, SpoolPool, open_pool
from divlearn.workers.spool.layout import ROOMS, Layout
from divlearn.workers.spool.worker import work

ROOT = Path(__file__).parent.parent.parent


def weigh(x):
    """Two objectives that pull in different directions; some designs have none."""
    if x["kind"] == "b" and x["order"][0] == 0:
        raise dl.InvalidDesign("no room")
    first = sum(i * v for i, v in enumerate(x["order"]))
    return first + ord(x["kind"]), 60 - first / 3


SPACE = dl.Composite(order=dl.Permutation(5), kind=dl.Categorical(["a", "b", "c", "d"]))
PROBLEM = dl.Problem(SPACE, weigh, {"cost": "min", "gain": "min"})
X = {"order": [2, 0, 1, 4, 3], "kind": "a"}


def job(number=0, attempt=0, replicate=0):
    """An evaluation to be done."""
    return Attempt(number, attempt, replicate, X, 7)


@pytest.fixture
def pool(tmp_path):
    """A spool whose name has spaces, and short leases."""
    made = SpoolPool(tmp_path / "all my jobs", PROBLEM, 4, lease=0.15, study="s")
    yield made
    made.close(kill=True)


def claim(pool):
    """Take the first job as a worker does; its name."""
    name = pool.layout.names("new")[0]
    assert pool.layout.move(name, "new", "claimed")
    return name


def answer(pool, name, said):
    """Answer a job, whole or not."""
    text = said if isinstance(said, str) else json.dumps(said)
    pool.layout.at("done", name).write_text(text)


def ends(pool):
    """State and outputs of what has ended, after waiting for it."""
    return [(a.state, a.outputs) for a in pool.wait(20)]


class Helper(threading.Thread):
    """A worker in this process."""

    def __init__(self, path, **how):
        super().__init__(daemon=True)
        self.path, self.how = path, how
        self.over, self.seen, self.done = threading.Event(), [], None
        self.start()

    def run(self):
        """Work until told to leave, or until the study is over."""
        how = {"stopped": self.over.is_set, "told": self.seen.append, **self.how}
        self.done = work(self.path, **how)


def test_workers_find_the_front_that_one_process_finds(tmp_path):
    """Ordered studies do not depend on who evaluates; nothing is left over."""
    spool = tmp_path / "jobs"
    helpers = [Helper(spool), Helper(spool, workers=2)]  # before there is a spool
    with dl.Study(PROBLEM, tmp_path / "spool.db", method="random") as study:
        found = study.run(30, executor=f"spool:{spool}")
        assert study.verify()
    with dl.Study(PROBLEM, tmp_path / "here.db", method="random") as study:
        wanted = study.run(30, workers=0)
    for helper in helpers:
        helper.join(120)
    assert sum(helper.done for helper in helpers) >= 30  # duplicates are not evaluated
    assert found.F.tobytes() == wanted.F.tobytes()
    assert found.counts == wanted.counts
    assert [name for room in ROOMS for name in Layout(spool).names(room)] == []


@pytest.mark.parametrize(
    ("said", "state", "outputs"),
    [
        ({"values": {"cost": 1, "gain": 2.5}}, "ok", (1.0, 2.5)),
        ({"cost": 1, "gain": 2.5}, "ok", (1.0, 2.5)),
        ([1, 2.5], "ok", (1.0, 2.5)),
        ({"values": [1, 2], "worker": "w", "seconds": 3}, "ok", (1.0, 2.0)),
        ({"infeasible": "no room"}, "infeasible", None),
        ({"error": True}, "failed", None),
        ({"state": "failed", "message": "no licence"}, "failed", None),
        ({"state": "timed out"}, "timed out", None),
        ({"cost": 1}, "wrong shape", None),
        ({"cost": 1, "gain": 2, "more": 3}, "wrong shape", None),
        ({"cost": 1, "gain": "many"}, "failed", None),
        ({"cost": 1, "gain": float("nan")}, "failed", None),
    ],
)
def test_an_answer_may_be_written_by_any_program(pool, said, state, outputs):
    """Plain metrics as simulators print them are enough."""
    pool.submit(job())
    answer(pool, claim(pool), said)
    assert ends(pool) == [(state, outputs)]


@pytest.mark.parametrize(
    "said", ["", '{"cost": 1, "ga', "no JSON", "3", '{"state": "odd"}', "[" * 9_999]
)
def test_an_answer_that_is_no_answer_is_lost_and_tried_again(pool, said):
    """A disk may be full, a worker may write straight into the file and die."""
    pool.submit(job())
    answer(pool, claim(pool), said)
    assert ends(pool) == [("lost", None)]


def test_an_answer_that_is_still_being_written_is_waited_for(tmp_path):
    """It is read again when it has changed, however half it was."""
    with SpoolPool(tmp_path / "jobs", PROBLEM, 1, lease=600) as pool:
        pool.submit(job())
        name = claim(pool)
        answer(pool, name, '{"cost": 1, "ga')
        assert pool.wait(0.05) == []
        answer(pool, name, '{"cost": 1, "gain": 2}')
        assert ends(pool) == [("ok", (1.0, 2.0))]


def test_a_silent_worker_is_lost_and_its_late_answer_counts_once(pool):
    """Whatever comes first ends the next try; the other answer is dropped."""
    pool.submit(job())
    first = claim(pool)
    assert ends(pool) == [("lost", None)]
    pool.submit(job(attempt=1))
    second = claim(pool)
    answer(pool, first, {"cost": 1, "gain": 2})
    assert ends(pool) == [("ok", (1.0, 2.0))]
    answer(pool, second, {"cost": 1, "gain": 2})
    assert pool.wait(0.05) == []


def test_an_answer_of_a_try_that_was_counted_is_not_counted_again(tmp_path):
    """Killed after it wrote a failure and before it removed the file."""
    where = tmp_path / "jobs"
    first = SpoolPool(where, PROBLEM, 1, lease=0.15, study="s")
    first.submit(job())
    answer(first, claim(first), {"error": "no licence"})
    assert ends(first) == [("failed", None)]
    del first  # kill -9: nothing is removed
    with SpoolPool(where, PROBLEM, 1, lease=600, study="s") as again:
        again.submit(job(attempt=1))  # a retry
        assert again.wait(0.05) == []
        answer(again, claim(again), {"cost": 1, "gain": 2})
        assert ends(again) == [("ok", (1.0, 2.0))]


@pytest.mark.parametrize("claimed", [False, True])
def test_what_is_worked_on_when_the_coordinator_dies_is_found_again(tmp_path, claimed):
    """An hour's work is not begun anew, whether it ends before or after."""
    where = tmp_path / "jobs"
    first = SpoolPool(where, PROBLEM, 2, study="s")
    for number in range(2):
        first.submit(job(number))
    name = claim(first)
    if not claimed:
        answer(first, name, {"cost": 1, "gain": 2})
    del first
    with SpoolPool(where, PROBLEM, 2, study="s") as again:
        assert again.layout.names("new") == []  # nobody had begun it
        again.submit(job(0))
        assert again.layout.names("new") == []
        if claimed:
            answer(again, name, {"cost": 1, "gain": 2})
        assert ends(again) == [("ok", (1.0, 2.0))]


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        """Seconds since the beginning."""
        return self.now

    def sleep(self, seconds):
        """Let time pass."""
        self.now += seconds


def test_clocks_of_workers_may_show_anything(tmp_path, monkeypatch):
    """Only that the time of a file changes matters, not what it says."""
    monkeypatch.setattr("divlearn.workers.spool.pool.time", Clock())
    pool = SpoolPool(tmp_path / "jobs", PROBLEM, 1, lease=300)
    pool.submit(job())
    place = pool.layout.at("claimed", claim(pool))
    for year in range(9):  # a clock that runs backwards, for much longer than a lease
        os.utime(place, (1e9 - 1e7 * year,) * 2)
        assert pool.wait(250) == []
    assert [a.state for a in pool.wait(400)] == ["lost"]


def test_foreign_files_are_left_alone(pool):
    """Editors, file systems and people leave files wherever they like."""
    names = (".nfs0001", "notes.txt", "00000000-0-0-xyz.json", "a b.json")
    for room in ROOMS:
        for name in names:
            pool.layout.at(room, name).write_text("mine")
        pool.layout.at(room, "folder").mkdir()
    pool.submit(job())
    (name,) = pool.layout.names("new")
    os.symlink("/etc/hostname", pool.layout.at("done", name))
    assert ends(pool) == [("lost", None)]  # a link is never followed
    pool.submit(job(attempt=1))
    answer(pool, claim(pool), [1, 2])
    assert ends(pool) == [("ok", (1.0, 2.0))]
    pool.close()
    for room in ROOMS:
        assert {p.name for p in (pool.layout.path / room).iterdir()} == {
            *names,
            "folder",
        }


def test_a_job_whose_file_is_gone_is_tried_again(pool):
    """Somebody tidied up."""
    pool.submit(job())
    pool.layout.remove(pool.layout.names("new")[0], "new")
    assert ends(pool) == [("lost", None)]


def test_a_job_that_was_given_back_waits_as_long_as_it_takes(pool):
    """A worker whose time was over is no worker that died."""
    pool.submit(job())
    name = claim(pool)
    assert pool.layout.move(name, "claimed", "new")
    assert pool.wait(0.5) == []
    assert pool.layout.names("new") == [name]


def test_an_evaluation_that_takes_too_long_is_given_up(tmp_path):
    """Although something touches the file again and again."""
    with SpoolPool(tmp_path / "jobs", PROBLEM, 1, timeout=0.05, lease=0.1) as pool:
        pool.submit(job())
        place, ended = pool.layout.at("claimed", claim(pool)), []
        while not ended:
            place.touch()
            ended = pool.wait(0.02)
        assert [a.state for a in ended] == ["timed out"]
        assert not place.exists()


def test_a_spool_belongs_to_one_study(pool):
    """Answers for one problem would be taken for those of another."""
    path = pool.layout.path
    with pytest.raises(InputError, match="belongs to another study, of weigh"):
        SpoolPool(path, PROBLEM, study="t")
    pool.submit(job())
    pool.close(kill=True)
    with SpoolPool(path, PROBLEM, study="t") as other:  # it is empty
        assert other.layout.about().study == "t"


def test_a_worker_gives_back_what_it_has_when_it_has_to_leave(tmp_path):
    """At the end of its time in a queue; the job has not lost a worker."""
    slow = dl.Problem(SPACE, sleep_long, PROBLEM.objectives)
    with SpoolPool(tmp_path / "jobs", slow, 2) as pool:
        pool.submit(job())
        (name,) = pool.layout.names("new")
        helper = Helper(pool.layout.path)
        while not pool.layout.at("claimed", name).exists():
            time.sleep(0.01)
        helper.over.set()
        helper.join(60)
        assert pool.layout.names("new") == [name]
        pool.close(kill=True)


def sleep_long(x):
    """Take longer than any test."""
    time.sleep(600)


def test_a_worker_answers_a_job_that_it_cannot_read(pool):
    """After a power cut a file may be empty; the coordinator writes it again."""
    pool.submit(job())
    (name,) = pool.layout.names("new")
    pool.layout.at("new", name).write_text("")
    helper = Helper(pool.layout.path, idle=0.0)
    assert ends(pool) == [("lost", None)]
    helper.over.set()
    helper.join(60)


@pytest.mark.parametrize("how", ["dies", "fails"])
def test_what_is_killed_together_with_its_worker_is_given_back(tmp_path, how):
    """A queue ends all processes of a job at once; that is no loss, and no failure."""
    sign = tmp_path / "the job was cancelled"

    def end(x):
        sign.touch()
        if how == "dies":
            os._exit(1)
        raise RuntimeError("the simulator was ended by signal 15")

    problem = dl.Problem(SPACE, end, PROBLEM.objectives)
    with SpoolPool(tmp_path / "jobs", problem, 1) as pool:
        pool.submit(job())
        (name,) = pool.layout.names("new")
        assert work(pool.layout.path, problem, stopped=sign.exists) == 0
        assert pool.layout.names("new") == [name]
        assert pool.layout.names("claimed") == pool.layout.names("done") == []
        pool.close(kill=True)


def test_a_worker_leaves_when_idle_or_over(tmp_path):
    """So that an array of jobs ends by itself."""
    assert work(tmp_path / "nowhere", idle=0.0) == 0
    SpoolPool(tmp_path / "jobs", PROBLEM, 1).close()
    assert work(tmp_path / "jobs") == 0


def test_a_worker_says_that_it_waits_for_a_study(tmp_path):
    """A job of a cluster may start first; but a wrong name would wait for ever."""
    said = []
    work(tmp_path / "nowhere", idle=0.0, waits=said.append)
    work(tmp_path, idle=0.0, waits=said.append)
    assert ["does not exist yet" in said[0], "holds no study yet" in said[1]] == [1, 1]
    with pytest.raises(InputError, match=r"nowhere' does not exist, after 0.05 s"):
        work(tmp_path / "nowhere", wait=0.05, waits=said.append)
    assert len(said) == 3
    with pytest.raises(InputError, match=r"is the name right\? .*'spool:"):
        work(tmp_path / "nowhere", wait=0.0, waits=said.append)
    assert len(said) == 3  # it never waited
    SpoolPool(tmp_path / "jobs", PROBLEM, 1).close()
    assert work(tmp_path / "jobs", wait=0.0, waits=said.append) == 0
    with pytest.raises(InputError, match="wait must be"):
        work(tmp_path / "jobs", wait=-1.0)


def test_the_command_of_a_worker_says_what_is_wrong(tmp_path):
    """On standard error, with the exit code of a wrong request."""
    command = [sys.executable, "-m", "divlearn", "worker", str(tmp_path / "nowhere")]
    done = subprocess.run(
        [*command, "--wait", "0"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "does not exist" in done.stderr
    assert done.stdout == ""


def test_code_that_others_may_have_written_is_not_run(pool):
    """Whoever may write the spool could have put any code there."""
    if os.name == "nt":
        pytest.skip("no modes of files")
    os.chmod(pool.layout.path, 0o770)
    with pytest.raises(InputError, match="others may write it"):
        work(pool.layout.path, idle=0.0)
    os.chmod(pool.layout.path, 0o700)
    (pool.layout.path / "problem.pickle").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(InputError, match="not what the study wrote"):
        work(pool.layout.path, idle=0.0)


def test_a_problem_that_cannot_be_sent_can_be_named(tmp_path, monkeypatch):
    """Shell workers need none, and others may load it themselves."""
    monkeypatch.setattr("divlearn.workers.parcel.by_value", lambda: None)
    problem = dl.Problem(SPACE, lambda x: weigh(x), PROBLEM.objectives)
    with SpoolPool(tmp_path / "jobs", problem, 1) as pool:
        with pytest.raises(InputError, match=r"divlearn\[workers\].*FILE.py:NAME"):
            work(pool.layout.path, idle=0.0)
        pool.submit(job())
        helper = Helper(pool.layout.path, problem=PROBLEM)
        assert ends(pool) == [("ok", (2 * 0 + 0 + 2 + 12 + 12 + 97.0, 60 - 26 / 3))]
    helper.join(60)


def test_wrong_requests_are_refused_in_words(tmp_path):
    """The argument, what was expected, what came, what to do."""
    with pytest.raises(InputError, match="does not exist; make it first"):
        open_pool(PROBLEM, executor=f"spool:{tmp_path}/no/where")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be used"):
        open_pool(PROBLEM, executor=f"spool:{tmp_path}/file")
    with pytest.raises(InputError, match="lease must be"):
        open_pool(PROBLEM, executor={"engine": f"spool:{tmp_path}/a", "lease": 0})
    with pytest.raises(InputError, match="no option 'rent'; allowed: lease"):
        open_pool(PROBLEM, executor={"engine": f"spool:{tmp_path}/a", "rent": 0})
    (tmp_path / "spool.json").write_text('{"format": 99}')
    with pytest.raises(InputError, match="not of this version"):
        work(tmp_path)
    (tmp_path / "spool.json").write_text("half")
    with pytest.raises(InputError, match="is that the directory of a spool"):
        work(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_twenty_lines_of_shell_are_a_worker(tmp_path):
    """Whatever language the simulator is in; two of them beside each other."""
    folder, spool = ROOT / "examples", tmp_path / "my jobs"
    text = (folder / "simulator_shell/line.toml").read_text()
    text = text.replace("./line.sh", str(folder / "simulator_shell/line.sh"))
    toml = tmp_path / "line.toml"
    toml.write_text(text.replace("workers = 2", 'executor = "spool:my jobs"'))
    script = [str(folder / "spool_worker.sh"), str(spool)]
    command = [*script, str(folder / "simulator_shell/line.sh")]
    shells = [subprocess.Popen(command) for _ in range(2)]
    run = [
        sys.executable,
        "-m",
        "divlearn",
        "run",
        str(toml),
        "--budget",
        "5",
        "--json",
    ]
    done = subprocess.run(run, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"] == {"ok": 5}
    assert [shell.wait(60) for shell in shells] == [0, 0]
