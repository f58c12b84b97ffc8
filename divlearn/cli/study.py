"""A study on the command line: plan it, run it, and tell how it ended."""

from __future__ import annotations

import os
import shlex
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import (
    AnswerError,
    EvaluationError,
    InputError,
    SearchInterrupted,
    TooManyFailures,
)
from divlearn.basics.text import one_line
from divlearn.cli import report
from divlearn.cli.command import SearchCommand
from divlearn.cli.files import require_writable, write_all
from divlearn.cli.origin import Named, budget_without_limit, stop_at_stagnation
from divlearn.cli.output import DONE, FAILED, INTERRUPTED, echo, error_as_json
from divlearn.cli.signals import leaving_at_once, undisturbed

if TYPE_CHECKING:
    from divlearn.problems import Problem
    from divlearn.result import Result
    from divlearn.simulator.known import KnownFile
    from divlearn.study import Study, Summary
    from divlearn.terminal.display import Display

#: Where a problem comes from: a TOML file, or a name or instance files.
TOML, NAMED = "toml", "named"


@dataclass(frozen=True)
class Plan:
    """A study that is to be run.

    Attributes
    ----------
    problem, store
        What is optimized, and in which file.
    origin
        How the problem can be made again, which the file is to remember.
    of_study, of_run
        Arguments of the study and of its run.
    about
        What JSON says of the problem.
    asked
        The command: where to write, and what to show.
    accept_changes
        Whether another simulator may go on with the study.
    known
        Files with designs that were evaluated before.
    """

    problem: Problem
    store: Path
    origin: dict[str, Any]
    of_study: dict[str, Any]
    of_run: dict[str, Any]
    about: dict[str, Any]
    asked: SearchCommand
    accept_changes: bool = False
    known: tuple[KnownFile, ...] = ()


def plan_named(
    source: Named,
    store: Path,
    of_study: dict[str, Any],
    run: dict[str, Any],
    asked: SearchCommand,
) -> Plan:
    """Plan a study of a built-in problem or of instance files.

    ``run`` has what was asked of the run, None for what was left out.
    """
    run = {name: value for name, value in run.items() if value is not None}
    run.setdefault("workers", 0)
    if not {"budget", "seconds", "stagnation"} & run.keys():
        run["budget"] = budget_without_limit(asked.quiet)
    origin = {"kind": NAMED, **source.to_dict(), "run": remembered(run)}
    stop = stop_at_stagnation(run.pop("stagnation", None))
    of_run = {**run, "stop": stop}
    problem = source.open()
    return Plan(problem, store, origin, of_study, of_run, source.about(), asked)


def remembered(run: dict[str, Any]) -> dict[str, Any]:
    """Options that hold when the study is resumed; what failed is retried once."""
    return {name: value for name, value in run.items() if name != "retry_failed"}


def run_plan(make: Callable[[], Plan], as_json: bool) -> int:
    """Run the study that ``make`` plans, show and write; returns the exit code."""
    with leaving_at_once(as_json):
        plan = make()
        if plan.asked.out is not None:
            require_writable(plan.asked.out)
        study = open_study(plan)
    with study:
        take_known(plan, study)
        try:
            # A study handles Ctrl-C itself, once it runs.
            again = {"study": str(plan.store), "resume": command_to_continue(plan)}
            leaving = leaving_at_once(as_json, _stopped(plan), more=again)
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
    from divlearn.study.differences import ChangedStudy

    try:
        study = Study(plan.problem, plan.store, **plan.of_study)
    except ChangedStudy as changed:
        ways = _ways_out(plan, changed.differences)
        raise InputError(f"{changed.refusal}\n{ways}") from None
    try:
        require_same_evaluation(plan, study.origin)
        study.remember(plan.origin)
    except BaseException:
        study.close()
        raise
    return study


def _ways_out(plan: Plan, differences: list[str]) -> str:
    """What to do with a study that was begun with something else."""
    words, end = ["divlearn", "fork", str(plan.store)], ""
    new = [line.split(": new knob")[0] for line in differences if ": new knob" in line]
    if plan.origin["kind"] == TOML:
        words.append(os.path.relpath(plan.origin["file"]))
        words += [word for name in new for word in ("--fill", f"{name}=VALUE")]
        first = "Put it back, or name another file with --store"
    else:
        first = "Name another file with --store"
        end = "\nwith --method M or --seed K."
    return (
        f"{first}. Or begin a new study that knows all evaluations that are still "
        f"valid:\n  {shlex.join(words)}{end}"
    )


def take_known(plan: Plan, study: Study) -> None:
    """Let a study have what the TOML file says is known; say so if that is new."""
    from divlearn.cli.importing import add_known

    for file in plan.known:
        taken = add_known(study, file)
        if taken.known or taken.enqueued or taken.errors:
            echo(str(taken), err=True)


def require_same_evaluation(plan: Plan, before: Any) -> None:
    """Refuse to mix evaluations of two different commands."""
    changed = changed_evaluation(plan.origin, before)
    if changed and not plan.accept_changes:
        raise InputError(
            f"{changed} since the study {str(plan.store)!r} was last run. Put it back; "
            "or name another file with --store; or, if both evaluate alike, go on "
            "with --accept-changes."
        )


def changed_evaluation(now: dict[str, Any], before: Any) -> str:
    """Say what differs between two commands that evaluate; "" if nothing does."""
    evaluated = before.get("evaluate") if isinstance(before, dict) else None
    for part, value in now.get("evaluate", {}).items():
        theirs = (evaluated or {}).get(part, value)
        if value != theirs:
            return (
                f"{part} in [evaluate] of {now['file']!r} has changed from {theirs} to "
                f"{value}"
            )
    return ""


def progress_of(plan: Plan) -> Display:
    """Return what shows the study."""
    if plan.asked.quiet:
        from divlearn.terminal.display import Silent

        class Terse(Silent):
            def say(self, message: str) -> None:
                echo(message, err=True)

        return Terse()
    from divlearn.terminal import choose_progress

    return choose_progress(f"{plan.problem.name} in {plan.store}")


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
    if plan.asked.out is not None and error.result is not None:
        files, _ = write_all(plan.asked.out, error.result)
    place = "" if error.x is None else f"  at x = {error.x}\n"
    echo(
        f"\nError: {message}\n{place}"
        f"{_evaluations(seen.evaluations)} in {plan.store}: 'divlearn show "
        f"{plan.store}'. To continue when the cause is mended:\n"
        f"  {command_to_continue(plan, *_again(error))}",
        err=True,
    )
    if plan.asked.as_json:
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
    if plan.asked.out is not None:
        files, missing = write_all(plan.asked.out, result)
        remarks = [*missing, *remarks]
    if plan.asked.as_json:
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
    out = [] if plan.asked.out is None else ["--out", str(plan.asked.out)]
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
    if plan.asked.out is None:
        text += " Add --out DIR to keep the trade-offs as files with a picture of them."
    return text
