"""Wires the panel of the period to the current map: to the period's text and to its world.

The panel shows two results that are worked out in the background: the period that is read from the
text (``_read_texts``), and the relief of the map's roll (``make_world``), of which the chart shows
the density. A change in the panel goes this way::

    the user drags a limit      ``WorldPreview`` shows the world that it would give
    and lets it go              ``PeriodChanges`` changes the text of the period
                                the map's script rolls the world again; then the preview ends
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QTimer

from app.background.background_value import BackgroundValue
from app.canvas.overlays import FLASH_MS
from app.desk.desk import Desk
from app.document.map_files import PROJECT_SUFFIX
from app.qt_guard import connect, guarded
from app.systems.xconq.period.period_changes import PeriodChanges
from app.systems.xconq.period.period_panel import PeriodPanel
from app.systems.xconq.period.rolled_relief import (
    ReliefAndTerrain,
    RollOfMap,
    is_terrain_of,
    make_world,
)
from app.systems.xconq.period.shown_period import ShownPeriod
from app.systems.xconq.period.world_preview import WorldPreview
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.grid import Hit
from randomizer.model.problems import first_cause, has_errors
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import Reading, reading_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.records import period_texts_of
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain
from randomizer.systems.xconq.world.coverage import Box, limits_of_boxes
from randomizer.systems.xconq.world.relief import MIN_SIDE, PERCENTS, Relief

if TYPE_CHECKING:
    from randomizer.systems.xconq.world.shared_edges import Edge

DOCK = "period"
"""The name of the dock of the panel."""

NEAR = 2
"""The most percent by which cells differ from the clicked percentages and are outlined."""

NOT_ROLLED = (
    "This map was not rolled from its period, or was changed since, so its terrain stays as it is."
)
"""The reason why there is no density.

A map that is turned or cut forgets its roll, so it cannot be told from one that was never rolled.
"""

NO_SEED = "A {suffix} file keeps no seed, so the terrain stays as it is until you roll."
"""The reason if the map is from a file that cannot tell whether it was rolled."""

CODES = 256
"""The number of codes that a plane of terrains, of bytes, can hold."""

MAX_OUTLINED = 2000
"""The most cells that are outlined after a click into the chart."""

Texts = tuple[str, tuple[tuple[str, str], ...]]
"""The text of a period, and those of its included files by name."""


class PeriodController(QObject):
    """Connects the panel to the map and to its script; a child of its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = PeriodPanel()
        super().__init__(self.panel)
        self._desk = desk
        self._document = desk.document
        self._map_script = desk.scripts.map_script
        self._shown = ShownPeriod()
        """What was read of the period."""
        self._changes = PeriodChanges(desk, self._shown, self.panel)
        self._relief: Relief | None = None
        """The relief of the map's roll, None if the map was not rolled, or was changed since."""
        self._shares: tuple[float, ...] | None = None
        """The share of the map that each terrain code has; None if it has to be counted again."""
        self._hovered_percents: tuple[int, int] | None = None
        """The altitude and moisture of the cell under the mouse; None if it is at none."""
        self._clicked_percents: tuple[int, int] | None = None
        """The altitude and moisture of the cell that was clicked last.

        None before the first click, and after one beside the map.
        """
        self._preview = WorldPreview(desk.document, self)
        self._previewed_boxes: tuple[Box, ...] = ()
        """The limits that the preview shows, () while there is none."""
        self._preview_timer = QTimer(self, singleShot=True, interval=0)
        """Draws the preview; of several changes in one turn of the event loop only the last."""
        self._flash_timer = QTimer(self, singleShot=True, interval=FLASH_MS)
        """Ends the outlines of cells."""
        self._reading = BackgroundValue(self._texts_of_map, _read_texts, self)
        """The reading of the period's text."""
        self._world = BackgroundValue(self._roll_of_map, make_world, self)
        """The relief of the map's roll."""
        self._visibility = DockVisibility(self.panel, desk.docks[DOCK])
        self._connect()

    def _connect(self) -> None:
        self._connect_map()
        self._connect_chart()
        self._connect_banner_and_pages()

    def _connect_map(self) -> None:
        """Follow the map, its script, and the results in the background."""
        connect(self._visibility.changed, self._on_seen)
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._on_map)
        connect(self._map_script.changed, self._on_script)
        connect(self._map_script.failed, self._on_script)
        connect(self._reading.computed, self._on_read)
        connect(self._reading.missed, self.panel.show_nothing)
        connect(self._world.computed, self._on_world)
        connect(self._world.missed, self._on_no_world)

    def _connect_chart(self) -> None:
        """Do what the chart asks for, and mark in it the cell under the mouse on the map."""
        chart = self.panel.chart_page.chart
        connect(chart.preview_wanted, self._on_preview_wanted)
        connect(chart.preview_ended, self._end_preview)
        connect(chart.change_wanted, self._on_edges_moved)
        connect(chart.clicked, self._show_cells)
        connect(self.panel.chart_page.shares_wanted, self._update_shares)
        connect(self._preview_timer.timeout, self._show_preview)
        connect(self._flash_timer.timeout, self._end_flash)
        connect(self._desk.canvas.hovered, self._on_hovered)
        self._desk.canvas.installEventFilter(self)

    def _connect_banner_and_pages(self) -> None:
        """Do what the buttons of the panel's message and the other pages ask for."""
        changes = self._changes
        connect(changes.refused, self._end_preview)
        connect(self.panel.line_wanted, changes.go_to_refused_line)
        connect(self.panel.own_line_wanted, changes.give_own_lines)
        inspector = self.panel.inspector
        connect(inspector.typed, changes.change_in_place)
        connect(inspector.own_line_wanted, changes.set_by_own_line)
        connect(inspector.line_wanted, changes.go_to)
        connect(inspector.refused, lambda why: self.panel.show_refusal("", NotPlain(why)))
        for types in self.panel.types:
            connect(types.typed, changes.set_value)
            connect(types.changed, changes.change_types)

    # --- what is shown ----------------------------------------------------------------------

    def _on_seen(self, is_seen: bool) -> None:
        """Work nothing out while the panel is hidden."""
        self._reading.set_watched(is_seen)
        self._world.set_watched(is_seen)

    def _on_changed(self) -> None:
        """Look at the map again, which may have another text or another roll."""
        self._shares = None
        self._reading.renew()
        self._world.renew()

    def _on_map(self) -> None:
        """End a drag and a preview, as another map is current."""
        self.panel.chart_page.chart.cancel_press()
        self._end_preview()
        self._on_changed()

    def _on_script(self) -> None:
        """Follow a new text of the period, or one that cannot be rolled."""
        is_on_its_way = self._map_script.pending
        if is_on_its_way and self._previewed_boxes:
            # The preview stays until the world of the new text is there.
            self._preview_timer.start()
        else:
            self._end_preview()
        if not is_on_its_way:
            # It is there, or has failed: the period is read and shown again, even if its text is
            # the one that was read before.
            self._reading.forget()
        self._on_changed()

    def _texts_of_map(self) -> Texts | str:
        """Return the texts of the map's period, or the reason if the map has none."""
        battlemap = self._document.battlemap
        if not self._map_script.in_map:
            map_of_system = with_article(battlemap.system.title, "A")
            return f"{map_of_system} has no period. Make or open an Xconq world."
        texts = period_texts_of(battlemap)
        if texts is None:
            # Such a map has the packaged period of modern times (``map_period``).
            return packaged_text(MODERN), ()
        text, further = texts
        return text, tuple(sorted(further.items()))

    def _on_read(self, reading: Reading) -> None:
        """Show the period that was read; if it has errors, the previous one stays in sight."""
        error = None
        if has_errors(reading.problems):
            error = first_cause(reading.problems)
        self._shown.error = error
        if error is not None:
            position = ""
            if error.line:
                position = f" in line {error.line}"
            text = f"The period has errors: {error.message.rstrip('.')}{position}."
            self.panel.show_errors(f"{text} What was read last is shown.")
            return
        self._shown.last_read = reading.period
        self._changes.report_hidden_part()
        self.panel.show_period(reading.period)

    def _roll_of_map(self) -> RollOfMap | str:
        """Return the roll of the current map, or the reason if there is none."""
        layer = self._document.battlemap.source_layer
        grid = self._document.battlemap.grid
        if not self._map_script.in_map or layer is None or layer.roll is None:
            return self._why_not_rolled()
        if min(grid.width, grid.height) < MIN_SIDE:
            return NOT_ROLLED  # no world is so small
        return RollOfMap(layer.roll, grid.width, grid.height)

    def _why_not_rolled(self) -> str:
        """Return the reason why there is no roll of the current map."""
        path = self._document.path
        if path is None or path.suffix.lower() == PROJECT_SUFFIX:
            return NOT_ROLLED
        # Files of other kinds than projects have no layers, and so no rolls.
        if self._document.battlemap.source_layer is not None:
            return NOT_ROLLED
        return NO_SEED.format(suffix=path.suffix)

    def _on_world(self, world: ReliefAndTerrain | None) -> None:
        """Show the relief of the map's roll, unless the map has been turned or cut since.

        None: the period of the roll has errors.
        """
        if world is None:
            self._on_no_world(NOT_ROLLED)  # not by this program: it rolls from no such period
            return
        layer = self._document.battlemap.source_layer
        if layer is None or not is_terrain_of(world, layer):
            self._on_no_world(NOT_ROLLED)
            return
        self._forget_percents()
        self._relief = world.relief
        self.panel.chart_page.show_density(world.relief.density)

    def _on_no_world(self, why: str) -> None:
        """Show no density, but the reason."""
        self._forget_percents()
        self._relief = None
        self.panel.chart_page.show_density(None, why)

    def _forget_percents(self) -> None:
        """Mark no cell in the chart: the percentages were those of the previous relief."""
        self._hovered_percents = None
        self._clicked_percents = None
        self.panel.chart_page.chart.show_point(None)

    def _update_shares(self) -> None:
        """Count the terrains of the map again if it has changed."""
        if self._shares is not None:
            return
        plane = self._document.battlemap.system.terrain
        shares = np.zeros(0)
        if plane is not None and self._map_script.in_map:
            codes = self._document.composite.planes[plane.name]
            shares = np.bincount(codes.ravel(), minlength=CODES) / codes.size
        self._shares = tuple(shares.tolist())
        self.panel.chart_page.set_shares(self._shares)

    def _on_hovered(self, hit: Hit | None) -> None:
        """Mark in the chart the cell under the mouse, else the one that was clicked."""
        self._hovered_percents = None
        if hit is not None and self._relief is not None and hit.cell < self._relief.pairs.size:
            # ``Relief.pairs`` has both in one number: altitude * PERCENTS + moisture.
            altitude, moisture = divmod(int(self._relief.pairs.flat[hit.cell]), PERCENTS)
            self._hovered_percents = (altitude, moisture)
        self.panel.chart_page.chart.show_point(self._hovered_percents or self._clicked_percents)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember the cell under the mouse when a button is pressed on the canvas."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._clicked_percents = self._hovered_percents
        return super().eventFilter(watched, event)

    def _show_cells(self, point: tuple[int, int]) -> None:
        """Outline the cells that have about these percentages."""
        if self._relief is None:
            return
        altitude, moisture = point
        # As int16, since percentiles are uint8 and a difference can be negative.
        alt_differences = np.abs(self._relief.alt_percent.astype(np.int16) - altitude)
        wet_differences = np.abs(self._relief.wet_percent.astype(np.int16) - moisture)
        is_near = (alt_differences <= NEAR) & (wet_differences <= NEAR)
        cells = np.flatnonzero(is_near)[:MAX_OUTLINED]
        self._desk.canvas.overlays.mark_cells(frozenset(cells.tolist()))
        self._flash_timer.start()

    def _end_flash(self) -> None:
        self._desk.canvas.overlays.mark_cells(frozenset())

    # --- preview ----------------------------------------------------------------------------

    def _on_preview_wanted(self, boxes: tuple[Box, ...]) -> None:
        self._previewed_boxes = boxes
        self._preview_timer.start()

    def _show_preview(self) -> None:
        """Classify the world with the limits of the chart; nothing is rolled."""
        period = self._shown.last_read
        relief = self._relief
        if period is None or relief is None or not self._previewed_boxes:
            return
        classified = classify_terrain(relief, period, limits_of_boxes(self._previewed_boxes))
        self._preview.paint(classified.codes)

    def _end_preview(self) -> None:
        self._previewed_boxes = ()
        self._preview_timer.stop()
        self._preview.take_back()

    def _on_edges_moved(
        self, edges: tuple[Edge, ...], boxes: tuple[Box, ...], is_by_key: bool
    ) -> None:
        """Change the text of the period; the preview stays until the new world is there."""
        self._previewed_boxes = boxes
        self._preview_timer.start()
        self._changes.move_limits(edges, boxes, is_by_key=is_by_key)


def _read_texts(texts: Texts, _progress: object, _cancelled: object) -> Reading:
    """Return the reading of a period's texts. The work of a job."""
    text, further = texts
    return reading_of(text, None, dict(further))


def make(desk: Desk) -> PeriodPanel:
    """Return the panel, wired to the desk."""
    return PeriodController(desk).panel
