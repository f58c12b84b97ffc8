"""``Settings``: every part of the methods as a switch, and the presets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.errors import InputError
from divlearn.methods.dl.differences import Differences
from divlearn.methods.dl.encodings import Encoding
from divlearn.methods.paper.coordination import Coordination
from divlearn.methods.paper.decomposition import Decomposition
from divlearn.methods.paper.experts import (
    EXP3,
    FTRL,
    UCB,
    Expert,
    Learning,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.methods.paper.refinement import Refinement
from divlearn.methods.paper.scalarization import (
    SCALARIZATIONS,
)

#: Divlearn's own methods by name, with a line on each.
PRESETS = {
    "dl": "learning from differences: tables of what a change is worth, search in them",
    "paper-ucb": "Divide and Learn as published: UCB, EXP3 and FTRL experts",
    "paper-ts": "Divide and Learn as published: Thompson sampling and EXP3 experts",
    "uniform": "control: the same search with experts that choose at random",
}
#: Evaluations of the paper's runs.
PAPER_BUDGET = 622_000


def _paper_mixture() -> Mixture:
    return Mixture((UCB(), EXP3(), FTRL()))


@dataclass(frozen=True)
class Settings:
    """How to search. None means: by the paper's table, chosen by problem size.

    Parameters
    ----------
    mixture
        Experts and their shares.
    learning
        When and how the shared tables learn.
    decomposition
        Division into subproblems.
    refinement
        Local refinement inside subproblems.
    coordination
        Dual prices on overlaps; None switches them off.
    scalarization
        ``"weighted-sum"``, ``"tchebycheff"`` or ``"augmented-tchebycheff"``.
    augmentation
        Share of the sum in the augmented form.
    weights
        Number of weight vectors (at least), or the vectors themselves, shape (W, m).
    initial
        Random solutions evaluated first, which set the normalisation; at most a
        fifth of the budget.
    iterations
        T, iterations per weight and visit; None shares the budget evenly, or takes
        the table's where there is no budget.
    sweeps
        Visits to each weight within the budget, each begun by a construction.
    patience
        Iterations without improvement before the experts construct anew.
    construct_every
        c, iterations between constructions whatever happens; 0 for never.
    keep_better
        Continue from a construction only if it beats the incumbent.
    differences
        Learning from differences, the method ``dl``; of the other settings it uses
        ``initial`` and ``refinement.moves``, and refuses changes of the rest. None
        for the paper's method, which uses all others.

    Examples
    --------
    >>> from divlearn import Settings
    >>> from divlearn.methods.paper.refinement import Refinement
    >>> settings = Settings(refinement=Refinement(moves=("reversal",)), patience=5)
    >>> settings.replace(**{"refinement.steps": 10}).refinement.steps
    10
    """

    mixture: Mixture = field(default_factory=_paper_mixture)
    learning: Learning = Learning()
    decomposition: Decomposition = Decomposition()
    refinement: Refinement = Refinement()
    coordination: Coordination | None = Coordination()
    scalarization: str = "weighted-sum"
    augmentation: float = 0.05
    weights: int | Sequence[Sequence[float]] | None = None
    initial: int = 50
    iterations: int | None = None
    sweeps: int = 1
    patience: int | None = None
    construct_every: int = 0
    keep_better: bool = False
    differences: Differences | None = None

    def __post_init__(self) -> None:
        for name in ("mixture", "learning", "decomposition", "refinement"):
            _require_part(name, getattr(self, name))
        for name in ("coordination", "differences"):
            if getattr(self, name) is not None:
                _require_part(name, getattr(self, name))
        require_one_of("scalarization", self.scalarization, SCALARIZATIONS)
        require_number("augmentation", self.augmentation, 0)
        if self.weights is None or not hasattr(self.weights, "__len__"):
            _require_optional_whole("weights", self.weights, 1)
        require_whole("initial", self.initial, 1)
        _require_optional_whole("iterations", self.iterations, 1)
        require_whole("sweeps", self.sweeps, 1)
        _require_optional_whole("patience", self.patience, 1)
        require_whole("construct_every", self.construct_every, 0)
        require_flag("keep_better", self.keep_better)

    def replace(self, **changes: Any) -> Settings:
        """Return a copy with some settings changed.

        Parts are reached by a dot: ``replace(**{"refinement.steps": 10})``. The
        experts are reached as ``experts``.
        """
        own: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        for name, value in changes.items():
            full = "mixture.experts" if name == "experts" else name
            part, _, inner = full.partition(".")
            require_one_of("setting", full, setting_names(), _related_names(part))
            if inner:
                parts.setdefault(part, {})[inner] = value
            else:
                own[part] = value
        for part, inner_changes in parts.items():
            base = own.get(part, getattr(self, part)) or _PARTS[part]()
            own[part] = dataclasses.replace(base, **inner_changes)
        return dataclasses.replace(self, **own)

    def describe(self) -> dict[str, Any]:
        """All settings as plain data that can be written and compared."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}


_PARTS: dict[str, type] = {
    "mixture": Mixture,
    "learning": Learning,
    "decomposition": Decomposition,
    "refinement": Refinement,
    "coordination": Coordination,
    "differences": Differences,
}


def setting_names() -> list[str]:
    """Names that :meth:`Settings.replace` takes, with the parts' own after a dot."""
    names = [f.name for f in dataclasses.fields(Settings)]
    for part, kind in _PARTS.items():
        names += [f"{part}.{f.name}" for f in dataclasses.fields(kind)]
    return names


def _related_names(part: str) -> list[str]:
    """Names of a part's own settings; of all parts and single settings if unknown."""
    return [
        name
        for name in setting_names()
        if name.startswith(f"{part}.") or (part not in _PARTS and "." not in name)
    ]


def settings_for(method: str | Settings) -> Settings:
    """Return the settings of one of divlearn's own methods.

    Examples
    --------
    >>> [expert.name for expert in settings_for("paper-ts").mixture.experts]
    ['thompson', 'exp3']
    """
    if isinstance(method, Settings):
        return method
    require_one_of("method", method, PRESETS)
    if method == "dl":
        return Settings(differences=Differences())
    if method == "paper-ts":
        return Settings(
            mixture=Mixture((Thompson(), EXP3()), third_share=0.0),
            learning=Learning(temperature_decay=0.995),
        )
    if method == "uniform":
        return Settings(mixture=Mixture((Uniform(),)))
    return Settings()


def _require_part(name: str, part: object) -> None:
    """Check that a part of the settings is of its class."""
    kind = _PARTS[name]
    if not isinstance(part, kind):
        raise InputError(f"{name} must be a {kind.__name__}, got {part!r}.")


def _require_optional_whole(name: str, value: object, least: int) -> None:
    """Check a whole number that may be None."""
    if value is not None:
        require_whole(name, value, least)


def _plain(value: Any) -> Any:
    """Turn settings into numbers, strings, lists and dicts."""
    if isinstance(value, Expert):
        plain = value.describe()
        if _EXPERTS.get(value.name, type(value)) is not type(value):
            # A class derived from a built-in expert may have inherited its name.
            plain["class"] = type(value).__qualname__
        return plain
    if isinstance(value, Encoding):
        return value.describe()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {f.name: _plain(getattr(value, f.name)) for f in fields}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


_EXPERTS: dict[str, type[Expert]] = {
    kind.name: kind for kind in (UCB, Thompson, EXP3, FTRL, Uniform)
}


def settings_from(description: Mapping[str, Any]) -> Settings:
    """Make settings from what :meth:`Settings.describe` wrote."""
    data = dict(description)
    for name, kind in _PARTS.items():
        if data.get(name) is not None:
            part = dict(data[name])
            if "experts" in part:
                part["experts"] = tuple(map(_expert_from, part["experts"]))
            _require_built_in(part.get("own_encodings", ()))
            if isinstance(part.get("moves"), list):
                part["moves"] = tuple(part["moves"])
            data[name] = kind(**part)
    return Settings(**data)


def _expert_from(description: Mapping[str, Any]) -> Expert:
    """Make a built-in expert from its description."""
    data = dict(description)
    name = data.pop("expert")
    own = data.get("class", None if name in _EXPERTS else name)
    if own is not None:
        raise InputError(
            f"the expert {own!r} is not one of the built-in ones; pass method= with "
            "the settings that hold it."
        )
    return _EXPERTS[name](**data)


def _require_built_in(encodings: Sequence[Mapping[str, Any]]) -> None:
    """Refuse encodings of a user's own, of which a description is not enough."""
    for description in encodings:
        raise InputError(
            f"the encoding {description['encoding']!r} is not one of the built-in "
            "ones; pass method= with the settings that hold it."
        )
