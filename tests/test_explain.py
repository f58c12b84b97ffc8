"""What ``Result.explain`` says of small problems of every kind."""

import numpy as np
import pytest

import divlearn as dl
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


#: The method as users have it; tests are shortened elsewhere.
USERS = dl.DL(gp_candidates=300)


@pytest.fixture(scope="module")
def explained():
    return dl.solve(pump(), 50, method=USERS, seed=0).explain()


MATTERS = "What matters (shares of the variance)"


def section(text, title):
    """The lines below a title."""
    rest = text.split(f"\n{title}\n", 1)[1]
    return rest.split("\n\n", 1)[0].splitlines()


def test_explain_names_the_knobs_that_matter_for_each_objective(explained):
    """The first question after a study: what makes a design good."""
    lines = section(explained, MATTERS)
    cost, lift, stress, volume = (line for line in lines if line[2] != " ")
    assert cost.startswith("  cost: width")
    assert lift.startswith("  lift: blades")
    assert stress.startswith("  stress: width")
    assert volume.startswith("  hypervolume: ")


def test_explain_names_what_all_good_designs_share(explained):
    """By the knob and its value, as declared."""
    (title,) = [row for row in explained.splitlines() if row.startswith("What all")]
    lines = section(explained, title)
    assert "  material = 'steel'" in [line.split(" (")[0] for line in lines]
    assert lines[0].startswith("  width = 1.0 (2")  # a quarter of random designs
    assert lines[-1] == "  blades: all of 3 to 9"


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
    result = dl.solve(pump(), 50, method=USERS, seed=0)
    result.save(tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").explain() == explained


def test_explain_survives_the_export_of_a_study(tmp_path):
    """Whoever gets the file of a study need not have its problem."""
    with dl.Study(pump(), tmp_path / "pump.db", seed=0) as study:
        text = study.run(budget=40, workers=0).explain()
    export(tmp_path / "pump.db", tmp_path / "front.json")
    told = dl.load(tmp_path / "front.json").explain()
    assert "nothing was recorded" not in told
    for title in (MATTERS, "How the front was found"):
        assert section(told, title) == section(text, title)


def test_explain_says_when_too_little_is_known():
    """After five random designs nobody knows what matters."""
    told = dl.solve(pump(), 5, seed=0).explain()
    assert "  cost: not known: fewer than 10 designs with values" in told


def test_explain_of_an_order_says_in_which_terms_it_is_understood():
    """Here only what stands where counts."""
    worth = np.random.default_rng(3).random((7, 7, 2))

    def evaluate(x):
        return tuple(worth[np.arange(7), x].sum(axis=0))

    problem = dl.Problem(dl.Permutation(7), evaluate, ["a", "b"])
    told = dl.solve(problem, 600, seed=0).explain()
    (first,) = [line for line in section(told, MATTERS) if line.startswith("  a: ")]
    assert "x: item " in first
    assert "which item stands where" in " ".join(told.split())


def test_explain_of_a_tour_speaks_of_neighbours():
    """Whatever the place, it is the next city that counts."""
    told = dl.solve(dl.problems.get("bitsp-12"), 800, seed=0).explain()
    matters = " ".join(" ".join(section(told, MATTERS)).split())
    assert "which items are next to each other" in matters or "follows" in matters


@pytest.mark.parametrize(
    "learned",
    [
        {"what_matters": 5},
        {"explained_by": [5]},
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
