"""Who may ask the page, what it answers, and that it writes favourites only."""

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from urllib.parse import unquote
from urllib.request import urlopen

import pytest

from divlearn.cli.app import execute
from divlearn.web.favourites import Favourites
from divlearn.web.guard import Guard
from divlearn.web.room import Room
from divlearn.web.server import Page
from tests.web.conftest import NASTY, Answer

HOST = "127.0.0.1:8080"
HOME = {"host": HOST, "origin": f"http://{HOST}"}


@pytest.fixture
def study(tmp_path, finished):
    """A copy of a study that may get favourites."""
    shutil.copy(finished, tmp_path / "chip.db")
    return tmp_path / "chip.db"


def page_of(study, host="127.0.0.1"):
    """A page that has looked once, and the address of its study."""
    room = Room([study])
    room.look()
    (head,) = json.loads(room.heads())["heads"]
    return Page(room, Guard(host, 8080, "secret")), f"/api/{head['id']}"


def ask(page, path, headers=HOME, method="GET", body=b"", server="127.0.0.1"):
    """Ask an application, without a network."""
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        "server": (server, 8080),
    }
    messages = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        messages.append(message)

    asyncio.run(page(scope, receive, send))
    return Answer(messages)


COOKIE = {**HOME, "cookie": "divlearn-8080=secret"}


def test_the_page_and_its_study_are_answered(study):
    """Page, style, list, study, front and design."""
    page, path = page_of(study)
    assert b"all.js" in ask(page, "/").body
    assert ask(page, "/static/front.js").headers["content-type"].startswith("text/java")
    body = ask(page, f"{path}/body").json
    front = ask(page, f"{path}/front?have=-1").json
    assert body["front_size"] == len(front["numbers"])
    assert NASTY in body["problem"]
    number = front["numbers"][0]
    assert set(ask(page, f"{path}/design?number={number}").json["x"]) == {
        "width",
        "kind",
        "order",
    }
    assert ask(page, f"{path}/front?have={front['version']}").json["numbers"] == []
    assert ask(page, f"{path}/design?number=999999").status == 404


def test_every_answer_forbids_scripts_of_others(study):
    """The policy, and the headers that keep other sites out."""
    page, path = page_of(study)
    for place in ("/", f"{path}/body", "/nothing", "/static/all.js"):
        headers = ask(page, place).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.example:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:8080.evil", ""],
)
def test_a_request_by_another_name_is_refused(study, host):
    """A name that somebody made point here is not this server, on loopback too."""
    page, path = page_of(study)
    for place in ("/", f"{path}/body", "/?token=secret"):
        assert ask(page, place, {"host": host}).status == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8080", f"http://{HOST}/"],
)
def test_a_request_from_another_site_is_refused(study, origin):
    """Even reading: and writing with the token as well."""
    page, path = page_of(study)
    assert ask(page, "/", {**COOKIE, "origin": origin}).status == 403
    picture = {"host": HOST, "sec-fetch-site": "cross-site"}
    assert ask(page, f"{path}/matters", picture).status == 403
    wrong = {**COOKIE, "origin": origin, "content-type": "application/json"}
    put = ask(page, f"{path}/favourites?number=1", wrong, "PUT", b'{"note": ""}')
    assert put.status == 403
    assert not Favourites(study).path.exists()


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static//front.js",
        "//static/front.js",
        "/static/",
        "/api/../../etc/passwd",
        "/api/000000000000/body",
        "/etc/passwd",
        "/static/..%5cserver.py",
    ],
)
def test_no_path_leads_anywhere_else(study, path):
    """Paths are compared as a whole; there are no folders to list."""
    page, _ = page_of(study)
    answer = ask(page, path)
    assert answer.status == 404
    assert set(answer.json) == {"error"}


def test_another_address_asks_for_the_token(study):
    """Without it nothing is told; with it a cookie is set, which opens the page."""
    page, path = page_of(study, host="10.0.0.7")
    home = {"host": "10.0.0.7:8080"}
    for place in ("/", f"{path}/body", "/static/all.js", "/api/heads"):
        assert ask(page, place, home, server="10.0.0.7").status == 403
    wrong = ask(page, "/?token=wrong", home, server="10.0.0.7")
    assert (wrong.status, "set-cookie" in wrong.headers) == (303, False)
    right = ask(page, "/?token=secret", home, server="10.0.0.7")
    cookie = right.headers["set-cookie"]
    assert right.headers["location"] == "/"
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    known = {**home, "cookie": cookie.partition(";")[0]}
    assert ask(page, f"{path}/body", known, server="10.0.0.7").status == 200
    bearer = {**home, "authorization": "Bearer secret"}
    assert ask(page, "/api/heads", bearer, server="10.0.0.7").status == 200


def test_only_favourites_are_written_and_only_with_the_token(study):
    """They stand in a file beside the study, which stays as it is."""
    page, path = page_of(study)
    before = study.read_bytes()
    sent = {**COOKIE, "content-type": "application/json"}
    note = json.dumps({"note": NASTY + "x" * 10_000}).encode()
    place = f"{path}/favourites?number=3"
    plain = {**HOME, "content-type": "application/json"}
    assert ask(page, place, plain, "PUT", note).status == 403
    silent = {k: v for k, v in sent.items() if k != "origin"}
    assert ask(page, place, silent, "PUT", note).status == 403
    assert ask(page, place, COOKIE, "PUT", note).status == 415
    assert ask(page, place, sent, "PUT", b"{").status == 400
    assert ask(page, place, sent, "PUT", b'{"note": "' + b"x" * 200_000).status == 413
    for method in ("POST", "PATCH", "OPTIONS"):
        assert ask(page, place, sent, method, note).status == 405
    assert ask(page, f"{path}/body", sent, "PUT", note).status == 405
    (kept,) = ask(page, place, sent, "PUT", note).json["list"]
    assert kept["note"] == NASTY + "x" * 10_000
    told = ask(page, f"{path}/favourites", HOME).json
    assert (told["can_write"], told["list"][0]["number"]) == (False, 3)
    assert ask(page, f"{path}/favourites", COOKIE).json["can_write"]
    assert ask(page, place, sent, "DELETE").json["list"] == []
    assert study.read_bytes() == before


def test_favourites_that_somebody_spoiled_are_told(study):
    """The page goes on, and the file is not overwritten."""
    page, path = page_of(study)
    Favourites(study).path.write_text("[")
    assert "cannot be read" in ask(page, f"{path}/favourites").json["error"]
    sent = {**COOKIE, "content-type": "application/json"}
    place = f"{path}/favourites?number=3"
    assert ask(page, place, sent, "PUT", b'{"note": ""}').status == 404
    assert Favourites(study).path.read_text() == "["


def test_the_command_refuses_what_is_not_there(tmp_path, capsys):
    """Before a port is opened."""
    assert execute(["dashboard", str(tmp_path / "none.db"), "--no-browser"]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_the_command_serves_until_ctrl_c(study):
    """It prints an address that opens, and ends in peace with a listener there."""
    command = [sys.executable, "-m", "divlearn", "dashboard", str(study), "--json"]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-browser"], stdout=subprocess.PIPE, text=True
    ) as process:
        address = json.loads(process.stdout.readline())["address"]
        home = address.partition("?")[0]
        with urlopen(f"{home}api/events") as events:
            assert events.readline() == b"retry: 1000\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
