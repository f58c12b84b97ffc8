"""Statistics over many runs."""

from divlearn.metrics.statistics.comparison import Comparison, compare
from divlearn.metrics.statistics.student import student_quantile
from divlearn.metrics.statistics.summary import Summary, summarize
from divlearn.metrics.statistics.wilcoxon import wilcoxon_signed_rank

__all__ = [
    "Comparison",
    "Summary",
    "compare",
    "student_quantile",
    "summarize",
    "wilcoxon_signed_rank",
]
