"""Traces: a row per iteration that tells what happened and changes nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.paper.experts import Expert, Mixture, Uniform
from divlearn.methods.paper.kernels.schedule import end_iteration
from divlearn.methods.paper.trace import FIRST_ROWS
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import ask_and_tell, differing_arrays, small_settings
from tests.reference import decomposition
from tests.reference import trace as reference

TRACED = small_settings(trace=True, iterations=4)
#: One long visit to a weight with windows that go on to overlap.
LASTING = {"iterations": 10_000, "decomposition.decay": 0.0}


def traced(problem, evaluations=300, seed=2, **changes):
    """The result of a search with a trace, and its optimizer."""
    optimizer = dl.Optimizer(problem, TRACED.replace(**changes), seed)
    optimizer.run(evaluations)
    return optimizer.result().trace, optimizer


@pytest.mark.parametrize("name", ["tiny_tour", "tiny_knapsack"])
@pytest.mark.parametrize("how", [True, "full"])
def test_a_trace_changes_nothing_in_the_search(name, how, request):
    """Its random draws come from words of its own."""
    runs = []
    for trace in (False, how):
        method = small_settings(trace=trace, patience=2)
        runs.append(dl.Optimizer(request.getfixturevalue(name), method, 5))
        runs[-1].run(400)
    beside = {"control", "trace.rows", "trace.choices", "trace.words"}
    assert set(differing_arrays(*runs)) <= beside
    for field in state_of(runs[0]).control.dtype.names:
        if field not in ("tracing", "traced", "looked"):
            one, other = (state_of(run).control[field][0] for run in runs)
            assert one == other, field


def test_the_cursor_is_written_in_order(tiny_tour):
    """Every iteration of every weight, with the answers until its end."""
    trace, _ = traced(tiny_tour)
    weights, iterations = trace["weight"].tolist(), trace["iteration"].tolist()
    for k in range(len(trace)):
        assert iterations[k] == k % 4 + 1
        assert weights[k] == k // 4 % 3
    assert (np.diff(trace["evaluations"]) > 0).all()


def test_windows_are_those_of_the_definition(tiny_tour):
    """Overlap, subproblems and shared positions of every iteration."""
    trace, _ = traced(tiny_tour, **{"decomposition.neighbourhoods": 0})
    for row in trace.to_records():
        t = row["iteration"]
        listed = decomposition.windows(8, 4, 3, t, 1.0)
        k = [decomposition.multiplicity(listed, i) for i in range(8)]
        assert row["overlap"] == decomposition.overlap(3, t, 1.0)
        assert row["subproblems"] == len(listed)
        assert row["shared"] == sum(many > 1 for many in k)
        assert_allclose(row["multiplicity"], sum(k) / 8)


class _Tables:
    """V and N of a state as lists by position."""

    def __init__(self, state):
        places, actions = state.layout.places, state.actions
        ends = [slice(p.offset, p.offset + p.arity) for p in places]
        self.V = [actions.value[part].tolist() for part in ends]
        self.N = [actions.visits[part].tolist() for part in ends]


def test_overlaps_agree_with_their_definitions(tiny_knapsack):
    """Violations, prices and variances, from tables at the end of an iteration."""
    settings = TRACED.replace(iterations=50, **{"coordination.start": 0.1})
    optimizer = dl.Optimizer(tiny_knapsack, settings, 4)
    state, compared = state_of(optimizer), 0
    n = len(state.positions)
    while compared < 20:
        ask_and_tell(optimizer, 1)
        state = state_of(optimizer)
        control = state.control[0]
        if not control.end_of_iteration:
            continue
        listed = decomposition.windows(n, 4, 3, int(control.iteration), 1.0)
        listed += [state.neighbours[centre].tolist() for centre in state.centres]
        end_iteration(state)
        row = optimizer.result().trace.to_records()[-1]
        x = state.incumbents[row["weight"]].tolist()
        prices = state.positions.dual.tolist()
        expected = reference.overlaps(listed, _Tables(state), prices, x)
        assert_allclose([row[name] for name in expected], list(expected.values()))
        compared += 1


@pytest.mark.parametrize("name", ["tiny_tour", "tiny_knapsack"])
def test_rewards_and_regrets_agree_with_their_definitions(name, request):
    """Under bounds that are the same for all rows, in the senses of the user."""
    problem = request.getfixturevalue(name)
    trace, optimizer = traced(problem)
    state = state_of(optimizer)
    columns = trace.starting("objective_") | trace.starting("constraint_")
    outputs = np.array(list(columns.values())).T
    outputs[:, : problem.num_objectives] *= problem.sign
    low, high = state.objectives.low, state.objectives.high
    rows = list(zip(trace["weight"], outputs.tolist(), strict=True))
    expected = reference.rewards(rows, state.weights, low, high)
    assert_allclose(trace["reward"], expected, atol=1e-12)
    assert_allclose(trace["regret"], reference.regrets(trace["weight"], expected))
    for w in range(3):
        own = trace["weight"] == w
        best = np.maximum.accumulate(trace["reward"][own])
        assert_array_equal(trace["best_reward"][own], best)


def test_an_iteration_that_ended_with_the_run_has_its_row(tiny_tour):
    """The search itself learns when it is asked again; the trace does not wait."""
    method = TRACED.replace(weights=[[0.5, 0.5]], iterations=6)
    scheduled = dl.Optimizer(tiny_tour, method, 1, budget="schedule")
    scheduled.run(10_000)
    plain = dl.Optimizer(tiny_tour, method, 1)
    plain.run(scheduled.evaluations)
    assert state_of(plain).control[0].traced == 5
    rows = [run.result().trace.to_records() for run in (scheduled, plain)]
    assert len(rows[0]) == 6
    assert str(rows[0]) == str(rows[1])


def test_the_solution_of_a_row_is_where_its_iteration_ended(tiny_tour):
    """Its objectives are those of the incumbent."""
    optimizer = dl.Optimizer(tiny_tour, TRACED, 3)
    compared = 0
    while compared < 10:
        ask_and_tell(optimizer, 1)
        control = state_of(optimizer).control[0]
        if control.end_of_iteration:
            y = state_of(optimizer).incumbent_outputs[control.weight]
            columns = optimizer.result().trace.starting("objective_").values()
            assert [column[-1] for column in columns] == y.tolist()
            compared += 1


def test_shares_are_those_of_the_choices_in_an_iteration(tiny_tour):
    """They add up to one where something was constructed, and are unknown elsewhere."""
    trace, _ = traced(tiny_tour, construct_every=2)
    shares = np.array(list(trace.starting("share_").values()))
    assert list(trace.starting("share_")) == ["ucb", "exp3", "ftrl"]
    built = trace["iteration"] % 2 == 0
    assert_allclose(shares[:, built].sum(axis=0), 1.0)
    assert np.isnan(shares[:, trace["iteration"] == 3]).all()


def test_experts_of_the_same_name_are_numbered(tiny_tour):
    """Columns have different names."""
    experts = dl.DivideAndLearn().mixture.experts
    trace, _ = traced(tiny_tour, experts=(experts[0], experts[1], experts[0]))
    assert list(trace.starting("share_")) == ["ucb", "exp3", "ucb_2"]


def test_a_uniform_expert_disagrees_as_often_as_chance_says(tiny_tour):
    """Two of eight actions differ in seven of eight cases."""
    changes = {"trace": "full", "mixture": Mixture((Uniform(),))}
    trace, _ = traced(tiny_tour, 3_000, **changes, **LASTING)
    mean = np.nanmean(trace["disagreement"])
    looked = np.isfinite(trace["disagreement"]).sum()
    assert looked > 100
    assert abs(mean - 7 / 8) < 0.04


def test_a_greedy_expert_with_one_best_action_never_disagrees():
    """Both subproblems see the same values."""

    class Greedy(Expert):
        name = "greedy"

        @staticmethod
        def score(known, options):
            return known.value + 1e-3 * known.visits

    problem = dl.problems.get("bitsp-8")
    changes = {"trace": "full", "mixture": Mixture((Greedy(),)), "coordination": None}
    trace, _ = traced(problem, 1_500, weights=[[0.5, 0.5]], **changes, **LASTING)
    late = trace["disagreement"][len(trace) // 2 :]
    assert np.nanmean(late) < 0.2


def test_looking_for_disagreement_now_and_then_is_enough(tiny_tour):
    """A usual trace looks at one position per so many evaluations."""
    trace, _ = traced(tiny_tour, 3_000, **LASTING)
    looked = np.isfinite(trace["disagreement"])
    assert set(trace["disagreement"][looked]) <= {0.0, 1.0}
    assert 3_000 / 400 < looked.sum() <= 3_000 / 160 + 1


def test_what_the_experts_are_told_is_in_the_trace(tiny_tour):
    """Noise shows there and in no other reward."""
    still, _ = traced(tiny_tour, iterations=100, coordination=None)
    noisy, _ = traced(
        tiny_tour, iterations=100, coordination=None, scenario="noise-0.7"
    )
    assert abs(still["told"]).max() <= 1
    assert noisy["told"].std() > 2 * still["told"].std()


def test_a_trace_grows_and_is_the_same_by_both_loops(tiny_tour):
    """More iterations than there are rows at first."""
    method = TRACED.replace(iterations=3_000, **{"refinement.steps": 1})
    evaluations = 5 * (FIRST_ROWS + 100)
    ran = dl.Optimizer(tiny_tour, method, 0)
    ran.run(evaluations)
    asked = dl.Optimizer(tiny_tour, method, 0)
    ask_and_tell(asked, evaluations)
    assert len(state_of(ran).trace.rows) > FIRST_ROWS
    assert differing_arrays(ran, asked) == []
    one, other = ran.result().trace, asked.result().trace
    for name, column in one.columns.items():
        assert_array_equal(column, other[name])


def test_a_trace_survives_saving_and_loading(tiny_tour, tmp_path):
    """A search that was cut has the same rows as one that was not."""
    whole = traced(tiny_tour, 600, patience=2)[1]
    cut = traced(tiny_tour, 217, patience=2)[1]
    cut.save(tmp_path / "state.npz")
    again = dl.Optimizer.load(tmp_path / "state.npz", tiny_tour)
    again.run(600 - 217)
    assert differing_arrays(whole, again) == []
    rows = whole.result().trace.to_records(), again.result().trace.to_records()
    assert str(rows[0]) == str(rows[1])


def test_a_method_without_a_trace_has_none(tiny_tour):
    """Whatever the method."""
    for method in ("dl", "paper-ucb", "random"):
        assert dl.solve(tiny_tour, 60, method=method).trace is None


def test_a_traced_preset_keeps_its_name():
    """A trace changes no search."""
    assert dl.DivideAndLearn(trace=True).name == "paper-ucb"


def test_anything_but_a_flag_or_full_is_refused():
    """The message says what there is."""
    with pytest.raises(dl.InputError, match='True, False or "full"'):
        dl.DivideAndLearn(trace="all")
