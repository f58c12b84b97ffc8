"""Algorithms of pymoo and optimizers of Nevergrad, by one line."""

import random

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines.isolation import Isolated
from divlearn.testing import check_baseline
from tests.lab.baselines.test_baselines import SPACES, problem_over


def pymoo_algorithms():
    """One of each way in which pymoo's algorithms make the next generation."""
    pytest.importorskip("pymoo")
    from pymoo.algorithms.moo.cmopso import CMOPSO
    from pymoo.algorithms.moo.moead import MOEAD
    from pymoo.algorithms.moo.rvea import RVEA
    from pymoo.algorithms.moo.spea2 import SPEA2
    from pymoo.core.mixed import MixedVariableGA
    from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

    from divlearn.methods.paper.scalarization import simplex_lattice

    weights = simplex_lattice(2, 8)
    return {
        "spea2": SPEA2(pop_size=8),
        "moead": MOEAD(weights, n_neighbors=4),
        "rvea": RVEA(weights),
        "cmopso": CMOPSO(pop_size=8),
        "mixed": MixedVariableGA(pop_size=8, survival=RankAndCrowding()),
    }


@pytest.mark.parametrize("space", ["permutation", "mixed"])
@pytest.mark.parametrize("name", ["spea2", "moead", "rvea", "cmopso", "mixed"])
def test_algorithms_of_pymoo_pass_the_shared_checks(name, space):
    """Populations, single children, plans by budget, swarms, named variables."""
    method = dl.lab.baselines.from_pymoo(pymoo_algorithms()[name])
    check_baseline(method, problem_over(SPACES[space]), budget=24)


def test_real_numbers_stand_for_solutions_where_an_algorithm_keeps_its_operators():
    """Keys for permutations and limited subsets; what SBX makes is a member."""
    method = dl.lab.baselines.from_pymoo(pymoo_algorithms()["spea2"], operators="own")
    for space in ("permutation", "subset"):
        check_baseline(method, problem_over(SPACES[space]), budget=24)


def test_pymoos_operators_for_permutations_are_left_in_place():
    """Whoever has chosen operators means them; permutations are not keys then."""
    pytest.importorskip("pymoo")
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.operators.crossover.ox import OrderCrossover
    from pymoo.operators.mutation.inversion import InversionMutation
    from pymoo.operators.sampling.rnd import PermutationRandomSampling

    algorithm = NSGA2(
        pop_size=20,
        sampling=PermutationRandomSampling(),
        crossover=OrderCrossover(),
        mutation=InversionMutation(),
    )
    problem = dl.problems.get("bitsp-20", instance=7)
    method = dl.lab.baselines.from_pymoo(algorithm)
    found = dl.solve(problem, 1_500, method=method).hypervolume()
    assert found > 1.1 * dl.solve(problem, 1_500, method="random").hypervolume()
    assert algorithm.pop is None  # what was given is copied


def test_operators_of_the_space_serve_pymoos_algorithms():
    """Far better than keys: that is why they are the usual choice."""
    problem = dl.problems.get("bitsp-20", instance=7)
    algorithm = pymoo_algorithms()["spea2"]
    space, own = (
        dl.solve(problem, 800, method=dl.lab.baselines.from_pymoo(algorithm, operators))
        for operators in ("auto", "own")
    )
    assert space.method == "pymoo-SPEA2"
    assert space.hypervolume() > own.hypervolume()


def test_what_an_algorithm_of_pymoo_cannot_treat_is_said():
    """Its MOEA/D knows no constraints, and only algorithms are algorithms."""
    algorithms = pymoo_algorithms()
    problem = dl.problems.get("synkp-50")
    method = dl.lab.baselines.from_pymoo(algorithms["moead"])
    with pytest.raises(dl.InputError, match=r"MOEAD cannot handle 'synkp-50'"):
        dl.solve(problem, 10, method=method)
    with pytest.raises(dl.InputError, match="algorithm must be an algorithm of pymoo"):
        dl.lab.baselines.from_pymoo("nsga2")
    with pytest.raises(dl.InputError, match=r"CMOPSO; use operators='own'"):
        dl.lab.baselines.from_pymoo(algorithms["cmopso"], operators="space")
    with pytest.raises(dl.InputError, match="operators must be one of auto, own"):
        dl.lab.baselines.from_pymoo(algorithms["spea2"], operators="codes")


class Global:
    """A search that draws from the global random states."""

    def propose(self, count, numbers):
        """Draw."""
        return np.random.rand(count, 2) + random.random()  # noqa: NPY002

    def observe(self, number, codes, outputs):
        """Nothing is learned."""

    def fail(self, number, codes):
        """Nothing is learned."""


def test_the_global_random_state_of_others_is_neither_used_nor_changed():
    """Two isolated searches draw the same, whatever happens around them."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
    one, other = Isolated(Global, 7), Isolated(Global, 7)
    first = [one.propose(1, np.arange(1)) for _ in range(3)]
    assert random.getstate() == before[0]
    assert (np.random.get_state()[1] == before[1]).all()  # noqa: NPY002
    np.random.rand(5)  # noqa: NPY002
    second = [other.propose(1, np.arange(1)) for _ in range(3)]
    assert np.array_equal(first, second)
    assert not np.array_equal(first[0], first[1])


def nevergrad_installed():
    """Nevergrad warns while it is imported."""
    return pytest.importorskip("nevergrad", exc_type=ImportError)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "space"), [("DE", "mixed"), ("NGOpt", "subset")])
def test_optimizers_of_nevergrad_pass_the_shared_checks(name, space):
    """Also one that would wait for ever if it were asked before it is told."""
    nevergrad_installed()
    method = dl.lab.baselines.from_nevergrad(name)
    check_baseline(method, problem_over(SPACES[space]), budget=15)


@pytest.mark.filterwarnings("ignore")
def test_nevergrad_is_told_of_constraints_and_solutions_from_elsewhere():
    """Both reach the optimizer in its own words."""
    nevergrad_installed()
    problem = dl.problems.get("bikp-50", repair="none")
    method = dl.lab.baselines.from_nevergrad("DE", workers=4)
    optimizer = dl.Optimizer(problem, method, seed=0)
    nothing = np.zeros(50, bool)
    optimizer.add(nothing, problem.evaluate(nothing))
    for _ in range(10):
        batch = optimizer.ask(3)
        optimizer.tell(batch, [problem.evaluate(c.x) for c in batch])
    assert (optimizer.evaluations, optimizer.known) == (30, 1)


@pytest.mark.filterwarnings("ignore")
def test_what_nevergrad_does_not_have_is_refused():
    """With the nearest name."""
    nevergrad_installed()
    with pytest.raises(dl.InputError, match=r"optimizer must be one of .*'NGOpt'"):
        dl.lab.baselines.from_nevergrad("NGOptt")
    with pytest.raises(dl.InputError, match="optimizer must be a name"):
        dl.lab.baselines.from_nevergrad(3)
