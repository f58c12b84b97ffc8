"""``divlearn run`` and ``divlearn resume``: the commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

Budget = Annotated[
    str | None,
    typer.Option(
        metavar="N", help="Stop after this many evaluations, all runs together."
    ),
]
Seconds = Annotated[
    str | None,
    typer.Option(metavar="S", help="Stop this run after S seconds."),
]
Workers = Annotated[
    str | None,
    typer.Option(metavar="N", help="Evaluations at a time; 0 for no worker processes."),
]
Timeout = Annotated[
    str | None,
    typer.Option(metavar="S", help="End an evaluation after S seconds."),
]
Retries = Annotated[
    str | None,
    typer.Option(metavar="N", help="Try a failed evaluation N times again."),
]
Replicates = Annotated[
    str | None,
    typer.Option(metavar="N", help="Evaluate each design N times; the mean counts."),
]
MaxFailures = Annotated[
    str | None,
    typer.Option(
        metavar="N|auto|never",
        help="Stop when N evaluations in a row have failed.  [default: auto, 5 at the "
        "beginning, 20 later]",
    ),
]
RetryFailed = Annotated[
    bool,
    typer.Option(
        "--retry-failed", help="First evaluate again what has failed or timed out."
    ),
]
Matching = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="With --retry-failed: only where the message contains or matches TEXT.",
    ),
]
Running = Annotated[
    str | None,
    typer.Option(
        metavar="rerun|abandon",
        help="What to do with evaluations that were cut off.  [default: rerun]",
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Directory for front.json, front.csv, front.png and history.png.",
    ),
]
Accept = Annotated[
    bool,
    typer.Option(
        "--accept-changes",
        help="Go on although the command that evaluates has changed.",
    ),
]
NoCheckpoint = Annotated[
    bool,
    typer.Option(
        "--no-checkpoint",
        help="Learn all outcomes again, whatever state of the search the file keeps.",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", "--no-progress", help="Show no progress, only the summary."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON to standard output.")]


def run(
    toml: Annotated[
        str,
        typer.Argument(
            metavar="TOML",
            help="File with the space, the objectives and the command that evaluates.",
        ),
    ],
    budget: Budget = None,
    seconds: Seconds = None,
    workers: Workers = None,
    timeout: Timeout = None,
    retries: Retries = None,
    replicates: Replicates = None,
    max_failures: MaxFailures = None,
    retry_failed: RetryFailed = False,
    matching: Matching = None,
    running: Running = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="K", help="Seed; the same seed gives the same designs."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="M", help="How to search; see 'divlearn methods'."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="File of the study.  [default: NAME.db beside TOML]"
        ),
    ] = None,
    out: Out = None,
    accept_changes: Accept = False,
    no_checkpoint: NoCheckpoint = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run a study whose evaluations another program does; goes on where it stopped.

    Options replace what the file says under [run].
    """
    from divlearn.cli.run_request import read_run_request
    from divlearn.cli.study_plan import plan_of_toml
    from divlearn.cli.study_run import run_plan

    request = read_run_request(
        budget=budget,
        seconds=seconds,
        workers=workers,
        timeout=timeout,
        retries=retries,
        replicates=replicates,
        max_failures=max_failures,
        retry_failed=retry_failed,
        matching=matching,
        running=running,
        seed=seed,
        method=method,
        store=store,
        out=out,
        accept_changes=accept_changes,
        checkpoint=not no_checkpoint,
        quiet=quiet,
        as_json=as_json,
    )
    return run_plan(lambda: plan_of_toml(toml, request), as_json)


def resume(
    study: Annotated[
        str, typer.Argument(metavar="STUDY", help="File of a study, such as chip.db.")
    ],
    budget: Budget = None,
    seconds: Seconds = None,
    workers: Workers = None,
    timeout: Timeout = None,
    retries: Retries = None,
    replicates: Replicates = None,
    max_failures: MaxFailures = None,
    retry_failed: RetryFailed = False,
    matching: Matching = None,
    running: Running = None,
    out: Out = None,
    accept_changes: Accept = False,
    no_checkpoint: NoCheckpoint = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Go on with a study that 'run' or 'solve --store' began.

    What is left out is as in its last run.
    """
    from divlearn.cli.run_request import read_run_request
    from divlearn.cli.study_origin import plan_of_study
    from divlearn.cli.study_run import run_plan

    request = read_run_request(
        budget=budget,
        seconds=seconds,
        workers=workers,
        timeout=timeout,
        retries=retries,
        replicates=replicates,
        max_failures=max_failures,
        retry_failed=retry_failed,
        matching=matching,
        running=running,
        out=out,
        accept_changes=accept_changes,
        checkpoint=not no_checkpoint,
        quiet=quiet,
        as_json=as_json,
    )
    return run_plan(lambda: plan_of_study(study, request), as_json)
