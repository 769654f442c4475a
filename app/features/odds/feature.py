"""Connects the panel *Odds* with the odds of the script, the map's colours and the editor.

``LiveOdds`` computes a table of chances while the panel is seen; ``OddsPanel`` lists them, and the
desk's *heat* owner lays them over the map as colours. Several panels can lay colours: one of them
has the heat at a time. It *claims* the heat before it shows colours. It *drops* the heat when the
user unticks the colours, and *releases* it when it is hidden, so that another open panel gets it.
When it is seen again, a map that had no colours of it gets none.

A cell is *covered* if a layer above the rolled one hides what the script gives it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtGui import QIcon

from app.appearance.quotes import with_quotes
from app.desk.desk import Desk
from app.features.odds.counting import MeasureController
from app.features.odds.histogram import HistogramPage
from app.features.odds.live_odds import LiveOdds
from app.features.odds.odds_heat import (
    Choice,
    ChoiceKind,
    ShownOdds,
    odds_heat,
    terrain_set_of,
)
from app.features.odds.panel import OddsPanel
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.render.raster.hexside_picture import hexside_picture
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.batches.odds_table import OddsTable
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.rarity import Rarity
from randomizer.model.grid.grid import Hit
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.problems import Problem, has_errors
from randomizer.symmetric_rolls import symmetry_note

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

NAME = "odds"
"""The name of the panel, and of this feature among the owners of the heat."""

SPRITE_RADIUS = 12.0
"""The radius of a hex in a list, in logical pixels."""

SHARPNESS = 2.0
"""The pixels of a picture in a list for each logical pixel, whatever the screen has."""

HEXSIDE_WIDTH = 44
"""The width of a hexside in a list, in logical pixels."""

HATCHED = "Hatched: what lies above the roll covers it."
"""The sentence about cells whose odds cannot be seen."""


class OddsController(QObject):
    """Connects the panel with odds, heat and script; it lives as long as its panel."""

    def __init__(self, desk: Desk) -> None:
        # The panel asks for a picture of ``LIKELIEST`` while it is made: there is none.
        self._desk = desk
        self.panel = OddsPanel(desk.document, self._picture_of)
        super().__init__(self.panel)
        self.histogram = HistogramPage()
        self.panel.tabs.addTab(self.histogram, "Many maps")
        MeasureController(desk, self.histogram, self.panel.above)
        self.live = LiveOdds(desk.document, desk.rolling, self.panel.above, self)
        self._heat_owner = desk.heat
        self._opens_without_colours = desk.docks.was_left_open(NAME)
        """True until the panel is seen or hidden for the first time, if it was left open.

        A panel that was open at the end of the last session opens with the first map, which is seen
        as it is, without colours.
        """
        self._maps_without_colours: WeakSet[OpenMap] = WeakSet()
        """The open maps for which *Show on map* was not ticked when the panel was last seen."""
        self._scripts = desk.scripts
        self._visibility = DockVisibility(self.panel, desk.docks[NAME])
        connect(self._visibility.changed, self._on_seen)
        connect(self.panel.wanted_changed, self._on_choice)
        connect(self.panel.map_box.toggled, self._on_map_wanted)
        connect(desk.heat.changed, self._tick_map_box)
        connect(self.panel.line_wanted, self._show_line)
        connect(self.panel.rows.maps_wanted, self._show_maps)
        connect(self.live.odds_changed, self._show_odds)
        connect(desk.canvas.hovered, self._on_hovered)
        connect(desk.theme.changed, self.panel.combo.draw_pictures)

    def _on_seen(self, is_seen: bool) -> None:
        """Compute odds and colour the map while the panel can be seen."""
        self.live.set_watched(is_seen)
        self._mark_statement()
        stays_without_colours = (
            self._opens_without_colours
            or self._desk.document.current_map in self._maps_without_colours
        )
        self._opens_without_colours = False
        if not is_seen:
            self._heat_owner.release(NAME)
        elif stays_without_colours:
            self._tick_map_box()
        else:
            self._heat_owner.claim(NAME)
            self._show_heat()

    def _show_heat(self) -> None:
        """Lay the chosen chances over the map, if this panel has the heat."""
        text = f"Odds: {self.panel.combo.currentText()}"
        self._heat_owner.show(NAME, self._chosen_heat(), text)

    def _on_map_wanted(self, is_ticked: bool) -> None:
        """Lay the colours over the current map, and show the map; or take them off."""
        if is_ticked and self._visibility.visible:
            self._desk.docks.views.show_map()
            self._heat_owner.claim(NAME)
            self._show_heat()
        else:
            self._heat_owner.drop(NAME)

    def _tick_map_box(self) -> None:
        """Tick the box of the panel if its colours are on the map; note that while it is seen."""
        is_on = self._heat_owner.is_on(NAME)
        with QSignalBlocker(self.panel.map_box):
            self.panel.map_box.setChecked(is_on)
        if not self._visibility.visible:
            return
        current_map = self._desk.document.current_map
        if is_on:
            self._maps_without_colours.discard(current_map)
        else:
            self._maps_without_colours.add(current_map)

    def _mark_statement(self) -> None:
        """Shade the statement of the script after which the odds are shown; none if hidden."""
        table = self.live.table
        stage = self.panel.stage
        if table is None or stage is None or not self._visibility.visible:
            self._scripts.editor_link.unmark_statement()
        else:
            origin = table.stages[stage].origin
            self._scripts.editor_link.mark_statement(origin.line, origin.end_line)

    def _on_choice(self) -> None:
        """Show the chances that were chosen in the panel: of a value, after a statement."""
        self.live.set_sides_needed(self.panel.choice.kind is ChoiceKind.HEXSIDE)
        self._mark_statement()
        self._show_heat()

    def _show_odds(self) -> None:
        """Show new odds, or why there are none, and mark the statement: its line may be another."""
        battlemap = self._desk.document.battlemap
        is_outdated = bool(self.live.problems)
        self.panel.show_odds(battlemap, self.live.table, self._text_above_odds(), is_outdated)
        self._mark_statement()
        self._show_heat()

    def _chosen_heat(self) -> Heat | None:
        """Return the chosen chances as colours; None without odds of the current map."""
        table = self.live.table
        grid = self._desk.document.battlemap.grid
        if table is None or len(table.chances) != grid.size:
            return None
        odds = ShownOdds(
            table,
            terrain_set_of(table, self._desk.document.battlemap),
            grid.degree,
            stage=self.panel.stage,
            is_outdated=bool(self.live.problems),
            covered=self._covered_cells(),
        )
        return odds_heat(odds, self.panel.choice)

    def _covered_cells(self) -> NDArray[np.bool_] | None:
        """Return a mask (cells,) of the cells whose chosen value a layer above the roll hides.

        None if no layer covers anything, or if the odds are those of the map with these layers.
        """
        if self.panel.above.isChecked():
            # The odds are those of the map with the layers above the roll: nothing is hidden.
            return None
        layers_above = self._desk.rolling.next_base().above
        spec = self._plane_of_choice()
        if layers_above is None or spec is None or spec.name not in layers_above.planes:
            return None
        cell_count = self._desk.document.battlemap.grid.size
        # A plane of sides has several values a cell: one of them suffices to cover the cell.
        values = layers_above.planes[spec.name].reshape(cell_count, -1)
        return np.asarray((values != spec.unset).any(axis=1))

    def _plane_of_choice(self) -> PlaneSpec | None:
        """Return the plane that the choice is about; None if the system has no such plane."""
        system = self._desk.document.battlemap.system
        if self.panel.choice.kind is ChoiceKind.ELEVATION:
            return system.elevation
        if self.panel.choice.kind is ChoiceKind.HEXSIDE:
            return system.hexside
        return system.terrain

    def _text_above_odds(self) -> str:
        """Return the text above the odds: how they were counted, or why there are none."""
        live = self.live
        if live.problems:
            return self._text_of_problems(live.problems)
        if live.table is None:
            return live.reason
        if len(live.table.chances) != self._desk.document.battlemap.grid.size:
            return "The script makes maps of another size: roll one to see its odds."
        sentences = [describe_method(live.table)]
        settings = self._desk.rolling.setup().settings
        note = symmetry_note(self._desk.document.battlemap.system, settings)
        if note:
            sentences.append(note)
        if self._covered_cells() is not None:
            sentences.append(HATCHED)
        return " ".join(sentences)

    def _text_of_problems(self, problems: Sequence[Problem]) -> str:
        """Return why the script cannot be rolled, and whether older odds are shown."""
        errors = [problem for problem in problems if has_errors([problem])]
        problem = problems[0]
        if errors:  # a warning before the first error is not the reason
            problem = errors[0]
        if problem.line:
            text = f"The script cannot be rolled: see line {problem.line}."
        else:
            text = f"{with_quotes(problem.message).rstrip('.')}."
        if self.live.table is not None:
            text += " These are the odds from before."
        return text

    def _on_hovered(self, hit: Hit | None) -> None:
        """Show the chances of the cell under the mouse."""
        if not self._visibility.visible:
            return
        if hit is None:
            self.panel.show_cell(None)
        else:
            self.panel.show_cell(hit.cell)

    def _show_line(self, line: int) -> None:
        """Show a line of the script in the editor."""
        self._desk.docks.show("randomize")
        self._scripts.editor_link.go_to(line)

    def _show_maps(self, condition: str) -> None:
        """Show the maps that meet a condition of the filter language in the gallery."""
        self._desk.docks.show("gallery")
        self._desk.maps_wanted.emit(condition)

    def _picture_of(self, choice: Choice) -> QIcon:
        """Return a small picture of a terrain or a hexside; an empty icon for other choices."""
        if choice.kind not in (ChoiceKind.TERRAIN, ChoiceKind.HEXSIDE):
            return QIcon()
        battlemap = self._desk.document.battlemap
        renderer = self._desk.renderer
        terrain_set = terrain_set_of(self.live.table, battlemap)
        if terrain_set != battlemap.terrain_set:
            battlemap = replace(battlemap, terrain_set=terrain_set)
        sprites = renderer.sprites(battlemap, SPRITE_RADIUS, SHARPNESS)
        if choice.kind is ChoiceKind.HEXSIDE:
            return QIcon(hexside_picture(sprites, choice.code, HEXSIDE_WIDTH))
        return QIcon(sprites.cell_pixmap(choice.code, 0))


def describe_method(table: OddsTable) -> str:
    """Return sentences on how many maps the odds were counted, and how far they can be trusted."""
    if not table.samples:
        return f"None of {counted(table.tried, 'map')} has what you locked."
    text = f"Counted on {counted(table.samples, 'map')}: {table.bound_text}."
    if table.tried > table.samples:
        text += f" Of those rolled, {Rarity(table.samples, table.tried).about} counts."
    return text


def make(desk: Desk) -> OddsPanel:
    """Return the panel, wired to the desk."""
    return OddsController(desk).panel
