"""Randomize > Script from maps, and what is seen of a learned script."""

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

NAME = "learned"
"""Whose heat it is."""

MOST_BITS = 1.0
"""A hex that differs by so much has the last colour."""


class LearnedScripts(QObject):
    """Learns scripts, and shows of those that were learned how they fit their maps."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._scripts = desk.scripts
        self._learned: WeakKeyDictionary[ScriptDocument, LearnedScript] = WeakKeyDictionary()
        self._line = 1
        self.strip = LearnedStrip()
        desk.script_strips.addWidget(self.strip)
        self._scripts.line_help = self.reason
        for signal in (self._scripts.shown, self._scripts.text_edited):
            connect(signal, self._show)
        connect(self._scripts.caret_moved, self._explain)
        connect(self.strip.slider.valueChanged, self._choose)
        connect(self.strip.on_map.toggled, self._show_on_map)
        connect(desk.heat.changed, self._show_whether_on_map)
        connect(desk.rolling.rolled, lambda _name: desk.heat.drop(NAME))  # to see the roll
        connect(desk.gallery_menu_made, self._add_to_menu)

    # --- learning ---------------------------------------------------------------------------

    def offered(self) -> bool:
        """Return whether the current map is a battleland."""
        return self._desk.document.battlemap.system is SYSTEM

    def ask(self, picked: Mapping[str, BattleMap]) -> None:
        """Ask for the maps: those ``picked`` are ticked, the open ones are listed."""
        from app.systems.colossus.learn_dialog import LearnDialog

        desk = self._desk
        document = self._desk.document
        dialog = desk.frame.findChild(LearnDialog)
        if dialog is None or not dialog.isVisible():
            dialog = LearnDialog(desk.settings, self._take, desk.frame)
        dialog.add(picked.items(), ticked=True)
        names = ((document.name_of(open_map), open_map.battlemap) for open_map in document.maps)
        dialog.add((name for name in names if name[1].system is SYSTEM), ticked=False)
        dialog.show()
        dialog.raise_()

    def _add_to_menu(self, menu: QMenu, make: Callable[..., object]) -> None:
        if self.offered():
            action = menu.addAction("&Script from picked maps...")
            connect(action.triggered, lambda: make(self.ask))

    def _take(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        run(self._show_learned(learned, problems))

    async def _show_learned(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        """Show what was learned, on a map of its own."""
        desk = self._desk
        if not (desk.document.battlemap.is_blank() or self._scripts.current.unsaved):
            desk.document.open_map(new_map(SYSTEM))  # a draft leaves unsaved edits alone by itself
        stem = Path(learned.name).name.strip(".") or "Learned"
        text = learned.version.text
        draft = Draft(untitled_name(SYSTEM, stem), "", text, text, "", {})
        await self._scripts.opening.show_draft(draft)
        self._learned[self._scripts.current] = learned
        desk.docks.show("randomize")
        desk.heat.claim(NAME)
        self._show()
        desk.say(f"Learned from {counted(len(learned.maps), 'map')}")
        if problems:
            show_problems(desk.frame, "Maps that were left out, or changed", problems)

    # --- a learned script -------------------------------------------------------------------

    def _show(self) -> None:
        """Show how a learned script fits its maps, in the strip and as colours of the map."""
        document = self._scripts.current
        heat = self._desk.heat
        learned = self._learned.get(document)
        text = document.text.text()
        if learned is None:
            self.strip.hide()
            if heat.is_on(NAME):
                heat.drop(NAME)
            return
        texts = [version.text for version in learned.versions]
        if text in texts:
            learned = replace(learned, chosen=texts.index(text))
            self._learned[document] = learned
        self.strip.show_version(learned, by_hand=text not in texts)
        self._explain(self._line)
        values = np.full(SYSTEM.new_grid().size, np.nan)
        values[list(CELL_OF_HEX)] = learned.version.fit.hex_bits
        numbers = {cell: f"{values[cell]:.2f}" for cell in CELL_OF_HEX}
        colours = None
        if self.offered():
            colours = Heat(values, (0.0, MOST_BITS), texts=numbers, alone=True)
        heat.show(NAME, colours, "Script and maps differ: bits a hex")

    def reason(self, line: int) -> str:
        """Return why a line (from 1) of the current script is there; "" if that is not known.

        Lines are known by their text, wherever edits have moved them.
        """
        document = self._scripts.current
        learned = self._learned.get(document)
        if learned is None:
            return ""
        rows = learned.version.text.split("\n")
        version = learned.version
        reasons = {rows[number - 1]: reason.text for number, reason in version.reasons.items()}
        lines = document.text.text().split("\n")
        return reasons.get("".join(lines[line - 1 : line]), "")

    def _explain(self, line: int) -> None:
        self._line = line
        self.strip.explain(self.reason(line))

    def _choose(self, index: int) -> None:
        document = self._scripts.current
        document.text.replace(self._learned[document].versions[index].text)
        document.text.setModified(True)

    def _show_on_map(self, visible: bool) -> None:
        if visible:
            self._desk.heat.claim(NAME)
        else:
            self._desk.heat.drop(NAME)
        self._show()

    def _show_whether_on_map(self) -> None:
        with QSignalBlocker(self.strip.on_map):
            self.strip.on_map.setChecked(self._desk.heat.is_on(NAME))


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
