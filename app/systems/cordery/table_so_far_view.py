"""Shows a table so far, while its dice are entered or wait: on the map, and in the log.

The *table so far* (``BuiltTable``) is built from the dice that are known; it is not laid on the
map, so the canvas shows it in place of the map. What the map shows while a die is asked for::

    no die is entered yet          the map as it is
    dice of a new table            the table so far
    dice of a change of a table    the table so far, and above it the later parts of the old one

While the dice wait, as after *Stop entering*, it is the table so far. The log shows its lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.systems.cordery.page_parts import PARTS, part_of_step

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.log_controller import LogController
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.map.layer import Layer
    from randomizer.systems.cordery.dice_log import BuiltTable


class TableSoFarView:
    """Shows the table so far of the current map, if it has one."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        entry: DiceEntry,
        log: LogController,
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._log = log

    def show_with_question(self, table: BuiltTable) -> None:
        """Show a table that lacks a die, for which the user is asked now."""
        self._log.set_table_so_far(table)
        panel = self._panel
        panel.player.disable()
        panel.fix_form.hide()
        panel.log.set_lines([str(entry.line) for entry in table.entries])
        panel.log.show_end()
        self.show_on_map()

    def show_waiting(self, table: BuiltTable) -> None:
        """Show a table that lacks a die, but whose dice wait."""
        self._log.set_table_so_far(table)
        self.show_on_map()
        self._log.refresh()

    def hide_waiting(self) -> None:
        """Show the map again, if a table so far is shown in place of it."""
        if self._log.table_so_far is not None:
            self.hide()

    def show_on_map(self) -> None:
        """Show the table so far, if there is one, on the ground that the map has now."""
        table = self._log.table_so_far
        if table is None:
            return
        inquiry = self._entry.inquiry
        if inquiry is None:  # its dice wait
            self._log.show_planes_on_map(table.planes)
        elif inquiry.dice.count == 0:  # no die is entered yet: the map as it is
            self._log.show_planes_on_map(None)
        elif inquiry.dice.changes_table:
            self._log.show_planes_on_map(table.planes, self._later_layers(table))
        else:
            self._log.show_planes_on_map(table.planes)

    def _later_layers(self, table: BuiltTable) -> list[Layer]:
        """Return the layers of the parts after the one whose die is asked for."""
        assert table.next_die is not None
        number = PARTS.index(part_of_step(table.next_die.step))
        layers = self._throwing.table.parts()
        return [layers[part] for part in PARTS[number + 1 :] if part in layers]

    def hide(self) -> None:
        """Show the map again, and the log of the table that lies on it."""
        self._log.set_table_so_far(None)
        self._desk.canvas.show_instead(None)
        self._log.refresh()
