"""How torch runs inside a call: quietly, on one thread, from a seed of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from divlearn.errors import MissingExtra


def require_botorch() -> None:
    """Say which extra is missing before anything is evaluated.

    Raises
    ------
    MissingExtra
        If torch or BoTorch cannot be imported.
    """
    for package in ("torch", "botorch"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import_module(package)
        except ImportError as error:
            raise MissingExtra(
                f"this method needs {package}: pip install 'divlearn[bo]'."
            ) from error


@contextmanager
def own_torch(seed: int) -> Iterator[None]:
    """Run torch on one thread with its own random numbers, without warnings.

    Sums over several threads differ in their last bits, and these matrices are too
    small to gain from threads. What was set before is set again afterwards.
    """
    import torch

    threads = torch.get_num_threads()
    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
