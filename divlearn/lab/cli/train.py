"""``divlearn train``: the command and its options."""

from __future__ import annotations

from typing import Annotated

import typer


def train(
    context: typer.Context,
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="What to train: pmoco.")
    ],
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="File of the network; where it exists, its training goes on.",
        ),
    ],
    problem: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Family and size of the instances to draw, such as bitsp-20: "
            "bitsp-N, tritsp-N, bikp-N, bicvrp-N.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Begin with this network, trained for another size of the family.",
        ),
    ] = None,
    epochs: Annotated[
        str | None,
        typer.Option(metavar="N", help="Length of the training.  [default: 100]"),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="K", help="Seed; the same seed gives the same network. [default: 0]"
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting of the training, such as rate=5e-4, or of the "
            "network, such as width=128; may be repeated.",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write JSON to standard output.")
    ] = False,
) -> int:
    """Train a neural method; Ctrl-C saves, and the same command goes on."""
    from divlearn.lab.cli.train_request import TrainOptions, read_plan
    from divlearn.lab.cli.train_run import run_training

    options = TrainOptions(
        method=method,
        out=out,
        problem=problem,
        start=start,
        epochs=epochs,
        seed=seed,
        settings=tuple(settings or ()),
        quiet=quiet,
        as_json=as_json,
        arguments=tuple(context.obj or []),
    )
    return run_training(options, read_plan(options))
