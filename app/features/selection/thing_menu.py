"""Adds submenus to the menu of a cell: for the things on it, and for placing names and notes.

A *thing* is what stands on a map at a point, such as a town, a unit or a note. When the desk has
made the menu of a cell it emits ``cell_menu_made``; ``ThingMenu._add`` then adds below the title:

    D4                         the title, made by the desk
    Oakham >                   a submenu for each thing, or one for all picked things
    Delete Oakham              the topmost thing, or all picked things
    --------
    Name or note here >        on maps with kinds of things whose text is typed at once
    --------
    ...                        what the desk and others have put there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import thing_text, things_on_cell
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.features.selection.things import PickedThings

MAX_THINGS = 6
"""The most things of a cell that have a submenu: the topmost ones."""


class ThingMenu(QObject):
    """Adds a submenu for each thing on a cell, or one for all picked things if one is there.

    *Delete*, which users want most often, also stands beside the submenus. Turning and deleting
    change neither the tool nor which things are picked. A double click on a thing does what
    *Properties* in its submenu does.
    """

    def __init__(self, desk: Desk, thing_commands: PickedThings) -> None:
        super().__init__(desk)
        self._desk = desk
        self._thing_commands = thing_commands
        connect(desk.cell_menu_made, self._add)
        connect(desk.canvas.double_clicked, self._show_picked)

    def _add(self, menu: QMenu, cell: int) -> None:
        """Add the submenus to the menu of a cell, if the map can have things."""
        document = self._desk.document
        if not self._desk.tools.suits("things"):
            return
        # From the lowest submenu up: each is put below the title, above those before.
        self._add_placing(menu, cell)
        things = things_on_cell(document.battlemap, cell)
        if not things:
            return
        picked = document.picked
        next_action = _action_below_title(menu)
        if len(picked) > 1 and any(thing in picked for thing in things):
            self._add_picked(menu, next_action, picked)
        else:
            self._add_things(menu, next_action, things[::-1])
        menu.insertSeparator(next_action)

    def _add_picked(self, menu: QMenu, next_action: QAction, picked: Sequence[Thing]) -> None:
        """Add one submenu for all picked things, and *Delete*, above ``next_action``."""
        title = f"{len(picked):,} things"
        menu.insertMenu(next_action, self._submenu(menu, title, picked))
        self._add_delete(menu, next_action, title, picked)

    def _add_things(self, menu: QMenu, next_action: QAction, topmost_first: list[Thing]) -> None:
        """Add a submenu for each of the topmost things, and *Delete* for the first of them."""
        kinds = kinds_by_name(self._desk.document.battlemap)
        titles = []
        for thing in topmost_first[:MAX_THINGS]:
            title = thing_text(thing, kinds).replace("&", "&&")  # in menus & marks an access key
            titles.append(title)
            menu.insertMenu(next_action, self._submenu(menu, title, [thing]))
        self._add_delete(menu, next_action, titles[0], topmost_first[:1])

    def _add_delete(
        self, menu: QMenu, next_action: QAction, title: str, things: Sequence[Thing]
    ) -> None:
        """Add the row *Delete* with this title for these things, above ``next_action``."""
        delete = QAction(f"&Delete {title}", menu)
        connect(delete.triggered, lambda _checked=False: self._thing_commands.remove(things))
        menu.insertAction(next_action, delete)

    def _add_placing(self, menu: QMenu, cell: int) -> None:
        """Add a submenu that places a name or a note on the cell, on maps that have these.

        They are the ``System.quick_kinds``: kinds of things whose text is typed at once.
        """
        battlemap = self._desk.document.battlemap
        quick_kinds = battlemap.system.quick_kinds
        if not quick_kinds:
            return
        kinds = kinds_by_name(battlemap)
        submenu = type(menu)("&Name or note here", menu)  # the class of the desk's menus
        for name in quick_kinds:
            action = submenu.addAction(kinds[name].title)
            connect(action.triggered, lambda _checked=False, name=name: self._place(name, cell))
        next_action = _action_below_title(menu)
        menu.insertMenu(next_action, submenu)
        menu.insertSeparator(next_action)

    def _place(self, kind: str, cell: int) -> None:
        """Place one thing of a kind on a cell, and give its form in the palette the keyboard.

        The kind is not placed again by the next click on the map, which ends the typing.
        """
        tools = self._desk.tools
        self._desk.docks.panel("palette")  # there is no form before the panel is made
        tools.choose("things")
        self._desk.docks.show("palette")
        tools.options.choose(thing=Thing(0, kind, x=0.0, y=0.0))
        tools.things.place_on(self._desk.document, cell)
        tools.options.choose(thing=None)

    def _submenu(self, menu: QMenu, title: str, things: Sequence[Thing]) -> QMenu:
        """Return a submenu of ``menu`` with all that can be done with things."""
        submenu = type(menu)(title, menu)  # the class of the desk's menus
        rows = [("&Properties", self._show), ("D&uplicate", self._duplicate)]
        if self._desk.document.battlemap.system.thing_rules.turn:
            rows += [
                ("Turn &right", partial(self._turn, 1)),
                ("Turn &left", partial(self._turn, -1)),
            ]
        rows.append(("&Delete", self._thing_commands.remove))
        for text, command in rows:
            action = submenu.addAction(text)
            connect(action.triggered, partial(_run, command, things))
        return submenu

    def _show(self, things: Sequence[Thing]) -> None:
        """Pick things, and give their form in the palette the keyboard."""
        self._desk.docks.panel("palette")  # there is no form before the panel is made
        self._pick(things)
        self._desk.tools.options.form_asked.emit()

    def _show_picked(self) -> None:
        """Show the form of the thing that a double click has picked, if its tool is in use."""
        if self._desk.tools.uses("things") and self._desk.document.picked:
            self._show(self._desk.document.picked)

    def _pick(self, things: Sequence[Thing]) -> None:
        """Pick things, with their tool and the palette, which shows their form."""
        self._desk.tools.choose("things")
        self._desk.docks.show("palette")
        self._desk.document.pick(thing.id for thing in things)

    def _duplicate(self, things: Sequence[Thing]) -> None:
        """Pick things, and place copies of them beside them."""
        self._pick(things)
        self._thing_commands.duplicate()

    def _turn(self, steps: int, things: Sequence[Thing]) -> None:
        """Turn things clockwise by so many steps."""
        self._desk.tools.turn_things(things, steps)


def _run(
    command: Callable[[Sequence[Thing]], object],
    things: Sequence[Thing],
    _is_checked: object = None,
) -> None:
    """Run a command of a submenu on its things."""
    command(things)


def _action_below_title(menu: QMenu) -> QAction:
    """Return the action of a cell's menu that follows its title, the first action.

    Such a menu always has actions below its title (``Desk.cell_menu_made``).
    """
    return menu.actions()[1]
