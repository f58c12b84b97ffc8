"""Objectives that behave badly, for workers to survive."""

import os
import signal
import subprocess
import sys
import time

import divlearn as dl
from tests.workers.processes import MARK


def misbehave(x):
    """Do what the solution says."""
    return DEEDS[x]()


def nothing():
    """Give a plain answer."""
    return 1.0, 2.0


def hang():
    """Never come back."""
    time.sleep(600)


def hang_deaf():
    """Never come back, whatever is asked politely."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def die():
    """End the process without a word."""
    os._exit(7)


def die_by_signal():
    """Be killed, as by a system that is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def leave():
    """Call the exit of Python."""
    sys.exit(3)


def refuse():
    """Say that there is no such design."""
    raise dl.InvalidDesign("no such chip")


def stumble():
    """Have a bug."""
    raise KeyError("watts")


def shout():
    """Write to standard output, below Python and in it."""
    os.write(1, b"[1, 2]\n" * 100)
    sys.stdout.write('["ok", [9.0, 9.0], 0.0, ""]\n' * 100)
    return nothing()


def come_back_twice():
    """Fork, and return from both."""
    os.fork()
    return nothing()


def leave_family():
    """Start a child, a grandchild and a daemon that has left, and hang."""
    script = "import time; time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", script, MARK])
    if os.fork() == 0:
        os.setsid()
        if os.fork() > 0:
            os._exit(0)
        subprocess.Popen([sys.executable, "-c", script, MARK])
        time.sleep(600)
    return hang()


DEEDS = {
    "well": nothing,
    "hang": hang,
    "hang deaf": hang_deaf,
    "die": die,
    "die by signal": die_by_signal,
    "leave": leave,
    "refuse": refuse,
    "stumble": stumble,
    "shout": shout,
    "twice": come_back_twice,
    "family": leave_family,
    "nan": lambda: (1.0, float("nan")),
    "infinite": lambda: (float("inf"), 0.0),
    "few": lambda: (1.0,),
    "none": lambda: None,
    "text": lambda: (1.0, "many"),
    "pid": lambda: (os.getpid(), 0.0),
    "random": lambda: _random_numbers(),
}


def _random_numbers():
    """Draw from both global generators."""
    import random

    import numpy as np

    return random.random(), np.random.random()  # noqa: NPY002


SPACE = dl.Categorical(list(DEEDS))
PROBLEM = dl.Problem(SPACE, misbehave, ["time", "power"])
