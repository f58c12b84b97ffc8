"""A study as tools for a language model."""

import asyncio

import pytest

from divlearn.cli.mcp import NAMES, Mcp, server

mcp = pytest.importorskip("mcp")
SPACE = """
[space]
width = {type = "integer", low = 1, high = 8}
[objectives]
cost = "min"
speed = "max"
"""


def test_a_model_can_do_all_that_a_program_can(tmp_path):
    """Begin, ask, tell, look, predict and suggest; mistakes are told, not raised."""
    served = server(Mcp(study=tmp_path / "s.db"))

    async def talk():
        async with mcp.Client(served) as client:

            async def call(name, **arguments):
                answer = await client.call_tool(name, arguments)
                said = answer.content[0].text
                return said if answer.is_error else answer.structured_content

            listed = (await client.list_tools()).tools
            assert tuple(tool.name for tool in listed) == NAMES
            assert "[objectives]" in listed[0].description
            assert "does not exist" in await call("status")
            assert "is not TOML" in await call("init", toml="[space")
            begun = await call("init", toml=SPACE, budget=3, seed=1)
            assert (begun["values"], begun["budget"]) == (["cost", "speed"], 3)
            asked = (await call("ask", count=2))["candidates"]
            assert [one["id"] for one in asked] == [0, 1]
            wrong = await call("tell", answers=[{"id": 0, "values": [1]}])
            assert "2 numbers (cost, speed), got 1" in wrong
            told = await call(
                "tell",
                answers=[{"id": 0, "values": [1, 2]}, {"id": 1, "failed": "no"}],
            )
            assert [row["state"] for row in told["told"]] == ["ok", "failed"]
            assert (await call("front"))["solutions"][0]["id"] == 0
            assert (
                "below 10"
                in (await call("predict", designs=[{"width": 2}]))["predictions"][0][
                    "note"
                ]
            )
            near = await call("suggest", around={"width": 2})
            assert near["candidates"][0]["id"] == 2
            assert (await call("ask"))["candidates"] == []

    asyncio.run(talk())
