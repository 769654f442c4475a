"""What the dialogs for pictures remember from one time to the next.

Three things are kept apart::

    the overlays                 by the kind of map, as differences from those that are usual
    kind of a virtual table      it is not the kind of the next picture
    all other settings           for all maps alike
"""

from __future__ import annotations

from collections.abc import Mapping

from app.document.open_map import OpenMap
from app.features.pictures.picture_purpose import Purpose
from app.paper.picture_request import ON_PAPER, TABLES, has_usual_walls
from app.paper.picture_settings import WALLS
from app.render.overlay_choices import CONTOUR_STEP, apply_switched, differences, kind_of_map
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.renderer import Renderer
from app.settings import Settings

KIND_OF_TABLE = "table"
"""The key of the kind of file last made for a virtual table, among the settings for pictures."""

TABLE_VALUES = ("folder", "pixels")
"""The values that are remembered of a file for a virtual table.

What else is usual there, such as no grid lines, would not suit the next picture.
"""


class PictureMemory:
    """Remembers the values of the form for one map and one purpose."""

    def __init__(
        self, settings: Settings, renderer: Renderer, open_map: OpenMap, purpose: Purpose
    ) -> None:
        """Look into ``settings``; ``renderer`` has the overlays of the desk."""
        self._settings = settings
        self._purpose = purpose
        self._open_map = open_map
        battlemap = open_map.battlemap
        self._kind_of_map = kind_of_map(battlemap.system, battlemap.terrain_set)
        """The kind of map for which the choice of overlays is remembered."""
        self.usual_overlays = _usual_overlays(renderer, purpose)
        """The overlays that are drawn unless another choice is remembered."""

    def values(self) -> dict[str, object]:
        """Return the values with which the form begins, by their names."""
        values: dict[str, object] = dict(self._settings.picture)
        if self._purpose is Purpose.TABLE:
            values["kind"] = values.get(KIND_OF_TABLE, "")

        composite = self._open_map.live_composite()
        values[WALLS.name] = has_usual_walls(self._open_map.battlemap, composite)

        switched = self._settings.picture_overlays(self._kind_of_map)
        overlays = apply_switched(self.usual_overlays, switched)
        for name in OVERLAYS:
            values[name] = overlays.shows(name)
        values[CONTOUR_STEP] = overlays.contour_step
        return values

    def store(self, kind: str, values: Mapping[str, object], overlays: Overlays) -> None:
        """Store the values of a file of this kind for the next time."""
        if kind in TABLES:
            values_of_table = {name: values[name] for name in TABLE_VALUES}
            self._settings.remember_picture({**values_of_table, KIND_OF_TABLE: kind})
            return
        switched = differences(overlays, self.usual_overlays)
        self._settings.set_picture_overlays(self._kind_of_map, switched)
        overlay_names = (*OVERLAYS, CONTOUR_STEP)
        self._settings.remember_picture(
            {name: value for name, value in values.items() if name not in overlay_names}
        )


def _usual_overlays(renderer: Renderer, purpose: Purpose) -> Overlays:
    """Return the overlays of the desk, as they are usual in pictures for a purpose."""
    # Locks matter only while one works on the desk.
    overlays = renderer.overlays.having("locks", ON_PAPER.locks)
    if purpose is Purpose.PRINT:
        # On paper people count and move by the cells.
        overlays = overlays.having("grid_lines", True)
    return overlays
