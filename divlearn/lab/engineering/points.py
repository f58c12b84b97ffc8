"""Reference and ideal points, fixed before any methods were compared on the problems.

They follow from fronts of long runs of NSGA-II on instances 0 to 9
(``benchmarks/engineering_points.py``): the reference point is a tenth of their range
beyond the worst, and the ideal point as far beyond the best. Three fronts reach far
beyond what anyone would build (fans of kilowatts, amplifiers without gain, filters that
filter nothing). Their reference points are what an engineer would accept at most, and
that of the classifier is chance. COCO's functions are scaled by themselves.
"""

from __future__ import annotations

from typing import NamedTuple


class Points(NamedTuple):
    """One number per objective, in the order of their names."""

    reference: tuple[float, ...]
    ideal: tuple[float, ...]


_COCO = Points((0.5, 0.5), (-0.65, -0.65))

POINTS = {
    "vessel-6": Points((5.91, 0.29), (1.59, 4.67)),
    "spring-3": Points((1.66, 5.348), (0.04, 4.497)),
    "gearbox-7": Points((6080.0, 1368.0), (2440.0, 535.0)),
    "heatsink-8": Points((0.3, 1.0, 0.3), (-1.8, -4.8, -3.0)),
    "amplifier-10": Points((40.0, 6.0, -2.5, 4.5), (105.0, 8.8, -5.1, 2.1)),
    "converter-11": Points((1.29, 0.7), (-1.02, -1.39)),
    "filter-9": Points((-0.3, 3.4, 40.0), (-4.6, 0.9, 0.0)),
    "reactor-6": Points((0.0, 0.0, 7.8), (3.6, 0.9, 1.2)),
    "learner-13": Points((0.9, 4.4), (0.0, 1.95)),
    "coco-5": _COCO,
    "coco-10": _COCO,
    "coco-20": _COCO,
    "beam-4": Points((1.79, -1.33), (0.02, -3.83)),
    "sphere-8": Points((1.38, 1.43, 1.32), (-0.13, -0.13, -0.12)),
}
