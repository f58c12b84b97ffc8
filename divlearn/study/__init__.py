"""Studies: searches in a file, for evaluations that cost minutes or hours."""

from divlearn.study.forking.fork import fork
from divlearn.study.forking.report import ForkReport
from divlearn.study.known import Additions
from divlearn.study.reader import StudyReader
from divlearn.study.replay import NotReproduced, Verification
from divlearn.study.sources import BadRows
from divlearn.study.study import Study
from divlearn.study.summary import Summary, summary
from divlearn.study.trial import Trial
from divlearn.study.trials import Failure

__all__ = [
    "Additions",
    "BadRows",
    "Failure",
    "ForkReport",
    "NotReproduced",
    "Study",
    "StudyReader",
    "Summary",
    "Trial",
    "Verification",
    "fork",
    "summary",
]
