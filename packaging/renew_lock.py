"""Write the lock files again: ``python3 packaging/renew_lock.py``.

The newest versions that pyproject.toml allows, for all systems and every Python from 3.11 on, with
the digests of all files of each. uv resolves them, in an environment that is thrown away; it asks
the package index that its own configuration names, of which nothing is written down.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from locked import DESK, GROUPS, LOCKS, lock_file, read_pins
from setup_environment import ROOT, pip, python_of, stop_in_words
from system_libraries import SetupError, say

UV = "uv>=0.9,<1"
HEADER = """\
# Written by packaging/renew_lock.py: what {group} installs{besides}.
"""


def main() -> int:
    """Resolve all groups together, then write what each adds to those before it."""
    with tempfile.TemporaryDirectory(prefix="battlelands-lock-") as name:
        folder = Path(name)
        python = python_of(folder / "environment")
        subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
        pip(python, "install", UV)
        build = folder / "build.in"
        with (ROOT / "pyproject.toml").open("rb") as file:
            build.write_text("\n".join(tomllib.load(file)["build-system"]["requires"]), "utf-8")
        everything = folder / "everything.txt"
        everything.write_text(resolve(python, GROUPS[-1], [build]), "utf-8")
        pins = list(read_pins(everything.read_text("utf-8")))

        LOCKS.mkdir(exist_ok=True)
        written: set[str] = set()
        for group in GROUPS:
            chosen = resolve(python, group, [build, "--constraints", everything])
            names = {pin.name for pin in read_pins(chosen)} - written
            besides = f" besides {' and '.join(GROUPS[: GROUPS.index(group)])}" if written else ""
            header = HEADER.format(group=group, besides=besides)
            blocks = [pin.lines for pin in pins if pin.name in names]
            lock_file(group).write_text(header + "".join(blocks), "utf-8")
            say(f"{len(blocks):3} versions in {lock_file(group).relative_to(ROOT)}")
            written |= names
    return 0


def resolve(python: Path, group: str, further: list[str | Path]) -> str:
    """The lock of a group and of what ``further`` names, as uv says it; raises SetupError."""
    command = [python, "-m", "uv", "pip", "compile", "pyproject.toml", *further]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    command += [] if group == DESK else ["--extra", group]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SetupError(f"uv could not resolve {group}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    stop_in_words(main)
