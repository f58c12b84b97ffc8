"""Flow shops, the obvious way."""


def finished(order, times):
    """When the job at each place leaves each machine, ``[place][machine]``."""
    end = {}
    for place, job in enumerate(order):
        for machine, time in enumerate(times[job]):
            before = end.get((place - 1, machine), 0)  # the machine's earlier job
            arrived = end.get((place, machine - 1), 0)  # the job's earlier machine
            end[place, machine] = max(before, arrived) + time
    return end


def makespan_and_tardiness(order, times, due):
    """End of the last job, and the sum of all delays."""
    end, last = finished(order, times), len(times[0]) - 1
    done = [end[place, last] for place in range(len(order))]
    delays = [max(0, d - due[job]) for d, job in zip(done, order, strict=True)]
    return max(done), sum(delays)
