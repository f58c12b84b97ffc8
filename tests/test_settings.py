import json

import numpy as np
import pytest

import divlearn as dl
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
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.settings import (
    PRESETS,
    setting_names,
    settings_for,
    settings_from,
)
from divlearn.methods.plan import TABLE, resolve, size_class
from divlearn.optimizer.optimizer import state_of


def problem_of(space, num_objectives=2, distance=None):
    """A problem whose objectives do not matter here."""
    names = [f"f{j}" for j in range(num_objectives)]
    return dl.Problem(space, lambda x: [0] * num_objectives, names, distance=distance)


TOUR = problem_of(dl.Permutation(100))


def test_the_presets_are_the_paper_s_two_variants_and_the_control():
    """Experts, their shares, and how fast the temperature falls."""
    assert list(PRESETS) == ["dl", "paper-ucb", "paper-ts", "uniform"]
    ucb, ts, uniform = map(settings_for, ("paper-ucb", "paper-ts", "uniform"))
    assert ucb.mixture == Mixture((UCB(3.0), EXP3(), FTRL()), third_share=0.3)
    assert ucb.learning == Learning(
        "iteration", learning_rate=0.5, least_probability=0.01, temperature_decay=0.98
    )
    assert ts.mixture == Mixture((Thompson(), EXP3()), third_share=0.0)
    assert ts.learning.temperature_decay == 0.995
    assert uniform.mixture.experts == (Uniform(),)
    assert uniform.replace(mixture=ucb.mixture) == ucb
    assert settings_for(ucb) is ucb
    assert ucb == settings_for("dl").replace(differences=None) == dl.Settings()


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
    resolved, weights = resolve(dl.Settings(), problem, None)
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
    settings = settings_for("dl").replace(**changes)
    with pytest.raises(dl.InputError, match=f"{named} has no effect .* 'paper-ts'"):
        resolve(settings, TOUR, None)


def test_learning_from_differences_takes_moves_and_initial():
    """What it shares with the paper's method."""
    settings = settings_for("dl").replace(
        **{"initial": 7, "refinement.moves": ["swap"]}
    )
    assert resolve(settings, TOUR, None)[0].initial == 7


def test_more_objectives_take_more_weights():
    """20, 25 or 35 vectors at least, by size."""
    numbers = [
        len(resolve(dl.Settings(), problem_of(dl.Permutation(n), 3), None)[1])
        for n in (20, 50, 100)
    ]
    assert numbers == [21, 28, 36]


def test_resolved_settings_leave_nothing_open():
    """Resolving twice gives the same: a state file holds resolved settings."""
    for budget in (None, 1_000, 622_000):
        resolved, weights = resolve(dl.Settings(), TOUR, budget)
        again, same = resolve(resolved, TOUR, budget)
        assert again == resolved
        assert np.array_equal(weights, same)
        assert None not in (resolved.iterations, resolved.patience)
        assert None not in (resolved.decomposition.overlap, resolved.refinement.steps)


def test_a_small_budget_means_a_small_sample_and_few_weights():
    """Rather few weights served than many begun; a fifth for the first sample."""
    resolved, weights = resolve(dl.Settings(), TOUR, 100)
    assert resolved.initial == 20
    assert len(weights) == 2
    assert np.array_equal(weights, np.eye(2)[::-1])
    resolved, weights = resolve(dl.Settings(), TOUR, 1)
    assert resolved.initial == 1


def test_the_budget_reaches_the_last_weight():
    """Iterations are shared so that every weight is visited once."""
    for n, budget in ((20, 5_000), (50, 20_000)):
        problem = problem_of(dl.Permutation(n))
        resolved, weights = resolve(dl.Settings(), problem, budget)
        optimizer = dl.Optimizer(problem, dl.Settings(), budget=budget)
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
    floats = dl.Settings(
        initial=5.0,
        iterations=3.0,
        sweeps=2.0,
        patience=4.0,
        weights=6.0,
        construct_every=2.0,
        decomposition=Decomposition(size=10.0, overlap=3.0, neighbourhoods=0.0),
        refinement=Refinement(steps=2.0),
    )
    whole = settings_from(
        json.loads(json.dumps(floats.describe()), parse_float=_number)
    )
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
    resolved, _ = resolve(
        dl.Settings(decomposition=division), problem_of(dl.Binary(8)), None
    )
    assert (resolved.decomposition.size, resolved.decomposition.overlap) == (8, 7)


def test_neighbourhoods_need_a_distance():
    """One where the problem declares it, none elsewhere, an error if insisted on."""
    near = problem_of(dl.Binary(8), distance=np.ones((8, 8)))
    assert resolve(dl.Settings(), near, None)[0].decomposition.neighbourhoods == 1
    assert resolve(dl.Settings(), TOUR, None)[0].decomposition.neighbourhoods == 0
    for division, named in (
        (Decomposition(neighbourhoods=2), "distance"),
        (Decomposition(windows=False), "windows=True or"),
    ):
        with pytest.raises(dl.InputError, match=named):
            resolve(dl.Settings(decomposition=division), TOUR, None)


def test_replace_reaches_into_the_parts():
    """One call changes settings of several parts and leaves the rest."""
    base = dl.Settings()
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
    base = settings_for("dl")  # has all parts
    for name in setting_names():
        part, _, inner = name.partition(".")
        value = getattr(base, part)
        value = getattr(value, inner) if inner else value
        assert base.replace(**{name: value}) == base
    with pytest.raises(dl.InputError, match=r"Did you mean 'refinement\.steps'"):
        dl.Settings().replace(**{"refinement.step": 3})


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
        dl.Settings().replace(**{name: 3})
    assert listed in str(caught.value)
    assert "decomposition.size" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        *map(settings_for, PRESETS),
        dl.Settings(coordination=None, weights=[[0.5, 0.5], [1.0, 0.0]]),
        dl.Settings(mixture=Mixture((UCB(1.5), FTRL(0.2))), weights=7),
        dl.Settings(refinement=Refinement(moves={"swap": 2.0, "set": 1.0})),
        dl.Settings(refinement=Refinement(moves=("reversal",)), keep_better=True),
    ],
)
def test_settings_survive_their_description(settings):
    """State files hold the description as JSON."""
    written = json.loads(json.dumps(settings.describe()))
    assert settings_from(written) == settings


def test_an_expert_of_ones_own_cannot_be_made_from_its_name():
    """The message says to pass the settings that hold it."""
    described = dl.Settings().describe()
    described["mixture"]["experts"] = [{"expert": "mine"}]
    with pytest.raises(dl.InputError, match=r"'mine' .* pass method="):
        settings_from(described)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: dl.Settings(initial=0), "initial"),
        (lambda: dl.Settings(initial="many"), "initial"),
        (lambda: dl.Settings(iterations=-1), "iterations"),
        (lambda: dl.Settings(sweeps=0), "sweeps"),
        (lambda: dl.Settings(patience=0.5), "patience"),
        (lambda: dl.Settings(weights=0), "weights"),
        (lambda: dl.Settings(construct_every=-1), "construct_every"),
        (lambda: dl.Settings(scalarization="sum"), "scalarization .* weighted-sum"),
        (lambda: dl.Settings(augmentation=-0.1), "augmentation"),
        (lambda: dl.Settings(keep_better="no"), "keep_better"),
        (lambda: dl.Settings(mixture=(UCB(),)), "mixture must be a Mixture"),
        (lambda: dl.Settings(coordination=True), "coordination must be"),
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
        (lambda: Coordination(accelerated=None), "accelerated"),
        (lambda: settings_for("paper_ts"), "Did you mean 'paper-ts'"),
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
