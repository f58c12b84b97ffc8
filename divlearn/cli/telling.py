"""``divlearn tell``: what became of designs, from words or from JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.cli.asking import WrittenStudy, told_json
from divlearn.cli.command import argument, command, flag, option
from divlearn.cli.values import Json, Positive, read_value

#: The name of a file that stands for standard input.
STDIN = "-"


@dataclass(frozen=True, kw_only=True)
class Tell(WrittenStudy):
    r"""Take what became of a design: its values, or why it has none.

    \b
    divlearn tell chip.db 3 1.5 -2             values in the order of 'status'
    divlearn tell chip.db 3 time=1.5 gain=-2   by name, extra metrics as well
    divlearn tell chip.db 3 --failed "no licence"
    divlearn tell chip.db --design JSON 1.5 -2 a design of your own
    divlearn tell chip.db --file -             a JSON list of answers, all or none

    When this returns, the file has it. What was told before changes nothing.
    """

    words: tuple[str, ...] = argument(
        "[ID] [VALUES]...", "Number of a design, and its values.", nargs=-1
    )
    failed: str | None = option(str, "WHY", "The evaluation failed.")
    infeasible: str | None = option(str, "WHY", "The design cannot be evaluated.")
    abandon: bool = flag("There will be no values, and nothing is to be learned.")
    design: Any = option(
        Json(), "DESIGN", "A design of your own, as JSON, instead of ID."
    )
    source: str | None = option(str, "TEXT", "Where values of --design come from.")
    seconds: float | None = option(Positive("60"), "S", "Time of the evaluation.")
    file: str | None = option(
        str, "FILE", "Read answers from a JSON file; - is standard input."
    )

    def execute(self) -> int:
        """Tell."""
        answers = [self._answer()] if self.file is None else self._from_file(self.file)
        with self.opened() as study:
            facts = told_json(study.tell_all(answers), study.pending())
        text = "\n".join(
            f"{row['id']}\t{row['state']}{' (known before)' * row['repeated']}"
            for row in facts["told"]
        )
        return self.say(facts, text)

    def _answer(self) -> dict[str, Any]:
        """What the words say."""
        words = list(self.words)
        answer: dict[str, Any] = {}
        if self.design is not None:
            answer["design"] = self.design
        elif words:
            answer["id"] = _number(words.pop(0))
        else:
            raise InputError(
                "ID must say which design is told, such as 'divlearn tell "
                f"{self.study} 3 1.5 2', or --design, or --file; got nothing."
            )
        whys = {"failed": self.failed, "infeasible": self.infeasible}
        answer |= {name: why for name, why in whys.items() if why is not None}
        answer |= {"abandoned": True} if self.abandon else {}
        if words or not answer.keys() & {"failed", "infeasible", "abandoned"}:
            answer["values"] = _values(words)
        more = {"source": self.source, "seconds": self.seconds}
        return answer | {name: v for name, v in more.items() if v is not None}

    def _from_file(self, name: str) -> list[Any]:
        """Answers that a file holds, one or a list of them."""
        if self.words or self.design is not None:
            raise InputError("--file goes with neither ID and VALUES nor --design.")
        try:
            text = sys.stdin.read() if name == STDIN else Path(name).read_text("utf-8")
            content = json.loads(text)
        except OSError as error:
            raise InputError(
                f"--file {name!r} cannot be read ({error.strerror})."
            ) from None
        except (ValueError, RecursionError) as error:
            raise InputError(
                'FILE must hold JSON such as [{"id": 3, "values": [1.5, 2]}], got '
                f"something else ({error})."
            ) from None
        return content if isinstance(content, list) else [content]


tell = command(Tell, ignore_unknown_options=True)  # numbers below 0 are none


def _number(word: str) -> Any:
    """Number of a design."""
    value = read_value(word)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(
            f"ID must be the number of a design, as 'ask' gave it, got {word!r}."
        )
    return value


def _values(words: list[str]) -> Any:
    """Numbers in their order, or values by name."""
    pairs = [word.partition("=") for word in words]
    named = [name for name, equals, _ in pairs if equals]
    if named and len(named) < len(words):
        raise InputError(
            f"VALUES must all have a name, or none, got {' '.join(words)!r}."
        )
    if named:
        if len(set(named)) < len(named):
            raise InputError(f"VALUES must have each name once, got {words!r}.")
        return {name: read_value(text) for name, _, text in pairs}
    for word in words:
        if word.startswith("--"):
            raise InputError(f"there is no option {word}; see 'divlearn tell --help'.")
    return [read_value(word) for word in words]
