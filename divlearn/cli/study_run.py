"""A study on the command line: run it, and tell how it ended."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.text import one_line
from divlearn.cli import report
from divlearn.cli.codes import DONE, FAILED, INTERRUPTED, error_as_json
from divlearn.cli.echo import echo
from divlearn.cli.files import require_writable, write_all
from divlearn.cli.signals import leaving_at_once, undisturbed
from divlearn.cli.study_plan import Plan
from divlearn.errors import (
    AnswerError,
    EvaluationError,
    SearchInterrupted,
    TooManyFailures,
)

if TYPE_CHECKING:
    from divlearn.result import Result
    from divlearn.study import Study, Summary
    from divlearn.terminal.display import Progress


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
        except (AnswerError, TooManyFailures) as error:
            return fail(plan, error)
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
        from divlearn.terminal.display import Silent

        silent = Silent()
        silent.say = lambda message: echo(message, err=True)  # type: ignore[method-assign]
        return silent
    from divlearn.terminal import choose_progress

    return choose_progress(plan.title)


@contextmanager
def _warnings_in_words() -> Iterator[None]:
    """Show warnings of the library as a line without file and code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        echo(f"Note: {message}", err=True)

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
        return fail(plan, _nothing(seen, result))
    tell(plan, result, seen, [_where(plan)])
    return DONE


@undisturbed()
def interrupt(plan: Plan, result: Result) -> int:
    """Tell what was found until Ctrl-C, and how to go on."""
    from divlearn.study import summary

    again = command_to_continue(plan)
    remarks = [_stopped(plan)]
    tell(plan, result, summary(plan.store), remarks, resume=again)
    return INTERRUPTED


@undisturbed()
def fail(plan: Plan, error: EvaluationError) -> int:
    """Say why the run stopped before its end, and how to go on."""
    from divlearn.study import summary

    seen = summary(plan.store)
    message = _in_options(str(error))
    files: dict[str, Path] = {}
    if plan.out is not None and error.result is not None:
        files, _ = write_all(plan.out, error.result)
    place = "" if error.x is None else f"  at x = {error.x}\n"
    echo(
        f"\nError: {message}\n{place}"
        f"{_evaluations(seen.evaluations)} in {plan.store}: 'divlearn show "
        f"{plan.store}'. To continue when the cause is mended:\n"
        f"  {command_to_continue(plan, *_again(error))}",
        err=True,
    )
    if plan.as_json:
        facts = {"study": str(plan.store), "evaluations": seen.evaluations}
        more = {"counts": seen.counts, "failures": seen.failures}
        names = {name: str(path) for name, path in files.items()}
        more |= {"reasons": seen.reasons, "files": names}
        echo(error_as_json(message, FAILED, x=str(error.x), **facts, **more))
    return FAILED


def _nothing(seen: Summary, result: Result) -> TooManyFailures:
    """The error of a run that came to its end without one design with values."""
    reason = seen.reasons[0]
    error = TooManyFailures(
        f"none of {seen.evaluations:,} evaluations gave values; the most frequent "
        f"message ({reason['count']:,} of them): {one_line(reason['message'], 800)}"
    )
    error.result = result
    return error


def _evaluations(number: int) -> str:
    """So many evaluations are, in words."""
    return "One evaluation is" if number == 1 else f"{number:,} evaluations are"


def _again(error: EvaluationError) -> tuple[str, ...]:
    """What to add to the command that goes on."""
    return ("--retry-failed",) if isinstance(error, TooManyFailures) else ()


def _in_options(message: str) -> str:
    """A message of the library, with options instead of arguments."""
    words = {
        "retry_failed=True": "--retry-failed",
        'max_failures="never"': "--max-failures never",
    }
    for argument, option in words.items():
        message = message.replace(argument, option)
    return message


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
        why = {"failures": seen.failures, "reasons": seen.reasons}
        about = {**plan.about, **facts, **why}
        echo(report.as_json(about, result, files, **more))
        return
    if {"failed", "timed out"} & seen.failures.keys():
        again = command_to_continue(plan, "--retry-failed")
        remarks = [f"To evaluate again what failed: {again}", *remarks]
    echo("\n" + report.summary(result, files, remarks))


def command_to_continue(plan: Plan, *more: str) -> str:
    """The command that goes on where the study stopped."""
    out = [] if plan.out is None else ["--out", str(plan.out)]
    return shlex.join(["divlearn", "resume", str(plan.store), *more, *out])


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
