import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import divlearn as dl
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.workers import (
    Attempt,
    ExecutorPool,
    LocalPool,
    current_attempt,
    open_pool,
)
from tests.workers.objectives import PROBLEM
from tests.workers.processes import wait_until


def task(x, number=0, seed=None):
    """Make a task."""
    return Attempt(number, 0, 0, x, seed)


def states(pool, *deeds):
    """Submit deeds, wait for all and return their states in order."""
    for number, x in enumerate(deeds):
        pool.submit(task(x, number))
    reports = []
    while found := pool.wait(None):
        reports += found
    return [r.state for r in sorted(reports, key=lambda r: r.number)]


class Counting:
    """An objective that counts how often it was sent."""

    sent = 0

    def __setstate__(self, state):
        """Arrive."""
        Counting.sent += 1

    def __getstate__(self):
        """Leave."""
        return {}

    def evaluate(self, x):
        """Say how often this process was sent the problem."""
        return (Counting.sent,)


class Broken:
    """An objective that cannot be unpacked where it arrives."""

    def __reduce__(self):
        """Ask for a module that is not there."""
        return __import__, ("no_such_module",)

    def evaluate(self, x):
        """Never called."""
        return (0.0,)


@pytest.fixture(scope="module")
def processes():
    """Two processes of the standard library."""
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield executor


def test_processes_of_the_standard_library_give_the_same_reports(processes):
    """Executors differ in where they work, not in what they say."""
    pool = ExecutorPool(processes, PROBLEM)
    deeds = ("well", "refuse", "stumble", "nan", "few", "shout", "leave")
    expected = "ok, infeasible, failed, failed, wrong shape, ok, failed"
    assert states(pool, *deeds) == expected.split(", ")
    assert pool.size == 2


def test_a_problem_is_unpacked_once_in_each_process():
    """Setting it up may take longer than an evaluation."""
    problem = dl.Problem(dl.Integer(0, 9), Counting(), ["sent"])
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        pool = ExecutorPool(executor, problem)
        for number in range(4):
            pool.submit(task(number, number))
        outputs = set()
        while reports := pool.wait(None):
            outputs |= {r.outputs for r in reports}
    assert outputs == {(1.0,)}


def test_threads_need_no_pickle_and_see_their_own_task_and_solution():
    """The solution is a copy: an objective may change it."""
    together = threading.Barrier(3)

    def count(x):
        """Meet the others, then answer by the number of the task."""
        together.wait(600)
        x["order"][:] = 0
        return (current_attempt().number,)

    space = dl.Composite(order=dl.Permutation(3))
    x = space.sample()
    with ThreadPoolExecutor(3) as executor:
        pool = open_pool(dl.Problem(space, count, ["number"]), executor=executor)
        for number in range(3):
            pool.submit(task(x, number))
        reports = []
        while found := pool.wait(None):
            reports += found
    assert sorted(r.outputs[0] for r in reports) == [0.0, 1.0, 2.0]
    assert sorted(x["order"]) == [0, 1, 2]
    assert current_attempt() is None


def test_a_broken_executor_loses_what_ran_and_then_says_so():
    """Its processes cannot be replaced: the user has to make a new one."""
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        pool = ExecutorPool(executor, PROBLEM)
        pool.submit(task("die"))
        (report,) = pool.wait(None)
        assert report.state == "lost"
        assert "BrokenProcessPool" in report.message
        with pytest.raises(DivlearnError, match="cannot be used any more"):
            pool.submit(task("well"))


def test_what_ended_before_an_executor_broke_is_reported_first():
    """An evaluation of hours is not lost because the next one cannot begin."""

    class Breaking:
        """Answers once."""

        def __init__(self):
            self.broken = False

        def submit(self, function, *arguments):
            if self.broken:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self.broken = True
            future = Future()
            future.set_result(function(*arguments))
            return future

    pool = ExecutorPool(Breaking(), PROBLEM, size=1)
    for number in range(2):
        pool.submit(task("well", number))
    (report,) = pool.wait(None)
    assert (report.state, report.number) == ("ok", 0)
    with pytest.raises(DivlearnError, match="cannot be used any more"):
        pool.wait(None)
    pool.close(kill=True)


def test_a_late_evaluation_is_given_up_and_keeps_its_place_until_it_ends():
    """A task behind it would run out of time without having been begun."""
    go_on = threading.Event()
    problem = dl.Problem(
        dl.Integer(0, 9), lambda x: (float(x == 9 and go_on.wait(600)),), ["waited"]
    )
    with ThreadPoolExecutor(2) as executor:
        pool = ExecutorPool(executor, problem, timeout=0.8)
        pool.submit(task(9))
        (report,) = pool.wait(None)
        assert report.state == "timed out"
        assert "given up" in report.message
        assert states(pool, 1, 2, 3) == ["ok"] * 3
        pool.submit(task(9))
        pool.submit(task(1))
        assert pool.wait(None)[0].state == "timed out"
        with pytest.raises(DivlearnError, match="all 2 places"):
            pool.wait(None)
        go_on.set()
        assert wait_until(lambda: pool._done.qsize() == 2)
        pool.submit(task(2))
        assert pool.wait(None)[0].state == "ok"


def test_closing_waits_or_takes_back_and_leaves_the_executor_alone():
    """The executor belongs to the user."""
    begun, go_on, done = threading.Event(), threading.Event(), []

    def evaluate(x):
        """Take until somebody lets it go on."""
        begun.set()
        go_on.wait(600)
        done.append(x)
        return (x,)

    problem = dl.Problem(dl.Integer(0, 9), evaluate, ["x"])
    with ThreadPoolExecutor(1) as executor:
        pool = ExecutorPool(executor, problem, size=2)
        for x in (1, 2):
            pool.submit(task(x))
        begun.wait(600)
        pool.close(kill=True)
        assert done == []
        go_on.set()
        assert executor.submit(int).result() == 0
        assert done == [1]
        go_on.clear()
        pool = ExecutorPool(executor, problem, size=2)
        for x in (1, 2):
            pool.submit(task(x))
        threading.Timer(0.1, go_on.set).start()
        pool.close(kill=False)
        assert done == [1, 1, 2]
        assert executor.submit(int).result() == 0


def test_workers_that_cannot_do_the_work_stop_the_study():
    """Every candidate would otherwise be recorded as a failure."""
    problem = dl.Problem(dl.Integer(0, 9), Broken(), ["x"])

    class Elsewhere:
        """An executor on whose machines something is missing."""

        def submit(self, function, *arguments):
            """Fail as unpacking there would."""
            future = Future()
            future.set_exception(ModuleNotFoundError("No module named 'simulator'"))
            return future

    pool = ExecutorPool(Elsewhere(), problem, size=1)
    pool.submit(task(1))
    with pytest.raises(DivlearnError, match=r"No module named.*must be installed"):
        pool.wait(None)


def test_a_problem_that_cannot_be_packed_is_an_input_error(processes, monkeypatch):
    """Lambdas go to other processes only with cloudpickle."""
    monkeypatch.setattr("divlearn.workers.parcel.by_value", lambda: None)
    problem = dl.Problem(dl.Integer(0, 9), lambda x: (x,), ["x"])
    pool = ExecutorPool(processes, problem)
    pool.submit(task(1))
    with pytest.raises(InputError, match="top of a module"):
        pool.wait(None)


def test_what_is_no_executor_is_refused():
    """With the list of what is one."""
    with pytest.raises(InputError, match=r"dask.distributed.Client or have the submit"):
        open_pool(PROBLEM, executor=3)
    with pytest.raises(InputError, match="submit method"):
        ExecutorPool(object(), PROBLEM)
    with pytest.raises(InputError, match="workers must be"):
        open_pool(PROBLEM, workers=-1)


@pytest.mark.parametrize("executor", [None, "spawn"])
def test_local_workers_are_the_default(executor):
    """One, unless more are wanted."""
    with open_pool(PROBLEM, executor=executor) as pool:
        assert isinstance(pool, LocalPool)
        assert pool.size == 1


def test_an_executor_waits_for_any_length_of_time():
    """Also for longer than a system can."""
    with ThreadPoolExecutor(1) as threads:
        pool = ExecutorPool(threads, PROBLEM, timeout=1e300)
        assert states(pool, "well") == ["ok"]
