"""What a file format is: bytes to a map and back, with problems instead of exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from randomizer.battlemap import BattleMap
from randomizer.problems import Problem


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What reading gave: the map, or None where nothing whole could be read, and the problems.

    A map may come with errors: what stands in the file is whole, but its game would not load it.
    """

    battlemap: BattleMap | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where a rolled map came from. A format says as much of it as it has a place for."""

    seed: int
    number: int
    words: str


class Format(Protocol):
    """A file format of the catalogue. ``name`` is its word on the command line.

    ``suffixes`` are lower case with the dot. Formats are recognised by content first. ``joint`` is
    what stands between two maps in one file, None where a file holds one map only.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    readable: bool
    writable: bool
    joint: bytes | None

    def recognises(self, data: bytes) -> bool:
        """Whether these are surely the bytes of such a file."""
        ...

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """The map that ``data`` holds, as one layer. Never raises for bad data."""
        ...

    def write(self, battlemap: BattleMap, stamp: Stamp | None = None) -> bytes:
        """The visible layers of a map as a file. Raises ProblemError if it cannot be written."""
        ...

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """What the file would lose, or what its game would stumble over."""
        ...
