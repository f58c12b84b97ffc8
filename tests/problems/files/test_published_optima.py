"""Published instances have their published optima, found or evaluated."""

from itertools import product

import numpy as np
import pytest

import divlearn as dl
from divlearn.optimizer.stop import Criterion
from divlearn.problems import read

ATT48 = """1 8 38 31 44 18 7 28 6 37 19 27 17 43 30 36 46 33 20 47 21 32 39 48 5 42 24
10 45 35 4 26 2 29 34 41 16 22 3 23 14 25 13 11 12 15 40 9"""
BERLIN52 = """1 49 32 45 19 41 8 9 10 43 33 51 11 52 14 13 47 26 27 28 12 25 4 6 15 5 24
48 38 37 40 39 36 35 34 44 46 16 29 50 20 23 30 2 7 42 21 17 3 18 31 22"""


class Found(Criterion):
    """Stops a search that found the optimum, or something that is wrong."""

    interval = 1_000

    def __init__(self, optimum):
        self.optimum = optimum

    def check(self, progress):
        """Look at the first objective."""
        found = progress.front_objectives[:, 0] <= self.optimum
        return "the optimum was found" if found.any() else None


def best_of_searches(problem, optimum):
    """Search from several seeds, until one finds the optimum; return the best."""
    found = []
    for seed in range(6):
        result = dl.solve(problem, budget=100_000, stop=Found(optimum), seed=seed)
        place = result.F[:, 0].argmin()
        found.append((result.F[place, 0], seed, result.X[place]))
        if result.F[place, 0] <= optimum:
            break
    return min(found, key=lambda entry: entry[:2])[2]


@pytest.mark.parametrize(
    ("name", "optimum"),
    [
        ("burma14.tsp", 3323),  # GEO
        ("ulysses16.tsp", 6859),  # GEO, with a western longitude
        ("ulysses22.tsp", 7013),
        ("gr17.tsp", 2085),  # LOWER_DIAG_ROW
        ("gr21.tsp", 2707),
        ("br17.atsp", 39),  # FULL_MATRIX, not symmetric
    ],
)
def test_the_search_finds_the_published_optimum(data, name, optimum):
    """Not one unit less either: then the distances would be wrong."""
    problem = read(data / name)
    best = best_of_searches(problem, optimum)
    assert problem.evaluate(best) == optimum


@pytest.mark.parametrize(
    ("name", "tour", "optimum"),
    [("att48.tsp", ATT48, 10628), ("berlin52.tsp", BERLIN52, 7542)],
)
def test_a_published_optimal_tour_has_its_published_length(data, name, tour, optimum):
    """ATT and EUC_2D; one rounding the other way would show in the sum."""
    problem = read(data / name)
    order = np.array(tour.split(), int) - 1
    assert problem.evaluate(order) == optimum


@pytest.mark.parametrize(
    ("name", "optimum"),
    [
        ("P-n16-k8.vrp", 450),  # EUC_2D
        ("E-n13-k4.vrp", 247),  # EXPLICIT, LOWER_ROW
    ],
)
def test_the_search_finds_the_published_routes(data, name, optimum):
    """The least total length is one end of the front."""
    problem = read(data / name)
    best = best_of_searches(problem, optimum)
    assert problem.evaluate(best)[0] == optimum
    loads = [problem.demands[route].sum() for route in problem.routes(best)]
    assert max(loads) <= problem.capacity


@pytest.mark.parametrize(("instance", "optimum"), [(0, 3800), (1, 8706.1)])
def test_a_file_of_several_knapsacks_has_the_optima_that_it_states(
    data, instance, optimum
):
    """All choices are tried; the optimum in the file itself is not used."""
    problem = read(data / "petersen.txt", instance=instance, repair=None)
    choices = np.array(list(product([0, 1], repeat=len(problem.weights))))
    fits = (choices @ problem.weights <= problem.capacity).all(axis=1)
    best = choices[fits][(choices[fits] @ problem.values)[:, 0].argmax()]
    assert problem.evaluate(best.astype(bool))[0] == pytest.approx(optimum, abs=1e-9)


def test_two_files_give_two_objectives(data):
    """One TSPLIB file per objective, in the order of the files."""
    names = [data / "gr17.tsp", data / "br17.atsp"]
    problem = read(*names)
    order = np.random.default_rng(0).permutation(17)
    alone = [read(name).evaluate(order)[0] for name in names]
    assert problem.evaluate(order).tolist() == alone
    assert problem.name == "gr17+br17"
    assert not problem.symmetric
