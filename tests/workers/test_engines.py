"""Executors by name, in Python, in TOML and on the command line."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import divlearn as dl
from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.simulator import load_toml
from divlearn.workers import DaskPool, LocalPool, RayPool, SerialPool, open_pool
from divlearn.workers.engines import read_engine
from divlearn.workers.parcel import pack_problem
from tests.workers.objectives import PROBLEM


@pytest.mark.parametrize(
    ("executor", "engine"),
    [
        ("spawn", ("spawn", None, {})),
        ("dask", ("dask", None, {})),
        ("dask://host:8786", ("dask", "tcp://host:8786", {})),
        ("tls://host:8786", ("dask", "tls://host:8786", {})),
        ("ray", ("ray", None, {})),
        ("ray://host:10001", ("ray", "ray://host:10001", {})),
        ("spool:my jobs", ("spool", "my jobs", {})),
        ({"engine": "lsf", "cores": 2}, ("lsf", None, {"cores": 2})),
        ({"engine": "spool:/a", "lease": 9}, ("spool", "/a", {"lease": 9})),
    ],
)
def test_an_engine_is_named_by_a_text_or_a_table(executor, engine):
    """The same words in Python, in TOML and on the command line."""
    assert tuple(read_engine(executor)) == engine


@pytest.mark.parametrize(
    "executor", ["", "slrum", "spool:", "http://host", {}, {"engine": 3}, 3]
)
def test_what_is_no_engine_is_refused_with_a_list_of_those_there_are(executor):
    """A typo should not need a search through the documents."""
    with pytest.raises(InputError, match=r'"dask://HOST:PORT".*"spool:DIRECTORY"'):
        open_pool(PROBLEM, executor=executor)


@pytest.mark.parametrize(
    ("executor", "meant"),
    [("slrum", "slurm"), ({"engine": "spol:jobs"}, "spool"), ("dsak://h:1", "dask")],
)
def test_a_slip_of_the_pen_is_guessed(executor, meant):
    """The list of engines is long."""
    with pytest.raises(InputError, match=f"Did you mean '{meant}'"):
        open_pool(PROBLEM, executor=executor)


@pytest.mark.parametrize(
    ("module", "executor", "extra"),
    [
        ("distributed", "dask", "dask"),
        ("distributed", "dask://127.0.0.1:1", "dask"),
        ("dask_jobqueue", "slurm", "jobqueue"),
        ("ray", "ray", "ray"),
        ("ray", "ray://127.0.0.1:1", "ray"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    monkeypatch, module, executor, extra
):
    """Nobody should have to search for the name of an extra."""
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    if module != "distributed" and executor == "slurm":
        pytest.importorskip("distributed")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf'pip install "divlearn\[{extra}\]"'):
        open_pool(PROBLEM, workers=2, executor=executor)


def test_options_that_nobody_would_read_are_refused():
    """They would be believed to have an effect."""
    with pytest.raises(InputError, match="no option 'cores'; it has none"):
        open_pool(PROBLEM, executor={"engine": "dask://host:1", "cores": 2})


def test_a_scheduler_that_is_not_there_is_an_error_in_words():
    """The address, and how to start one."""
    distributed = pytest.importorskip("distributed")
    with pytest.MonkeyPatch.context() as patch:
        real = distributed.Client
        patch.setattr(distributed, "Client", lambda a, timeout: real(a, timeout=0.2))
        with pytest.raises(DivlearnError, match=r"tcp://127.0.0.1:9'.*dask scheduler"):
            open_pool(PROBLEM, executor="dask://127.0.0.1:9")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings(r"ignore:\s*Port \d+ is already in use")
def test_a_local_dask_cluster_is_started_and_closed_with_the_study(tmp_path):
    """By name alone, with a function that pickle does not know by name."""
    pytest.importorskip("distributed")
    problem = dl.Problem(dl.Permutation(6), lambda x: (x[0] + x[1], x[2]), ["a", "b"])
    with dl.Study(problem, tmp_path / "here.db", method="random") as study:
        wanted = study.run(20, workers=0)
    with dl.Study(problem, tmp_path / "dask.db", method="random") as study:
        engine = {"engine": "dask", "processes": False}
        pool = open_pool(problem, workers=1, executor=engine)
        assert isinstance(pool, DaskPool)
        client = pool._client
        found = study.run(20, executor=pool)
    assert client.status == "closed"
    assert found.F.tobytes() == wanted.F.tobytes()


def test_a_pool_may_be_the_executor(tmp_path):
    """Whoever wants other options than those of ``run`` makes it, and hands it over."""
    problem = dl.Problem(dl.Permutation(6), lambda x: (x[0] + x[1], x[2]), ["a", "b"])
    with dl.Study(problem, tmp_path / "a.db", method="random") as study:
        assert study.run(10, executor=LocalPool(problem, 1)).evaluations == 10
        with pytest.raises(InputError, match="a pool for another problem"):
            study.run(20, executor=SerialPool(PROBLEM))
        with pytest.raises(InputError, match="workers and timeout cannot be given"):
            study.run(20, executor=SerialPool(problem), workers=3)
        with pytest.raises(InputError, match="got the class ThreadPoolExecutor"):
            study.run(20, executor=ThreadPoolExecutor)
        with pytest.raises(InputError, match="got the class RayPool"):
            study.run(20, executor=RayPool)


TOML = """
[space]
width = {type = "integer", low = 1, high = 8}
[objectives]
area = "min"
[evaluate]
command = ["{python}", "-c", "print(open('design.json').read())"]
timeout = 60
[run]
budget = 20
"""


@pytest.mark.parametrize(
    ("line", "executor", "timeout"),
    [
        ("", None, 70.0),
        ('executor = "dask"', "dask", 70.0),
        ('executor = "slurm"', "slurm", None),
        ('executor = "spool:jobs"', {"engine": "spool:{here}/jobs"}, None),
        (
            'executor = {engine = "pbs", cores = 4}',
            {"engine": "pbs", "cores": 4},
            None,
        ),
    ],
)
def test_a_toml_file_names_an_engine(tmp_path, line, executor, timeout):
    """Directories begin beside the file; what waits in a queue has no time limit."""
    path = tmp_path / "chip.toml"
    path.write_text(TOML + line)
    told = load_toml(path)[1].of_run()
    if isinstance(executor, dict):
        name = executor["engine"].replace("{here}", str(tmp_path.resolve()))
        executor = {**executor, "engine": name}
    assert told.get("executor") == executor
    assert told.get("timeout") == timeout


@pytest.mark.parametrize("line", ["executor = 3", 'executor = "spol:jobs"'])
def test_a_wrong_engine_in_a_toml_file_is_refused_with_its_line(tmp_path, line):
    """File, line, what was expected and what came."""
    path = tmp_path / "chip.toml"
    path.write_text(TOML + line)
    with pytest.raises(InputError, match=r"chip.toml, line 11: .*executor"):
        load_toml(path)


def test_functions_of_a_script_travel_by_value():
    """By name they would mean nothing to processes that did not start the script."""
    pytest.importorskip("cloudpickle")
    import pickle

    function = eval("lambda x: (x * x,)", {"__name__": "__main__"})
    function.__module__ = "__main__"
    problem = dl.Problem(dl.Integer(1, 8), function, ["square"])
    assert pickle.loads(pack_problem(problem)).evaluate(3).tolist() == [9.0]
