"""A report to mail: one file, small, readable by itself, and text stays text."""

import base64
import hashlib
import json
import re
from collections import Counter

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.cli.app import execute
from divlearn.problems.drawings import Tour
from divlearn.web.bundle import names, script, text_of
from divlearn.web.report import write_report
from tests.web.conftest import NASTY


def data_in(text):
    """What the script of a report reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(found[1])


@pytest.fixture(scope="module")
def report(finished, tmp_path_factory):
    """The report on a study whose texts are nasty."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert execute(["report", str(finished), str(path), "--quick"]) == 0
    return path.read_text("utf-8")


def test_a_report_is_readable_without_a_script(report, finished):
    """Heading, picture, table and reasons stand in the file itself."""
    told = dl.study.summary(finished)
    assert f"{told.evaluations:,} of 120 evaluations" in report
    assert report.count('<circle class="dot"') == len(told.front)
    assert report.count('<tr><th scope="row">') == len(told.front)
    assert "too wide for c" in report


def test_texts_of_a_study_are_never_a_part_of_the_page(report):
    """The only scripts are the data and the one whose hash the policy names."""
    assert report.count("<script") == 2
    assert NASTY in data_in(report)["problem"]
    body = re.search(r"<script>(.*)</script>\n</body>", report, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in report
    assert body == script("report")


def test_a_report_asks_no_other_computer(report):
    """It is read on trains and behind walls."""
    addresses = set(re.findall(r"https?://[^\"' )]+", report))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_a_thousand_tours_take_less_than_three_megabytes(tmp_path):
    """Orders of a hundred places, drawn on two maps, are as large as fronts get."""
    rng = np.random.default_rng(0)
    places = [rng.random((100, 2)), rng.random((100, 2))]
    result = dl.Result(
        np.array([rng.permutation(100) for _ in range(1_000)]),
        np.column_stack([np.arange(1_000.0), -np.arange(1_000.0)]) + rng.random(),
        objectives=["length", "risk"],
        drawing=Tour(places).describe(),
    )
    path = tmp_path / "tours.html"
    write_report(result, path, matters=False)
    assert path.stat().st_size < 3_000_000
    data = data_in(path.read_text("utf-8"))
    assert data["sketch"]["kind"] == "tour"
    assert len(data["sketches"][1]["panels"]) == 2
    assert "points" not in json.dumps(data["sketches"][1])


def test_an_empty_front_is_told(tmp_path):
    """A search may have found nothing yet."""
    path = tmp_path / "empty.html"
    result = dl.Result([], np.zeros((0, 2)), objectives=["a", "b"], evaluations=3)
    write_report(result, path, matters=False)
    assert "No solution was found" in path.read_text("utf-8")


def test_what_matters_stands_in_the_report(tmp_path):
    """Shares by knob, as ``importance`` says them."""
    space = dl.Composite(width=dl.Integer(0, 9), on=dl.Binary())
    problem = dl.Problem(space, lambda x: (x["width"], -x["width"]), ["a", "b"])
    result = dl.solve(problem, 30, method="random", progress=False)
    path = tmp_path / "matters.html"
    write_report(result, path)
    assert "a: width 100%" in path.read_text("utf-8")


def test_what_cannot_be_read_is_refused(tmp_path):
    """The command says what is wrong, and writes nothing."""
    (tmp_path / "text.db").write_text("no database")
    with pytest.raises(InputError, match="not a study"):
        write_report(tmp_path / "text.db", tmp_path / "r.html")
    assert execute(["report", str(tmp_path / "none.db"), str(tmp_path / "r.html")]) == 2
    assert not (tmp_path / "r.html").exists()


def test_no_module_takes_a_name_of_another_one():
    """In a report all share one script, where a second function would win silently."""
    declared = r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)"
    modules = [name for name in names() if name.endswith(".js")]
    found = [n for m in modules for n in re.findall(declared, text_of(m), re.MULTILINE)]
    assert len(found) > 50
    assert [name for name, count in Counter(found).items() if count > 1] == []
