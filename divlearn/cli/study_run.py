"""A study on the command line: run it, and tell how it ended."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from divlearn.cli import report
from divlearn.cli.codes import DONE, FAILED, INTERRUPTED, error_as_json
from divlearn.cli.files import require_writable, write_all
from divlearn.cli.signals import leaving_at_once, undisturbed
from divlearn.cli.study_plan import Plan
from divlearn.errors import SearchInterrupted

if TYPE_CHECKING:
    from divlearn.progress import Progress
    from divlearn.result import Result
    from divlearn.study import Study, Summary


def run_plan(make: Callable[[], Plan], as_json: bool) -> int:
    """Run the study that ``make`` plans, show and write; returns the exit code."""
    with leaving_at_once(as_json):
        plan = make()
        if plan.out is not None:
            require_writable(plan.out)
        study = open_study(plan)
    with study:
        try:
            # A study handles Ctrl-C itself, once it runs.
            again = {"study": str(plan.store), "resume": command_to_continue(plan)}
            leaving = leaving_at_once(as_json, _stopped(plan), **again)
            with leaving, _warnings_in_words():
                result = study.run(**plan.of_run, progress=progress_of(plan))
        except SearchInterrupted as stopped:
            return interrupt(plan, stopped.result)
        return finish(plan, result)


def open_study(plan: Plan) -> Study:
    """Open the file of a study, if it is the same one."""
    from divlearn.study import Study

    study = Study(plan.problem, plan.store, **plan.of_study)
    try:
        plan.require_same_evaluation(study)
        study.remember(plan.origin)
    except BaseException:
        study.close()
        raise
    return study


def progress_of(plan: Plan) -> Progress:
    """Return what shows the study."""
    if plan.quiet:
        from divlearn.progress import Silent

        silent = Silent()
        silent.say = lambda message: typer.echo(message, err=True)  # type: ignore[method-assign]
        return silent
    from divlearn.terminal import choose_progress

    return choose_progress(plan.title)


@contextmanager
def _warnings_in_words() -> Iterator[None]:
    """Show warnings of the library as a line without file and code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        typer.echo(f"Note: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


# --- how it ended


@undisturbed()
def finish(plan: Plan, result: Result) -> int:
    """Tell what was found; a study in which nothing could be evaluated has failed."""
    from divlearn.study import summary

    seen = summary(plan.store)
    if seen.evaluations and not {"ok", "infeasible"} & seen.counts.keys():
        return fail(plan, seen)
    remarks = [_where(plan)]
    tell(plan, result, seen, remarks)
    return DONE


@undisturbed()
def interrupt(plan: Plan, result: Result) -> int:
    """Tell what was found until Ctrl-C, and how to go on."""
    from divlearn.study import summary

    again = command_to_continue(plan)
    remarks = [_stopped(plan)]
    tell(plan, result, summary(plan.store), remarks, resume=again)
    return INTERRUPTED


def fail(plan: Plan, seen: Summary) -> int:
    """Say that there is not one design with values, and why."""
    last = list(seen.failures.values())[-1]["message"]
    message = (
        f"none of {seen.evaluations:,} evaluations succeeded; the last one said: {last}"
    )
    typer.echo(
        f"\nError: {message}\nAll of them are in {plan.store}: 'divlearn show "
        f"{plan.store}'. When the cause is mended, begin anew with another --store, or "
        "go on with a larger --budget: what has failed is not tried again.",
        err=True,
    )
    if plan.as_json:
        facts = {"study": str(plan.store), "evaluations": seen.evaluations}
        text = error_as_json(message, FAILED, **facts, failures=seen.failures)
        typer.echo(text)
    return FAILED


def tell(
    plan: Plan, result: Result, seen: Summary, remarks: list[str], **more: Any
) -> None:
    """Write the files that were asked for; tell in words or as JSON."""
    files: dict[str, Path] = {}
    if plan.out is not None:
        files, missing = write_all(plan.out, result)
        remarks = [*missing, *remarks]
    if plan.as_json:
        facts = {"study": str(plan.store), "counts": seen.counts}
        about = {**plan.about, **facts, "failures": seen.failures}
        typer.echo(report.as_json(about, result, files, **more))
        return
    if seen.failures:
        kinds = [
            f"{entry['designs']:,} {kind}" for kind, entry in seen.failures.items()
        ]
        why = f"'divlearn show {plan.store}' says why."
        remarks = [f"Designs without values: {', '.join(kinds)}; {why}", *remarks]
    typer.echo("\n" + report.summary(result, files, remarks))


def command_to_continue(plan: Plan) -> str:
    """The command that goes on where the study stopped."""
    out = [] if plan.out is None else ["--out", str(plan.out)]
    return shlex.join(["divlearn", "resume", str(plan.store), *out])


def _stopped(plan: Plan) -> str:
    """What Ctrl-C leaves behind."""
    return (
        f"Stopped by Ctrl-C; every outcome is in {plan.store}. To continue:\n"
        f"  {command_to_continue(plan)}"
    )


def _where(plan: Plan) -> str:
    """What can be done with a study that came to its end."""
    text = f"Every evaluation is in {plan.store}; a larger --budget goes on."
    if plan.out is None:
        text += " Add --out DIR to keep the trade-offs as files with a picture of them."
    return text
