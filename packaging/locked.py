"""The lock files: which versions are installed, and the digests of their files.

Each file of ``packaging/locks`` has what one group of dependencies adds to the groups before it, in
the format of pip's requirement files. ``renew_lock.py`` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LOCKS = Path(__file__).resolve().parent / "locks"
DESK = "desk"  # what the project needs and what builds it; the rest are optional dependencies
GROUPS = (DESK, "scripts", "bundle", "dev")

PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\]+?))? \\$")


class Pin(NamedTuple):
    """One version of one package: its block of lines, and on which machines it is installed."""

    name: str
    version: str
    marker: str  # of the environment (PEP 508), "" for all
    lines: str


def lock_file(group: str) -> Path:
    """The lock file of a group of dependencies."""
    return LOCKS / f"{group}.txt"


def locks_up_to(group: str) -> list[Path]:
    """The lock files that are installed for a group: its own and those before it."""
    return [lock_file(each) for each in GROUPS[: GROUPS.index(group) + 1]]


def read_pins(text: str) -> Iterator[Pin]:
    """The pins of a lock file's text."""
    for block in re.split(r"^(?=\w)", text, flags=re.MULTILINE):
        first, _, _ = block.partition("\n")
        found = PIN.match(first)
        if found is not None:
            yield Pin(found["name"], found["version"], found["marker"] or "", block)
