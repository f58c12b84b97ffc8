"""What pictures of designs are made of."""

import json

import numpy as np
import pytest

import divlearn as dl
from divlearn.problems import drawings


@pytest.mark.parametrize("decoder", ["cap-split", "greedy", "flags"])
def test_routes_are_cut_as_the_problem_cuts_them(decoder):
    """A picture of a file, where no compiled decoder is at hand, shows the same."""
    problem = dl.problems.get("bicvrp-12", decoder=decoder)
    drawing = drawings.drawing_from(json.loads(json.dumps(problem.drawing.describe())))
    for seed in range(20):
        x = problem.space.sample(seed=seed)
        drawn = drawing.sketch(x)["panels"][0]["lines"]
        routes = [[0, *(c + 1 for c in route), 0] for route in problem.routes(x)]
        assert drawn == routes


def test_a_schedule_ends_when_its_makespan_says():
    """Bars are computed apart from the objective, and must agree with it."""
    problem = dl.problems.get("bifsp-6", machines=3)
    for seed in range(5):
        x = problem.space.sample(seed=seed)
        makespan, tardiness = problem.evaluate(x)
        sketch = problem.drawing.sketch(x)
        assert max(bar["end"] for bar in sketch["bars"]) == makespan
        late = sum(max(0.0, job["end"] - job["time"]) for job in sketch["due"])
        assert late == pytest.approx(tardiness)


def test_in_a_job_shop_every_job_has_its_own_way():
    """Job 1 goes to the second machine first, and job 0 waits for it there."""
    drawing = drawings.Schedule([[2, 3], [4, 1]], routes=[[0, 1], [1, 0]])
    bars = drawing.sketch([0, 1, 0, 1])["bars"]
    spans = [(bar["item"], bar["row"], bar["start"], bar["end"]) for bar in bars]
    assert spans == [(0, 0, 0, 2), (1, 1, 0, 4), (0, 1, 4, 7), (1, 0, 4, 5)]


@pytest.mark.parametrize(
    "name",
    [
        "bitsp-5",
        "tritsp-5",
        "bikp-6",
        "synkp-6",
        "qap-5",
        "bicvrp-5",
        "bifsp-4",
        "jobshop-4",
        "biap-5",
        "biscp-20",
        "vcover-8",
        "bimis-8",
        "pmedian-20",
    ],
)
def test_every_sketch_is_plain_data(name):
    """A page in a browser gets it as JSON; noise changes no picture."""
    problem = dl.problems.get(name)
    sketch = problem.drawing.sketch(problem.space.sample(seed=1))
    assert json.loads(json.dumps(sketch, allow_nan=False)) == sketch
    noisy = dl.problems.Noisy(problem)
    assert noisy.drawing.kind == problem.drawing.kind


def test_what_a_knapsack_holds_is_weighed():
    """Loads are those of the problem, whether a design is flags or a set of items."""
    problem = dl.problems.Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], capacity=6)
    sketch = problem.drawing.sketch(np.array([True, False, True]))
    assert sketch["limits"] == [{"name": "load", "used": 6.0, "capacity": 6.0}]
    assert sketch == problem.drawing.sketch(frozenset({0, 2}))


def test_facilities_stand_at_their_locations():
    """Links go between places, not between facilities."""
    drawing = drawings.Assignment([(0, 0), (1, 0), (2, 0)], [(0, 1, 4), (1, 2, 2)])
    sketch = drawing.sketch(np.array([2, 0, 1]))
    assert sketch["labels"] == ["1", "2", "0"]
    assert sketch["links"] == [[2, 0, 1.0], [0, 1, 0.5]]


def test_tours_are_drawn_from_distances_that_fit_a_plane():
    """Random numbers are no map; distances between places are one."""
    rng = np.random.default_rng(0)
    places = rng.random((10, 2))
    ways = np.sqrt(np.square(places[:, None] - places[None]).sum(axis=2))
    assert dl.problems.TSP(distances=[ways]).drawing is not None
    assert dl.problems.get("biatsp-20").drawing is None


def test_results_and_studies_keep_how_designs_are_drawn(tmp_path):
    """A file is drawn without its problem; groups are drawn without a word."""
    space = dl.Partition(4, 2)
    problem = dl.Problem(space, lambda x: (x.sum(), 2 - x[0]), ["a", "b"], name="teams")
    result = dl.solve(problem, 20, progress=False)
    result.save(tmp_path / "front.json")
    loaded = dl.load(tmp_path / "front.json")
    assert loaded.sketch(0) == result.sketch(0)
    assert loaded.sketch(0)["kind"] == "groups"
    study = dl.Study(problem, tmp_path / "teams.db")
    study.run(20, progress=False)
    assert study.result().sketch(-1)["kind"] == "groups"


@pytest.mark.parametrize(
    "make",
    [
        lambda: drawings.Tour([1, 2, 3]),
        lambda: drawings.Tour([(0, 0), (1, np.nan)]),
        lambda: drawings.Tour([(0, 0), (1, 1)], names=["a"]),
        lambda: drawings.Routes((0, 0), [(1, 1)], demands=[1, 2]),
        lambda: drawings.Schedule([[1, 2], [3]]),
        lambda: drawings.Tour([(0, 0), (1, 1)]).sketch([0, 7]),
        lambda: drawings.Tour([(0, 0), (1, 1)], part="order").sketch([0, 1]),
        lambda: drawings.Groups(2, 2).sketch([0, 5]),
        lambda: drawings.Choice([[1]], [[1]], [1]).sketch(["a"]),
        lambda: dl.Problem(dl.Permutation(2), lambda x: (1, 1), "ab", drawing="tour"),
    ],
)
def test_a_drawing_that_does_not_fit_is_refused(make):
    """The message says what was expected and what came."""
    with pytest.raises(dl.InputError, match=r"got|must"):
        make()


def test_a_damaged_description_draws_nothing():
    """Files may come from anyone."""
    for broken in (
        {},
        {"kind": "tour"},
        {"kind": "tour", "places": "x"},
        {"kind": 3},
        5,
    ):
        assert drawings.drawing_from(broken) is None


@pytest.mark.parametrize("name", ["biscp-20", "vcover-8", "bimis-8"])
@pytest.mark.parametrize("form", ["rows", "count"])
def test_a_row_is_marked_exactly_if_its_constraint_is_violated(name, form):
    """A picture of a graph or of rows must not disagree with the search."""
    problem = dl.problems.get(name, form=form)
    for seed in range(10):
        x = problem.space.sample(seed=seed)
        values = problem.evaluate(x)[problem.num_objectives :]
        wrong = int((values > 0).sum()) if form == "rows" else int(values[0])
        sketch = problem.drawing.sketch(x)
        if sketch["kind"] == "rows":
            marked = sum(row["bad"] for row in sketch["rows"])
        else:
            marked = len(sketch["panels"][0]["bad"])
        assert marked == wrong


def test_customers_are_linked_to_the_site_that_serves_them():
    """On every map the links add up to the cost of the design."""
    problem = dl.problems.get("pmedian-20")
    x = problem.space.sample(seed=3)
    for panel, cost in zip(
        problem.drawing.sketch(x)["panels"], problem.evaluate(x), strict=True
    ):
        points = np.array(panel["points"])
        ways = [np.linalg.norm(points[a] - points[b]) for a, b in panel["links"]]
        assert sum(ways) == pytest.approx(cost)


def test_what_is_too_large_to_draw_has_no_drawing():
    """Files of results hold the drawing, and must stay small."""
    assert dl.problems.get("vcover-200").drawing is None
    assert dl.problems.get("biscp-2000").drawing is None
    assert dl.problems.get("pmedian-600").drawing is None
