# ruff: noqa: T201 - a simulator prints
"""A simulator that does what its design says, for tests."""

import json
import os
import subprocess
import sys
import time

MARK = os.environ.get("DIVLEARN_TEST_MARK", "")
HANG = [sys.executable, "-c", "import time; time.sleep(600)", MARK]


def answer(design):
    """Metrics of a design."""
    width = design["width"]
    return {"time": 8.0 / width, "area": float(width * width), "log": "fine"}


def misbehave(deed, design):
    """Print something, or end in a bad way."""
    if deed == "well":
        print("a line of log")
        print(json.dumps(answer(design)))
    elif deed == "exit":
        print("half a result")
        print("first\nno licence left", file=sys.stderr)
        sys.exit(4)
    elif deed == "garbage":
        print("Segmentation fault")
    elif deed == "few":
        print('{"time": 1.0}')
    elif deed == "nan":
        print('{"time": NaN, "area": 1.0}')
    elif deed == "huge":
        print('{"time": 1%s, "area": 1.0}' % ("0" * 400))
    elif deed == "text":
        print('{"time": "fast", "area": 1.0}')
    elif deed == "true":
        print('{"time": true, "area": 1.0}')
    elif deed == "list":
        print("[1.0, 2.0]")
    elif deed == "infeasible":
        print('{"infeasible": "does not fit"}')
    elif deed == "error":
        print('{"error": "table missing"}')
    elif deed == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    elif deed == "hang":
        time.sleep(600)
    elif deed == "family":
        leave_family()
        time.sleep(600)
    elif deed == "orphan":
        leave_family()
        print(json.dumps(answer(design)))
    elif deed == "detached":
        leave_detached()
        print(json.dumps(answer(design)))
    elif deed == "link":
        os.symlink("/etc/passwd", "metrics.json")
    elif deed == "file":
        with open("metrics.json", "w") as file:
            json.dump(answer(design), file)
        os.symlink("/dev/null", "stdout.txt")


def leave_family():
    """Start a child, and a daemon that has left the group."""
    subprocess.Popen(HANG)
    subprocess.Popen(HANG, start_new_session=True)


def leave_detached():
    """Start what keeps our streams and can be found by nothing of ours."""
    command = ["env", "-i", *HANG]
    child = subprocess.Popen(command, start_new_session=True)
    # Until it has its own environment; while a program is being loaded it seems to have
    # none, and is still `env`, with ours.
    while not _contents(child.pid, "cmdline").startswith(HANG[0].encode()):
        time.sleep(0.01)
    while _contents(child.pid, "environ"):
        time.sleep(0.01)


def _contents(pid, name):
    """What the system says of a process."""
    with open(f"/proc/{pid}/{name}", "rb") as file:
        return file.read()


def main():
    """Evaluate one design, or many line by line."""
    if "lines" in sys.argv:
        for line in sys.stdin:
            question = json.loads(line)
            design = question["design"]
            deed = design["deed"]
            if deed == "hangup":
                leave_detached()
                return
            if deed == "detached":
                leave_detached()
                print(json.dumps(answer(design)))
                return
            if deed == "seed":
                print(json.dumps({"time": os.getpid(), "area": question["seed"]}))
            else:
                misbehave("one line" if deed == "well" else deed, design)
            if deed == "spaced":
                print("\n")
            if deed in ("well", "twice", "spaced", "once"):
                print(json.dumps({**answer(design), "time": os.getpid()}))
            if deed == "twice":
                print(json.dumps(answer(design)))
            if deed == "spaced":
                print()
            sys.stdout.flush()
            if deed == "once":
                return
        return
    design = json.load(sys.stdin)
    with open("design.json") as file:
        assert json.load(file) == design
    if design["deed"] == "arguments":
        with open(sys.argv[1]) as file:
            assert json.load(file) == design
        same = os.path.realpath(os.getcwd()) == os.path.realpath(sys.argv[2])
        seeds = float(sys.argv[3]) + float(os.environ["DIVLEARN_SEED"])
        print(
            json.dumps({"time": float(same), "area": seeds + len(os.environ["KIND"])})
        )
    else:
        misbehave(design["deed"], design)


if __name__ == "__main__":
    main()
