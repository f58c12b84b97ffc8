"""Operation counts of methods to compare with: sizes, options, and what has none."""

import math
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import divlearn as dl
from divlearn import problems
from divlearn.basics.errors import MissingExtra
from divlearn.lab.baselines import BASELINES
from divlearn.lab.baselines.bandits import PureUCB
from divlearn.lab.baselines.moead import MOEAD
from divlearn.lab.baselines.nsga2 import NSGA2
from divlearn.lab.baselines.pareto_local_search import ParetoLocalSearch
from divlearn.lab.baselines.pmoco.methods import PMOCO, MatchedPMOCO
from divlearn.lab.baselines.weighted_knapsack import WeightedKnapsack
from divlearn.lab.baselines.weighted_two_opt import WeightedTwoOpt
from divlearn.lab.bench.operations import evaluation, operations, total
from divlearn.lab.bench.operations.local_search import greedy_choice, neighbourhood
from divlearn.lab.bench.operations.model import MODELS
from divlearn.lab.bench.operations.networks import num_choices, parts_of
from divlearn.lab.bench.work import tally_of
from divlearn.methods.names import method_for
from divlearn.methods.others.random import RandomSearch
from divlearn.problems import CVRP, TSP, Knapsack
from tests.reference import local_search as slow

ROOT = Path(__file__).parents[3]
PLAIN = [
    *((name, "bitsp-20") for name in ("random", "pure-ucb", "nsga2", "moead")),
    *(("ppls-dc", name) for name in ("bitsp-20", "bikp-50", "bicvrp-20")),
    ("ws-2opt", "bitsp-20"),
    ("ws-dp", "bikp-50"),
]


def counted(method, problem="bitsp-20", evaluations=10_000, **known):
    """All operations of a method on a named problem."""
    return total(operations(problems.get(problem), method, evaluations, **known))


# --- all of them


@pytest.mark.parametrize(("method", "problem"), PLAIN)
def test_ten_times_the_evaluations_cost_about_ten_times(method, problem):
    """What begins a search does not count for much."""
    few, many = (
        counted(method, problem, n, budget=1_000_000) for n in (20_000, 200_000)
    )
    assert 8 < many / few < 11


@pytest.mark.parametrize(("method", "problem"), PLAIN)
def test_components_are_numbers_that_are_not_negative(method, problem):
    """Even if a run ended before it had well begun."""
    for count in operations(problems.get(problem), method, 1).values():
        assert 0 <= count.total < math.inf


@pytest.mark.parametrize("method", ["random", "nsga2", "moead", "ppls-dc", "ws-2opt"])
def test_a_third_objective_costs_more(method):
    """Every distance is added for every objective."""
    assert counted(method, "tritsp-20") > counted(method, "bitsp-20")


@pytest.mark.parametrize("method", ["dl", "pyvrp", "optuna-tpe"])
def test_adaptive_searches_and_other_solvers_have_no_count(method):
    """A table leaves the cell empty; seconds are measured for all."""
    with pytest.raises(dl.InputError, match=rf"sizes and options, .* got '{method}'"):
        operations(problems.get("bitsp-20"), method, 1_000)


def test_what_derives_from_a_method_has_no_count():
    """Nobody knows what else it does."""

    class Mine(RandomSearch):
        """Like the other, but for what is not told here."""

    assert counted(RandomSearch()) > 0
    with pytest.raises(dl.InputError, match="to be counted"):
        counted(Mine())


def test_models_are_those_of_the_methods_that_names_stand_for():
    """Else a name would have no count although there is a model."""
    assert all(type(method_for(model.name)) is model for model in MODELS)


def test_the_documentation_names_every_method_without_a_count():
    """And none that has one."""
    text = Path(ROOT, "docs", "running-benchmarks.md").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith("No count: "))
    known = {model.name for model in MODELS}
    for name in BASELINES:
        assert (f"`{name}`" in line) == (name not in known)


def test_what_a_run_tells_of_its_work_goes_into_the_store():
    """Evaluations by kind, and what only the method knows."""
    learned = {
        "evaluations_by_kind": {"constructed": 7},
        "solutions_built": 50,
        "training_steps": 3,
        "note": "of no use here",
    }
    assert tally_of(SimpleNamespace(learned=learned)) == {
        "constructed": 7,
        "solutions_built": 50,
        "training_steps": 3,
    }


# --- random solutions and bandits


@pytest.mark.parametrize("name", ["bikp-50", "bikp-200"])
def test_a_choice_that_is_too_heavy_is_weighed_at_every_drop(name):
    """As often as items are dropped: half of 200 weigh about 50, and 25 fit."""
    problem = problems.get(name)
    n = problem.space.num_positions
    rows = np.random.default_rng(0).integers(0, 2, (200, n))
    dropped = np.mean([sum(row) - sum(problem.repair_codes(row)) for row in rows])
    draws = operations(problem, "random", 1)["draws"]
    assert draws.multiplications == pytest.approx(n * dropped, rel=0.2, abs=2 * n)


def test_every_pull_scores_every_arm():
    """Twice the arms, twice the scores; usually half the budget, at most 1,000."""
    problem = problems.get("bitsp-20")
    scores = [
        operations(problem, method, 500)["scores"].total
        for method in (PureUCB(arms=250), PureUCB(arms=500), "pure-ucb")
    ]
    assert scores[1] == pytest.approx(2 * scores[0])
    assert scores[2] == scores[0]


# --- populations


def test_a_population_is_that_of_the_options_or_the_budget():
    """The first generation is drawn at random; without a budget it has 100 members."""
    problem = problems.get("bitsp-20")
    one = operations(problem, "random", 1)["draws"].total
    for method, budget, size in [
        (NSGA2(population=44), 10_000, 44),
        (NSGA2(), 20_000, 53),
        (NSGA2(), None, 100),
        (MOEAD(population=44), 10_000, 44),
    ]:
        counts = operations(problem, method, 10_000, budget=budget)
        assert counts["draws"].total == pytest.approx(size * one)


def test_sorting_grows_with_the_population():
    """N log N in all for two objectives and per generation, N squared for three."""
    for name, least, most in (("bitsp-20", 1.05, 1.5), ("tritsp-20", 1.9, 2.1)):
        small, large = (
            operations(problems.get(name), NSGA2(population=size), 10**6)["sorting"]
            for size in (50, 100)
        )
        assert least < large.total / small.total < most


def test_operators_and_neighbours_follow_the_options():
    """Nothing is crossed if the probability is 0; more neighbours are asked more."""
    problem = problems.get("bicvrp-20")
    assert operations(problem, NSGA2(crossover=0.0), 1_000)["crossover"].total == 0
    blind = operations(problem, NSGA2(special=False), 1_000)["crossover"]
    assert blind.total < operations(problem, NSGA2(), 1_000)["crossover"].total
    few, many = (
        operations(problem, MOEAD(population=100, neighbours=t), 1_000)["neighbours"]
        for t in (10, 30)
    )
    # 0.9 of T, and 0.1 of all 100
    assert many.total / few.total == pytest.approx((27 + 10) / (9 + 10))


def test_reference_directions_replace_crowding_from_four_objectives_on():
    """Or where the options ask for it."""
    problem = problems.get("tritsp-20")
    usual, crowding, reference = (
        operations(problem, NSGA2(survival=survival), 1_000)["survival"]
        for survival in (None, "crowding", "reference")
    )
    assert usual == crowding
    assert reference.exponentials > 0 == crowding.exponentials


# --- neighbours


def one_sided(n):
    """Make a tour problem whose ways there and back differ."""
    return TSP(distances=np.random.default_rng(0).random((2, n, n)))


@pytest.mark.parametrize(
    "problem", [problems.get("bitsp-9"), one_sided(5), one_sided(4)]
)
def test_neighbours_of_a_tour_are_all_that_there_are(problem):
    """Stretches turned around, and cities moved on where that is not the same."""
    listed = slow.neighbours(problem, range(problem.space.num_positions))
    assert neighbourhood(problem).tried == len(listed)


@pytest.mark.parametrize("name", ["bikp-10", "bikp-30"])
def test_neighbours_of_a_choice_are_all_that_fit(name):
    """Of the greedy choice, which stands for those that a search visits."""
    problem = problems.get(name)
    choice = greedy_choice(problem)
    assert neighbourhood(problem).tried == len(slow.neighbours(problem, choice))
    assert neighbourhood(problem).weighed == len(list(slow.exchanged(choice)))


@pytest.mark.parametrize("room", [0, 1])
def test_neighbours_of_even_routes_are_all_that_fit(room):
    """Three routes of three customers, with room for one more or for none."""
    places = np.random.default_rng(0).random((9, 2))
    problem = CVRP([0, 0], places, np.ones(9), 3 + room, decoder="flags")
    even = slow.marked([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    assert neighbourhood(problem).tried == len(slow.neighbours(problem, even))


def test_options_of_pareto_local_search_are_respected():
    """Cooperation that is rarer costs less, and so does a coarser lattice."""
    for change in ({"period": 20}, {"num_weights": 10}):
        assert counted(ParetoLocalSearch(**change)) < counted("ppls-dc")


# --- weighted sums


def test_a_neighbour_costs_less_than_a_tour():
    """Four distances are looked at, whatever the number of cities and objectives."""
    per_neighbour = {
        name: operations(problems.get(name), "ws-2opt", 10**6)["neighbours"].total
        for name in ("bitsp-20", "bitsp-100", "tritsp-100")
    }
    assert len(set(per_neighbour.values())) == 1
    assert (
        per_neighbour["bitsp-100"] < 10**6 * evaluation(problems.get("bitsp-100")).total
    )


def test_descents_are_as_many_as_weights_and_starts():
    """Unless there are too few evaluations for them: each takes 170 for 20 cities."""
    problem = problems.get("bitsp-20")
    matrices = {
        (weights, starts, count): operations(
            problem, WeightedTwoOpt(num_weights=weights, starts=starts), count
        )["weighted matrices"].total
        for weights, starts, count in [
            (10, 1, 10**6),
            (10, 3, 10**6),
            (30, 1, 10**6),
            (30, 1, 1700),
        ]
    }
    once, thrice, many, cut = matrices.values()
    assert thrice == many == pytest.approx(3 * once)
    assert cut == pytest.approx(once)


def test_a_dynamic_program_takes_items_times_units():
    """At every load that an item leaves room for, one value is added."""
    problem = Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6)
    for scale in (1, 100):
        units = sum(6 * scale + 1 - load * scale for load in (2, 3, 4))
        programs = operations(problem, WeightedKnapsack(scale=scale), 7)[
            "dynamic programs"
        ]
        assert programs.additions == 7 * units
        assert programs.comparisons == 2 * programs.additions


# --- networks


@pytest.mark.parametrize("name", ["bitsp-20", "bikp-50", "bicvrp-20"])
def test_products_of_a_network_are_those_that_it_makes(name):
    """Within a fifth of what PyTorch counts, the models' own sums left out there."""
    pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    method, problem = PMOCO(weights=5, augment=2), problems.get(name)
    with FlopCounterMode(display=False) as counter:
        result = dl.solve(problem, method=method)
    counts = operations(
        problem, method, result.evaluations, tally=tally_of(result), front_size=10
    )
    parts = [counts[part] for part in ("encoder", "decoder", "walks")]
    products = sum(part.additions + part.multiplications for part in parts)
    assert products == pytest.approx(counter.get_total_flops(), rel=0.2)


def test_solutions_that_are_built_follow_from_the_options():
    """Preferences times starts times variants and samples, unless the run says more."""
    pytest.importorskip("torch")
    problem = problems.get("bitsp-20")
    for method, built in [
        (PMOCO(weights=11, augment=3), 11 * 20 * 3),
        (PMOCO(weights=11, augment=3, samples=2), 11 * 20 * 5),
    ]:
        told = operations(problem, method, 600, tally={"solutions_built": built})
        assert operations(problem, method, 600) == told
    twice = operations(problem, method, 600, tally={"solutions_built": 2 * built})
    assert twice["walks"].total == pytest.approx(2 * told["walks"].total)


def test_training_is_counted_where_it_is_part_of_the_run():
    """Within a fifth of what PyTorch counts, derivatives included."""
    pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    method, problem = MatchedPMOCO(weights=5), problems.get("bitsp-20")
    with FlopCounterMode(display=False) as counter:
        result = dl.solve(problem, 1_000, method=method)
    counts = operations(problem, method, 1_000, tally=tally_of(result))
    parts = ("training walks", "training", "encoder", "decoder", "walks")
    products = sum(
        counts[part].additions + counts[part].multiplications for part in parts
    )
    assert products == pytest.approx(counter.get_total_flops(), rel=0.2)
    assert not any("training" in name for name in operations(problem, "pmoco", 10_000))


def test_walks_are_as_long_as_solutions():
    """Cities but one; items that fit; customers, and returns to the depot."""
    assert num_choices(problems.get("bitsp-20")) == 19
    assert num_choices(Knapsack([2, 2, 2], np.ones((3, 2)), 5)) == 2
    assert num_choices(problems.get("bicvrp-20")) > 20


def test_parameters_are_those_of_the_network():
    """All that Adam has to move, but for biases and norms."""
    pytest.importorskip("torch")
    from divlearn.lab.baselines.pmoco.model import new_parameters
    from divlearn.lab.baselines.pmoco.shape import Shape
    from divlearn.lab.baselines.pmoco.tasks import task_of

    for name, family in (("bitsp-20", "bitsp"), ("bicvrp-20", "bicvrp")):
        made = new_parameters(task_of(family), Shape(), 0).values()
        moved = sum(value.numel() for value in made)
        counted = parts_of(problems.get(name), Shape()).parameters
        assert counted == pytest.approx(moved, rel=0.05)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is there")
@pytest.mark.parametrize("method", ["pmoco", "pmoco-matched"])
def test_a_network_without_pytorch_is_not_counted(method):
    """A table that is drawn without it leaves the cell empty."""
    with pytest.raises(MissingExtra, match="neural"):
        operations(problems.get("bitsp-20"), method, 10_000)
