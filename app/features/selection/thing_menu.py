"""Adds submenus to the menu of a cell: for the things on it, and for placing names and notes.

The desk makes the menu of a cell and emits ``cell_menu_made``; a ``ThingMenu`` adds to it below its
title.
"""

from __future__ import annotations

from collections.abc import Sequence
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

MOST_THINGS = 6
"""So many things of a cell have a submenu at most, the topmost ones."""


class ThingMenu(QObject):
    """Adds a submenu for each thing on a cell, or one for all picked things if one is there.

    What is wanted most, *Delete*, stands beside the submenus, for the topmost thing or for what is
    picked.
    Turning and deleting leave the tool and what is picked as they are. A double click on a thing
    does what *Properties* does.
    """

    def __init__(self, desk: Desk, picked: PickedThings) -> None:
        super().__init__(desk)
        self._desk = desk
        self._picked = picked
        connect(desk.cell_menu_made, self._add)
        connect(desk.canvas.double_clicked, self._show_picked)

    def _add(self, menu: QMenu, cell: int) -> None:
        """Add the submenus to the menu of a cell."""
        document = self._desk.document
        if not self._desk.tools.suits("things"):
            return
        self._add_placing(menu, cell)
        things = things_on_cell(document.battlemap, cell)
        picked = document.picked
        if not things:
            return
        below_title = menu.actions()[1]  # the first action is the title
        if len(picked) > 1 and any(thing in picked for thing in things):
            title = f"{len(picked):,} things"
            menu.insertMenu(below_title, self._submenu(menu, title, picked))
            self._add_delete(menu, below_title, title, picked)
        else:
            kinds = kinds_by_name(document.battlemap)
            topmost_first = things[::-1]
            for thing in topmost_first[:MOST_THINGS]:
                title = thing_text(thing, kinds).replace("&", "&&")  # in menus & marks a key
                menu.insertMenu(below_title, self._submenu(menu, title, [thing]))
            title = thing_text(topmost_first[0], kinds).replace("&", "&&")
            self._add_delete(menu, below_title, title, topmost_first[:1])
        menu.insertSeparator(below_title)

    def _add_delete(
        self, menu: QMenu, below_submenus: QAction, title: str, things: Sequence[Thing]
    ) -> None:
        """Add a row, above ``below_submenus``, that deletes things with this title."""
        delete = QAction(f"&Delete {title}", menu)
        connect(delete.triggered, lambda _checked=False: self._picked.remove(things))
        menu.insertAction(below_submenus, delete)

    def _add_placing(self, menu: QMenu, cell: int) -> None:
        """Add a submenu that places a name or a note on the cell, on maps that have these.

        They are the ``System.quick_kinds``: kinds of things whose text is typed at once.
        """
        battlemap = self._desk.document.battlemap
        quick_kinds = battlemap.system.quick_kinds
        if not quick_kinds:
            return
        kinds = kinds_by_name(battlemap)
        submenu = type(menu)("&Name or note here", menu)
        for name in quick_kinds:
            action = submenu.addAction(kinds[name].title)
            connect(action.triggered, lambda _checked=False, name=name: self._place(name, cell))
        below_title = menu.actions()[1]
        menu.insertMenu(below_title, submenu)
        menu.insertSeparator(below_title)

    def _place(self, kind: str, cell: int) -> None:
        """Place a thing of a kind on a cell, and give its form in the palette the keyboard.

        It is placed once: the next click on the ground, which ends the typing, places no other.
        """
        tools = self._desk.tools
        self._desk.docks.panel("palette")  # there is no form before the panel is made
        tools.choose("things")
        self._desk.docks.show("palette")
        tools.options.choose(thing=Thing(0, kind, 0.0, 0.0))
        tools.things.place_on(self._desk.document, cell)
        tools.options.choose(thing=None)

    def _submenu(self, menu: QMenu, title: str, things: Sequence[Thing]) -> QMenu:
        """Return a submenu of ``menu`` with all that can be done with things."""
        submenu = type(menu)(title, menu)
        rows = [("&Properties", self._show), ("D&uplicate", self._duplicate)]
        if self._desk.document.battlemap.system.thing_rules.turn:
            rows += [
                ("Turn &right", partial(self._turn, 1)),
                ("Turn &left", partial(self._turn, -1)),
            ]
        rows.append(("&Delete", self._picked.remove))
        for text, do in rows:
            connect(submenu.addAction(text).triggered, lambda _checked=False, do=do: do(things))
        return submenu

    def _show(self, things: Sequence[Thing]) -> None:
        """Pick things, and give their form in the palette the keyboard."""
        self._desk.docks.panel("palette")  # there is no form before the panel is made
        self._pick(things)
        self._desk.tools.options.form_asked.emit()

    def _show_picked(self) -> None:
        """Show the form of what a double click of the tool of things has picked."""
        if self._desk.tools.uses("things") and self._desk.document.picked:
            self._show(self._desk.document.picked)

    def _pick(self, things: Sequence[Thing]) -> None:
        """Pick things, with their tool and the palette, which shows their form."""
        self._desk.tools.choose("things")
        self._desk.docks.show("palette")
        self._desk.document.pick(thing.id for thing in things)

    def _duplicate(self, things: Sequence[Thing]) -> None:
        self._pick(things)
        self._picked.duplicate()

    def _turn(self, steps: int, things: Sequence[Thing]) -> None:
        self._desk.tools.turn_things(things, steps)
