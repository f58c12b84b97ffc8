"""``divlearn mcp``: a study as tools for a language model (Model Context Protocol)."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from divlearn.basics.errors import DivlearnError, NothingToAsk
from divlearn.basics.extras import need
from divlearn.basics.text import as_json as write_json
from divlearn.basics.version import __version__
from divlearn.cli.asking import (
    WrittenStudy,
    begun,
    candidates_json,
    front_json,
    plain,
    told_json,
)
from divlearn.cli.command import command
from divlearn.cli.output import DONE

INSTRUCTIONS = (
    "divlearn searches for the best trade-offs between several objectives, by "
    "evaluation alone. Call status first. Then repeat: ask for designs, evaluate each "
    "of them yourself, tell the values. A design's id stays valid until it is told; "
    "tell failed, infeasible or abandoned if there are no values. front lists the best "
    "trade-offs so far, predict says what a design would be like and how sure that is, "
    "suggest gives designs near one of yours. Every call is kept in a file; telling "
    "the same twice changes nothing."
)
#: The tools, in the order of the list.
NAMES = ("init", "status", "ask", "tell", "front", "predict", "suggest")


@dataclass(frozen=True, kw_only=True)
class Mcp(WrittenStudy):
    """Serve a study to a language model.

    By the Model Context Protocol, on standard input and output. The study need not
    exist: the tool 'init' begins it. Needs the extra mcp.
    """

    def execute(self) -> int:
        """Serve until the other side is done."""
        server(self).run("stdio")
        return DONE


mcp = command(Mcp)


def server(asked: Mcp) -> Any:
    """The tools on one study."""
    need("mcp", "mcp")
    kinds = need("mcp.server.mcpserver", "mcp")
    error = need("mcp.server.mcpserver.exceptions", "mcp").ToolError
    served = kinds.MCPServer("divlearn", instructions=INSTRUCTIONS, version=__version__)
    tools = Tools(asked)
    for name in NAMES:
        tool = getattr(tools, name)
        served.tool(description=inspect.getdoc(tool))(_in_words(tool, error))
    return served


class Tools:
    """What can be done with a study; docstrings are what a model reads."""

    def __init__(self, asked: Mcp) -> None:
        self._asked, self._path = asked, asked.study

    def init(
        self, toml: str, budget: int | None = None, seed: int | None = None
    ) -> dict[str, Any]:
        """Begin the study, for as many evaluations as ``budget`` says.

        toml has [space], [objectives] and perhaps [constraints], for example:

        [space]
        width = {type = "integer", low = 1, high = 8}
        kind = {type = "categorical", values = ["a", "b"]}
        rate = {type = "real", low = 0.1, high = 10.0, log = true}
        order = {type = "permutation", n = 5}
        [objectives]
        cost = "min"
        speed = "max"
        [constraints]
        stress = {max = 30.0}
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, f"{self._path.stem}.toml")
            file.write_text(toml, "utf-8")
            return begun(file, self._path, budget, seed=seed).to_dict()

    def status(self) -> dict[str, Any]:
        """Say what the study is, which designs have no values, and what to do next."""
        from divlearn.study import status

        return status(self._path).to_dict()

    def ask(self, count: int = 1) -> dict[str, Any]:
        """Get designs to evaluate, each with the id to tell its values by."""
        return self._given(lambda study: study.ask(count), count)

    def suggest(self, around: Any, count: int = 1) -> dict[str, Any]:
        """Get designs near one of yours, recorded as those of ask."""
        return self._given(lambda study: study.suggest(around, count), count)

    def tell(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """Tell what became of designs, all of them or none if one is wrong.

        Each is {"id": 3, "values": [1.5, 2.0]}, in the order of status, or values by
        name; {"id": 3, "failed": "why"}, or "infeasible" or "abandoned", instead of
        values; or {"design": {...}, "values": [...]} for a design of your own.
        """
        with self._asked.opened() as study:
            return told_json(study.tell_all(answers), study.pending())

    def predict(self, designs: list[Any]) -> dict[str, Any]:
        """Say what designs would be like: mean, uncertainty, and how much is known."""
        with self._asked.opened() as study:
            return {"predictions": [one.to_dict() for one in study.predict(designs)]}

    def front(self) -> dict[str, Any]:
        """List the best trade-offs so far: id, design and values of each."""
        return front_json(self._path)

    def _given(self, asking: Callable[[Any], Any], count: int) -> dict[str, Any]:
        """Designs, or why there are none."""
        try:
            with self._asked.opened() as study:
                return candidates_json(asking(study), count)
        except NothingToAsk as nothing:
            facts = {"message": str(nothing), "waits_for": nothing.waits_for}
            return {"candidates": [], **facts}


def _in_words(tool: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    """Let a tool answer with plain JSON, and say in words what is wrong."""

    @wraps(tool)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            found = tool(*arguments, **named)
        except (DivlearnError, OSError) as error:
            raise kind(str(error)) from error
        return json.loads(write_json(found, default=plain))

    return call
