"""PyTorch, or the command that installs it."""

from __future__ import annotations

from divlearn.errors import MissingExtra


def require_torch() -> None:
    """Raise MissingExtra with the install command if PyTorch is not there."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            'pmoco needs PyTorch: pip install "divlearn[neural]".'
        ) from error
