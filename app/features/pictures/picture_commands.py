"""Commands for pictures of the map: export, print, copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QImage

from app.background.latest_job import LatestJob
from randomizer.model.rolled_layers import rolled_layer

if TYPE_CHECKING:
    from app.window import MainWindow
    from randomizer.model.problems import Problem

NOT_ROLLED = "Nothing on this map was rolled."

COPY_SIDE = 4000
COPY_HEX_PIXELS = 120.0
"""A copied picture has at most this many pixels a side, and a hex."""


class PictureCommands(QObject):
    """The commands of the menus File and Edit that make pictures of the map in front."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._job = LatestJob(self)

    def export(self) -> None:
        """Ask how the picture is to be made, and write it."""
        self._open(printing=False)

    def print_map(self) -> None:
        """Ask for size and paper, and print."""
        self._open(printing=True)

    def tables(self) -> None:
        """Ask for the number of maps like the rolled one, and write them as a PDF."""
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
        from app.paper.export import image
        from app.paper.picture_request import PictureRequest
        from app.paper.steps import as_work
        from app.render.vector.vector_map import snapshot

        window, document = self._window, self._window.document
        renderer = window.renderer
        request = PictureRequest(
            pixels=COPY_HEX_PIXELS,
            theme=renderer.theme,
            overlays=renderer.overlays,
            pictures=renderer.pictures,
        )
        still = snapshot(document.battlemap, document.composite)
        window.say("Copying the map as a picture ...")
        self._job.run(as_work(image(request, *still, COPY_SIDE)), self._copied, self._failed)

    def _copied(self, picture: QImage) -> None:
        QGuiApplication.clipboard().setImage(picture)
        self._window.say(
            f"Copied the map as a picture of {picture.width():,} x {picture.height():,} pixels"
        )

    def _failed(self, problems: tuple[Problem, ...]) -> None:
        self._window.say(problems[0].message)
