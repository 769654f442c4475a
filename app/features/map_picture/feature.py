"""Pictures below the grid: read from files, decoded, and changed by undo steps.

``MapPictures`` does this for the current map. A map has only the bytes of its picture: they are
decoded by a job whenever another picture is to be seen. ``tracing`` takes terrains from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.actions import result
from app.background.jobs import Job
from app.background.latest_job import LatestJob
from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.map_picture.tracing import PictureTracing
from app.qt_guard import connect
from app.render.pictures.picture_files import picture_of_file
from app.render.pictures.picture_levels import PictureLevels
from app.widgets.dialogs.files import choose_file
from app.widgets.dialogs.problem_dialog import tell_problems
from randomizer.model.basics.texts import clean_line
from randomizer.model.edits.edit import Region
from randomizer.model.map_picture import (
    RECORD,
    MapPicture,
    covering,
    picture_of,
    set_picture,
    suits,
)
from randomizer.model.problems import Problem
from randomizer.model.records.assets import LARGEST_PICTURE, asset_digest
from randomizer.reading.files import read_file

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

FILTER = "Pictures (*.png *.jpg *.jpeg *.webp *.svg);;All files (*)"
"""The lines of the dialog for files, as Qt's file dialog takes them."""


class MapPictures(QObject):
    """The picture of the current map."""

    changed = Signal()
    """``picture`` or the state of ``tracing`` has changed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._levels: PictureLevels | None = None
        """The decoded picture, None if none is.

        It can be that of a map which was current before: the renderer draws it only if its digest
        is that of the current map's picture.
        """
        self._decode_job = LatestJob(self)
        """Decodes the picture of the current map."""
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._show_current_picture)
        self.tracing = PictureTracing(desk, self)
        connect(self.tracing.changed, self.changed)
        self._show_current_picture()

    @property
    def picture(self) -> MapPicture | None:
        """The picture of the current map, None without one."""
        return picture_of(self._document.battlemap.records)

    def _on_changed(self, region: Region) -> None:
        """Show the picture after an edit that can have given the map another one."""
        if RECORD in region.records:
            self._show_current_picture()

    # --- what is seen -----------------------------------------------------------------------

    def _show_current_picture(self) -> None:
        """Show the picture of the current map, if it has one; a job decodes it first."""
        digest = ""
        if self.picture is not None:
            digest = self.picture.asset
        data = self._document.battlemap.assets.get(digest)
        is_shown = self._levels is not None and self._levels.digest == digest
        # The picture of a map that was current for a moment is not wanted any more.
        self._decode_job.cancel()
        if data is None:
            self._draw_picture(None)
        elif not is_shown:

            def decode(_progress: object, _cancelled: object) -> PictureLevels:
                return PictureLevels.of(digest, data)

            self._decode_job.run(decode, self._draw_picture, self._tell_not_shown)
        self.changed.emit()

    def _draw_picture(self, levels: PictureLevels | None) -> None:
        """Draw a decoded picture on the canvas, None for none."""
        if levels is not self._levels:
            self._levels = levels
            self._desk.renderer.cells.show_picture(levels)
            self._desk.canvas.update()

    def _tell_not_shown(self, problems: tuple[Problem, ...]) -> None:
        """Say why the picture cannot be decoded."""
        self._desk.say(f"The picture is not shown: {problems[0].message}.")

    # --- changing ---------------------------------------------------------------------------

    async def ask_for_file(self) -> None:
        """Ask for a file and lay its picture under the current map."""
        open_map = self._document.current_map
        last_directory = self._desk.settings.last_directory
        choice = choose_file(self._desk.frame, "A picture under the map", last_directory, FILTER)
        path = await self._document.while_open(open_map, choice)
        if path is not None:
            self._desk.settings.last_directory = str(path.parent)
            await self.lay_file(open_map, path)

    async def lay_file(self, open_map: OpenMap, path: Path) -> None:
        """Read and decode a file, and lay its picture under a map; tell why if that fails.

        The picture covers the map, unless this program has exported it from such a map.
        """

        def work(_progress: object, _cancelled: object) -> tuple[bytes, PictureLevels]:
            data = picture_of_file(read_file(path, LARGEST_PICTURE))
            return data, PictureLevels.of(asset_digest(data), data)

        with tell_problems(self._desk.frame, f"Cannot use {path.name}"):
            data, levels = await self._document.while_open(open_map, result(Job(work)))
        self._document.make_current(open_map)
        self._lay_picture(path.name, data, levels)

    def _lay_picture(self, name: str, data: bytes, levels: PictureLevels) -> None:
        """Lay a decoded picture, whose bytes are ``data``, under the current map."""
        from randomizer.tracing.alignment import own_placement

        # A picture that this program has exported of such a map lies exactly below its cells.
        grid = self._document.battlemap.grid
        exported_placement = own_placement(*levels.size, grid)
        if exported_placement is None:
            placement = covering(levels.size, grid)
        else:
            placement = exported_placement.values
        picture = MapPicture(levels.digest, clean_line(name), levels.size, placement)
        self._document.add_assets({levels.digest: data})
        self._decode_job.cancel()
        self._draw_picture(levels)  # else the step would have it decoded once more
        if not self.push(picture, "Lay a picture"):
            self._show_current_picture()  # the step was refused: the map has the picture before

    def push(self, picture: MapPicture | None, text: str) -> bool:
        """Change the picture, or with None remove it, by an undo step called ``text``.

        Returns whether anything has changed.
        """
        return self._document.push(set_picture(self._document.battlemap, picture), text)


def make(desk: Desk) -> None:
    """Show the pictures of maps, and add the command that takes terrains from them."""
    pictures = MapPictures(desk)
    desk.commands.add(
        [
            Command(
                "map.take-terrains",
                "Take terrains &from the picture",
                pictures.tracing.begin,
                "Give every {cell} without a terrain the one that it looks like",
                why_not=pictures.tracing.why_not,
                offered=lambda: suits(desk.document.battlemap.system),
                words="trace scan photograph image recognise import",
            )
        ]
    )
