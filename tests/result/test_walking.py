"""A result as a row of solutions: numbers, limits, comparisons, steps."""

import pytest

import divlearn as dl


@pytest.fixture
def pumps():
    """Four designs, the last one without a coating; time is minimised, lift is not."""
    designs = [
        {"blades": 3, "material": "steel", "coat": 1.5},
        {"blades": 5, "material": "steel", "coat": 0.5},
        {"blades": 7, "material": "brass", "coat": 1.5},
        {"blades": 9, "material": "brass"},
    ]
    return dl.Result(
        designs,
        [[1, 10], [2, 40], [4, 50], [9, 60]],
        objectives={"time": "min", "lift": "max"},
        extras={"noise": [40.0, 50.0, None, 70.0]},
        trials=[4, 7, 1, 9],
    )


def test_a_result_is_a_row_of_solutions(pumps):
    """Numbered from 0, and from the end."""
    assert len(pumps) == 4
    assert pumps[1].f == {"time": 2.0, "lift": 40.0}
    assert pumps[-1].x["blades"] == 9
    assert [solution.trial for solution in pumps] == [4, 7, 1, 9]
    with pytest.raises(dl.InputError, match="index"):
        pumps[4]


def test_a_result_without_solutions_is_still_a_result():
    """What is asked for a truth gets one."""
    empty = dl.Result([], [], objectives=["cost"])
    assert empty
    assert list(empty) == []


def test_where_limits_objectives_extras_and_knobs(pumps):
    """All limits hold together; what has no value keeps none."""
    few = pumps.where({"time": (None, 4)}, blades=(4, None))
    assert [x["blades"] for x in few.X] == [5, 7]
    assert (few.trials, few.extras) == ([7, 1], {"noise": [50.0, None]})
    assert [s.trial for s in pumps.where(material="brass", noise=(None, 80))] == [9]
    assert [s.trial for s in pumps.where(coat=(0, 9), blades=[5, 9])] == [7]
    assert len(pumps.where(blades=(10, None))) == 0
    assert len(pumps) == 4


@pytest.mark.parametrize("limits", [{"colour": (1, 2)}, {"blades": (5, 2)}])
def test_limits_that_make_no_sense_are_refused(pumps, limits):
    """A misspelt name must not be a limit that nothing keeps."""
    with pytest.raises(dl.InputError, match="limits"):
        pumps.where(limits)


def test_compare_says_what_differs_and_what_it_buys(pumps):
    """Knobs that are the same are left out."""
    both = pumps.compare(0, 1)
    assert both.design == {"blades": (3, 5), "coat": (1.5, 0.5)}
    assert both.outcome["lift"] == (10.0, 40.0)
    assert both.to_dict()["rows"] == [0, 1]
    lines = str(pumps.compare(2, -1)).splitlines()
    assert lines[0].split() == ["solution", "2", "3"]
    assert lines[-1].split() == ["coat", "1.5", "-"]
    with pytest.raises(dl.InputError, match="two or more"):
        pumps.compare(1)


def test_neighbours_are_the_nearest_in_the_ranges_of_the_front(pumps):
    """Time spans 8 and lift 50."""
    assert [choice.index for choice in pumps.neighbours(1)] == [2, 0]
    assert [choice.index for choice in pumps.neighbours(0, 1)] == [1]


def test_trade_offs_say_what_each_step_gains_and_costs(pumps):
    """30 more lift for one second is the cheapest step."""
    steps = pumps.trade_offs()
    assert [(step.start, step.end) for step in steps] == [(0, 1), (1, 2), (2, 3)]
    assert (steps[0].gains, steps[0].losses) == ({"lift": 30.0}, {"time": 1.0})
    assert steps[0].rate == pytest.approx((1 / 8) / (30 / 50))
    first, *others = str(steps).splitlines()
    assert first == "0 to 1: better lift by 30; worse time by 1  (cheapest)"
    assert not any("cheapest" in line for line in others)


def test_a_notebook_shows_text_as_text(pumps):
    """Names and values may be anything."""
    pumps.X[0]["material"] = "<b>"
    assert "&lt;b&gt;" in pumps._repr_html_()
    assert "<b>" not in pumps._repr_html_()


def test_a_part_that_no_solution_has_keeps_its_column(tmp_path):
    """A table has the same columns, whatever the front happens to hold."""
    space = dl.Composite(
        motor=dl.Categorical(["ac", "dc"]),
        gear=dl.If(motor="ac", then=dl.Integer(1, 4)),
        blades=dl.Integer(3, 9),
    )
    result = dl.Result(
        [{"motor": "dc", "blades": 3}, {"motor": "dc", "blades": 5}],
        [[1, 2], [2, 1]],
        objectives=["cost", "noise"],
        learned={"space": space.describe()},
    )
    result.to_csv(tmp_path / "front.csv")
    text = (tmp_path / "front.csv").read_text().splitlines()
    assert text[:2] == ["motor,gear,blades,cost,noise", "dc,,3,1.0,2.0"]
    assert result.designs()[1] == {"motor": "dc", "gear": None, "blades": 5}
    assert len(result.where(gear=(1, None))) == 0
