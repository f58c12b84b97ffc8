"""Shares that a model predicts beside shares of time: stopwatch, places, methods."""

import contextlib
import inspect

import pytest

import divlearn as dl
from divlearn import problems
from divlearn.lab.bench.operations import Validation, validate
from divlearn.lab.bench.operations.model import MODELS
from divlearn.lab.bench.operations.places import WATCHED
from divlearn.lab.bench.operations.stopwatch import ELSEWHERE, Place, Stopwatch

HERE = __name__


class Kitchen:
    """Something whose parts are timed."""

    def cook(self):
        """Do all of it."""
        self.chop()
        return self.chop()

    def chop(self):
        """Do a part of it."""
        return "chopped"


def ticking():
    """A clock that is a second later at every look."""
    seconds = iter(range(1_000))
    return lambda: float(next(seconds))


def test_the_time_of_a_part_inside_another_counts_once():
    """Five seconds in all: two in the inner part, three around it."""
    watch = Stopwatch(ticking())
    places = [Place(HERE, "Kitchen.cook", "meal"), Place(HERE, "Kitchen.chop", "knife")]
    with watch.over(places):
        assert Kitchen().cook() == "chopped"
    assert watch.seconds == {"meal": 3.0, "knife": 2.0}


def test_functions_are_as_before_when_the_watch_stops_even_by_an_error():
    """Else every later run would be timed too."""
    before = Kitchen.chop
    place = Place(HERE, "Kitchen.chop", "knife")
    with contextlib.suppress(KeyError), Stopwatch().over([place]):
        during = Kitchen.chop
        raise KeyError
    assert during is not before
    assert Kitchen.chop is before


def test_a_part_that_raises_is_over():
    """The time after it belongs to whoever called it."""
    watch = Stopwatch(ticking())

    def fail():
        raise ValueError("burnt")

    def survive():
        with pytest.raises(ValueError, match="burnt"):
            watch.around("bad", fail)()

    watch.around("good", survive)()
    assert watch.seconds == {"good": 2.0, "bad": 1.0}


@pytest.mark.parametrize("method", sorted(WATCHED))
def test_every_place_is_a_function_and_every_component_is_counted(method):
    """A part that was renamed would go unwatched in silence."""
    pytest.importorskip("torch")
    watched = WATCHED[method]
    for place in watched.places:
        assert callable(vars(place.owner())[place.name])
    (model,) = (model for kind, model in MODELS.items() if kind.name == method)
    source = inspect.getsource(model) + inspect.getsource(inspect.getmodule(model))
    source += '"evaluation" "archive"'
    parts = {place.component for place in watched.places} - {ELSEWHERE}
    for part in parts:
        names = [name for name, joined in watched.joined.items() if joined == part]
        assert any(f'"{name}"' in source for name in names or [part])


def test_every_method_with_a_model_can_be_timed():
    """The paper's presets have their own way."""
    assert {kind.name for kind in MODELS} == set(WATCHED)


@pytest.mark.parametrize(
    ("method", "problem", "evaluations"),
    [
        ("random", "bitsp-20", 200),
        ("pure-ucb", "bitsp-20", 50),
        ("nsga2", "bitsp-20", 200),
        ("nsga2", "bikp-50", 200),
        ("moead", "bitsp-20", 200),
        ("ppls-dc", "bitsp-20", 20_000),
        ("ws-2opt", "bitsp-20", 20_000),
        ("ws-dp", "bikp-50", 5),
    ],
)
def test_all_components_of_a_run_are_measured(method, problem, evaluations):
    """Those that the model has, and no others; no bound on the error."""
    found = validate(problems.get(problem), method, evaluations)
    assert set(found.predicted) == set(found.measured)
    for shares in (found.predicted, found.measured):
        assert sum(shares.values()) == pytest.approx(1)
    assert 0 <= found.mean_absolute_error <= 1
    assert 0 <= found.elsewhere < 1
    assert found.operations > 0
    assert found.seconds > 0


@pytest.mark.parametrize("method", ["qnehvi", "qparego", "bopr"])
def test_the_parts_of_bayesian_optimization_are_measured(method):
    """All but a design are there after two candidates."""
    pytest.importorskip("torch")
    from divlearn.lab.baselines import BASELINES

    few = {"initial": 4, "generations": 2, "population": 4}
    if method == "bopr":
        few |= {"steps": 2, "restarts": 2, "samples": 2}
    tiny = BASELINES[method].make().replace(**few)
    found = validate(problems.get("bitsp-10"), tiny, 6)
    for part in ("fits", "conditioning", "predictions", "improvements", "candidates"):
        assert found.measured[part] > 0


def test_a_network_is_measured_part_by_part():
    """Encoder, decoder and walks; training where it is part of the run."""
    pytest.importorskip("torch")
    from divlearn.lab.baselines.pmoco.methods import PMOCO, MatchedPMOCO

    problem = problems.get("bitsp-20")
    found = validate(problem, PMOCO(weights=2, augment=1), 30)
    assert min(found.measured[part] for part in ("encoder", "decoder", "walks")) > 0
    found = validate(problem, MatchedPMOCO(weights=2), 1_500)
    assert min(found.measured[part] for part in ("training", "training walks")) > 0


@pytest.mark.parametrize("method", ["dl", "pyvrp", "optuna-tpe"])
def test_methods_without_a_model_are_refused_with_the_reason(method):
    """And with the names of those that can be asked for."""
    with pytest.raises(dl.InputError, match=r"follows from sizes and options.*nsga2"):
        validate(problems.get("bitsp-20"), method)


def test_a_method_that_cannot_treat_the_problem_says_so():
    """Before anything is timed."""
    with pytest.raises(dl.InputError, match="TSP"):
        validate(problems.get("bikp-50"), "ws-2opt", 10)


def test_the_largest_component_is_compared():
    """What a reader of a model wants to know first."""
    assert not Validation({"a": 0.9, "b": 0.1}, {"a": 0.4, "b": 0.6}).largest_agrees
