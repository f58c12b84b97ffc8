import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.layout import is_member
from divlearn.methods.paper.coordination import Coordination
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.experts import (
    EI,
    EXP3,
    FTRL,
    UCB,
    EntropicFTRL,
    Expert,
    Learning,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.methods.paper.experts.by_name import EXPERTS
from divlearn.methods.paper.kernels.marginals import marginal
from divlearn.methods.paper.kernels.select_action import (
    construct,
    draw_expert,
    expert_share,
    select_action,
    two_best,
)
from divlearn.methods.paper.kernels.update_experts import reset_tables, update_experts
from divlearn.methods.paper.kernels.windows import multiplicity
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.state import horizon
from tests.kernels.cases import SEEDS, composites, hashed_problem, new_search
from tests.reference import experts as reference

ARITIES = (4, 4, 2, 2, 5)
SPACE = dl.Composite(a=dl.Categorical("abcd", n=2), b=dl.Binary(2), c=dl.Integer(1, 5))
DRAWS = 2_000


def state_with(*experts, space=SPACE, **settings):
    """The state of a search that has not begun."""
    mixture = Mixture(experts or (UCB(), EXP3(), FTRL()))
    return new_search(
        hashed_problem(space), dl.DivideAndLearn(mixture=mixture, **settings)
    )[1]


def table(state, field):
    """One statistic as a list of rows, a row per position."""
    places = state.layout.places
    return [
        state.actions[field][place.offset : place.offset + place.arity].tolist()
        for place in places
    ]


def frequencies(state, i, available):
    """How often each available action is selected."""
    counts = dict.fromkeys(available, 0)
    for _ in range(DRAWS):
        state.scratch[: len(available)] = available
        counts[select_action(state, i, len(available))] += 1
    return np.array(list(counts.values())) / DRAWS


def deviation(probabilities):
    """Five standard deviations of a frequency."""
    p = np.asarray(probabilities)
    return 5 * np.sqrt(p * (1 - p) / DRAWS).max()


rewards = st.floats(-1, 1)
solutions = st.tuples(*(st.integers(0, arity - 1) for arity in ARITIES))


@given(st.lists(st.tuples(solutions, rewards), max_size=60))
def test_updates_agree_with_the_algorithm_as_printed(history):
    """The paper keeps normalised weights; the kernel keeps logarithms and their sum."""
    state, literal = state_with(), reference.Tables(ARITIES)
    for x, reward in history:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward)
    for i in range(len(ARITIES)):
        assert table(state, "visits")[i] == literal.N[i]
        assert_allclose(table(state, "value")[i], literal.V[i], atol=1e-12)
        assert_allclose(table(state, "loss")[i], literal.L[i], rtol=1e-9)
        logarithms = np.array(table(state, "log_weight")[i])
        weights = np.exp(logarithms - state.positions.log_total[i])
        assert_allclose(weights, literal.W[i], rtol=1e-9)
    assert state.control[0].updates == len(history)


@given(st.lists(st.tuples(solutions, rewards), min_size=1, max_size=60))
def test_running_sums_agree_with_their_definitions(history):
    """Welford's squares, and the sums that give the variance over actions."""
    state, literal = state_with(), reference.Tables(ARITIES)
    for x, reward in history:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward)
    squares, values = table(state, "square"), table(state, "value")
    for i, arity in enumerate(ARITIES):
        for a in range(arity):
            seen = literal.rewards[i][a] or [0.0]
            assert_allclose(squares[i][a], len(seen) * np.var(seen), atol=1e-10)
        assert_allclose(state.positions.value_sum[i], sum(values[i]), atol=1e-10)
        total = sum(v * v for v in values[i])
        assert_allclose(state.positions.value_square_sum[i], total, atol=1e-10)


def test_weights_recover_after_a_long_reign_of_one_action():
    """A running sum alone would forget weights too small to be seen beside it."""
    state, literal = state_with(), reference.Tables(ARITIES)
    x = (0, 0, 0, 0, 0)
    for reward in [1.0] * 500 + [-1.0] * 700:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward)
    assert literal.W[0][0] < 1e-6  # the reign is over
    for i in range(len(ARITIES)):
        logarithms = np.array(table(state, "log_weight")[i])
        weights = np.exp(logarithms - state.positions.log_total[i])
        assert_allclose(weights, literal.W[i], rtol=1e-6)


@pytest.mark.parametrize("rate", [200.0, 1e6])
def test_an_enormous_learning_rate_stays_finite(rate):
    """Sums of weights neither overflow nor vanish, compiled or not."""
    state = state_with(learning=Learning(learning_rate=rate))
    rng = np.random.default_rng(0)
    for _ in range(40):
        update_experts(state, rng.integers(0, ARITIES), rng.choice([-1.0, 1.0]))
        logarithms = table(state, "log_weight")
        for i in range(len(ARITIES)):
            expected = np.logaddexp.reduce(logarithms[i])
            assert_allclose(state.positions.log_total[i], expected, rtol=1e-9)


def test_hyperparameters_of_the_update_are_used():
    """Learning rate, clipping and cap, each away from its default."""
    learning = Learning(learning_rate=0.2, least_probability=0.6, loss_cap=1.5)
    state, literal = state_with(learning=learning), reference.Tables(ARITIES)
    rng = np.random.default_rng(0)
    for _ in range(30):
        x, reward = rng.integers(0, ARITIES), rng.uniform(-1, 1)
        update_experts(state, x, reward)
        literal.update(x.tolist(), reward, eta=0.2, p_min=0.6, cap=1.5)
    for i in range(len(ARITIES)):
        logarithms = np.array(table(state, "log_weight")[i])
        weights = np.exp(logarithms - state.positions.log_total[i])
        assert_allclose(weights, literal.W[i], rtol=1e-9)
        assert_allclose(table(state, "loss")[i], literal.L[i], rtol=1e-9)


@given(st.lists(st.tuples(solutions, rewards), max_size=40))
def test_clipped_probabilities_are_counted_with_their_bias(history):
    """The bias is the distance from r to the mean of what r is replaced by."""
    learning = Learning(learning_rate=20.0, least_probability=0.3)
    state, literal = state_with(learning=learning), reference.Tables(ARITIES)
    for x, reward in history:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward, eta=20.0, p_min=0.3)
    assert state.control[0].clips == literal.clips
    assert_allclose(state.control[0].clip_bias, literal.clip_bias, rtol=1e-6, atol=1e-9)


def test_the_rate_of_the_theorem_has_no_share_of_positions():
    """sqrt(2 C^2 log d / (T B^2)), with d the actions of a position, and B = 1."""
    learning = Learning(learning_rate="theory", least_probability=0.2)
    state = state_with(learning=learning, iterations=50)
    x = np.zeros(len(ARITIES), np.int64)
    before = state.actions.log_weight[state.layout.places.offset]
    update_experts(state, x, 0.5)
    grown = state.actions.log_weight[state.layout.places.offset] - before
    for i, arity in enumerate(ARITIES):
        eta = math.sqrt(2 * 0.2**2 * math.log(arity) / 50)
        assert grown[i] == pytest.approx(eta * 0.5 / max(1 / arity, 0.2))


@pytest.mark.parametrize(
    ("learning", "expected"),
    [
        (Learning(), 50),
        (Learning(share_tables=True), 50 * 4),
        (Learning(update="evaluation"), 50 * 3 * 2),  # steps times subproblems
    ],
)
def test_the_horizon_of_the_theorem_counts_updates_between_two_resets(
    learning, expected
):
    """Once per iteration or evaluation, of one weight vector or of all."""
    method = dl.DivideAndLearn(
        learning=learning,
        iterations=50,
        decomposition=Decomposition(size=3, overlap=1, neighbourhoods=0),
        refinement=Refinement(steps=3),
    )
    assert horizon(method, hashed_problem(SPACE), 4) == expected


MIXTURES = {
    "paper-ucb": Mixture((UCB(), EXP3(), FTRL())),
    "paper-ts": Mixture((Thompson(), EXP3())),
    "others": Mixture((EI(), EntropicFTRL(), Uniform(), Thompson(scale=0.0))),
}


@pytest.mark.parametrize("name", MIXTURES)
@pytest.mark.parametrize("updates", [0, 30])
def test_marginals_are_the_frequencies_of_choices(name, updates):
    """Of all experts together, where no action is taken by another position."""
    learning = Learning(probability="mixture", learning_rate=5.0)
    method = dl.DivideAndLearn(mixture=MIXTURES[name], learning=learning)
    state = new_search(hashed_problem(SPACE), method)[1]
    rng = np.random.default_rng(1)
    for _ in range(updates):
        update_experts(state, rng.integers(0, ARITIES), rng.uniform(-1, 1))
    for i in (0, 4):
        expected = [marginal(state, i, a) for a in range(ARITIES[i])]
        assert sum(expected) == pytest.approx(1.0, abs=1e-6)
        found = frequencies(state, i, list(range(ARITIES[i])))
        assert_allclose(found, expected, atol=deviation(expected) + 1e-12)


def test_weights_and_losses_may_be_divided_by_the_probability_of_the_mixture():
    """Before anything is known, UCB and FTRL tie and EXP3 draws evenly: 1 / |A|."""
    state = state_with(learning=Learning(probability="mixture"))
    x = np.zeros(len(ARITIES), np.int64)
    update_experts(state, x, 0.5)
    assert [row[0] for row in table(state, "loss")] == [0.5 * a for a in ARITIES]
    expected = [marginal(state, i, 0) for i in range(len(ARITIES))]
    assert expected[0] < 0.25  # UCB and FTRL now prefer what was not tried
    update_experts(state, x, 0.5)
    losses = [
        row[0] - 0.5 * a for row, a in zip(table(state, "loss"), ARITIES, strict=True)
    ]
    assert_allclose(losses, 0.5 / np.array(expected))


def advice(state, x):
    """Probability of each action of ``x`` under each expert."""
    rows = []
    for i, action in enumerate(x):
        marginal(state, i, action)
        rows.append(state.expert_marginals.tolist())
    return rows


def test_exp4_moves_the_shares_to_experts_whose_advice_pays():
    """Against the plain formula; shares add up, and none falls below its part."""
    mixture = Mixture((UCB(), EXP3(), FTRL()), weights="exp4", rate=3.0)
    method = dl.DivideAndLearn(mixture=mixture)
    state = new_search(hashed_problem(SPACE), method)[1]
    rng = np.random.default_rng(2)
    advised, rewarded = [], []
    for _ in range(40):
        x, reward = rng.integers(0, ARITIES), rng.uniform(-1, 1)
        advised.append(advice(state, x))
        rewarded.append(reward)
        update_experts(state, x, reward)
    expected = reference.exp4([0.35, 0.35, 0.3], advised, rewarded, 3.0)
    assert_allclose(state.expert_shares, expected, rtol=1e-9)
    assert_allclose([expert_share(state, e, 0) for e in range(3)], expected)
    assert state.expert_shares.min() >= 0.1 / 3
    reset_tables(state)
    assert_allclose(state.expert_shares, [0.35, 0.35, 0.3])


class Greedy(Expert):
    """Takes what had the highest mean."""

    name = "greedy"

    @staticmethod
    def score(known, options):
        """The mean alone."""
        return known.value


def test_exp4_finds_the_expert_that_knows():
    """One expert advises what is rewarded, the other anything."""
    mixture = Mixture((Greedy(), Uniform()), weights="exp4")
    state = new_search(hashed_problem(SPACE), dl.DivideAndLearn(mixture=mixture))[1]
    rng = np.random.default_rng(3)
    for _ in range(200):
        x = rng.integers(0, ARITIES)
        update_experts(state, x, np.mean(x == np.array(ARITIES) - 1))
    assert state.expert_shares[0] > 0.7  # from a half


def test_reset_forgets_everything():
    """Algorithm 1 starts every weight vector from empty tables."""
    state, fresh = state_with(), state_with()
    for _ in range(20):
        update_experts(state, np.zeros(len(ARITIES), np.int64), 0.5)
    state.positions.dual = 3.0
    state.control[0].temperature = 0.2
    reset_tables(state)
    assert state.actions.tobytes() == fresh.actions.tobytes()
    assert state.positions.tobytes() == fresh.positions.tobytes()
    assert state.control[0].updates == 0
    assert state.control[0].temperature == 1.0
    for i, arity in enumerate(ARITIES):
        assert_allclose(np.exp(table(state, "log_weight")[i]), 1 / arity)


@pytest.mark.parametrize("updates", [0, 3, 400])
@pytest.mark.parametrize("ratio", [0.5, 0.9])
def test_experts_are_drawn_by_the_uncertainty_adaptive_mixture(updates, ratio):
    """Frequencies of the three experts against the formula of SelectAction."""
    mixture = Mixture((UCB(), EXP3(), FTRL()), third_share=0.3, hybrid_ratio=ratio)
    state = new_search(hashed_problem(SPACE), dl.DivideAndLearn(mixture=mixture))[1]
    state.control[0].updates = updates
    for i in (0, 2):
        drawn = [draw_expert(state, i) for _ in range(DRAWS)]
        visits = [updates / ARITIES[i]] * ARITIES[i]
        expected = reference.mixture(visits, 0.3, ratio)
        found = np.bincount(drawn, minlength=3) / DRAWS
        assert_allclose(found, expected, atol=deviation(expected))
        assert_allclose([expert_share(state, e, i) for e in range(3)], expected)


@pytest.mark.parametrize("updates", [0, 400])
def test_any_number_of_experts_is_drawn_by_their_shares(updates):
    """All after the second in equal parts, or as told; the first alone fades."""
    visits = [updates / ARITIES[0]] * ARITIES[0]
    five = (UCB(), EXP3(), FTRL(), Thompson(), Uniform())
    told = (0.1, 0.0, 0.4, 0.3, 0.2)
    for mixture, expected in (
        (Mixture(five), reference.mixture(visits, 0.3, count=5)),
        (Mixture(five, shares=told), told),
    ):
        state = new_search(hashed_problem(SPACE), dl.DivideAndLearn(mixture=mixture))[1]
        state.control[0].updates = updates
        drawn = [draw_expert(state, 0) for _ in range(DRAWS)]
        found = np.bincount(drawn, minlength=5) / DRAWS
        assert_allclose(found, expected, atol=deviation(expected))
        shares = [expert_share(state, e, 0) for e in range(5)]
        assert_allclose(shares, expected, atol=1e-15)


@pytest.mark.parametrize("updates", [0, 400])
def test_the_first_share_may_be_the_fixed_one(updates):
    """The appendix's other form: a constant p_1, and rho_t of the rest to EXP3."""
    mixture = Mixture((UCB(), EXP3(), FTRL()), form="fixed-first", hybrid_ratio=0.4)
    state = new_search(hashed_problem(SPACE), dl.DivideAndLearn(mixture=mixture))[1]
    state.control[0].updates = updates
    visits = [updates / ARITIES[0]] * ARITIES[0]
    expected = reference.mixture_of_fixed_first(visits, 1 / 3, 0.4)
    assert_allclose([expert_share(state, e, 0) for e in range(3)], expected)
    drawn = [draw_expert(state, 0) for _ in range(DRAWS)]
    found = np.bincount(drawn, minlength=3) / DRAWS
    assert_allclose(found, expected, atol=deviation(expected))


def test_two_experts_share_everything_and_one_is_always_drawn():
    """Without a third one, rho_0 belongs to nobody."""
    state = state_with(Thompson(), EXP3())
    drawn = [draw_expert(state, 0) for _ in range(DRAWS)]
    found = np.bincount(drawn, minlength=3) / DRAWS
    assert_allclose(found, [0.5, 0.5, 0.0], atol=deviation([0.5]))
    assert {draw_expert(state_with(EXP3()), 0) for _ in range(50)} == {0}


@given(st.lists(st.tuples(solutions, rewards), min_size=20, max_size=60), st.data())
def test_ucb_selects_the_largest_bound_among_the_available(history, data):
    """Unvisited actions come first; log t counts the updates."""
    state, literal = state_with(UCB(coefficient=0.7)), reference.Tables(ARITIES)
    for x, reward in history:
        update_experts(state, np.array(x), reward)
        literal.update(x, reward)
    i = data.draw(st.integers(0, len(ARITIES) - 1))
    available = sorted(data.draw(st.sets(st.integers(0, ARITIES[i] - 1), min_size=1)))

    def bound(a):
        if literal.N[i][a] == 0:
            return math.inf
        bonus = math.sqrt(math.log(len(history)) / literal.N[i][a])
        return literal.V[i][a] + 0.7 * bonus

    state.scratch[: len(available)] = available
    chosen = select_action(state, i, len(available))
    assert chosen in available
    assert bound(chosen) >= max(map(bound, available)) - 1e-12


def test_ftrl_selects_the_largest_regularised_negative_loss():
    """-L + gamma sqrt(N + 1), so in effect the action that was visited least."""
    state = state_with(FTRL(gamma=2.0))
    state.actions.loss[:4] = [9.0, 3.0, 5.0, 3.5]
    state.actions.visits[:4] = [99.0, 0.0, 8.0, 0.0]
    # 11, -1, 1, -1.5
    assert frequencies(state, 0, [0, 1, 2, 3]).tolist() == [1, 0, 0, 0]
    assert frequencies(state, 0, [1, 2, 3]).tolist() == [0, 1, 0]
    assert frequencies(state, 0, [1, 3]).tolist() == [1, 0]


@pytest.mark.parametrize("temperature", [1.0, 0.3])
def test_exp3_draws_in_proportion_to_its_weights(temperature):
    """Gumbel noise on logarithms is a draw from their softmax, masked ones left out."""
    state = state_with(EXP3())
    logarithms = np.log([0.1, 0.2, 0.3, 0.4])
    state.actions.log_weight[:4] = logarithms + 2.0
    state.positions.log_total[0] = 2.0
    state.control[0].temperature = temperature
    for available in ([0, 1, 2, 3], [0, 3], [1]):
        expected = reference.softmax(logarithms[available] / temperature)
        found = frequencies(state, 0, available)
        assert_allclose(found, expected, atol=deviation(expected) + 1e-12)


def test_thompson_prefers_by_the_probability_of_being_best():
    """Two normal beliefs: the frequency is that of their difference being positive."""
    state = state_with(Thompson())
    state.actions.value[:2] = [0.2, 0.0]
    state.actions.visits[:2] = [3.0, 8.0]
    state.actions.square[:2] = [2 * 0.3, 7 * 0.5]  # variances 0.3 and 0.5
    spread = math.sqrt(0.3 / 4 + 0.5 / 9)
    wins = 0.5 * (1 + math.erf(0.2 / spread / math.sqrt(2)))
    found = frequencies(state, 0, [0, 1])
    assert_allclose(found, [wins, 1 - wins], atol=deviation([wins]))


def test_acquisition_compares_with_the_best_of_the_available():
    """The best mean that is masked must not matter; ties count as rivals."""
    state = state_with(Told())
    state.actions.value[:4] = [0.1, 0.9, 0.4, 0.4]
    state.scratch[:3] = [0, 2, 3]
    assert two_best(state, 0, 3) == (0.4, 0.4)
    assert two_best(state, 0, 2) == (0.4, 0.1)
    assert two_best(state, 0, 1) == (0.1, 0.1)
    # Best minus rival: .3 for action 2, 0 for the others.
    assert frequencies(state, 0, [0, 2]).tolist() == [0, 1]


class Told(Expert):
    """Prefers the action that is far above its rival."""

    name = "told"

    @staticmethod
    def score(known, options):
        """The lead over the others."""
        return known.best - known.rival


class MostVaried(Expert):
    """Prefers the action whose rewards vary most."""

    name = "most varied"

    @staticmethod
    def score(known, options):
        """Score by the variance alone."""
        return known.variance


def test_experts_see_the_unbiased_variance_and_one_before_two_visits():
    """Squares over N - 1; a single reward says nothing about its spread."""
    state = state_with(MostVaried())
    state.actions.visits[:4] = [2.0, 100.0, 1.0, 0.0]
    state.actions.square[:4] = [0.9, 99 * 0.8, 0.0, 0.0]  # variances 0.9, 0.8, 1, 1
    assert frequencies(state, 0, [0, 1]).tolist() == [1, 0]
    assert frequencies(state, 0, [0, 1, 2]).tolist() == [0, 0, 1]
    assert frequencies(state, 0, [2, 3]).min() > 0.4


@pytest.mark.parametrize("expert", [UCB(), FTRL(), Thompson(scale=0.0), Uniform()])
def test_ties_are_broken_at_random(expert):
    """Before anything is known, every available action is as likely."""
    state = state_with(expert)
    expected = [1 / 3] * 3
    found = frequencies(state, 4, [0, 2, 3])
    assert_allclose(found, expected, atol=deviation(expected))


def test_the_consensus_price_holds_to_the_incumbent_on_overlaps():
    """It depends on the action, so it can change which one scores best."""
    coordination = Coordination(consensus=1.0)
    division = Decomposition(size=3, overlap=1)
    state = state_with(Uniform(), coordination=coordination, decomposition=division)
    state.positions.dual = 5.0
    state.known[0] = 1
    state.incumbents[0] = 1
    assert [multiplicity(state, i) for i in range(5)] == [1, 1, 2, 1, 1]
    assert frequencies(state, 2, [0, 1]).tolist() == [0, 1]
    assert frequencies(state, 3, [0, 1]).min() > 0.4
    state.known[0] = 0  # nothing to agree with
    assert frequencies(state, 2, [0, 1]).min() > 0.4


BUILT_IN = [kind() for kind in EXPERTS.values()]


@given(composites(4, 4), SEEDS, st.sampled_from(BUILT_IN))
def test_constructions_are_members_whatever_was_learned(space, seed, expert):
    """Masks keep every construction feasible, in every mixture of kinds."""
    optimizer, state = new_search(
        hashed_problem(space), dl.DivideAndLearn(mixture=Mixture((expert,))), seed
    )
    assert optimizer.evaluations == 0
    x = np.empty(space.num_positions, np.int64)
    for _ in range(8):
        construct(state, x)
        assert is_member(space.layout, x)
        update_experts(state, x, 0.3)
