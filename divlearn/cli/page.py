"""``divlearn dashboard`` and ``divlearn report``: studies on a page, or in one file."""

from __future__ import annotations

import json
from dataclasses import dataclass

from divlearn.cli.command import Command, argument, command, flag, option
from divlearn.cli.output import DONE, echo
from divlearn.cli.values import Whole


@dataclass(frozen=True, kw_only=True)
class Report(Command):
    """Write a study, a result or a benchmark as one HTML file to mail.

    It opens in any browser, without a network; it can be read without JavaScript, and
    printed.
    """

    source: str = argument("SOURCE", "A study, a saved result, or a benchmark's store.")
    file: str = argument("FILE", "HTML file to write, such as report.html.")
    quick: bool = flag("Do not work out what matters, which takes some seconds.")

    def execute(self) -> int:
        """Write the file and say how large it is."""
        from pathlib import Path

        from divlearn.web.report import write_report

        write_report(self.source, self.file, matters=not self.quick)
        size = Path(self.file).stat().st_size
        if self.as_json:
            echo(json.dumps({"written": self.file, "bytes": size}))
        else:
            echo(f"{self.file}: {size / 1e6:.2f} MB; open it in a browser, or mail it")
        return DONE


@dataclass(frozen=True, kw_only=True)
class Dashboard(Command):
    """Show studies and results on a live page.

    Nothing is written but favourites, to a file beside each study. The page is for
    this computer only, unless --host says otherwise.
    """

    paths: tuple[str, ...] = argument(
        "PATH...", "Studies, results, or folders with some.", nargs=-1, required=True
    )
    port: int | None = option(
        Whole(0, "8080"), "N", "Port to listen on; 0 for any.  [default: 8080]"
    )
    host: str | None = option(
        str, "ADDRESS", "Address to listen on.  [default: 127.0.0.1]"
    )
    token: str | None = option(
        str, "TEXT", "Token to ask for, instead of a new one at every start."
    )
    no_browser: bool = flag("Do not open a browser.")

    def execute(self) -> int:
        """Serve the page until Ctrl-C."""
        from divlearn.web.server import serve

        port = 8080 if self.port is None else self.port
        host = self.host or "127.0.0.1"
        serve(self.paths, host, port, self.token, not self.no_browser, self._tell)
        return DONE

    def _tell(self, address: str, words: str) -> None:
        """Say where the page is."""
        echo(json.dumps({"address": address}) if self.as_json else words)


report = command(Report)
dashboard = command(Dashboard)
