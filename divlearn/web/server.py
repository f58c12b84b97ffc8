"""The page: what it is asked and what it answers, and how it is served."""

from __future__ import annotations

import json
import re
import secrets
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.web.bundle import TYPES, names, script, text_of
from divlearn.web.favourites import Favourites
from divlearn.web.guard import HEADERS, Guard, Refusal, is_loopback
from divlearn.web.room import Listeners, Room
from divlearn.web.sources import require_places
from divlearn.web.view import as_text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

#: Bytes of a request that writes.
MOST_BYTES = 100_000
#: Seconds between two signs of life, and between two looks whether the server ends.
BEAT, WAIT = 15.0, 0.5
JSON = "application/json"
_STUDY = re.compile(
    r"/api/([0-9a-f]{12})/(body|front|replay|design|matters|favourites)"
)
_NUMBER = re.compile(r"-?[0-9]{1,12}")


class Page:
    """An application of the ASGI kind.

    Parameters
    ----------
    room
        What is shown.
    guard
        Who may see it.

    Attributes
    ----------
    leaving
        Says whether the server is about to end, and so must all that it tells.
    """

    room: Room
    guard: Guard

    def __init__(self, room: Room, guard: Guard) -> None:
        self.room, self.guard = room, guard
        self.leaving: Callable[[], bool] = lambda: False
        self._listeners: Listeners | None = None
        self._writing = threading.Lock()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        from starlette.requests import Request

        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            response = _response(str(refusal), refusal.status, JSON, said=True)
        except DivlearnError as error:
            response = _response(str(error), 404, JSON, said=True)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        """Find out what is asked for; paths are compared as a whole."""
        path = request.scope["path"]
        if path == "/" and "token" in request.query_params:
            return self._enter(request)
        self.guard.require(request)
        if request.method in ("PUT", "DELETE"):
            return await self._write(request)
        if request.method not in ("GET", "HEAD"):
            raise Refusal(405, "this page is only read")
        if path == "/":
            return _response(text_of("page.html"), 200, "text/html; charset=utf-8")
        if path == "/api/events":
            return self._events()
        if path == "/api/heads":
            await _quietly(self.room.look)
            return _response(self.room.heads(), 200, JSON)
        if found := _STUDY.fullmatch(path):
            return await self._study(found[1], found[2], request)
        if path == "/static/all.js":  # one answer instead of one for each module
            return _response(script("page"), 200, TYPES["js"])
        name = path.removeprefix("/static/")
        if path.startswith("/static/") and name in names():
            return _response(text_of(name), 200, TYPES[name.rpartition(".")[2]])
        raise Refusal(404, "there is nothing here")

    def _enter(self, request: Request) -> Response:
        """Take the token from the address, where others might read it, to a cookie."""
        self.guard.require_name(request)
        response = _response("", 303, "text/plain", Location="/")
        if self.guard.is_token(request.query_params["token"]):
            response.set_cookie(
                self.guard.cookie,
                self.guard.token,
                httponly=True,
                samesite="strict",
                path="/",
            )
        return response

    async def _study(self, name: str, what: str, request: Request) -> Response:
        """Answer what is asked of one study."""
        room = self.room
        if what == "favourites":
            listed = await _quietly(Favourites(room.path_of(name)).all)
            can = self.guard.knows(request)
            return _response(as_text({"list": listed, "can_write": can}), 200, JSON)
        asking: dict[str, Callable[[], str]] = {
            "body": lambda: room.body(name),
            "front": lambda: room.front(name, _whole(request, "have")),
            "replay": lambda: room.replay(name),
            "design": lambda: room.design(name, _whole(request, "number")),
            "matters": lambda: room.matters(name),
        }
        return _response(await _quietly(asking[what]), 200, JSON)

    async def _write(self, request: Request) -> Response:
        """Keep or drop a favourite: the only thing that is ever written."""
        found = _STUDY.fullmatch(request.scope["path"])
        if found is None or found[2] != "favourites":
            raise Refusal(405, "only favourites can be changed")
        kept, number = (
            Favourites(self.room.path_of(found[1])),
            _whole(request, "number"),
        )
        note = await _note(request) if request.method == "PUT" else ""

        def change() -> None:
            with self._writing:
                kept.put(number, note) if request.method == "PUT" else kept.remove(
                    number
                )

        await _quietly(change)
        return _response(as_text({"list": await _quietly(kept.all)}), 200, JSON)

    def _events(self) -> Response:
        """Tell what is new, as server-sent events, until the browser goes away."""
        from starlette.responses import StreamingResponse

        return StreamingResponse(
            self._stream(), media_type="text/event-stream", headers=HEADERS
        )

    async def _stream(self) -> AsyncIterator[str]:
        """Yield an event at once, and whenever something is new."""
        if self._listeners is None:
            self._listeners = Listeners(self.room)
        async with self._listeners as listeners:
            yield "retry: 1000\n\n"
            if not self.room.turn:  # nobody has looked yet
                await _quietly(self.room.look)
            told, silent = -1, 0.0
            while not self.leaving():
                silent += WAIT
                if self.room.turn != told or silent > BEAT:
                    told, silent = self.room.turn, 0.0
                    yield f"data: {self.room.heads()}\n\n"
                await listeners.news(WAIT)


async def _note(request: Request) -> str:
    """The note that a request brings."""
    if request.headers.get("content-type", "").partition(";")[0] != JSON:
        raise Refusal(415, "a favourite must be sent as application/json")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_BYTES:
            raise Refusal(413, "the note is too long")
    try:
        note = json.loads(content)["note"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refusal(400, 'a favourite must be sent as {"note": "..."}') from None
    return str(note)


def _whole(request: Request, name: str) -> int:
    """A whole number of the question."""
    text = request.query_params.get(name, "-1")
    if not _NUMBER.fullmatch(text):
        raise Refusal(400, f"{name} must be a whole number")
    return int(text)


async def _quietly(work: Callable[[], Any]) -> Any:
    """Do work that reads or writes files beside the loop that answers."""
    from starlette.concurrency import run_in_threadpool

    return await run_in_threadpool(work)


def _response(
    text: str, status: int, kind: str, said: bool = False, **more: str
) -> Response:
    """An answer with all headers; what is ``said`` is a message for people."""
    from starlette.responses import Response

    content = as_text({"error": text}) if said else text
    return Response(content, status, {**HEADERS, **more}, media_type=kind)


def serve(
    paths: Sequence[str],
    host: str,
    port: int,
    token: str | None,
    browser: bool,
    tell: Callable[[str, str], None],
) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    paths
        Studies, results, or folders with some.
    host, port
        Where to listen; port 0 is any that is free.
    token
        What others have to know; a new one at every start if None.
    browser
        Whether to open a browser.
    tell
        Called once with the address, and with words about it for who started it.
    """
    _require_packages()
    room = Room(require_places(paths))
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    guard = Guard(host, port, token or secrets.token_urlsafe(24))
    address = f"http://{_shown(host)}:{port}/?token={guard.token}"
    words = f"The page is at {address}\nCtrl-C ends it; studies go on without it."
    if not is_loopback(host):
        words += "\nWhoever knows the address can read it; the line is not encrypted."
    tell(address, words)
    if browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    with suppress(KeyboardInterrupt):  # the usual end, after which all is told
        server_of(Page(room, guard)).run(sockets=[listening])


def _require_packages() -> None:
    """Say what to install where something is missing."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            'the page needs starlette and uvicorn: pip install "divlearn[web]"; '
            "'divlearn report' works without them."
        ) from error


def server_of(page: Page) -> Any:
    """A server of uvicorn that answers by a page, and ends its streams with itself."""
    import uvicorn

    config = uvicorn.Config(
        page,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        http="h11",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    page.leaving = lambda: bool(server.should_exit)
    return server


def _listen(host: str, port: int) -> socket.socket:
    """A socket at the address, or words about why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        raise InputError(
            f"--host {host} --port {port} cannot be listened on ({error.strerror}); "
            "choose another port, or --port 0 for any that is free."
        ) from None
    return listening


def _shown(host: str) -> str:
    """The host as an address has it."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
