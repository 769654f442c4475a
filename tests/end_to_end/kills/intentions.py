"""The log of a session: what each action is about to do, and that it has been done.

One JSON object a line. Each is on the disk before the action goes on, outside the folder that the
session works in; so what may be there after a kill is known exactly: the state before the action
under way, or the one that it had announced, and once it is acknowledged nothing but that.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

# the log itself is no point to be killed at
_write = os.write
_fsync = os.fsync


class Step(NamedTuple):
    """An undo step (the first: the map as it was opened) and the digest of the map after it."""

    text: str
    before: int
    after: int
    digest: str


class History(NamedTuple):
    """All steps of a map, how many are done, and how many were when it was last saved, or -1."""

    steps: tuple[Step, ...]
    position: int
    saved: int

    @property
    def digest(self) -> str:
        """The map now."""
        return self.steps[self.position].digest


def digest_of(data: bytes | None) -> str | None:
    """The digest of a file's content, None for no file."""
    return None if data is None else sha256(data).hexdigest()


class Log:
    """Writes notes; each is on the disk when ``note`` returns."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(self, **what: object) -> None:
        """Write one."""
        _write(self._handle, json.dumps(what).encode() + b"\n")
        _fsync(self._handle)


@dataclass
class KnownMap:
    """An open map: the histories it may have now; ``journal`` is the name of its journal."""

    allowed: list[History] = field(default_factory=list)
    journal: str | None = None
    closing: bool = False


@dataclass
class Expected:
    """What may be on the disk now. Files by their paths; None stands for no file."""

    action: str = ""
    maps: dict[str, KnownMap] = field(default_factory=dict)
    files: dict[str, list[str | None]] = field(default_factory=dict)
    past: dict[str, list[str | None]] = field(default_factory=dict)
    drafts: list[str | None] = field(default_factory=lambda: [None])
    announced: list[str] = field(default_factory=list)
    acknowledged: int = 0

    @classmethod
    def of(cls, lines: list[bytes]) -> Expected:
        """What the notes say."""
        found = cls()
        for line in lines:
            found.read(json.loads(line))
        return found

    def read(self, note: dict) -> None:
        """Go on with one more note."""
        if "begins" in note:
            self.action = note["begins"]
            self.announced = []
        elif "ends" in note:
            self.action = ""
            self.acknowledged = self.acknowledged + 1
            for name in self.announced:  # not those of an action that was killed before
                self.files[name] = self.files[name][-1:]
            self.drafts = self.drafts[-1:]
        elif "file" in note:
            self.files[note["file"]] = [note["old"], note["new"]]
            self.announced.append(note["file"])
            self.past.setdefault(note["file"], []).append(note["old"])
        elif "draft" in note:
            self.drafts = [*self.drafts[-1:], note["draft"]]
        elif note["what"] == "closed":
            del self.maps[note["map"]]
        else:
            self._read_map(note)

    def _read_map(self, note: dict) -> None:
        known = self.maps.setdefault(note["map"], KnownMap())
        if note["what"] == "closing":
            known.closing = True
            return
        steps, position, saved = note["history"]
        history = History(tuple(Step(*step) for step in steps), position, saved)
        if note["what"] == "will":
            known.allowed.append(history)
        else:
            known.allowed = [history]
        known.journal = note.get("journal") or known.journal

    def map_of(self, journal: str, history: History) -> str | None:
        """The map whose journal this can be, None if it is that of none."""
        named = [key for key, known in self.maps.items() if known.journal == journal]
        for key in named or [key for key, known in self.maps.items() if known.journal is None]:
            if history in self.maps[key].allowed:
                return key
        return None
