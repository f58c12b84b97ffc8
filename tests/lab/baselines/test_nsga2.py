"""NSGA-II: shared checks, generations, constraints, duplicates."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines.nsga2 import NSGA2
from divlearn.testing import check_baseline
from tests.lab.baselines.test_baselines import SPACES, problem_over

pytest.importorskip("pymoo")


def start(problem, seed=0, **options):
    """A running search."""
    return NSGA2(**options).start(problem, None, seed)


def answer(search, problem, numbers, rows):
    """Tell a search what its candidates are worth."""
    for number, row in zip(numbers, rows, strict=True):
        outputs = problem.evaluate(problem.space.decode(row))
        outputs[: problem.num_objectives] *= problem.sign
        search.observe(int(number), row, outputs)


@pytest.mark.parametrize("space", SPACES)
def test_nsga2_passes_the_shared_checks_on_every_space(space):
    """Ask, tell, failures, late answers and files, as every method."""
    check_baseline(NSGA2(population=10), problem_over(SPACES[space]))


@pytest.mark.parametrize("name", ["synkp-50", "mixed-20", "bicvrp-20", "bikp-50"])
def test_nsga2_passes_the_shared_checks_with_constraints_noise_and_repairs(name):
    """The kinds of problems whose operators or answers differ."""
    check_baseline("nsga2", dl.problems.get(name))


def test_survival_by_reference_directions_passes_the_shared_checks():
    """NSGA-III's survival serves four objectives."""
    check_baseline(NSGA2(survival="reference"), dl.problems.get("mixed-20"))


def test_nsga2_is_far_better_than_random_search():
    """Order crossover and inversion must show on tours."""
    problem = dl.problems.get("bitsp-20", instance=7)
    found = dl.solve(problem, 3_000, method="nsga2").hypervolume()
    assert found > 1.15 * dl.solve(problem, 3_000, method="random").hypervolume()


def test_the_compiled_objective_and_ask_and_tell_give_the_same_run():
    """The quick way around the optimizer must not change anything."""
    problem = dl.problems.get("bikp-50", instance=2)
    quick = dl.solve(problem, 250, method="nsga2", seed=3)
    slow = dl.solve(problem, 250, method="nsga2", seed=3, callbacks=[lambda *_: None])
    assert (quick.F == slow.F).all()


def test_a_generation_has_the_size_of_the_population_and_no_duplicates():
    """Evaluations are not spent on what was evaluated before."""
    problem = problem_over(dl.Permutation(6))
    search = start(problem, population=12)
    seen = set()
    for first in range(0, 120, 12):
        numbers = np.arange(first, first + 12)
        rows = search.propose(12, numbers)
        seen |= {row.tobytes() for row in rows}
        answer(search, problem, numbers, rows)
    assert len(seen) >= 118  # the first generation is drawn independently


@pytest.mark.usefixtures("tiny_spaces_go_on")
def test_a_space_that_is_exhausted_still_gives_candidates():
    """There are six orders of three items; nobody is left waiting."""
    problem = problem_over(dl.Permutation(3))
    assert dl.solve(problem, 100, method=NSGA2(population=4)).evaluations == 100


def test_whoever_asks_before_answers_are_there_gets_children_of_known_parents():
    """Asynchronous workers never wait for the slowest of a generation."""
    problem = dl.problems.get("bitsp-20")
    search = start(problem, population=10)
    rows = search.propose(10, np.arange(10))
    answer(search, problem, range(9), rows[:9])  # one never comes back
    extra = search.propose(1, np.array([10]))
    answer(search, problem, [10], extra)
    children = search.propose(10, np.arange(11, 21))
    shared = [_common_edges(child, rows[:9]) for child in children]
    strangers = [_common_edges(p, rows[:9]) for p in _strangers(problem, 50)]
    assert np.mean(shared) > np.mean(strangers) + 4


def _strangers(problem, count):
    """Random solutions."""
    return [problem.space.sample(1_000 + k) for k in range(count)]


def _common_edges(tour, others):
    """Most edges that a tour has in common with one of the others."""
    mine = _edges(tour)
    return max(len(mine & _edges(other)) for other in others)


def _edges(tour):
    """Edges of a closed tour."""
    return {frozenset(pair) for pair in zip(tour, np.roll(tour, 1), strict=True)}


def test_failed_candidates_count_as_answered_and_have_no_children():
    """A generation of which most fail goes on with the others."""
    problem = problem_over(dl.Permutation(6))
    search = start(problem, population=6)
    rows = search.propose(6, np.arange(6))
    for number in range(5):
        search.fail(number, rows[number])
    answer(search, problem, [5], rows[5:])
    children = search.propose(6, np.arange(6, 12))
    assert all(np.array_equal(np.sort(child), np.arange(6)) for child in children)


def test_solutions_from_elsewhere_become_parents():
    """A good solution that is told at the beginning is worked on."""
    problem = dl.problems.get("bitsp-20", instance=1)
    best = dl.solve(problem, 4_000, method="nsga2", seed=9).X[0]
    optimizer = dl.Optimizer(problem, NSGA2(population=10, crossover=0.0), seed=0)
    optimizer.add(best, problem.evaluate(best))
    for _ in range(10):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    children = [c.x for c in optimizer.ask(10)]
    assert max(_common_edges(child, [best]) for child in children) >= 15


def test_feasible_solutions_win_over_infeasible_ones():
    """Where random solutions break the capacity, the search finds those that fit."""
    problem = dl.problems.get("bikp-50", repair="none")
    method = NSGA2(special=False)
    result = dl.solve(problem, 1_500, method=method)
    assert len(result.X) > 3
    assert (result.G <= 0).all()


def test_global_random_state_and_other_runs_change_nothing():
    """The same seed gives the same run; another seed another one."""
    problem = dl.problems.get("bitsp-20")
    first = dl.solve(problem, 120, method="nsga2", seed=5)
    np.random.seed(0)  # noqa: NPY002 - it must not matter
    assert (dl.solve(problem, 120, method="nsga2", seed=5).F == first.F).all()
    other = dl.solve(problem, 120, method="nsga2", seed=6)
    assert not np.array_equal(other.F, first.F)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 1}, "population must be a whole number of at least 2"),
        ({"crossover": 1.5}, "crossover must be a number from 0 to 1"),
        ({"mutation": "invert"}, r"mutation must be one of .*'inversion'"),
        ({"survival": "best"}, "survival must be one of crowding, reference"),
        ({"special": 1}, "special must be True or False"),
    ],
)
def test_wrong_options_are_refused_with_what_was_expected(options, message):
    """Before anything is evaluated."""
    with pytest.raises(dl.InputError, match=message):
        NSGA2(**options)


def test_survival_is_by_reference_directions_from_four_objectives_on():
    """Crowding distance says little where nearly nothing is dominated."""
    problem = dl.problems.get("mixed-20")
    results = [
        dl.solve(problem, 120, method=NSGA2(population=20, survival=survival))
        for survival in (None, "reference", "crowding")
    ]
    assert (results[0].F == results[1].F).all()
    assert (
        results[0].F.shape != results[2].F.shape or (results[0].F != results[2].F).any()
    )
