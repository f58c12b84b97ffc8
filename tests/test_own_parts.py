"""Methods, problems, experts and metrics of one's own, by module:name."""

import re
import shutil
import sys
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.basics import plugins
from divlearn.basics.errors import InputError
from divlearn.cli import execute
from divlearn.lab.bench.fronts import front_measure, kept_as, measured
from divlearn.lab.bench.suite import digest_of_method
from divlearn.lab.bench.task import Case
from divlearn.methods.names import method_for, method_from
from divlearn.methods.paper.experts.by_name import expert_from
from divlearn.testing import check_baseline, check_expert, check_problem

EXAMPLES = Path(__file__).parent.parent / "examples/own_parts"
MODULES = ("my_method", "my_problem", "my_metric", "my_expert", "wrong_parts")
WRONG = """
import divlearn as dl
from dataclasses import dataclass

number = 3

class Bare(dl.AskTell):
    name = "bare"

@dataclass(frozen=True)
class Nameless(dl.AskTell):
    pass

@dataclass(frozen=True)
class Needy(dl.AskTell):
    depth: int
    name = "needy"

def family(instance, size=3):
    if size > 5:
        raise dl.InputError("size must be at most 5.")
    return dl.Problem(dl.Integer(0, size), lambda x: (x, -x), ["a", "b"])

def nothing(instance):
    return None

single = family(0)

def broken(front, solutions, problem):
    return "many"
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with the examples and with mistakes, which is the current one."""
    for path in EXAMPLES.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    (tmp_path / "wrong_parts.py").write_text(WRONG)
    (tmp_path / "needs.py").write_text("import no_such_package_at_all\n")
    (tmp_path / "raises.py").write_text("raise ValueError('not today')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:Mine", r"no module 'no_such_module'\. It is looked for in "),
        ("my_method.deep:Mine", "no module 'my_method.deep'"),
        ("my_method.py:Walk", r"Leave out '\.py'\. It is looked for"),
        ("needs:Mine", "the module 'needs' needs 'no_such_package_at_all'"),
        ("raises:Mine", "importing 'raises' raised ValueError: not today"),
        ("my_method:Climbr", "has no 'Climbr'; did you mean 'Climber'"),
        ("wrong_parts:number", "must be of the class Method.*got 3"),
        ("wrong_parts:nothing", "making it raised TypeError"),
        ("wrong_parts:Bare", r"frozen dataclass.*@dataclass\(frozen=True\)"),
        ("wrong_parts:Nameless", "must have a name.*name = 'nameless'"),
        ("wrong_parts:Needy", "making it raised TypeError.*depth"),
    ],
)
def test_each_mistake_in_the_name_of_a_method_has_its_message(own, name, message):
    """Module, name, kind, form, and what happens when it is made."""
    with pytest.raises(InputError, match=rf"(?s)method '{name}'.*{message}"):
        method_for(name)


def test_each_mistake_in_the_name_of_a_problem_has_its_message(own):
    """Options are checked before anything is made."""
    get = dl.problems.get
    with pytest.raises(InputError, match="no module 'nowhere'"):
        get("nowhere:family-3")
    with pytest.raises(InputError, match="has no 'familie'; did you mean 'family'"):
        get("wrong_parts:familie")
    with pytest.raises(InputError, match=r"must be of the class Problem.*got None"):
        get("wrong_parts:nothing")
    with pytest.raises(InputError, match="'wrong_parts:family-9': size must be at"):
        get("wrong_parts:family-9")
    with pytest.raises(InputError, match="has the options size; got depth"):
        get("wrong_parts:family", depth=3)
    with pytest.raises(InputError, match="has no options; got size"):
        get("wrong_parts:nothing-3")
    with pytest.raises(InputError, match="one problem, without instances"):
        get("wrong_parts:single", instance=2)
    assert get("wrong_parts:single").space == dl.Integer(0, 3)
    assert get("wrong_parts:family-5", instance=7).instance == 7


def test_each_mistake_in_experts_and_metrics_has_its_message(own):
    """The same words for all kinds of parts."""
    for half in ("my_expert:", "./my_expert.py:Greedy"):
        with pytest.raises(InputError, match=r"is named package\.module:Name"):
            expert_from(half)
    with pytest.raises(InputError, match=r"expert 'my_expert:Greed'.*'Greedy'"):
        expert_from("my_expert:Greed")
    with pytest.raises(InputError, match="must be of the class Expert"):
        expert_from("wrong_parts:number")
    with pytest.raises(InputError, match="metric 'wrong_parts:number' must be a func"):
        front_measure("wrong_parts:number")
    problem = dl.problems.get("bitsp-20")
    with pytest.raises(InputError, match=r"return a number.*raised ValueError"):
        measured("wrong_parts:broken", problem.reference[None], [], problem)


def test_the_examples_pass_the_checks_of_their_kind(own):
    """What the documentation shows must be right."""
    problem = dl.problems.get("bikp-50")
    check_baseline(method_for("my_method:Walk"), problem)
    check_baseline(method_for("my_method:Climber"), problem)
    check_expert(expert_from("my_expert:Greedy"))
    check_problem(dl.problems.get("my_problem:bridges-6", instance=1))


def test_a_benchmark_takes_parts_of_ones_own(own, capsys, monkeypatch):
    """From a TOML file, as tables for a paper; a changed part is run anew."""
    monkeypatch.setattr("divlearn.lab.bench.pictures.draw_all", lambda *_: [])
    words = ["bench", "mine.toml", "--problems", "my_problem:bridges-8", "-q"]
    words += ["--budget", "60", "--instances", "2"]
    assert execute([*words, "--format", "latex", "--workers", "1"]) == 0
    latex = capsys.readouterr().out
    rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {row.count("&") for row in rows[1:]} == {3}
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1
    assert r"my\_problem:bridges-8" in latex
    assert r"\textbf{" in latex
    assert execute([*words, "--format", "markdown"]) == 0
    markdown = capsys.readouterr().out
    assert re.search(r"\| climber \| .*\d ± 0\.\d+ \|", markdown)
    assert "knee" in markdown
    (own / "my_method.py").write_text((own / "my_method.py").read_text() + "\n")
    assert execute([*words, "--json", "--workers", "1"]) == 0
    assert '"made": 4' in capsys.readouterr().out  # of two methods


def test_solve_takes_parts_of_ones_own(own, capsys):
    """A problem, a method and an expert in one line each."""
    line = ["solve", "my_problem:bridges-6", "--budget", "50", "-q"]
    assert execute([*line, "--method", "my_method:Walk"]) == 0
    assert "bridges-6" in capsys.readouterr().out
    settings = ["--set", "mixture.experts=my_expert:Greedy,exp3"]
    assert execute([*line, "--method", "paper-ts", *settings]) == 0
    assert execute([*line, "--method", "my_method:Climbr"]) == 2
    assert "did you mean 'Climber'" in capsys.readouterr().err


def test_a_study_takes_a_method_of_ones_own_and_its_file_imports_nothing(own, capsys):
    """A file may come from anyone: what it names is run only if its user says so."""
    line = ["solve", "my_problem:bridges-6", "--store", "s.db", "-q"]
    assert execute([*line, "--budget", "8", "--method", "my_method:Walk"]) == 0
    assert execute(["resume", "s.db", "--budget", "9"]) == 2
    assert "nothing is imported because a file says so" in " ".join(
        capsys.readouterr().err.split()
    )
    assert execute([*line, "--budget", "9", "--method", "my_method:Walk"]) == 0
    mixture = {"experts": [{"expert": "my_expert:Greedy"}, "exp3"]}
    described = dl.DivideAndLearn().describe() | {"mixture": mixture}
    with pytest.raises(InputError, match="named by a file and not imported"):
        method_from(described)


def test_a_study_with_an_own_method_is_asked_by_its_name(own, capsys):
    """A file's word is not enough to load code, so the name is given again."""
    toml, study = own / "pump.toml", "pump.db"
    toml.write_text(
        '[space]\nwidth = {type = "integer", low = 1, high = 9}\n'
        '[objectives]\ncost = "min"\n[run]\nmethod = "my_method:Walk"\n'
    )
    assert execute(["init", str(toml), study]) == 0
    assert execute(["ask", study]) == 2
    assert "--method package.module:Name" in " ".join(capsys.readouterr().err.split())
    own = ["--method", "my_method:Walk"]
    assert execute(["ask", study, *own]) == 0
    assert execute(["tell", study, "0", "4", *own]) == 0
    assert execute(["ask", study, "--method", "random"]) == 2
    assert "my_method:Walk -> random" in capsys.readouterr().err


def test_sources_of_parts_are_known_by_their_content(own):
    """What was changed is another method, another problem and another metric."""
    assert digest_of_method("dl") == ""
    before = digest_of_method("my_method:Walk"), Case("my_problem:bridges-6").digest
    kept = kept_as("my_metric:knee")
    for name in ("my_method", "my_problem", "my_metric"):
        path = own / f"{name}.py"
        path.write_text(path.read_text() + "\n# changed\n")
    assert before[0] != digest_of_method("my_method:Walk")
    assert before[1] != Case("my_problem:bridges-6").digest
    assert kept != kept_as("my_metric:knee")
    assert kept_as("coverage") == "coverage"


@pytest.fixture
def offered(monkeypatch, own):
    """A package that offers one part of each kind under its own name."""
    from importlib.metadata import EntryPoint

    from divlearn.lab.bench import fronts
    from divlearn.methods import names
    from divlearn.methods.paper.experts import by_name

    plugins.referenced("method", "my_method:Walk")  # the folder is on the path now
    values = {
        plugins.METHODS: "my_method:Walk",
        plugins.PROBLEMS: "my_problem:bridges",
        plugins.EXPERTS: "my_expert:Greedy",
        plugins.METRICS: "my_metric:knee",
    }
    caches = (
        plugins.plugins,
        names.other_methods,
        sys.modules["divlearn.problems.catalogue"].singles,
        by_name.offered_experts,
        fronts.offered_measures,
    )
    monkeypatch.setattr(
        plugins,
        "entry_points",
        lambda group: (
            [EntryPoint("mine", values[group], group)] if group in values else []
        ),
    )
    for cache in caches:
        cache.cache_clear()
    yield
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def test_entry_points_give_parts_their_names(offered):
    """An installed package needs no dict: a method, a function or a class will do."""
    assert method_for("mine").name == "walk"
    assert dl.problems.get("mine-7", instance=2).space.num_positions == 7
    assert dl.problems.get("mine", size=4).space.num_positions == 4
    assert "Choose a material" in dict(dl.problems.catalogue())["mine-N"]
    assert expert_from("mine").name == "greedy"
    assert front_measure("mine") is not None
    with pytest.raises(InputError, match="experts must be one of"):
        expert_from("greedier")
