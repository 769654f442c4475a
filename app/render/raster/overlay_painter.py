"""Draws what lies over the ground of a map: things, names, padlocks, countries, edges.

``Renderer.paint`` makes an ``OverlayFrame`` for each frame, on which an ``OverlayPainter`` draws
from the bottom up. Where things, names and padlocks stand is worked out once and stored until the
map changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.appearance.painting import saved_state
from app.render.level_of_detail import LABELS_FROM
from app.render.map_outline import paint_round_edge, paint_seam
from app.render.overlay_options import Overlays
from app.render.raster.ground_view import GroundView
from app.render.raster.label_painter import LabelPainter
from app.render.scene import entry_names
from app.render.scene.batch import OverlayBatch
from app.render.scene.countries import CountriesCache, Country, paint_countries
from app.render.scene.locks import AreaLocks, AreaLocksCache
from app.render.scene.region_names import RegionNames, RegionNamesCache
from app.render.scene.things import things
from app.render.scene.things.loads import LoadsCache
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.signs import NO_SIGNS, Signs, SignsCache
from app.render.scene.things.thing_labels import NamesCache
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap


@dataclass(frozen=True, eq=False)
class OverlayFrame:
    """One frame, and the look in which it is drawn."""

    painter: QPainter
    """Its unit is a device pixel."""

    view: GroundView
    """The map and where it is seen."""

    dirty: QRectF
    """The box that is drawn, in logical pixels."""

    overlays: Overlays
    """The overlays that are shown."""

    theme: Theme
    """The colours."""

    label_painter: LabelPainter
    """Draws texts and icons."""

    @property
    def scale(self) -> float:
        """The logical pixels in a map unit."""
        return self.view.viewport.scale

    @cached_property
    def map_area(self) -> QRectF:
        """The box that is drawn, in map units."""
        return self.view.map_area(self.dirty)

    def draw(self, batches: Iterable[OverlayBatch]) -> None:
        """Draw texts and icons of a scene."""
        view = self.view
        self.label_painter.paint(self.painter, batches, view.viewport, self.dirty, view.ratio)


class OverlayPainter:
    """Draws what lies over the ground, and stores where it stands on the map drawn last."""

    def __init__(self) -> None:
        self._loads = LoadsCache()
        self._names = NamesCache()
        self._signs = SignsCache()
        self._countries = CountriesCache()
        self._region_names = RegionNamesCache()
        self._area_locks = AreaLocksCache()

    # --- what stands where ----------------------------------------------------------------------

    def names(self, battlemap: BattleMap, scale: float, overlays: Overlays) -> Names:
        """Return the names of things that a map shows at a scale."""
        if not (overlays.things and overlays.thing_names and overlays.map_names):
            return NO_NAMES
        return self._names.of(battlemap, scale, self._loads.of(battlemap))

    def signs(self, battlemap: BattleMap, scale: float, overlays: Overlays) -> Signs:
        """Return the signs of things that a map shows at a scale: one object until they change."""
        if not overlays.things:
            return NO_SIGNS
        return self._signs.of(battlemap, scale)

    def countries(self, battlemap: BattleMap, overlays: Overlays) -> tuple[Country, ...]:
        """Return the countries that a map shows: one object until something of them changes."""
        if not overlays.countries:
            return ()
        return self._countries.of(battlemap)

    def area_locks(self, battlemap: BattleMap) -> AreaLocks:
        """Return the padlocks of a map: one object until ``forget_locks``, or another map."""
        return self._area_locks.of(battlemap)

    @property
    def placed_locks(self) -> AreaLocks:
        """The padlocks that were placed last, also after ``forget_locks``.

        A widget finds by them what to draw again where padlocks were until then.
        """
        return self._area_locks.latest

    def forget_locks(self) -> None:
        """Place the padlocks anew when they are asked for: a lock has changed."""
        self._area_locks.forget()

    def forget_region_names(self) -> None:
        """Find the names of regions anew when they are drawn: a region has changed."""
        self._region_names.forget()

    def region_names(self, view: GroundView) -> RegionNames:
        """Return the names of the regions of a map: one object until ``forget_region_names``."""
        return self._region_names.of(view.battlemap, view.composite)

    # --- drawing, from the bottom up ------------------------------------------------------------

    def paint_seam(self, frame: OverlayFrame) -> None:
        """Mark where a map that wraps was cut open.

        Not to be called for ground with sprites: its scene has the seam, along the sides of cells.
        """
        grid = frame.view.battlemap.grid
        if grid.wrap and frame.overlays.seam:
            view = frame.view
            paint_seam(frame.painter, grid, view.viewport, view.ratio, frame.theme.seam)

    def paint_countries(self, frame: OverlayFrame) -> None:
        """Draw the borders and names of countries."""
        countries = self.countries(frame.view.battlemap, frame.overlays)
        if not countries:
            return
        painter = frame.painter
        with saved_state(painter):
            painter.translate(frame.view.origin)
            painter.scale(frame.view.unit, frame.view.unit)  # its unit is that of the map now
            paint_countries(painter, countries, frame.scale)

    def paint_region_names(self, frame: OverlayFrame, regions: RegionNames, names: Names) -> None:
        """Draw the names of regions where they leave room for the names of things."""
        frame.draw(regions.batches(frame.scale, frame.map_area, frame.theme, names))

    def paint_things(self, frame: OverlayFrame, signs: Signs, *, translucent: bool) -> None:
        """Draw what is placed on the map, and the signs that stand for it seen from afar.

        With ``translucent`` things have the opacity of their layers.
        """
        battlemap = frame.view.battlemap
        batches = things.batches(
            battlemap,
            frame.scale,
            frame.map_area,
            self._loads.of(battlemap),
            merge_small_looks=True,
            translucent=translucent,
        )
        frame.draw(batches)
        frame.draw(signs.batches(frame.map_area))

    def paint_padlocks(self, frame: OverlayFrame) -> None:
        """Draw the padlocks of locked areas."""
        padlocks = self.area_locks(frame.view.battlemap)
        frame.draw(padlocks.batches(frame.scale, frame.map_area, frame.theme))

    def paint_names(self, frame: OverlayFrame, names: Names) -> None:
        """Draw the names of things."""
        frame.draw(names.batches(frame.scale, frame.map_area, frame.theme))

    def paint_round_edge(self, frame: OverlayFrame) -> None:
        """Mark the edge of a round map.

        Here alone the unit of the frame's painter is a logical pixel: circles are drawn in it.
        """
        view = frame.view
        paint_round_edge(frame.painter, view.battlemap, view.viewport, frame.dirty, frame.theme)

    def paint_entry_sides(self, frame: OverlayFrame) -> None:
        """Name the sides on which armies enter a battleland, where there is room for it."""
        if frame.view.cell_size >= LABELS_FROM:
            frame.draw(entry_names.entry_sides(frame.view.battlemap, frame.theme))
