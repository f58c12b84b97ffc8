"""All commands together: from arguments to an exit code, mistakes in a few lines."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from divlearn.basics.errors import DivlearnError, InputError, NothingToAsk, StoreInUse
from divlearn.basics.plugins import COMMANDS, load_plugin, plugins
from divlearn.basics.version import __version__
from divlearn.cli.asking import ask, front, init, predict, status, suggest
from divlearn.cli.export import export
from divlearn.cli.fork import fork
from divlearn.cli.importing import import_
from divlearn.cli.mcp import mcp
from divlearn.cli.methods import methods
from divlearn.cli.output import (
    FAILED,
    IN_USE,
    NO_MORE,
    TELL_FIRST,
    WRONG_REQUEST,
    complain,
    echo,
    stopped,
)
from divlearn.cli.page import dashboard, report
from divlearn.cli.problems import problems
from divlearn.cli.run import resume, run
from divlearn.cli.show import show
from divlearn.cli.solve import solve
from divlearn.cli.telling import tell
from divlearn.cli.warm import warm
from divlearn.cli.worker import worker


class InOrder(click.Group):
    """Commands listed in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands."""
        return list(self.commands)


@click.group(
    cls=InOrder,
    name="divlearn",
    help="Multi-objective optimization over permutations, subsets, categories, "
    "integers, real numbers and mixtures of them, by evaluation alone.",
    epilog="To begin: divlearn solve bitsp-100 --out runs/tour",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, help="Show the version.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON to standard output.")
@click.pass_context
def app(context: click.Context, version: bool, as_json: bool) -> None:
    """Show the version, or help where no command is given."""
    if version:
        plain = f"divlearn {__version__}"
        echo(json.dumps({"version": __version__}) if as_json else plain)
        context.exit()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    *(solve, problems, methods, run, resume, worker, fork, show),
    *(dashboard, report, import_, export),
    *(init, ask, tell, suggest, predict, front, status, mcp, warm),
):
    app.add_command(_command)
for _name, _point in plugins(COMMANDS).items():
    app.add_command(load_plugin(_point), _name)


def execute(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        What stands after ``divlearn``.

    Returns
    -------
    0 done, 1 the run failed, 2 the request was wrong, 3 nothing is left to ask for,
    4 outcomes must be told first, 5 another process has the file, 130 stopped by
    Ctrl-C.

    Examples
    --------
    >>> execute(["--version"])
    divlearn 0.1.0
    0
    """
    words = list(arguments)
    try:
        code = app.main(words, prog_name="divlearn", standalone_mode=False, obj=words)
    except click.UsageError as error:
        return complain(_usage_message(error), words, WRONG_REQUEST)
    except NothingToAsk as error:
        code = TELL_FIRST if error.waits_for else NO_MORE
        return complain(str(error), words, code, waits_for=error.waits_for)
    except InputError as error:
        code = IN_USE if isinstance(error, StoreInUse) else WRONG_REQUEST
        return complain(str(error), words, code)
    except DivlearnError as error:
        return complain(str(error), words, FAILED)
    except OSError as error:
        return complain(f"{error}.", words, FAILED)
    except (KeyboardInterrupt, click.Abort):
        return stopped(words)
    return int(code or 0)


def _usage_message(error: click.UsageError) -> str:
    """Say what the parser did not understand, and where help is."""
    where = error.ctx.command_path if error.ctx else "divlearn"
    message = error.format_message().strip()
    end = "" if message.endswith((".", "?", ")")) else "."
    return f"{message}{end} '{where} --help' shows what there is."
