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

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.render.pictures.terrain_pictures import Pictures
    from app.render.scene.cell_overlays import BatchesOfCells
    from app.tools import Tool


class Drawing(QObject):
    """Chooses overlays and pictures for the maps of a desk, and adds those of packages."""

    overlays_changed = Signal()
    """Other overlays are drawn from now on."""

    def __init__(self, desk: Desk) -> None:
        """Decide how the first map is drawn: made before the canvas, which draws it so."""
        super().__init__(desk)
        self._desk = desk
        self._renderer = desk.renderer
        self._map_overlays = MapOverlays(desk.document, desk.renderer, self)
        """Keeps the overlays of each kind of map: it hears of each change before the canvas."""
        connect(self._map_overlays.changed, self.overlays_changed)

    # --- overlays ---------------------------------------------------------------------------

    def show_overlay(self, name: str, shown: bool = True) -> None:
        """Show or hide an overlay, on all maps of the current one's kind."""
        overlays = self._renderer.overlays.having(name, shown)
        if overlays != self._renderer.overlays:
            self._map_overlays.choose(overlays)
            self._update()

    def show_contour_lines(self, step: int) -> None:
        """Show contour lines on all maps of the current one's kind.

        ``step`` is the height between two of them, 0 for none.
        """
        self._map_overlays.choose_contour_lines(step)
        self._update()

    def follow_tool(self, tool: Tool) -> None:
        """Show contour lines while a tool is chosen that needs them (``Tool.shows_contours``)."""
        self._map_overlays.lend_contour_lines(tool.shows_contours)
        self._desk.canvas.update()

    def _update(self) -> None:
        """Draw the map with other overlays, and tick the commands that show them."""
        from app.commands.commands import Change

        self._desk.canvas.update()
        self._desk.commands.refresh(Change.DESK)

    def add_overlay(self, name: str, title: str, tip: str, batches: BatchesOfCells) -> None:
        """Add texts and icons on cells for all windows, and to this one the command for them.

        ``batches`` yields them, as the functions in ``CELL_OVERLAYS`` do. ``title`` is the text of
        the command, ``tip`` its tool tip.
        """
        from app.commands.commands import Change, Command
        from app.render.scene.cell_overlays import CELL_OVERLAYS, CellOverlay

        CELL_OVERLAYS.append(CellOverlay(name, title, batches))
        renderer = self._renderer
        command = Command(
            f"view.package.{name}",
            title,
            lambda: self.show_overlay(name, not renderer.overlays.shows(name)),
            tip,
            checked=lambda: renderer.overlays.shows(name),
            follows=Change.MAP | Change.DESK,
        )
        self._desk.commands.add([command])

    # --- pictures of terrains ---------------------------------------------------------------

    def add_pictures(self, folder: Traversable) -> None:
        """Draw terrains by the pictures ``NAME.svg`` in a folder, where there are none of ours."""
        from app.render.pictures.terrain_pictures import add_folder

        add_folder(folder, self._renderer.pictures)
        self.show_pictures(self._renderer.pictures)

    def show_pictures(self, pictures: Pictures) -> None:
        """Draw the desk with other pictures of terrains."""
        self._renderer.set_theme(self._renderer.theme, pictures)
        self._desk.theme.refresh()
