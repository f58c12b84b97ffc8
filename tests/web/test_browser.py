"""The page and the report in a real browser; skipped where there is none."""

import json
import re
import shutil

import numpy as np
import pytest

from divlearn.problems import drawings
from divlearn.result import Result
from divlearn.web.report import write_report
from tests.web.conftest import NASTY, TOKEN, run

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def browser():
    """Chromium, started once."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium was found; 'apt-get install chromium' adds one")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser):
    """Open pages, and see to it that none of them complained."""
    said = []
    contexts = []

    def open_page(address, **more):
        width = more.pop("width", 1300)
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: _note(said, message))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said, said


def _note(said, message):
    """Keep complaints; a server that is away is what some tests are about."""
    if message.type in ("error", "warning") and "Failed to load" not in message.text:
        said.append(message.text)


def study_page(opened, served, **more):
    """Open the only study of a server."""
    page = opened(f"{served.address}?token={TOKEN.replace(' ', '%20')}", **more)
    page.locator(".cards a").first.click()
    page.locator(".plot[role=slider]").wait_for()
    page.get_by_text("Design", exact=True).wait_for()
    return page


def value_of(page):
    """What the front says is chosen."""
    return page.locator(".plot[role=slider]").get_attribute("aria-valuetext")


def click_row(page, row):
    """Click on a point of the front, where the chart has drawn it."""
    front = page.locator(".plot[role=slider]")
    place = page.evaluate(
        """(row) => {
            const area = document.querySelector(".plot[role=slider]");
            const at = area.scatter.at(row);
            return { x: at[0], y: at[1] };
        }""",
        row,
    )
    front.click(position=place)


def test_walking_limiting_comparing_and_keeping(opened, serve, tmp_path, finished):
    """What people do with a front, by mouse and by keyboard."""
    study = tmp_path / "chip.db"
    shutil.copy(finished, study)
    page = study_page(opened, serve(study))
    front = page.locator(".plot[role=slider]")
    last = int(front.get_attribute("aria-valuemax"))
    front.focus()
    page.keyboard.press("Home")
    assert value_of(page).startswith("solution 0 of")
    page.keyboard.press("ArrowRight")
    assert value_of(page).startswith("solution 1 of")
    click_row(page, last)
    assert value_of(page).startswith(f"solution {last} of")
    assert page.locator(".design").get_by_text("order", exact=True).count() == 1

    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name="Knee").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    compared = page.get_by_role("region", name="Compared solutions")
    compared.get_by_text("of the range").first.wait_for()

    page.get_by_label("most cost").fill("500")
    fewer = re.compile(rf"^(?!{last + 1} of)\d+ of {last + 1} solutions keep all")
    count = int(page.get_by_text(fewer).text_content().partition(" ")[0])
    assert 0 < count <= last
    listed = page.get_by_role("region", name="Solutions of the front")
    assert listed.locator("tbody tr").count() == min(15, count)
    page.get_by_role("button", name="Best time").click()
    within = float(re.search(r"cost ([\d.]+)", value_of(page))[1])
    page.get_by_role("button", name="Clear limits").click()
    page.get_by_role("button", name="Best time").click()
    assert float(re.search(r"cost ([\d.]+)", value_of(page))[1]) > within

    front.focus()
    page.keyboard.press("f")
    page.get_by_label("Note on this favourite").fill(NASTY)
    page.get_by_role("button", name="Keep note").click()
    page.get_by_text("kept", exact=True).wait_for()
    document = json.loads((tmp_path / "chip.db.favourites.json").read_text("utf-8"))
    assert document["favourites"][0]["note"] == NASTY
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").first.click()
    assert set(json.loads(saved.value.path().read_text())[0]["x"]) == {
        *("width", "kind", "order")
    }
    assert page.evaluate("window.hit") is None
    assert NASTY.replace("\u202e", "") in page.title().replace("\u202e", "")


def test_a_running_study_grows_and_outlives_a_restart_of_the_server(
    opened, serve, tmp_path
):
    """Nobody reloads; the page says so while the server is away."""
    study = tmp_path / "runs" / "live.db"
    study.parent.mkdir()
    run(study, 10)
    served = serve(study.parent)
    page = study_page(opened, served)
    page.get_by_text("10 of 10 evaluations").wait_for()
    run(study, 40)
    page.get_by_text("40 of 40 evaluations").wait_for()
    served.stop()
    page.get_by_text("The server does not answer").wait_for()
    run(study, 55)
    served.start(served.port)
    page.get_by_text("55 of 55 evaluations").wait_for()
    run(study.parent / "second.db", 5)
    page.get_by_role("link", name="All studies").click()
    page.get_by_text("second.db").first.wait_for()
    page.get_by_text("Side by side").wait_for()


def test_a_replay_shows_the_front_as_it_grew(opened, serve, tmp_path):
    """By the slider and by the button, which plays until the front of now."""
    run(tmp_path / "a.db", 60)
    page = study_page(opened, serve(tmp_path / "a.db"))
    moment = page.get_by_label("Moment of the replay")
    moment.focus()
    page.keyboard.press("Home")
    words = page.locator(".replay output")
    words.get_by_text("on the front after 1 evaluation").wait_for()
    shown = "document.querySelector('.plot[role=slider]').scatter.state.replay"
    assert page.evaluate(f"{shown}.x.length") <= 1
    page.keyboard.press("End")
    words.get_by_text("after 60 evaluations").wait_for()
    assert page.evaluate(shown) is None
    page.get_by_role("button", name="Replay").click()
    words.get_by_text(re.compile(r"after (?!60 )\d+ evaluations?")).wait_for()
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate(f"{shown}.x.length") > 0


def test_the_page_chooses_as_python_does(opened, serve, tmp_path):
    """Knee, best, nearest and price of a step agree with ``Result``."""
    run(tmp_path / "a.db", 10)
    page = study_page(opened, serve(tmp_path / "a.db"))
    rng = np.random.default_rng(3)
    for m in (2, 3, 4):
        values = rng.random((40, m)).round(3)
        if m == 2:  # less of one is less of the other, so every row is on the front
            values = np.sort(values, axis=0)
        names = {f"f{j}": ("min", "max")[j % 2] for j in range(m)}
        result = Result(list(range(40)), values, objectives=names)
        told = page.evaluate(
            """async ([objectives, F]) => {
                const { Front } = await import("/static/front.js");
                const front = new Front(objectives);
                front.take({ version: 0, numbers: F[0].map((_, i) => i), F, G: {},
                    knobs: {}, extras: {}, sources: null });
                const step = front.step(0, 1);
                return [front.knee(), objectives.map((_, j) => front.best(j)),
                    front.nearest(5, 3), step.rate, front.numbers];
            }""",
            [
                [{"name": n, "sense": s, "unit": ""} for n, s in names.items()],
                values.T.tolist(),
            ],
        )
        knee, best, near, rate, order = told
        assert [result.X[i] for i in range(40)] == order
        assert knee == result.knee().index
        assert best == [result.best(name).index for name in names]
        assert near == [one.index for one in result.neighbours(5, 3)]
        if m == 2:
            assert rate == pytest.approx(result.trade_offs()[0].rate)


#: What axe does not look for: charts without a name, and scrolling to the side.
NAMELESS = """() => [
    ...[...document.querySelectorAll("canvas")]
        .filter((e) => !e.getAttribute("aria-label") && !e.ariaHidden)
        .map((e) => e.outerHTML),
    ...(document.documentElement.scrollWidth > window.innerWidth ? ["too wide"] : []),
]"""


@pytest.fixture(scope="module")
def faults():
    """Find what a reader with a screen reader, a keyboard or weak eyes would miss."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe")
    options = {
        "resultTypes": ["violations"],
        "rules": {"target-size": {"enabled": True}},
    }

    def find(page):
        found = axe.Axe().run(page, options=options).response["violations"]
        told = [
            f"{one['impact']} {one['id']}: {node['html'][:160]}"
            for one in found
            for node in one["nodes"]
        ]
        return told + page.evaluate(NAMELESS)

    return find


def test_every_kind_of_design_is_drawn(opened, serve, tmp_path):
    """A shape or more for each thing that a sketch holds."""
    page = opened(serve(tmp_path).address)
    places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    sketches = [
        drawings.Tour(places).sketch([2, 0, 1, 3]),
        drawings.Schedule([[3, 2], [1, 4]], due=[4, 9]).sketch([1, 0]),
        drawings.Groups(4, 2).sketch([0, 1, 1, 0]),
        drawings.Choice([[1, 2], [3, 4]], [[5], [6]], [7]).sketch([0, 1]),
        drawings.Assignment(places, [[0, 1, 2.0]]).sketch([3, 2, 1, 0]),
        drawings.Network(places, [[0, 1], [2, 3]], "one").sketch([True] + [False] * 3),
        drawings.Rows([[0, 1], [1, 2]], 3, "one").sketch([True, True, False]),
    ]
    shapes = page.evaluate(
        """async (sketches) => {
            const { drawing } = await import("/static/drawing.js");
            const count = (one) => one.querySelectorAll("circle, rect, polyline, line");
            return sketches.map((one) => count(drawing(one)).length);
        }""",
        sketches,
    )
    assert shapes == [5, 4, 4, 2, 5, 6, 5]


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (390, "dark")])
def test_everybody_can_use_the_page(opened, serve, finished, faults, width, scheme):
    """List, study, comparison and reasons: names, headings, focus, contrast, width."""
    served = serve(finished)
    page = opened(served.address, width=width, color_scheme=scheme)
    page.locator(".cards a").first.wait_for()
    assert faults(page) == []
    page = study_page(opened, served, width=width, color_scheme=scheme)
    front = page.locator(".plot[role=slider]")
    front.focus()
    page.keyboard.press("c")
    page.keyboard.press("Home")
    page.keyboard.press("c")
    page.get_by_role("region", name="Compared solutions").wait_for()
    page.locator(".reason summary").first.click()
    page.get_by_role("button", name="trial").first.click()
    page.locator(".opened table").wait_for()
    assert faults(page) == []


def test_a_broken_file_is_a_readable_page(opened, serve, tmp_path):
    """In the list and on its own page."""
    (tmp_path / "bad.db").write_text("no database")
    page = opened(serve(tmp_path).address)
    page.get_by_text("is not a study of divlearn").wait_for()
    page.locator(".cards a").first.click()
    page.get_by_role("heading", name="bad.db").wait_for()
    page.get_by_text("is not a study of divlearn").wait_for()


def test_endless_names_stay_in_their_places(opened, tmp_path, faults):
    """Of objectives, knobs, metrics and units, as text, without sideways scrolling."""
    endless = NASTY + " long" * 2_000
    result = Result(
        [{NASTY: 1, endless: "a"}, {NASTY: 2, endless: endless}],
        [[1, 2], [2, 1]],
        objectives=[endless, f"\u05e9{NASTY}"],
        extras={f"metric {NASTY}": [endless, NASTY]},
        units={endless: endless},
        problem=endless,
    )
    write_report(result, tmp_path / "r.html", matters=False)
    page = opened((tmp_path / "r.html").as_uri(), width=390)
    front = page.locator(".plot[role=slider]")
    front.focus()
    for key in ("c", "End", "c"):
        page.keyboard.press(key)
    page.get_by_role("region", name="Compared solutions").wait_for()
    assert faults(page) == []
    page.set_viewport_size({"width": 1300, "height": 900})
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate("window.hit") is None


def test_a_report_opens_from_disk(opened, tmp_path, finished, faults):
    """The same front without a server; without a script a picture and a table."""
    path = tmp_path / "report.html"
    write_report(finished, path, matters=False)
    page = opened(path.as_uri(), width=600)
    front = page.locator(".plot[role=slider]")
    front.focus()
    page.keyboard.press("End")
    last = front.get_attribute("aria-valuemax")
    assert value_of(page).startswith(f"solution {last} of")
    assert page.locator(".design").count() == 1
    assert page.locator(".static").is_hidden()
    assert faults(page) == []
    assert page.evaluate("window.hit") is None
    plain = opened(path.as_uri(), java_script_enabled=False)
    assert plain.locator(".static svg").is_visible()
    assert plain.locator(".static tbody tr").count() == int(last) + 1
    assert len(page.pdf()) > 10_000
