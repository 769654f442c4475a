"""Ask for known vulnerabilities of the locked versions: ``python3 packaging/audit.py``.

pip-audit runs in an environment that is thrown away and asks the vulnerability services of PyPI or,
with ``--osv``, of osv.dev. The exit status is 0 only if every locked version was looked up and none
is vulnerable.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from locked import GROUPS, Pin, lock_file, read_pins
from setup_environment import pip, python_of, stop_in_words
from system_libraries import SetupError, say

PIP_AUDIT = "pip-audit>=2.9,<3"


def main() -> int:
    """Audit the lock files, say what was found."""
    service = "osv" if "--osv" in sys.argv[1:] else "pypi"
    pins = [pin for group in GROUPS for pin in read_pins(lock_file(group).read_text("utf-8"))]
    with tempfile.TemporaryDirectory(prefix="battlelands-audit-") as name:
        folder = Path(name)
        python = python_of(folder / "environment")
        subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
        pip(python, "install", PIP_AUDIT)
        found = [
            each
            for number, part in enumerate(without_markers(pins))
            for each in audit(python, folder / f"{number}.txt", part, service)
        ]
    return tell(found, service)


def without_markers(pins: list[Pin]) -> Iterator[str]:
    """The pins of all machines as requirement files with one version a package each."""
    while pins:
        first = {pin.name: pin for pin in reversed(pins)}
        pins = [pin for pin in pins if pin is not first[pin.name]]
        yield "".join(
            pin.lines.replace(f" ; {pin.marker} ", " ") if pin.marker else pin.lines
            for pin in first.values()
        )


def audit(python: Path, lock: Path, pins: str, service: str) -> list[dict[str, Any]]:
    """What pip-audit says of each package of ``pins``; raises SetupError if it says nothing."""
    lock.write_text(pins, "utf-8")
    command = [python, "-m", "pip_audit", "--disable-pip", "--require-hashes", "-r", lock]
    command += ["-s", service, "-f", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError, TypeError):
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise SetupError(
            f"The vulnerability service {service} did not answer, so nothing was audited. "
            f"pip-audit said:\n\n  {last}"
        ) from None


def tell(found: list[dict[str, Any]], service: str) -> int:
    """Say what pip-audit found; 0 if all was looked up and nothing is vulnerable."""
    skipped = [each for each in found if "skip_reason" in each]
    vulnerable = [each for each in found if each.get("vulns")]
    for each in vulnerable:
        for fault in each["vulns"]:
            versions = ", ".join(fault["fix_versions"]) or "no version"
            say(f"{each['name']} {each['version']}: {fault['id']}, mended in {versions}")
    if skipped:
        say(
            f"{len(skipped)} of {len(found)} versions could not be looked up at {service}, "
            f"the first because: {skipped[0]['skip_reason']}"
        )
    say(f"{len(found) - len(skipped)} versions looked up, {len(vulnerable)} vulnerable.")
    return 1 if skipped or vulnerable or not found else 0


if __name__ == "__main__":
    stop_in_words(main)
