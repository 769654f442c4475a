"""Shows how the current script fits the battlelands that it was learned from.

A *learned script* comes in several versions, from a short one to one that fits its maps closely.
While a script document with one of them is current, the user sees

- the strip below the script (``LearnedStrip``): a slider for the versions, how well the chosen one
  fits, and the reason for the line that has the caret;
- the heat map over the current map: how far script and maps differ in each hex. A box of the strip
  turns it on and off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker

from app.desk.desk import Desk
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.systems.colossus.learned_strip import LearnedStrip
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.system import SYSTEM

if TYPE_CHECKING:
    from app.scripts.script_document import ScriptDocument
    from randomizer.systems.colossus.learning.result import LearnedScript

HEAT_NAME = "learned"
"""The name by which the desk knows this heat map among those of other features."""

LARGEST_DISTANCE_BITS = 1.0
"""The distance of script and maps in a hex, in bits, that has the last colour of the heat map.

If it is larger, small distances are harder to tell apart, and large ones easier.
"""


class LearnedScriptView(QObject):
    """Keeps the strip and the heat map up to date with the current script, while the desk lives.

    The desk has one heat map at a time (``Desk.heat``). A feature *claims* it under its name, and
    *drops* it again; until another feature claims it, it shows what the feature gives (``show``).
    The box in the strip only follows: a click claims or drops, and the desk tells that it has
    changed.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._scripts = desk.scripts
        self._learned_of_documents: WeakKeyDictionary[ScriptDocument, LearnedScript] = (
            WeakKeyDictionary()
        )
        """The learned script of each document that has one, with the version chosen there."""
        self._caret_line = 1
        """The line of the script that has the caret, from 1."""
        self._strip = LearnedStrip()
        desk.script_strips.addWidget(self._strip)

        connect(self._scripts.shown, self._update)
        connect(self._scripts.text_edited, self._update)
        connect(self._scripts.editor_link.caret_moved, self._explain_line)
        connect(self._strip.slider.valueChanged, self._choose_version)
        connect(self._strip.heat_map_box.toggled, self._turn_heat_map)
        connect(desk.heat.changed, self._update_heat_map_box)
        connect(desk.rolling.rolled, self._uncover_rolled_map)
        # The tips of lines in the editor have no other source than this.
        self._scripts.editor_link.line_help = self.reason_for_line

    def show_learned(self, learned: LearnedScript) -> None:
        """Note that the current script document is of a learned script, and show how that fits.

        The heat map is claimed for it. The text of the document is that of the chosen version.
        """
        self._learned_of_documents[self._scripts.current] = learned
        self._desk.heat.claim(HEAT_NAME)
        self._update()

    def reason_for_line(self, line: int) -> str:
        """Return why a line (from 1) of the current script is there; "" if that is not known."""
        document = self._scripts.current
        learned = self._learned_of_documents.get(document)
        if learned is None:
            return ""
        text = document.text.text()
        lines = text.split("\n")
        if not 1 <= line <= len(lines):
            return ""
        version = learned.version
        if text == version.text:
            reason = version.reasons.get(line)
            return reason.text if reason is not None else ""
        # Edits may have moved the line, so it is looked up by its text: the last one with that.
        learned_lines = version.text.split("\n")
        reasons = {}
        for number, reason in version.reasons.items():
            reasons[learned_lines[number - 1]] = reason.text
        return reasons.get(lines[line - 1], "")

    # --- the script has changed -------------------------------------------------------------

    def _update(self) -> None:
        """Show the current script in the strip and in the heat map; hide them for any other."""
        document = self._scripts.current
        learned = self._learned_of_documents.get(document)
        if learned is None:
            self._hide()
            return

        # The text tells which version is chosen, since Undo can have brought back another one.
        text = document.text.text()
        texts = [version.text for version in learned.versions]
        is_edited_by_hand = text not in texts
        if not is_edited_by_hand:
            learned = replace(learned, proposed_index=texts.index(text))
            self._learned_of_documents[document] = learned
        self._strip.show_version(learned, by_hand=is_edited_by_hand)
        self._explain_line(self._caret_line)

        # The desk remembers it until this heat map is claimed. The current map can be one of
        # another system, whose cells are other ones.
        heat = None
        if self._desk.document.battlemap.system is SYSTEM:
            heat = _heat_of(learned)
        self._desk.heat.show(HEAT_NAME, heat, "Script and maps differ: bits a hex")

    def _hide(self) -> None:
        """Hide the strip, and take the heat map off the current map."""
        self._strip.hide()
        if self._desk.heat.is_on(HEAT_NAME):
            self._desk.heat.drop(HEAT_NAME)

    def _explain_line(self, line: int) -> None:
        """Show in the strip why this line (from 1) is there, which has the caret now."""
        self._caret_line = line
        self._strip.explain(self.reason_for_line(line))

    # --- the user has changed the strip -----------------------------------------------------

    def _choose_version(self, index: int) -> None:
        """Replace the text of the script by that of another version, as one step of its undo."""
        document = self._scripts.current
        document.text.replace(self._learned_of_documents[document].versions[index].text)
        document.text.setModified(True)

    def _turn_heat_map(self, is_on: bool) -> None:
        """Turn the heat map of the current map on or off."""
        if is_on:
            self._desk.heat.claim(HEAT_NAME)
        else:
            self._desk.heat.drop(HEAT_NAME)
        self._update()

    # --- the desk has changed the heat map --------------------------------------------------

    def _update_heat_map_box(self) -> None:
        """Tick the box of the strip if the current map has this heat map, else untick it."""
        with QSignalBlocker(self._strip.heat_map_box):
            self._strip.heat_map_box.setChecked(self._desk.heat.is_on(HEAT_NAME))

    def _uncover_rolled_map(self) -> None:
        """Take the heat map off the current map, as it would hide what was just rolled."""
        self._desk.heat.drop(HEAT_NAME)


def _heat_of(learned: LearnedScript) -> Heat:
    """Return the heat map of the chosen version: the distance to the maps in each hex, in bits."""
    values = np.full(SYSTEM.new_grid().size, np.nan)  # cells that are no hexes of a board stay nan
    values[list(CELL_OF_HEX)] = learned.version.fit.hex_bits
    numbers = {cell: f"{values[cell]:.2f}" for cell in CELL_OF_HEX}
    return Heat(values, ends=(0.0, LARGEST_DISTANCE_BITS), texts=numbers, alone=True)
