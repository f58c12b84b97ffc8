"""``divlearn init``, ``ask``, ``suggest``, ``predict``, ``front`` and ``status``.

Each opens the file of a study, does one thing and closes it. The file is all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.basics.text import as_json as write_json
from divlearn.cli.command import Command, argument, command, flag, option
from divlearn.cli.importing import add_known, problem_of
from divlearn.cli.output import DONE, echo
from divlearn.cli.run import require_method
from divlearn.cli.values import Json, Positive, Whole
from divlearn.methods.budget import SCHEDULE, Budget

if TYPE_CHECKING:
    from divlearn.result.prediction import Prediction
    from divlearn.study import Status as Standing
    from divlearn.study import Study, Told, Trial

#: Seconds that a command waits for another one that has the study open.
WAIT = 60.0


@dataclass(frozen=True, kw_only=True)
class StudyFile(Command):
    """What commands on the file of a study share."""

    study: Path = argument("STUDY", "File of a study, such as chip.db.", type=Path)

    def say(self, facts: dict[str, Any], text: str) -> int:
        """Print facts as JSON, or a text."""
        if self.as_json:
            echo(write_json({"study": str(self.study), **facts}, default=plain))
        elif text:
            echo(text)
        return DONE


@dataclass(frozen=True, kw_only=True)
class WrittenStudy(StudyFile):
    """What commands that write the file share."""

    wait: float | None = option(
        Positive("60"),
        "S",
        "Wait S seconds for another process that has the study open.  [default: 60]",
    )
    method: str | None = option(
        str, "M", "The method of the study, if it is one of your own: module:Name."
    )

    def opened(self, *, to_ask: bool = False) -> Study:
        """Open the study by what its file says."""
        from divlearn.basics.lock import when_free
        from divlearn.study import Study

        if to_ask:  # others wait for what is loaded while the file is open
            import_module("divlearn.study.questions")
        problem = problem_of(self.study)
        wait = WAIT if self.wait is None else self.wait
        return when_free(lambda: Study(problem, self.study, method=self.method), wait)


@dataclass(frozen=True, kw_only=True)
class Init(Command):
    """Begin a study whose designs you evaluate yourself.

    'ask' then gives designs, and 'tell' takes their values. The same command again
    changes nothing.
    """

    toml: str = argument("TOML", "File with the space and the objectives.")
    study: Path = argument("STUDY", "File of the new study.", type=Path)
    budget: Budget = option(
        Whole(1, "150", words=(SCHEDULE,)),
        "N",
        "Plan for N evaluations; 'ask' gives no more than these.",
    )
    seed: int | None = option(
        Whole(0, "1"), "K", "The same seed gives the same designs."
    )
    method: str | None = option(str, "M", "How to search; see 'divlearn methods'.")
    lag: int | None = option(
        Whole(1, "8"),
        "N",
        "Designs that may be without values when the next one is chosen.  [default: 8]",
    )
    unordered: bool = flag(
        "Learn values as they come, not by number: nothing waits, and the designs "
        "depend on the order of asking and telling."
    )

    def execute(self) -> int:
        """Make the file."""
        given = {"seed": self.seed, "method": self.method, "lag": self.lag}
        given["ordered"] = False if self.unordered else None
        seen = begun(self.toml, self.study, self.budget, **given)
        if self.as_json:
            echo(write_json(seen.to_dict(), default=plain))
        else:
            echo(f"{status_text(seen)}\nNext: divlearn ask {self.study}")
        return DONE


@dataclass(frozen=True, kw_only=True)
class Ask(WrittenStudy):
    """Give designs to evaluate, each with its number.

    The file has them from now on; 'tell' takes their values at any time.
    """

    count: int | None = option(
        Whole(1, "4"), "N", "Number of designs.  [default: 1]", names="--count -n"
    )
    budget: Budget = option(
        Whole(1, "200"), "N", "From now on, give no more than N designs in all."
    )

    def execute(self) -> int:
        """Ask."""
        with self.opened(to_ask=True) as study:
            if self.budget is not None:
                study.plan(self.budget)
            found = study.ask(self.count or 1)
        return self.say(candidates_json(found, self.count or 1), candidates_text(found))


@dataclass(frozen=True, kw_only=True)
class Suggest(WrittenStudy):
    """Give designs near one that you have in mind, as 'ask' does.

    Of designs a few moves away, those that a model of all values finds most promising.
    """

    around: Any = option(Json(), "DESIGN", "The design, as JSON.", required=True)
    count: int | None = option(
        Whole(1, "4"), "N", "Number of designs.  [default: 1]", names="--count -n"
    )

    def execute(self) -> int:
        """Suggest."""
        with self.opened(to_ask=True) as study:
            found = study.suggest(self.around, self.count or 1)
        return self.say(candidates_json(found, self.count or 1), candidates_text(found))


@dataclass(frozen=True, kw_only=True)
class Predict(WrittenStudy):
    """Say what designs would be like, and how sure that is.

    By a model of what was evaluated. Nothing is changed.
    """

    designs: tuple[Any, ...] = argument(
        "DESIGN...", "Designs, each as JSON.", nargs=-1, type=Json()
    )
    ids: tuple[int, ...] = option(
        Whole(0, "3"), "ID", "A trial of the study; may be repeated.", multiple=True
    )

    def execute(self) -> int:
        """Predict."""
        if not self.designs and not self.ids:
            raise InputError(
                "DESIGN or --ids must say what to predict, such as "
                "'{\"width\": 3}' or --ids 5; got neither."
            )
        with self.opened() as study:
            known = {trial.number: trial.x for trial in study.trials()}
            if missing := [number for number in self.ids if number not in known]:
                raise InputError(
                    f"--ids must be numbers of trials, 0 to {len(known) - 1}, got "
                    f"{missing[0]}."
                )
            asked = [*(known[number] for number in self.ids), *self.designs]
            found = study.predict(asked)
        facts = {"predictions": [one.to_dict() for one in found]}
        return self.say(facts, "\n".join(map(prediction_text, found)))


@dataclass(frozen=True, kw_only=True)
class Front(StudyFile):
    """List the best trade-offs found so far.

    Each with its number, its values and its design.
    """

    def execute(self) -> int:
        """Read the front."""
        facts = front_json(self.study)
        lines = [
            f"{row['id']}\t{write_json(row['values'])}\t{line(row['x'])}"
            for row in facts["solutions"]
        ]
        return self.say(facts, "\n".join(lines) or "no solution yet")


@dataclass(frozen=True, kw_only=True)
class Status(StudyFile):
    """Say what a study waits for.

    Which designs have no values, and what to do next.
    """

    def execute(self) -> int:
        """Look."""
        from divlearn.study import status

        seen = status(self.study)
        return self.say(seen.to_dict(), status_text(seen))


init, ask, suggest = command(Init), command(Ask), command(Suggest)
predict, front, status = command(Predict), command(Front), command(Status)


def begun(toml: str | Path, path: Path, budget: Any, **given: Any) -> Standing:
    """Begin the study that a TOML file describes, unless it is there already."""
    from divlearn.simulator import load_space
    from divlearn.study import Study, status

    problem, options = load_space(toml)
    known = {name: value for name, value in given.items() if value is not None}
    require_method(toml, {**options.of_study(), **known})
    with Study(problem, path, **{**options.of_study(), **known}) as study:
        if not study.trials():
            planned: Any = options.budget if budget is None else budget
            study.plan(planned)
        for file in options.known:
            add_known(study, file)
    return status(path)


# --- words and data


def plain(value: Any) -> Any:
    """Turn arrays and NumPy numbers into what JSON knows."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def line(x: Any) -> str:
    """A design as one line of JSON."""
    return write_json(x, default=plain)


def candidates_json(found: list[Trial], wanted: int) -> dict[str, Any]:
    """Candidates as data."""
    rows = [{"id": t.number, "x": t.x, "source": t.source} for t in found]
    return {"candidates": rows, "wanted": wanted}


def told_json(told: list[Told], left: list[Trial]) -> dict[str, Any]:
    """What answers came to, as data."""
    rows = [
        {
            "id": one.trial.number,
            "state": one.trial.state,
            "feasible": one.trial.feasible,
            "repeated": one.repeated,
            "late": one.late,
        }
        for one in told
    ]
    return {"told": rows, "pending": [trial.number for trial in left]}


def front_json(path: Path) -> dict[str, Any]:
    """The front as data."""
    from divlearn.study import StudyReader
    from divlearn.study.standing import front_rows

    with StudyReader(path) as reader:
        rows = front_rows(reader.front())
        return {"objectives": reader.objectives, "size": len(rows), "solutions": rows}


def candidates_text(found: list[Trial]) -> str:
    """Candidates, one per line."""
    return "\n".join(f"{trial.number}\t{line(trial.x)}" for trial in found)


def prediction_text(one: Prediction) -> str:
    """A prediction in a few lines."""
    lines = [line(one.x)]
    for name, estimate in one.estimates.items():
        lines.append(
            f"  {name}: {estimate.mean:.6g} ± {estimate.std:.2g}, 90 % within "
            f"{estimate.low:.6g} to {estimate.high:.6g}; the model explains "
            f"{max(0.0, estimate.explained):.0%}"
        )
    if one.measured is not None:
        lines.append(f"  was measured: {write_json(one.measured)}")
    return "\n".join([*lines, *([f"  note: {one.note}"] if one.note else [])])


def status_text(seen: Standing) -> str:
    """What a study waits for, in a few lines."""
    counts = ", ".join(f"{n:,} {state}" for state, n in seen.counts.items())
    of = "" if seen.budget is None else f" of {seen.budget:,}"
    lines = [
        f"{seen.path}: {seen.problem}, {seen.method}, seed {seen.seed}",
        f"  {seen.evaluations:,}{of} evaluations; {counts or 'no candidates yet'}",
        f"  values to tell: {', '.join(seen.values)}",
        f"  front of {seen.front_size:,}",
    ]
    lines += [f"  without values: {t.number}\t{line(t.x)}" for t in seen.pending]
    first = f" {', '.join(map(str, seen.waits_for))} first" if seen.waits_for else ""
    return "\n".join([*lines, f"  next: {seen.next}{first}"])
