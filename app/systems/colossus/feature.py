"""Randomize > Script from maps: learns a script from battlelands, and opens it.

    picked in the gallery, ticked      LearnDialog:             a new script, unsaved,
    open battlelands, not ticked   ->  choose, learn, wait  ->  on a map of its own
    files and folders

From then on ``LearnedScriptView`` shows how the script fits the maps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.background.actions import run
from app.commands.commands import Command
from app.desk.desk import Desk
from app.document.map_files import new_map
from app.qt_guard import connect
from app.scripts.script import untitled_name
from app.systems.colossus.learned_view import LearnedScriptView
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.storage.journal.drafts import Draft
from randomizer.systems.colossus.system import SYSTEM

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript


def make(desk: Desk) -> None:
    """Add the command to the desk and to the menu of the gallery, and the view below scripts."""
    learning = ScriptLearning(desk, LearnedScriptView(desk))
    command = Command(
        "randomize.script-from-maps",
        "Script from &maps...",
        learning.open_dialog,
        "Learn a randomizer script from battlelands: a folder, files or open ones",
        offered=learning.is_offered,
        words="learn generate train rnd examples",
    )
    desk.commands.add([command])
    connect(desk.gallery_menu_made, learning.add_to_gallery_menu)


class ScriptLearning(QObject):
    """Opens the dialog that learns scripts, and opens the scripts that it has learned."""

    def __init__(self, desk: Desk, view: LearnedScriptView) -> None:
        super().__init__(desk)
        self._desk = desk
        self._view = view

    def is_offered(self) -> bool:
        """Return whether the current map is a battleland."""
        return self._desk.document.battlemap.system is SYSTEM

    def add_to_gallery_menu(
        self, menu: QMenu, call_with_maps: Callable[[Callable[..., object]], object]
    ) -> None:
        """Add the command to the menu of the maps that are picked in the gallery.

        ``call_with_maps`` makes these maps, and calls a function with them by their names.
        """
        if self.is_offered():
            action = menu.addAction("&Script from picked maps...")
            connect(action.triggered, lambda: call_with_maps(self.open_dialog_for))

    def open_dialog(self) -> None:
        """Open the dialog that asks for maps, or show the open one again."""
        self.open_dialog_for({})

    def open_dialog_for(self, picked_maps: Mapping[str, BattleMap]) -> None:
        """Open the dialog that asks for maps, or show the open one again, with these maps ticked.

        The keys of ``picked_maps`` are their names. The open battlelands are listed too.
        """
        # Imported late, so that the desk starts without it.
        from app.systems.colossus.learn_dialog import LearnDialog
        from app.systems.colossus.learning_work import Source

        desk = self._desk
        dialog = desk.frame.findChild(LearnDialog)
        if dialog is None or not dialog.isVisible():  # one that is closed is deleted only later
            dialog = LearnDialog(desk.settings, self._on_learned, desk.frame)

        picked_sources = [Source(name, battlemap) for name, battlemap in picked_maps.items()]
        dialog.add_sources(picked_sources, ticked=True)
        open_sources = []
        for open_map in desk.document.maps:
            if open_map.battlemap.system is SYSTEM:
                open_sources.append(Source(desk.document.name_of(open_map), open_map.battlemap))
        dialog.add_sources(open_sources, ticked=False)
        dialog.show()
        dialog.raise_()

    def _on_learned(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        """Begin to open the script that the dialog has learned."""
        run(self._open_learned(learned, problems))

    async def _open_learned(self, learned: LearnedScript, problems: Sequence[Problem]) -> None:
        """Open a learned script as an unsaved one, on a map of its own.

        ``problems`` are those of the maps that were left out or changed; they are shown.
        """
        desk = self._desk
        # A blank map gets the script. So that any other map keeps its own, a new map is opened:
        # here, or by ``show_draft`` if the script shown has unsaved edits.
        is_blank = desk.document.battlemap.is_blank()
        is_opened_by_draft = desk.scripts.current.unsaved
        if not is_blank and not is_opened_by_draft:
            desk.document.open_map(new_map(SYSTEM))
        await desk.scripts.new_scripts.show_draft(_draft_of(learned))
        desk.docks.show("randomize")
        self._view.show_learned(learned)
        desk.say(f"Learned from {counted(len(learned.maps), 'map')}")
        if problems:
            show_problems(desk.frame, "Maps that were left out, or changed", problems)


def _draft_of(learned: LearnedScript) -> Draft:
    """Return the chosen version of a learned script as a script that has no file yet."""
    # The name may be a path, or only dots.
    stem = Path(learned.name).name.strip(".")
    if not stem:
        stem = "Learned"
    text = learned.version.text
    return Draft(
        name=untitled_name(SYSTEM, stem),
        path="",
        text=text,
        opened=text,
        original="",
        settings={},
    )
