"""The menu Map > Compare with: another open map, or a file.

``make`` is called once for a desk, by the list of features. Other features compare maps by
``desk.compare.show(...)`` and ``desk.compare.show_two(...)``. A comparison is of *our* map, usually
the current one, with *theirs*.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import result
from app.background.jobs import Job
from app.commands.commands import Command, slug
from app.desk.desk import Desk
from app.document.map_files import reading_work
from app.qt_guard import connect
from app.widgets.dialogs.files import choose_file
from app.widgets.dialogs.problem_dialog import tell_problems
from randomizer.catalog.map_formats import formats
from randomizer.model.grid.cell_words import escaped
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desk.services import ComparedCandidate
    from app.document.open_map import OpenMap
    from app.features.compare.compared_maps import ComparedMap
    from app.features.compare.window import CompareWindow


MENU = "map.compare-with"
"""The beginning of the ids of all commands of the menu."""

MENU_COMMANDS = f"{MENU}.*"
"""The pattern by which the menu names these commands (app/commands/layout.py).

They are made again whenever the menu opens."""


class CompareController(QObject):
    """Opens windows that compare maps (``CompareWindow``)."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._maps_in_menu: list[OpenMap] = []
        """The open maps that the menu offers; its commands hold them."""
        connect(desk.document.maps_changed, self._forget_closed)

    def _forget_closed(self) -> None:
        """Take maps that were closed out of the menu: its commands would keep them in memory."""
        if not set(self._maps_in_menu) <= set(self._desk.document.maps):
            self._desk.commands.fill(MENU_COMMANDS)

    def make_commands(self) -> list[Command]:
        """Return a command for each open map but the current one, then one for a file."""
        document = self._desk.document
        self._maps_in_menu = [
            open_map for open_map in document.maps if open_map is not document.current_map
        ]
        commands = []
        for number, open_map in enumerate(self._maps_in_menu):
            name = document.name_of(open_map)
            command = Command(
                f"{MENU}.{number}.{slug(name)}",
                escaped(name.replace("&", "&&")),  # in a menu a single & marks an access key
                partial(self.show, open_map, name),
            )
            commands.append(command)
        commands.append(Command(f"{MENU}.a-file", "A &file...", self.with_file))
        return commands

    async def with_file(self) -> None:
        """Ask for a file and compare the current map with the one in it.

        Nothing happens if the current map is closed meanwhile.
        """
        document = self._desk.document
        open_map = document.current_map
        patterns = []
        for file_format in formats():
            if file_format.readable:
                patterns += [f"*{suffix}" for suffix in file_format.suffixes]
        choice = choose_file(
            self._desk.frame,
            "Compare with",
            self._desk.settings.last_directory,
            f"Maps ({' '.join(patterns)});;All files (*)",
        )
        path = await document.while_open(open_map, choice)
        if path is None:
            return
        self._desk.settings.last_directory = str(path.parent)
        # Problems are shown, and end this action.
        with tell_problems(self._desk.frame, f"Cannot open {path.name}"):
            reading = result(Job(reading_work(path)))
            read = await document.while_open(open_map, reading)
            theirs = read.result.battlemap
            if theirs is None:
                raise ProblemError(read.result.problems)
        document.make_current(open_map)
        self.show(theirs, path.name)

    def show(
        self,
        theirs: OpenMap | BattleMap,
        name: str,
        *,
        take_theirs: Callable[[], object] | None = None,
    ) -> CompareWindow:
        """Compare the current map with ``theirs``, which is called ``name``.

        Differences can be taken over into the current map. ``take_theirs`` is called by a button
        *Take* above their map; without it there is no such button. Return the window, which deletes
        itself when it is closed.
        """
        from app.features.compare.compared_maps import ComparedMap

        document = self._desk.document
        target = document.current_map
        our_name = document.name_of(target)
        our_map = ComparedMap(target, our_name, f"This map: {our_name}")
        their_map = ComparedMap(theirs, name, name, take_theirs)
        return self._show_window(our_map, their_map, target)

    def show_two(self, ours: ComparedCandidate, theirs: ComparedCandidate) -> CompareWindow:
        """Compare two maps that are not open, each with a button *Take* above it.

        Nothing can be taken over from one to the other. Return the window, which deletes itself
        when it is closed.
        """
        from app.features.compare.compared_maps import ComparedMap

        our_map = ComparedMap(ours.battlemap, ours.name, ours.name, ours.take)
        their_map = ComparedMap(theirs.battlemap, theirs.name, theirs.name, theirs.take)
        return self._show_window(our_map, their_map, target=None)

    def _show_window(
        self, ours: ComparedMap, theirs: ComparedMap, target: OpenMap | None
    ) -> CompareWindow:
        """Show a new window, and return it; into ``target`` differences can be taken over."""
        from app.features.compare.window import CompareWindow  # only once maps are compared

        desk = self._desk
        window = CompareWindow(
            desk.document, ours, theirs, desk.renderer, desk.frame, target=target
        )
        window.show()
        return window


def make(desk: Desk) -> None:
    """Offer comparisons to other features as ``desk.compare``, and fill the menu."""
    controller = CompareController(desk)
    desk.compare = controller
    desk.commands.add_source(MENU_COMMANDS, controller.make_commands)
