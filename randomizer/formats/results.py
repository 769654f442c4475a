"""The results of opening a file: a map with problems, or the maps that the file names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem

NO_VIEW: Mapping[str, object] = MappingProxyType({})
NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading a file."""

    battlemap: BattleMap | None
    """The map; None if the file could not be read."""
    problems: tuple[Problem, ...] = ()
    """The problems of the file. A map can have errors: it was read completely, but its game would
    not load it."""
    view: Mapping[str, object] = field(default_factory=lambda: NO_VIEW)
    """The view of the map when it was saved, in the format of the program that saved it."""
    adds_records: bool = False
    """True for a file without a map of its own (``Format.read_onto``): its records take the place
    of those of the open map."""
    missing: tuple[str, ...] = ()
    """The files that it refers to and that were not read, as it names them: they are used if they
    are given to ``Format.read_with``."""


class NamedMaps(NamedTuple):
    """The maps that a file names, which are opened in its place."""

    title: str
    """The kind of the file: a world, a scenario."""
    paths: tuple[Path, ...]
    """The files of the maps."""
    problems: tuple[Problem, ...]
    """A problem for each map that is not there."""
