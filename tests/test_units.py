"""Units are shown with every number and on every axis, and play no other part."""

import json

import pytest

import divlearn as dl
from divlearn.cli.app import execute
from divlearn.plot import front as draw_front
from divlearn.simulator import load_toml
from divlearn.web.report import write_report
from divlearn.web.sources import watch_of

UNITS = {"cost": "EUR", "sag": "mm", "mass": "kg", "pitch": "deg", "hub.width": "m"}


def fan(**more):
    """A problem of all that may have a unit: outputs, parts, entries, inner parts."""
    space = dl.Composite(
        blades=dl.Integer(2, 8),
        pitch=dl.Integer(0, 9, n=2),
        hub=dl.Composite(width=dl.Integer(1, 4)),
    )
    return dl.Problem(
        space,
        lambda x: {
            "cost": 3 * x["blades"] + x["hub"]["width"],
            "power": x["blades"] + 0.1 * x["pitch"][0],
            "sag": -1,
            "mass": 7.5,
        },
        {"cost": "min", "power": "max"},
        constraints=["sag"],
        extras=["mass"],
        name="fan",
        **more,
    )


def run(path, budget, **more):
    """Run a study by random search, which needs no compiler."""
    with dl.Study(fan(**more), path, method="random") as study:
        return study.run(budget, workers=0, progress=False)


@pytest.mark.parametrize("units", [{"price": "EUR"}, {"cost": 3}, {"cost": " "}, "EUR"])
def test_units_of_nothing_are_refused(units):
    """A unit that is never shown would hide a slip in its name."""
    with pytest.raises(dl.InputError, match="unit"):
        fan(units=units)


def test_a_file_keeps_units_and_one_from_before_has_none(tmp_path):
    """Results of earlier versions still load."""
    result = dl.solve(fan(units=UNITS), 20, method="random", progress=False)
    result.save(tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").units == UNITS
    document = json.loads((tmp_path / "front.json").read_text())
    del document["units"], document["checksum"]
    (tmp_path / "old.json").write_text(json.dumps(document))
    assert dl.load(tmp_path / "old.json").label("cost") == "cost"


def test_words_name_units(tmp_path):
    """Summary, choice, comparison, steps, notebook and terminal."""
    result = dl.solve(fan(units=UNITS), 60, method="random", progress=False)
    assert "cost [EUR]" in result.summary()
    assert "sag = -1 mm" in repr(result[0])
    told = str(result.compare(0, 1))
    assert "pitch0 [deg]" in told or "pitch1 [deg]" in told
    assert "mass [kg]" in told
    assert " EUR" in str(result.trade_offs())
    html = result._repr_html_()
    assert "<th>width [m]</th>" in html
    assert "<th>blades</th>" in html


def test_axes_name_units():
    """On paper nobody can ask."""
    result = dl.solve(fan(units=UNITS), 30, method="random", progress=False)
    (axes,) = draw_front(result).axes
    assert axes.get_xlabel().startswith("cost [EUR] (")
    assert axes.get_ylabel().startswith("power (")
    drawn = result.plot(kind="designs")
    assert any("[deg]" in one.get_xlabel() for one in drawn.axes)


def test_a_study_takes_units_that_come_later(tmp_path, capsys):
    """They are no part of what the study is, so nobody has to begin anew."""
    path = tmp_path / "fan.db"
    run(path, 10)
    assert dl.study.summary(path).front.units == {}
    run(path, 20, units=UNITS)
    run(path, 25)
    assert dl.study.summary(path).front.units == UNITS
    assert execute(["show", str(path)]) == 0
    assert "cost [EUR]" in capsys.readouterr().out


def test_page_and_report_name_units(tmp_path):
    """Of objectives, metrics, constraints and knobs, inner ones too."""
    run(tmp_path / "fan.db", 20, units=UNITS)
    watch = watch_of(tmp_path / "fan.db")
    watch.look()
    assert [one["unit"] for one in watch.head()["objectives"]] == ["EUR", ""]
    assert watch.front()["units"] == {
        "sag": "mm",
        "mass": "kg",
        "pitch 0": "deg",
        "pitch 1": "deg",
        "hub width": "m",
    }
    write_report(tmp_path / "fan.db", tmp_path / "fan.html", matters=False)
    page = (tmp_path / "fan.html").read_text()
    for title in ("cost [EUR]", "hub width [m]", "mass [kg]"):
        assert f"<bdi>{title}</bdi>" in page


def test_a_toml_file_names_units(tmp_path):
    """A limit is measured as its metric is."""
    path = tmp_path / "chip.toml"
    path.write_text(
        '[space]\nwidth = {type = "integer", low = 1, high = 8}\n'
        '[objectives]\ntime = "min"\n[constraints]\narea = {max = 4}\n'
        '[units]\ntime = "ns"\narea = "mm²"\nwidth = "bit"\n'
        '[evaluate]\ncommand = ["{python}", "-c", "pass"]\n'
    )
    problem, _ = load_toml(path)
    assert problem.units == {
        "area_max": "mm²",
        "time": "ns",
        "area": "mm²",
        "width": "bit",
    }
    path.write_text(
        path.read_text().replace("time =", "tim =", 2).replace("tim =", "time =", 1)
    )
    with pytest.raises(dl.InputError, match="'tim'"):
        load_toml(path)
