"""The period of the current map on the desk: the panel, wired to its record and its world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QTimer

from app.background.background_value import BackgroundValue
from app.canvas.overlays import FLASH_MS
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.systems.xconq.period.chart_page import slot_of
from app.systems.xconq.period.period_panel import PeriodPanel
from app.systems.xconq.period.world_preview import WorldPreview
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.generator import DrawKey
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Hit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import Reading, read_period, reading_of
from randomizer.systems.xconq.period.value_edits import (
    Change,
    NotPlain,
    Slot,
    change_values,
    names_of,
    setter,
    value_of,
    why_not_plain,
)
from randomizer.systems.xconq.records import period_texts_of
from randomizer.systems.xconq.scenario.type_changes import follow_types
from randomizer.systems.xconq.system import TERRAIN
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.world.coverage import Box, limits_of_boxes
from randomizer.systems.xconq.world.relief import LEAST_SIDE, PERCENTS, Relief, relief_steps

if TYPE_CHECKING:
    from app.systems.xconq.period.period_panel import PeriodPanel
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.world.shared_edges import Edge


DOCK = "period"

NEAR = 2
"""Cells whose percentages differ by no more than this from those clicked are shown."""

ALIKE = 0.5
"""A map that has less of its world's terrain was turned or cut since."""

NOT_ROLLED = "This map was not rolled from its period, so its terrain stays as it is."

MOST_SHOWN = 2000
"""The most cells that are outlined."""

Texts = tuple[str, tuple[tuple[str, str], ...]]
"""The text of a period, and those of its included files by name."""


@dataclass(frozen=True)
class RolledWorld:
    """A roll of a world, and the columns and rows of its map."""

    roll: Roll
    width: int
    height: int


class PeriodController(QObject):
    """Connects the panel to the map and to its script; a child of its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = PeriodPanel()
        super().__init__(self.panel)
        self._desk = desk
        self._document = desk.document
        self._map_script = desk.scripts.map_script
        self._period: Period | None = None
        self._relief: Relief | None = None
        self._shares: tuple[float, ...] | None = None
        self._hovered: tuple[int, int] | None = None
        self._clicked: tuple[int, int] | None = None
        self._held: tuple[Slot, NotPlain] | None = None
        self._error: Problem | None = None
        self._preview = WorldPreview(desk.document, self)
        self._previewed: tuple[Box, ...] = ()
        self._preview_timer = QTimer(self, singleShot=True, interval=0)
        self._flash_timer = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._texts = BackgroundValue(self._ask_texts, _read, self)
        self._world = BackgroundValue(self._ask_world, _world, self)
        self._visibility = DockVisibility(self.panel, desk.docks[DOCK])
        self._connect()

    def _connect(self) -> None:
        document = self._document
        chart = self.panel.chart_page.chart
        connect(self._visibility.changed, self._on_seen)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._on_map)
        connect(self._map_script.changed, self._on_script)
        connect(self._map_script.failed, self._on_script)
        connect(self._texts.computed, self._on_read)
        connect(self._texts.missed, self.panel.show_nothing)
        connect(self._world.computed, self._on_world)
        connect(self._world.missed, lambda _why: self._on_world(None))
        connect(chart.preview_wanted, self._on_preview_wanted)
        connect(chart.preview_ended, self._end_preview)
        connect(chart.change_wanted, self._on_edges_moved)
        connect(chart.refused, lambda edge: self._refuse(slot_of(edge)))
        connect(chart.clicked, self._show_cells)
        connect(self.panel.chart_page.words_wanted, self._tell_shares)
        connect(self._preview_timer.timeout, self._show_preview)
        connect(self._flash_timer.timeout, self._end_flash)
        connect(self._desk.canvas.hovered, self._on_hovered)
        self._desk.canvas.installEventFilter(self)
        connect(self.panel.line_wanted, self._go_to_held)
        connect(self.panel.own_line_wanted, self._give_own_line)
        inspector = self.panel.inspector
        connect(inspector.typed, self._on_typed)
        connect(inspector.own_line_wanted, self._append)
        connect(inspector.line_wanted, self._go_to)
        connect(inspector.refused, lambda why: self.panel.refuse("", NotPlain(why)))
        for types in self.panel.types:
            connect(types.typed, self._set)
            connect(types.changed, self._change_types)

    # --- what is shown ----------------------------------------------------------------------

    def _on_seen(self, seen: bool) -> None:
        self._texts.watch(seen)
        self._world.watch(seen)

    def _on_changed(self) -> None:
        self._shares = None
        self._texts.renew()
        self._world.renew()

    def _on_map(self) -> None:
        self.panel.chart_page.chart.cancel()
        self._end_preview()
        self._on_changed()

    def _on_script(self) -> None:
        """A text has come into the map: with its world, with errors, or its world is to follow."""
        if not self._map_script.pending:
            self._texts.forget()  # what the map holds is shown again, be it the old text
        if self._map_script.pending and self._previewed:
            self._preview_timer.start()
        else:
            self._end_preview()
        self._on_changed()

    def _ask_texts(self) -> Texts | str:
        battlemap = self._document.battlemap
        if not self._map_script.in_map:
            one = with_article(battlemap.system.title, "A")
            return f"{one} has no period. Make or open an Xconq world."
        text, further = period_texts_of(battlemap) or (packaged_text(MODERN), {})
        return text, tuple(sorted(further.items()))

    def _on_read(self, reading: Reading) -> None:
        errors = [problem for problem in reading.problems if has_errors([problem])]
        self._error = errors[0] if errors else None
        if errors:
            if errors[0].line:
                where = f" in line {errors[0].line}"
            else:
                where = ""
            text = f"The period has errors: {errors[0].message.rstrip('.')}{where}."
            self.panel.show_errors(f"{text} What was read last is shown.")
            return
        self._period = reading.period
        self.panel.show_period(reading.period)

    def _ask_world(self) -> RolledWorld | str:
        layer = self._document.battlemap.source_layer
        grid = self._document.battlemap.grid
        if not self._map_script.in_map or layer is None or layer.roll is None:
            return NOT_ROLLED
        if min(grid.width, grid.height) < LEAST_SIDE:
            return NOT_ROLLED
        return RolledWorld(layer.roll, grid.width, grid.height)

    def _on_world(self, world: tuple[Relief, NDArray[np.uint8]] | None) -> None:
        """Show the relief of the map's roll, unless the map was turned or cut since."""
        self._relief = self._hovered = self._clicked = None
        layer = self._document.battlemap.source_layer
        if world is not None and layer is not None:
            relief, codes = world
            terrain_plane = layer.planes.get(TERRAIN.name)
            if terrain_plane is not None and terrain_plane.shape == codes.shape:
                self._relief = relief if (terrain_plane == codes).mean() > ALIKE else None
        page = self.panel.chart_page
        page.chart.show_point(None)
        if self._relief is None:
            page.show_density(None, NOT_ROLLED)
        else:
            page.show_density(self._relief.density)

    def _tell_shares(self) -> None:
        """Count the cells of the map again if it has changed."""
        if self._shares is None:
            plane = self._document.battlemap.system.terrain
            counts = np.zeros(0)
            if plane is not None and self._map_script.in_map:
                codes = self._document.composite.planes[plane.name]
                counts = np.bincount(codes.ravel(), minlength=256) / codes.size
            self._shares = tuple(counts.tolist())
            self.panel.chart_page.show_shares(self._shares)

    def _on_hovered(self, hit: Hit | None) -> None:
        self._hovered = None
        if hit is not None and self._relief is not None and hit.cell < self._relief.pairs.size:
            alt, wet = divmod(int(self._relief.pairs.flat[hit.cell]), PERCENTS)
            self._hovered = alt, wet
        self.panel.chart_page.chart.show_point(self._hovered or self._clicked)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the point of a cell that was clicked in the chart."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._clicked = self._hovered
        return super().eventFilter(watched, event)

    def _show_cells(self, point: tuple[int, int]) -> None:
        """Outline the cells that have about these percentages."""
        if self._relief is None:
            return
        alt, wet = (
            np.abs(plane.astype(np.int16) - middle) <= NEAR
            for plane, middle in zip(
                (self._relief.alt_percent, self._relief.wet_percent), point, strict=True
            )
        )
        cells = np.flatnonzero(alt & wet)[:MOST_SHOWN]
        self._desk.canvas.overlays.mark_cells(frozenset(cells.tolist()))
        self._flash_timer.start()

    def _end_flash(self) -> None:
        self._desk.canvas.overlays.mark_cells(frozenset())

    # --- preview ----------------------------------------------------------------------------

    def _on_preview_wanted(self, boxes: tuple[Box, ...]) -> None:
        self._previewed = boxes
        self._preview_timer.start()

    def _show_preview(self) -> None:
        """Classify the world with the limits of the chart; nothing is rolled."""
        period = self._period
        relief = self._relief
        if period is None or relief is None or not self._previewed:
            return
        classified = classify_terrain(relief, period, limits_of_boxes(self._previewed))
        self._preview.show(classified.codes)

    def _end_preview(self) -> None:
        self._previewed = ()
        self._preview_timer.stop()
        self._preview.end()

    # --- changes ----------------------------------------------------------------------------

    def _on_edges_moved(self, edges: tuple[Edge, ...], boxes: tuple[Box, ...], key: bool) -> None:
        """Change the text; the preview stays until the new world is there."""
        self._previewed = boxes
        self._preview_timer.start()
        changes = [Change(slot_of(edge), boxes[edge.terrain][edge.limit]) for edge in edges]
        if key:
            step = f"chart {edges[0]}"
        else:
            step = f"chart {monotonic()}"
        name = self._name_of(changes[0].slot)
        self._change(changes, step, f"Move {name}" if len(changes) == 1 else "Move limits")

    def _on_typed(self, slot: Slot, value: int | str) -> None:
        self._change([Change(slot, value)], f"inspector {slot}", f"Change {self._name_of(slot)}")

    def _set(self, slot: Slot, value: int | str) -> None:
        """Change a value in its place, or by a line of its own where others share that."""
        shared = self._period is not None and why_not_plain(self._period, slot) is not None
        (self._append if shared else self._on_typed)(slot, value)

    def _append(self, slot: Slot, value: int | str) -> None:
        change = Change(slot, value, append=True)
        self._change([change], f"inspector {slot}", f"Set {self._name_of(slot)}")

    def _change(self, changes: list[Change], step: str, title: str) -> None:
        """Give the period values. Changes with equal ``step`` within a second are one undo step."""
        self.panel.forgive()
        self._map_script.rewrite(
            partial(_changed, changes),
            step,
            title=title,
            refused=partial(self._hold, changes[0].slot),
        )

    def _change_types(self, make: Callable[..., str | NotPlain], title: str) -> None:
        """Change the types of the period by what ``make`` makes of its text; the map follows."""

        def rewrite(text: str, further: Mapping[str, str]) -> str | NotPlain:
            return make(text or packaged_text(MODERN), further=further)

        def follow(text: str) -> Callable[[BattleMap], Edit | None]:
            further = self._map_script.texts
            return lambda battlemap: follow_types(
                battlemap, period_of(battlemap), reading_of(text, None, further).period
            )

        def refuse(obstacle: NotPlain) -> None:
            self._held = None
            if self._period is not None:
                self.panel.show_types(self._period)
            self.panel.refuse("", obstacle)

        self.panel.forgive()
        step = f"types {monotonic()}"
        self._map_script.rewrite(rewrite, step, title=title, refused=refuse, follow=follow)

    def _name_of(self, slot: Slot) -> str:
        """Return a value in words, as “max-alt of plains”."""
        names = [] if self._period is None else names_of(self._period, slot)
        if names:
            return f"{slot.word} of {', '.join(names)}"
        return slot.word

    def _refuse(self, slot: Slot) -> None:
        if self._period is None:
            obstacle = None
        else:
            obstacle = why_not_plain(self._period, slot)
        if obstacle is not None:
            self._hold(slot, obstacle)

    def _hold(self, slot: Slot, obstacle: NotPlain) -> None:
        """Say why a value cannot be changed; show what the text says."""
        self._held = slot, obstacle
        self._end_preview()
        if self._period is not None:
            self.panel.chart_page.show_period(self._period)
            self.panel.show_types(self._period)
        self.panel.refuse(self._name_of(slot), obstacle)

    def _give_own_line(self) -> None:
        if self._held is not None and self._period is not None:
            slot = self._held[0]
            value = value_of(self._period, slot)
            self._append(slot, "" if value is None else value)

    # --- lines ------------------------------------------------------------------------------

    def _go_to_held(self) -> None:
        line = None
        if self._error is not None:
            line = self._error.line
        elif self._held is not None:
            line = self._held[1].line
        if line is not None:
            self._show_line(line)

    def _go_to(self, slot: Slot) -> None:
        if self._period is None:
            assignment = None
        else:
            assignment = setter(self._period, slot)
        if assignment is None:
            return
        if assignment.file.name is not None:
            self._refuse(slot)
            return
        self._show_line(assignment.place.line)

    def _show_line(self, line: int) -> None:
        self._desk.docks.show("randomize")
        self._desk.scripts.go_to(line)


def _read(texts: Texts, _progress: object, _cancelled: object) -> Reading:
    text, further = texts
    return reading_of(text, None, dict(further))


def _changed(changes: list[Change], text: str, further: Mapping[str, str]) -> str | NotPlain:
    """Return the text of a period with changed values, or why it cannot be had."""
    return change_values(text or packaged_text(MODERN), changes, further)


def _world(
    world: RolledWorld, _progress: object, cancelled: Callable[[], bool]
) -> tuple[Relief, NDArray[np.uint8]] | None:
    """Return the relief of a roll, taken from those kept, and the terrain (h, w) that it was
    given.
    """
    roll = world.roll
    period = read_period(roll.script, None, roll.texts).period
    if period is None:
        return None
    settings = relief_settings(period, roll, world.width, world.height)
    steps = relief_steps(settings, DrawKey(roll.seed, roll.number))
    while not cancelled():
        try:
            next(steps)
        except StopIteration as end:
            relief: Relief = end.value
            return relief, classify_terrain(relief, period).codes
    return None


def make(desk: Desk) -> PeriodPanel:
    """Return the panel, wired to the desk."""
    return PeriodController(desk).panel
