"""The panel of a free map's terrain set: a list with pictures, and a form for what is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QSplitter,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.background.actions import run
from app.desk.desk import Desk
from app.features.terrains.controller import TerrainSets
from app.features.terrains.entry_list import CODE, PICTURE, EntryList
from app.features.terrains.fields import (
    NEW,
    OWN,
    SET,
    kept_picture,
    settings_of,
    values_of,
    values_of_set,
)
from app.qt_guard import connect, guarded
from app.widgets.dialogs.files import choose_colour
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import described, lay_out, scrolled, tool_button
from app.widgets.lists.picture_items import PictureItems
from randomizer.model.edits.edit import Region
from randomizer.model.edits.terrain_codes import free_letter
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.edits.terrain_entries import (
    LISTS,
    add_entries,
    change_entry,
    move_terrain,
    remove_entry,
)
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting
from randomizer.model.terrain.terrain import Hexside, Terrain, Way

TITLES = ("Terrains", "Hexsides", "Ways", "General")
"""Of the tabs: those of the lists, and the one of the set as a whole."""

_PLAIN = Qt.KeyboardModifier.NoModifier

SWATCH = 14
"""The width of the colour on its button, in logical pixels."""


class TerrainsPanel(QWidget):
    """Edits the terrain set of the current map; every change is one undo step."""

    def __init__(self, desk: Desk, sets: TerrainSets) -> None:
        super().__init__()
        self._desk = desk
        self.sets = sets
        self._asked: tuple[Setting, ...] = ()
        self._count = 0
        self._colour_button: QToolButton | None = None
        self.tabs = described(QTabBar(), "Parts of the terrain set")
        self.tabs.setDocumentMode(True)
        self.tabs.setExpanding(True)
        for title in TITLES:
            self.tabs.addTab(title)
        self.search = described(QLineEdit(), "Search for a name")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.entries = EntryList(desk.renderer, self.devicePixelRatioF, self)
        self.list = described(QListView(), "Terrains, sides or ways of the map")
        self.list.setModel(self.entries)
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(PICTURE, PICTURE))
        self.list.setItemDelegate(PictureItems(self.list))
        self.list.installEventFilter(self)
        self.form = CommittedForm()
        self._lay_out()
        connect(self.tabs.currentChanged, lambda _tab: self._show(0))
        connect(self.search.textChanged, lambda _text: self._show())
        connect(self.list.selectionModel().currentChanged, self._on_chosen)
        connect(self.form.committed, self._commit)
        connect(desk.document.changed, self._on_changed)
        connect(desk.document.map_replaced, lambda: self._show(0))
        desk.theme.keep_up(self._draw_again)
        self._show(0)

    def _lay_out(self) -> None:
        button = self._button
        self.add_button = button("Add", "Add one to the list", self.add)
        self.up_button = button("Up", "Show it further up in lists", lambda: self.move_row(-1))
        self.down_button = button("Down", "Show it further down in lists", lambda: self.move_row(1))
        self.delete_button = button(
            "Delete", "Take it out of the set; what is painted stays, as missing", self.delete
        )
        self.menu_button = button("Sets", "Open, merge and save terrain sets", None)
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(QMenu(self.menu_button))
        connect(self.menu_button.menu().aboutToShow, self._fill_menu)
        bar = lay_out(
            QHBoxLayout(),
            self.add_button,
            self.up_button,
            self.down_button,
            self.delete_button,
            1,
            self.menu_button,
        )
        self._upper = QWidget()
        lay_out(QVBoxLayout(self._upper), self.search, (self.list, 1), margins=0)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._upper)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.form, 1, margins=(0, 4, 6, 0))
        self._split.addWidget(scrolled(body))
        for part in range(2):
            self._split.setStretchFactor(part, 1)
        self._split.setSizes([1000, 1000])
        lay_out(QVBoxLayout(self), self.tabs, bar, (self._split, 1), margins=4)

    def _button(self, text: str, tip: str, do: Callable[[], object] | None) -> QToolButton:
        button = tool_button(text, tip)
        button.setAutoRaise(True)
        if do is not None:
            connect(button.clicked, lambda _checked=False: do())
        return button

    # --- showing ----------------------------------------------------------------------------

    @property
    def _list_name(self) -> str:
        """The list that the current tab shows, "" for the set as a whole."""
        tab = self.tabs.currentIndex()
        return LISTS[tab] if tab < len(LISTS) else ""

    @property
    def _entries(self) -> Sequence[Terrain | Hexside | Way]:
        entries: Sequence[Terrain | Hexside | Way]
        entries = getattr(self._desk.document.battlemap.terrain_set, self._list_name, ())
        return entries

    @property
    def code(self) -> int:
        """The index of the chosen entry in its list, -1 if none is."""
        index = self.list.currentIndex()
        return int(index.data(CODE)) if index.isValid() else -1

    def choose(self, code: int) -> None:
        """Choose an entry, as a click on it does."""
        row = self.entries.row_of(code)
        if row < 0 and self.search.text():
            self.search.clear()
            row = self.entries.row_of(code)
        self.list.setCurrentIndex(self.entries.index(max(row, 0)))

    def _on_changed(self, region: Region) -> None:
        if region.terrain_set:
            before = self._count
            now = len(self._entries)
            self._show(before if 0 < before < now else None)  # of new ones the first

    def _draw_again(self) -> None:
        self.entries.forget_pictures()
        self._show()

    def _show(self, code: int | None = None) -> None:
        """Show the current tab; the entry that was chosen stays it, or ``code`` becomes it."""
        if not self.sets.offered:
            return
        chosen = self.code if code is None else code
        name = self._list_name
        self._count = len(self._entries)
        is_list = bool(name)
        sorts = name == "terrains"
        for widget in (self._upper, self.add_button, self.delete_button):
            widget.setVisible(is_list)
        for widget in (self.up_button, self.down_button):
            widget.setVisible(sorts)
        if is_list:
            self.entries.show_list(self._desk.document.battlemap, name, self.search.text())
            row = self.entries.row_of(min(chosen, len(self._entries) - 1))
            self.list.setCurrentIndex(self.entries.index(max(row, 0)))
        self._show_form()

    def _on_chosen(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_form()

    def _show_form(self) -> None:
        """Show the form of what is chosen."""
        terrain_set = self._desk.document.battlemap.terrain_set
        code = self.code
        asked: tuple[Setting, ...] = ()
        values: dict[str, object] = {}
        if not self._list_name:
            asked = SET
            values = values_of_set(terrain_set)
        elif 0 <= code < len(self._entries):
            entry = self._entries[code]
            asked = settings_of(entry)
            values = values_of(entry)
        self.delete_button.setEnabled(bool(asked))
        self.form.set_settings(asked, values)
        if asked != self._asked:
            self._asked = asked
            self._colour_button = None
            if "colour" in values:
                self._colour_button = self._button("", "Choose the colour", self.ask_colour)
                self.form.row("colour").addWidget(self._colour_button)
            if "picture" in values:
                self.form.row("picture").addWidget(
                    self._button("...", "Choose a picture of your own", self.ask_picture)
                )
        if self._colour_button is not None:
            swatch = QPixmap(SWATCH, SWATCH)
            swatch.fill(QColor(str(values["colour"])))
            self._colour_button.setIcon(QIcon(swatch))

    def _fill_menu(self) -> None:
        """The sets to use, and what else is done with sets as a whole."""
        menu = self.menu_button.menu()
        commands = self._desk.commands
        menu.clear()
        commands.fill("terrains.set.*")
        names = ("open", "merge", "save-as", "sheet", "sort")
        menu.addActions([commands.action(f"terrains.{name}") for name in names])
        menu.addSeparator()
        menu.addActions([commands.action(name) for name in commands.at("terrains.set.*")])

    # --- changing ---------------------------------------------------------------------------

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Delete is for the chosen entry, and letters seek names: none is a tool."""
        if isinstance(event, QKeyEvent):
            deletes = event.matches(QKeySequence.StandardKey.Delete)
            is_override = event.type() == QEvent.Type.ShortcutOverride
            letter = (
                event.text().strip() and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            )
            if is_override and (deletes or letter):
                event.accept()
                return True
            if deletes and event.type() == QEvent.Type.KeyPress:
                self.delete()
                return True
        return super().eventFilter(watched, event)

    def add(self) -> None:
        """Add an entry to the list and choose it."""
        name = self._list_name
        entry = NEW[name]
        if isinstance(entry, Hexside):
            hexsides = self._desk.document.battlemap.terrain_set.hexsides
            entry = replace(entry, letter=free_letter(entry.letter, hexsides))
        text = f"Add {name.removesuffix('s')}"
        if self.sets.push(partial(add_entries, name=name, entries=[entry]), text):
            self.choose(max(at for at, each in enumerate(self._entries) if not each.missing))
            self.form.edit("name")

    def delete(self) -> None:
        """Take the chosen entry out of the set."""
        name = self._list_name
        code = self.code
        if code < 0:
            return
        title = self._entries[code].name
        remove = partial(remove_entry, name=name, at=code)
        if not self.sets.push(remove, f"Delete {title}"):
            self._desk.say(f"{title} stays as long as the map shows it.")

    def move_row(self, steps: int) -> None:
        """Show the chosen terrain further up or down in lists."""
        self.sets.push(partial(move_terrain, code=self.code, steps=steps), "Sort terrains")

    async def ask_colour(self) -> None:
        """Ask for the colour of the chosen entry."""
        name = self._list_name
        code = self.code
        asked = choose_colour(self, QColor(self._entries[code].colour))
        colour = await self._desk.document.while_unchanged("Change colour", asked)
        if colour is not None and name == self._list_name:
            self._change(code, "colour", colour.name())

    async def ask_picture(self) -> None:
        """Ask for a picture of the user's own for the chosen terrain."""
        await self.sets.ask_picture(self._entries[self.code].name)

    def _commit(self, name: str) -> None:
        value = self.form.values().get(name)
        if not self._list_name:
            self._change_set(name, value)
        elif name == "picture" and value == OWN:
            run(self.ask_picture())
        else:
            self._change(self.code, name, value)
        self._show_form()  # what was refused is not shown

    def _change(self, code: int, name: str, value: object) -> None:
        """Give a field of an entry another value; a picture of ours takes the place of an own.

        A terrain whose new name has no picture of ours keeps the picture of the old one.
        """
        title = next(each.title for each in self._asked if each.name == name)
        more = {"asset": ""} if name == "picture" else {}
        entry = self._entries[code]
        if name == "name" and isinstance(entry, Terrain):
            more = kept_picture(entry, str(value))
        make: Callable[[BattleMap], TerrainSetEdit | None] = partial(
            _changed, field=self._list_name, at=code, changes={name: value, **more}
        )
        text = f"{title.replace('&', '')} of {self._entries[code].name}"
        self.sets.push(make, text)

    def _change_set(self, name: str, value: object) -> None:
        terrain_set = self._desk.document.battlemap.terrain_set
        if name == "name":
            after = replace(terrain_set, name=str(value or ""))
        else:
            ends = {**values_of_set(terrain_set), name: value}
            low, high = sorted((int(str(ends["lowest"])), int(str(ends["highest"]))))
            after = replace(terrain_set, elevations=tuple(range(low, high + 1)))
        self.sets.push(partial(change_terrain_set, terrain_set=after), "Change the terrain set")


def _changed(
    battlemap: BattleMap, field: str, at: int, changes: dict[str, object]
) -> TerrainSetEdit | None:
    return change_entry(battlemap, field, at, **changes)


def make(desk: Desk) -> TerrainsPanel:
    """Return the panel."""
    sets = desk.terrain_sets
    assert isinstance(sets, TerrainSets), "the feature of terrain sets is made before its panel"
    return TerrainsPanel(desk, sets)
