"""Makes the panel "Script" and the menu Randomize, and tells in the status bar what was rolled.

``make`` is called once for a desk, by the list of features. The panel brings its own actions; here
each becomes a command. ``ScriptMenu`` has the commands that open a script and roll it.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from app.background.actions import run
from app.commands.commands import Command, slug
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.script.panel import ScriptPanel
from app.features.script.roll_message import RollMessage
from app.qt_guard import connect
from app.widgets.dialogs.files import choose_file
from randomizer.catalog.scripts import script_suffixes, skeletons
from randomizer.model.grid.cell_words import escaped
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from randomizer.generator import MapGenerator


ROLL_WITH_ID = "randomize.roll-with"
"""The beginning of the ids of all commands that roll with another script."""

PANEL = "randomize"
"""The name of the dock with the panel of scripts."""

ACTION_WORDS = {
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
"""The words (``Command.words``) of the actions in ``_actions_of``, by their ids."""


def make(desk: Desk) -> ScriptPanel:
    """Return the panel of a desk, connected to it, and add the commands."""
    panel = ScriptPanel(desk.document, desk.rolling, desk.scripts)
    desk.script_strips = panel.strips
    connect(panel.message, desk.say)
    connect(panel.problem_list.activated, lambda problem: _show_problem(desk, problem))
    connect(panel.cells_pointed, desk.canvas.overlays.mark_cells)
    connect(desk.scripts.new_shown, partial(desk.docks.show, PANEL))
    desk.questions.add_before_closing(desk.scripts.unsaved.ask_before_quitting)
    desk.theme.keep_up(panel.set_colours)
    RollMessage(desk)  # a child of the desk, with which it lives
    _connect_problems(desk, panel)
    desk.commands.add(_command_of(action) for action in _actions_of(panel))
    _add_menu(desk)
    desk.scripts.checker.start()
    return panel


def _connect_problems(desk: Desk, panel: ScriptPanel) -> None:
    """Show the problems of the script where the desk shows all problems."""
    connect(panel.problems.reported, desk.problems.open_requested)
    connect(desk.document.map_replaced, panel.problems.forget_roll)
    connect(desk.document.changed, panel.problems.forget_undone_roll)
    desk.problems.add(
        "Script", panel.problem_list, lambda: _has_scripts(desk), lambda: desk.rolling.busy
    )
    panel.problems.show_causes_of(desk.problems)


def _actions_of(panel: ScriptPanel) -> tuple[QAction, ...]:
    """Return the actions of the panel that are commands, too, in the order of the menus."""
    at_cursor = panel.script_actions
    return (
        panel.roll_action,
        panel.again_action,
        panel.new_layer_action,
        panel.previous_action,
        panel.next_action,
        panel.insert_action,
        panel.open_action,
        panel.save_action,
        panel.save_as_action,
        panel.follow_action,
        at_cursor.complete,
        at_cursor.fix,
        at_cursor.definition,
        at_cursor.rename,
        at_cursor.find,
        at_cursor.replace,
        at_cursor.find_next,
        at_cursor.find_previous,
        at_cursor.go_to_line,
    )


def _command_of(action: QAction) -> Command:
    """Return the command of an action that the panel has made; it has the action's own text."""
    name = action.objectName()
    return Command(name, "", action=action, words=ACTION_WORDS[name])


def _add_menu(desk: Desk) -> None:
    """Add the commands that open a script and roll it, and those that begin a new one."""
    menu = ScriptMenu(desk)
    command = Command(
        "randomize.roll-with-file",
        "Roll with a &file...",
        menu.ask_for_file,
        tip="Open a randomizer script and roll it in place of the roll that is there",
        keys="Ctrl+Shift+F",
        icon="script",
        words="script rnd randomize open load",
    )
    desk.commands.add([command])
    desk.commands.add_source(f"{ROLL_WITH_ID}.script.*", menu.packaged_commands)
    desk.commands.add_source(f"{ROLL_WITH_ID}.game.*", menu.game_commands)
    desk.commands.add_source(f"{ROLL_WITH_ID}.recent.*", menu.recent_commands)
    desk.commands.add_source("randomize.new.*", menu.skeleton_commands)


def _show_problem(desk: Desk, problem: Problem) -> None:
    """Show where a problem of the script is: its line in the panel, or its cell on the map."""
    desk.docks.show(PANEL)
    desk.show_problem(problem)


def _has_scripts(desk: Desk) -> bool:
    """Return whether the current map can have a script."""
    return desk.document.battlemap.system.has_script_panel


class ScriptMenu:
    """The commands of the menu Randomize that open a script, and what they do."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def ask_for_file(self) -> None:
        """Ask for a script and roll it."""
        suffixes = " ".join(f"*{suffix}" for suffix in script_suffixes())
        path = await choose_file(
            self._desk.frame,
            "Roll with a file",
            self._desk.settings.last_directory,
            f"Randomizer scripts ({suffixes});;All files (*)",
        )
        if path is not None:
            self._show_panel()
            await self._desk.scripts.opening.open(path, roll=True)

    def _show_panel(self) -> None:
        """Bring the panel of scripts to the front."""
        self._desk.docks.show(PANEL)

    def roll_file(self, path: Path) -> None:
        """Show a script and roll it."""
        self._show_panel()
        run(self._desk.scripts.opening.open(path, roll=True))

    def roll_generator(self, generator: MapGenerator) -> None:
        """Show a script of the catalogue and roll it."""
        self._show_panel()
        run(self._desk.scripts.opening.open_generator(generator, roll=True))

    def skeleton_commands(self) -> list[Command]:
        """Return the commands that begin a new script with a skeleton, one for each language."""
        commands = []
        for skeleton in skeletons():
            command = Command(
                f"randomize.new.{slug(skeleton.title)}",
                skeleton.title,
                partial(self._desk.scripts.new_scripts.open_new, skeleton.script),
                tip=(
                    "Begin a script of your own: a short one with comments, to be rolled and "
                    "changed"
                ),
                words=skeleton.words,
            )
            commands.append(command)
        return commands

    def packaged_commands(self) -> list[Command]:
        """Return the commands that roll the program's own scripts for maps like the current one."""
        from randomizer.catalog.script_catalog import packaged_entries

        system = self._desk.document.battlemap.system
        if not system.has_script_panel:
            return []  # such a system has a panel of its own for them
        commands = []
        for entry in packaged_entries(system):
            if entry.hidden:
                continue
            command = Command(
                f"{ROLL_WITH_ID}.script.{slug(entry.metadata.name)}",
                escaped(entry.metadata.name),
                partial(self.roll_generator, entry.generator()),
                tip=escaped(entry.metadata.description),
                words="script randomizer roll generate",
            )
            commands.append(command)
        return commands

    def game_commands(self) -> list[Command]:
        """Return the commands that roll the scripts of the game's directory."""
        paths = self._desk.games.scripts()
        counts_by_name = Counter(path.stem for path in paths)
        commands = []
        for number, path in enumerate(paths):
            text = path.stem
            if counts_by_name[path.stem] > 1:
                # Scripts of the same name are told apart by their folders.
                text = f"{path.stem} ({path.parent.name})"
            command = Command(
                f"{ROLL_WITH_ID}.game.{number}.{slug(path.stem)}",
                escaped(text),
                partial(self.roll_file, path),
                tip=escaped(str(path)),
                words="script randomizer roll generate game",
            )
            commands.append(command)
        return commands

    def recent_commands(self) -> list[Command]:
        """Return the commands that roll the scripts opened lately, except those of the game."""
        game_scripts = frozenset(self._desk.games.scripts())
        settings = self._desk.settings
        return recent_files(
            f"{ROLL_WITH_ID}.recent", settings, ("scripts",), self.roll_file, game_scripts
        )
