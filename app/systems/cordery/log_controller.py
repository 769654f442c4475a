"""The page of the dice log, joined with the map: its lines, their areas, and the table as it grew.

``DiceController`` makes a ``LogController``. The page shows one of two logs:

- of the table that lies on the map (``Throwing.table.log``);
- of a table whose dice are being entered, as far as they have laid it (``table_so_far``).

While the mouse is over a line, its areas are marked on the map; while it is over an area, the lines
about that area are marked in the log.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextDocument

from app.qt_guard import connect
from app.systems.cordery.dice_log import NO_ROW
from app.systems.cordery.player import NO_LINE
from app.systems.cordery.table_messages import UNKNOWN_DICE
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.dialogs.problem_dialog import tell_problems
from randomizer.model.map.compositing import overlay
from randomizer.storage.disk.atomic import write_atomically
from randomizer.systems.cordery.dice.dice_names import areas_in_name
from randomizer.systems.cordery.system import SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.grid.grid import Hit
    from randomizer.model.map.layer import Layer
    from randomizer.systems.cordery.dice_log import BuiltTable, LogEntry
    from randomizer.systems.cordery.table.table_words import Planes


def area_name(desk: Desk, cell: int) -> str:
    """Return the name of an area of the current map, such as 0304."""
    battlemap = desk.document.battlemap
    return battlemap.system.cell_name(battlemap.grid, cell)


class LogController(QObject):
    """Shows the log of the table, or of the table so far while dice are entered."""

    def __init__(
        self, desk: Desk, panel: DicePanel, throwing: Throwing, entry: DiceEntry, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self.table_so_far: BuiltTable | None = None
        """A table as far as its entered dice have laid it; None unless some are missing."""
        self._stays_at_end = False
        """True while a table of entered dice is being laid: see ``stay_at_end``."""
        connect(throwing.table.log_changed, self.refresh)
        connect(panel.log.pointed, self.mark_areas)
        connect(panel.log.chosen, self._choose_line)
        connect(panel.player.line_shown, self._show_table_after_line)
        connect(panel.log_page.save_wanted, self._save_log)
        connect(panel.log_page.print_wanted, self._print_log)
        connect(desk.canvas.hovered, self._on_hovered)

    def set_table_so_far(self, table: BuiltTable | None) -> None:
        """Set the table so far, before its log is shown; None: that of the map counts again."""
        self.table_so_far = table

    def stay_at_end(self) -> None:
        """Keep the last line in view until the log of the table that is being laid is there."""
        self._stays_at_end = True

    def refresh(self) -> None:
        """Show the log of the table on the map, or of the table so far while its dice wait.

        Nothing happens while dice are asked for: then ``TableSoFarView`` shows the log.
        """
        if self._entry.has_question:
            return
        self._list_lines([str(entry.line) for entry in self._shown_log])

    def _list_lines(self, lines: list[str]) -> None:
        """List the lines of the log, and let the player play them if it can.

        Other lines than before hide the form in which a line is decided.
        """
        panel = self._panel
        if lines != panel.log.lines():
            panel.fix_form.hide()
            panel.log.set_lines(lines)
            if self._stays_at_end or self.table_so_far is not None:
                panel.log.show_end()
        if lines and self.table_so_far is None and self._throwing.table.has_fresh_log:
            self._stays_at_end = False  # this is the log of the laid table
        panel.log.forget_pointed_line()
        # The player shows the table after each line, which takes the planes of all entries.
        if self.table_so_far is not None:
            panel.player.disable()
        elif self._throwing.table.has_unknown_dice:
            panel.player.disable(UNKNOWN_DICE)
        else:
            panel.player.set_count(len(self._throwing.table.log))
        panel.log_page.enable_buttons(has_lines=bool(lines))

    @property
    def _shown_log(self) -> tuple[LogEntry, ...]:
        """The entries of the log that is shown: of the table so far while dice are entered."""
        if self.table_so_far is not None:
            return self.table_so_far.entries
        return self._throwing.table.log

    def _cells_of_line(self, row: int) -> frozenset[int]:
        """Return the areas that a line of the log is about.

        For ``NO_ROW`` they are those of the die that is asked for, if one is: the areas in its
        name, and the one from which its score counts on.
        """
        log = self._shown_log
        if 0 <= row < len(log):
            return frozenset(log[row].line.cells)
        if not self._entry.has_question or self.table_so_far is None:
            return frozenset()
        die = self.table_so_far.next_die
        if die is None:
            return frozenset()
        return self._areas_in(die.name).union(die.counted_from)

    def _areas_in(self, name: str) -> frozenset[int]:
        """Return the cells of the areas that a die's name has, as "river 1 entry area 0601"."""
        area_names = set(areas_in_name(name))
        if not area_names:
            return frozenset()
        cells = range(self._desk.document.battlemap.grid.size)
        return frozenset(cell for cell in cells if area_name(self._desk, cell) in area_names)

    def mark_areas(self, row: int) -> None:
        """Mark on the map the areas of a line of the log; ``NO_ROW``: those of the next die."""
        self._desk.canvas.overlays.mark_cells(self._cells_of_line(row))

    def mark_areas_of_next_die(self) -> None:
        """Mark on the map the areas that the next die is about; none while no die is asked for."""
        self.mark_areas(NO_ROW)

    def _on_hovered(self, hit: Hit | None) -> None:
        """Mark the lines of the log that are about the area under the mouse."""
        if not self._panel.log.isVisible() or self._panel.player.line != NO_LINE:
            return
        rows = []
        if hit:
            for row, entry in enumerate(self._shown_log):
                if hit.cell in entry.line.cells:
                    rows.append(row)
        self._panel.log.mark_lines(rows)

    def _choose_line(self, row: int) -> None:
        """Open the form in which the dice and decisions of a line can be fixed.

        Lines of a table so far have none: its dice are asked for, or they wait on a bare map, and
        then the log of the table on the map is empty.
        """
        if 0 <= row < len(self._throwing.table.log) and not self._entry.has_question:
            entry = self._throwing.table.log[row]
            self._panel.fix_form.show_line(entry, self._throwing.map_choices.fixed)
            if entry.planes is None:
                self._desk.say(UNKNOWN_DICE)

    def _show_table_after_line(self, row: int) -> None:
        """Show the table as it was after a line of the log; ``NO_LINE`` shows it as it is."""
        if self.table_so_far is not None:
            return  # nothing is played, and the map shows the table so far
        log = self._throwing.table.log
        if not 0 <= row < len(log):
            self._desk.canvas.show_instead(None)
            self.mark_areas_of_next_die()
            return
        self.show_planes_on_map(log[row].planes)
        self.mark_areas(row)
        self._panel.log.select_line(row)
        scores_of_line: list[int] = []
        for _name, scores in log[row].scores:
            scores_of_line += scores
        self._panel.player.faces.show_scores(scores_of_line)

    def show_planes_on_map(self, planes: Planes | None, later_layers: Sequence[Layer] = ()) -> None:
        """Show a table with these planes in place of the map; None: the map itself.

        ``later_layers`` of the table on the map, from the bottom up, are shown above the planes.
        Above them is what was painted by hand, just as when the table is laid.
        """
        canvas = self._desk.canvas
        if planes is None:
            canvas.show_instead(None)
            return
        layers = list(later_layers)
        paint = self._desk.rolling.next_base().above
        if paint is not None:
            layers.append(paint)
        shown_planes = dict(planes)
        for spec in SYSTEM.shown_planes:
            values = planes[spec.name].copy()
            overlay(values, spec, layers)
            shown_planes[spec.name] = values
        canvas.show_instead(replace(self._desk.document.composite, planes=shown_planes))

    def _log_text(self) -> str:
        return "\n".join(self._panel.log.lines()) + "\n"

    async def _save_log(self) -> None:
        """Ask for a file, and write the log to it."""
        text = self._log_text()  # before the dialog opens, as the log can change meanwhile
        frame = self._desk.frame
        settings = self._desk.settings
        start = Path(settings.last_directory) / "dice.txt"
        chosen = await choose_file_to_write(frame, "Save the dice log", start)
        if chosen is not None:
            settings.last_directory = str(chosen.path.parent)
            with tell_problems(frame, "Not saved"):
                write_atomically(chosen.path, text.encode())

    def _print_log(self) -> None:
        self.print_text("Dice log", self._log_text())

    def print_text(self, name: str, text: str) -> None:
        """Print a text; ``name`` is that of the print job."""
        from app.paper.printing import ask_for_printer

        def print_to(printer) -> None:  # type: ignore[no-untyped-def]
            document = QTextDocument()
            document.setPlainText(text)
            document.print_(printer)

        ask_for_printer(name, self._desk.frame, print_to)
