import os
import subprocess
import sys
import time
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.base import Compilation
from divlearn.optimizer.stop import Criterion
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.reference.slow_metrics import non_dominated
from tests.search_cases import Recorder, bits, broken_at, crash, ones_and_zeros

pytestmark = pytest.mark.usefixtures("tiny_spaces_go_on")

# --- the same search in every way of running it


@pytest.mark.parametrize("method", ["paper-ts", "paper-ucb", "uniform"])
def test_solve_is_ask_and_tell_in_a_loop(tiny_tour, tiny_mixed, method):
    """Compiled or not, chunks and history change nothing of the search."""
    for problem in (tiny_tour, tiny_mixed):
        solved, asked = (
            dl.Optimizer(problem, method, seed=7, budget=400) for _ in range(2)
        )
        dl.solve(problem, 400, optimizer=solved)
        ask_and_tell(asked, 400)
        assert differing_arrays(solved, asked) == []


def test_callbacks_see_every_evaluation_of_the_same_search(tiny_tour):
    """One call each, after learning; Python's loop equals the compiled one."""
    calls = []

    def callback(optimizer, candidate):
        calls.append((optimizer.evaluations, candidate.id, candidate.x.tolist()))

    compiled, watched = (dl.Optimizer(tiny_tour, budget=150) for _ in range(2))
    dl.solve(tiny_tour, 150, optimizer=compiled)
    dl.solve(tiny_tour, 150, optimizer=watched, callbacks=callback)
    assert differing_arrays(compiled, watched) == []
    assert [call[:2] for call in calls] == [(k + 1, k) for k in range(150)]
    assert all(sorted(x) == list(range(8)) for _, _, x in calls)


def test_several_callbacks_are_called_in_order():
    """Each candidate goes through all of them before the next one."""
    calls = []
    dl.solve(
        bits(ones_and_zeros),
        3,
        callbacks=[lambda o, c: calls.append("a"), lambda o, c: calls.append("b")],
    )
    assert calls == ["a", "b"] * 3


def test_a_time_limit_only_cuts_the_search(tiny_tour):
    """As many evaluations asked for by number give the same bits."""
    timed = dl.Optimizer(tiny_tour, seed=2)
    result = dl.solve(tiny_tour, seconds=0.05, optimizer=timed)
    assert result.stopped == "time limit of 0.05 s reached"
    assert result.seconds >= 0.05
    counted = dl.Optimizer(tiny_tour, seed=2)
    stop = dl.MaxEvaluations(result.evaluations)
    dl.solve(tiny_tour, stop=stop, optimizer=counted)
    assert differing_arrays(timed, counted) == []


def test_a_search_may_be_continued(tiny_tour):
    """The budget counts earlier evaluations; history and clock go on."""
    whole, cut = (dl.Optimizer(tiny_tour, budget=500) for _ in range(2))
    complete = dl.solve(tiny_tour, 500, optimizer=whole)
    assert dl.solve(tiny_tour, 180, optimizer=cut).evaluations == 180
    result = dl.solve(tiny_tour, 500, optimizer=cut)
    assert differing_arrays(whole, cut) == []
    assert result.F.tolist() == complete.F.tolist()
    assert result.evaluations == 500
    assert set(complete.history["evaluations"]) | {180} == set(
        result.history["evaluations"]
    )
    assert dl.solve(tiny_tour, 500, optimizer=cut).evaluations == 500


def test_an_optimizer_of_another_problem_is_refused(tiny_tour, tiny_knapsack):
    """Its state would be read as something else."""
    optimizer = dl.Optimizer(tiny_tour)
    with pytest.raises(dl.InputError, match="optimizer must have been made for"):
        dl.solve(tiny_knapsack, 10, optimizer=optimizer)


REPEAT = """
import divlearn as dl
short = dl.DL(gp_candidates=25)
for name, budget in (("tritsp-12", 700), ("bikp-15", 90), ("bikp-15", 2_100)):
    result = dl.solve(dl.problems.get(name), budget, method=short, seed=3)
    print(result.F.tobytes().hex())
"""


def test_two_processes_give_the_same_bits():
    """Nothing depends on addresses, hashing or the state of the process."""
    outputs = set()
    for hashing in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hashing}
        done = subprocess.run(
            [sys.executable, "-c", REPEAT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    with redirect_stdout(StringIO()) as here:
        exec(REPEAT, {})
    assert outputs == {here.getvalue()}


# --- what comes out


@pytest.mark.parametrize(
    "senses",
    [("min",), ("max",), ("max", "min"), ("min", "max", "max"), ("max", "min") * 2],
    ids="-".join,
)
@pytest.mark.parametrize("constraints", [(), ("c", "d")])
def test_the_front_holds_all_and_only_what_is_best_of_what_was_evaluated(
    senses, constraints
):
    """Against a list of everything evaluated; infeasible solutions never count."""
    m, c = len(senses), len(constraints)
    factors = np.random.default_rng(1).integers(-9, 10, (8, m + 2))
    evaluated = []

    def evaluate(x):
        outputs = x @ factors
        evaluated.append((x.tolist(), outputs[: m + c].tolist()))
        return outputs[: m + c]

    objectives = {f"f{j}": sense for j, sense in enumerate(senses)}
    problem = bits(evaluate, objectives=objectives, constraints=constraints)
    result = dl.solve(problem, 300)
    feasible = [y for _, y in evaluated if max(y[m:], default=0) <= 0]
    sign = [-1 if sense == "max" else 1 for sense in senses]
    signed = [[s * v for s, v in zip(sign, y[:m], strict=True)] for y in feasible]
    kept = non_dominated(signed)
    best = [y for y, keep in zip(feasible, kept, strict=True) if keep]
    assert sorted(result.F.tolist()) == sorted(y[:m] for y in best)
    assert result.evaluations == len(evaluated) == 300
    lines = zip(result.X.tolist(), result.F.tolist(), result.G.tolist(), strict=True)
    assert all((x, f + g) in evaluated for x, f, g in lines)
    assert result.G.shape == (len(best), c)


def test_without_any_feasible_solution_the_front_is_empty_and_says_so():
    """The solution that violates least is named."""
    problem = bits(lambda x: (1, 2, 3 + x.sum()), constraints=["load"])
    result = dl.solve(problem, 300)
    assert (len(result.X), result.F.shape, result.G.shape) == (0, (0, 2), (0, 1))
    assert "no feasible solution" in str(result)
    least = result.learned["least_violation"]
    assert least["sum_of_violations"] == 3.0
    assert "True" not in least["x"]


def test_the_history_grows_up_to_the_end(tiny_tour):
    """Evaluations, time and hypervolume only grow; the last row is the result."""
    problem = bits(ones_and_zeros, reference=(9, 9))
    for result in (
        dl.solve(problem, 333),
        dl.solve(problem, stop=dl.MaxEvaluations(333)),
        dl.solve(tiny_tour, 2_000),
    ):
        history = result.history
        assert 10 <= len(history["evaluations"]) <= 60
        for name in ("evaluations", "seconds"):
            assert history[name] == sorted(history[name])
        assert len(set(history["evaluations"])) == len(history["evaluations"])
        assert history["evaluations"][-1] == result.evaluations
        assert history["front_size"][-1] == len(result.F)
    result = dl.solve(problem, 333)
    volumes = result.history["hypervolume"]
    assert volumes == sorted(volumes)
    assert volumes[-1] == result.hypervolume()


SINGLE = [
    dl.Permutation(1),
    dl.Categorical(["a"]),
    dl.Subset(5, 5),
    dl.Subset(3, 0),
    dl.Integer(4, 4),
    dl.Ordinal([2.5], n=3),
    dl.Composite(order=dl.Permutation(1), chosen=dl.Subset(2, 2)),
]


@pytest.mark.parametrize("space", SINGLE, ids=repr)
@pytest.mark.parametrize("method", ["paper-ts", "paper-ucb", "uniform"])
def test_a_space_with_one_solution_neither_hangs_nor_fails(space, method):
    """There is no move to make and nothing to choose."""
    problem = dl.Problem(space, lambda x: (1, 2), ["a", "b"])
    for budget in (1, 2, 5, 120):
        result = dl.solve(problem, budget, method=method)
        assert result.evaluations == budget
        assert result.F.tolist() == [[1.0, 2.0]]
        assert problem.space.contains(result.X[0])


@pytest.mark.parametrize("budget", [1, 2, 5, 1e2, np.int64(3)])
def test_a_budget_is_met_exactly(budget, tiny_tour, tiny_mixed):
    """However small it is; 1e2 is a whole number too."""
    for problem in (tiny_tour, tiny_mixed):
        result = dl.solve(problem, budget)
        assert result.evaluations == budget
        assert result.stopped == f"all {int(budget)} evaluations made"
        assert len(result.F) >= 1


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
def test_large_spaces_are_searched_in_reasonable_time(method):
    """A million values, or an order of 2,000 items."""
    number = dl.Problem(dl.Integer(0, 10**6), lambda x: (x, 10**6 - x), ["up", "down"])
    order = dl.Problem(dl.Permutation(2_000), lambda x: (x[0], x[-1]), ["a", "b"])
    if JIT_DISABLED:
        pytest.skip("plain Python is slow")
    dl.Optimizer(number, method).warm_up()
    started = time.process_time()
    for problem in (number, order):
        assert dl.solve(problem, 60, method=method).evaluations == 60
    assert time.process_time() - started < 20


def test_many_objectives_are_as_good_as_two():
    """There is no limit to their number."""
    names = [f"f{j}" for j in range(150)]
    result = dl.solve(bits(lambda x: x.astype(float), 150, names), 10)
    assert result.F.shape[1] == 150


# --- when to stop


class After(Criterion):
    """Stops at a number of evaluations that it is not asked about at once."""

    def __init__(self, n, interval):
        self.n, self.step, self.asked = n, interval, []

    @property
    def interval(self):
        """As given."""
        return self.step

    def check(self, progress):
        """Note when it was asked."""
        self.asked.append(progress.evaluations)
        return "enough" if progress.evaluations >= self.n else None


def test_a_custom_criterion_is_asked_at_its_multiples(tiny_tour, tiny_mixed):
    """So that stopping is repeatable, compiled or not."""
    for problem in (tiny_tour, tiny_mixed):
        criterion = After(35, 10)
        result = dl.solve(problem, stop=criterion)
        assert criterion.asked == [0, 10, 20, 30, 40]
        assert (result.evaluations, result.stopped) == (40, "enough")


def test_the_first_reason_to_stop_counts(tiny_mixed):
    """Budget, seconds, stop and | are all the same to the search."""
    result = dl.solve(tiny_mixed, 50, seconds=60, stop=After(20, 5))
    assert (result.evaluations, result.stopped) == (20, "enough")
    result = dl.solve(tiny_mixed, 15, seconds=60, stop=After(20, 5))
    assert (result.evaluations, result.stopped) == (15, "all 15 evaluations made")
    either = After(40, 5) | dl.MaxEvaluations(30)
    assert dl.solve(tiny_mixed, stop=either).evaluations == 30
    result = dl.solve(tiny_mixed, 10**9, seconds=0.2)
    assert result.stopped == "time limit of 0.2 s reached"


def test_a_search_stops_when_its_front_no_longer_grows():
    """Nine counts are all there is; the rest of the budget is not spent."""
    stop = dl.HypervolumeStagnation(200)
    result = dl.solve(bits(ones_and_zeros), 100_000, stop=stop)
    assert result.evaluations < 5_000
    assert "hypervolume grew by 0 %" in result.stopped
    again = dl.solve(bits(ones_and_zeros), 100_000, stop=stop)
    assert again.evaluations == result.evaluations


# --- showing how it goes


def test_progress_is_told_the_beginning_the_way_and_the_end(tiny_tour, tiny_mixed):
    """Limits first, then evaluations that grow up to all of them."""
    for problem, limits in ((tiny_tour, (5_000, 60)), (tiny_mixed, (40, None))):
        recorder = Recorder()
        dl.solve(problem, limits[0], seconds=limits[1], progress=recorder)
        told = [call for call in recorder.calls if call != "compiling"]
        assert told == [("start", 0, *limits), "finish"]
        assert recorder.updates == sorted(recorder.updates)
        assert recorder.updates[-1] == limits[0]


def test_progress_ends_also_when_the_search_fails():
    """A terminal must be put back as it was."""
    recorder = Recorder()
    evaluate, _ = broken_at(3, crash)
    with pytest.raises(dl.EvaluationError):
        dl.solve(bits(evaluate), 10, progress=recorder)
    assert recorder.calls[-1] == "finish"


def test_compiling_is_announced_only_when_there_is_something_to_compile(
    monkeypatch, tiny_tour
):
    """The first run after an installation takes long, and says why."""
    for work in (None, Compilation("permutations", {"sequence": 18.0})):
        monkeypatch.setattr(dl.DL, "missing", lambda *_, work=work: work)
        recorder = Recorder()
        dl.solve(tiny_tour, 5, progress=recorder)
        assert ("compiling" in recorder.calls) is (work is not None)
