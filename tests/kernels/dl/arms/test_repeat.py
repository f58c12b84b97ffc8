"""Noisy problems: measurements are pooled, luck does not stay in the front."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED, kernel
from divlearn.methods.dl.kernels.arms.bandit import REPEAT
from divlearn.methods.dl.kernels.arms.repeat import (
    LEAST_MEASURED,
    MOST_WAITING,
    NOTED_FROM,
)
from divlearn.methods.dl.kernels.parts import PROPOSE_REPEAT, WEIGH
from divlearn.methods.dl.kernels.step import observe
from divlearn.metrics import hypervolume
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import TSP, Noisy, get
from tests.kernels.cases import SEEDS, ask_and_tell, differing_arrays, new_search
from tests.kernels.dl.cases import EVALUATIONS, small
from tests.reference import archive as reference
from tests.reference.repeats import MeasuredFront, mean

slow = pytest.mark.skipif(JIT_DISABLED, reason="too few evaluations in plain Python")


@kernel
def drifting(x, table, y):
    """Two weighted sums of codes, with errors drawn from a number in the table."""
    for j in range(2):
        y[j] = 0.0
        for i in range(x.shape[0]):
            y[j] += table[1 + j, i] * (x[i] if j == 0 else x.shape[0] - x[i])
        table[0, 0] = (16807.0 * table[0, 0]) % 2147483647.0
        y[j] *= 1.0 + 0.4 * (table[0, 0] / 2147483647.0 - 0.5)


def noisy_sums(space):
    """A noisy problem, compiled; every one of them starts with the same noise."""
    n = space.num_positions
    table = np.vstack([np.full(n, 12345.0), np.random.default_rng(n).random((2, n))])
    compiled = dl.Compiled(drifting, table)
    return dl.Problem(space, None, ["a", "b"], compiled=compiled, noise=True)


@pytest.fixture
def noisy_tour():
    """Eight cities, lengths measured with 10 % noise."""
    return Noisy(TSP(np.random.default_rng(8).random((8, 2, 2))), 0.1, name="noisy")


def front_slots(state):
    """Used slots of the archive."""
    return state.archive.order[: int(state.control[0].archive_size)]


# --- pooling and order, against lists of measurements

VALUES = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 2e-10, 1.5, 2.0, 3.0])


@st.composite
def streams(draw):
    """Solutions 0 to 5 with outputs, in the order in which they are measured."""
    m, c = draw(st.integers(1, 3)), draw(st.integers(0, 1))
    row = st.tuples(*[VALUES] * m, *[st.sampled_from([-1.0, 0.0, 0.5])] * c)
    steps = st.lists(st.tuples(st.integers(0, 5), row), min_size=1, max_size=30)
    return m, c, draw(steps)


@given(streams(), st.booleans())
def test_means_and_their_order_agree_with_lists_of_measurements(stream, again):
    """What is in the front, with which mean and how many measurements, at every step.

    Members are measured again by ``add`` or by the answer to a repeat.
    """
    m, c, steps = stream
    problem = dl.Problem(
        dl.Integer(0, 5),
        lambda x: None,
        [f"f{j}" for j in range(m)],
        constraints=[f"c{j}" for j in range(c)],
        noise=True,
    )
    optimizer, _ = new_search(problem, small())
    front = MeasuredFront(m)
    for x, outputs in steps:
        state = state_of(optimizer)
        known = {int(state.archive.solutions[s, 0]): s for s in front_slots(state)}
        if again and x in known:
            ticket = np.array([REPEAT, -1 - known[x]])
            optimizer.search.make_room(1)
            observe(state_of(optimizer), np.array([x]), np.array(outputs), ticket)
        else:
            optimizer.add(x, outputs)
        front.measure(x, outputs)
        state = state_of(optimizer)
        slots = front_slots(state)
        names = state.archive.solutions[slots, 0].tolist()
        assert sorted(names) == sorted(front.members)
        for name, slot in zip(names, slots, strict=True):
            assert state.repeats.counts[slot] == len(front.members[name])
            expected = mean(front.members[name])
            assert_allclose(state.archive.outputs[slot], expected, atol=1e-12)
        if m == 2:
            assert (np.diff(state.archive.keys[slots, 0]) > 0).all()


# --- a whole search

LONG = [
    dl.Permutation(14),
    dl.Composite(a=dl.Permutation(9), b=dl.Binary(12)),
    dl.Binary(40),
    dl.Composite(a=dl.Categorical("abcdefgh", n=14), b=dl.Integer(0, 999)),
]


def measured_with_noise(space, seed):
    """A problem whose every answer is another one, also for the same solution."""
    n, rng = space.num_positions, np.random.default_rng(seed)
    weights = rng.random((2, n))

    def evaluate(x):
        codes = space.encode(x)
        values = weights @ np.vstack([codes, codes.max() - codes]).T
        return np.diag(values) * (1 + 0.1 * rng.standard_normal(2))

    return dl.Problem(space, evaluate, ["a", "b"], noise=True)


@settings(max_examples=6 if JIT_DISABLED else 30)
@given(st.sampled_from(LONG), SEEDS, st.randoms(use_true_random=False))
def test_the_front_holds_means_of_all_answers_in_any_order(space, seed, random):
    """Late, missing and failed answers, batches: means are of what was told.

    Nothing but a repeat is ever proposed twice.
    """
    problem = measured_with_noise(space, seed % 1000)
    optimizer = dl.Optimizer(problem, small(exploration=8), seed)
    told, proposed = defaultdict(list), set()
    for _ in range(10 if JIT_DISABLED else 30):
        for candidate in optimizer.ask(random.randint(1, 4)):
            codes = candidate.codes.tobytes()
            assert (codes in proposed) == (candidate.ticket[0] == REPEAT)
            proposed.add(codes)
        waiting = optimizer.pending
        for candidate in random.sample(waiting, random.randint(0, len(waiting))):
            failed = random.random() < 0.1
            values = None if failed else problem.evaluate(candidate.x)
            optimizer.tell(candidate, values)
            if not failed:
                told[candidate.codes.tobytes()].append(values)
    state = state_of(optimizer)
    keys = []
    for slot in front_slots(state):
        measurements = told[state.archive.solutions[slot].tobytes()]
        assert state.repeats.counts[slot] == len(measurements)
        assert_allclose(state.archive.outputs[slot], mean(measurements))
        keys.append(reference.key(state.archive.outputs[slot]))
    for one in keys:
        assert sum(reference.as_good(other, one) for other in keys) == 1
    assert state.arms.tries.sum() == state.control[0].observed


def test_a_lucky_measurement_does_not_enter():
    """It is measured again at once, and gone with its mean; its arm gains nothing."""
    problem = measured_with_noise(dl.Binary(40), 0)
    optimizer, state = new_search(problem, small(), 0)
    ask_and_tell(optimizer, 40)
    for contender in state.repeats.contenders:
        contender.serial = 0
    (lucky,) = optimizer.ask()
    while lucky.ticket[0] == REPEAT:  # of a member
        (lucky,) = optimizer.ask()
    # With the greatest of all errors to go by, nothing is believed at once.
    state.repeats.squares[:] = 1e9
    state.control[0].noted = 10
    entered = int(state.arms.entered.sum())
    optimizer.tell(lucky, (-1.0, -1.0))
    (again,) = optimizer.ask()
    assert_array_equal(again.codes, lucky.codes)
    assert again.ticket.tolist() == [REPEAT, state.control[0].last_contender]
    optimizer.tell(again, (1e4, 1e4))
    assert state.arms.entered.sum() == entered
    assert optimizer.front_objectives.min() > 0
    (other,) = optimizer.ask()
    assert not np.array_equal(other.codes, lucky.codes)


def test_a_good_candidate_enters_with_the_mean_of_its_measurements():
    """As soon as it has been measured as often as those it displaces."""
    problem = measured_with_noise(dl.Binary(40), 0)
    optimizer, state = new_search(problem, small(), 0)
    ask_and_tell(optimizer, 40)
    state.repeats.contenders.serial[:] = 0
    (good,) = optimizer.ask()
    while good.ticket[0] == REPEAT:
        (good,) = optimizer.ask()
    state.repeats.squares[:] = 1e9
    state.control[0].noted = 10
    state.repeats.counts[:] = 4
    for number in range(4):
        assert not any((optimizer.front_objectives < 0).all(axis=1))
        optimizer.tell(good, (-1.0 - number, -3.0))
        good = optimizer.ask()[0] if number < 3 else None
    assert LEAST_MEASURED < 4
    assert_allclose(optimizer.front_objectives, [[-2.5, -3.0]])
    assert state.repeats.counts[front_slots(state)].tolist() == [4]


def test_an_answer_to_a_repeat_of_a_member_that_left_counts_for_nothing():
    """Also where another solution has its slot by then."""
    problem = measured_with_noise(dl.Binary(40), 0)
    optimizer, state = new_search(problem, small(final_from=30), 0)
    ask_and_tell(optimizer, 30)
    repeats = [c for c in optimizer.ask(3) if c.ticket[0] == REPEAT]
    assert repeats
    best = np.ones(40, bool)
    assert optimizer.add(best, (-1e3, -1e3))  # all others leave
    assert optimizer.add(~best, (-2e3, 0.0))
    before = optimizer.front_objectives.tolist()
    optimizer.tell(repeats, [(-1e6, -1e6)] * len(repeats))
    assert optimizer.front_objectives.tolist() == before
    assert state.repeats.counts[front_slots(state)].tolist() == [1, 1]


def test_contenders_whose_answers_never_come_enter_at_last():
    """When there are more of them than places: the first one makes room."""
    problem = measured_with_noise(dl.Binary(40), 0)
    optimizer, state = new_search(problem, small(), 0)
    ask_and_tell(optimizer, 20)
    state.repeats.contenders.serial[:] = 0
    state.repeats.squares[:] = 1e9
    state.control[0].noted = 10
    enough = state.control[0].last_contender + len(state.repeats.contenders) + 1
    first, step = None, 0
    for _ in range(3 * len(state.repeats.contenders)):
        if state.control[0].last_contender == enough:
            break
        (candidate,) = optimizer.ask()
        if candidate.ticket[0] == REPEAT:
            continue  # asked for, never told
        first = candidate if first is None else first
        step += 1
        # Each would displace the members, and none of them another one.
        optimizer.tell(candidate, (-1e3 - step, -1e3 + step))
    assert state.control[0].last_contender == enough
    assert optimizer.front_objectives.min() < -1e3
    codes = [problem.space.encode(x).tolist() for x in optimizer.result().X]
    assert first.codes.tolist() in codes


def test_exact_problems_have_nothing_of_all_this():
    """No arrays, no parts, no repeats; nor where the switch is off."""
    space = dl.Binary(12)
    for noise, changes in ((False, {}), (True, {"repeats": False})):
        problem = dl.Problem(
            space, lambda x: (x.sum(), float(~x[0])), ["a", "b"], noise=noise
        )
        optimizer, _ = new_search(problem, small(final_share=0.5, **changes), 0)
        ask_and_tell(optimizer, 50)
        state = state_of(optimizer)
        assert not state.parts[[PROPOSE_REPEAT, WEIGH]].any()
        assert state.repeats.counts.size == state.repeats.contenders.size == 0
        assert "repeated_measurements" not in optimizer.result().learned


def test_a_problem_that_only_claims_to_be_noisy_has_no_races_for_long():
    """Once repeats agree to the last bit, one measurement is enough."""
    tour = TSP(np.random.default_rng(8).random((8, 2, 2)))
    problem = dl.Problem(tour.space, tour.evaluate, ["a", "b"], noise=True)
    optimizer, state = new_search(problem, small(), 0)
    ask_and_tell(optimizer, EVALUATIONS)
    assert not state.repeats.squares.any()
    ask_and_tell(optimizer, EVALUATIONS)
    before = int(state.control[0].last_contender)
    ask_and_tell(optimizer, EVALUATIONS)
    assert state.control[0].last_contender == before
    exact = [tour.evaluate(x) for x in optimizer.result().X]
    assert_allclose(optimizer.result().F, exact)


@pytest.mark.parametrize("space", [dl.Permutation(8), dl.Binary(12)], ids=repr)
@pytest.mark.parametrize("changes", [{}, {"final_from": 40}], ids=repr)
def test_both_drivers_agree_bit_for_bit_under_noise(space, changes):
    """The compiled loop meets the same errors as ask and tell."""
    optimizers = [
        dl.Optimizer(noisy_sums(space), small(**changes), 7) for _ in range(2)
    ]
    optimizers[0].run(EVALUATIONS)
    ask_and_tell(optimizers[1], EVALUATIONS)
    assert differing_arrays(*optimizers) == []
    state = state_of(optimizers[0])
    assert state.arms[REPEAT].tries > 0
    # In short searches nobody is displaced who was measured twice.
    if not changes and not JIT_DISABLED:
        assert state.control[0].last_contender > 0


def test_a_saved_search_goes_on_with_its_races(noisy_tour, tmp_path):
    """Contenders, counts and repeats that wait for their answers are in the file."""
    whole, first = (dl.Optimizer(noisy_tour, small(), 1) for _ in range(2))
    for optimizer in (whole, first):
        noisy_tour.restart()
        ask_and_tell(optimizer, 40)
        while not any(c.ticket[0] == REPEAT for c in optimizer.pending):
            optimizer.ask()
    first.save(tmp_path / "search")
    second = dl.Optimizer.load(tmp_path / "search", noisy_tour)
    assert differing_arrays(whole, second) == []
    errors = dict(noisy_tour._draws._evaluations)
    for optimizer in (whole, second):
        noisy_tour._draws._evaluations.clear()
        noisy_tour._draws._evaluations.update(errors)
        for candidate in optimizer.pending:
            optimizer.tell(candidate, noisy_tour.evaluate(candidate.x))
        ask_and_tell(optimizer, 40)
    assert differing_arrays(whole, second) == []


# --- the end of the budget


def test_the_last_share_of_the_budget_measures_the_front_again(noisy_tour):
    """Every member in turn, the least measured first."""
    optimizer = dl.Optimizer(noisy_tour, small(final_share=0.25), 0, budget=80)
    ask_and_tell(optimizer, 60)
    state = state_of(optimizer)
    while state.repeats.contenders.serial.any():
        ask_and_tell(optimizer, 1)
    for _ in range(optimizer.evaluations, 80):
        counts = state.repeats.counts[front_slots(state)]
        (candidate,) = optimizer.ask()
        kind, place = candidate.ticket
        assert kind == REPEAT
        assert state.repeats.counts[-1 - place] == counts.min()
        optimizer.tell(candidate, noisy_tour.evaluate(candidate.x))
    assert optimizer.settings.final_from == 60


@slow
def test_the_gaussian_process_leaves_the_end_of_the_budget_alone():
    """It would otherwise make all candidates of a small budget."""
    problem = get("mixed-20")
    method = small(gp_candidates=300, final_share=0.5)
    optimizer = dl.Optimizer(problem, method, 0, budget=40)
    ask_and_tell(optimizer, 40)
    assert state_of(optimizer).arms[REPEAT].tries == 20
    usual = dl.Optimizer(problem, small(gp_candidates=300), 0, budget=40)
    ask_and_tell(usual, 40)
    assert state_of(usual).arms[REPEAT].tries == 0


def test_without_a_budget_there_is_no_end_to_measure_at(noisy_tour):
    """The share is of something unknown, so it has no effect."""
    optimizer = dl.Optimizer(noisy_tour, small(final_share=1.0), 0)
    assert optimizer.settings.final_from is None


def test_a_front_whose_repeats_all_fail_does_not_stop_the_search():
    """A single member that nobody can measure again."""
    problem = dl.Problem(dl.Binary(30), lambda x: x.sum(), ["f"], noise=True)
    optimizer, state = new_search(problem, small(final_from=10), 0)
    ask_and_tell(optimizer, 10)
    for _ in range(30):
        (candidate,) = optimizer.ask()
        failed = candidate.ticket[0] == REPEAT
        optimizer.tell(candidate, None if failed else 40.0)
    slots = front_slots(state)
    waiting = state.repeats.asked[slots] - state.repeats.counts[slots]
    assert waiting.tolist() == [MOST_WAITING]
    assert optimizer.evaluations == 40


@pytest.mark.parametrize(
    "changes",
    [
        {"repeats": 1},  # not a flag
        {"final_share": 1.5},  # more than everything
        {"final_from": -1},  # before the beginning
    ],
    ids=repr,
)
def test_wrong_settings_are_refused(changes):
    """By the name of the setting."""
    with pytest.raises(dl.InputError, match=next(iter(changes))):
        small(**changes)


# --- what it is good for, and what is told


@slow
def test_repeats_find_better_fronts_than_single_measurements():
    """The reason for all of this, judged without noise."""
    volumes = []
    for repeats in (True, False):
        total = 0.0
        for instance in range(3):
            problem = get("noisytsp-20", instance=instance, noise=0.15)
            optimizer = dl.Optimizer(problem, small(repeats=repeats), instance)
            ask_and_tell(optimizer, 1_500)
            true = problem.noise_free(optimizer.result().X)
            total += hypervolume(true, problem.reference, problem.ideal)
        volumes.append(total / 3)
    assert volumes[0] > volumes[1] + 0.02


@slow
def test_the_size_of_the_errors_is_estimated(noisy_tour):
    """Within a fifth over three seeds, in units of objectives, and told in the end."""
    ratios = []
    for seed in range(3):
        optimizer, state = new_search(noisy_tour, small(), seed)
        ask_and_tell(optimizer, 1_500)
        result = optimizer.result()
        told = np.array(list(result.learned["measurement_std"].values()))
        ratios.append(told / (0.1 * noisy_tour.noise_free(result.X).mean(axis=0)))
    assert_allclose(np.mean(ratios, axis=0), 1.0, rtol=0.2)
    repeats = result.learned["repeated_measurements"]
    assert repeats == result.learned["evaluations_by_kind"]["repeat"] > 100
    assert "repeat" not in result.learned["entered_front"]
    assert state.control[0].noted < repeats
    assert NOTED_FROM > 1
    assert "measured something again" in result.explain()
