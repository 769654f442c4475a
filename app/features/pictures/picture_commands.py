"""Commands for pictures of the map: export, print, copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QImage

from app.background.latest_job import LatestJob
from randomizer.model.layering import rolled_layer

if TYPE_CHECKING:
    from app.window import MainWindow
    from randomizer.model.problems import Problem

NOT_ROLLED = "Nothing on this map was rolled."

COPY_SIDE = 4000
COPY_HEX_PIXELS = 120.0
"""A copied picture has at most so many pixels a side, and a hex."""


class PictureCommands(QObject):
    """What the File and Edit menus do with pictures."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._job = LatestJob(self)

    def export(self) -> None:
        """Ask what the picture is to be, and write it."""
        self._open(printing=False)

    def print_map(self) -> None:
        """Ask for size and paper, and print."""
        self._open(printing=True)

    def tables(self) -> None:
        """Ask how many maps like the rolled one are wanted, and write them."""
        from app.features.pictures.tables_dialog import TablesDialog

        window, document = self._window, self._window.document
        layer = rolled_layer(document.battlemap, document.active_layer)
        if layer is None:
            window.say(NOT_ROLLED)
            return
        dialog = TablesDialog(document, layer, window.renderer.pictures, window.settings, window)
        dialog.said.connect(window.say)
        dialog.open()

    def _open(self, *, printing: bool) -> None:
        from app.features.pictures.picture_dialog import PictureDialog

        window = self._window
        dialog = PictureDialog(
            window.document, window.renderer.pictures, window.settings, window, printing=printing
        )
        dialog.said.connect(window.say)
        dialog.open()

    def copy(self) -> None:
        """Put a picture of the map, as it looks on the desk, onto the clipboard."""
        from app.paper.export import Order, image, working
        from app.render.vector.vector_map import snapshot

        window, document = self._window, self._window.document
        renderer = window.renderer
        order = Order(
            pixels=COPY_HEX_PIXELS,
            colours=renderer.theme,
            overlays=renderer.overlays,
            pictures=renderer.pictures,
        )
        still = snapshot(document.battlemap, document.composite)
        window.say("Copying the map as a picture ...")
        self._job.run(working(image(order, *still, COPY_SIDE)), self._copied, self._failed)

    def _copied(self, picture: QImage) -> None:
        QGuiApplication.clipboard().setImage(picture)
        self._window.say(
            f"Copied the map as a picture of {picture.width():,} x {picture.height():,} pixels"
        )

    def _failed(self, problems: tuple[Problem, ...]) -> None:
        self._window.say(problems[0].message)
