"""All kinds of pictures: what they show, and what is said where there is none."""

import math
import warnings

import numpy as np
import pytest

import divlearn as dl
from divlearn import InputError, Result, plot
from divlearn.problems import drawings

AWKWARD = 'cost in $ & "€" 🙂 ' + "long " * 30


@pytest.fixture(scope="module")
def tour():
    """A search over orders, with all that it keeps."""
    return dl.solve(dl.problems.get("bitsp-8"), 300, seed=0, progress=False)


def fan(x):
    """Cost and noise of a fan with a knob that is not always there."""
    gear = x.get("gear") or 0
    return x["blades"] + gear, 9.0 - x["blades"] * 0.5 - gear * 0.3 + x["loud"] * 2


@pytest.fixture(scope="module")
def knobs():
    """A search over knobs, as a file keeps it."""
    space = dl.Composite(
        blades=dl.Integer(3, 9),
        motor=dl.Categorical(["ac", "dc"]),
        gear=dl.If(motor="ac", then=dl.Ordinal([1, 2, 4])),
        loud=dl.Binary(),
    )
    problem = dl.Problem(space, fan, {AWKWARD: "min", "noise [dB]": "min"})
    return dl.solve(problem, 500, method=dl.DL(gp_candidates=0), seed=0, progress=False)


def written(figure):
    """Everything that is written into a figure, the drawing done."""
    from matplotlib.text import Text

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.canvas.draw()
    texts = [t for t in figure.findobj(Text) if t.get_visible()]
    return [t.get_text().replace("\n", " ") for t in texts]


def test_every_picture_that_a_result_has_can_be_drawn(tour, knobs, tmp_path):
    """In all formats of one place, from a result and from its file."""
    knobs.save(tmp_path / "front.json")
    for result in (tour, dl.load(tmp_path / "front.json")):
        for kind in plot.possible(result):
            path = tmp_path / f"{kind}.png"
            result.plot(path, kind=kind)
            assert path.read_bytes().startswith(b"\x89PNG"), kind
    expected = {*plot.KINDS} - {"trace"}
    assert set(plot.possible(tour)) == expected
    assert set(plot.possible(knobs)) == expected - {"design", "history"}


@pytest.mark.parametrize(
    "kind", sorted({*plot.KINDS} - {"front", "parallel", "designs"})
)
def test_a_picture_that_a_result_lacks_is_refused_with_those_it_has(kind):
    """The message says why, and what can be drawn instead."""
    bare = Result(["a", "b"], [[1, 5], [3, 2]], objectives=["cost", "time"])
    with pytest.raises(InputError, match="this result has: front, parallel, designs"):
        bare.plot(kind=kind)
    with pytest.raises(InputError, match="kind must be one of front, parallel"):
        bare.plot(kind="pie")


@pytest.mark.parametrize("kind", ["learned", "encodings", "arms"])
@pytest.mark.parametrize("broken", [{"a": 1}, {"evaluations": [1], "tries": [3]}])
def test_a_changed_file_is_told_and_an_unknown_option_refused(kind, broken):
    """Whatever somebody wrote into a file, there is a message and no stack trace."""
    about = {"tables": broken, "course": {**broken, "errors": {"a": {"b": "c"}}}}
    result = Result(["a"], [[1, 5]], objectives=["cost", "time"], learned=about)
    with pytest.raises(InputError):
        result.plot(kind=kind)
    with pytest.raises(InputError, match=f"'{kind}' takes .*, got 'size'"):
        result.plot(kind=kind, size=3)


def test_an_empty_result_has_no_picture():
    """Nothing was found, and the message says so."""
    empty = Result([], [], objectives=["cost", "time"])
    assert plot.possible(empty) == []
    with pytest.raises(InputError, match="Pictures that this result has: none"):
        empty.plot()


def test_three_objectives_give_all_pairs_and_a_view_in_space():
    """Each panel has its two names, and a scale for the third."""
    rng = np.random.default_rng(0)
    names = {"a": "min", "b": "max", "c": "min"}
    figure = Result(list(range(9)), rng.random((9, 3)), objectives=names).plot()
    flat = [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes[:3]]
    a, b, c = "a (minimised)", "b (maximised)", "c (minimised)"
    assert flat == [(a, b), (a, c), (b, c)]
    assert [ax.name for ax in figure.axes].count("3d") == 1


def grown(volumes, seconds, method="dl"):
    """A result with a history."""
    steps = list(range(10, 10 * len(volumes) + 1, 10))
    columns = {"evaluations": steps, "seconds": seconds, "front_size": steps}
    return Result(
        ["a"],
        [[1]],
        objectives=["cost"],
        method=method,
        history={**columns, "hypervolume": volumes},
    )


def test_several_searches_give_a_median_and_a_band():
    """Per method, over evaluations and over seconds, where all searches were."""
    results = [
        grown([0.1, 0.2, 0.3], [1, 2, 3]),
        grown([0.2, 0.4, 0.6], [2, 4, 6]),
        grown([0.3, 0.3, 0.3], [1, 2, 4]),
        grown([0.0, 0.0, 0.1], [1, 2, 3], method="random"),
    ]
    figure = plot.history(results)
    evaluations, seconds = figure.axes
    median, single = evaluations.lines
    assert [median.get_ydata()[0], median.get_ydata()[-1]] == [0.2, 0.3]
    assert list(single.get_ydata()) == [0.0, 0.0, 0.1]
    assert seconds.lines[0].get_xdata()[[0, -1]].tolist() == [2, 3]
    assert len(evaluations.collections) == 1
    words = written(figure)
    assert "dl, 3 searches" in words
    assert "median, and worst to best" in words
    with pytest.raises(InputError, match="over must be one of evaluations, seconds"):
        plot.history(results, over="days")


def test_designs_show_the_knobs_by_name_and_what_some_lack(knobs):
    """A knob that a design lacks has a mark of its own."""
    words = written(knobs.plot(kind="designs"))
    assert {"blades", "gear", "none"} <= set(words)


def test_equal_tours_look_equal():
    """A tour may begin anywhere and go either way round."""
    tours = np.array([[0, 1, 2, 3, 4], [2, 3, 4, 0, 1], [1, 0, 4, 3, 2]])
    result = Result(
        tours,
        [[1, 3], [2, 2], [3, 1]],
        objectives=["a", "b"],
        learned={"space": dl.Permutation(5).describe()},
        drawing=drawings.Tour(np.random.default_rng(0).random((5, 2))).describe(),
    )
    (image,) = result.plot(kind="designs").axes[0].images
    assert (np.ptp(image.get_array(), axis=1) == 0).all()


def test_what_was_learned_is_as_large_as_it_is_certain():
    """Blank cells were never tried; a pair of neighbours is known both ways."""
    table = {
        "by": "neighbour",
        "scale": 2.0,
        "effect": [[0, 100, -50], [0] * 3, [0] * 3],
    }
    table["certainty"] = ["091", "000", "000"]
    result = Result(
        ["a"],
        [[1, 2]],
        objectives=["cost", "time"],
        learned={"tables": {"cost": table}},
    )
    axes = result.plot(kind="learned").axes[0]
    (squares,) = axes.collections
    sizes = [np.ptp(p.vertices[:, 0]) for p in squares.get_paths()]
    assert sorted(squares.get_array().tolist()) == [-1, -1, 2, 2]
    np.testing.assert_allclose(sizes[0], 3 * sizes[1])


def test_knobs_are_shown_with_their_values(knobs):
    """What was learned is told in the user's words."""
    words = written(knobs.plot(kind="learned", output="noise [dB]"))
    assert {"noise [dB] (minimised)", "gear", "absent", "ac", "dc", "yes"} <= set(words)
    with pytest.raises(InputError, match="output must be one of"):
        knobs.plot(kind="learned", output="weight")


def test_the_tables_of_a_search_tell_true_effects(knobs):
    """The values of a knob differ by what the objective adds for them."""
    table = knobs.learned["tables"]["noise [dB]"]
    rows = {row["at"]: row for row in table["positions"]}
    effects = np.array(rows[0]["effect"]) * table["scale"] / 100.0
    np.testing.assert_allclose(effects[-1] - effects[0], -3.0, atol=0.3)
    assert set(rows[0]["certainty"]) <= set("56789")


def test_shares_of_arms_add_up(tour):
    """Every candidate was made by one arm."""
    course = tour.learned["course"]
    last = sum(v[-1] for v in course["tries"].values())
    assert last == course["evaluations"][-1] == 300
    figure = tour.plot(kind="arms")
    assert figure.axes[0].get_ylim() == (0, 1)


@pytest.mark.parametrize(
    ("drawing", "x"),
    [
        (drawings.Tour([(0, 0), (1, 0), (1, 1)], names=["A", "B", AWKWARD]), [0, 2, 1]),
        (drawings.Routes((0, 0), [(1, 0), (0, 1)], [1, 1], 1), [1, 0]),
        (drawings.Schedule([[1, 2], [2, 0]], due=[1, 9]), [1, 0]),
        (drawings.Groups(3, ["early", "late"], limits=[2, 2]), [0, 0, 1]),
        (drawings.Choice([[1, 2], [3, 4]], [[1], [9]], [4]), [True, True]),
        (
            drawings.Assignment([(0, 0), (1, 1)], [(0, 1, 2)], things=["in", "out"]),
            [1, 0],
        ),
        (drawings.Network([(0, 0), (1, 1)], [(0, 1)], "one"), [False, False]),
        (drawings.Sites([(0, 0), (1, 1), (3, 1)]), [True, False, False]),
        (drawings.Rows([[0, 1], [1, 2]], 3, "one"), [True, False, False]),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_designs_are_drawn(drawing, x, tmp_path):
    """Every kind of sketch has its picture, with the values of the design."""
    result = Result(
        [np.array(x)],
        [[1.5, 277_490.0]],
        objectives=["cost", AWKWARD],
        drawing=drawing.describe(),
        problem="shop",
    )
    figure = result.plot(tmp_path / "design.png", kind="design", row=0)
    assert any("shop, solution 0: cost 1.5" in text for text in written(figure))


def test_numbers_on_axes_need_no_sum():
    """A front far from zero is marked with whole values, without an offset."""
    points = 1e6 + np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])
    figure = Result(list("abc"), points, objectives=["a", "b"]).plot()
    figure.canvas.draw()
    axis = figure.axes[0].xaxis
    assert axis.get_offset_text().get_text() == ""
    assert not math.isnan(float(axis.get_ticklabels()[1].get_text()))
