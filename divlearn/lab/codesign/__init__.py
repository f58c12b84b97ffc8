"""Hardware-software co-design of HDnn-PIM, an accelerator for edge devices."""

from divlearn.lab.codesign.cost import Costs, Workload, costs_of
from divlearn.lab.codesign.design import Design, design_of
from divlearn.lab.codesign.problem import HDnnPIM
from divlearn.lab.codesign.technology import Technology

__all__ = [
    "Costs",
    "Design",
    "HDnnPIM",
    "Technology",
    "Workload",
    "costs_of",
    "design_of",
]
