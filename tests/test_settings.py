import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.rules import completed as completed_dl
from divlearn.methods.names import OWN_METHODS, method_for, method_from
from divlearn.methods.options import option_names
from divlearn.methods.paper.coordination import Coordination
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.experts import (
    EXP3,
    FTRL,
    UCB,
    Learning,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.methods.paper.method import PARTS, PRESETS
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.rules import TABLE, completed, size_class
from divlearn.optimizer.optimizer import state_of


def problem_of(space, num_objectives=2, distance=None):
    """A problem whose objectives do not matter here."""
    names = [f"f{j}" for j in range(num_objectives)]
    return dl.Problem(space, lambda x: [0] * num_objectives, names, distance=distance)


TOUR = problem_of(dl.Permutation(100))


def test_the_presets_are_the_paper_s_two_variants_and_the_control():
    """Experts, their shares, and how fast the temperature falls."""
    assert list(OWN_METHODS) == ["dl", *PRESETS]
    assert list(PRESETS) == ["paper-ucb", "paper-ts", "paper-literal", "uniform"]
    ucb, ts, uniform = map(method_for, ("paper-ucb", "paper-ts", "uniform"))
    assert ucb.mixture == Mixture((UCB(3.0), EXP3(), FTRL()))
    assert ucb.learning == Learning(
        "iteration", learning_rate=0.5, least_probability=0.01, temperature_decay=0.98
    )
    assert ts.mixture == Mixture((Thompson(), EXP3()))
    assert ts.learning.temperature_decay == 0.995
    assert uniform.mixture.experts == (Uniform(),)
    assert uniform.replace(mixture=ucb.mixture) == ucb
    assert method_for(ucb) is ucb
    assert ucb == dl.DivideAndLearn()
    assert (ucb.name, ts.name, uniform.name) == ("paper-ucb", "paper-ts", "uniform")
    assert (dl.DL().name, dl.DL(kicks=1.0).name, ts.replace(initial=3).name) == (
        *("dl", "custom"),
        "custom",
    )


@pytest.mark.parametrize(
    ("space", "column"),
    [
        (dl.Permutation(20), 0),
        (dl.Permutation(50), 1),
        (dl.Permutation(100), 2),
        (dl.Binary(50), 0),
        (dl.Binary(100), 1),
        (dl.Binary(200), 2),
        (dl.Composite(order=dl.Permutation(50), cap=dl.Integer(1, 9)), 1),
    ],
    ids=repr,
)
def test_the_table_is_read_by_problem_size(space, column):
    """Small, medium and large are the paper's own instances."""
    problem = problem_of(space)
    assert size_class(problem) == column
    resolved, weights = completed(dl.DivideAndLearn(), problem, None)
    assert resolved.decomposition.size == TABLE["size"][column]
    assert resolved.decomposition.overlap == TABLE["overlap"][column]
    assert resolved.refinement.steps == TABLE["steps"][column]
    assert resolved.iterations == TABLE["iterations"][column]
    assert resolved.patience == TABLE["patience"][column]
    assert len(weights) == 20


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"patience": 5}, "patience"),
        ({"weights": np.full((2, 2), 0.5)}, "weights"),
        ({"coordination": None}, "coordination"),
        ({"mixture": Mixture((Uniform(),))}, "mixture"),
        ({"refinement.steps": 1}, r"refinement\.steps"),
    ],
)
def test_learning_from_differences_refuses_what_it_would_ignore(changes, named):
    """A setting without an effect would be taken for one with an effect."""
    with pytest.raises(dl.InputError, match=f"setting must be one of .*{named}"):
        dl.DL().replace(**changes)


def test_learning_from_differences_takes_moves_and_initial():
    """What it shares with the paper's method."""
    full = completed_dl(dl.DL(initial=7, moves=["swap"]), TOUR, None)
    assert (full.initial, full.moves) == (7, ("swap",))


def test_more_objectives_take_more_weights():
    """20, 25 or 35 vectors at least, by size."""
    numbers = [
        len(completed(dl.DivideAndLearn(), problem_of(dl.Permutation(n), 3), None)[1])
        for n in (20, 50, 100)
    ]
    assert numbers == [21, 28, 36]


def test_resolved_settings_leave_nothing_open():
    """Resolving twice gives the same: a state file holds resolved settings."""
    for budget in (None, 1_000, 622_000):
        resolved, weights = completed(dl.DivideAndLearn(), TOUR, budget)
        again, same = completed(resolved, TOUR, budget)
        assert again == resolved
        assert np.array_equal(weights, same)
        assert None not in (resolved.iterations, resolved.patience)
        assert None not in (resolved.decomposition.overlap, resolved.refinement.steps)


def test_a_small_budget_means_a_small_sample_and_few_weights():
    """Rather few weights served than many begun; a fifth for the first sample."""
    resolved, weights = completed(dl.DivideAndLearn(), TOUR, 100)
    assert resolved.initial == 20
    assert len(weights) == 2
    assert np.array_equal(weights, np.eye(2)[::-1])
    resolved, weights = completed(dl.DivideAndLearn(), TOUR, 1)
    assert resolved.initial == 1


def test_the_budget_reaches_the_last_weight():
    """Iterations are shared so that every weight is visited once."""
    for n, budget in ((20, 5_000), (50, 20_000)):
        problem = problem_of(dl.Permutation(n))
        resolved, weights = completed(dl.DivideAndLearn(), problem, budget)
        optimizer = dl.Optimizer(problem, dl.DivideAndLearn(), budget=budget)
        seen = {int(c.ticket[1]) for _ in range(budget) for c in told(optimizer)}
        assert seen == set(range(len(weights)))
        assert resolved.iterations == optimizer.settings.iterations


def told(optimizer):
    """One candidate, answered by nothing of interest."""
    batch = optimizer.ask()
    optimizer.tell(batch, [(0.0, 0.0)])
    return batch


def test_whole_numbers_may_be_written_as_floats():
    """1e4 counts as a whole number wherever one is asked for."""
    floats = dl.DivideAndLearn(
        initial=5.0,
        iterations=3.0,
        sweeps=2.0,
        patience=4.0,
        weights=6.0,
        construct_every=2.0,
        decomposition=Decomposition(size=10.0, overlap=3.0, neighbourhoods=0.0),
        refinement=Refinement(steps=2.0),
    )
    whole = method_from(json.loads(json.dumps(floats.describe()), parse_float=_number))
    for budget in (None, 60):
        one, other = (dl.Optimizer(TOUR, s, budget=budget) for s in (floats, whole))
        batches = [[c.codes.tolist() for c in o.ask(60)] for o in (one, other)]
        assert batches[0] == batches[1]


def _number(text):
    """Read a number, a whole one as int."""
    value = float(text)
    return int(value) if value == int(value) else value


def test_a_division_that_does_not_fit_is_made_to_fit():
    """Sizes above n and overlaps above the size are cut, not refused."""
    division = Decomposition(size=50, overlap=80)
    resolved, _ = completed(
        dl.DivideAndLearn(decomposition=division), problem_of(dl.Binary(8)), None
    )
    assert (resolved.decomposition.size, resolved.decomposition.overlap) == (8, 7)


def test_neighbourhoods_need_a_distance():
    """One where the problem declares it, none elsewhere, an error if insisted on."""
    near = problem_of(dl.Binary(8), distance=np.ones((8, 8)))
    assert (
        completed(dl.DivideAndLearn(), near, None)[0].decomposition.neighbourhoods == 1
    )
    assert (
        completed(dl.DivideAndLearn(), TOUR, None)[0].decomposition.neighbourhoods == 0
    )
    for division, named in (
        (Decomposition(neighbourhoods=2), "distance"),
        (Decomposition(windows=False), "windows=True or"),
    ):
        with pytest.raises(dl.InputError, match=named):
            completed(dl.DivideAndLearn(decomposition=division), TOUR, None)


def test_replace_reaches_into_the_parts():
    """One call changes settings of several parts and leaves the rest."""
    base = dl.DivideAndLearn()
    changed = base.replace(
        patience=7,
        experts=(Uniform(),),
        **{
            "refinement.steps": 3,
            "refinement.adaptive": False,
            "learning.update": "never",
        },
    )
    assert (changed.patience, changed.mixture.experts) == (7, (Uniform(),))
    assert changed.refinement == Refinement(steps=3, adaptive=False)
    assert changed.learning.update == "never"
    assert changed.decomposition == base.decomposition
    off = base.replace(coordination=None)
    assert off.coordination is None
    assert off.replace(**{"coordination.step": 2.0}).coordination == Coordination(
        step=2
    )


def test_replace_knows_every_setting_and_nothing_else():
    """A typing mistake gets the nearest name in the message."""
    base = dl.DivideAndLearn()
    for name in option_names(dl.DivideAndLearn, PARTS):
        part, _, inner = name.partition(".")
        value = getattr(base, part)
        value = getattr(value, inner) if inner else value
        assert base.replace(**{name: value}) == base
    with pytest.raises(dl.InputError, match=r"Did you mean 'refinement\.steps'"):
        dl.DivideAndLearn().replace(**{"refinement.step": 3})


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("refinement.step", "one of refinement.steps, refinement.moves"),
        ("refinment.steps", "one of mixture, learning"),
        ("pacience", "one of mixture, learning"),
    ],
)
def test_only_related_names_are_listed(name, listed):
    """All of them would fill the screen; the nearest is found among all."""
    with pytest.raises(dl.InputError, match=r"Did you mean") as caught:
        dl.DivideAndLearn().replace(**{name: 3})
    assert listed in str(caught.value)
    assert "decomposition.size" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        *map(method_for, OWN_METHODS),
        dl.DL(moves={"swap": 2.0}, encodings=["successor"], kicks=3.0),
        dl.DivideAndLearn(coordination=None, weights=[[0.5, 0.5], [1.0, 0.0]]),
        dl.DivideAndLearn(mixture=Mixture((UCB(1.5), FTRL(0.2))), weights=7),
        dl.DivideAndLearn(refinement=Refinement(moves={"swap": 2.0, "set": 1.0})),
        dl.DivideAndLearn(refinement=Refinement(moves=("reversal",)), keep_better=True),
    ],
)
def test_settings_survive_their_description(settings):
    """State files hold the description as JSON."""
    written = json.loads(json.dumps(settings.describe()))
    assert method_from(written) == settings


#: What divlearn 0.1.0 wrote of the paper's method, and of dl beside it.
WRITTEN_BEFORE = {
    "mixture": {
        "experts": [{"expert": "ucb", "coefficient": 3.0}, {"expert": "exp3"}],
        "third_share": 0.3,
        "hybrid_ratio": 0.5,
        "adaptive": True,
    },
    "refinement": {"steps": 4, "moves": ["swap"], "adaptive": True, "max_radius": 3.0},
    "coordination": None,
    "initial": 7,
    "differences": None,
}
DL_BEFORE = {
    "encodings": ["successor"],
    "own_encodings": [],
    "ring": 99,
    "kernel_points": 5,
    "kicks": 1.0,
}


def test_methods_that_an_older_version_described_are_understood():
    """Studies of divlearn 0.1.0 hold such descriptions, and go on."""
    paper = method_from(WRITTEN_BEFORE)
    assert paper == dl.DivideAndLearn(
        mixture=Mixture((UCB(), EXP3())),  # where a third share did not matter
        refinement=Refinement(steps=4, moves=("swap",)),
        coordination=None,
        decomposition=Decomposition(count_neighbourhoods=False),
        initial=7,
    )
    three = [*WRITTEN_BEFORE["mixture"]["experts"], {"expert": "ftrl", "gamma": None}]
    shared = {"third_share": 0.2, "hybrid_ratio": 0.75, "adaptive": False}
    changed = method_from(WRITTEN_BEFORE | {"mixture": {"experts": three, **shared}})
    assert_allclose(changed.mixture.start_shares, [0.8 * 0.75, 0.8 * 0.25, 0.2])
    assert not any(changed.mixture.fading)
    assert method_from(WRITTEN_BEFORE | {"differences": DL_BEFORE}) == dl.DL(
        initial=7,
        moves=("swap",),
        encodings=("successor",),
        memory=99,
        gp_candidates=5,
        kicks=1.0,
    )
    assert method_from({"baseline": "random"}).name == "random"


@pytest.mark.parametrize(("flag", "name"), [(True, "averaged"), (False, "none")])
def test_prices_of_an_older_version_go_on_as_they_were(flag, name):
    """Its acceleration was not the paper's."""
    before = {"start": 1e-6, "step": 1.0, "cap": 10.0, "accelerated": flag}
    method = method_from(WRITTEN_BEFORE | {"coordination": before})
    assert method.coordination == Coordination(acceleration=name)


def test_none_may_be_written_as_the_word_or_the_value():
    """The command line and TOML files read the word as the value."""
    changes = {"normalisation": None, "coordination.acceleration": None}
    method = dl.DivideAndLearn().replace(**changes)
    words = {"normalisation": "none", "coordination.acceleration": "none"}
    assert method == dl.DivideAndLearn().replace(**words)
    assert method_from(method.describe()) == method


def test_a_custom_expert_cannot_be_made_from_its_name():
    """The message says to pass the settings that hold it."""
    described = dl.DivideAndLearn().describe()
    described["mixture"]["experts"] = [{"expert": "mine"}]
    with pytest.raises(dl.InputError, match=r"'mine' .* pass method="):
        method_from(described)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: dl.DivideAndLearn(initial=0), "initial"),
        (lambda: dl.DivideAndLearn(initial="many"), "initial"),
        (lambda: dl.DivideAndLearn(iterations=-1), "iterations"),
        (lambda: dl.DivideAndLearn(sweeps=0), "sweeps"),
        (lambda: dl.DivideAndLearn(archive="some"), "archive .* all, best"),
        (lambda: dl.DivideAndLearn(normalisation="no"), "normalisation .* initial"),
        (lambda: dl.DivideAndLearn(after_patience="stop"), "after_patience .* next"),
        (lambda: Refinement(accept="worse"), "accept .* gradient"),
        (lambda: Refinement(rate=-1), "rate"),
        (lambda: dl.DivideAndLearn(patience=0.5), "patience"),
        (lambda: dl.DivideAndLearn(weights=0), "weights"),
        (lambda: dl.DivideAndLearn(construct_every=-1), "construct_every"),
        (
            lambda: dl.DivideAndLearn(scalarization="sum"),
            "scalarization .* weighted-sum",
        ),
        (lambda: dl.DivideAndLearn(augmentation=-0.1), "augmentation"),
        (lambda: dl.DivideAndLearn(keep_better="no"), "keep_better"),
        (lambda: dl.DivideAndLearn(mixture=(UCB(),)), "mixture must be a Mixture"),
        (lambda: dl.DivideAndLearn(coordination=True), "coordination must be"),
        (lambda: Refinement(steps=-1), "steps"),
        (lambda: Refinement(moves="swap"), "moves must be a list"),
        (lambda: Refinement(moves=("swop",)), "Did you mean 'swap'"),
        (lambda: Refinement(moves={"swap": -1.0}), "share of swap"),
        (lambda: Refinement(max_radius=0.5), "max_radius"),
        (lambda: Refinement(adaptive="no"), "adaptive"),
        (lambda: Coordination(start=-1), "start"),
        (lambda: Coordination(step=np.inf), "step"),
        (lambda: Coordination(cap="high"), "cap"),
        (lambda: Coordination(consensus=-1), "consensus"),
        (lambda: Coordination(acceleration="fast"), "acceleration .* nesterov"),
        (lambda: method_for("paper_ts"), "Did you mean 'paper-ts'"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(make, named):
    """Each message names the setting, and the nearest word where there is one."""
    with pytest.raises(dl.InputError, match=named):
        make()


@pytest.mark.parametrize("name", ["bitsp-100", "bikp-200", "bitsp-20"])
def test_the_weights_share_the_budget_evenly(name):
    """The last weight has its turn, and the first does not get a second one."""
    optimizer = dl.Optimizer(dl.problems.get(name), "paper-ucb", budget=100_000)
    optimizer.run(100_000)
    control, weights = state_of(optimizer).control[0], state_of(optimizer).weights
    assert control.weight == len(weights) - 1
    assert control.iteration > 0.3 * control.iterations
