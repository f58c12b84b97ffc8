"""What ``Result.explain`` says of small problems of every kind."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.result.shared import shared, varying
from divlearn.study.export import export


def pump():
    """Width decides about cost, blades about lift; the material is best as steel."""
    space = dl.Composite(
        blades=dl.Integer(3, 9),
        material=dl.Categorical(["steel", "brass", "plastic"]),
        width=dl.Ordinal([1.0, 2.0, 5.0, 8.0]),
    )

    def evaluate(x):
        material = ["steel", "brass", "plastic"].index(x["material"])
        cost = 10 * x["width"] + x["blades"] + 3 * material
        return {"cost": cost, "lift": x["blades"], "stress": x["width"] - 6}

    senses = {"cost": "min", "lift": "max"}
    return dl.Problem(space, evaluate, senses, constraints=["stress"], name="pump")


@pytest.fixture(scope="module")
def explained():
    return dl.solve(pump(), 50, seed=0).explain()


def section(text, title):
    """The lines below a title."""
    rest = text.split(f"\n{title}\n", 1)[1]
    return rest.split("\n\n", 1)[0].splitlines()


def test_explain_names_the_knobs_that_matter_for_each_objective(explained):
    """The first question after a study: what makes a design good."""
    lines = section(explained, "What matters")
    cost, lift, stress = (line for line in lines if line[2] != " ")
    assert cost.startswith("  cost: width")
    assert lift.startswith("  lift: blades")
    assert stress.startswith("  stress: width")


def test_explain_names_what_all_good_designs_share(explained):
    """By the knob and its value, as declared."""
    (title,) = [row for row in explained.splitlines() if row.startswith("What all")]
    lines = section(explained, title)
    assert "  material = 'steel'" in lines
    assert "  width = 1.0" in lines
    assert section(explained, "Where they differ") == ["  blades: 3 to 9"]


def test_explain_of_a_small_study_is_short_and_says_nothing_of_what_never_ran(
    explained,
):
    """Sixty lines of settings of experts that never ran were there once."""
    assert len(explained.splitlines()) <= 30
    assert max(map(len, explained.splitlines())) <= 80
    for words in ("nothing yet", "exp3", "not set", "hybrid"):
        assert words not in explained
    assert len(section(explained, "Settings")) <= 3


def test_explain_survives_save_and_load(tmp_path, explained):
    """A front that is mailed says the same."""
    result = dl.solve(pump(), 50, seed=0)
    result.save(tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").explain() == explained


def test_explain_survives_the_export_of_a_study(tmp_path):
    """Whoever gets the file of a study need not have its problem."""
    with dl.Study(pump(), tmp_path / "pump.db", seed=0) as study:
        text = study.run(budget=40, workers=0).explain()
    export(tmp_path / "pump.db", tmp_path / "front.json")
    told = dl.load(tmp_path / "front.json").explain()
    assert "nothing was recorded" not in told
    for title in ("What matters", "How the front was found"):
        assert section(told, title) == section(text, title)


def test_explain_says_when_too_little_is_known():
    """After five random designs nobody knows what matters."""
    told = dl.solve(pump(), 5, seed=0).explain()
    assert "  cost: too little is known yet" in told


def test_explain_of_an_order_says_in_which_terms_it_is_understood():
    """Here only what stands where counts."""
    worth = np.random.default_rng(3).random((7, 7, 2))

    def evaluate(x):
        return tuple(worth[np.arange(7), x].sum(axis=0))

    problem = dl.Problem(dl.Permutation(7), evaluate, ["a", "b"])
    told = dl.solve(problem, 600, seed=0).explain()
    assert "a: which item stands where" in told


def test_explain_of_a_tour_speaks_of_neighbours():
    """Whatever the place, it is the next city that counts."""
    told = dl.solve(dl.problems.get("bitsp-12"), 800, seed=0).explain()
    matters = " ".join(section(told, "What matters"))
    assert "which items are next to each other" in matters or "follows" in matters


def test_what_sets_share_is_told_by_their_items():
    """A subset has no places."""
    space = dl.Subset(6, min=1, max=4).describe()
    sets = [np.array([0, 2, 3]), np.array([0, 3]), np.array([0, 3, 5])]
    assert shared(sets, space) == ["x: always with 0, 3, never with 1, 4"]


def test_what_orders_share_is_told_by_places_and_neighbours():
    """Two orders that begin alike, and keep 4 between 2 and 5."""
    orders = [[0, 1, 2, 4, 5, 3], [0, 3, 1, 5, 4, 2]]
    assert shared(orders, dl.Permutation(6).describe()) == [
        "x: item 0 at place 0",
        "x: always next to each other 2 and 4, 4 and 5",
    ]


def test_what_bits_and_parts_of_parts_share_is_told_by_their_names():
    """As the function receives them."""
    inner = dl.Composite(on=dl.Binary(3), kind=dl.Categorical("ab"))
    space = dl.Composite(left=inner, gears=dl.Integer(1, 5, n=2))
    first = {"left": {"on": [True, False, True], "kind": "a"}, "gears": [1, 5]}
    second = {"left": {"on": [True, True, True], "kind": "b"}, "gears": [1, 4]}
    assert shared([first, second], space.describe()) == [
        "left.on[0] = True, left.on[2] = True",
        "gears[0] = 1",
    ]
    assert varying([first, second], space.describe()) == ["left.kind: 'a', 'b'"]


def test_a_long_list_of_what_is_shared_is_cut():
    """A front of two neighbours in a large space shares nearly everything."""
    bits = np.zeros((2, 100), bool)
    (line,) = shared(list(bits), dl.Binary(100).describe())
    assert line.endswith("x[11] = False and 88 more")


@pytest.mark.parametrize(
    "learned",
    [
        {"what_matters": 5},
        {"space": {"space": "composite", "parts": 3}},
        {"evaluations_by_kind": [1]},
        {"what_matters": {"cost": {"shares": {"a": "b"}}}},
    ],
)
def test_what_nobody_can_read_is_told_and_no_error(learned):
    """Files come from anyone."""
    result = dl.Result(["a", "b"], [[1, 2], [2, 1]], objectives=["cost", "c"])
    result = dl.Result(
        result.X, result.F, objectives=result.objectives, learned=learned
    )
    assert "what was recorded about this cannot be read" in result.explain()
