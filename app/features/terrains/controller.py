"""Terrain sets on the desk: opens, merges and saves them, and gives terrains pictures.

A *terrain set* lists the terrains, hexsides and routes that a map can have. ``feature.py`` makes
one ``TerrainSets`` for a desk; other features reach it as ``Desk.terrain_sets``. Every change of
the current map's set is an undo step. Actions that ask for a file are coroutines: what takes time
runs as a job, and then the map for which the action was begun is made current again. An action that
fails or is cancelled ends by the exception ``Stopped``: ``tell_problems`` raises it after it has
shown the problems of a file, ``MapDocument.while_open`` if the map was closed meanwhile.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import Stopped, result, run
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import new_map
from app.features.terrains.sheet import SHEET_SETTINGS, Tile, cut_sheet
from app.render.pictures.picture_files import picture_of_file
from app.widgets.dialogs.files import choose_file, choose_file_to_write
from app.widgets.dialogs.problem_dialog import tell_problems
from app.widgets.forms.form_dialog import FormDialog
from randomizer.catalog.map_formats import format_named
from randomizer.catalog.systems import systems
from randomizer.formats.format import Format
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.terrain_entries import (
    EntryList,
    add_entries,
    change_entry,
    sort_terrains,
)
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import LARGEST_PICTURE, asset_digest
from randomizer.model.records.map_records import original_format
from randomizer.model.terrain.terrain import Terrain
from randomizer.reading.files import read_file
from randomizer.storage.disk.atomic import write_atomically
from randomizer.storage.disk.file_names import without_forbidden
from randomizer.storage.files.combined_terrains import merge_terrains
from randomizer.storage.files.terrain_files import (
    LARGEST_TERRAINS,
    SUFFIX,
    OwnTerrains,
    read_terrains,
    write_terrains,
)

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

SET_FILTER = f"Terrain sets (*{SUFFIX});;All files (*)"
"""The kinds of files in the dialogs for terrain sets."""

PICTURE_FILTER = "Pictures (*.png *.svg *.jpg *.jpeg *.webp);;All files (*)"
"""The kinds of files in the dialogs for pictures."""


class TerrainSets(QObject):
    """Changes the terrain set of the current map, and reads and writes files of such sets."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk

    @property
    def has_own_set(self) -> bool:
        """True if the terrain set of the current map is its user's, to change and to save."""
        return self._desk.document.battlemap.system.users_edit_terrain_sets

    def use_set(self, own_terrains: OwnTerrains, *, merges: bool = False) -> None:
        """Give the current map a terrain set, or with ``merges`` add to its own what that lacks.

        Painted terrains become those of the same names; one that the set does not have stays as a
        missing one. The user is told what was done, or why nothing was.
        """
        document = self._desk.document
        step_text = f"Use terrain set {own_terrains.terrain_set.name}"
        if merges:
            step_text = f"Merge terrain set {own_terrains.terrain_set.name}"
            present_terrains = OwnTerrains(
                document.battlemap.terrain_set, document.battlemap.assets
            )
            try:
                own_terrains = merge_terrains(present_terrains, own_terrains)
            except ProblemError as reason:
                self._desk.say(f"{reason.problems[0].message}.")
                return
        # If nothing comes of the step, unused pictures are left out when the map is saved.
        document.add_assets(own_terrains.assets)
        make_edit = partial(change_terrain_set, terrain_set=own_terrains.terrain_set)
        if not document.change_map(make_edit, step_text):
            return
        text = f"The map has the terrains of {own_terrains.terrain_set.name} now."
        terrains = document.battlemap.terrain_set.terrains
        missing_count = sum(terrain.missing for terrain in terrains)
        if missing_count:
            are = many(missing_count, "is", "are")
            text += f" {counted(missing_count, 'terrain')} of the map {are} missing in it."
        self._desk.say(text)

    def use_packaged(self, name: str) -> None:
        """Give the current map the set of this name that comes with its system."""
        self.use_set(OwnTerrains(self._desk.document.battlemap.system.packaged_terrain_set(name)))

    def sort(self) -> None:
        """Let lists show the terrains of the current map by their names."""
        self._desk.document.change_map(sort_terrains, "Sort terrains")

    # --- files ------------------------------------------------------------------------------

    async def open_and_report(self, path: Path, *, merges: bool = False) -> None:
        """Do as ``open_or_raise``, and show what is wrong with the file."""
        with tell_problems(self._desk.frame, f"Cannot open {path.name}"):
            await self.open_or_raise(path, merges=merges)

    async def open_or_raise(self, path: Path, *, merges: bool = False) -> None:
        """Give the current map the set of a file, or merge it into the map's own.

        If the map cannot have sets of the user's own, a new free map is opened that has it. Raises
        ProblemError for a file that cannot be read.
        """
        document = self._desk.document
        settings = self._desk.settings
        open_map = document.current_map

        def work(_progress: object, _cancelled: object) -> OwnTerrains:
            """Read the file; this is the work of a job."""
            return read_terrains(read_file(path, LARGEST_TERRAINS), str(path))

        own_terrains: OwnTerrains = await result(Job(work))
        settings.add_recent("terrains", path)
        settings.last_directory = str(path.parent)
        if not open_map.battlemap.system.users_edit_terrain_sets:
            system = next(system for system in systems() if system.users_edit_terrain_sets)
            document.show_map(new_map(system, own_terrains=own_terrains))
        elif open_map in document.maps:
            document.make_current(open_map)
            self.use_set(own_terrains, merges=merges)
        else:
            raise Stopped  # the map was closed meanwhile

    async def ask_open(self, *, merges: bool = False) -> None:
        """Ask for a file and use its set, or merge it."""
        title = "Open a terrain set"
        if merges:
            title = "Merge a terrain set"
        last = self._desk.settings.last_directory
        path = await choose_file(self._desk.frame, title, last, SET_FILTER)
        if path is not None:
            await self.open_and_report(path, merges=merges)

    async def ask_save(self) -> None:
        """Ask for a file and write the set of the current map to it, with its pictures.

        If the map comes from another program, its next map gets the looks of this set.
        """
        # These belong to the current map: another one can be current when the file is chosen.
        battlemap = self._desk.document.battlemap
        terrain_set = battlemap.terrain_set
        assets = battlemap.named_assets
        program = self.source_program
        settings = self._desk.settings
        name = f"{without_forbidden(terrain_set.name)}{SUFFIX}"
        chosen = await choose_file_to_write(
            self._desk.frame,
            "Save the terrain set",
            Path(settings.last_directory) / name,
            SET_FILTER,
            suffix_of=lambda _name_filter: SUFFIX,
        )
        if chosen is None:
            return
        path = chosen.path

        def work(_progress: object, _cancelled: object) -> None:
            """Write the file; this is the work of a job."""
            write_atomically(path, write_terrains(terrain_set, assets))

        with tell_problems(self._desk.frame, f"Cannot save {path.name}"):
            await result(Job(work))  # if it fails the lines below are not reached
        settings.add_recent("terrains", path)
        settings.last_directory = str(path.parent)
        text = f"The terrain set is in {path.name}."
        if program is not None:
            settings.set_program_terrains(program.name, path)
            text += f" The next {program.title} looks like this one."
        self._desk.say(text)

    @property
    def source_program(self) -> Format | None:
        """The format of the other program whose file the current map comes from; None for none."""
        name = original_format(self._desk.document.battlemap.records)
        if name:
            return format_named(name)
        return None

    @property
    def has_saved_looks(self) -> bool:
        """True if the next map of the program of the current one gets a saved terrain set."""
        name = original_format(self._desk.document.battlemap.records)
        return name in self._desk.settings.program_terrains

    def forget_saved_looks(self) -> None:
        """Let the next map of the program of the current one have its usual looks again."""
        program = self.source_program
        if program is not None:
            self._desk.settings.set_program_terrains(program.name, None)
            self._desk.say(f"The next {program.title} has its usual looks again.")

    # --- pictures of one's own --------------------------------------------------------------

    async def ask_picture(self, name: str) -> None:
        """Ask for a file and make it the picture of the terrain ``name``.

        An SVG becomes a picture of pixels. Nothing happens if the terrain is gone by then.
        """
        document = self._desk.document
        open_map = document.current_map
        path = await document.while_open(open_map, self._ask_picture(f"Picture of {name}"))
        if path is None:
            return

        def work(_progress: object, _cancelled: object) -> bytes:
            """Return the picture as maps hold it; this is the work of a job."""
            return picture_of_file(read_file(path, LARGEST_PICTURE))

        with tell_problems(self._desk.frame, f"Cannot use {path.name}"):
            data: bytes = await document.while_open(open_map, result(Job(work)))
        terrain_set = open_map.battlemap.terrain_set
        if not terrain_set.has_terrain(name):
            return
        document.make_current(open_map)
        digest = asset_digest(data)
        code = terrain_set.terrain_code(name)
        document.add_assets({digest: data})
        document.change_map(
            lambda battlemap: change_entry(battlemap, EntryList.TERRAINS, code, asset=digest),
            f"Picture of {name}",
        )

    async def _ask_picture(self, title: str) -> Path | None:
        """Ask for the file of a picture; None for Cancel."""
        settings = self._desk.settings
        path = await choose_file(self._desk.frame, title, settings.last_directory, PICTURE_FILTER)
        if path is not None:
            settings.last_directory = str(path.parent)
        return path

    async def ask_sheet(self) -> None:
        """Ask for a picture of many terrains, and how they are arranged on it; add them all."""
        open_map = self._desk.document.current_map
        choice = self._ask_picture("A sheet of terrains")
        path = await self._desk.document.while_open(open_map, choice)
        if path is None:
            return
        text = f"{path.name} is cut into pictures of equal size; each becomes a terrain."
        values = {"name": path.stem}
        add = partial(self.begin_sheet, open_map, path)
        FormDialog(
            "Terrains from a sheet", text, SHEET_SETTINGS, values, add, self._desk.frame
        ).open()

    def begin_sheet(self, open_map: OpenMap, path: Path, values: dict[str, object]) -> None:
        """Begin to add a terrain for each picture on a sheet; a job cuts it.

        ``values`` are the answers to the settings ``SHEET_SETTINGS``, by name.
        """
        run(self._add_sheet(open_map, path, values))

    async def _add_sheet(self, open_map: OpenMap, path: Path, values: dict[str, object]) -> None:
        """Cut the sheet as a job, then add its terrains to the map as one undo step.

        The map is made current again.
        """
        document = self._desk.document
        with tell_problems(self._desk.frame, f"Cannot use {path.name}"):
            cut = result(Job(cut_sheet(path, values)))
            tiles: list[Tile] = await document.while_open(open_map, cut)
        document.make_current(open_map)
        name = str(values.get("name") or path.stem)
        terrains = []
        assets = {}
        for number, tile in enumerate(tiles, 1):
            digest = asset_digest(tile.data)
            assets[digest] = tile.data
            terrains.append(Terrain(f"{name} {number}", tile.colour, asset=digest))
        document.add_assets(assets)
        add = partial(add_entries, entry_list=EntryList.TERRAINS, entries=terrains)
        if document.change_map(add, f"Terrains from {path.name}"):
            self._desk.say(f"{counted(len(terrains), 'terrain')} from {path.name}.")
