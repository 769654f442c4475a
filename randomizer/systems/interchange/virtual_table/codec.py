"""The base class of the codecs of virtual tables, such as Foundry and Universal VTT.

A *virtual table* is a program in which people play together on a map. It shows a picture and lays
its own grid over it; walls stop what players see. A file of a table is JSON. Ours also has the map
as a project, so that it comes back whole::

    a file of Foundry                                    what of our map it comes from
    {"background": ..., "width": 2000, "height": 1500,   the picture
     "grid": {"type": 4, "size": 100},                   the grid
     "walls": [...], "lights": [...],                    the fixtures, and what blocks sight
     "flags": {"battlelands": {"map": "UEsDB..."}}}      the project (``OUR_KEY``)

*Fixtures* are the walls, doors and lights of a map. A file is written in one of two ways:

    export = Export(pixels=100, path="worlds/moor/map.png", picture=png)
    codec.export(players_map(battlemap), "moor", export).files     # a new file, with a new picture

    codec.compose(battlemap, original, "moor")     # saved: into the file that the map came from,
                                                   # whose picture and unknown entries stay

Begin reading at ``TableCodec.parse`` (a file is opened), ``compose`` (a map is saved) and
``export``. All three use what a ``TableFormat`` says of its files (table_format.py).
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.fixtures_record import RECORD as FIXTURES
from randomizer.model.fixtures_record import fixtures_of, record_of
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import MapPicture, set_picture
from randomizer.model.notes import key_in_markdown, notes_of
from randomizer.model.players_view import BLANK_NAME, secret_things
from randomizer.model.problems import Problem
from randomizer.model.records.assets import asset_digest, check_asset, picture_size
from randomizer.model.records.map_records import ORIGINAL
from randomizer.storage.files.project import PROJECT
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.virtual_table.document import Document
from randomizer.systems.interchange.virtual_table.frame import (
    FOUNDRY_GRID_TYPES,
    MAX_PIXELS,
    MIN_PIXELS,
    Frame,
    PlacedGrid,
    drawn_picture_of,
    grid_type,
)
from randomizer.systems.interchange.virtual_table.sight_walls import (
    MAX_WALLS,
    side_count,
    sight_sides,
)
from randomizer.systems.interchange.virtual_table.table_format import (
    Export,
    FileContent,
    KeptFile,
    PictureFile,
    TableFormat,
)


class _SavedInto(NamedTuple):
    """The file into which a map is saved."""

    document: Document | None
    """The file that the map came from; None for a new one, without a picture."""
    hint: str
    """Why no picture is written; "" if the picture of the file stays, or is drawn anew later."""


class Exported(NamedTuple):
    """The result of an export."""

    files: dict[str, bytes]
    """The files by name: that of the table first, that which says how to load it last."""
    summary: str
    """A sentence, without its stop, on the content of the table's file."""
    losses: tuple[str, ...]
    """Sentences, without their stops, on what that file has no place for."""


class TableCodec(TableFormat, Codec):
    """Reads and writes the files of one kind of virtual table.

    ``export`` is called for a new file with a picture; the methods of ``Codec``, ``parse`` and
    ``compose``, for opening and saving. What differs from table to table they ask of the methods
    and attributes of ``TableFormat``: ``grid_of``, ``read_picture``, ``read_fixtures``,
    ``compose_value`` and others.
    """

    flat_only = False  # maps of any grid are written

    # --- opening a file ---------------------------------------------------------------------

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return our map that is in a file, or a blank one with the grid of the table."""
        document = Document(source)
        battlemap = document.battlemap(problems)
        is_ours = battlemap is not None
        if battlemap is None:
            grid = self.grid_of(document).grid
            battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, BLANK_NAME)])

        if document.has_our_picture:
            # It shows the map; or, where somebody has removed our map from the file, the map that
            # is lost, and the next picture is drawn of the blank one.
            frame = self._frame_of_our_picture(document, battlemap.grid)
        else:
            placed_grid = self.grid_of(document)
            frame = placed_grid.frame
            picture = self._read_picture_into(battlemap, document, problems)
            # In a map of ours the picture lies already: only its bytes were left out of the
            # project (``_encode_project``).
            if picture is not None and not is_ours:
                _lay_below_map(battlemap, picture, placed_grid)

        self.add_things(document, battlemap, frame)
        self._set_fixtures(document, battlemap, frame, problems)
        return battlemap

    def _read_picture_into(
        self, battlemap: BattleMap, document: Document, problems: list[Problem]
    ) -> PictureFile | None:
        """Add the picture of a file to the assets of its map, and return it.

        None without one, and for a picture that cannot be used, which becomes a warning.
        """
        picture = self.read_picture(document, problems)
        if picture is None:
            return None
        try:
            check_asset(picture.data)
        except ValueError as failed:
            problems.append(warning(f"the picture of the map is not shown: it {failed}"))
            return None
        battlemap.assets[asset_digest(picture.data)] = picture.data
        return picture

    def _set_fixtures(
        self, document: Document, battlemap: BattleMap, frame: Frame, problems: list[Problem]
    ) -> None:
        """Give a map the fixtures of its file; warnings tell which of them it does not get."""
        read_fixtures = self.read_fixtures(document, frame)
        record, left_out_count = record_of(read_fixtures.fixtures)
        battlemap.records.pop(FIXTURES, None)
        if record is not None:
            battlemap.records[FIXTURES] = record
        if read_fixtures.unreadable_count:
            items = counted(
                read_fixtures.unreadable_count, "wall, door or light", "walls, doors and lights"
            )
            problems.append(warning(f"Of this file {items} cannot be read: they stay in the file"))
        if left_out_count:
            items = counted(left_out_count, "wall, door or light", "walls, doors and lights")
            problems.append(warning(f"{items} are too many for a map: they stay in this file only"))

    # --- saving a map -----------------------------------------------------------------------

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Return a file with the picture that it had, if any. Raises ProblemError.

        A picture of the map needs the painters of the desk, so saving makes none: ``export`` does.
        """
        document, picture_hint = self._saved_into(original, battlemap.grid)
        hints = list[str]()
        if picture_hint:
            hints.append(picture_hint)
        if document is None:
            hints += self._describe_losses(battlemap, Export())
        else:
            hints += _describe_walls_left_out(battlemap)

        has_secrets = any(layer.secret for layer in battlemap.layers) or secret_things(battlemap)
        if has_secrets:
            hints.append("What is secret is in the file, too: players could read it there")
        if battlemap.grid.degree == 6 and self.hint_on_hexes:
            hints.append(self.hint_on_hexes)
        value = self._file_value(battlemap, document, Export(path=f"{stem}.png"))
        remark = self._describe_fixtures(value)
        return Written(_encode(value), lost={}, hints=tuple(hints), remarks=(remark,))

    def _saved_into(self, original: Source, grid: Grid) -> _SavedInto:
        """Return the file into which a map with this grid is saved. Raises ProblemError."""
        if not original.data:
            hint = "The picture is not written: export the map for a virtual table for that"
            return _SavedInto(None, hint)
        document = Document(original)
        if document.has_our_picture or self.grid_of(document).grid.same_as(grid):
            return _SavedInto(document, "")
        # A picture of another program cannot be drawn anew: a new file without it is written.
        return _SavedInto(
            None, "The map has another grid now: the picture of the file does not stay"
        )

    def _describe_losses(self, battlemap: BattleMap, export: Export) -> list[str]:
        """Return sentences on the walls, doors and lights of a map that a new file loses."""
        fixtures = fixtures_of(battlemap.records)
        sentences: list[str] = []
        if export.walls:
            sentences += _describe_walls_left_out(battlemap)
        sentences += self.describe_fixture_losses(fixtures)
        for noun, count in fixtures.others:
            sentences.append(f"{counted(count, noun)} of the other table's file: not written")
        return sentences

    def _describe_fixtures(self, value: dict[str, Any]) -> str:
        """Return a sentence on the walls, doors and lights in the JSON object of a file."""
        counts = self.count_fixtures(value)
        words = [counted(counts[noun], noun) for noun in ("wall", "door", "light")]
        return f"{listed(words)} are in the file"

    # --- exporting a map --------------------------------------------------------------------

    def export(self, battlemap: BattleMap, stem: str, export: Export) -> Exported:
        """Return all files of an export, that of the table first, the instructions last.

        Raises ProblemError.
        """
        name = f"{stem}{self.suffix}"
        value = self._file_value(battlemap, None, export)
        summary = self._describe_fixtures(value)
        losses = self._describe_losses(battlemap, export)
        instructions = self._instructions(battlemap, stem, export, summary, losses)
        files = {name: _encode(value)}
        if not self.holds_picture:
            files[f"{stem}.png"] = export.picture
        files[f"{name}.txt"] = instructions.encode()
        return Exported(files, summary, tuple(losses))

    def _instructions(
        self, battlemap: BattleMap, stem: str, export: Export, summary: str, losses: Sequence[str]
    ) -> str:
        """Return the text beside a file: how to load it, what it holds and loses, and the notes."""
        grid = battlemap.grid
        picture = drawn_picture_of(grid, export.pixels)
        lines = [self.loading_steps.format(stem=stem, path=export.path)]
        if grid.degree == 6 and self.hint_on_hexes:
            lines.append(f"{self.hint_on_hexes}.\n")
        lines += [
            f"Grid type: {FOUNDRY_GRID_TYPES[grid_type(grid)]}",
            f"Grid size: {export.pixels} pixels",
            f"Picture and scene: {picture.width} x {picture.height} pixels, offset 0, padding 0",
            f"{summary}.",
        ]
        lines += [f"{loss}." for loss in losses]
        if notes_of(battlemap):
            lines += ["", key_in_markdown(battlemap)]
        return "".join(f"{line}\n" for line in lines)

    # --- what saving and exporting have in common -------------------------------------------

    def _frame_of_our_picture(self, document: Document, grid: Grid) -> Frame:
        """Return the frame of a map in a picture that we have drawn. Raises ProblemError."""
        return drawn_picture_of(grid, self._pixels(document)).frame

    def _pixels(self, document: Document) -> int:
        """Return the pixels of a cell in a file of ours. Raises ProblemError."""
        return int(document.number(*self.path_to_pixels, least=MIN_PIXELS, most=MAX_PIXELS))

    def _file_value(
        self, battlemap: BattleMap, document: Document | None, export: Export
    ) -> dict[str, Any]:
        """Return the JSON object of a file. Raises ProblemError.

        ``document`` is the file that is written again, None for a new one.
        """
        kept_file = None
        if document is None:
            frame = drawn_picture_of(battlemap.grid, export.pixels).frame
        else:
            if document.has_our_picture:
                frame = self._frame_of_our_picture(document, battlemap.grid)
                export = export._replace(pixels=self._pixels(document))
            else:
                frame = self.grid_of(document).frame
            # Fixtures are compared as records, which hold no more of them than a map can.
            record, _left_out_count = record_of(self.read_fixtures(document, frame).fixtures)
            has_same_fixtures = record == battlemap.records.get(FIXTURES)
            kept_file = KeptFile(document, has_same_fixtures)

        drew_picture = document is None or document.has_our_picture
        content = FileContent(
            kept_file=kept_file,
            frame=frame,
            own_entries={"map": self._encode_project(battlemap, document), "drew": drew_picture},
            export=export,
            fixtures=fixtures_of(battlemap.records),
        )
        return self.compose_value(battlemap, content)

    def _encode_project(self, battlemap: BattleMap, document: Document | None) -> str:
        """Return the map as a project in base64, without what the file holds anyway.

        The file holds the fixtures, and the picture if this is one of another program. The original
        of the map is the file itself.
        """
        records = {
            name: record
            for name, record in battlemap.records.items()
            if name not in (ORIGINAL, FIXTURES)
        }
        assets = dict(battlemap.assets)
        if document is not None and not document.has_our_picture:
            picture = self.read_picture(document, [])
            if picture is not None:
                assets.pop(asset_digest(picture.data), None)
        project = replace(battlemap, records=records, assets=assets)
        return b64encode(PROJECT.write(project)).decode()


def _lay_below_map(battlemap: BattleMap, picture: PictureFile, placed_grid: PlacedGrid) -> None:
    """Lay the picture of a scene of another program below the new map of its grid."""
    size = picture_size(picture.data)
    assert size is not None, "the picture was checked"
    digest = asset_digest(picture.data)
    placement = _placement(placed_grid, size)
    edit = set_picture(battlemap, MapPicture(digest, picture.name, size, placement))
    if edit is not None:  # None for a picture that no map can have
        edit.apply(battlemap)


def _placement(
    placed_grid: PlacedGrid, size: tuple[int, int]
) -> tuple[float, float, float, float, float, float]:
    """Return the transform from map units to pixels of a picture with this size.

    The picture fills the box of its scene, whose pixels can be others than the picture's. The six
    numbers are those of ``MapPicture.placement``.
    """
    _grid, frame, box = placed_grid
    picture_width, picture_height = size
    # The pixels of the picture in a pixel of the scene.
    scale_x = picture_width / box.width
    scale_y = picture_height / box.height
    origin_x = (frame.left - box.left) * scale_x
    origin_y = (frame.top - box.top) * scale_y
    return (frame.unit * scale_x, 0.0, 0.0, frame.unit * scale_y, origin_x, origin_y)


def _describe_walls_left_out(battlemap: BattleMap) -> list[str]:
    """Return a sentence if a map has more sides that block sight than a table takes, else []."""
    count = side_count(battlemap.grid, sight_sides(battlemap, battlemap.composite()))
    if count <= MAX_WALLS:
        return []
    return [
        f"{count:,} sides block sight, a virtual table takes {MAX_WALLS:,}: no walls are made of "
        "them; let fewer terrains block it"
    ]


def _encode(value: dict[str, Any]) -> bytes:
    """Return the bytes of a file. Raises ProblemError."""
    try:
        return json.dumps(value, allow_nan=False).encode()
    except ValueError as failed:
        raise fault("a number is too large", 1) from failed
