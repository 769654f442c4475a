"""The panel "Script", the menu Randomize, and what was rolled last in the status bar."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.background.actions import run
from app.commands.commands import Command, slug
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.script.panel import RandomizePanel
from app.qt_guard import connect
from app.widgets.dialogs.files import choose_file
from randomizer.catalog.catalog import script_suffixes, skeletons
from randomizer.model.grid.cell_words import escaped
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from randomizer.generator import MapGenerator


def make(desk: Desk) -> RandomizePanel:
    """Return the panel, with its commands."""
    panel = RandomizePanel(desk.document, desk.rolling, desk.scripts)
    desk.script_strips = panel.strips
    connect(panel.message, desk.say)
    connect(panel.map_save_wanted, partial(desk.commands.run, "file.save"))
    RollMessage(desk)
    connect(panel.cells_pointed, desk.canvas.overlays.mark_cells)
    connect(panel.problem_list.activated, lambda problem: _show_problem(desk, problem))
    connect(panel.problems.reported, desk.problems.open_requested)
    connect(desk.document.map_replaced, panel.problems.forget_roll)
    connect(desk.document.changed, panel.problems.forget_undone_roll)
    desk.problems.add(
        "Script", panel.problem_list, lambda: _has_scripts(desk), lambda: desk.rolling.busy
    )
    desk.ask_before_closing(desk.scripts.unsaved.may_close_all)
    desk.theme.keep_up(panel.set_colours)
    at_cursor = panel.script_actions
    desk.commands.add(
        _of(action)
        for action in (
            *(panel.roll_action, panel.again_action, panel.new_layer_action),
            *(panel.previous_action, panel.next_action),
            *(panel.insert_action, panel.open_action, panel.save_action, panel.save_as_action),
            *(panel.follow_action, at_cursor.complete, at_cursor.fix, at_cursor.definition),
            *(at_cursor.rename, at_cursor.find, at_cursor.replace, at_cursor.find_next),
            *(at_cursor.find_previous, at_cursor.go_to_line),
        )
    )
    menu = ScriptMenu(desk)
    desk.commands.add(
        [
            Command(
                "randomize.roll-with-file",
                "Roll with a &file...",
                menu.ask,
                tip="Open a randomizer script and roll it in place of the roll that is there",
                keys="Ctrl+Shift+F",
                icon="script",
                words="script rnd randomize open load",
            )
        ]
    )
    menu_name = "randomize.roll-with"
    for part, rows in (
        ("script", menu.packaged),
        ("game", menu.of_game),
        ("recent", partial(menu.recent, f"{menu_name}.recent")),
    ):
        desk.commands.add_source(f"{menu_name}.{part}.*", rows)
    desk.commands.add_source("randomize.new.*", menu.new)
    connect(desk.scripts.new_shown, partial(desk.docks.show, "randomize"))
    desk.scripts.checker.start()
    return panel


def _show_problem(desk: Desk, problem: Problem) -> None:
    """Show where a problem of the script is: its line, or its place on the map."""
    desk.docks.show("randomize")
    desk.show_problem(problem)


def _has_scripts(desk: Desk) -> bool:
    return desk.document.battlemap.system.has_script_panel


WORDS = {
    "script.roll": "randomize generate make dice again",
    "script.again": "text edit apply seed number refresh",
    "script.new-layer": "randomize generate above stack",
    "script.previous": "back earlier seed",
    "script.next": "forward later seed",
    "script.insert": "cells names write selection hexes",
    "script.open": "load rnd js per file",
    "script.save": "write store file",
    "script.save-as": "write copy file",
    "script.follow": "watch external editor reload live preview file typing",
    "script.complete": "suggest autocomplete words",
    "script.fix": "repair mend problem error quick",
    "script.definition": "jump label source",
    "script.rename": "change label name refactor",
    "script.find": "search text",
    "script.replace": "search exchange text",
    "script.find-next": "search again",
    "script.find-previous": "search back",
    "script.go-to-line": "jump number",
}
"""Words by which a person would look for the actions of the panel, by their ids."""


def _of(action: QAction) -> Command:
    """Return the row of an action that the panel has made."""
    name = action.objectName()
    return Command(name, "", action=action, words=WORDS[name])


class ScriptMenu:
    """Opens scripts and rolls them: the menu Randomize."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def ask(self) -> None:
        """Ask for a script and roll it."""
        suffixes = " ".join(f"*{suffix}" for suffix in script_suffixes())
        path = await choose_file(
            self._desk.frame,
            "Roll with a file",
            self._desk.settings.last_directory,
            f"Randomizer scripts ({suffixes});;All files (*)",
        )
        self._desk.docks.show("randomize")
        if path is not None:
            await self._desk.scripts.open(path, roll=True)

    def roll_file(self, path: Path) -> None:
        """Show a script and roll it."""
        self._desk.docks.show("randomize")
        run(self._desk.scripts.open(path, roll=True))

    def roll_generator(self, generator: MapGenerator) -> None:
        """Show a script of the catalogue and roll it."""
        self._desk.docks.show("randomize")
        run(self._desk.scripts.open_generator(generator, roll=True))

    def new(self) -> list[Command]:
        """Return the commands that begin a script, one for each language with a skeleton."""
        return [
            Command(
                f"randomize.new.{slug(skeleton.title)}",
                skeleton.title,
                partial(self._desk.scripts.open_new, skeleton.script),
                tip=(
                    "Begin a script of your own: a short one with comments, to be rolled and "
                    "changed"
                ),
                words=skeleton.words,
            )
            for skeleton in skeletons()
        ]

    def packaged(self) -> list[Command]:
        """Return the scripts that come with the program, for maps as the current one."""
        from randomizer.catalog.script_catalog import packaged_entries

        system = self._desk.document.battlemap.system
        return [
            Command(
                f"randomize.roll-with.script.{slug(entry.metadata.name)}",
                escaped(entry.metadata.name),
                partial(self.roll_generator, entry.generator()),
                tip=escaped(entry.metadata.description),
                words="script randomizer roll generate",
            )
            for entry in packaged_entries(system)
            if system.has_script_panel and not entry.hidden  # others have a panel of their own
        ]

    def of_game(self) -> list[Command]:
        """Return the scripts that were found in the game's directory."""
        paths = self._desk.games.scripts()
        times = Counter(path.stem for path in paths)
        return [
            Command(
                f"randomize.roll-with.game.{number}.{slug(path.stem)}",
                escaped(
                    path.stem if times[path.stem] == 1 else f"{path.stem} ({path.parent.name})"
                ),
                partial(self.roll_file, path),
                tip=escaped(str(path)),
                words="script randomizer roll generate game",
            )
            for number, path in enumerate(paths)
        ]

    def recent(self, menu_name: str) -> list[Command]:
        """Return the scripts that were opened last; those of the game have rows of their own."""
        scripts = frozenset(self._desk.games.scripts())
        return recent_files(menu_name, self._desk.settings, "scripts", self.roll_file, scripts)


class RollMessage(QObject):
    """Says what was rolled, and withdraws that when another step is done or one is undone."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._message = ""
        connect(desk.rolling.rolled, self._say)
        connect(desk.document.steps_changed, self._withdraw)
        connect(desk.document.map_replaced, self._withdraw)

    def _say(self, text: str) -> None:
        self._message = text
        self._desk.say(text)

    def _withdraw(self) -> None:
        bar = self._desk.frame.statusBar()
        if self._message and bar.currentMessage() == self._message:
            bar.clearMessage()
