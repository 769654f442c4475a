"""The panel "Terrains": edits the terrain set of a free map.

``TerrainsPanel`` has a tab for each list of the set (terrains, hexsides, routes), a subclass of
``ListEditor``, and the tab "General" for the set as a whole, a ``GeneralEditor``. All show what the
current map has and change it by undo steps of the document; the forms come from ``fields.py``. An
entry is one terrain, hexside or route; its code is its index in its list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QTabWidget, QVBoxLayout, QWidget

from app.appearance.painting import painting
from app.background.actions import run
from app.desk.desk import Desk
from app.document.cell_texts import CellTexts
from app.features.terrains.controller import TerrainSets
from app.features.terrains.feature import SETS_MENU
from app.features.terrains.fields import (
    NEW_ENTRIES,
    OWN_PICTURE,
    SET_SETTINGS,
    picture_after_renaming,
    settings_of,
    values_of,
    values_of_set,
)
from app.render.raster.hexside_picture import hexside_picture
from app.render.raster.sprites import Sprites, single_ratio
from app.render.style import style_of
from app.widgets.layout.builders import described, lay_out
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, adding, removing
from randomizer.model.edits.edit import Region
from randomizer.model.edits.terrain_codes import free_letter
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.edits.terrain_entries import (
    EntryList,
    add_entries,
    change_entry,
    move_terrain,
    remove_entry,
    shown_order,
)
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way

PICTURE_SIZE = 28
"""The width and height of a picture in a list, in logical pixels."""

PICTURE_SCALE = 14.0
"""The scale of the pictures of terrains and hexsides, in logical pixels a map unit."""

ROUTE_WIDTH = 5
"""The width of the line that stands for a route, in logical pixels."""

ROUTE_MARGIN = 2
"""The space left and right of that line, in logical pixels."""


class SetEditor(EntryEditor):
    """The base of all editors: it shows the current map's set, and has the menu "Sets"."""

    def __init__(self, desk: Desk, sets: TerrainSets, title: str = "") -> None:
        super().__init__(title, picture_width=PICTURE_SIZE)
        self._desk = desk
        self._document = desk.document
        self._sets = sets

    @property
    def _terrain_set(self) -> TerrainSet:
        """The set of the current map."""
        return self._document.battlemap.terrain_set

    def is_offered(self) -> bool:
        return self._sets.offered

    def begin(self) -> None:
        """Add the menu "Sets", and show the set of the current map from now on.

        A subclass calls it when its own operations are offered: they stand before the menu.
        """
        tip = "Open, merge and save terrain sets"
        self.offer(Operation("Sets", tip, why_not=lambda _code: "", fill_menu=self._fill_menu))
        self.follow(self._document.changed, self._document.map_replaced, _concerns_sets)
        self.refresh()

    def _fill_menu(self, menu: QMenu) -> None:
        """List the commands on whole sets, then the sets that the map can be given."""
        commands = self._desk.commands
        menu.clear()
        names = ("open", "merge", "save-as", "sheet", "sort")
        menu.addActions([commands.action(f"terrains.{name}") for name in names])
        menu.addSeparator()
        commands.fill(f"{SETS_MENU}.*")  # the files opened lately may be others by now
        menu.addActions([commands.action(name) for name in commands.ids_at(f"{SETS_MENU}.*")])


def _concerns_sets(region: Region) -> bool:
    """Return whether a change of the map changed its terrain set."""
    return region.terrain_set


class ListEditor(SetEditor):
    """The base of the editors of one list of the set; a subclass draws the entries of its list."""

    entry_list: ClassVar[EntryList]
    """The list of the terrain set that it edits."""

    tab_title: ClassVar[str]
    """The title of its tab, a template for ``cell_text``."""

    add_step: ClassVar[str]
    """The text of the undo step that adds an entry, a template for ``cell_text``."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        title = f"{self.tab_title} of the map"
        super().__init__(desk, sets, title)
        CellTexts(desk.document, self).keep_filled(self.list.setAccessibleName, title)
        self._listed_set = self._terrain_set
        """The set whose entries are in the list; the map's own may already be a newer one."""
        self._sprites: Sprites | None = None
        """Draws the pictures of the listed set; None until the first of them is drawn."""
        self.offer(adding("Add one to the list", self.add))
        self._offer_own_operations()
        tip = "Take it out of the set; what is painted stays, as missing"
        self.offer(removing(tip, self.remove))
        self.begin()

    def _offer_own_operations(self) -> None:
        """Add the buttons that only this list has."""

    @property
    def _set_entries(self) -> Sequence[Terrain | Hexside | Way]:
        """The entries of the list in the current map's set, by their codes."""
        return self.entry_list.entries(self._terrain_set)

    # --- showing ----------------------------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        self._listed_set = self._terrain_set
        self._sprites = None
        for code in self._codes():
            entry = self._set_entries[code]
            if entry.missing:
                name = f"{entry.name} (missing)"
            else:
                name = entry.name
            yield Entry(code, (name,), entry.colour, entry.description, picture_key=entry)

    def _codes(self) -> Iterable[int]:
        """Return the codes of the entries in the order in which they are listed."""
        return range(len(self._set_entries))

    def settings_of(self, code: int) -> Form:
        entry = self._set_entries[code]
        return settings_of(entry), values_of(entry)

    def _current_sprites(self) -> Sprites:
        """Return the sprites that draw the listed set; they are made once for each filled list."""
        if self._sprites is None:
            battlemap = self._document.battlemap
            renderer = self._desk.renderer
            self._sprites = Sprites(
                battlemap.grid.layout,
                self._listed_set,
                renderer.pictures,
                renderer.theme,
                PICTURE_SCALE,
                single_ratio(self),
                style=style_of(battlemap.system),
            )
        return self._sprites

    def draw_again(self) -> None:
        """Draw all pictures again, when the theme or the pictures of terrains have changed."""
        self.model.forget_pictures()
        self.refresh()

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add an entry to the list."""
        text = cell_text(self.add_step, self._document.battlemap.grid.layout)
        new_entry = self._new_entry()
        make_edit = partial(add_entries, entry_list=self.entry_list, entries=[new_entry])
        self._document.change_map(make_edit, text)

    def _new_entry(self) -> Terrain | Hexside | Way:
        """Return the entry that ``add`` adds."""
        return NEW_ENTRIES[self.entry_list]

    def remove(self, code: int) -> None:
        """Take an entry out of the set."""
        title = self._set_entries[code].name
        make_edit = partial(remove_entry, entry_list=self.entry_list, index=code)
        if not self._document.change_map(make_edit, f"Remove {title}"):
            self._desk.say(f"{title} stays as long as the map shows it.")

    def change(self, code: int, name: str, value: object) -> bool:
        """Set the field ``name`` of an entry; return whether that changed the map."""
        entry = self._set_entries[code]
        title = next(setting.title for setting in settings_of(entry) if setting.name == name)
        text = f"{title.replace('&', '')} of {entry.name}"
        make_edit = partial(
            _change_field, entry_list=self.entry_list, code=code, name=name, value=value
        )
        # What is typed into one field within a second is one undo step.
        field_key = f"{name} of {self.entry_list.value} {code}"
        return self._document.change_map(make_edit, text, field_key)


class TerrainsEditor(ListEditor):
    """Edits the terrains, which are listed in the order that the user gave them."""

    entry_list = EntryList.TERRAINS
    tab_title = "Terrains"
    add_step = "Add terrain"

    def _offer_own_operations(self) -> None:
        """Add buttons that move a terrain in the list, and give it a picture."""
        self.offer(
            Operation("Up", "Show it further up in lists", partial(self.move_row, steps=-1)),
            Operation("Down", "Show it further down in lists", partial(self.move_row, steps=1)),
            Operation(
                "Own picture...", "Choose a picture of your own", self.ask_picture, of_form=True
            ),
        )

    def _codes(self) -> Iterable[int]:
        return shown_order(self._terrain_set.terrains)

    def draw_picture(self, code: int) -> QPixmap:
        return self._current_sprites().cell_pixmap(code, 0)

    def move_row(self, code: int, steps: int) -> None:
        """Show a terrain further up or down in lists."""
        self._document.change_map(partial(move_terrain, code=code, steps=steps), "Sort terrains")

    def ask_picture(self, code: int) -> None:
        """Ask for a picture of the user's own for a terrain."""
        run(self._sets.ask_picture(self._set_entries[code].name))

    def change(self, code: int, name: str, value: object) -> bool:
        """Set the field ``name`` of a terrain; return whether that changed the map.

        If the user chooses "Own picture...", the file dialog opens and the map changes later.
        """
        if name == "picture" and value == OWN_PICTURE:
            self.ask_picture(code)
            return False
        return super().change(code, name, value)


class HexsidesEditor(ListEditor):
    """Edits the hexsides."""

    entry_list = EntryList.HEXSIDES
    tab_title = "{Sides}"
    add_step = "Add {side}"

    def draw_picture(self, code: int) -> QPixmap:
        # In planes 0 means "no hexside", so the first hexside of a set has the value 1.
        return hexside_picture(self._current_sprites(), code + 1, PICTURE_SIZE)

    def _new_entry(self) -> Hexside:
        """Return a hexside with a letter that no other one has."""
        hexside = super()._new_entry()
        assert isinstance(hexside, Hexside), "NEW_ENTRIES has one of each kind"
        layout = self._document.battlemap.grid.layout
        letter = free_letter(hexside.letter, self._terrain_set.hexsides)
        return replace(hexside, name=cell_text(hexside.name, layout), letter=letter)


class RoutesEditor(ListEditor):
    """Edits the routes, which are *ways* in the set."""

    entry_list = EntryList.WAYS
    tab_title = "Routes"
    add_step = "Add route"

    def draw_picture(self, code: int) -> QPixmap:
        return _route_picture(QColor(self._listed_set.ways[code].colour))


def _route_picture(colour: QColor) -> QPixmap:
    """Return the picture of a route in its list: a line from left to right."""
    picture = QPixmap(PICTURE_SIZE, PICTURE_SIZE)
    picture.fill(Qt.GlobalColor.transparent)
    with painting(picture) as painter:
        painter.setPen(QPen(colour, ROUTE_WIDTH))
        middle = PICTURE_SIZE / 2
        painter.drawLine(QLineF(ROUTE_MARGIN, middle, PICTURE_SIZE - ROUTE_MARGIN, middle))
    return picture


def _change_field(
    battlemap: BattleMap, entry_list: EntryList, code: int, name: str, value: object
) -> TerrainSetEdit | None:
    """Return the edit that sets a field of an entry, with other fields that depend on it.

    None if the entry has that value already.
    """
    entry = entry_list.entries(battlemap.terrain_set)[code]
    changes = {name: value}
    if name == "picture":
        changes["asset"] = ""  # a picture of the user's own would hide the chosen one
    if name == "name" and isinstance(entry, Terrain):
        changes["picture"] = picture_after_renaming(entry, str(value))
    return change_entry(battlemap, entry_list, code, **changes)


class GeneralEditor(SetEditor):
    """Edits the name of the set and the range of its elevations, in one form without a list."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        super().__init__(desk, sets)
        self.begin()

    def settings_of(self, code: int) -> Form:
        return SET_SETTINGS, values_of_set(self._terrain_set)

    def change(self, code: int, name: str, value: object) -> bool:
        """Set the name, the lowest or the highest elevation; return whether the map changed."""
        if name == "name":
            new_set = replace(self._terrain_set, name=str(value or ""))
        else:
            values = {**values_of_set(self._terrain_set), name: value}
            ends = (int(str(values["lowest"])), int(str(values["highest"])))
            # Somebody who types a lowest elevation above the highest means the two exchanged.
            new_set = replace(self._terrain_set, elevations=tuple(range(min(ends), max(ends) + 1)))
        make_edit = partial(change_terrain_set, terrain_set=new_set)
        return self._document.change_map(make_edit, "Change the terrain set", f"{name} of the set")


class TerrainsPanel(QWidget):
    """A tab for each list of the terrain set of the current map, and one for the set as a whole."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        super().__init__()
        self.sets = sets
        self.tabs = described(QTabWidget(), "Parts of the terrain set")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(True)
        self.lists: dict[EntryList, ListEditor] = {}
        """The editor of each list of the set."""
        texts = CellTexts(desk.document, self)
        for editor_class in (TerrainsEditor, HexsidesEditor, RoutesEditor):
            editor = editor_class(desk, sets)
            self.lists[editor.entry_list] = editor
            tab_index = self.tabs.addTab(editor, "")
            texts.keep_filled(partial(self.tabs.setTabText, tab_index), editor.tab_title)
        self.tabs.addTab(GeneralEditor(desk, sets), "General")
        lay_out(QVBoxLayout(self), self.tabs, margins=0)
        desk.theme.keep_up(self._draw_again)

    def _draw_again(self) -> None:
        """Draw the pictures of all lists again."""
        for editor in self.lists.values():
            editor.draw_again()

    @property
    def editor(self) -> EntryEditor:
        """The editor of the current tab."""
        editor = self.tabs.currentWidget()
        assert isinstance(editor, EntryEditor), "all tabs are editors"
        return editor


def make(desk: Desk) -> TerrainsPanel:
    """Return the panel of a desk; called once, when the panel is first shown."""
    sets = desk.terrain_sets
    assert isinstance(sets, TerrainSets), "the feature of terrain sets is made before its panel"
    return TerrainsPanel(desk, sets)
