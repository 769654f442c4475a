"""Wires the panel of the period to the current map: to the period's text and to its world.

What the panel shows is read in the background: the text (``_read``), and the relief of the map's
roll (``_make_world``), of which the chart shows the density. A change in the panel becomes a change
of the text; the new world then comes from the map's script, as after any change of it. While the
user drags a limit, and until that world is there, a ``WorldPreview`` shows what it will be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QTimer

from app.background.background_value import BackgroundValue
from app.canvas.overlays import FLASH_MS
from app.desk.desk import Desk
from app.document.map_files import PROJECT_SUFFIX
from app.qt_guard import connect, guarded
from app.systems.xconq.period.chart_page import describe_taken, slot_of
from app.systems.xconq.period.period_panel import PeriodPanel
from app.systems.xconq.period.types_page import WORDS
from app.systems.xconq.period.world_preview import WorldPreview
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.generator import DrawKey
from randomizer.model.basics.plurals import listed, with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Hit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, first_cause, has_errors
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import Reading, read_period, reading_of
from randomizer.systems.xconq.period.slots import Slot, names_of, setter, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import Change, change_values, why_not_plain
from randomizer.systems.xconq.period.words import TERRAINS
from randomizer.systems.xconq.records import period_texts_of
from randomizer.systems.xconq.scenario.type_changes import follow_types
from randomizer.systems.xconq.system import TERRAIN
from randomizer.systems.xconq.terrain.world_terrain import (
    classify_terrain,
    limits_of,
    relief_settings,
)
from randomizer.systems.xconq.world.coverage import (
    Box,
    boxes_of_limits,
    coverage,
    limits_of_boxes,
)
from randomizer.systems.xconq.world.relief import LEAST_SIDE, PERCENTS, Relief, relief_steps

if TYPE_CHECKING:
    from app.systems.xconq.period.period_panel import PeriodPanel
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.world.shared_edges import Edge


DOCK = "period"

NEAR = 2
"""Cells whose percentages differ by no more than this from those clicked are shown."""

ALIKE = 0.5
"""A map with at most this share of its world's terrain was turned or cut since it was rolled."""

NOT_ROLLED = "This map was not rolled from its period, so its terrain stays as it is."

NO_SEED = "A {suffix} file keeps no seed, so the terrain stays as it is until you roll."
"""As ``NOT_ROLLED``, of a map from a file that does not tell whether it was rolled."""

MOST_SHOWN = 2000
"""The most cells that are outlined."""

Texts = tuple[str, tuple[tuple[str, str], ...]]
"""The text of a period, and those of its included files by name."""


@dataclass(frozen=True)
class RolledWorld:
    """A roll of a world."""

    roll: Roll

    width: int
    """The columns of its map."""

    height: int
    """The rows of its map."""


class WorldTerrain(NamedTuple):
    """A world as it was rolled."""

    relief: Relief

    codes: NDArray[np.uint8]
    """The terrain, (h, w)."""


class _Refusal(NamedTuple):
    """A change that cannot be made where its value is set."""

    changes: tuple[Change, ...]
    """The change, of several values if a corner was dragged or neighbours moved along."""
    obstacle: NotPlain


class PeriodController(QObject):
    """Connects the panel to the map and to its script; a child of its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = PeriodPanel()
        super().__init__(self.panel)
        self._desk = desk
        self._document = desk.document
        self._map_script = desk.scripts.map_script
        self._period: Period | None = None
        """The period that was read last without errors."""
        self._relief: Relief | None = None
        """The relief of the map's roll, None if the map was not rolled, or was changed since."""
        self._shares: tuple[float, ...] | None = None
        """The share of the map that each terrain code has; None if it has to be counted again."""
        self._hovered: tuple[int, int] | None = None
        """Altitude and moisture of the cell under the mouse."""
        self._clicked: tuple[int, int] | None = None
        """Altitude and moisture of the cell that was clicked last."""
        self._refusal: _Refusal | None = None
        """The change that the panel tells cannot be made."""
        self._terrain_with_new_limit: int | None = None
        """The terrain type of which a limit was typed that was not read again yet."""
        self._error: Problem | None = None
        """The problem to mend first if the period's text has errors, else None."""
        self._preview = WorldPreview(desk.document, self)
        self._previewed_boxes: tuple[Box, ...] = ()
        """The limits that the preview shows, () while there is none."""
        # An interval of 0: of several changes in one turn of the event loop only the last is drawn.
        self._preview_timer = QTimer(self, singleShot=True, interval=0)
        self._flash_timer = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._texts = BackgroundValue(self._ask_texts, _read, self)
        self._world = BackgroundValue(self._ask_world, _make_world, self)
        self._visibility = DockVisibility(self.panel, desk.docks[DOCK])
        self._connect()

    def _connect(self) -> None:
        self._connect_map()
        self._connect_chart()
        self._connect_banner_and_pages()

    def _connect_map(self) -> None:
        """Follow the map, its script, and what is worked out of them."""
        connect(self._visibility.changed, self._on_seen)
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._on_map)
        connect(self._map_script.changed, self._on_script)
        connect(self._map_script.failed, self._on_script)
        connect(self._texts.computed, self._on_read)
        connect(self._texts.missed, self.panel.show_nothing)
        connect(self._world.computed, self._on_world)
        connect(self._world.missed, lambda _why: self._on_world(None))

    def _connect_chart(self) -> None:
        """Do what the chart asks for, and show on it where the mouse is on the map."""
        chart = self.panel.chart_page.chart
        connect(chart.preview_wanted, self._on_preview_wanted)
        connect(chart.preview_ended, self._end_preview)
        connect(chart.change_wanted, self._on_edges_moved)
        connect(chart.clicked, self._show_cells)
        connect(self.panel.chart_page.words_wanted, self._show_shares)
        connect(self._preview_timer.timeout, self._show_preview)
        connect(self._flash_timer.timeout, self._end_flash)
        connect(self._desk.canvas.hovered, self._on_hovered)
        self._desk.canvas.installEventFilter(self)

    def _connect_banner_and_pages(self) -> None:
        """Do what the message of the panel offers, and what the other pages ask for."""
        connect(self.panel.line_wanted, self._go_to_refused_line)
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

    def _on_seen(self, is_seen: bool) -> None:
        """Work nothing out while the panel is hidden."""
        self._texts.watch(is_seen)
        self._world.watch(is_seen)

    def _on_changed(self) -> None:
        """Look at the map again, which may have another text or another roll."""
        self._shares = None
        self._texts.renew()
        self._world.renew()

    def _on_map(self) -> None:
        """Another map is current: what was begun with the one before ends."""
        self.panel.chart_page.chart.cancel()
        self._end_preview()
        self._on_changed()

    def _on_script(self) -> None:
        """A text has come into the map: with its world, with errors, or its world is to follow."""
        if not self._map_script.pending:
            # What the map holds is shown again, even if it is the text that was read before.
            self._texts.forget()
        if self._map_script.pending and self._previewed_boxes:
            self._preview_timer.start()
        else:
            self._end_preview()
        self._on_changed()

    def _ask_texts(self) -> Texts | str:
        """Return the texts of the map's period; for a map without one why there is none."""
        battlemap = self._document.battlemap
        if not self._map_script.in_map:
            map_of_system = with_article(battlemap.system.title, "A")
            return f"{map_of_system} has no period. Make or open an Xconq world."
        texts = period_texts_of(battlemap)
        if texts is None:
            # Its period is only assumed: see ``map_period``.
            return packaged_text(MODERN), ()
        text, further = texts
        return text, tuple(sorted(further.items()))

    def _on_read(self, reading: Reading) -> None:
        """Show the period; with errors the one that was read before stays."""
        self._error = None
        if has_errors(reading.problems):
            self._error = first_cause(reading.problems)
        if self._error is not None:
            position = f" in line {self._error.line}" if self._error.line else ""
            text = f"The period has errors: {self._error.message.rstrip('.')}{position}."
            self.panel.show_errors(f"{text} What was read last is shown.")
            return
        self._period = reading.period
        self.panel.show_period(reading.period)
        self._tell_what_is_taken(reading.period)

    def _tell_what_is_taken(self, period: Period) -> None:
        """Say which part of a typed limit has no effect, since an earlier type takes it."""
        terrain = self._terrain_with_new_limit
        self._terrain_with_new_limit = None
        if terrain is None or terrain >= len(period.terrains):
            return
        names = [terrain_type.name for terrain_type in period.terrains]
        text = describe_taken(names, coverage(boxes_of_limits(limits_of(period))), terrain)
        if text:
            self._desk.say(text)

    def _ask_world(self) -> RolledWorld | str:
        """Return the roll of the current map, or that it was not rolled."""
        layer = self._document.battlemap.source_layer
        grid = self._document.battlemap.grid
        if not self._map_script.in_map or layer is None or layer.roll is None:
            return self._why_not_rolled()
        if min(grid.width, grid.height) < LEAST_SIDE:
            # It was cut since.
            return self._why_not_rolled()
        return RolledWorld(layer.roll, grid.width, grid.height)

    def _why_not_rolled(self) -> str:
        """Return that there is no roll of the current map, and that its file holds none."""
        path = self._document.path
        has_flat_file = path is not None and path.suffix.lower() != PROJECT_SUFFIX
        if has_flat_file and self._document.battlemap.source_layer is None:
            assert path is not None
            return NO_SEED.format(suffix=path.suffix)
        return NOT_ROLLED

    def _on_world(self, world: WorldTerrain | None) -> None:
        """Show the relief of the map's roll, unless the map was turned or cut since."""
        self._relief = None
        self._hovered = None
        self._clicked = None
        layer = self._document.battlemap.source_layer
        if world is not None and layer is not None:
            plane = layer.planes.get(TERRAIN.name)
            if plane is not None and plane.shape == world.codes.shape:
                share_alike = (plane == world.codes).mean()
                if share_alike > ALIKE:
                    self._relief = world.relief
        page = self.panel.chart_page
        page.chart.show_point(None)
        if self._relief is None:
            page.show_density(None, self._why_not_rolled())
        else:
            page.show_density(self._relief.density)

    def _show_shares(self) -> None:
        """Count the terrains of the map again if it has changed."""
        if self._shares is not None:
            return
        plane = self._document.battlemap.system.terrain
        shares = np.zeros(0)
        if plane is not None and self._map_script.in_map:
            codes = self._document.composite.planes[plane.name]
            shares = np.bincount(codes.ravel(), minlength=256) / codes.size
        self._shares = tuple(shares.tolist())
        self.panel.chart_page.show_shares(self._shares)

    def _on_hovered(self, hit: Hit | None) -> None:
        """Mark in the chart the cell under the mouse, else the one that was clicked."""
        self._hovered = None
        if hit is not None and self._relief is not None and hit.cell < self._relief.pairs.size:
            alt, wet = divmod(int(self._relief.pairs.flat[hit.cell]), PERCENTS)
            self._hovered = alt, wet
        self.panel.chart_page.chart.show_point(self._hovered or self._clicked)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember the cell under the mouse when a button is pressed on the canvas."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._clicked = self._hovered
        return super().eventFilter(watched, event)

    def _show_cells(self, point: tuple[int, int]) -> None:
        """Outline the cells that have about these percentages."""
        if self._relief is None:
            return
        altitude, moisture = point
        # Wider numbers: those of percentiles have no sign.
        alt_differences = np.abs(self._relief.alt_percent.astype(np.int16) - altitude)
        wet_differences = np.abs(self._relief.wet_percent.astype(np.int16) - moisture)
        is_near = (alt_differences <= NEAR) & (wet_differences <= NEAR)
        cells = np.flatnonzero(is_near)[:MOST_SHOWN]
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
        period = self._period
        relief = self._relief
        if period is None or relief is None or not self._previewed_boxes:
            return
        classified = classify_terrain(relief, period, limits_of_boxes(self._previewed_boxes))
        self._preview.show(classified.codes)

    def _end_preview(self) -> None:
        self._previewed_boxes = ()
        self._preview_timer.stop()
        self._preview.end()

    # --- changes ----------------------------------------------------------------------------

    def _on_edges_moved(
        self, edges: tuple[Edge, ...], boxes: tuple[Box, ...], is_by_key: bool
    ) -> None:
        """Change the text; the preview stays until the new world is there.

        Presses of an arrow key soon after each other are one undo step, each drag is its own.
        """
        self._previewed_boxes = boxes
        self._preview_timer.start()
        changes = [Change(slot_of(edge), boxes[edge.terrain][edge.limit]) for edge in edges]
        if is_by_key:
            step = f"chart {edges[0]}"
        else:
            step = f"chart {monotonic()}"
        if len(changes) == 1:
            title = f"Move {self._name_of(changes[0].slot)}"
        else:
            title = "Move limits"
        self._change(changes, step, title)

    def _on_typed(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set."""
        self._change([Change(slot, value)], f"inspector {slot}", f"Change {self._name_of(slot)}")

    def _set(self, slot: Slot, value: int | str) -> None:
        """Change a value where it is set, or by a line of its own where others share that."""
        if slot.word in WORDS[TERRAINS]:
            self._terrain_with_new_limit = slot.unit
        if self._is_shared(slot):
            self._append(slot, value)
        else:
            self._on_typed(slot, value)

    def _append(self, slot: Slot, value: int | str) -> None:
        """Set a value by a new line at the end of the text."""
        change = Change(slot, value, append=True)
        self._change([change], f"inspector {slot}", f"Set {self._name_of(slot)}")

    def _change(self, changes: list[Change], step: str, title: str) -> None:
        """Give the period values. Changes with equal ``step`` within a second are one undo step."""
        self.panel.close_refusal()
        self._map_script.rewrite(
            partial(_change_text, changes),
            step,
            title=title,
            refused=partial(self._tell_refusal, tuple(changes)),
        )

    def _change_types(self, make: Callable[..., str | NotPlain], title: str) -> None:
        """Change the types of the period by what ``make`` makes of its text.

        The map follows in the same undo step: its units, conditions and counters.
        """

        def rewrite(text: str, further: Mapping[str, str]) -> str | NotPlain:
            return make(text or packaged_text(MODERN), further=further)

        def follow(text: str) -> Callable[[BattleMap], Edit | None]:
            further = self._map_script.texts
            return lambda battlemap: follow_types(
                battlemap, period_of(battlemap), reading_of(text, None, further).period
            )

        def refuse(obstacle: NotPlain) -> None:
            self._refusal = None
            if self._period is not None:
                self.panel.show_types(self._period)
            self.panel.refuse("", obstacle)

        self.panel.close_refusal()
        step = f"types {monotonic()}"
        self._map_script.rewrite(rewrite, step, title=title, refused=refuse, follow=follow)

    def _name_of(self, slot: Slot) -> str:
        """Return the name of a value for a sentence: “max-alt of plains”."""
        if self._period is None:
            return slot.word
        names = names_of(self._period, slot)
        if not names:
            return slot.word
        return f"{slot.word} of {', '.join(names)}"

    def _refuse(self, slot: Slot) -> None:
        """Tell why a value cannot be changed where it is set, if it cannot."""
        if self._period is None:
            return
        obstacle = why_not_plain(self._period, slot)
        if obstacle is not None:
            value = value_of(self._period, slot)
            change = Change(slot, "" if value is None else value)
            self._tell_refusal((change,), obstacle)

    def _tell_refusal(self, changes: tuple[Change, ...], obstacle: NotPlain) -> None:
        """Tell why values cannot be changed, and show again what the text says."""
        self._refusal = _Refusal(changes, obstacle)
        self._end_preview()
        if self._period is not None:
            self.panel.chart_page.show_period(self._period)
            self.panel.show_types(self._period)
        self.panel.refuse(self._question(changes), obstacle)

    def _question(self, changes: tuple[Change, ...]) -> str:
        """Return what *Set here* asks, such as "Give plains a max-wet of its own: 59?".

        It is the name of the value and a full stop if there is no new value to set.
        """
        period = self._period
        new_values = []
        if period is not None:
            for change in changes:
                is_new = value_of(period, change.slot) != change.value
                if is_new and self._is_shared(change.slot):
                    new_values.append(change)
        if period is None or not new_values:
            return f"{self._name_of(changes[0].slot)}."
        if len(new_values) == 1:
            slot = new_values[0].slot
            owner = ", ".join(names_of(period, slot))
            return f"Give {owner} a {slot.word} of its own: {new_values[0].value}?"
        texts = [f"{self._name_of(change.slot)} {change.value}" for change in new_values]
        return f"Give these limits values of their own: {listed(texts)}?"

    def _is_shared(self, slot: Slot) -> bool:
        """Return whether what sets a value in the text sets others, too, or stands elsewhere."""
        return self._period is not None and why_not_plain(self._period, slot) is not None

    def _give_own_line(self) -> None:
        """Make the change that was refused, by a line for each value that is set with others."""
        if self._refusal is None or self._period is None:
            return
        changes = []
        for change in self._refusal.changes:
            changes.append(replace(change, append=self._is_shared(change.slot)))
        title = f"Set {self._name_of(changes[0].slot)}"
        if len(changes) > 1:
            title = "Set limits"
        self._change(changes, f"own lines {monotonic()}", title)

    # --- lines ------------------------------------------------------------------------------

    def _go_to_refused_line(self) -> None:
        """Show the line of the error, or the one that sets the value whose change was refused."""
        line = None
        if self._error is not None:
            line = self._error.line
        elif self._refusal is not None:
            line = self._refusal.obstacle.line
        if line is not None:
            self._show_line(line)

    def _go_to(self, slot: Slot) -> None:
        """Show the line that sets a value; of one in an included file tell where it is."""
        if self._period is None:
            return
        assignment = setter(self._period, slot)
        if assignment is None:
            return
        if assignment.file.name is not None:
            self._refuse(slot)
            return
        self._show_line(assignment.place.line)

    def _show_line(self, line: int) -> None:
        """Go to a line in the editor of the map's script."""
        self._desk.docks.show("randomize")
        self._desk.scripts.go_to(line)


def _read(texts: Texts, _progress: object, _cancelled: object) -> Reading:
    """Read a period; the job of ``PeriodController._texts``."""
    text, further = texts
    return reading_of(text, None, dict(further))


def _change_text(changes: list[Change], text: str, further: Mapping[str, str]) -> str | NotPlain:
    """Return the text of a period with changed values, or why it cannot be had."""
    return change_values(text or packaged_text(MODERN), changes, further)


def _make_world(
    world: RolledWorld, _progress: object, cancelled: Callable[[], bool]
) -> WorldTerrain | None:
    """Make the world of a roll again; the job of ``PeriodController._world``.

    Its relief most likely is in the cache. None if the job is cancelled, or if the period of the
    roll has errors.
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
            return WorldTerrain(relief, classify_terrain(relief, period).codes)
    return None


def make(desk: Desk) -> PeriodPanel:
    """Return the panel, wired to the desk."""
    return PeriodController(desk).panel
