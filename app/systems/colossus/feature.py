"""Randomize > Script from maps: learns a script from battlelands, and shows how it fits them.

A *learned script* comes in several versions, from a short one to one that fits the maps closely.
While the script panel shows one of them, a strip below it (``LearnedStrip``) has a slider for the
versions and tells why a line is there, and a heat map shows in which hexes script and maps differ.

Begin with ``LearnedScripts.ask``, which opens the dialog, and ``_show``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtWidgets import QMenu

from app.background.actions import run
from app.commands.commands import Command
from app.desk.desk import Desk
from app.document.map_files import new_map
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.scripts.script import untitled_name
from app.systems.colossus.learned_strip import LearnedStrip
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.storage.journal.drafts import Draft
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.system import SYSTEM

if TYPE_CHECKING:
    from app.scripts.script_document import ScriptDocument
    from randomizer.systems.colossus.learning.result import LearnedScript

HEAT_NAME = "learned"
"""The name by which the desk knows the heat map of this feature among those of others."""

MOST_BITS = 1.0
"""The distance of script and maps in a hex, in bits, that has the last colour of the heat map."""


class LearnedScripts(QObject):
    """Opens the dialog that learns scripts, and shows how the current script fits its maps."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._scripts = desk.scripts
        self._learned: WeakKeyDictionary[ScriptDocument, LearnedScript] = WeakKeyDictionary()
        """The learned scripts, with the version that is chosen, by the documents that show them."""
        self._caret_line = 1
        """The line of the script that has the caret, from 1."""
        self.strip = LearnedStrip()
        desk.script_strips.addWidget(self.strip)
        self._scripts.line_help = self.reason
        self._connect()

    def _connect(self) -> None:
        """Follow the scripts, the strip, the heat map and the rolls of the desk."""
        desk = self._desk
        connect(self._scripts.shown, self._show)
        connect(self._scripts.text_edited, self._show)
        connect(self._scripts.caret_moved, self._explain)
        connect(self.strip.slider.valueChanged, self._choose)
        connect(self.strip.on_map.toggled, self._show_on_map)
        connect(desk.heat.changed, self._show_whether_on_map)
        # The heat map would hide the map that was just rolled.
        connect(desk.rolling.rolled, lambda _name: desk.heat.drop(HEAT_NAME))
        connect(desk.gallery_menu_made, self._add_to_menu)

    # --- learning ---------------------------------------------------------------------------

    def offered(self) -> bool:
        """Return whether the current map is a battleland."""
        return self._desk.document.battlemap.system is SYSTEM

    def ask(self, picked: Mapping[str, BattleMap]) -> None:
        """Open the dialog that asks for the maps to learn from.

        It lists the maps of ``picked``, by name, which are ticked, and the open battlelands.
        """
        from app.systems.colossus.learn_dialog import LearnDialog
        from app.systems.colossus.learning_work import Source

        desk = self._desk
        document = self._desk.document
        dialog = desk.frame.findChild(LearnDialog)
        if dialog is None or not dialog.isVisible():
            dialog = LearnDialog(desk.settings, self._take, desk.frame)
        dialog.add([Source(*item) for item in picked.items()], ticked=True)
        open_battlelands = []
        for open_map in document.maps:
            if open_map.battlemap.system is SYSTEM:
                open_battlelands.append(Source(document.name_of(open_map), open_map.battlemap))
        dialog.add(open_battlelands, ticked=False)
        dialog.show()
        dialog.raise_()

    def _add_to_menu(self, menu: QMenu, make: Callable[..., object]) -> None:
        """Add the command to a menu of the gallery.

        ``make`` makes the maps that are picked there, and calls a function with them.
        """
        if self.offered():
            action = menu.addAction("&Script from picked maps...")
            connect(action.triggered, lambda: make(self.ask))

    def _take(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        run(self._show_learned(learned, problems))

    async def _show_learned(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        """Show what was learned as an unsaved script, on a map of its own.

        ``problems`` are those of the maps that were left out or changed.
        """
        desk = self._desk
        # The current map keeps its script, unless it is blank. Where the script has unsaved edits,
        # ``show_draft`` itself opens a new map.
        if not (desk.document.battlemap.is_blank() or self._scripts.current.unsaved):
            desk.document.open_map(new_map(SYSTEM))
        # The name may be a path, or only dots.
        stem = Path(learned.name).name.strip(".")
        if not stem:
            stem = "Learned"
        text = learned.version.text
        draft = Draft(untitled_name(SYSTEM, stem), "", text, text, "", {})
        await self._scripts.opening.show_draft(draft)
        self._learned[self._scripts.current] = learned
        desk.docks.show("randomize")
        desk.heat.claim(HEAT_NAME)
        self._show()
        desk.say(f"Learned from {counted(len(learned.maps), 'map')}")
        if problems:
            show_problems(desk.frame, "Maps that were left out, or changed", problems)

    # --- a learned script -------------------------------------------------------------------

    def _show(self) -> None:
        """Show how the current script fits its maps, in the strip and in the heat map.

        Both are hidden if it was not learned.
        """
        document = self._scripts.current
        heat = self._desk.heat
        learned = self._learned.get(document)
        text = document.text.text()
        if learned is None:
            self.strip.hide()
            if heat.is_on(HEAT_NAME):
                heat.drop(HEAT_NAME)
            return
        # The text tells which version is chosen: Undo can have brought back another one.
        texts = [version.text for version in learned.versions]
        if text in texts:
            learned = replace(learned, chosen=texts.index(text))
            self._learned[document] = learned
        self.strip.show_version(learned, by_hand=text not in texts)
        self._explain(self._caret_line)
        colours = None
        if self.offered():
            colours = _heat_of(learned)
        heat.show(HEAT_NAME, colours, "Script and maps differ: bits a hex")

    def reason(self, line: int) -> str:
        """Return why a line (from 1) of the current script is there; "" if that is not known.

        The line is looked up by its text, so that it is found wherever edits have moved it.
        """
        document = self._scripts.current
        learned = self._learned.get(document)
        if learned is None:
            return ""
        version = learned.version
        learned_lines = version.text.split("\n")
        reason_texts = {}
        for number, reason in version.reasons.items():
            reason_texts[learned_lines[number - 1]] = reason.text
        lines = document.text.text().split("\n")
        if not 1 <= line <= len(lines):
            return ""
        return reason_texts.get(lines[line - 1], "")

    def _explain(self, line: int) -> None:
        """Show in the strip why the line of the caret is there."""
        self._caret_line = line
        self.strip.explain(self.reason(line))

    def _choose(self, index: int) -> None:
        """Replace the text of the script by that of another version, as one step of its undo."""
        document = self._scripts.current
        document.text.replace(self._learned[document].versions[index].text)
        document.text.setModified(True)

    def _show_on_map(self, visible: bool) -> None:
        """Show or hide the heat map, as the user has ticked it in the strip."""
        if visible:
            self._desk.heat.claim(HEAT_NAME)
        else:
            self._desk.heat.drop(HEAT_NAME)
        self._show()

    def _show_whether_on_map(self) -> None:
        """Tick the box of the strip while the desk shows this heat map and not another one."""
        with QSignalBlocker(self.strip.on_map):
            self.strip.on_map.setChecked(self._desk.heat.is_on(HEAT_NAME))


def _heat_of(learned: LearnedScript) -> Heat:
    """Return the heat map of the chosen version: the distance to the maps in each hex, in bits."""
    values = np.full(SYSTEM.new_grid().size, np.nan)  # cells that are no hexes of a board stay nan
    values[list(CELL_OF_HEX)] = learned.version.fit.hex_bits
    numbers = {cell: f"{values[cell]:.2f}" for cell in CELL_OF_HEX}
    return Heat(values, ends=(0.0, MOST_BITS), texts=numbers, alone=True)


def make(desk: Desk) -> None:
    """Add the command, and the strip below scripts that were learned."""
    learned = LearnedScripts(desk)
    row = Command(
        "randomize.script-from-maps",
        "Script from &maps...",
        lambda: learned.ask({}),
        "Learn a randomizer script from battlelands: a folder, files or open ones",
        offered=learned.offered,
        words="learn generate train rnd examples",
    )
    desk.commands.add([row])
