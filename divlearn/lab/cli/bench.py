"""``divlearn bench``: the command and its options."""

from __future__ import annotations

from typing import Annotated

import typer


def bench(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE | compare A B",
            help="A built-in suite or a TOML file; or two methods whose stored runs "
            "are to be compared.",
            show_default=False,
        ),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List the built-in suites.")
    ] = False,
    methods: Annotated[
        str | None,
        typer.Option(metavar="A,B,..", help="Methods to run instead of the suite's."),
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option(
            metavar="P,Q,..",
            help="Problems to solve instead of the suite's, such as bitsp-20,bikp-50; "
            "a family such as bikp stands for all sizes of the suite.",
        ),
    ] = None,
    instances: Annotated[
        str | None, typer.Option(metavar="N", help="Number of instances.")
    ] = None,
    first_instance: Annotated[
        str | None, typer.Option(metavar="I", help="Number of the first instance.")
    ] = None,
    seeds: Annotated[
        str | None, typer.Option(metavar="N", help="Number of seeds per instance.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="N", help="Evaluations of each run.")
    ] = None,
    seconds: Annotated[
        str | None, typer.Option(metavar="S", help="Or seconds of each run.")
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Runs at a time.  [default: one per core]"),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Repeat runs that have failed.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Directory for tables and pictures.  [default: runs/bench-SUITE]",
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Store of finished runs.  [default: DIR/bench.db]"
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, only the table.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write JSON to standard output.")
    ] = False,
) -> int:
    """Run methods on many problems and compare them; goes on where it stopped."""
    from divlearn.lab.cli.bench_request import BenchOptions
    from divlearn.lab.cli.bench_run import run_bench

    return run_bench(
        words or [],
        BenchOptions(
            methods=methods,
            problems=problems,
            instances=instances,
            first_instance=first_instance,
            seeds=seeds,
            budget=budget,
            seconds=seconds,
            workers=workers,
            retry_failed=retry_failed,
            out=out,
            store=store,
            quiet=quiet,
            as_json=as_json,
            show_list=show_list,
            arguments=tuple(context.obj or []),
        ),
    )
