"""Methods, problems and commands that other packages add."""

from importlib.metadata import EntryPoint

import pytest

import divlearn as dl
from divlearn.basics import plugins
from divlearn.methods import names
from divlearn.methods.others.base import Entry
from divlearn.methods.others.random import RandomSearch

#: What an entry point of another package would name.
OFFERED = {"mine": Entry(__name__, "Mine", "a method of another package")}


class Mine(RandomSearch):
    """A method of another package."""

    name = "mine"


@pytest.fixture
def offer(monkeypatch):
    """A function that lets a package offer something to a group."""

    def add(group, value):
        point = EntryPoint("another", value, group)
        monkeypatch.setattr(
            plugins, "entry_points", lambda group: [point] if group == asked else []
        )
        asked = group
        for cached in (plugins.plugins, names.other_methods):
            cached.cache_clear()

    yield add
    monkeypatch.undo()
    for cached in (plugins.plugins, names.other_methods):
        cached.cache_clear()


def test_a_method_of_another_package_is_found_by_its_name(offer, tiny_tour):
    """In solve, in lists and in what a result says."""
    offer(plugins.METHODS, f"{__name__}:OFFERED")
    assert names.all_methods()["mine"] == "a method of another package"
    result = dl.solve(tiny_tour, 20, method="mine")
    assert (result.method, result.evaluations) == ("mine", 20)
    assert isinstance(names.method_from(result.settings), Mine)


def test_a_package_that_offers_what_it_does_not_have_is_named(offer, tiny_tour):
    """The user can do something about it; a traceback would not say what."""
    offer(plugins.METHODS, "no_such_package_at_all:METHODS")
    with pytest.raises(dl.InputError, match="upgrade or remove that package"):
        dl.solve(tiny_tour, 20, method="mine")
    assert dl.solve(tiny_tour, 20).evaluations == 20  # by its own method


def test_the_laboratory_comes_by_the_same_door():
    """Nothing else in the package knows it."""
    assert "lab" in plugins.plugins(plugins.METHODS)
    assert "nsga2" in names.all_methods()
    assert dl.problems.get("codesign-paper").name == "codesign-paper"
