"""Hyperparameters of Ray Tune that divlearn searches."""

import importlib
import math
import sys

import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from tests.integration import ray_stand_in as tune

MODULE = "divlearn.integration.ray"
SPACE = {
    "model": {
        "rate": tune.Float(1e-4, 1.0, tune.LogUniform()),
        "kind": tune.Categorical(["a", "b"]),
    },
    "size": tune.Integer(1, 9, tune.Uniform()),
    "batch": tune.Categorical([16, 32, 64]),
    "share": tune.Float(0.1, 1.0, tune.Quantized(tune.Uniform(), 0.25)),
    "width": tune.Integer(3, 10, tune.Quantized(tune.Uniform(), 4)),
    "fixed": 5,
}


@pytest.fixture
def search(monkeypatch):
    """The class of searchers, over what stands in for Ray."""
    tune.install(monkeypatch)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield importlib.import_module(MODULE).DivlearnSearch
    sys.modules.pop(MODULE, None)


def loss(config):
    """The best there is has rate 0.01, kind b and size 1."""
    model = config["model"]
    far = abs(math.log10(model["rate"]) + 2)
    return far + (model["kind"] == "a") + config["size"] / 10


def run(searcher, trials, first=0):
    """Suggest and complete trials; return their values."""
    values = []
    for number in range(first, first + trials):
        config = searcher.suggest(f"t{number}")
        values.append(loss(config))
        searcher.on_trial_complete(f"t{number}", {"loss": values[-1]})
    return values


@pytest.mark.usefixtures("short_gp")
def test_configurations_are_searched_with_all_their_kinds_of_values(search):
    """Nested, logarithmic, in steps, among choices; and it finds good ones."""
    searcher = search(seed=1, budget=40)
    assert searcher.set_search_properties("loss", "min", SPACE)
    assert not searcher.set_search_properties("loss", "min", SPACE)
    parts = list(searcher.optimizer.problem.space.parts.values())
    assert parts == [
        dl.Real(1e-4, 1.0, log=True),
        dl.Categorical(range(2)),
        dl.Integer(1, 8),
        dl.Ordinal(range(3)),
        dl.Real(0.25, 1.0, step=0.25),
        dl.Ordinal([4, 8]),
    ]
    config = searcher.suggest("first")
    assert set(config) == {"model", "size", "batch", "share", "width"}
    assert config["batch"] in (16, 32, 64)
    assert min(run(searcher, 40)) < 0.3


def test_trials_that_fail_or_lack_their_metric_are_not_suggested_again(search):
    """An error of a trial is no value."""
    searcher = search("loss", "max", seed=1)
    searcher.set_search_properties(None, None, SPACE)
    for number, result in enumerate([None, {}, {"loss": math.nan}, {"loss": 1.0}]):
        searcher.suggest(f"t{number}")
        searcher.on_trial_complete(f"t{number}", result, error=result is None)
    assert searcher.optimizer.under_way.num_failed == 3
    searcher.on_trial_complete("nobody's", {"loss": 1.0})
    assert searcher.optimizer.evaluations == 4


def test_a_searcher_continues_from_its_file(search, tmp_path):
    """As Tune does when an experiment is restored."""
    searcher = search(["loss", "size"], ["min", "max"], seed=1)
    searcher.set_search_properties(None, None, SPACE)
    searcher.suggest("open")
    searcher.save(str(tmp_path / "searcher.pkl"))
    other = search()
    other.restore(str(tmp_path / "searcher.pkl"))
    assert other.suggest("next") == searcher.suggest("next")
    other.on_trial_complete("open", {"loss": 1.0, "size": 2.0})
    assert other.optimizer.evaluations == 1


@pytest.mark.parametrize(
    ("metric", "mode", "space", "words"),
    [
        (None, "min", SPACE, "metric and mode must be given"),
        (["a", "b"], "min", SPACE, "equal length"),
        ("a", "min", {"x": {"grid_search": [1, 2]}}, "x is a grid_search"),
        ("a", "min", {"x": tune.Float(0, 1, tune.Normal())}, "x must be uniform"),
        ("a", "min", {"x": 3}, "at least one part"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_words(
    search, metric, mode, space, words
):
    """Before the first trial."""
    with pytest.raises(InputError, match=words):
        search().set_search_properties(metric, mode, space)
    with pytest.raises(InputError, match="param_space"):
        search().suggest("t")


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    """A newcomer reads it and has it."""
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    monkeypatch.setitem(sys.modules, "ray.tune", None)
    with pytest.raises(dl.MissingExtra, match=r'pip install "divlearn\[tune\]"'):
        importlib.import_module(MODULE)
