"""Hosts that can be cut off: network namespaces on a bridge of their own."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager


def run(*command):
    """Run ``ip``; raises with what it says."""
    done = subprocess.run(["ip", *command], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise OSError(f"ip {' '.join(command)}: {done.stderr.strip()}")


def why_not():
    """Why there can be no such hosts here; empty if there can."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return "needs Linux and the command ip"
    try:
        with network("a", "b"):
            return ""
    except OSError as error:
        return f"network namespaces cannot be made here ({error})"


class Network:
    """Hosts by name, and the cables to them.

    Parameters
    ----------
    names
        Names of the hosts, of a few letters.
    """

    def __init__(self, *names):
        self.hub = f"dl{os.getpid()}"
        self.names = names
        self.processes = []

    def make(self):
        """Make the bridge, the hosts and the cables."""
        run("netns", "add", self.hub)
        run("-n", self.hub, "link", "add", "bridge", "type", "bridge")
        run("-n", self.hub, "link", "set", "bridge", "up")
        for name in self.names:
            host = self.host(name)
            run("netns", "add", host)
            run("-n", host, "link", "set", "lo", "up")
            ends = ("link", "add", "eth0", "netns", host, "type", "veth")
            run("-n", self.hub, *ends, "peer", "name", name, "netns", self.hub)
            run("-n", self.hub, "link", "set", "dev", name, "master", "bridge")
            run("-n", self.hub, "link", "set", "dev", name, "up")
            run("-n", host, "address", "add", f"{self.address(name)}/24", "dev", "eth0")
            run("-n", host, "link", "set", "dev", "eth0", "up")

    def host(self, name):
        """The namespace of a host."""
        return f"{self.hub}-{name}"

    def address(self, name):
        """The address of a host, within this network alone."""
        return f"10.99.0.{self.names.index(name) + 1}"

    def cut(self, name):
        """Pull the cable of a host."""
        run("-n", self.hub, "link", "set", "dev", name, "down")

    def mend(self, name):
        """Plug it in again."""
        run("-n", self.hub, "link", "set", "dev", name, "up")

    def start(self, name, *command, **more):
        """Start a process on a host; it ends with the network."""
        inside = ["ip", "netns", "exec", self.host(name), *command]
        process = subprocess.Popen(inside, start_new_session=True, **more)
        self.processes.append(process)
        return process

    def members(self, name):
        """Processes on a host."""
        found = ["ip", "netns", "pids", self.host(name)]
        done = subprocess.run(found, capture_output=True, text=True, check=False)
        return [int(pid) for pid in done.stdout.split()]

    def kill(self, name):
        """Kill all processes on a host, as by a loss of power."""
        while pids := self.members(name):
            for pid in pids:
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    continue
            for process in self.processes:
                process.poll()

    def remove(self):
        """End what runs there, and remove it."""
        for name in self.names:
            self.kill(name)
        for process in self.processes:
            process.wait()
        for space in (*map(self.host, self.names), self.hub):
            subprocess.run(
                ["ip", "netns", "delete", space], capture_output=True, check=False
            )


@contextmanager
def network(*names):
    """Hosts, for a while."""
    made = Network(*names)
    try:
        made.make()
        yield made
    finally:
        made.remove()
