"""Permutations and subsets for trials of Optuna."""

from __future__ import annotations

from optuna.distributions import CategoricalDistribution
from optuna.trial import BaseTrial

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.integration.optuna.parts import Group, Members, Order
from divlearn.spaces import Subset


def suggest_permutation(trial: BaseTrial, name: str, n: int) -> list[int]:
    """Suggest an order of n items.

    :class:`DivlearnSampler` searches orders as such. Other samplers see n floats
    ``name[0]``, ``name[1]``, ..., one per item, whose ascending order it is.

    Parameters
    ----------
    trial
        Any trial of Optuna.
    name
        Name of the permutation. The trial also gets an attribute that shows it.
    n
        Number of items, at least 2.

    Returns
    -------
    The numbers 0 to n - 1 in an order.

    Examples
    --------
    >>> import optuna
    >>> trial = optuna.trial.FixedTrial({"o[0]": 0.7, "o[1]": 0.2, "o[2]": 0.3})
    >>> suggest_permutation(trial, "o", 3)
    [1, 2, 0]
    """
    _require_name(name)
    return _suggested(trial, Order(name, require_whole("n", n, least=2)))


def suggest_subset(
    trial: BaseTrial,
    name: str,
    n: int,
    k: int | None = None,
    *,
    min: int | None = None,  # noqa: A002 - as divlearn.Subset calls it
    max: int | None = None,  # noqa: A002 - as divlearn.Subset calls it
) -> list[int]:
    """Suggest some of n items.

    :class:`DivlearnSampler` searches subsets as such. Other samplers see n parameters
    ``name[0]``, ``name[1]``, ...: bits if any size will do; otherwise floats, of which
    those above 0.5 are chosen, or the greatest where that would be too few or too many.

    Parameters
    ----------
    trial
        Any trial of Optuna.
    name
        Name of the subset. The trial also gets an attribute that shows it.
    n
        Number of items.
    k
        Size of the subset; leave it out to give limits instead.
    min, max
        Least and greatest size; default 0 and n.

    Returns
    -------
    Numbers of the chosen items, ascending.

    Examples
    --------
    >>> import optuna
    >>> trial = optuna.trial.FixedTrial({"s[0]": 0.7, "s[1]": 0.2, "s[2]": 0.8})
    >>> suggest_subset(trial, "s", 3, k=1)
    [2]
    """
    _require_name(name)
    space = Subset(n, k, min=min, max=max)
    return _suggested(trial, Members(name, space.n, space.min, space.max))


def _require_name(name: object) -> None:
    """Refuse a name that is none."""
    if not isinstance(name, str) or not name:
        raise InputError(f"name must be a text that is not empty, got {name!r}.")


def _suggested(trial: BaseTrial, group: Group) -> list[int]:
    """Ask a trial for all parameters of a group, and let it show their meaning."""
    params = {}
    for name, each in group.distributions.items():
        if isinstance(each, CategoricalDistribution):
            params[name] = trial.suggest_categorical(name, each.choices)
        else:
            params[name] = trial.suggest_float(name, 0.0, 1.0)
    chosen: list[int] = group.value(params).tolist()
    trial.set_user_attr(group.label, chosen)
    return chosen
