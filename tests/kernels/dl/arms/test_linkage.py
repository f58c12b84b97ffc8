"""The arm that finds groups of positions and changes them as a whole."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.arms.linkage import PATIENCE
from divlearn.methods.dl.kernels.models.linkage import ASKING, GIVEN_UP, KNOWN
from divlearn.optimizer.optimizer import state_of
from divlearn.spaces.names import position_names
from tests.kernels.cases import ask_and_tell, differing_arrays

slow = pytest.mark.skipif(JIT_DISABLED, reason="too few evaluations in plain Python")
QUICK = dl.DL(initial=20, gp_candidates=0, exploration=60)


def until(optimizer, stage):
    """Ask and tell until linkage is at this stage."""
    for _ in range(3_000):
        if state_of(optimizer).linkage.record[0].stage == stage:
            return
        ask_and_tell(optimizer, 1)
    raise AssertionError(stage)


@slow
def test_the_whole_front_of_traps_is_found():
    """The bar: with blocks known, all of the front; without, a part of it."""
    problem = dl.problems.get("traps-40", instance=2)
    fronts = [
        dl.solve(problem, budget=2_500, method=QUICK.replace(linkage=on), seed=1).F
        for on in (True, False)
    ]
    exact = {tuple(row) for row in problem.exact_values()}
    assert {tuple(row) for row in fronts[0]} == exact
    assert {tuple(row) for row in fronts[1]} < exact


@slow
def test_both_loops_agree_while_groups_are_asked_for_and_used():
    """Questions and mixtures are part of the state like everything else."""
    problem = dl.problems.get("traps-30", instance=1)
    one, other = (dl.Optimizer(problem, QUICK, seed=4, budget=2_000) for _ in range(2))
    ask_and_tell(one, 1_200)
    other.run(1_200)
    record = state_of(one).linkage.record[0]
    assert record.questions > 0
    assert record.mixed > 0
    assert differing_arrays(one, other) == []


@slow
def test_a_search_saved_in_the_middle_of_its_questions_goes_on(tmp_path):
    """A question that is under way is saved with its node."""
    problem = dl.problems.get("traps-30", instance=1)
    optimizer = dl.Optimizer(problem, QUICK, seed=4, budget=2_000)
    until(optimizer, ASKING)
    ask_and_tell(optimizer, 40)
    optimizer.save(tmp_path / "state.npz")
    again = dl.Optimizer.load(tmp_path / "state.npz", problem, method=QUICK)
    for one in (optimizer, again):
        ask_and_tell(one, 500)
    assert state_of(again).linkage.record[0].stage == KNOWN
    assert differing_arrays(optimizer, again) == []


@slow
def test_a_question_without_an_answer_is_asked_again():
    """Evaluations fail; the search must not wait for ever."""
    problem = dl.problems.get("traps-30", instance=1)
    optimizer = dl.Optimizer(problem, QUICK, seed=4, budget=2_000)
    until(optimizer, ASKING)
    record = state_of(optimizer).linkage.record[0]
    while record.node == 0:
        (candidate,) = optimizer.ask()
        if record.node == 0:
            optimizer.tell(candidate, problem.evaluate(candidate.x))
    node, asked = int(record.node), int(record.questions)
    ask_and_tell(optimizer, PATIENCE // 2)
    assert (record.node, record.questions) == (node, asked)
    ask_and_tell(optimizer, PATIENCE)
    assert record.questions > asked


@slow
def test_groups_are_looked_for_only_where_they_can_be_changed():
    """Rules, repairs, noise, small budgets and the switch leave the arm out."""
    bits, few = dl.Binary(10), dl.Subset(10, min=2, max=4)

    def order_of(space, budget=2_000, method=QUICK, **options):
        problem = dl.Problem(space, lambda x: 0.0, ["a"], **options)
        return state_of(dl.Optimizer(problem, method, budget=budget)).linkage.order

    assert len(order_of(bits)) == 10
    assert len(order_of(bits, budget=None)) == 10
    assert len(order_of(few)) == 0
    assert len(order_of(bits, budget=500)) == 0
    assert len(order_of(bits, noise=True)) == 0
    assert len(order_of(bits, repair=lambda x: x)) == 0
    assert len(order_of(bits, method=QUICK.replace(linkage=False))) == 0


@slow
def test_result_says_which_positions_belong_together():
    """Users learn more of a problem than its front."""
    problem = dl.problems.get("traps-30", instance=1)
    result = dl.solve(problem, budget=1_500, method=QUICK, seed=4)
    learned = result.learned["linkage"]
    assert learned["is"] == "known"
    found = {frozenset(group) for group in learned["groups"]}
    names = position_names(problem.space)
    assert found == {frozenset(names[int(i)] for i in b) for b in problem.blocks}
    assert "belong together" in result.explain()
    assert GIVEN_UP not in (KNOWN, ASKING)


@slow
def test_a_space_of_sums_is_left_alone():
    """Where nothing stalls, not one question is asked."""
    weights = np.random.default_rng(0).random((2, 12)) - 0.5
    problem = dl.Problem(dl.Binary(12), lambda x: weights @ x, ["a", "b"])
    optimizer = dl.Optimizer(problem, QUICK, seed=1, budget=1_000)
    ask_and_tell(optimizer, 100)
    assert state_of(optimizer).linkage.record[0].questions == 0
