"""The panel of a free map's terrain set: an editor for each of its lists, and one for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QTabWidget, QVBoxLayout, QWidget

from app.appearance.painting import painting
from app.background.actions import run
from app.desk.desk import Desk
from app.document.cell_texts import CellTexts
from app.features.terrains.controller import TerrainSets
from app.features.terrains.fields import (
    NEW,
    OWN,
    SET,
    kept_picture,
    settings_of,
    values_of,
    values_of_set,
)
from app.render.raster.sprites import Sprites, hexside_picture
from app.render.style import style_of
from app.widgets.layout.builders import described, lay_out
from app.widgets.lists.entry_editor import EntryEditor, Form, Operation, adding, removing
from app.widgets.lists.entry_model import Entry
from randomizer.model.edits.edit import Region
from randomizer.model.edits.terrain_codes import free_letter
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.edits.terrain_entries import (
    LISTS,
    add_entries,
    change_entry,
    move_terrain,
    remove_entry,
    shown_order,
)
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way

TITLES = {"terrains": "Terrains", "hexsides": "{Sides}", "ways": "Routes"}
"""Of the tabs, by the names of the lists; templates, see ``cell_text``."""

ADDING = {"terrains": "Add terrain", "hexsides": "Add {side}", "ways": "Add route"}
"""The texts of the steps, by the names of the lists; templates, too."""

PICTURE = 28
"""The width of a picture in a list, in logical pixels."""

SCALE = 14.0
"""Of the pictures of cells, in logical pixels a map unit."""


class SetEditor(EntryEditor):
    """An editor of a part of the terrain set of the current map."""

    def __init__(self, desk: Desk, sets: TerrainSets, title: str = "") -> None:
        super().__init__(title, picture=PICTURE)
        self._desk = desk
        self._document = desk.document
        self._sets = sets

    @property
    def _terrain_set(self) -> TerrainSet:
        return self._document.battlemap.terrain_set

    def is_offered(self) -> bool:
        return self._sets.offered

    def begin(self) -> None:
        """Offer what is done with sets as a whole, and show the current map from now on."""
        tip = "Open, merge and save terrain sets"
        self.offer(Operation("Sets", tip, why_not=lambda _code: "", fill_menu=self._fill_menu))
        self.follow(self._document.changed, self._document.map_replaced, _concerns_sets)
        self.refresh()

    def _fill_menu(self, menu: QMenu) -> None:
        """The sets to use, and what else is done with sets as a whole."""
        commands = self._desk.commands
        menu.clear()
        commands.fill("terrains.set.*")
        names = ("open", "merge", "save-as", "sheet", "sort")
        menu.addActions([commands.action(f"terrains.{name}") for name in names])
        menu.addSeparator()
        menu.addActions([commands.action(name) for name in commands.at("terrains.set.*")])


def _concerns_sets(region: Region) -> bool:
    return region.terrain_set


class ListEditor(SetEditor):
    """The entries of one list of the set, by their indexes in it; terrains in their shown order."""

    def __init__(self, desk: Desk, sets: TerrainSets, list_name: str) -> None:
        title = f"{TITLES[list_name]} of the map"
        super().__init__(desk, sets, title)
        CellTexts(desk.document, self).keep(self.list.setAccessibleName, title)
        self._list_name = list_name
        self._listed_set = self._terrain_set
        self._sprites: Sprites | None = None
        """Of the set that is listed; None until a picture is drawn."""
        self.offer(adding("Add one to the list", self.add))
        if list_name == "terrains":
            self.offer(
                Operation("Up", "Show it further up in lists", partial(self.move_row, steps=-1)),
                Operation("Down", "Show it further down in lists", partial(self.move_row, steps=1)),
                Operation(
                    "Own picture...",
                    "Choose a picture of your own",
                    self.ask_picture,
                    of_form=True,
                ),
            )
        tip = "Take it out of the set; what is painted stays, as missing"
        self.offer(removing(tip, self.remove))
        self.begin()

    @property
    def _set_entries(self) -> Sequence[Terrain | Hexside | Way]:
        return _entries_of(self._terrain_set, self._list_name)

    # --- showing ----------------------------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        self._listed_set = self._terrain_set
        self._sprites = None
        codes: Iterable[int] = range(len(self._set_entries))
        if self._list_name == "terrains":
            codes = shown_order(self._terrain_set.terrains)
        for code in codes:
            entry = self._set_entries[code]
            if entry.missing:
                name = f"{entry.name} (missing)"
            else:
                name = entry.name
            yield Entry(code, (name,), entry.colour, entry.description, picture_key=entry)

    def settings_of(self, code: int) -> Form:
        entry = self._set_entries[code]
        return settings_of(entry), values_of(entry)

    def draw_picture(self, code: int) -> QPixmap:
        if self._list_name == "terrains":
            return self._current_sprites().cell(code, 0)
        if self._list_name == "hexsides":
            return hexside_picture(self._current_sprites(), code + 1, PICTURE)
        picture = QPixmap(PICTURE, PICTURE)
        picture.fill(Qt.GlobalColor.transparent)
        with painting(picture) as painter:
            painter.setPen(QPen(QColor(_entries_of(self._listed_set, "ways")[code].colour), 5))
            painter.drawLine(QLineF(2, PICTURE / 2, PICTURE - 2, PICTURE / 2))
        return picture

    def _current_sprites(self) -> Sprites:
        if self._sprites is None:
            battlemap = self._document.battlemap
            renderer = self._desk.renderer
            self._sprites = Sprites(
                battlemap.grid.layout,
                self._listed_set,
                renderer.pictures,
                renderer.theme,
                SCALE,
                max(self.devicePixelRatioF(), 2.0),
                style=style_of(battlemap.system),
            )
        return self._sprites

    def draw_again(self) -> None:
        """Draw all pictures again: the theme or the pictures are others."""
        self.model.forget_pictures()
        self.refresh()

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add an entry to the list."""
        entry = NEW[self._list_name]
        layout = self._document.battlemap.grid.layout
        if isinstance(entry, Hexside):
            letter = free_letter(entry.letter, self._terrain_set.hexsides)
            entry = replace(entry, name=cell_text(entry.name, layout), letter=letter)
        text = cell_text(ADDING[self._list_name], layout)
        make = partial(add_entries, list_name=self._list_name, entries=[entry])
        self._document.change_map(make, text)

    def remove(self, code: int) -> None:
        """Take an entry out of the set."""
        title = self._set_entries[code].name
        make = partial(remove_entry, list_name=self._list_name, index=code)
        if not self._document.change_map(make, f"Remove {title}"):
            self._desk.say(f"{title} stays as long as the map shows it.")

    def move_row(self, code: int, steps: int) -> None:
        """Show a terrain further up or down in lists."""
        self._document.change_map(partial(move_terrain, code=code, steps=steps), "Sort terrains")

    def ask_picture(self, code: int) -> None:
        """Ask for a picture of the user's own for a terrain."""
        run(self._sets.ask_picture(self._set_entries[code].name))

    def change(self, code: int, name: str, value: object) -> bool:
        """Give a field another value; a picture of ours takes the place of an own.

        A terrain whose new name has no picture of ours keeps the picture of the old one.
        """
        if name == "picture" and value == OWN:
            self.ask_picture(code)
            return False
        entry = self._set_entries[code]
        (title,) = (setting.title for setting in settings_of(entry) if setting.name == name)
        text = f"{title.replace('&', '')} of {entry.name}"
        make = partial(_change_field, list_name=self._list_name, code=code, name=name, value=value)
        return self._document.change_map(make, text, f"{name} of {self._list_name} {code}")


def _entries_of(terrain_set: TerrainSet, list_name: str) -> Sequence[Terrain | Hexside | Way]:
    entries: Sequence[Terrain | Hexside | Way] = getattr(terrain_set, list_name)
    return entries


def _change_field(
    battlemap: BattleMap, list_name: str, code: int, name: str, value: object
) -> TerrainSetEdit | None:
    entry = getattr(battlemap.terrain_set, list_name)[code]
    changes = {name: value}
    if name == "picture":
        changes["asset"] = ""
    if name == "name" and isinstance(entry, Terrain):
        changes |= kept_picture(entry, str(value))
    return change_entry(battlemap, list_name, code, **changes)


class GeneralEditor(SetEditor):
    """The form of the set as a whole."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        super().__init__(desk, sets)
        self.begin()

    def settings_of(self, code: int) -> Form:
        return SET, values_of_set(self._terrain_set)

    def change(self, code: int, name: str, value: object) -> bool:
        changed_set = replace(self._terrain_set, name=str(value or ""))
        if name != "name":
            ends = {**values_of_set(self._terrain_set), name: value}
            low, high = sorted((int(str(ends["lowest"])), int(str(ends["highest"]))))
            changed_set = replace(self._terrain_set, elevations=tuple(range(low, high + 1)))
        make = partial(change_terrain_set, terrain_set=changed_set)
        return self._document.change_map(make, "Change the terrain set", f"{name} of the set")


class TerrainsPanel(QWidget):
    """A tab for each list of the terrain set of the current map, and one for the set as a whole."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        super().__init__()
        self.sets = sets
        self.tabs = described(QTabWidget(), "Parts of the terrain set")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(True)
        self.lists = {name: ListEditor(desk, sets, name) for name in LISTS}
        texts = CellTexts(desk.document, self)
        for name, editor in self.lists.items():
            at = self.tabs.addTab(editor, "")
            texts.keep(partial(self.tabs.setTabText, at), TITLES[name])
        self.tabs.addTab(GeneralEditor(desk, sets), "General")
        lay_out(QVBoxLayout(self), self.tabs, margins=0)
        desk.theme.keep_up(self._draw_again)

    def _draw_again(self) -> None:
        for editor in self.lists.values():
            editor.draw_again()

    @property
    def editor(self) -> EntryEditor:
        """The editor of the current tab."""
        editor = self.tabs.currentWidget()
        assert isinstance(editor, EntryEditor), "all tabs are editors"
        return editor


def make(desk: Desk) -> TerrainsPanel:
    """Return the panel."""
    sets = desk.terrain_sets
    assert isinstance(sets, TerrainSets), "the feature of terrain sets is made before its panel"
    return TerrainsPanel(desk, sets)
