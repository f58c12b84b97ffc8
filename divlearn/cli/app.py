"""The commands and their options; what they do lives in the files beside."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from divlearn.basics.plugins import COMMANDS, load_plugin, plugins
from divlearn.basics.version import __version__
from divlearn.cli.echo import echo
from divlearn.cli.run import resume as resume_study
from divlearn.cli.run import run
from divlearn.cli.study import export, show

app = typer.Typer(
    name="divlearn",
    help="Multi-objective optimization over permutations, subsets, categories and "
    "integers, by evaluation alone.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Json = Annotated[bool, typer.Option("--json", help="Write JSON to standard output.")]


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the version, or help where no command is given."""
    if version:
        plain = f"divlearn {__version__}"
        echo(json.dumps({"version": __version__}) if as_json else plain)
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def problems(as_json: Json = False) -> None:
    """List the built-in problems."""
    from divlearn.cli.lists import list_problems

    echo(list_problems(as_json))


@app.command()
def methods(as_json: Json = False) -> None:
    """List the methods."""
    from divlearn.cli.lists import list_methods

    echo(list_methods(as_json))


@app.command()
def solve(
    context: typer.Context,
    problem: Annotated[
        list[str],
        typer.Argument(
            metavar="PROBLEM",
            help="Name of a built-in problem, such as bitsp-100; 'divlearn problems' "
            "lists them. Or an instance file; or several of TSPLIB, one per objective.",
        ),
    ],
    instance: Annotated[
        str | None,
        typer.Option(
            metavar="I",
            help="Number of the random instance, or of the problem in a file of "
            "several.  [default: 0]",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Stop after this many evaluations in all (10,000 if no other limit "
            "is given); 622000, 622_000 and 1e5 are all understood.",
        ),
    ] = None,
    seconds: Annotated[
        str | None, typer.Option(metavar="S", help="Stop after this many seconds.")
    ] = None,
    stagnation: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Stop when the hypervolume has not grown for this many evaluations.",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="K", help="Seed; the same seed gives the same front.  [default: 0]"
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="How to search; 'divlearn methods' lists them.  [default: dl]",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting of the method, such as patience=20 or "
            "refinement.steps=10; may be repeated.",
        ),
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="Option of the problem, such as decoder=greedy; may be repeated.",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,..",
            help="Reference point of the hypervolume instead of the problem's own.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Directory for front.json, front.csv, front.png, history.png and "
            "state.npz.",
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Continue the search saved in a state.npz."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Keep every evaluation in a study; 'divlearn resume FILE' goes on.",
        ),
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Evaluations at a time, with --store.  [default: 0]"
        ),
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", "--no-progress", help="Show no progress, only the summary."
        ),
    ] = False,
    as_json: Json = False,
) -> int:
    """Search a problem for its best trade-offs and show them."""
    from divlearn.cli.request import read_request
    from divlearn.cli.solve import run_request

    request = read_request(
        problem,
        instance=instance,
        budget=budget,
        seconds=seconds,
        stagnation=stagnation,
        seed=seed,
        method=method,
        settings=settings or [],
        options=options or [],
        reference=reference,
        out=out,
        resume=resume,
        store=store,
        workers=workers,
        quiet=quiet,
        as_json=as_json,
        arguments=context.obj or [],
    )
    if request.store is not None:
        from divlearn.cli.study_plan import plan_of_problem
        from divlearn.cli.study_run import run_plan

        return run_plan(lambda: plan_of_problem(request), as_json)
    return run_request(request)


app.command()(run)
app.command("resume")(resume_study)
for _name, _point in plugins(COMMANDS).items():
    app.command(_name)(load_plugin(_point))
app.command()(show)
app.command()(export)
