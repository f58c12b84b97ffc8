# ruff: noqa: T201 - a program that prints
"""Runs everything that studies promise at full length, and prints a table.

``make soak`` takes about half an hour; ``python -m tests.soak --only workers,busy``
runs some of it, ``--share 0.1`` a tenth.
"""

import argparse
import importlib.util
import statistics
import sys
import tempfile
import time
from contextlib import redirect_stdout
from types import SimpleNamespace

from benchmarks import study as overhead
from benchmarks import workers as local
from tests.soak import numbers as any_numbers
from tests.soak.fronts import same_fronts
from tests.soak.killed import kill_dask_workers, kill_workers
from tests.soak.killed_spool import kill_spool
from tests.soak.misbehaving import misbehave
from tests.soak.mutated import ROOM, open_all
from tests.soak.mutated_cases import CASES
from tests.soak.mutated_stores import digits_found
from tests.study import kill, kill_fork


class Skipped(Exception):
    """A figure that cannot be had here."""


def coordinator(share):
    """Kill -9 of the coordinator."""
    options = SimpleNamespace(
        kills=max(1, round(200 * share)),
        budget=150,
        workers=2,
        method="dl",
        seed=0,
        patience=0.5,
    )
    seen = kill.main(options)
    yield _killed("coordinator killed", seen), seen["identical"], "the same front"


def forks(share):
    """Kill -9 of a fork."""
    seen = kill_fork.main(SimpleNamespace(moments=max(1, round(500 * share))))
    text = f"a fork killed {sum(seen.values())} times: {seen['whole']} were whole"
    yield text, True, "whole or not there, and the same again"


def workers(share):
    """Kill -9 of workers."""
    seen = kill_workers(max(1, round(50 * share)))
    yield _killed("a worker killed", seen), seen["identical"], "the same front"


def dask(share):
    """Kill -9 of Dask workers."""
    if importlib.util.find_spec("distributed") is None:
        raise Skipped('Dask is not installed: pip install "divlearn[dask]"')
    seen = kill_dask_workers(max(1, round(20 * share)))
    yield _killed("a Dask worker killed", seen), seen["identical"], "the same front"


def spool(share):
    """Kill -9 of coordinators and workers that share a directory."""
    seen = kill_spool(max(1, round(60 * share)))
    text = _killed("coordinators and workers of a spool killed", seen)
    yield text, seen["identical"], "the same front"


def busy(share):
    """An objective that behaves badly."""
    seen = misbehave(max(10, round(500 * share)))
    states = ", ".join(f"{count} {state}" for state, count in seen["states"].items())
    yield f"{seen['evaluations']} bad evaluations: {states}", True, "all end"
    good = seen["busy"] >= 0.9
    yield f"2 workers busy for {seen['busy']:.1%} of the time", good, "at least 90 %"
    yield f"{seen['left']} processes left behind", seen["left"] == 0, "none"
    left = local.measure_killed(max(1, round(20 * share)))
    yield f"{left} left when the coordinator is killed", left == 0, "none"


def fronts(share):
    """One to eight workers."""
    seen = same_fronts(budget=max(10, round(100 * share)))
    text = f"1, 2, 4, 8 workers: {seen['studies']} studies of every space and family"
    yield text, seen["identical"], "the same front"


def costs(share):
    """What a study adds to an evaluation, at n = 100."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        store = 1e3 * statistics.median(overhead.time_store(folder, 100))
        yield f"store, synced to disk: {store:.2f} ms", store < 5, "under 5 ms"
        others = overhead.time_optuna(folder, 100)
    asked = {}
    for method in ("dl", "paper-ts"):
        times = overhead.time_search(100, method)
        asked[method] = 1e3 * statistics.mean(times)
        text = f"ask and tell, {method}: {asked[method]:.2f} ms"
        yield text, asked[method] < 5, "under 5 ms"
    trip = statistics.median(local.measure_round_trip())
    yield f"round trip to a worker: {trip:.2f} ms", trip < 2, "under 2 ms"
    if others is None:
        raise Skipped("Optuna is not installed: pip install optuna")
    ratio = 1e3 * statistics.median(others) / (store + asked["dl"])
    yield f"Optuna with SQLite: {ratio:.0f} times as much", ratio >= 50, "50 times"


def stored(share):
    """A large file."""
    count = max(100, round(100_000 * share))
    for method in ("paper-ts", "dl"):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            seen = overhead.stored(folder, 100, method, count)
        name = f"{count:,} evaluations of {method}"
        size, ready = seen["megabytes"], seen["ready"]
        yield f"{name}: {size:.0f} MB", size < 200, "under 200 MB"
        yield f"{name}: ready to go on in {ready:.1f} s", ready < 20, "under 20 s"
        seconds = seen["verified"].seconds
        good = bool(seen["verified"]) and seconds < 20
        yield f"{name}: replayed from nothing in {seconds:.0f} s", good, "under 20 s"


def files(share):
    """Files that somebody altered."""
    each = max(1, round(160 * share))
    fates, wrong, peak = open_all(CASES, each)
    for line in wrong:
        print(f"python -m tests.soak.mutated {line}")
    many = ", ".join(f"{count:,} {fate}" for fate, count in sorted(fates.items()))
    total = fates.total()
    yield f"{total:,} altered files: {many}", not wrong, "refused, or no harm"
    yield f"at most {peak / 1e6:.0f} MB for them", peak < ROOM, "under 1 GB"


def numbers(share):
    """Values of any size that a float can have."""
    seen = any_numbers.run_watched(max(10, round(2_000 * share)))
    for seed, fault in seen.faults.items():
        print(f"python -m tests.soak.numbers {seed}: {fault}")
    text = f"{len(seen.ran):,} problems of any numbers: {len(seen.faults)} faults"
    yield text, not seen.faults, "no signal, no raw exception, no nan"


def stores(share):
    """Studies that somebody altered."""
    fates, wrong, peak = open_all(["store"], max(10, round(1000 * share)))
    for line in wrong:
        print(f"python -m tests.soak.mutated {line}")
    many = ", ".join(f"{count:,} {fate}" for fate, count in sorted(fates.items()))
    yield (
        f"{fates.total():,} altered studies: {many}",
        not wrong,
        "refused, or the same",
    )
    yield f"at most {peak / 1e6:.0f} MB for them", peak < ROOM, "under 1 GB"
    digits = max(10, round(100 * share))
    found = digits_found(digits)
    yield f"{found} of {digits} changed digits named", found == digits, "all"


FIGURES = {
    "coordinator": coordinator,
    "forks": forks,
    "workers": workers,
    "dask": dask,
    "spool": spool,
    "busy": busy,
    "fronts": fronts,
    "costs": costs,
    "stored": stored,
    "files": files,
    "numbers": numbers,
    "stores": stores,
}


def _killed(what, seen):
    """Say how often something was killed."""
    lost = f", {seen['lost']} evaluations lost" if "lost" in seen else ""
    return f"{what}: {seen['kills']} times, studies: {seen['studies']}{lost}"


def rows_of(name, share):
    """Measure one part; what breaks is a row as well."""
    started = time.monotonic()
    rows = []
    try:
        with redirect_stdout(sys.stderr):  # what the benchmarks tell on the way
            for text, good, bar in FIGURES[name](share):
                rows.append((text, bar, "yes" if good else "NO"))
    except Skipped as why:
        rows.append((f"{name}: skipped, {why}", "", "skipped"))
    except AssertionError as error:
        rows.append((f"{name}: {error}", "", "NO"))
    print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return rows


def main():
    """Measure, and print the table; 1 if a figure is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--only", help=f"some of {','.join(FIGURES)}")
    parser.add_argument("--share", type=float, default=1.0, help="of the full length")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(FIGURES)
    rows = [row for name in names for row in rows_of(name, options.share)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)))
    return int(any(row[2] == "NO" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
