"""``budget="schedule"``: a search that ends after T iterations for each weight."""

import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.methods.names import method_for
from divlearn.problems import get
from tests.kernels.cases import differing_arrays
from tests.reference.decomposition import windows
from tests.study.conftest import same_front

SCHEDULE = "schedule"
ENDED = "the schedule of 4 x 7 iterations has ended"
#: Four weights of a quarter of a second's work; nothing is constructed again.
LITTLE = method_for("paper-ucb").replace(
    weights=4,
    iterations=7,
    initial=5,
    patience=100,
    **{
        "decomposition.size": 8,
        "decomposition.overlap": 4,
        "decomposition.decay": 0.5,
        "refinement.steps": 2,
    },
)


def evaluations_of(n, visits=4):
    """Initial solutions, then for each visit a construction and R steps per window."""
    steps = sum(2 * (len(windows(n, 8, 4, t, 0.5)) + 1) for t in range(1, 8))
    return 5 + visits * (1 + steps)


def told(optimizer, most):
    """Ask for one candidate at a time and tell it, until there is none."""
    for _ in range(most):
        try:
            (candidate,) = optimizer.ask()
        except InputError as error:
            return str(error)
        optimizer.tell(candidate, optimizer.problem.evaluate(candidate.x))
    return ""


def test_a_search_ends_after_t_iterations_for_each_weight():
    """The main loop of the paper, as it stands: for all weights, for t = 1 .. T."""
    result = dl.solve(get("bitsp-20"), SCHEDULE, method=LITTLE)
    assert result.stopped == ENDED
    assert result.evaluations == evaluations_of(20)


def test_a_search_with_two_sweeps_visits_every_weight_twice():
    """Each visit has T iterations of its own."""
    method = LITTLE.replace(sweeps=2)
    result = dl.solve(get("bitsp-20"), SCHEDULE, method=method)
    assert result.evaluations == evaluations_of(20, visits=8)


def test_the_iterations_of_the_table_are_used_where_none_are_given():
    """20 cities are a small problem, for which the table says 100."""
    search = dl.Optimizer(get("bitsp-20"), "paper-ucb", budget=SCHEDULE)
    assert search.settings.iterations == 100
    assert search.planned is None


def test_both_loops_end_at_the_same_evaluation_in_the_same_state():
    """Also in what is learned from the last iteration, which is learned at the end."""
    problem = get("bitsp-20")
    method = LITTLE.replace(patience=2)
    compiled, asked = (
        dl.Optimizer(problem, method, 3, budget=SCHEDULE) for _ in range(2)
    )
    compiled.run(100_000)
    message = told(asked, 100_000)
    assert message == f"{ENDED}."
    assert asked.evaluations == compiled.evaluations > evaluations_of(20)
    assert not differing_arrays(compiled, asked)


def test_what_is_left_is_asked_for_and_then_nothing():
    """The last batch is short, and asking beyond the end says why there is nothing."""
    optimizer = dl.Optimizer(get("bitsp-20"), LITTLE, budget=SCHEDULE)
    optimizer.run(evaluations_of(20) - 3)
    batch = optimizer.ask(10)
    assert len(batch) == 3
    with pytest.raises(InputError, match="schedule of 4 x 7 iterations has ended"):
        optimizer.ask()
    optimizer.tell(batch, [optimizer.problem.evaluate(c.x) for c in batch])
    with pytest.raises(InputError, match="schedule of 4 x 7 iterations has ended"):
        optimizer.run(1)
    assert optimizer.evaluations == optimizer.next_number + evaluations_of(20) - 3


def test_a_saved_search_ends_where_the_other_ends(tmp_path):
    """The end is part of the state, before it is reached and after."""
    problem = get("bitsp-20")
    whole = dl.Optimizer(problem, LITTLE, budget=SCHEDULE)
    for evaluations in (200, 100_000):
        whole.run(evaluations)
        whole.save(tmp_path / "state.npz")
        loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
        assert loaded.budget == SCHEDULE
        assert loaded.search.ending == whole.search.ending
    assert loaded.search.ending == ENDED


def test_a_small_space_is_searched_to_the_end_of_the_schedule():
    """Its two solutions are known after the first iterations, and yet it goes on."""
    problem = dl.Problem(dl.Binary(1), lambda x: (x.sum(), -x.sum()), ["a", "b"])
    result = dl.solve(problem, SCHEDULE, method=LITTLE)
    assert result.stopped == ENDED


@pytest.mark.parametrize("method", ["dl", "random", "nsga2", "ws-2opt"])
def test_a_method_without_a_schedule_refuses_it(method):
    """And names one that has a schedule."""
    with pytest.raises(InputError, match=r"no schedule of its own.*paper-ucb"):
        dl.solve(get("bitsp-20"), SCHEDULE, method=method)


def test_another_word_than_schedule_is_refused():
    """A budget is a number, or that word."""
    with pytest.raises(InputError, match="budget must be a number of evaluations, or"):
        dl.Optimizer(get("bitsp-20"), LITTLE, budget="forever")


def test_an_optimizer_without_an_end_cannot_be_run_to_the_end():
    """It would never stop."""
    problem = get("bitsp-20")
    optimizer = dl.Optimizer(problem, LITTLE, budget=100)
    with pytest.raises(InputError, match="no schedule that ends"):
        dl.solve(problem, SCHEDULE, optimizer=optimizer)


def test_a_study_ends_with_the_schedule_and_stays_there(tmp_path):
    """One candidate at a time it is the same search; run again it has nothing to do."""
    problem = get("bitsp-20")
    method = LITTLE.replace(iterations=1)
    alone = dl.solve(problem, SCHEDULE, method=method)
    with dl.Study(problem, tmp_path / "s.db", method=method, lag=1) as study:
        first = study.run(40, workers=0)
        with pytest.raises(InputError, match="begun without a schedule"):
            study.run(SCHEDULE, workers=0)
    with dl.Study(problem, tmp_path / "t.db", method=method, lag=1) as study:
        study.run(SCHEDULE, stop=dl.MaxEvaluations(30), workers=0)
        result = study.run(SCHEDULE, workers=0)
        again = study.run(SCHEDULE, workers=0)
    assert first.evaluations == 40
    assert result.stopped == alone.stopped == again.stopped
    assert result.evaluations == alone.evaluations == again.evaluations
    assert same_front(result, alone)
