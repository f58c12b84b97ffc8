"""Studies to look at, and a page that is served while a test runs."""

import json
import threading
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.web.guard import Guard
from divlearn.web.room import Room
from divlearn.web.server import Page, _listen, server_of

#: Text that would do something if it were taken for a part of the page.
NASTY = "\"><script>window.hit=1</script>' & 🦊 \u202e\u05d8\u05e1\u05d8 </title>"
TOKEN = "a token for tests"


def evaluate(x):
    """Two objectives that disagree, a limit, a metric, and some failures."""
    if x["width"] == 7:
        raise RuntimeError(f"no mesh: {NASTY}" + "long " * 60)
    if x["kind"] == "c" and x["width"] > 8:
        raise dl.InvalidDesign("too wide for c")
    add = "abc".index(x["kind"])
    return {
        "cost": x["width"] + add,
        "time": 30 - 2 * x["width"] + x["order"][0],
        "limit": x["width"] - 10,
        "noise": 0.5 * x["width"],
    }


def mixed(name="mixed", **more):
    """A problem with a number, a choice, an order, a constraint and a metric."""
    return dl.Problem(
        dl.Composite(
            width=dl.Integer(1, 12), kind=dl.Categorical("abc"), order=dl.Permutation(4)
        ),
        evaluate,
        {"cost": "min", "time": "min"},
        constraints=["limit"],
        extras=["noise"],
        reference=(20, 40),
        name=name,
        **more,
    )


def run(path, budget, seed=0, **more):
    """Run a study by random search, which needs no compiler."""
    with dl.Study(mixed(**more), path, method="random", seed=seed) as study:
        return study.run(budget, workers=0, progress=False, max_failures="never")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A study that came to its end."""
    path = tmp_path_factory.mktemp("finished") / "chip.db"
    run(path, 120, name=f"chip {NASTY} {'long ' * 2_000}")
    return path


class Served:
    """A page on a port of its own, served by a thread."""

    def __init__(self, paths, port=0, host="127.0.0.1"):
        self._paths, self._host = paths, host
        self.start(port)

    def start(self, port):
        """Begin to answer."""
        listening = _listen(self._host, port)
        self.port = listening.getsockname()[1]
        page = Page(Room(self._paths), Guard(self._host, self.port, TOKEN))
        self._server = server_of(page)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening]}, daemon=True
        )
        self._thread.start()

    def stop(self):
        """Answer no more."""
        self._server.should_exit = True
        self._thread.join(10)

    @property
    def address(self):
        """Where it is."""
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture
def serve(monkeypatch):
    """Serve paths until the test ends; it looks for news more often than usual."""
    monkeypatch.setattr("divlearn.web.room.LOOK", 0.1)
    monkeypatch.setattr("divlearn.web.room.SEARCH", 0.1)
    begun = []

    def begin(*paths, **more):
        begun.append(Served([Path(p) for p in paths], **more))
        return begun[-1]

    yield begin
    for one in begun:
        one.stop()


class Answer:
    """What an application answered."""

    def __init__(self, messages):
        self.status = messages[0]["status"]
        self.headers = {k.decode(): v.decode() for k, v in messages[0]["headers"]}
        self.body = b"".join(m.get("body", b"") for m in messages[1:])

    @property
    def json(self):
        """The answer as data."""
        return json.loads(self.body)
