"""``divlearn train``: what was asked for."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.extras import need
from divlearn.basics.paths import file_path, require_folder_of
from divlearn.cli.values import read_pairs, read_whole
from divlearn.errors import InputError
from divlearn.lab.baselines.pmoco.plan import Plan
from divlearn.lab.baselines.pmoco.shape import Shape

#: Settings of a training and of a network.
TRAINING = ("steps", "preferences", "instances", "rate", "scalarization")
SHAPE = tuple(field.name for field in fields(Shape))


@dataclass(frozen=True)
class TrainOptions:
    """The options of ``divlearn train`` as they were typed."""

    method: str
    out: str
    problem: str | None = None
    start: str | None = None
    epochs: str | None = None
    seed: str | None = None
    settings: tuple[str, ...] = ()
    quiet: bool = False
    as_json: bool = False
    arguments: tuple[str, ...] = ()


def read_plan(options: TrainOptions) -> Plan:
    """Make a plan; what is not given is as in the file, where that exists.

    Examples
    --------
    >>> read_plan(TrainOptions("pmoco", "new.npz", "bitsp-20", epochs="7")).epochs
    7
    """
    require_one_of("METHOD", options.method, ["pmoco"])
    if Path(options.out).suffix != ".npz":
        raise InputError(f"--out must be a file that ends in .npz, got {options.out}.")
    require_folder_of("--out", file_path("--out", options.out))
    begin = _plan_of_file(options)
    changes: dict[str, Any] = {}
    if options.problem is not None:
        changes["problem"] = options.problem
    if options.epochs is not None:
        changes["epochs"] = read_whole("--epochs", options.epochs, 1, "100")
    if options.seed is not None:
        changes["seed"] = read_whole("--seed", options.seed, 0, "0")
    pairs = read_pairs("--set", options.settings)
    for name in pairs:
        require_one_of("--set", name, (*TRAINING, *SHAPE))
    shape = {name: pairs.pop(name) for name in SHAPE if name in pairs}
    plan = replace(begin, **changes, **pairs, shape=replace(begin.shape, **shape))
    return plan if options.start is None else _begin_with(plan, options.start, shape)


def _begin_with(plan: Plan, start: str, shape: dict[str, Any]) -> Plan:
    """Let a plan begin with another network, whose shape it takes."""
    if shape:
        raise InputError(
            f"--set {next(iter(shape))} cannot be given with --from, because the "
            f"network has the shape of the one in {start}; leave one of them out."
        )
    need("torch", "neural")
    from divlearn.lab.baselines.pmoco.session import begin_with

    return begin_with(plan, start)


def _plan_of_file(options: TrainOptions) -> Plan:
    """Return the plan of the training that the file holds, or a new one."""
    if Path(options.out).exists():
        need("torch", "neural")
        from divlearn.lab.baselines.pmoco.files import read_network

        return read_network(options.out).plan
    if options.problem is None:
        raise InputError(
            f"--problem is needed, because there is no file {options.out} to go on "
            "with; write for example --problem bitsp-20."
        )
    return Plan(options.problem)
