import json

import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.cli.values import read_value
from divlearn.lab.bench.own import read_suite
from divlearn.lab.bench.suite import changed_settings
from divlearn.methods.names import method_for, method_from
from divlearn.methods.paper.experts import (
    EI,
    EXP3,
    FTRL,
    UCB,
    EntropicFTRL,
    Mixture,
    Thompson,
    expert_from,
)

THREE = (UCB(), EXP3(), FTRL())


@pytest.mark.parametrize(
    ("mixture", "expected"),
    [
        (Mixture(UCB()), [1.0]),
        (Mixture(THREE[:2]), [0.5, 0.5]),
        (Mixture(THREE[:2], hybrid_ratio=0.8), [0.2, 0.8]),  # 80 % EXP3
        (Mixture(THREE), [0.35, 0.35, 0.3]),
        (Mixture(THREE, third_share=0.0), [0.5, 0.5, 0.0]),
        (Mixture(THREE, third_share=0.5, hybrid_ratio=1.0), [0.0, 0.5, 0.5]),
        (Mixture((*THREE, EI())), [0.35, 0.35, 0.15, 0.15]),
        (Mixture((*THREE, EI()), shares=(0.1, 0.2, 0.3, 0.4)), [0.1, 0.2, 0.3, 0.4]),
        (Mixture(THREE, form="fixed-first"), [1 / 3] * 3),
        (Mixture(THREE, form="fixed-first", hybrid_ratio=0.25), [1 / 3, 1 / 6, 1 / 2]),
        (Mixture((*THREE, EI()), form="fixed-first"), [1 / 3, 1 / 3, 1 / 6, 1 / 6]),
    ],
)
def test_shares_where_nothing_is_known_follow_the_paper(mixture, expected):
    """rho_0 for what comes third, and the hybrid ratio is the share of the second."""
    assert_allclose(mixture.start_shares, expected)


@pytest.mark.parametrize(
    ("mixture", "expected"),
    [
        (Mixture(UCB()), [False]),
        (Mixture(THREE), [True, False, False]),
        (Mixture(THREE, adaptive=False), [False, False, False]),
        (Mixture(THREE, shares=(0.2, 0.3, 0.5)), [False, False, False]),
        (Mixture(THREE, shares=(0.2, 0.3, 0.5), adaptive=True), [True, False, False]),
        (Mixture((*THREE, EI()), form="fixed-first"), [False, False, True, True]),
        (Mixture(THREE, weights="exp4"), [False, False, False]),
    ],
)
def test_which_shares_fall_with_the_uncertainty_follows_the_form(mixture, expected):
    """The first in Algorithm 2, all after the second in the other; none if fixed."""
    assert list(mixture.fading) == expected


def test_experts_are_given_as_objects_names_or_descriptions():
    """All at once, and a single one without a list."""
    given = Mixture(["thompson", {"expert": "ucb", "coefficient": 2}, FTRL()])
    assert given.experts == (Thompson(), UCB(2), FTRL())
    assert Mixture("ftrl-entropic").experts == (EntropicFTRL(),)
    assert Mixture({"expert": "ei"}).experts == Mixture(EI()).experts == (EI(),)


@pytest.mark.parametrize("name", ["experts", "mixture.experts"])
def test_experts_are_named_on_the_command_line(name):
    """As the words after ``--set experts=``; a single word is one expert."""
    method = method_for("paper-ucb")
    three = method.replace(**{name: read_value("thompson,exp3,ftrl")})
    assert three.mixture == Mixture((Thompson(), EXP3(), FTRL()))
    assert method.replace(**{name: read_value("ei")}).mixture == Mixture(EI())


def test_experts_are_named_in_the_settings_of_a_benchmark(tmp_path):
    """By their names, or by tables with options."""
    file = tmp_path / "own.toml"
    file.write_text(
        """
        problems = ["bitsp-8"]
        budget = 50
        [[methods]]
        name = "paper-ts"
        label = "named"
        settings = {experts = ["thompson", "exp3", "ftrl"]}
        [[methods]]
        name = "paper-ts"
        [methods.settings]
        mixture.experts = [{expert = "ucb", coefficient = 2}, "uniform"]
        mixture.shares = [0.25, 0.75]
        """
    )
    suite = read_suite(file)
    named, described = (changed_settings(one).mixture for one in suite.methods)
    assert named == Mixture((Thompson(), EXP3(), FTRL()))
    assert described == Mixture((UCB(2), "uniform"), shares=(0.25, 0.75))


def test_mixtures_survive_their_description():
    """State files hold it as JSON."""
    mixture = Mixture((*THREE, EI()), shares=(0.1, 0.2, 0.3, 0.4), adaptive=True)
    method = dl.DivideAndLearn(mixture=mixture)
    assert method_from(json.loads(json.dumps(method.describe()))) == method


def test_a_share_of_a_third_expert_needs_one():
    """``paper-ts`` has two; the message says what to do."""
    with pytest.raises(dl.InputError, match=r"third_share .* with 2; .*thompson,exp3"):
        method_for("paper-ts").replace(**{"mixture.third_share": 0.2})
    named = {"experts": ("thompson", "exp3", "ftrl"), "mixture.third_share": 0.2}
    shares = method_for("paper-ts").replace(**named).mixture.start_shares
    assert_allclose(shares, [0.4, 0.4, 0.2])


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Mixture(()), r"experts must be one or more .*, got \(\)"),
        (lambda: Mixture((UCB,)), "experts must be experts .* got <class"),
        (lambda: Mixture(3), "experts must be experts .* got 3"),
        (lambda: Mixture("ubc"), "Did you mean 'ucb'"),
        (lambda: expert_from({"name": "ucb"}), "experts must be experts"),
        (lambda: expert_from({"expert": "mine"}), "'mine' .*built-in ones .ucb"),
        (lambda: expert_from({"expert": "ucb", "c": 2}), "one of coefficient; got 'c'"),
        (lambda: Mixture(THREE, third_share=1.5), "third_share"),
        (lambda: Mixture(THREE, hybrid_ratio=-0.1), "hybrid_ratio"),
        (lambda: Mixture(THREE, adaptive="no"), "adaptive"),
        (lambda: Mixture(THREE, form="free"), "form must be one of fixed-third"),
        (lambda: Mixture(UCB(), hybrid_ratio=0.3), "hybrid_ratio needs at least 2"),
        (lambda: Mixture(UCB(), adaptive=True), "adaptive needs at least 2"),
        (lambda: Mixture(THREE[:2], form="fixed-first"), "form needs at least 3"),
        (lambda: Mixture(UCB(), weights="exp4"), "weights needs at least 2"),
        (lambda: Mixture(THREE, weights="exp3"), "Did you mean 'exp4'"),
        (lambda: Mixture(THREE, weights="exp4", rate=0), "rate"),
        (lambda: Mixture(THREE, weights="exp4", adaptive=True), "adaptive and form"),
        (lambda: Mixture(THREE, rate=1.0), "rate is that of weights='exp4'"),
        (lambda: Mixture(THREE, shares=(0.5, 0.5)), "one number per expert, 3"),
        (lambda: Mixture(THREE, shares=(0.5, 0.5, 0.5)), "1 in total"),
        (lambda: Mixture(THREE, shares=("a", 0, 1)), "shares must be a number"),
        (
            lambda: Mixture(THREE, shares=(0, 0, 1), third_share=1),
            "shares already says what third_share",
        ),
        (
            lambda: Mixture(THREE, form="fixed-first", third_share=0.3),
            "third_share is for form='fixed-third'",
        ),
    ],
)
def test_mixtures_that_make_no_sense_are_refused_by_name(make, named):
    """Each message names the option; nothing is silently left out."""
    with pytest.raises(dl.InputError, match=named):
        make()


def test_shares_cannot_follow_rewards_that_nobody_is_told():
    """Nothing is ignored in silence."""
    with pytest.raises(dl.InputError, match=r"learning\.update"):
        dl.DivideAndLearn().replace(
            **{"mixture.weights": "exp4", "learning.update": "never"}
        )
