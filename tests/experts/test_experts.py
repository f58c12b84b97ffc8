import math
from types import SimpleNamespace

import pytest

import divlearn as dl
from divlearn.methods.paper.experts import (
    EI,
    EXP3,
    FTRL,
    KG,
    PI,
    UCB,
    EntropicFTRL,
    Expert,
    Known,
    Learning,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.testing import check_expert
from tests.kernels.cases import ask_and_tell
from tests.reference.experts import expected_improvement

EXPERTS = [
    *(UCB(), UCB(0.5), EXP3(), FTRL(), FTRL(2.0), Thompson(), Uniform()),
    *(EntropicFTRL(), EntropicFTRL(0.1), EI(), PI(), PI(0.2), KG()),
]


def score(expert, **known):
    """The score of an action with some statistics, for a problem of 16 positions."""
    statistics = {
        "value": 0.25,
        "variance": 0.5,
        "visits": 3.0,
        "log_weight": -1.0,
        "loss": 7.0,
        "updates": 20.0,
        "temperature": 0.5,
        "num_actions": 4.0,
        "best": 0.4,
        "rival": 0.4,
        "u": 0.3,
        "v": 0.6,
    }
    options = SimpleNamespace(**expert.options(16))
    return expert.score(Known(**(statistics | known)), options)


@pytest.mark.parametrize("expert", EXPERTS, ids=repr)
def test_every_expert_passes_the_shared_checks(expert):
    """The cases that a user's own expert has to pass as well."""
    check_expert(expert)


def test_ucb_is_the_mean_plus_its_bonus():
    """V + c sqrt(log t / N) with c = 3 unless told otherwise; unvisited first."""
    assert score(UCB()) == 0.25 + 3 * math.sqrt(math.log(20) / 3)
    assert score(UCB(0.5)) == 0.25 + 0.5 * math.sqrt(math.log(20) / 3)
    assert score(UCB(), visits=0.0) == math.inf


def test_ftrl_is_the_regularised_negative_loss():
    """-L + gamma sqrt(N + 1) with gamma = 1 / sqrt(n) unless told otherwise."""
    assert score(FTRL()) == -7 + 2 / 4
    assert score(FTRL(5.0)) == -7 + 5 * 2


def test_exp3_is_the_tempered_weight_with_gumbel_noise():
    """Colder means closer to the largest weight; a draw of 0 does not fail."""
    noise = -math.log(-math.log(0.3))
    assert score(EXP3()) == pytest.approx(-1 / 0.5 + noise)
    assert math.isfinite(score(EXP3(), u=0.0))


def test_thompson_is_a_draw_around_the_mean():
    """Variance over N + 1, by Box and Muller's formula."""
    normal = math.sqrt(-2 * math.log(0.7)) * math.cos(2 * math.pi * 0.6)
    assert score(Thompson()) == pytest.approx(0.25 + normal * math.sqrt(0.5 / 4))
    assert score(Thompson(scale=0.0)) == 0.25


def test_entropic_ftrl_is_the_negative_loss_with_gumbel_noise():
    """Rate sqrt(2 log d / t) unless told otherwise; a draw of 0 does not fail."""
    noise = -math.log(-math.log(0.3))
    rate = math.sqrt(2 * math.log(4) / 20)
    assert score(EntropicFTRL()) == pytest.approx(noise - 7 * rate)
    assert score(EntropicFTRL(0.5)) == pytest.approx(noise - 3.5)
    assert score(EntropicFTRL(), updates=0.0, loss=0.0) == pytest.approx(noise)
    assert math.isfinite(score(EntropicFTRL(), u=0.0))


def test_expected_improvement_is_the_mean_of_what_is_gained():
    """Against the integral; without a spread nothing but the difference counts."""
    deviation = math.sqrt(0.5 / 4)
    expected = expected_improvement(0.25, 0.4, deviation)
    assert score(EI()) == pytest.approx(expected, abs=1e-6)
    assert score(EI(), variance=0.0) == 0.0


def test_probability_of_improvement_ranks_by_deviations_to_the_best():
    """The score is the argument of a rising function, here of the normal law."""
    assert score(PI(0.05)) == pytest.approx((0.25 - 0.4 - 0.05) / math.sqrt(0.5 / 4))
    assert score(PI(0.05), variance=0.0) == -math.inf
    assert score(PI(0.0), variance=0.0, value=0.4) == 0.0


def test_the_knowledge_gradient_is_what_one_more_reward_adds_to_the_best_mean():
    """The leader gains where it falls behind its rival, others where they pass it."""
    gone = math.sqrt(0.5 / 4 - 0.5 / 5)
    expected = expected_improvement(-0.15, 0.0, gone)
    assert score(KG()) == pytest.approx(expected, abs=1e-6)
    assert score(KG(), value=0.55) == pytest.approx(expected, abs=1e-6)
    assert score(KG(), variance=0.0) == 0.0


def test_the_control_does_not_look_at_anything():
    """Its score is the random number, whatever the statistics say."""
    assert score(Uniform()) == score(Uniform(), value=1.0, loss=0.0, visits=9.0) == 0.3


class LeastVisited(Expert):
    """A custom expert with options."""

    name = "least visited"

    def __init__(self, factor=1.0, bonus=0.0, threshold=3.0):
        self.factor, self.bonus, self.threshold = factor, bonus, threshold

    @staticmethod
    def score(known, options):
        """Fewer visits score higher."""
        bonus = options.bonus if known.visits < options.threshold else 0.0
        return bonus - options.factor * known.visits


def test_a_custom_expert_takes_part_in_a_search(tiny_tour):
    """It compiles, passes the checks, and its choices are what it says."""
    expert = LeastVisited(2.0)
    check_expert(expert)
    written = {"expert": "least visited", "factor": 2.0, "bonus": 0.0, "threshold": 3.0}
    assert expert.describe() == written
    settings = dl.DivideAndLearn(mixture=Mixture((expert,)), construct_every=1)
    optimizer = dl.Optimizer(tiny_tour, settings, budget=300)
    ask_and_tell(optimizer, 300)
    described = optimizer.settings.describe()["mixture"]["experts"]
    assert described == [written]
    other = dl.Optimizer(tiny_tour, settings.replace(experts=(Uniform(),)), budget=300)
    ask_and_tell(other, 300)
    mine, theirs = (o.result().F.tolist() for o in (optimizer, other))
    assert mine != theirs


class Undeclared(Expert):
    """Uses a random number and does not say how."""

    name = "undeclared"

    @staticmethod
    def score(known, options):
        """The mean and something more."""
        return known.value + 0.1 * known.u


def test_an_expert_says_what_its_random_numbers_do(tiny_tour):
    """Only a probability under the mixture needs it; nothing is guessed."""
    method = dl.DivideAndLearn(mixture=Mixture(("exp3", Undeclared())))
    dl.Optimizer(tiny_tour, method, budget=50)
    with pytest.raises(dl.InputError, match=r"noise of .*Undeclared.* one of gumbel"):
        dl.Optimizer(
            tiny_tour,
            method.replace(**{"learning.probability": "mixture"}),
            budget=50,
        )
    for expert in EXPERTS:
        expert.require_noise(16)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: UCB("high"), "coefficient"),
        (lambda: Thompson(math.inf), "scale"),
        (lambda: FTRL(math.nan), "gamma"),
        (lambda: PI(margin=-1), "margin"),
        (lambda: EntropicFTRL(rate="fast"), "rate"),
        (lambda: Learning(update="sometimes"), "update .* never, iteration"),
        (lambda: Learning(share_tables="no"), "share_tables"),
        (lambda: Learning(learning_rate=-1), "learning_rate"),
        (lambda: Learning(learning_rate="fast"), "learning_rate .* theory"),
        (lambda: Learning(probability="both"), "probability must be one of own"),
        (lambda: Learning(least_probability=0), "least_probability"),
        (lambda: Learning(loss_cap=math.nan), "loss_cap"),
        (lambda: Learning(temperature=0), "temperature"),
        (lambda: Learning(temperature_decay=1.1), "temperature_decay"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(make, named):
    """Each message names the setting."""
    with pytest.raises(dl.InputError, match=named):
        make()
