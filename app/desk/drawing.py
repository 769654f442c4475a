"""How the maps of a desk are drawn: which overlays, and with which pictures of terrains.

For example::

    desk.drawing.show_overlay("things")
    desk.drawing.show_contour_lines(step=2)
    desk.drawing.show_pictures(pictures)
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.desk.map_overlays import MapOverlays
from app.qt_guard import connect
from app.render.renderer import Renderer

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.commands.commands import Command
    from app.document.document import MapDocument
    from app.render.pictures.terrain_pictures import Pictures
    from app.render.scene.cell_overlays import BatchesOfCells
    from app.tools import Tool


class Drawing(QObject):
    """Tells the renderer of a window which overlays and pictures to draw."""

    overlays_changed = Signal()
    """Other overlays are drawn from now on, chosen by the user or not."""

    overlays_chosen = Signal()
    """The user has chosen other overlays: ``overlays_changed`` was emitted before."""

    pictures_changed = Signal()
    """Terrains are drawn with other pictures from now on."""

    def __init__(self, document: MapDocument, renderer: Renderer, parent: QObject) -> None:
        """Decide how the first map is drawn; made before the canvas, which draws it so."""
        super().__init__(parent)
        self._renderer = renderer
        self._map_overlays = MapOverlays(document, renderer, self)
        """Keeps the overlays of each kind of map: it hears of each change before the canvas."""
        connect(self._map_overlays.changed, self.overlays_changed)

    # --- overlays ---------------------------------------------------------------------------

    def show_overlay(self, name: str, shown: bool = True) -> None:
        """Show or hide an overlay, on all maps of the current one's kind."""
        overlays = self._renderer.overlays.having(name, shown)
        if overlays != self._renderer.overlays:
            self._map_overlays.choose(overlays)
            self.overlays_chosen.emit()

    def show_contour_lines(self, step: int) -> None:
        """Show contour lines on all maps of the current one's kind.

        ``step`` is the height between two of them, 0 for none.
        """
        self._map_overlays.choose_contour_lines(step)
        self.overlays_chosen.emit()

    def follow_tool(self, tool: Tool) -> None:
        """Show contour lines while a tool is chosen that needs them (``Tool.shows_contours``)."""
        self._map_overlays.lend_contour_lines(tool.shows_contours)

    def add_overlay(self, name: str, title: str, tip: str, batches: BatchesOfCells) -> Command:
        """Add texts and icons on cells for all windows; return the command that shows them here.

        ``batches`` yields them, as the functions in ``CELL_OVERLAYS`` do. ``title`` is the text of
        the command, ``tip`` its tool tip.
        """
        from app.commands.commands import Change, Command
        from app.render.scene.cell_overlays import CELL_OVERLAYS, CellOverlay

        CELL_OVERLAYS.append(CellOverlay(name, title, batches))
        renderer = self._renderer
        return Command(
            f"view.package.{name}",
            title,
            lambda: self.show_overlay(name, not renderer.overlays.shows(name)),
            tip,
            checked=lambda: renderer.overlays.shows(name),
            follows=Change.MAP | Change.DESK,
        )

    # --- pictures of terrains ---------------------------------------------------------------

    def add_pictures(self, folder: Traversable) -> None:
        """Draw terrains by the pictures ``NAME.svg`` in a folder, where there are none of ours."""
        from app.render.pictures.terrain_pictures import add_folder

        add_folder(folder, self._renderer.pictures)
        self.show_pictures(self._renderer.pictures)

    def show_pictures(self, pictures: Pictures) -> None:
        """Draw terrains with other pictures."""
        self._renderer.set_theme(self._renderer.theme, pictures)
        self.pictures_changed.emit()
