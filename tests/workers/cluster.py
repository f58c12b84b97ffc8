"""A Dask cluster whose scheduler and workers are processes of their own."""

import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


class Cluster:
    """A scheduler at a fixed port, and workers by number."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = None
        self.workers = []

    def start(self, *arguments):
        """Start a part of the cluster."""
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def start_scheduler(self):
        """Start the scheduler, again at the same port."""
        name = "distributed.cli.dask_scheduler"
        host = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.scheduler = self.start(name, *host)

    def start_worker(self):
        """Start a worker without a nanny: it stays dead when it dies."""
        name = "distributed.cli.dask_worker"
        options = ("--no-nanny", "--nthreads", "1", "--no-dashboard")
        self.workers.append(self.start(name, self.address, *options))

    def end(self):
        """End all parts."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster_of(folder, workers):
    """A cluster with a client."""
    import distributed

    cluster = Cluster(folder)
    cluster.start_scheduler()
    try:
        for _ in range(workers):
            cluster.start_worker()
        with distributed.Client(cluster.address, timeout=300) as client:
            client.wait_for_workers(workers, timeout=300)
            yield cluster, client
    finally:
        cluster.end()
