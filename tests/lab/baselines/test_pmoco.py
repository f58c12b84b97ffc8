"""PMOCO and PMOCO* as methods: what they count, what they refuse, what ships."""

import dataclasses
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import divlearn as dl
from divlearn.basics.errors import InputError, MissingExtra
from divlearn.basics.files import digest_of
from divlearn.lab.baselines.pmoco.library import find_model, known_networks
from divlearn.lab.baselines.pmoco.methods import PMOCO, MatchedPMOCO, matched_plan
from divlearn.lab.baselines.pmoco.plan import FAMILIES, Plan
from divlearn.lab.baselines.pmoco.session import train
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.pmoco.training import Trainer
from divlearn.lab.bench.suite import Suite
from divlearn.lab.bench.task import Case, Contender, Task
from divlearn.lab.bench.work import perform
from divlearn.methods.names import method_from
from divlearn.problems import get
from divlearn.testing import check_baseline

TINY = Shape(width=8, layers=1, heads=2, inner=8, codes=2)


@pytest.fixture
def tiny_model(tmp_path):
    """Train tiny networks for a family and return their files."""

    def make(family, size=6, stop_after=None):
        path = tmp_path / f"{family}.npz"
        trainer = Trainer(Plan(f"{family}-{size}", epochs=1, steps=2, shape=TINY))
        train(trainer, path, stop=lambda: trainer.step_count == stop_after)
        return str(path)

    return make


@pytest.mark.parametrize("family", FAMILIES)
def test_pmoco_passes_the_shared_checks_on_every_family(family, tiny_model):
    """Same seed, same front; never more than the budget."""
    method = PMOCO(model=tiny_model(family), weights=7, samples=1)
    check_baseline(method, get(f"{family}-8"), budget=30)


@pytest.mark.parametrize("family", FAMILIES)
def test_pmoco_matched_meets_its_budget_exactly_on_every_family(family):
    """Training and use together, whatever the budget is."""
    problem = get(f"{family}-15")
    check_baseline("pmoco-matched", problem, budget=60)
    for budget in (30, 101):
        result = dl.solve(problem, budget, method="pmoco-matched", seed=1)
        assert result.evaluations == budget
        assert 0 < result.learned["training_solutions"] < budget


def test_a_network_trained_anew_is_another_method(tiny_model):
    """Its file has the same name: records of both would be mixed."""
    path = tiny_model("bitsp")
    method = PMOCO(model=path, weights=3)
    first = method.describe()
    assert dl.solve(get("bitsp-6"), method=method).settings == first
    assert method_from(first) == method
    contender = Contender("pmoco", {"model": path, "weights": 3})
    suite = Suite("mine", "", (Case("bitsp-6"),), (contender,), budget=50)
    (task,) = suite.tasks()
    assert task.key == suite.tasks()[0].key
    assert perform(task).state == "ok"
    Path(path).unlink()
    tiny_model("bitsp", size=7)
    assert method.describe()["model"] == first["model"]
    assert method.describe()["digest"] != first["digest"]
    assert suite.tasks()[0].key != task.key
    outcome = perform(task)
    assert outcome.state == "failed"
    assert "was changed since the benchmark began" in outcome.message
    with pytest.raises(InputError, match="its content has changed"):
        method_from(first)


def test_the_keys_of_methods_without_files_stay_as_they_were():
    """So that a store of earlier runs is not made anew."""
    pair = Contender("pmoco"), Contender("random")
    suite = Suite("mine", "", (Case("bitsp-20"),), pair, budget=50)
    assert [t.key for t in suite.tasks()] == [
        Task(Case("bitsp-20"), 0, contender, 0, 50).key for contender in pair
    ]


def test_pmoco_without_a_budget_evaluates_each_distinct_solution_once(tiny_model):
    """The problem is called as often as evaluations are counted."""
    problem = get("bitsp-6", instance=1)
    seen = []
    result = dl.solve(
        problem,
        method=PMOCO(model=tiny_model("bitsp"), weights=5),
        callbacks=lambda optimizer, candidate: seen.append(candidate.codes.tobytes()),
    )
    assert len(set(seen)) == len(seen) == result.evaluations
    assert result.learned["solutions_built"] == 5 * 6 * 8


def test_every_training_solution_counts(monkeypatch):
    """What the network drew in training is what the result says, and is paid for."""
    problem, drawn = get("bitsp-10"), []
    step = Trainer.step

    def watched(trainer):
        drawn.append(trainer.plan.preferences * trainer.plan.instances * 10)
        return step(trainer)

    monkeypatch.setattr(Trainer, "step", watched)
    called = []
    result = dl.solve(
        problem,
        300,
        method=MatchedPMOCO(weights=5),
        callbacks=lambda optimizer, candidate: called.append(candidate),
    )
    assert result.learned["training_solutions"] == sum(drawn)
    assert result.evaluations == sum(drawn) + len(called) == 300


def test_a_matched_training_leaves_enough_to_use_the_network():
    """One solution per preference and start, a fifth, or half of a small budget."""
    problem, method = get("bitsp-20"), MatchedPMOCO()
    for budget in (40, 1_000, 10_000, 622_000):
        plan = matched_plan(method, problem, budget, 0)
        made = plan.total_steps * plan.preferences * plan.instances * plan.size
        kept = min(max(40 * 20, budget // 5), budget // 2)
        assert 0 < made <= budget - kept
        assert budget - kept - made < plan.preferences * plan.size + plan.size


def test_a_matched_training_needs_a_budget():
    """Without one it would not know when to stop training."""
    for budget in (None, 39):
        with pytest.raises(InputError, match="at least 40 evaluations"):
            matched_plan(MatchedPMOCO(), get("bitsp-20"), budget, 0)


def test_a_time_limit_alone_is_refused_before_anything_runs():
    """Once, with what to do: not run by run."""
    problem = get("bitsp-20")
    with pytest.raises(InputError, match=r"got None; give budget=10_000"):
        dl.solve(problem, seconds=5, method="pmoco-matched")
    both = dl.solve(problem, 40, seconds=60, method="pmoco-matched")
    assert both.evaluations == 40
    limits = {"stop": dl.stop.MaxEvaluations(40)}
    assert dl.solve(problem, **limits, method="pmoco-matched").evaluations == 40


def test_a_benchmark_by_seconds_refuses_a_matched_training_at_its_start():
    """It may have a number of evaluations of its own there."""
    names = Contender("random"), Contender("pmoco-matched")
    suite = Suite("mine", "", (Case("bitsp-20"),), names, seconds=1.0)
    with pytest.raises(InputError, match="pmoco-matched@10000 in a benchmark"):
        suite.require_runnable()
    own = Contender("pmoco-matched", budget=40)
    dataclasses.replace(suite, methods=(names[0], own)).require_runnable()
    too_few = dataclasses.replace(suite, seconds=None, budget=39)
    with pytest.raises(InputError, match=r"at least 40 evaluations.*got 39"):
        too_few.require_runnable()


def test_a_network_for_another_size_is_used_with_a_note(tiny_model):
    """It works on any number of cities, only less well."""
    method = PMOCO(model=tiny_model("bitsp", size=6), weights=3)
    result = dl.solve(get("bitsp-9"), method=method)
    assert "trained for size 6, not 9" in result.learned["note"]
    assert "note" not in dl.solve(get("bitsp-6"), method=method).learned


def test_scale_and_place_of_a_map_do_not_matter(tiny_model):
    """Coordinates in metres give the tours of coordinates in kilometres."""
    places = 3.0 * get("bitsp-6").coordinates + 7.0
    method = PMOCO(model=tiny_model("bitsp"), weights=5)
    near, far = (
        dl.solve(dl.problems.TSP(p), method=method) for p in (places, 1e3 * places)
    )
    np.testing.assert_allclose(far.F, 1e3 * near.F)


@pytest.mark.parametrize("name", ["pmoco", "pmoco-matched"])
@pytest.mark.parametrize("problem", ["biatsp-8", "qap-8", "synkp-8", "noisytsp-8"])
def test_other_problems_are_refused(name, problem):
    """The message says which problems it can handle."""
    with pytest.raises(InputError, match="tours with two or three objectives"):
        dl.solve(get(problem), 100, method=name)


def test_a_model_of_another_family_is_refused(tiny_model):
    """Knapsacks have other features than cities."""
    method = PMOCO(model=tiny_model("bikp"))
    with pytest.raises(InputError, match="a network for bitsp-N"):
        dl.solve(get("bitsp-6"), 100, method=method)


def test_an_unfinished_model_is_refused(tiny_model):
    """A network that was not trained to its end is no result of the method."""
    method = PMOCO(model=tiny_model("bitsp", stop_after=1))
    with pytest.raises(InputError, match="stopped after 1 of 2 steps"):
        dl.solve(get("bitsp-6"), 100, method=method)


def test_a_missing_model_is_named_with_the_command_that_trains_one(monkeypatch):
    """A file that is not there, and a family for which nothing ships."""
    with pytest.raises(InputError, match=r"no file 'gone\.npz'"):
        dl.solve(get("bitsp-6"), 100, method=PMOCO(model="gone.npz"))
    monkeypatch.setattr("divlearn.lab.baselines.pmoco.library.known_networks", list)
    with pytest.raises(InputError, match="divlearn train pmoco --problem bitsp-6"):
        dl.solve(get("bitsp-6"), 100, method="pmoco")


@pytest.mark.parametrize("name", ["pmoco", "pmoco-matched"])
def test_without_pytorch_the_error_names_the_extra(name, monkeypatch):
    """A missing extra is one command away."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[neural\]"'):
        dl.solve(get("bitsp-20"), 100, method=name)


def test_options_out_of_range_are_named():
    """At least two preferences, no negative rounds."""
    for changes in ({"weights": 1}, {"augment": 0}, {"samples": -1}):
        with pytest.raises(InputError, match=next(iter(changes))):
            PMOCO(**changes)


def test_shipped_networks_are_finished_small_and_have_their_logs():
    """Each was trained by the command that its log names."""
    import json

    from divlearn.lab.baselines.pmoco.files import read_network

    files = known_networks()
    named = {(family, size) for family, size, _ in files}
    assert {("bitsp", 20), ("tritsp", 20), ("bikp", 50), ("bicvrp", 20)} <= named
    for family, size, file in files:
        network = read_network(file)
        log = json.loads(file.with_suffix(".json").read_text())
        assert network.finished
        assert network.plan.problem == f"{family}-{size}"
        assert file.stat().st_size < 6_000_000
        assert log["command"].startswith("divlearn train pmoco")
        assert len(log["log"]) == log["plan"]["epochs"] == network.plan.epochs


def test_what_a_shipped_network_began_with_is_shipped_too():
    """So each of them can be trained again."""
    from divlearn.lab.baselines.pmoco.files import read_network

    files = [file for _, _, file in known_networks()]
    known = {"", *(digest_of([str(file)]) for file in files)}
    starts = {file.stem: read_network(file).plan.start for file in files}
    assert starts["tritsp-50"]
    assert not starts["tritsp-20"]
    assert set(starts.values()) <= known


def test_the_nearest_size_is_chosen_where_there_is_none_of_the_size():
    """By ratio, as sizes of problems are."""
    assert find_model("bitsp", 25).name == "bitsp-20.npz"
    assert find_model("bitsp", 32).name == "bitsp-50.npz"
    assert find_model("bicvrp", 70).name == "bicvrp-50.npz"
    assert find_model("bicvrp", 200).name == "bicvrp-100.npz"
    assert find_model("bikp", 100).name == "bikp-50.npz"  # 200 is as near


def test_the_shipped_network_is_good_and_better_than_a_matched_training():
    """BiTSP20 needs .60; the best known front of instance 1 has about .629."""
    problem = get("bitsp-20", instance=1)
    shipped = dl.solve(problem, method="pmoco")
    matched = dl.solve(problem, shipped.evaluations, method="pmoco-matched")
    assert shipped.hypervolume() > 0.615
    assert shipped.hypervolume() > matched.hypervolume() + 0.01
