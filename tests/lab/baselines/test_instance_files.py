"""Specialised methods on instances whose best known values are published."""

from pathlib import Path

import pytest

import divlearn as dl
from divlearn.problems import read

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize(
    ("file", "budget", "optimum"),
    [
        ("berlin52.tsp", 300_000, 7542),
        ("gr17.tsp", 30_000, 2085),
        ("br17.atsp", 30_000, 39),  # ways there and back differ
    ],
)
@pytest.mark.parametrize("method", ["ppls-dc", "ws-lkh"])
def test_tours_from_files_are_solved_to_the_optimum(file, budget, optimum, method):
    """One objective, distances of any size."""
    if method == "ws-lkh":
        pytest.importorskip("elkai")
    result = dl.solve(read(DATA / file), budget, method=method)
    assert result.F.tolist() == [[optimum]]


def test_two_files_make_a_front_with_both_optima_at_its_ends():
    """One symmetric and one asymmetric objective, in different units."""
    problem = read(DATA / "gr17.tsp", DATA / "br17.atsp")
    result = dl.solve(problem, 100_000, method="ppls-dc")
    assert result.F.min(axis=0).tolist() == [2085, 39]


@pytest.mark.parametrize(("file", "total"), [("E-n13-k4", 247), ("P-n16-k8", 450)])
@pytest.mark.parametrize("method", ["ppls-dc", "pyvrp"])
def test_routes_from_files_reach_the_best_known_total(file, total, method):
    """And go on to shorter routes, also where a stop on the way is a short cut."""
    if method == "pyvrp":
        pytest.importorskip("pyvrp")
    result = dl.solve(read(DATA / f"{file}.vrp"), 50_000, method=method)
    assert result.F[:, 0].min() == total
    assert len(result.F) >= 3
