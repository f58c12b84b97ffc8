"""What tests of whole searches share: small problems, objectives that fail."""

import divlearn as dl


def ones_and_zeros(x):
    """Two counts that exclude each other."""
    return x.sum(), (~x).sum()


def bits(evaluate, n=8, objectives=("a", "b"), **options):
    """A problem over n bits."""
    return dl.Problem(dl.Binary(n), evaluate, objectives, **options)


def two_counts(n=6, **options):
    """Number of ones and of zeros among n bits: every count is on the front."""
    return bits(ones_and_zeros, n, ("ones", "zeros"), **options)


def nobody(x):
    """An objective that must not be called."""
    raise AssertionError


def crash():
    """Fail as a simulator does."""
    raise OSError("licence server unreachable")


def broken_at(count, answer):
    """An objective whose answers from number ``count`` on are other ones."""
    calls = []

    def evaluate(x):
        calls.append(x.copy())
        if len(calls) < count:
            return ones_and_zeros(x)
        return answer() if callable(answer) else answer

    return evaluate, calls


def memory(optimizer):
    """Everything that an optimizer remembers beside its arrays and its clock."""
    return {
        "pending": [
            (c.id, c.codes.tolist(), c.ticket.tolist()) for c in optimizer.pending
        ],
        "failed": sorted(optimizer.under_way.failed),
        "evaluations": optimizer.evaluations,
        "next": optimizer.next_number,
        "settings": optimizer.settings.describe(),
        "method": optimizer.method,
        "seed": optimizer.seed,
        "budget": optimizer.budget,
    }


class Recorder:
    """Shows nothing, but notes how it is called."""

    def __init__(self):
        self.calls, self.updates = [], []

    def __len__(self):
        return 0  # something empty is something given nevertheless

    def compiling(self, what, seconds):
        """Note it."""
        self.calls.append("compiling")

    def say(self, message):
        """Note it."""
        self.calls.append(("say", message))

    def start(self, optimizer, budget, seconds):
        """Note limits and where the search is."""
        self.calls.append(("start", optimizer.evaluations, budget, seconds))

    def update(self, optimizer):
        """Note where the search is."""
        self.updates.append(optimizer.evaluations)

    def finish(self):
        """Note it."""
        self.calls.append("finish")
