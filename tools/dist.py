"""Builds what is published into ``dist/``, and checks it: ``make dist``.

Three files: the sources; the usual wheel, built from these sources alone; and a wheel
that holds machine code as well, so that a first search starts at once. For the third,
all kernels are compiled in a copy of the second for processors of the kind x86-64-v3
(Intel from Haswell, AMD from Excavator on). It is for this system and this version of
Python; on any other processor, or with another numba, kernels are compiled as usual.
Takes some minutes; ``--plain`` does without the third.

The first two are then installed into new environments, where a search has to run.
"""

import argparse
import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: Sources and usual wheel are at most so large, in bytes.
LARGEST = 3_000_000
#: What a first user does; runs in a new environment, without the repository.
TRY = """
import divlearn as dl
for name in dl.__all__:
    getattr(dl, name)
problem = dl.problems.get("bikp-20")
result = dl.solve(problem, budget=200, seed=0)
assert len(result) > 1 and result.evaluations == 200
print(result)
"""
PROCESSOR = "x86-64-v3"
#: What such a processor can do, in LLVM's words.
NEEDS = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
#: Asks numba how it will call the machine code that it makes.
ASK = """
import json
from numba.core.registry import cpu_target
print(json.dumps(cpu_target.target_context.codegen().magic_tuple()))
"""


def build(kind, source, folder):
    """Build ``"sdist"`` or ``"wheel"`` of a source tree; return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder]
    subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)
    (file,) = Path(folder).glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return file


def build_plain(folder):
    """Build the sources, and the wheel from nothing but these; return both."""
    sources = build("sdist", ROOT, folder / "sdist")
    with tarfile.open(sources) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (tree,) = (folder / "unpacked").iterdir()
    return sources, build("wheel", tree, folder / "wheel")


def check(files):
    """Ask the tools that know what an index and an installer expect."""
    python = [sys.executable, "-m"]
    wheels = [file for file in files if file.suffix == ".whl"]
    subprocess.run([*python, "twine", "check", "--strict", *files], check=True)
    subprocess.run([*python, "check_wheel_contents", *wheels], check=True)
    for file in files:
        size = file.stat().st_size
        if size > LARGEST:
            sys.exit(f"{file.name} has {size:,} bytes, more than {LARGEST:,}")


def try_out(file, scratch):
    """Install a file into a new environment and search there."""
    place = Path(scratch, f"try-{file.suffix[1:]}")
    venv.create(place, with_pip=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    install = ["-m", "pip", "install", "-qq", "--disable-pip-version-check", file]
    for code in (install, ["-m", "divlearn", "--version"], ["-c", TRY]):
        subprocess.run([python, *code], cwd=place, env=environment, check=True)


def compile_all(tree):
    """Compile all kernels of a package in a folder, beside their files."""
    environment = os.environ | {
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CPU_NAME": PROCESSOR,
        "NUMBA_CPU_FEATURES": "",
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    for code in (["-m", "divlearn", "warm"], ["-c", ASK]):
        command = [sys.executable, *code]
        done = subprocess.run(
            command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE
        )
    note = {"magic": json.loads(done.stdout), "needs": NEEDS}
    (tree / "divlearn/kernels/machine_code.json").write_text(json.dumps(note))


def tag():
    """For which Python and which system the machine code is."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{system}"


def pack(tree, target):
    """Write a folder as a wheel for this system; its list of files is made anew."""
    (info,) = tree.glob("*.dist-info")
    kept = [
        line
        for line in (info / "WHEEL").read_text().splitlines()
        if line and not line.startswith(("Tag", "Root"))
    ]
    lines = [*kept, "Root-Is-Purelib: false", f"Tag: {tag()}", ""]
    (info / "WHEEL").write_text("\n".join(lines))
    record = info / "RECORD"
    record.unlink()
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    listed = io.StringIO()
    rows = csv.writer(listed, lineterminator="\n")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            content, name = path.read_bytes(), path.relative_to(tree).as_posix()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
            rows.writerow([name, f"sha256={digest.decode().rstrip('=')}", len(content)])
            archive.writestr(name, content)
        name = record.relative_to(tree).as_posix()
        rows.writerow([name, "", ""])
        archive.writestr(name, listed.getvalue())


def with_machine_code(plain, scratch, folder):
    """Make the third file of the second."""
    tree = Path(scratch, "tree")
    with zipfile.ZipFile(plain) as archive:
        archive.extractall(tree)
    compile_all(tree)
    name, version, *_ = plain.name.split("-")
    target = folder / f"{name}-{version}-{tag()}.whl"
    pack(tree, target)
    return target


def main():
    """Build into ``dist/``; nothing is there before everything has been checked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plain", action="store_true", help="no machine code")
    plain_only = parser.parse_args().plain
    if not plain_only and sysconfig.get_platform() != "linux-x86_64":
        sys.exit(
            "make dist builds machine code for linux-x86_64, this is "
            f"{sysconfig.get_platform()}; the rest works everywhere: "
            "python tools/dist.py --plain"
        )
    with tempfile.TemporaryDirectory() as scratch:
        files = list(build_plain(Path(scratch)))
        check(files)
        for file in files:
            try_out(file, scratch)
        if not plain_only:
            files.append(with_machine_code(files[1], scratch, Path(scratch)))
        (ROOT / "dist").mkdir(exist_ok=True)
        for file in files:
            shutil.copy(file, ROOT / "dist")
            print(f"dist/{file.name}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
