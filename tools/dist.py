"""Builds a wheel that holds machine code, so that a first search starts at once.

``make dist`` builds the usual wheel, compiles all kernels in a copy of it for
processors of the kind x86-64-v3 (Intel from Haswell, AMD from Excavator on), and packs
both together for this system and this version of Python. On any other processor, with
another numba or Python, kernels are compiled as usual. Takes some minutes.
"""

import base64
import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROCESSOR = "x86-64-v3"
#: What such a processor can do, in LLVM's words.
NEEDS = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
#: Asks numba how it will call the machine code that it makes.
ASK = """
import json
from numba.core.registry import cpu_target
print(json.dumps(cpu_target.target_context.codegen().magic_tuple()))
"""


def build_plain(folder):
    """Build the wheel without machine code; return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = Path(folder).glob("*.whl")
    return wheel


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


def main():
    """Build into ``dist/``."""
    if sysconfig.get_platform() != "linux-x86_64":
        sys.exit(
            "make dist builds for linux-x86_64, this is "
            f"{sysconfig.get_platform()}; the usual wheel works everywhere: "
            "python -m hatchling build -t wheel"
        )
    with tempfile.TemporaryDirectory() as scratch:
        plain = build_plain(Path(scratch, "plain"))
        tree = Path(scratch, "tree")
        with zipfile.ZipFile(plain) as archive:
            archive.extractall(tree)
        compile_all(tree)
        name, version, *_ = plain.name.split("-")
        target = ROOT / "dist" / f"{name}-{version}-{tag()}.whl"
        target.parent.mkdir(exist_ok=True)
        pack(tree, target)
    size = target.stat().st_size / 1e6
    print(f"{target.relative_to(ROOT)}: {size:.1f} MB")


if __name__ == "__main__":
    main()
