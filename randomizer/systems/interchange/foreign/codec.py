"""The base class of readers and writers of other programs' files, and what a writer returns.

    class Board(Codec):
        program = "MegaMek"

        def parse(self, source, problems):  # a file becomes a map, or ProblemError with a line
            codes = Codes()
            cells = [codes.number(word) for word in source.text.split()]
            ...

        def compose(self, battlemap, original, stem):  # a map becomes Written(bytes, losses)
            ...

``formats.ForeignFormat`` calls ``read``, ``write`` and ``check``, which do what all programs share.
The *original* of a map is the file that it was opened from; a map keeps it. If the map still is as
it was read, ``write`` returns the bytes of the original. If it changed, ``compose`` gets the
original, and copies from it whatever the map does not say otherwise: so files differ only where
maps do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from randomizer.formats.format import Format
from randomizer.formats.held_systems import can_write, refuse_other_systems
from randomizer.formats.losses import IN_FILE, NOT_KEPT
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.formats.tile_looks import TilePainter
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.terrain.terrain import Terrain
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.systems.interchange.foreign.losses import loss_problems
from randomizer.systems.interchange.foreign.original import map_digest, original_of, store_original
from randomizer.systems.interchange.foreign.pictures import picture_of, plains
from randomizer.systems.interchange.foreign.source import NO_SOURCE, Source

STEM = "map"
"""The name, without its ending, of a file that has no name yet."""


def _paint_nothing(_painter: TilePainter | None) -> Mapping[str, bytes]:
    """Return no pictures, for formats without any beside their files."""
    return NO_FILES


class Written(NamedTuple):
    """A map as a file, with what is lost in it."""

    data: bytes
    """The bytes of the file."""
    lost: Mapping[str, int]
    """How much of each kind of content is lost, by words such as "label" (``losses``)."""
    hints: tuple[str, ...] = ()
    """Sentences on further losses."""
    files: Mapping[str, bytes] = NO_FILES
    """The files beside it, by name."""
    pictures: Callable[[TilePainter | None], Mapping[str, bytes]] = _paint_nothing
    """Paints the pictures that belong beside it, by name; with None in plain colours.

    It is a function because painting takes long: ``check`` needs no pictures.
    """
    remarks: tuple[str, ...] = ()
    """Sentences on the content of the file."""


class VisibleCodes(NamedTuple):
    """The codes of terrains for a program, cell by cell."""

    codes: list[str]
    """The code of each cell, row by row, those that a mask leaves out included."""
    replaced_cells: int
    """The number of cells with the code of a similar terrain: the loss "terrain"."""


class Codec:
    """The base class of readers and writers of other programs' files, one object a format.

    A codec overrides ``parse`` and ``compose``; it has no state. ``map_format`` is always the
    format that the codec works for.
    """

    program: str
    """The name of the program, as in messages and as the name of the terrain set."""
    code: re.Pattern[str]
    """The pattern of the codes of terrains that the program knows, for ``visible_codes``."""
    flat_only = True
    """True if the program has only maps of flat-top hexes."""
    related_formats: tuple[str, ...] = ()
    """Formats of the same program, whose files ``compose`` accepts as originals, too."""

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; warnings and hints go to ``problems``. Raises ProblemError."""
        raise NotImplementedError

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Return a map written anew, as a file called ``stem`` with a suffix.

        ``original`` is the file that it comes from, ``NO_SOURCE`` for maps of other origin. Raises
        ProblemError.
        """
        raise NotImplementedError

    def read(
        self, map_format: Format, data: bytes, path: str | None, files: Mapping[str, bytes]
    ) -> ReadResult:
        """Read a file for ``Format.read_with``, and make it the original of its map.

        ``files`` are contents of files that it refers to, by the names that it uses; these are not
        looked for on the disk. No error is raised: the problems are part of the result.
        """
        problems: list[Problem] = []
        source = Source(data, path, files)
        try:
            if len(data) > map_format.largest:
                raise error("foreign-map", f"a file has at most {map_format.largest:,} bytes")
            battlemap = self.parse(source, problems)
        except ProblemError as failed:
            located = tuple(_at_path(problem, path) for problem in failed.problems)
            return ReadResult(None, located, missing=tuple(source.missing))

        # A format that is never written needs no original.
        if map_format.writable:
            store_original(battlemap, map_format, source)
        located = tuple(_at_path(problem, path) for problem in problems)
        return ReadResult(battlemap, located, missing=tuple(source.missing))

    def write(
        self,
        map_format: Format,
        battlemap: BattleMap,
        name: str = STEM,
        painter: TilePainter | None = None,
    ) -> dict[str, bytes]:
        """Return the file ``name``, then those that belong beside it. Raises ProblemError.

        ``painter`` paints the pictures among them. Without one they are painted in plain colours.
        """
        refuse_other_systems(map_format, battlemap)
        if self._refuses_layout(battlemap):
            message = f"{self.program} has flat-top hexes only: nothing was written"
            raise error("other-layout", message)
        original = self._unchanged_original(map_format, battlemap)
        if original is not None:
            files = {name: original.data}
            for file_name, data in original.files.items():
                if fault_in_name(file_name) is None:  # a path to another folder has one
                    files[file_name] = data
            return files
        # The problems are those that ``check`` tells.
        written, _problems = self._composed(map_format, battlemap, PurePosixPath(name).stem)
        return {name: written.data, **written.files, **written.pictures(painter)}

    def check(self, map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the losses of a file of a map as problems, for ``Format.check``.

        There are none for a map that cannot be written at all: ``write`` tells that.
        """
        if not can_write(map_format, battlemap) or self._refuses_layout(battlemap):
            return ()
        written, problems = self._composed(map_format, battlemap, STEM)
        hints = [Problem(Severity.HINT, NOT_KEPT, hint) for hint in written.hints]
        remarks = [Problem(Severity.HINT, IN_FILE, remark) for remark in written.remarks]
        losses = loss_problems(self.program, written.lost)
        return (*problems, *losses, *hints, *remarks)

    def _refuses_layout(self, battlemap: BattleMap) -> bool:
        """Return whether the program cannot have the cells of a map, such as squares."""
        return self.flat_only and battlemap.grid.layout is not FLAT

    def _composed(
        self, map_format: Format, battlemap: BattleMap, stem: str
    ) -> tuple[Written, tuple[Problem, ...]]:
        """Return a map as a file, written anew, and the problems of the file that it comes from.

        The record of the original and its bytes stand in a project and can be damaged: then the map
        is written without them, with a warning. Raises ProblemError for a map that cannot be
        written either way.
        """
        try:
            _record, original = original_of(battlemap, map_format, self.related_formats)
            return self.compose(battlemap, original, stem), ()
        except ProblemError as failed:
            written = self.compose(battlemap, NO_SOURCE, stem)
            reason = failed.problems[0].message
            message = (
                f"the {self.program} file that this map was opened from cannot be used ({reason}): "
                "what only that file has is not kept"
            )
            problem = Problem(Severity.WARNING, NOT_KEPT, message)
            return written, (problem,)

    def _unchanged_original(self, map_format: Format, battlemap: BattleMap) -> Source | None:
        """Return the file that a map was read from; None if there is none, or the map changed."""
        try:
            record, original = original_of(battlemap, map_format)
        except ProblemError:
            return None  # ``_composed`` tells what is wrong with it
        if original.data and record.get("content") == map_digest(battlemap):
            return original
        return None

    def visible_codes(self, battlemap: BattleMap, composite: Composite) -> VisibleCodes:
        """Return the code that is written for each cell of a map; ``composite`` is what it shows.

        A terrain that the program does not know gets the code of a similar one.
        """
        code_by_terrain = list[str]()
        is_known = list[bool]()
        for terrain in battlemap.terrain_set.terrains:
            if self.code.fullmatch(terrain.code):
                code_by_terrain.append(terrain.code)
                is_known.append(True)
            else:
                code_by_terrain.append(self._nearest_code(terrain))
                is_known.append(False)
        terrain_plane = composite.planes["terrain"].reshape(-1)
        cell_is_known = np.array(is_known)[terrain_plane[battlemap.grid.cells]]
        return VisibleCodes(
            codes=[code_by_terrain[number] for number in terrain_plane.tolist()],
            replaced_cells=int(np.count_nonzero(~cell_is_known)),
        )

    def _nearest_code(self, terrain: Terrain) -> str:
        """Return the program's code of the picture that fits the names of a terrain best.

        It is the code of Plains if none fits.
        """
        picture = picture_of(terrain)
        if picture is None:
            picture = plains()
        return picture.codes[self.program]


def _at_path(problem: Problem, path: str | None) -> Problem:
    """Return a problem with ``path`` as its file, unless it names another file already."""
    if problem.path:
        return problem
    return problem.at_path(path)
