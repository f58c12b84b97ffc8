"""Training of PMOCO: files, resuming, damage."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import divlearn as dl
from divlearn.basics.arrays import pack_described
from divlearn.basics.errors import InputError
from divlearn.lab.baselines.pmoco.files import (
    read_network,
    read_training,
    save_training,
)
from divlearn.lab.baselines.pmoco.methods import PMOCO
from divlearn.lab.baselines.pmoco.plan import FAMILIES, Plan
from divlearn.lab.baselines.pmoco.session import begin_with, open_training, train
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.pmoco.tasks import task_of
from divlearn.lab.baselines.pmoco.training import Trainer, scalarize

TINY = Shape(width=8, layers=1, heads=2, inner=8, codes=2)


def tiny_plan(problem="bitsp-5", **changes):
    """Six short steps."""
    return Plan(problem, epochs=2, steps=3, instances=2, shape=TINY, **changes)


def parameters_of(trainer):
    """All parameters in one array."""
    parts = [value.detach().numpy().ravel() for value in trainer.parameters.values()]
    return np.concatenate(parts)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_network_bit_for_bit(family, tmp_path):
    """Whatever the global random state is; another seed gives another one."""
    trained = []
    for number, seed in enumerate((1, 1, 2)):
        torch.manual_seed(number)
        trainer = Trainer(tiny_plan(f"{family}-5", seed=seed))
        train(trainer, tmp_path / f"{number}.npz")
        trained.append(parameters_of(trainer))
    assert (trained[0] == trained[1]).all()
    assert (trained[0] != trained[2]).any()


@pytest.mark.parametrize("stop_after", [1, 3, 4])
def test_a_resumed_training_equals_one_that_was_never_stopped(stop_after, tmp_path):
    """In the middle of an epoch too, and the log says the same."""
    whole, path = Trainer(tiny_plan()), tmp_path / "network.npz"
    train(whole, tmp_path / "whole.npz")
    calls = iter(range(1, 100))
    first = open_training(tiny_plan(), path)
    assert not train(first, path, stop=lambda: next(calls) == stop_after)
    assert first.step_count == stop_after
    second = open_training(tiny_plan(), path)
    assert second.step_count == stop_after
    assert train(second, path)
    assert (parameters_of(second) == parameters_of(whole)).all()
    for mine, theirs in zip(second.log, whole.log, strict=True):
        for what in ("epoch", "cost", "log_probability"):
            assert mine[what] == theirs[what]


def test_a_training_may_begin_with_a_network_for_another_size(tmp_path):
    """It takes its parameters and their shape, and goes on after a stop."""
    small, path = tmp_path / "small.npz", tmp_path / "large.npz"
    train(Trainer(tiny_plan()), small)
    plan = begin_with(Plan("bitsp-7", epochs=1, steps=2), small)
    assert plan.shape == TINY
    trainer = open_training(plan, path, small)
    assert (parameters_of(trainer) == parameters_of(read_training(small))).all()
    whole = open_training(plan, tmp_path / "whole.npz", small)
    train(whole, tmp_path / "whole.npz")
    assert not train(trainer, path, stop=lambda: True)
    again = open_training(plan, path, small)
    assert train(again, path)
    assert (parameters_of(again) == parameters_of(whole)).all()


@pytest.mark.parametrize(("family", "finished"), [("bikp", True), ("bitsp", False)])
def test_a_training_begins_with_finished_networks_of_its_family(
    family, finished, tmp_path
):
    """What another family has learned means nothing; what is half done changes."""
    path = tmp_path / "other.npz"
    train(Trainer(tiny_plan(f"{family}-5")), path, stop=lambda: not finished)
    with pytest.raises(InputError, match=f"begin with a finished .* {family}-5"):
        begin_with(Plan("bitsp-7"), path)


def test_a_plan_that_begins_with_another_network_is_another_plan(tmp_path):
    """So the file of one is not gone on with by the other."""
    small, path = tmp_path / "small.npz", tmp_path / "large.npz"
    train(Trainer(tiny_plan()), small)
    plain = tiny_plan("bitsp-6")
    train(Trainer(plain), path, stop=lambda: True)
    with pytest.raises(InputError, match="start = "):
        open_training(begin_with(plain, small), path, small)


def test_a_finished_file_is_a_network_with_its_log_and_goes_no_further(tmp_path):
    """Adam's moments are gone, a log in JSON stands beside it."""
    path = tmp_path / "network.npz"
    trainer = Trainer(tiny_plan())
    save_training(trainer, path)
    unfinished = path.stat().st_size
    assert not read_network(path).finished
    train(trainer, path, command="divlearn train pmoco")
    assert path.stat().st_size < unfinished / 2
    network = read_network(path)
    assert network.finished
    assert torch.equal(network.parameters["hyper.2"], trainer.parameters["hyper.2"])
    about = json.loads(path.with_suffix(".json").read_text())
    assert about["command"] == "divlearn train pmoco"
    assert about["plan"]["problem"] == "bitsp-5"
    assert [row["epoch"] for row in about["log"]] == [1, 2]
    again = open_training(tiny_plan(), path)
    assert train(again, path)
    assert (parameters_of(again) == parameters_of(trainer)).all()


def test_a_file_is_not_continued_with_another_plan(tmp_path):
    """The message says what differs."""
    path = tmp_path / "network.npz"
    save_training(Trainer(tiny_plan()), path)
    with pytest.raises(InputError, match="seed = 0, not 5"):
        open_training(tiny_plan(seed=5), path)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda content: b"", "not a NumPy archive"),
        (lambda content: content[: len(content) // 2], "damaged"),
        (lambda content: b"something else", "not a NumPy archive"),
    ],
)
def test_a_damaged_file_is_named(damage, words, tmp_path):
    """With what to give instead."""
    path = tmp_path / "network.npz"
    save_training(Trainer(tiny_plan()), path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=words) as caught:
        read_network(path)
    assert "network.npz" in str(caught.value)
    assert "divlearn train pmoco" in str(caught.value)


@pytest.mark.parametrize("broken", ["missing", "shape", "nan"])
def test_parameters_that_are_not_as_they_should_be_are_refused(broken, tmp_path):
    """A file that can be read may still hold nonsense."""
    path = tmp_path / "network.npz"
    save_training(Trainer(tiny_plan()), path)
    with np.load(path) as file:
        arrays = dict(file)
    if broken == "missing":
        del arrays["parameter.hyper.2"]
    elif broken == "shape":
        arrays["parameter.hyper.2"] = arrays["parameter.hyper.2"][:-1]
    else:
        arrays["parameter.hyper.2"][0, 0] = np.nan
    path.write_bytes(pack_described(arrays, str(arrays.pop("about"))))
    for read in (read_network, read_training):
        with pytest.raises(InputError, match=r"hyper\.2"):
            read(path)


def rewritten(path, change):
    """Change what a file says of its network."""
    with np.load(path) as file:
        arrays = dict(file)
    about = json.loads(str(arrays["about"]))
    change(about)
    del arrays["about"]
    path.write_bytes(pack_described(arrays, json.dumps(about)))


@pytest.mark.parametrize("size", [{"width": 4096}, {"layers": 4096}, {"inner": 4096}])
def test_a_network_cannot_ask_for_more_memory_than_its_file_has(size, tmp_path):
    """A shape of a terabyte in a file of some kilobytes."""
    path = tmp_path / "network.npz"
    save_training(Trainer(tiny_plan()), path)
    rewritten(path, lambda about: about["plan"]["shape"].update(size))
    with pytest.raises(InputError, match="not as it should be"):
        read_network(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", "3"),
        ("steps", -1),
        ("instances", None),
        ("log", 5),
        ("log", [{"cost": "much"}]),
        ("rows", [[1, 2]]),
        ("rows", None),
        ("plan", []),
        ("plan", {"problem": "bitsp-5"}),
        ("format", ["x"]),
    ],
)
def test_a_description_with_something_else_in_it_is_refused(name, value, tmp_path):
    """By one error that names the file."""
    path = tmp_path / "network.npz"
    save_training(Trainer(tiny_plan()), path)
    rewritten(path, lambda about: about.update({name: value}))
    for read in (read_network, read_training):
        with pytest.raises(InputError, match=r"network\.npz is not a network"):
            read(path)


def test_a_network_that_computes_nonsense_still_builds_solutions(tmp_path):
    """Finite numbers so large that scores are none: no node is chosen twice."""
    path = tmp_path / "network.npz"
    trainer = Trainer(tiny_plan())
    train(trainer, path)
    with np.load(path) as file:
        arrays = dict(file)
    for name in arrays:
        if name != "about":
            arrays[name][...] = 1e38
    path.write_bytes(pack_described(arrays, str(arrays.pop("about"))))
    problem = dl.problems.get("bitsp-5")
    method = PMOCO(model=str(path), weights=3, augment=1)
    result = dl.solve(problem, 30, method=method)
    assert (np.sort(result.X, axis=1) == np.arange(5)).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"problem": "qap-20"}, "bitsp-N, tritsp-N, bikp-N, bicvrp-N"),
        ({"problem": "bitsp-1"}, "size of bitsp-N"),
        ({"problem": "bitsp-20", "epochs": 0}, "epochs"),
        ({"problem": "bitsp-20", "starts": -1}, "starts"),
        ({"problem": "bitsp-20", "scalarization": "sum"}, "weighted-sum"),
    ],
)
def test_a_wrong_plan_is_explained(arguments, words):
    """Each message names what was expected."""
    with pytest.raises(InputError, match=words):
        Plan(**arguments)


def test_a_network_of_a_width_that_heads_do_not_divide_is_refused():
    """Heads share the width evenly."""
    with pytest.raises(InputError, match="multiple of heads"):
        Shape(width=10, heads=4)


def test_trainings_reward_the_greatest_distance_unless_told_otherwise():
    """As the paper does; networks keep what they were trained by."""
    assert Plan("bitsp-20").scalarization == "tchebycheff"
    shipped = Path(__file__).parents[3] / "networks"
    rewards = {
        file.stem: json.loads(file.read_text())["plan"]["scalarization"]
        for file in shipped.glob("*.json")
    }
    assert rewards["bitsp-20"] == "weighted-sum"
    assert rewards["bicvrp-50"] == "tchebycheff"


@pytest.mark.parametrize("scalarization", ["tchebycheff", "weighted-sum"])
def test_a_matched_training_follows_the_option(scalarization):
    """The paper's PMOCO* is trained as PMOCO is."""
    from divlearn.lab.baselines.pmoco.methods import MatchedPMOCO, matched_plan

    method = MatchedPMOCO(scalarization=scalarization)
    plan = matched_plan(method, dl.problems.get("bikp-10"), 1_000, 0)
    assert plan.scalarization == scalarization


def test_no_knapsack_is_beyond_the_ideal_point():
    """By brute force: the ideal point is at most one item's value away."""
    from itertools import product

    task = task_of("bikp")
    drawn = task.draw(np.random.default_rng(0), 3, 8)
    choices = np.array(list(product([0, 1], repeat=8)))
    for k in range(3):
        fits = choices @ drawn["weights"][k].numpy() <= float(drawn["capacity"][k])
        best = (choices[fits] @ drawn["values"][k].numpy()).max(axis=0)
        ideal = -task.ideal(drawn)[k].numpy()
        assert (ideal >= best - 1e-5).all()
        assert (ideal <= best + 1.0).all()
    assert (task_of("tritsp").ideal({"places": torch.zeros(4, 9, 6)}) == 0).all()


def test_every_preference_teaches_something_about_knapsacks():
    """Distances from the origin would be 0 for a preference of one value alone."""
    trainer = Trainer(Plan("bikp-8", epochs=1, steps=1, shape=TINY))
    drawn = trainer.task.draw(np.random.default_rng(0), 2, 8)
    costs = -torch.rand(2, 8, 2)
    only = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    scalar = scalarize(trainer._distances(costs, drawn), only, "tchebycheff")
    assert (scalar.std(dim=1) > 0.1).all()
