"""Ask/tell and the compiled loop are one search; answers may come as they like."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.archive import NUM_SLOTS
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.names import OWN_METHODS, method_for
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import TSP
from tests.kernels.cases import (
    SEEDS,
    ask_and_tell,
    composites,
    differing_arrays,
    hashed_problem,
)
from tests.reference import archive as reference

EVALUATIONS = 200
# Plain Python is too slow for the presets of dl; tests.kernels.dl has smaller ones.
OWN_METHODS = [method for method in OWN_METHODS if method != "dl" or not JIT_DISABLED]
BASE = method_for("paper-ucb").replace(
    initial=10,
    iterations=6,
    patience=1,
    weights=3,
    **{
        "refinement.steps": 1,
        "decomposition.size": 4,
        "decomposition.overlap": 2,
        "coordination.start": 0.1,
    },
)
# Prices show only while they grow: a new weight starts them anew.
LONG = BASE.replace(iterations=1000)
PRICED = {"coordination.acceleration", "decomposition.count_neighbourhoods"}
# What holds for the paper's method has to hold for learning from differences.
FAMILIES = {
    "experts": BASE,
    "differences": method_for("dl").replace(initial=10, gp_candidates=20),
}
# Every switch of the method, on and off or to another value.
SWITCHES = [
    {"learning.update": "never"},
    {"learning.update": "evaluation"},
    {"learning.update": "evaluation", "learning.share_tables": True},
    {"learning.share_tables": True},
    {"learning.temperature_decay": 0.5},
    {"coordination": None},
    {"coordination.consensus": 2.0},
    {"coordination.acceleration": "none"},
    {"coordination.acceleration": "averaged"},
    {"decomposition.count_neighbourhoods": False},
    {"decomposition.windows": False, "decomposition.neighbourhoods": 2},
    {"decomposition.neighbourhoods": 0},
    {"decomposition.size": "rule", "decomposition.regret": 0.5},
    {"decomposition.decay": 1.0},
    {"refinement.steps": 0},
    {"refinement.adaptive": False},
    {"refinement.moves": {"swap": 2.0, "reversal": 1.0, "exchange": 1.0}},
    {"keep_better": True, "construct_every": 2},
    {"refinement.accept": "always"},
    {"refinement.accept": "gradient", "refinement.rate": 3.0},
    {"normalisation": "initial"},
    {"normalisation": "none"},
    {"normalisation": "initial", "scalarization": "tchebycheff"},
    {"archive": "best"},
    {"after_patience": "next-weight"},
    {"scalarization": "tchebycheff"},
    {"scalarization": "augmented-tchebycheff", "augmentation": 0.2},
    {"mixture.third_share": 0.0, "mixture.hybrid_ratio": 0.0},
    {"mixture.form": "fixed-first"},
    {"mixture.weights": "exp4", "mixture.rate": 5.0},
    {"learning.probability": "mixture", "learning.learning_rate": "theory"},
    {"experts": ("ei", "exp3", "ftrl-entropic", "pi", "kg")},
    {"mixture.shares": (0.2, 0.3, 0.5)},
    {"weights": [[0.3, 0.7]], "sweeps": 2},
    {"scenario": "noise-0.5"},
    {"scenario": "heavy-tail"},
    {"scenario": "adversarial", "learning.update": "evaluation"},
    {"scenario": "plateau"},
    {"scenario": "shift-0.5", "iterations": 100},
    {"trace": True},
    {"trace": "full", "learning.update": "evaluation"},
]


def searches(problem, settings, seed=7):
    """The same search by the compiled loop and by ask and tell."""
    ran = dl.Optimizer(problem, settings, seed, budget=EVALUATIONS)
    ran.run(EVALUATIONS)
    asked = dl.Optimizer(problem, settings, seed, budget=EVALUATIONS)
    ask_and_tell(asked, EVALUATIONS)
    return ran, asked


@pytest.mark.parametrize("changes", SWITCHES, ids=lambda c: ", ".join(map(str, c)))
@pytest.mark.parametrize("name", ["tiny_tour", "tiny_knapsack"])
def test_both_drivers_agree_bit_for_bit_under_every_switch(name, changes, request):
    """Full states are compared; and every switch does change the search."""
    problem = request.getfixturevalue(name)
    base = LONG if PRICED & changes.keys() else BASE
    ran, asked = searches(problem, base.replace(**changes))
    assert differing_arrays(ran, asked) == []
    assert ran.evaluations == EVALUATIONS
    plain = dl.Optimizer(problem, base, 7, budget=EVALUATIONS)
    plain.run(EVALUATIONS)
    assert set(differing_arrays(ran, plain)) - {"control", "shares"}


@pytest.mark.parametrize("name", ["tiny_tour", "tiny_knapsack"])
def test_both_drivers_agree_where_the_subproblems_are_given(name, request):
    """Every other position, every third, and neighbourhoods beside them."""
    problem = request.getfixturevalue(name)
    every = range(problem.space.num_positions)
    groups = [every[::2], every[1::2], every[::3]]
    settings = BASE.replace(**{"decomposition.groups": groups})
    ran, asked = searches(problem, settings)
    assert differing_arrays(ran, asked) == []
    assert state_of(ran).control["num_windows"][0] == 3


@pytest.mark.parametrize("method", OWN_METHODS)
@pytest.mark.parametrize("name", ["tiny_tour", "tiny_knapsack"])
def test_both_drivers_agree_for_every_method(name, method, request):
    """The presets as they are."""
    ran, asked = searches(request.getfixturevalue(name), method)
    assert differing_arrays(ran, asked) == []
    assert ran.front_size > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_run_may_be_cut_anywhere(tiny_tour, family):
    """Chunks of the compiled loop, mixed with ask and tell, are the same search."""
    whole = dl.Optimizer(tiny_tour, FAMILIES[family], 1)
    whole.run(EVALUATIONS)
    pieces = dl.Optimizer(tiny_tour, FAMILIES[family], 1)
    for chunk in (1, 13, 49):
        pieces.run(chunk)
        ask_and_tell(pieces, 20)
    pieces.run(EVALUATIONS - pieces.evaluations)
    assert differing_arrays(whole, pieces) == []


def test_an_archive_that_fills_up_in_the_compiled_loop_grows():
    """More non-dominated solutions than an archive has slots at first."""
    problem = TSP(np.random.default_rng(0).random((12, 4, 2)))
    ran = dl.Optimizer(problem, "uniform", 0, budget=3_000)
    ran.run(3_000)
    asked = dl.Optimizer(problem, "uniform", 0, budget=3_000)
    ask_and_tell(asked, 3_000)
    assert len(state_of(ran).archive.order) > NUM_SLOTS
    assert differing_arrays(ran, asked) == []


@pytest.mark.parametrize("method", OWN_METHODS)
def test_the_seed_decides_everything(tiny_tour, method):
    """The same seed gives the same bits, another one gives others."""
    runs = []
    for seed in (3, 3, 4):
        runs.append(dl.Optimizer(tiny_tour, method, seed, budget=EVALUATIONS))
        runs[-1].run(EVALUATIONS)
    assert differing_arrays(runs[0], runs[1]) == []
    assert "archive.solutions" in differing_arrays(runs[0], runs[2])


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_are_what_single_candidates_would_be(tiny_tour, family):
    """Asking for several at once draws them one after the other."""
    one, many = (dl.Optimizer(tiny_tour, FAMILIES[family], 2) for _ in range(2))
    singles = [one.ask()[0].codes.tolist() for _ in range(40)]
    batch = [candidate.codes.tolist() for candidate in many.ask(40)]
    assert batch == singles
    assert differing_arrays(one, many) == []


@given(
    composites(4, 3),
    SEEDS,
    st.randoms(use_true_random=False),
    st.sampled_from(list(FAMILIES)),
)
def test_answers_may_be_late_out_of_order_or_missing(space, seed, random, family):
    """Any schedule: candidates stay members, and the front is that of what was told."""
    problem = hashed_problem(space)
    optimizer = dl.Optimizer(problem, FAMILIES[family], seed)
    members, answered, failed = [], 0, 0
    # In a small space failures would soon leave nothing to ask.
    samples = {space.encode(space.sample(k)).tobytes() for k in range(50)}
    roomy = len(samples) > 40
    for _ in range(25):
        for candidate in optimizer.ask(random.randint(1, 4)):
            assert is_member(space.layout, candidate.codes)
        waiting = optimizer.pending
        chosen = random.sample(waiting, random.randint(0, len(waiting)))
        for candidate in chosen:
            if random.random() < 0.1 and roomy:
                optimizer.tell(candidate, None)
                failed += 1
                continue
            values = problem.evaluate(candidate.x)
            optimizer.tell(candidate, values)
            members, _ = reference.inserted(members, (answered, values))
            answered += 1
    assert optimizer.evaluations == answered + failed
    found = sorted(map(tuple, optimizer.front_objectives))
    assert found == sorted(tuple(values) for _, values in members)
    told = {c.id for c in optimizer.pending}
    assert len(told) == optimizer.next_number - answered - failed


def test_a_search_without_any_answer_goes_on_proposing(tiny_mixed):
    """Nothing is known, so the experts construct and the cursor stays."""
    optimizer = dl.Optimizer(tiny_mixed, BASE, 0)
    candidates = optimizer.ask(60)
    assert all(tiny_mixed.space.contains(c.x) for c in candidates)
    assert len({c.codes.tobytes() for c in candidates}) > 40
    assert state_of(optimizer).control[0].weight == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_value_that_is_not_finite_stops_the_compiled_loop(tiny_tour, family):
    """What was found before stays, and the error names the solution."""
    table = tiny_tour.compiled.table.copy()
    table[3] = np.nan
    compiled = dl.Compiled(tiny_tour.compiled.objective, table)
    problem = dl.Problem(dl.Permutation(8), None, ["a", "b"], compiled=compiled)
    optimizer = dl.Optimizer(problem, FAMILIES[family], 0)
    with pytest.raises(dl.EvaluationError, match="finite") as caught:
        optimizer.run(EVALUATIONS)
    assert sorted(caught.value.x) == list(range(8))
    assert optimizer.evaluations < EVALUATIONS
    assert np.isfinite(optimizer.front_objectives).all()
