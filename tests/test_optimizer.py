import pickle
import subprocess
import sys
import time

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.clock import Clock
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.paper.experts import Expert, Mixture
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.reference.slow_metrics import non_dominated
from tests.search_cases import memory, two_counts

# --- the compiled loop


def test_run_needs_a_compiled_objective():
    """The message says what to use instead."""
    with pytest.raises(dl.InputError, match="a problem with a compiled"):
        dl.Optimizer(two_counts()).run(5)


def test_warming_up_changes_nothing(tiny_tour):
    """Kernels are compiled on a search of their own."""
    warm, cold = (dl.Optimizer(tiny_tour) for _ in range(2))
    warm.warm_up()
    assert differing_arrays(warm, cold) == []
    assert memory(warm) == memory(cold)


# --- the clock


def test_the_clock_runs_while_there_is_something_to_do(tiny_tour):
    """Neither compiling nor a pause between two runs is time spent searching."""
    optimizer = dl.Optimizer(tiny_tour)
    time.sleep(0.02)
    optimizer.warm_up()
    assert optimizer.seconds == 0
    optimizer.ask()
    time.sleep(0.02)
    assert optimizer.seconds >= 0.02
    optimizer.clock.stop()
    stood = optimizer.seconds
    time.sleep(0.02)
    optimizer.warm_up()
    assert optimizer.seconds == stood
    optimizer.run(5)
    assert optimizer.seconds > stood


def test_time_spent_before_a_run_is_not_forgotten(tiny_tour):
    """A search by ask and tell that goes on by solve has one clock."""
    optimizer = dl.Optimizer(tiny_tour)
    optimizer.tell(optimizer.ask(), [(1.0, 2.0)])
    time.sleep(0.05)
    result = dl.solve(tiny_tour, 20, optimizer=optimizer)
    assert result.seconds >= 0.05
    assert result.history["seconds"] == sorted(result.history["seconds"])


# --- custom experts


class Cautious(Expert):
    """Prefers what was seen often."""

    name = "cautious"

    @staticmethod
    def score(known, options):
        """Visits count most, chance little."""
        return known.visits + 0.5 * known.u


def test_a_custom_expert_is_used(tiny_tour):
    """It changes the search, alone and beside the built-in ones."""
    own = dl.DivideAndLearn(mixture=Mixture((Cautious(),)), construct_every=2)
    uniform = own.replace(experts=(dl.experts.Uniform(),))
    runs = [dl.Optimizer(tiny_tour, s, budget=300) for s in (own, own, uniform)]
    for optimizer in runs:
        optimizer.run(300)
    assert differing_arrays(runs[0], runs[1]) == []
    assert "incumbents" in differing_arrays(runs[0], runs[2])
    assert runs[0].result().settings["mixture"]["experts"] == [{"expert": "cautious"}]


def test_an_expert_that_does_not_compile_is_refused_by_name():
    """A mistake in the score is found before the first evaluation."""

    class Broken(Cautious):
        name = "broken"

        @staticmethod
        def score(known, options):
            return known.unknown

    if JIT_DISABLED:
        pytest.skip("plain Python compiles nothing")
    settings = dl.DivideAndLearn(mixture=Mixture((Broken(),)))
    with pytest.raises(dl.InputError, match=r"experts: the score of .*Broken"):
        dl.Optimizer(two_counts(), settings)


# --- seeds, results, copies


def test_every_seed_is_its_own():
    """Also beyond the whole numbers that a float can hold."""
    seeds = [0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
    optimizers = [dl.Optimizer(two_counts(30), seed=seed) for seed in seeds]
    assert [optimizer.seed for optimizer in optimizers] == seeds
    asked = {optimizer.ask()[0].x.tobytes() for optimizer in optimizers}
    assert len(asked) == len(seeds)
    assert dl.Optimizer(two_counts(), seed=np.int64(3)).seed == 3


def test_a_result_says_where_it_comes_from(tiny_mixed):
    """Everything needed to repeat the search, in the user's own words."""
    optimizer = dl.Optimizer(tiny_mixed, "paper-ucb", seed=4, budget=90)
    ask_and_tell(optimizer, 90)
    result = optimizer.result("by hand")
    assert (result.evaluations, result.seed, result.method) == (90, 4, "paper-ucb")
    assert (result.problem, result.stopped) == ("tiny mixed", "by hand")
    assert result.objectives == {"cost": "min", "gain": "max"}
    assert result.settings["iterations"] == optimizer.settings.iterations
    assert result.versions["divlearn"] == dl.__version__
    assert result.G.shape == (len(result.F), 0)
    values = [tiny_mixed.evaluate(x).tolist() for x in result.X]
    assert values == result.F.tolist()
    assert (
        sum(
            result.learned["evaluations_by_kind"][k]
            for k in ("sampled", "constructed", "refined")
        )
        == 90
    )


def test_a_result_is_a_snapshot(tiny_tour):
    """Searching on does not change it, and changing it does not change the search."""
    optimizer = dl.Optimizer(tiny_tour, budget=200)
    optimizer.run(20)
    early = optimizer.result()
    values = early.F.copy()
    optimizer.run(180)
    assert early.F.tolist() == values.tolist()
    assert early.evaluations == 20
    front = optimizer.front_objectives
    optimizer.result().F[:] = 0
    front[:] = 0
    assert optimizer.front_objectives.min() > 0


def test_a_search_may_be_pickled_into_another_process(tmp_path, tiny_tour):
    """The addresses of compiled scores differ there, the search goes on the same."""
    optimizer = dl.Optimizer(tiny_tour, "paper-ucb", budget=400)
    optimizer.run(100)
    (tmp_path / "search").write_bytes(pickle.dumps(optimizer))
    optimizer.run(300)
    script = (
        "import pickle, sys;"
        "optimizer = pickle.load(open(sys.argv[1], 'rb'));"
        "optimizer.run(300);"
        "print(optimizer.evaluations, optimizer.front_objectives.tobytes().hex())"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "search")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "400",
        optimizer.front_objectives.tobytes().hex(),
    ]


def test_a_front_may_outgrow_its_first_place():
    """Every number from 0 to 999 is non-dominated; the archive begins with 256."""
    problem = dl.Problem(dl.Integer(0, 999), lambda x: (x, -x), ["up", "down"])
    optimizer = dl.Optimizer(problem)
    seen = set()
    for _ in range(30):
        batch = optimizer.ask(20)
        seen |= {c.x for c in batch}
        optimizer.tell(batch, [problem.evaluate(c.x) for c in batch])
    for x in range(400):
        optimizer.add(x, (x, -x))
    assert sorted(optimizer.result().X) == sorted(seen | set(range(400)))
    assert optimizer.front_size > 256


# --- numbers of unusual size


@pytest.mark.parametrize("scale", [1e300, 1.7e308, 1e12, 1e-5])
def test_the_scale_of_the_objectives_does_not_matter(scale):
    """Neither sums that overflow nor small ranges change what the front is."""
    rng = np.random.default_rng(5)
    factors = rng.random((6, 2))
    factors *= scale / factors.sum(axis=0)
    problem = dl.Problem(
        dl.Binary(6), lambda x: (factors[:, 0] @ x, -factors[:, 1] @ x), ["a", "b"]
    )
    optimizer = dl.Optimizer(problem, budget=400)
    told = []
    for _ in range(400):
        (candidate,) = optimizer.ask()
        told.append(problem.evaluate(candidate.x).tolist())
        optimizer.tell(candidate, told[-1])
    unique = sorted(set(map(tuple, told)))
    kept = non_dominated(unique)
    expected = [list(f) for f, keep in zip(unique, kept, strict=True) if keep]
    assert optimizer.result().F.tolist() == expected


def test_equal_and_signed_zero_values_are_one_point():
    """Without any difference to learn from the search still goes on."""
    problem = dl.Problem(dl.Binary(5), lambda x: (0.0 if x[0] else -0.0, 7), ["a", "b"])
    optimizer = dl.Optimizer(problem, budget=200)
    ask_and_tell(optimizer, 200)
    assert optimizer.front_objectives.tolist() == [[0.0, 7.0]]


# --- what programs around it need


def test_a_copy_goes_its_own_way(tiny_mixed):
    """Arrays, candidates under way, failures, history and clock are its own."""
    optimizer = dl.Optimizer(tiny_mixed, seed=3)
    first, second, *_ = optimizer.ask(4)
    optimizer.tell([first, second], [tiny_mixed.evaluate(first.x), None])
    optimizer.record()
    before, history = memory(optimizer), str(optimizer.history)
    other = optimizer.copy()
    assert differing_arrays(optimizer, other) == []
    assert memory(other) == before
    other.tell(other.pending, [(1.0, 2.0), None])
    other.ask(3)
    other.record()
    other.clock.set(1e6)
    assert memory(optimizer) == before
    assert str(optimizer.history) == history
    assert optimizer.seconds < 1e6
    assert differing_arrays(optimizer, other) != []


def test_to_learn_what_was_read_is_to_be_told(tiny_tour):
    """Both leave the same optimizer, to the last bit, also where there is no value."""
    told, learned = (dl.Optimizer(tiny_tour, "paper-ts", seed=2) for _ in range(2))
    for k in range(30):
        (candidate,), (other,) = told.ask(), learned.ask()
        values = None if k % 7 == 3 else tiny_tour.evaluate(candidate.x).tolist()
        told.tell(candidate, values)
        learned.learn(other.id, values)
    assert differing_arrays(told, learned) == []
    assert memory(told) == memory(learned)
    assert told.result().failures == learned.result().failures


def test_a_clock_can_be_set_stopped_and_started():
    """Seconds before a stop and after a start add up."""
    clock = Clock(2.0)
    clock.start()
    assert clock.runs
    assert clock.seconds >= 2.0
    clock.set(5.0)
    assert (clock.runs, clock.seconds) == (False, 5.0)
    clock.start()
    clock.stop()
    assert 5.0 <= clock.seconds < 60.0
