"""Ask for known vulnerabilities of the locked versions: ``python3 packaging/audit.py``.

pip-audit runs in an environment that is thrown away and asks the vulnerability services of PyPI or,
with ``--osv``, of osv.dev. ``RECORD`` keeps for each locked version when and where it was last
looked up, and the advisories about it; where no service can be reached, you are told what the
record says of the locks, and how old that is. The exit status is 0 only if every locked version was
looked up, now or by the record, and none is vulnerable.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from locked import GROUPS, LOCKS, Pin, lock_file, read_pins
from setup_environment import pip, python_of, stop_in_words
from system_libraries import SetupError, say

PIP_AUDIT = "pip-audit>=2.9,<3"
RECORD = LOCKS / "audited.json"

Record = dict[str, dict[str, Any] | None]
"""By "name version": ``date``, ``service`` and ``advisories``; None if it was never looked up."""

Ask = Callable[[list[Pin], str], list[dict[str, Any]]]
"""Returns what a service says of each locked version, see ``ask``."""


def main(record_file: Path = RECORD, asked: Ask | None = None) -> int:
    """Audit the lock files, say what was found, and write it into the record.

    ``asked`` is what is asked of a service, ``ask`` if it is None.
    """
    service = "osv" if "--osv" in sys.argv[1:] else "pypi"
    pins = [pin for group in GROUPS for pin in read_pins(lock_file(group).read_text("utf-8"))]
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        found = (asked or ask)(pins, service)
    except SetupError as error:
        say(f"{error}\n")
        found = []
    record = renewed(json.loads(record_file.read_text("utf-8")), pins, found, service, today)
    record_file.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")
    if found:
        status = tell(found, service)
    if not found or all("skip_reason" in each for each in found):
        status = tell_record(record, today)
    return status


def ask(pins: list[Pin], service: str) -> list[dict[str, Any]]:
    """What a service says of each locked version. Raises SetupError if it cannot be asked."""
    with tempfile.TemporaryDirectory(prefix="battlelands-audit-") as name:
        folder = Path(name)
        python = python_of(folder / "environment")
        subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
        pip(python, "install", PIP_AUDIT)
        return [
            each
            for number, part in enumerate(without_markers(pins))
            for each in audit(python, folder / f"{number}.txt", part, service)
        ]


def renewed(
    record: Record,
    pins: list[Pin],
    found: list[dict[str, Any]],
    service: str,
    today: datetime.date,
) -> Record:
    """The record of what is locked now: as found today, else as it was."""
    now: Record = {
        f"{each['name']} {each['version']}": {
            "date": today.isoformat(),
            "service": service,
            "advisories": sorted(fault["id"] for fault in each.get("vulns", ())),
        }
        for each in found
        if "skip_reason" not in each
    }
    locked = [f"{pin.name} {pin.version}" for pin in pins]
    return {name: now.get(name, record.get(name)) for name in locked}


def tell_record(record: Record, today: datetime.date) -> int:
    """Say what the record has of the locks; 0 if all was looked up and nothing vulnerable."""
    known = {name: entry for name, entry in record.items() if entry is not None}
    vulnerable = {name: each["advisories"] for name, each in known.items() if each["advisories"]}
    say(f"By the record {len(known)} of {len(record)} locked versions were looked up before.")
    if known:
        name, entry = min(known.items(), key=lambda item: str(item[1]["date"]))
        age = (today - datetime.date.fromisoformat(entry["date"])).days
        say(f"The oldest entry is {age} days old: {name}, {entry['date']} at {entry['service']}.")
    for name, advisories in vulnerable.items():
        say(f"{name}: {', '.join(advisories)}")
    if len(known) < len(record):
        say(f"Never looked up: {', '.join(sorted(record.keys() - known.keys()))}")
    return 1 if vulnerable or not known or len(known) < len(record) else 0


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
