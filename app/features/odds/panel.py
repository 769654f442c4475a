"""The panel "Odds": chooses which chances the map shows, and lists all chances of one hex.

``OddsController`` gives the panel an ``OddsTable`` to show::

    [Likeliest hazard]  [x] Show on map        the question that the map answers: ``choice``
    ======o------  After line 3: ...           ``StageSlider``: ``stage``
    One hex | Many maps                        pages; the first lists the cell pointed at

A *stage* of the table has the odds after one statement of the script.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.appearance.text_colours import inks
from app.canvas.heat_legend import HeatLegend
from app.document.cell_texts import CellTexts
from app.features.odds.choice_combo import ChoiceCombo, PictureOf
from app.features.odds.odds_heat import (
    LIKELIEST,
    Choice,
    ChoiceKind,
    can_be,
    choices_with_chance,
    has_chance,
    terrain_set_of,
)
from app.features.odds.row_list import OddsRowList
from app.features.odds.rows import CellRows, HexsideRow, StateRow
from app.features.odds.stage_slider import StageSlider
from app.qt_guard import connect, guarded
from app.rolling.layers_above_switch import LayersAbove
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import lay_out, plain_label, scrolled, tool_button
from app.widgets.layout.wrapping_row import WrappingRow
from app.widgets.lists.empty_state import EmptyState
from randomizer.batches.odds_table import OddsTable
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.document.document import MapDocument

NO_CELL = "Point at a {cell} of the map to see all that it can become. A click still uses the tool."
"""The text in the list while no cell is shown, a template for ``cell_text``."""

MIN_PAGES_HEIGHT = 150
"""The least height of the pages in logical pixels; a panel with less room for them scrolls."""


class _PanelContent(NamedTuple):
    """What the panel shows of one map: its odds, or the text that there are none."""

    battlemap: BattleMap
    """The map onto which the script is rolled."""

    terrain_set: TerrainSet
    """The terrain set that their codes are about: the script's own, or that of the map."""

    table: OddsTable | None
    """The chances; None if there are none."""

    method: str
    """The text on how the odds were counted, or why there are none."""


class _Pages(QTabWidget):
    """Pages that take the height that is left, whatever their pictures and texts ask for."""

    @guarded(default=False)
    def hasHeightForWidth(self) -> bool:
        """Return False: the height does not depend on the width, as it does with wrapped text."""
        return False


class OddsPanel(QWidget):
    """Shows an ``OddsTable``; it computes no odds."""

    wanted_changed = Signal()
    """``choice`` or ``stage`` has changed."""

    line_wanted = Signal(int)
    """The statement at this line of the script was clicked: the editor should go there."""

    def __init__(self, document: MapDocument, picture_of: PictureOf) -> None:
        super().__init__()
        self._odds: _PanelContent | None = None
        """The odds that are shown; None before the first."""
        self._cell: int | None = None
        """The cell whose chances are listed.

        None before the mouse comes to a cell, and again on a map with another grid.
        """
        self.combo = pass_wheel_on(ChoiceCombo(picture_of))
        self.map_box = QCheckBox("Show on map")
        self.map_box.setChecked(True)
        self.above = LayersAbove(
            "The odds of the map as it will be, with the layers above the roll and with what was "
            "painted into it; else those of the script alone, hatched where something covers them"
        )
        self.legend = HeatLegend("0 %", "100 %")
        self.message = plain_label(wordWrap=True)
        # A label that wraps asks for the height of its narrowest form, and pushes the rest about.
        self.message.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.stages = StageSlider()
        self.hex_label = plain_label()
        self.pin = tool_button("Pin")
        self.pin.setCheckable(True)
        self.rows = OddsRowList()
        self.no_hex = EmptyState(self.rows, "")
        self.tabs = _Pages()
        self.tabs.setDocumentMode(True)
        self.tabs.setMinimumHeight(MIN_PAGES_HEIGHT)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._lay_out()
        self._set_cell_texts(CellTexts(document, self))
        connect(self.combo.currentIndexChanged, self._on_choice)
        connect(self.stages.stage_changed, self._on_stage)
        connect(self.rows.line_wanted, self.line_wanted)
        self._fill_combo()
        self._update_slider()

    def _lay_out(self) -> None:
        """Put the widgets below each other, in an area that scrolls if it is too low."""
        head = WrappingRow(self.combo, self.map_box)
        # Beside the tabs, since the column has little room.
        self._hex_and_pin = QWidget()
        lay_out(QHBoxLayout(self._hex_and_pin), self.hex_label, self.pin, margins=(0, 0, 0, 2))
        self.tabs.addTab(self.rows, "")
        self.tabs.setCornerWidget(self._hex_and_pin)
        connect(self.tabs.currentChanged, lambda _index: self._show_hex_and_pin())
        body = QWidget()
        column = lay_out(QVBoxLayout(body), head, self.above, margins=(6, 4, 6, 6), spacing=4)
        column.addWidget(self.legend)
        column.addWidget(self.message)
        column.addWidget(self.stages)
        column.addWidget(self.tabs, 1)
        area = scrolled(body)
        area.setMinimumWidth(body.minimumSizeHint().width())
        lay_out(QVBoxLayout(self), area, margins=0)

    def _set_cell_texts(self, texts: CellTexts) -> None:
        """Give the widgets the texts that speak of cells: of hexes or of squares."""
        texts.keep_filled(self.combo.setToolTip, "Whose chance the map shows on every {cell}")
        texts.keep_filled(self.map_box.setToolTip, "Colour the {cells} of the map by their chances")
        texts.keep_filled(self.pin.setAccessibleName, "Pin this {cell}")
        texts.keep_filled(self.pin.setToolTip, "Keep this {cell} here, wherever the mouse goes")
        texts.keep_filled(self.tabs.setAccessibleName, "One {cell}, and counts of many maps")
        texts.keep_filled(partial(self.tabs.setTabText, 0), "One {cell}")

    # --- what is wanted ---------------------------------------------------------------------

    @property
    def choice(self) -> Choice:
        """The hazard, elevation or hexside of which the map shows the chances."""
        return self.combo.choice

    @property
    def stage(self) -> int | None:
        """The index of the stage of the table whose odds are shown.

        None for the odds after the whole script.
        """
        return self.stages.stage

    def _on_choice(self) -> None:
        """Show the chances of another value."""
        self._show_method()
        self._update_slider()
        self._show_rows()
        self.wanted_changed.emit()

    def _on_stage(self) -> None:
        """Show the chances after another statement."""
        self._show_rows()
        self.wanted_changed.emit()

    # --- what is shown ----------------------------------------------------------------------

    def show_odds(
        self, battlemap: BattleMap, table: OddsTable | None, method: str, is_outdated: bool
    ) -> None:
        """Show the odds of maps like ``battlemap``, and ``method``: the text above them.

        ``table`` is None if there are no odds. ``is_outdated`` is True if the script cannot be
        rolled as it is now, so that the odds are from before; the text is then in red.
        """
        terrain_set = terrain_set_of(table, battlemap)
        previous_odds = self._odds
        if previous_odds is not None and battlemap.grid is not previous_odds.battlemap.grid:
            self._cell = None
            self.pin.setChecked(False)
        if previous_odds is not None and terrain_set != previous_odds.terrain_set:
            # Its hazards are not those of this terrain set.
            self.combo.withdraw_all()
        self._odds = _PanelContent(battlemap, terrain_set, table, method)

        palette = QPalette()
        if is_outdated:
            colour = inks(palette).error
            palette.setColor(QPalette.ColorRole.WindowText, colour)
        self.message.setPalette(palette)
        self._fill_combo()
        self._show_method()
        self._update_slider()
        self._show_rows()

    def show_cell(self, cell: int | None) -> None:
        """Show all chances of a cell, unless another one is pinned.

        None, for a pointer beside the map, keeps the cell that is shown.
        """
        if cell is not None and cell != self._cell and not self.pin.isChecked():
            self._cell = cell
            self._show_rows()

    def _fill_combo(self) -> None:
        """Offer what has a chance, and what is chosen even if it has none now."""
        choices = {LIKELIEST, self.choice}
        odds = self._odds
        if odds is not None and odds.table is not None:
            system = odds.battlemap.system
            choices |= choices_with_chance(odds.table, system, len(odds.terrain_set.hexsides))
        self.combo.offer({choice: self._name_of(choice) for choice in choices})

    def _name_of(self, choice: Choice) -> str:
        """Return the name of a choice in the combo box."""
        odds = self._odds
        if odds is None:
            assert choice == LIKELIEST, "nothing else is offered without a map"
            return f"Likeliest {System.terrain_noun}"
        system = odds.battlemap.system
        if choice.kind is ChoiceKind.LIKELIEST:
            return f"Likeliest {system.terrain_noun}"
        if choice.kind is ChoiceKind.ELEVATION:
            return system.elevation_text(choice.code).capitalize()
        if choice.kind is ChoiceKind.TERRAIN:
            return odds.terrain_set.terrains[choice.code].name
        # Code 0 is no hexside: the first hexside of the terrain set has code 1.
        return f"{odds.terrain_set.hexsides[choice.code - 1].name} (hexside)"

    def _show_method(self) -> None:
        """Show how the odds were counted, and whether the choice never comes up."""
        odds = self._odds
        if odds is None:
            return
        text = odds.method
        if odds.table is not None and not has_chance(odds.table, self.choice):
            if can_be(odds.table, self.choice):
                rarity = "on none of them"
            else:
                rarity = "never"
            text = f"{text} {self._name_of(self.choice)}: {rarity}."
        self.message.setText(text)

    @property
    def _table(self) -> OddsTable | None:
        """The chances that are shown; None if there are none."""
        if self._odds is None:
            return None
        return self._odds.table

    def _show_hex_and_pin(self) -> None:
        """Show the name of the hex and its pin beside the tabs, on the page of one hex only."""
        has_cell = self._table is not None and self._cell is not None
        self._hex_and_pin.setVisible(has_cell and self.tabs.currentIndex() == 0)

    def _update_slider(self) -> None:
        """Let the slider step through the stages of the table, if it has some for the choice."""
        is_of_hexsides = self.choice.kind is ChoiceKind.HEXSIDE
        has_locks = self._has_locks()
        self.stages.show_table(self._table, is_of_hexsides=is_of_hexsides, has_locks=has_locks)

    def _has_locks(self) -> bool:
        """Return whether anything is locked on the map."""
        if self._odds is None:
            return False
        battlemap = self._odds.battlemap
        return bool(battlemap.locked_cells.any() or battlemap.locked_sides.any())

    def _show_rows(self) -> None:
        """List the chances of the cell, if there are odds of it."""
        odds = self._odds
        rows: list[StateRow | HexsideRow] = []
        text_without_rows = ""
        if odds is not None and odds.table is not None:
            system = odds.battlemap.system
            grid = odds.battlemap.grid
            cell = self._cell
            text_without_rows = cell_text(NO_CELL, grid.layout)
            # A map that was turned or resized may lack the cell, and has no odds at first.
            are_odds_of_grid = len(odds.table.chances) == grid.size
            if cell is not None and cell < grid.size and are_odds_of_grid:
                cell_rows = CellRows(odds.table, system, odds.terrain_set, grid)
                if self.stage is None:
                    rows = cell_rows.of_finished_map(cell)
                else:
                    rows = cell_rows.of_stage(self.stage, cell)
                self.hex_label.setText(system.cell_name(grid, cell))
        self.no_hex.setText(text_without_rows)
        self.rows.set_rows(rows)
        self._show_hex_and_pin()
