"""Energy and delay of the digital part by ZigZag, an independent and slow model."""

from __future__ import annotations

from divlearn.errors import MissingExtra
from divlearn.problems.codesign.cost import Costs, Workload
from divlearn.problems.codesign.design import Design
from divlearn.problems.codesign.technology import Technology


def require_zigzag() -> None:
    """Raise MissingExtra with the install command if ZigZag is not there."""
    try:
        import zigzag.api  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            'fidelity="zigzag" needs ZigZag: pip install "divlearn[zigzag]".'
        ) from error


def zigzag_costs(design: Design, technology: Technology, workload: Workload) -> Costs:
    """Costs by ZigZag."""
    raise NotImplementedError
