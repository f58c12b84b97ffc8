"""Measure the page: first paint, interactions, memory, and what it costs a study.

    python benchmarks/dashboard.py [--evaluations 100000] [--front 10000]

It makes a study of so many evaluations with so large a front, and nine small ones,
serves all ten, and opens the page in Chromium before anything was read. Then a study
runs alone and with the page open, in turns. Times until something is painted depend on
what else the machine does; processor time does so far less, and stands beside them.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import numpy as np

import divlearn as dl
from divlearn.spaces.packing import Packing
from divlearn.study.store import Store
from divlearn.study.store.rows import candidate_row, outcome_row
from divlearn.study.store.schema import CANDIDATES, OUTCOMES
from divlearn.study.trial import Trial
from divlearn.web.sources import find

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
#: Interactions, each a script that does one; the time until it is painted counts.
ACTIONS = {
    "arrow key": "press('ArrowRight')",
    "point under the mouse": "chart.point((chart.hover + 101) % size)",
    "slider of an objective": "slide(-25)",
    "choose the knee": "document.querySelector('.group button').click()",
    "next page of the table": "named('Next').click()",
}
TIMED = """async () => {
    const slider = document.querySelector(".plot[role=slider]");
    const limit = document.querySelector("input[aria-label^='most']");
    const chart = slider.scatter;
    const size = chart.state.front.size;
    const press = (key) => slider.dispatchEvent(new KeyboardEvent("keydown", { key }));
    const named = (name) =>
        [...document.querySelectorAll("button")].find((b) => b.textContent === name);
    const slide = (by) => {
        limit.value = Number(limit.value) + by;
        limit.dispatchEvent(new Event("input"));
    };
    const times = [];
    for (let k = 0; k < 25; k += 1) {
        const start = performance.now();
        %s;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def space():
    """Six numbers, of which the study's trials are made."""
    return dl.Integer(0, 1000, n=6)


def problem():
    """A quick problem of two objectives."""
    return dl.Problem(
        space(),
        lambda x: (float(x[0]), float(x.sum() - 2 * x[0])),
        ["cost", "time"],
        reference=(6_000, 6_000),
        name="quick",
    )


def make(path, evaluations, front):
    """Write a study with so many outcomes, of which so many are on the front."""
    with dl.Study(problem(), path, method="random") as study:
        study.run(1, workers=0, progress=False)
    rng = np.random.default_rng(0)
    share = rng.permutation(evaluations) < front
    place = rng.random(evaluations)
    away = np.where(share, 0.0, rng.random(evaluations) * 0.5 + 1e-3)
    values = np.column_stack([place, 1 - np.sqrt(place)]) + away[:, None]
    packing, codes = Packing(space()), rng.integers(0, 1001, (evaluations, 6))
    with Store(path) as store:
        store.note(target=2 * evaluations)
        for start in range(1, evaluations, 5_000):
            rows = range(start, min(start + 5_000, evaluations))
            trials = [_trial(i, values[i], codes[i], packing) for i in rows]
            store._write(
                False,
                (
                    CANDIDATES.insert,
                    [CANDIDATES.write(candidate_row(t)) for t in trials],
                ),
                (
                    OUTCOMES.insert,
                    [OUTCOMES.write(outcome_row(t.number + 1, t)) for t in trials],
                ),
            )


def _trial(number, values, codes, packing):
    """A trial that has ended."""
    trial = Trial(number, x=codes, state="ok", asked=1e9 + number, ended=1e9 + number)
    trial.f, trial.g = dict(zip(("cost", "time"), values.tolist(), strict=True)), {}
    trial.codes = packing.pack(codes)
    trial.attempts, trial.replicates, trial.seconds = 1, 1, 0.5
    trial.worker, trial.at = f"local-{number % 4}", float(number)
    return trial


class Server:
    """The page in a process of its own."""

    def __init__(self, *paths):
        command = [sys.executable, "-m", "divlearn", "dashboard", *map(str, paths)]
        command += ["--port", "0", "--no-browser", "--token", "bench"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = line.split()[-1].partition("?")[0]

    def megabytes(self):
        """The most memory that it ever had."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition("VmHWM:")[2].split()[0]) / 1024

    def seconds(self):
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        ticks = sum(map(int, fields.split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def ask(self, path):
        """An answer as data."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def end(self):
        """Stop it."""
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def used_by_browsers():
    """Processor time of all browsers that this process has started."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:
            continue
        head, _, fields = text.rpartition(")")
        pid, parts = int(folder.name), fields.split()
        names[pid] = head.partition("(")[2], sum(map(int, parts[11:13]))
        parents[pid] = int(parts[1])

    def is_mine(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    ticks = (t for pid, (name, t) in names.items() if "chrom" in name and is_mine(pid))
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def in_browser(server, study):
    """First paint and interactions, in seconds."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=OPTIONS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        began = time.perf_counter()
        page.goto(f"{server.address}#/{study}")
        page.locator(".plot[role=slider]:not([aria-valuemax='0'])").wait_for()
        some = time.perf_counter() - began
        page.locator(".head .pill", has_not_text="reading").wait_for()
        page.locator(".limit-grid").nth(1).wait_for()
        shown = time.perf_counter() - began
        paint = page.evaluate(
            "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        print(f"first paint {paint / 1000:.2f} s after the page was asked for,")
        print(f"  some of the front {some:.2f} s, all with knobs {shown:.2f} s")
        print("until painted: median (least to most); processor time of Chromium")
        for name, action in ACTIONS.items():
            before = used_by_browsers()
            times = page.evaluate(TIMED % action)
            used = 1000 * (used_by_browsers() - before) / len(times)
            spread = f"{median(times):.0f} ms ({min(times):.0f} to {max(times):.0f})"
            print(f"  {name}: {spread}, {used:.0f} ms")
        browser.close()


def run_here(path, step):
    """Run a study step by step; print the processor time of each when it is asked."""
    with dl.Study(problem(), path, method="random", seed=1) as study:
        for k, _ in enumerate(sys.stdin):
            began, used = time.perf_counter(), time.process_time()
            study.run((k + 1) * step, workers=0, progress=False)
            took = time.perf_counter() - began, time.process_time() - used
            print(*took, flush=True)


class Running:
    """A study in a process of its own, that runs so many evaluations at a time."""

    def __init__(self, path, step):
        order = [sys.executable, __file__, "--step", str(step), "--only", str(path)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(order, **pipes)

    def step(self):
        """Seconds and processor time of the next evaluations."""
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return np.array([float(n) for n in self._process.stdout.readline().split()])

    def end(self):
        """Stop it."""
        self._process.communicate(timeout=60)


class Visitor(threading.Thread):
    """Somebody who has the page of a study open: asks what the page asks."""

    def __init__(self, server, label):
        super().__init__(daemon=True)
        self._server, self._label = server, label
        self._line = HTTPConnection(urlsplit(server.address).netloc)
        self.there = threading.Event()

    def run(self):
        """Follow the events, and ask for the study at each."""
        have = -1
        self._line.request("GET", "/api/events")
        with self._line.getresponse() as events:
            for line in events:
                if not line.startswith(b"data:"):
                    continue
                self.there.set()
                heads = json.loads(line[5:])["heads"]
                ids = [one["id"] for one in heads if one["label"] == self._label]
                for name in ids:
                    self._server.ask(f"api/{name}/body")
                    front = self._server.ask(f"api/{name}/front?have={have}")
                    have = front.get("version", -1)

    def leave(self):
        """Go away, and wait until the server has noticed."""
        if self.is_alive():
            self._line.sock.shutdown(socket.SHUT_RDWR)
            self.join(20)
            time.sleep(1.5)


def slowdown(folder, step, rounds):
    """How much more a study needs while somebody has its page open."""
    path = folder / "watched" / "watched.db"
    path.parent.mkdir()
    study, server = Running(path, step), Server(path.parent)
    pairs, loads = [], []
    try:
        study.step()  # imports, and the file
        for k in range(rounds):
            found = {}
            for watched in (k % 2 == 0, k % 2 == 1):  # either first, in turns
                found[watched] = step_of(study, server, path.name, watched)
            (seconds, used, load), (alone, plain, _) = found[True], found[False]
            pairs.append((used / plain, seconds / alone))
            loads.append(load / seconds)
    finally:
        study.end()
        server.end()
    print(f"{step:,} quick evaluations with the page open / alone, {rounds} pairs:")
    for name, column in zip(("processor time", "time"), np.array(pairs).T, strict=True):
        low, high = interval(column)
        middle = f"median {median(column):.3f} (95 %: {low:.3f} to {high:.3f})"
        print(f"  {name} of the study: {middle}")
    print(f"  the server needs {median(loads):.1%} of a processor meanwhile")


def step_of(study, server, label, watched):
    """Seconds, processor time, and that of the server, of one step of a study."""
    visitor = Visitor(server, label)
    if watched:
        visitor.start()
        visitor.there.wait(20)
    before = server.seconds()
    seconds, used = study.step()
    spent = server.seconds() - before
    visitor.leave()
    return seconds, used, spent


def interval(values, draws=2_000):
    """Where the median lies, by drawing from the values again and again."""
    rng = np.random.default_rng(0)
    drawn = np.median(rng.choice(values, (draws, len(values))), axis=1)
    return np.quantile(drawn, [0.025, 0.975])


def main():
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--front", type=int, default=10_000)
    parser.add_argument("--step", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", help="run one study in this file, and say its time")
    asked = parser.parse_args()
    if asked.only:
        run_here(asked.only, asked.step)
        return
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors; the load of the last minute was {load:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "runs").mkdir()
        make(folder / "runs" / "large.db", asked.evaluations, asked.front)
        for k in range(9):
            make(folder / "runs" / f"small-{k}.db", 500, 50)
        server = Server(folder / "runs")
        try:
            look_at(server, folder / "runs")
        finally:
            server.end()
        if asked.rounds:
            slowdown(folder, asked.step, asked.rounds)


def look_at(server, folder):
    """Read, paint and use the page of ten studies."""
    (large,) = (one for one in find([folder]) if one.path.name == "large.db")
    in_browser(server, large.id)
    heads = server.ask("api/heads")["heads"]
    (head,) = (one for one in heads if one["id"] == large.id)
    print(f"{len(heads)} studies, the largest of {head['evaluations']:,} evaluations")
    print(f"  with {head['front_size']:,} on its front; the server has needed")
    print(f"  {server.seconds():.2f} s of processor time, {server.megabytes():.0f} MB")


if __name__ == "__main__":
    main()
