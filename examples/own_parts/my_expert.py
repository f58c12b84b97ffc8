"""An expert of one's own, for the mixture of the paper's method.

divlearn solve bitsp-20 --method paper-ts --set mixture.experts=my_expert:Greedy,exp3
"""

from divlearn.methods.paper.experts import Expert


class Greedy(Expert):
    """Choose what was best so far, and what was never tried before that."""

    name = "greedy"

    @staticmethod
    def score(known, options):
        """Score one action of one position; this is compiled."""
        return known.value if known.visits > 0.0 else 1.0
