"""What the files of one kind of virtual table are like, and what is written into them.

A table, such as Foundry, is described by a subclass of ``TableFormat``: by its fields, by the
methods that it must have, and by those that it may have. ``TableCodec`` opens, saves and exports
files by them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, NamedTuple

from randomizer.model.fixtures import Fixtures
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.interchange.virtual_table.document import Document
from randomizer.systems.interchange.virtual_table.frame import (
    USUAL_PIXELS,
    Frame,
    PlacedGrid,
)
from randomizer.systems.interchange.virtual_table.sight_walls import Line, sight_lines

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""The endings of the pictures that a file can refer to."""


class Export(NamedTuple):
    """The options of an export."""

    pixels: int = USUAL_PIXELS
    """The size of a cell in pixels."""
    path: str = ""
    """The path of the picture as the table knows it."""
    picture: bytes = b""
    """A PNG of the map."""
    walls: bool = True
    """True if walls are made where terrains and hexsides block sight."""


class PictureFile(NamedTuple):
    """The picture of a scene of another program."""

    name: str
    data: bytes
    """The bytes of the file, not checked."""


class ReadFixtures(NamedTuple):
    """The walls, doors and lights of a file."""

    fixtures: Fixtures
    """Those that can be read."""
    unreadable_count: int
    """The number of those that cannot, and so stay in the file only."""


class KeptFile(NamedTuple):
    """The file that a map came from, which is written again: what did not change stays in it."""

    document: Document
    has_same_fixtures: bool
    """True if its fixtures are those of the map: they stay as they are written."""


class FileContent(NamedTuple):
    """What a codec writes into a file, beside the things of the map."""

    kept_file: KeptFile | None
    """The file that is written again, None for a new one."""
    frame: Frame
    """The position of the map in the picture."""
    own_entries: dict[str, Any]
    """The value of the entry ``OUR_KEY``."""
    export: Export
    """The options. Its path and picture are for a new file: one that is written again has them."""
    fixtures: Fixtures
    """The fixtures of the map."""

    @property
    def has_our_picture(self) -> bool:
        """True if the picture is drawn by us from the map, which then tells its size and its grid.

        That is so in a new file. False for the picture of another program, which stays as it is.
        """
        return self.kept_file is None or self.kept_file.document.has_our_picture

    def terrain_walls(self, battlemap: BattleMap) -> list[Line]:
        """Return the lines that block sight, in pixels; none if the export wants no walls."""
        if not self.export.walls:
            return []
        return sight_lines(battlemap, battlemap.composite(), self.frame)


class TableFormat(ABC):
    """The files of one kind of virtual table."""

    suffix: str
    """The ending of the files, with the dot."""
    path_to_pixels: tuple[str, ...]
    """The names that lead, in the JSON, to the size of a cell in pixels: ("grid", "size")."""
    loading_steps: str
    """A text on how to load an export into the table, with {stem} and {path}."""
    hint_on_hexes = ""
    """What becomes of a map of hexes in a table that has square cells only; "" if it has hexes."""
    holds_picture = False
    """True if the picture is in the file; else it lies beside the file."""

    # --- what each table has ---

    @abstractmethod
    def grid_of(self, document: Document) -> PlacedGrid:
        """Return the grid of a file that is not ours, and its position. Raises ProblemError."""

    @abstractmethod
    def read_picture(self, document: Document, problems: list[Problem]) -> PictureFile | None:
        """Return the picture of a file that is not ours, None without one.

        Problems are added for a picture that cannot be read.
        """

    @abstractmethod
    def read_fixtures(self, document: Document, frame: Frame) -> ReadFixtures:
        """Return the fixtures of a file.

        Walls that we made of terrains and hexsides are none of them.
        """

    @abstractmethod
    def compose_value(self, battlemap: BattleMap, content: FileContent) -> dict[str, Any]:
        """Return the JSON object of a file. Raises ProblemError."""

    @abstractmethod
    def count_fixtures(self, value: dict[str, Any]) -> Counter[str]:
        """Return the numbers of "wall" (each a single one), "door" and "light" in a JSON object."""

    # --- what some tables have ---

    def add_things(self, document: Document, battlemap: BattleMap, frame: Frame) -> None:
        """Place things of the file, such as notes, that the map lacks; none by default."""
        return

    def describe_fixture_losses(self, _fixtures: Fixtures) -> list[str]:
        """Return what the fixtures lose in a new file, as sentences; none by default."""
        return []
