"""The overlays of the desk: grid, locks, contour lines and the like over the current map.

What a person chooses is kept for each kind of map, so a landscape has other overlays than a table
of Cordery. There is one exception: while a tool is chosen that shapes the land, contour lines are
drawn where the person has chosen none, since from above a hill is hardly seen. They are *lent*, and
go with the tool::

    chosen      tool            drawn
    no lines    a brush         no lines
    no lines    shapes land     lent lines
    lines       shapes land     the chosen lines
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from randomizer.model.edits.edit import Region

if TYPE_CHECKING:
    from app.document.document import MapDocument

LENT_CONTOUR_STEP = 2
"""The height between two lent lines, in the units that people see.

With more, the hill of a single click has no line; with less, small swellings have many."""


class MapOverlays(QObject):
    """Decides which overlays the renderer draws: those of the kind of the current map."""

    changed = Signal()
    """Other overlays are drawn from now on."""

    def __init__(self, document: MapDocument, renderer: Renderer, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._renderer = renderer
        self._may_lend = False
        """True while a tool is chosen that shapes the land, until the user chooses other lines."""
        self._are_lines_lent = False
        """True while contour lines are drawn that the user has not chosen."""
        self._draw_chosen()
        connect(document.map_replaced, self._draw_chosen)
        connect(document.changed, self._on_map_changed)

    def choose_contour_lines(self, step: int) -> None:
        """Draw contour lines of this step, 0 for none, and keep them as the choice.

        The tool that shapes the land adds nothing to that. So lines that were lent stay when the
        user chooses them.
        """
        self._may_lend = False
        self._are_lines_lent = False
        self.choose(replace(self._renderer.overlays, contour_step=step))

    def choose(self, overlays: Overlays) -> None:
        """Draw these overlays, and keep them as the choice for all maps of this kind.

        Its contour lines are those that are drawn already. If they are lent, they go on being
        drawn, but are no part of the choice.
        """
        chosen = overlays
        if self._are_lines_lent:
            chosen = replace(overlays, contour_step=self._chosen().contour_step)
        battlemap = self._document.battlemap
        self._renderer.choices.switch(battlemap.system, battlemap.terrain_set, chosen)
        self._renderer.overlays = overlays
        self.changed.emit()

    def lend_contour_lines(self, may_lend: bool) -> None:
        """Let lent contour lines be drawn from now on, or no longer."""
        self._may_lend = may_lend
        self._draw_chosen()

    def _chosen(self) -> Overlays:
        """Return what the user has chosen for maps of the current kind."""
        battlemap = self._document.battlemap
        return self._renderer.choices.of(battlemap.system, battlemap.terrain_set)

    def _draw_chosen(self) -> None:
        """Draw the current map with the overlays of its kind, and with lent lines.

        Whether the map is drawn as its players see it is a choice for the whole desk, which only
        the renderer knows: that stays as it is.
        """
        overlays = replace(self._chosen(), players=self._renderer.overlays.players)
        has_heights = self._document.battlemap.system.corner_heights is not None
        self._are_lines_lent = self._may_lend and has_heights and not overlays.contour_step
        if self._are_lines_lent:
            overlays = replace(overlays, contour_step=LENT_CONTOUR_STEP)
        if overlays != self._renderer.overlays:
            self._renderer.overlays = overlays
            self.changed.emit()

    def _on_map_changed(self, region: Region) -> None:
        if region.terrain_set or region.everything:  # the map may be of another kind now
            self._draw_chosen()
