"""A command is a dataclass: what its fields become."""

import importlib
import json
import pkgutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import click
import pytest

import divlearn.cli
from divlearn.basics.errors import InputError
from divlearn.cli.app import app
from divlearn.cli.command import Command, argument, command, flag, option, pairs
from divlearn.cli.values import Whole


@dataclass(frozen=True, kw_only=True)
class Bake(Command):
    """Bake a cake."""

    cake: str = argument("CAKE", "Which one.")
    full_hours: int | None = option(Whole(1, "2"), "N", "For how long.")
    icing: bool = flag("With icing.", names="--icing -i")
    spices: dict[str, Any] = pairs("What else.", names="--with")

    def execute(self):
        """Show what was read."""
        return self


def bake(*arguments):
    """What the command reads from arguments."""
    return command(Bake).main(arguments, "bake", standalone_mode=False)


def test_each_field_is_an_option_that_is_read_as_its_type():
    """Underscores become hyphens; names may be others."""
    given = ("sponge", "--full-hours", "1e3", "-i", "--with", "salt=2", "--json")
    read = {"full_hours": 1000, "icing": True, "spices": {"salt": 2}, "as_json": True}
    assert bake(*given) == Bake(cake="sponge", **read)


def test_what_is_left_out_is_as_the_dataclass_says():
    """In Python and on the command line alike."""
    assert bake("sponge") == Bake(cake="sponge")


def test_a_wrong_text_is_refused_by_the_name_of_the_option():
    """The type knows the option that it belongs to."""
    with pytest.raises(InputError, match="--full-hours must be a whole number"):
        bake("sponge", "--full-hours", "many")


def test_the_help_says_what_the_fields_say(capsys):
    """Name, description, arguments and options; what all commands have comes last."""
    bake("--help")
    text = capsys.readouterr().out
    assert "Usage: bake [OPTIONS] CAKE" in text
    words = ("Bake a cake.", "Which one.", "For how long.", "--with", "--json")
    places = [text.index(word) for word in words]
    assert places == sorted(places)


def test_no_name_in_the_package_hides_one_of_its_modules():
    """``divlearn.cli.run`` is the module of that command, and so is any other."""
    for module in pkgutil.iter_modules(divlearn.cli.__path__):
        name = f"divlearn.cli.{module.name}"
        assert importlib.import_module(name) is getattr(divlearn.cli, module.name)


@pytest.mark.parametrize("name", sorted(app.commands))
def test_every_command_fits_in_a_line_of_the_list(name):
    """Cut sentences tell nothing."""
    assert not app.commands[name].get_short_help_str(66).endswith("...")


@pytest.mark.parametrize("name", sorted(app.commands))
def test_everything_that_a_command_takes_is_explained(name):
    """Also its arguments."""
    for parameter in app.commands[name].params:
        assert parameter.help, parameter.name
        assert parameter.help.endswith((".", "]"))


def test_a_command_of_another_package_is_any_command_of_click():
    """That is all that an entry point has to offer."""
    assert all(isinstance(one, click.Command) for one in app.commands.values())


def test_ctrl_c_while_commands_are_loaded_is_no_traceback():
    """It takes a tenth of a second, or seconds on a slow disk."""
    code = (
        "import builtins, sys; usual = builtins.__import__\n"
        "def stop(name, *more):\n"
        "    if name == 'divlearn.cli.telling':\n"
        "        raise KeyboardInterrupt\n"
        "    return usual(name, *more)\n"
        "builtins.__import__ = stop\n"
        "sys.argv = ['divlearn', 'status', 'x.db', '--json']\n"
        "from divlearn.cli import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr == "Error: stopped by Ctrl-C; run the same line again.\n"
    assert json.loads(done.stdout)["error"]["exit_code"] == 130
