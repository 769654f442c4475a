"""What the commands for pictures do: export, print and copy the map, and write tables like it.

``feature.py`` makes a ``PictureController`` for a desk and names its methods in the menus. A dialog
asks for what is to be made, except for a copy, which is made at once. *Tables* are many maps like
a rolled one, in one PDF; a *virtual table* is a program in which players meet on the map.

Modules of dialogs and of the paper are imported where they are used: the desk starts without them.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.features.pictures.picture_purpose import Purpose
from app.qt_guard import connect
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.rolled_layers import rolled_layer

NOT_ROLLED = "Nothing on this map was rolled."
"""The reason why no more maps like this one can be rolled."""

COPY_SIDE = 4000
"""The most pixels that a copied picture has in width and in height."""

COPY_HEX_PIXELS = 120.0
"""The size of a hex in a copied picture, in pixels.

It is smaller on a map that would exceed ``COPY_SIDE``.
"""


class PictureController(QObject):
    """Exports, prints and copies pictures of the current map."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._job = LatestJob(self)
        """Draws the picture that is copied; another copy replaces one that is not drawn yet."""

    def export(self) -> None:
        """Open the dialog that writes a picture of the map to a file."""
        self._open_picture_dialog(Purpose.PICTURE)

    def open_virtual_table_dialog(self) -> None:
        """Open the dialog that writes the files for a virtual table."""
        self._open_picture_dialog(Purpose.TABLE)

    def print_map(self) -> None:
        """Open the dialog that prints the map."""
        self._open_picture_dialog(Purpose.PRINT)

    def why_not_tables(self) -> str:
        """Return why no more maps like this one can be rolled, "" if they can."""
        if rolled_layer(self._desk.document.battlemap) is None:
            return NOT_ROLLED
        return ""

    def open_tables_dialog(self) -> None:
        """Open the dialog that rolls more maps like the current one, and writes them as a PDF."""
        from app.features.pictures.tables_dialog import TablesDialog

        document = self._desk.document
        # Of several rolled layers the active one, or else the topmost.
        layer = rolled_layer(document.battlemap, document.active_layer)
        if layer is None:
            self._desk.say(NOT_ROLLED)
            return
        desk = self._desk
        dialog = TablesDialog(document, layer, desk.renderer, desk.settings, desk.frame)
        connect(dialog.reported, self._desk.say)
        dialog.open()

    def _open_picture_dialog(self, purpose: Purpose) -> None:
        """Open the dialog of a picture, of a print, or of a file for a virtual table."""
        from app.features.pictures.picture_dialog import PictureDialog

        desk = self._desk
        dialog = PictureDialog(
            desk.document, desk.renderer, desk.settings, desk.frame, purpose=purpose
        )
        # The message about the files for a table tells what to do with each: it stays until the
        # next one.
        is_lasting = purpose is Purpose.TABLE
        connect(dialog.reported, partial(self._desk.say, lasting=is_lasting))
        dialog.open()

    async def copy(self) -> None:
        """Put a picture of the map, as it looks on the desk, onto the clipboard."""
        from app.paper.bitmaps import image
        from app.paper.picture_request import PictureRequest
        from app.paper.steps import as_work
        from app.render.vector.snapshots import snapshot

        document = self._desk.document
        renderer = self._desk.renderer
        request = PictureRequest(
            pixels=COPY_HEX_PIXELS,
            theme=renderer.theme,
            overlays=renderer.overlays,
            pictures=renderer.pictures,
        )
        # A copy, since the desk can be used while the picture is drawn.
        map_copy, composite_copy = snapshot(
            document.battlemap, document.composite, request.overlays
        )
        self._desk.say("Copying the map as a picture ...")
        try:
            steps = image(request, map_copy, composite_copy, COPY_SIDE)
            picture = await self._job.result(as_work(steps))
        except ProblemError as reason:
            self._desk.say(reason.problems[0].message)
            return
        QGuiApplication.clipboard().setImage(picture)
        self._desk.say(
            f"Copied the map as a picture of {picture.width():,} x {picture.height():,} pixels"
        )
