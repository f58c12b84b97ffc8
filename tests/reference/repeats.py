"""Noisy measurements: lists of them, means by definition, and fronts of the means."""

from tests.reference.archive import as_good, key


def mean(measurements):
    """Plain mean of rows of outputs."""
    return [
        sum(column) / len(measurements) for column in zip(*measurements, strict=True)
    ]


class MeasuredFront:
    """Members with all their measurements; compared by their means, one by one."""

    def __init__(self, num_objectives):
        self.m = num_objectives
        self.members = {}  # name: list of measurements

    def key(self, name):
        """Objectives of a member as they are compared."""
        return key(mean(self.members[name])[: self.m])

    def measure(self, name, outputs):
        """A member again, or a newcomer: it stays if nobody is as good."""
        earlier = self.members.pop(name, [])
        measurements = [*earlier, list(outputs)]
        means = mean(measurements)
        if any(value > 0 for value in means[self.m :]):
            return
        mine = key(means[: self.m])
        if any(as_good(self.key(other), mine) for other in self.members):
            return
        for other in list(self.members):
            if as_good(mine, self.key(other)):
                del self.members[other]
        self.members[name] = measurements
