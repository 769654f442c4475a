"""The New map dialog: which kind, which script of the catalogue or none, and its settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.background.actions import run
from app.background.background_value import BackgroundValue
from app.document.map_files import new_map
from app.features.new_map.catalogue import (
    Catalogue,
    describe_entry,
    describe_problem,
    entry_item,
    use_folders,
)
from app.features.new_map.grid_picture import grid_picture
from app.features.new_map.grid_settings import (
    FILE,
    LAYOUT_OF_NAME,
    NewMap,
    asked_of,
    grid_settings,
    terrains_setting,
    values_of,
)
from app.features.new_map.thumbnails import EntryThumbnails
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.render.theme import theme
from app.scripts.script import ground_of
from app.settings import NewMapChoices, Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_file, choose_folder
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text, tool_button
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.catalog.catalog import systems
from randomizer.catalog.script_catalog import CatalogEntry
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_text import escaped
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, ProblemError, Severity, format_problem
from randomizer.model.settings.grid_settings import WIDTH
from randomizer.model.settings.setting import checked_settings, fitting_settings
from randomizer.model.system.system import System
from randomizer.reading.files import read_file
from randomizer.storage.files.terrain_files import (
    LARGEST_TERRAINS,
    SUFFIX,
    OwnTerrains,
    read_terrains,
)
from randomizer.systems.free.system import MOST_CELLS

SMALLEST = QSize(760, 470)
LARGEST = QSize(1120, 780)
"""The dialog at first, in logical pixels: on the smallest screens, and where there is room for
the scripts of a whole game."""

SHARE = 0.9
"""Of a screen between these it takes so much."""

THUMBNAIL = QSize(104, 78)
"""Of a script, in logical pixels."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""


class NewMapDialog(QDialog):
    """Asks for the kind of map, for a script of the catalogue or none, and for the settings.

    The kind ``system`` (None: the first) and its first entry are chosen at the start.

    ``chosen(BattleMap)``: an empty map; ``roll_chosen(BattleMap, MapGenerator, settings, Path |
    None)``: one that is to be rolled, and the script's file if it is the user's. They are emitted
    after the dialog has closed. What is chosen is stored in the settings, by kind. Thumbnails are
    drawn like ``like`` and stored in the folder ``stored``.
    """

    chosen = Signal(object)
    roll_chosen = Signal(object, object, object, object)

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        like: Renderer | None = None,
        stored: Path | None = None,
        system: System | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("New map")
        self._settings = settings
        self._systems = systems()
        self._usual: tuple[int, int] | None = None
        self._usual_values: dict[str, object] = {}
        """The values of the form by name where nobody has chosen others."""
        self._count = 0
        self._shown: System | None = None
        self._generator: MapGenerator | None = None
        self._picked: object = None
        self._terrains_named = ""  # the value of that field
        self._own: OwnTerrains | None = None
        self._blank = self._empty = QPixmap(THUMBNAIL)
        self._blank.fill(Qt.GlobalColor.transparent)
        self._make_widgets()
        self.catalogue = Catalogue(self)
        self.thumbnails = EntryThumbnails(THUMBNAIL, like or Renderer(theme("light")), stored, self)
        self._reading = BackgroundValue(self._to_read, _read, self)
        self._reading.watch(True)
        self._terrains = BackgroundValue(self._terrains_to_read, _read_own, self)
        self._terrains.watch(True)
        self._lay_out()
        self._connect()
        self.kinds.setCurrentRow(0 if system is None else self._systems.index(system))
        self.kinds.setFocus()

    def _make_widgets(self) -> None:
        self.kinds = described(QListWidget(), "Kinds of maps")
        self.kinds.addItems([system.title for system in self._systems])
        self.search = described(QLineEdit(), "Search for a script", "Words of its name or text")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.keywords = described(QComboBox(), "Keyword", "Only scripts with this keyword")
        self.add_button = tool_button(
            "Add folder...", "Add a folder of scripts, a game or a mod to these scripts"
        )
        self.scripts = described(QListWidget(), "Scripts")
        self.scripts.setViewMode(QListView.ViewMode.IconMode)
        self.scripts.setResizeMode(QListView.ResizeMode.Adjust)
        self.scripts.setMovement(QListView.Movement.Static)
        self.scripts.setIconSize(THUMBNAIL)
        self.scripts.setItemDelegate(PictureItems(self.scripts))
        text = self.fontMetrics().height()
        self.scripts.setGridSize(THUMBNAIL + QSize(22, 2 * text + 10))
        self.scripts.setWordWrap(True)
        self.scripts.setMinimumHeight(THUMBNAIL.height() + 2 * text + 24)
        EmptyState(self.scripts, "No script has these words and this keyword.")
        self.folders = QMenu(self.add_button)
        self.add_button.setMenu(self.folders)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.card = Banner("Add folder...", "Say where the game is")
        self.faults = DialogStatus("Files that cannot be read")
        self.faults.hide()
        self.about = described(plain_label(wordWrap=True), "About the script")
        self.form = SettingsForm(":")
        self.status = DialogStatus("What will be made")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.make_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.make_button.setText("&Make the map")
        self.defaults_button = self.buttons.addButton(
            "De&faults", QDialogButtonBox.ButtonRole.ResetRole
        )
        self.defaults_button.setToolTip("Forget what was chosen for the last maps of this kind")

    def _lay_out(self) -> None:
        self.below = described(QScrollArea(), "Settings of the new map")
        self.below.setWidgetResizable(True)
        self.below.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.below.setFrameShape(QFrame.Shape.NoFrame)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.about, self.form, 1, margins=(0, 0, 6, 0))
        self.below.setWidget(body)
        filters = lay_out(QHBoxLayout(), (self.search, 1), self.keywords, self.add_button)
        right = lay_out(QVBoxLayout(), filters, self.card, (self.scripts, 3))
        lay_out(right, self.faults, (self.below, 2))
        self.kinds.setFixedWidth(self.kinds.sizeHintForColumn(0) + 24)
        line = lay_out(QHBoxLayout(), self.kinds, (right, 1))
        room = self.screen().availableSize() * SHARE
        size = room.boundedTo(LARGEST).expandedTo(SMALLEST)
        lay_out_dialog(self, (line, 1), foot=(self.status, self.buttons), size=size)

    def _connect(self) -> None:
        connect(self.kinds.currentRowChanged, lambda _row: self._show_kind())
        connect(self.search.textChanged, lambda _text: self._show_entries())
        connect(self.keywords.currentIndexChanged, lambda _index: self._show_entries())
        connect(self.scripts.currentItemChanged, lambda _new, _old: self._on_picked())
        connect(self.scripts.itemDoubleClicked, lambda _item: self.make())
        connect(self.catalogue.changed, self._show_found)
        connect(self.thumbnails.drawn, self._show_thumbnail)
        connect(self._reading.computed, self._take_generator)
        connect(self._reading.failed, self._refuse)
        connect(self._terrains.computed, self._take_terrains)
        connect(self._terrains.failed, self._refuse_terrains)
        connect(self.form.changed, self._on_changed)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        connect(application.focusChanged, self._show_focused)
        for button in (self.add_button.clicked, self.card.accepted):
            connect(button, lambda *_: self.ask_folder())
        connect(self.folders.aboutToShow, self._list_folders)
        connect(self.defaults_button.clicked, self.show_defaults)
        connect(self.buttons.accepted, self.make)
        connect(self.buttons.rejected, self.reject)

    # --- the entries ------------------------------------------------------------------------

    @property
    def _system(self) -> System:
        return self._systems[max(self.kinds.currentRow(), 0)]

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry, None for an empty map."""
        item = self.scripts.currentItem()
        entry = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        return entry if isinstance(entry, CatalogEntry) else None

    def choose(self, name: str) -> None:
        """Choose the entry of this name."""
        self.scripts.setCurrentItem(self.scripts.findItems(name, Qt.MatchFlag.MatchExactly)[0])

    def _show_kind(self) -> None:
        """Show the entries of the chosen kind, and what can narrow them down."""
        system = self._system
        entries = self.catalogue.of(self._system)
        keywords = sorted({word for entry in entries for word in entry.metadata.keywords})
        with QSignalBlocker(self.keywords):
            now = self.keywords.currentText()
            self.keywords.clear()
            self.keywords.addItems(["All keywords", *keywords])
            self.keywords.setCurrentText(now)
        for widget in (self.search, self.keywords, self.add_button):
            widget.setVisible(bool(entries))
        if system is not self._shown:
            self._draw_empty(system.new_grid())
        self.card.say(self.catalogue.content.lacks.get(system.name, ""))
        self._show_entries()
        self.thumbnails.show(entries)
        self._count = len(entries)

    def _show_found(self) -> None:
        """Further entries were read: show those of the chosen kind."""
        entries = self.catalogue.of(self._system)
        system = self._system
        card = self.catalogue.content.lacks.get(system.name, "")
        self._show_faults()
        if len(entries) != self._count or card != self.card.label.text():
            self._show_kind()

    def _show_faults(self) -> None:
        """Say which files cannot be read; the tool tip names them all."""
        problems = self.catalogue.content.problems
        messages = [describe_problem(each) for each in problems]
        more = f" And {counted(len(messages) - 1, 'more problem')}." if len(messages) > 1 else ""
        self.faults.say(f"{messages[0]}{more}" if messages else "", Severity.WARNING)
        self.faults.setToolTip(plain_text("\n".join(format_problem(each) for each in problems)))
        self.faults.setVisible(bool(messages))

    def _show_thumbnail(self, key: object) -> None:
        """Show the thumbnail of one entry."""
        for row in range(self.scripts.count()):
            entry = self.scripts.item(row).data(Qt.ItemDataRole.UserRole)
            if entry is not None and entry.key == key:
                self.scripts.item(row).setIcon(QIcon(self.thumbnails.of(entry) or self._blank))

    def _show_entries(self) -> None:
        """Show the entries that fit, those whose name does first.

        The one that a person picked stays, else the first is chosen, also where only names of
        others fit.
        """
        system = self._system
        chosen = self.entry
        same = system is self._shown
        search_text = self.search.text()
        word = self.keywords.currentText() if self.keywords.currentIndex() > 0 else ""
        matches = [
            entry
            for entry in self.catalogue.of(system)
            if entry.matches(search_text) and (not word or word in entry.metadata.keywords)
        ]
        matches.sort(key=lambda entry: not entry.is_called(search_text))
        fitting: list[CatalogEntry | None] = [*matches]
        if not word and not search_text.strip():
            fitting.insert(len(fitting) if system.begins_rolled else 0, None)
        with QSignalBlocker(self.scripts):
            top = self.scripts.verticalScrollBar().value()
            self.scripts.clear()
            for entry in fitting:
                item = entry_item(entry)
                item.setSizeHint(self.scripts.gridSize())
                self.scripts.addItem(item)
            keys = [None if entry is None else entry.key for entry in fitting]
            if not same:
                self._picked = self._settings.new_map_choices(system.name).script
            row = keys.index(self._picked) if self._picked in keys else 0
            named = [entry is None or entry.is_called(search_text) for entry in fitting]
            self.scripts.setCurrentRow(
                row if not any(named) or named[row] or not search_text else 0
            )
            self.scripts.verticalScrollBar().setValue(top if same else 0)
        self._show_thumbnails()
        self._fit_scripts()
        now = self.entry
        if not same and self._picked == ():
            self._picked = None if now is None else now.key
        if not same or (now and now.key) != (chosen and chosen.key) or not fitting:
            self._shown = system
            self._show_entry()

    def _show_thumbnails(self) -> None:
        for row in range(self.scripts.count()):
            entry = self.scripts.item(row).data(Qt.ItemDataRole.UserRole)
            picture = self._empty if entry is None else self.thumbnails.of(entry)
            self.scripts.item(row).setIcon(QIcon(picture or self._blank))

    def _draw_empty(self, grid: Grid) -> None:
        """Draw the picture of the empty map."""
        terrain_set = self._system.terrain_set if self._own is None else self._own.terrain_set
        ground = terrain_set.terrains[0].colour
        ratio = self.devicePixelRatioF()
        self._empty = grid_picture(grid, ground, THUMBNAIL, self.palette(), ratio)

    def _on_picked(self) -> None:
        """A person chose another entry."""
        self._picked = None if self.entry is None else self.entry.key
        self._show_entry()

    def _show_entry(self) -> None:
        """Show what the chosen entry is and asks for. That of a file is read in the background."""
        entry = self.entry
        self._generator = None
        self.about.setText("" if entry is None else describe_entry(entry))
        self.about.setVisible(entry is not None)
        self._reading.forget()
        if not self.scripts.count():
            self.below.hide()
            self.make_button.setEnabled(False)
            self.status.say("No script is chosen.")
        elif entry is None:
            self._show_form()
        elif entry.path or not entry.generator().settings_read:
            self.form.hide()
            self.make_button.setEnabled(False)
            self.status.work(f"Reading {entry.metadata.name} ...")
            self._reading.renew()
        else:
            self._take_generator(entry.generator())

    def _to_read(self) -> CatalogEntry | str:
        return self.entry or "An empty map has no script."

    def _take_generator(self, generator: MapGenerator) -> None:
        self._generator = generator
        self._show_form()

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        self.form.hide()
        self.make_button.setEnabled(False)
        self.status.say(problems[0].message, Severity.ERROR)

    # --- the form ---------------------------------------------------------------------------

    def _show_focused(self, _before: object, focused: QWidget | None) -> None:
        """Scroll to a field that the keyboard entered from outside; Qt does it only from inside."""
        if focused is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # what is pressed stays under the mouse
        if self.below.isAncestorOf(focused):
            self.below.ensureWidgetVisible(focused)

    def _show_form(self) -> None:
        """Ask for the settings of the script, and for a grid where it does not choose that."""
        system = self._system
        generator = self._generator
        usual = system.new_grid()
        asks_for_grid = not system.fixed_grid and _of_own_size(generator) is None
        asked = grid_settings(system) if asks_for_grid else ()
        values: dict[str, object] = dict(values_of(usual)._asdict()) if asked else {}
        if generator is not None:
            own = (setting for setting in generator.new_map_settings if setting.title)
            asked += tuple(setting.filled(usual.layout) for setting in own)
            values |= ground_of(generator)
        if system.own_terrain_sets:
            asked += (terrains_setting(system, self._settings.recent("terrains")),)
            values["terrains"] = system.terrain_set.name
        self._usual_values = {setting.name: setting.default for setting in asked} | values
        self.form.set_settings(asked, values | fitting_settings(asked, self._remembered_values()))
        self._choose_terrains()
        self.form.setVisible(bool(asked))
        self.below.setVisible(bool(asked) or self.entry is not None)
        self._fit_scripts()
        if asks_for_grid:
            self.form.field("layout").setAccessibleName("Layout of the cells")
            self._usual = self._usual_size()
        if (item := self.scripts.currentItem()) is not None:
            self.scripts.scrollToItem(item)
        self._show_choice()

    def _remembered_values(self) -> dict[str, object]:
        """What was chosen for the last map of this kind, but for what the script itself sets."""
        own = {} if self._generator is None else ground_of(self._generator)
        values = self._settings.new_map_choices(self._system.name).values
        return {name: value for name, value in values.items() if name not in own}

    def _remember(self) -> None:
        """Remember kind, script and what is not as usual for the next new map."""
        system = self._system
        own = {} if self._generator is None else ground_of(self._generator)
        values = dict(self._settings.new_map_choices(system.name).values)
        for name, value in self.form.values().items():
            if name in own:
                continue
            if value == self._usual_values.get(name):
                values.pop(name, None)
            else:
                values[name] = value
        key = None if self.entry is None else self.entry.key
        self._settings.set_new_map_choices(system.name, NewMapChoices(key, values))
        self._settings.last_kind = system.name

    def show_defaults(self) -> None:
        """Forget what was chosen for maps of this kind, and show what is usual."""
        self._settings.set_new_map_choices(self._system.name, NewMapChoices())
        self._shown = None
        self.search.clear()
        self._show_kind()

    def _fit_scripts(self) -> None:
        """Give the scripts no more room than they need if all stand in one row."""
        one_row = self.scripts.count() * self.scripts.gridSize().width() < self.scripts.width()
        fits = one_row and not self.below.isHidden()
        self.scripts.setMaximumHeight(self.scripts.minimumHeight() if fits else QWIDGETSIZE_MAX)

    def _usual_size(self) -> tuple[int, int] | None:
        """The usual columns and rows of the chosen kind and layout, None if there are none."""
        usual = dict(zip(self._system.layouts, self._system.usual_sizes, strict=False))
        return usual.get(self._asked.layout)

    def _on_changed(self, name: str) -> None:
        """Follow the fields; a size that was the usual one becomes that of the chosen layout."""
        if name == "terrains":
            if self.form.values()[name] == FILE:
                run(self._ask_terrains())
                return
            self._choose_terrains()
        if name == "layout" and _of_own_size(self._generator) is None:
            before = self._usual
            self._usual = self._usual_size()
            asked = self._asked
            if self._usual is not None and (asked.width, asked.height) == before:
                width, height = self._usual
                values = {**self.form.values(), "width": width, "height": height}
                self.form.show_values(values)
        self._show_choice()

    def _choose_terrains(self) -> None:
        """Follow the field of the terrain set: a file is read in the background."""
        name = str(self.form.values().get("terrains", ""))
        if name != self._terrains_named:
            self._terrains_named = name
            self._own = None
            self._terrains.forget()
            if name in self._system.packaged_terrains:
                self._own = OwnTerrains(self._system.packaged_terrain_set(name))
            elif name:
                self._terrains.renew()

    async def _ask_terrains(self) -> None:
        """Ask for a file of a terrain set; none: the set chosen before stays."""
        last = self._settings.last_directory
        filters = f"Terrain sets (*{SUFFIX});;All files (*)"
        path = await choose_file(self, "Terrains of the new map", last, filters)
        values = self.form.values()
        if path is not None:
            self._settings.add_recent("terrains", path)
            self._settings.last_directory = str(path.parent)
            asked = [each for each in self.form.settings if each.name != "terrains"]
            files = self._settings.recent("terrains")
            self.form.set_settings((*asked, terrains_setting(self._system, files)), values)
        chosen = self._terrains_named if path is None else str(path.absolute())
        self.form.show_values({**values, "terrains": chosen})
        self._choose_terrains()
        self._show_choice()

    def _terrains_to_read(self) -> Path | str:
        is_read = self._own is not None or not self._terrains_named
        return "A packaged set is there." if is_read else Path(self._terrains_named)

    def _take_terrains(self, own: OwnTerrains) -> None:
        self._own = own
        self._show_choice()

    def _refuse_terrains(self, problems: tuple[Problem, ...]) -> None:
        self._settings.drop_recent("terrains", Path(self._terrains_named))
        self._refuse(problems)
        self.form.setVisible(True)

    @property
    def _asked(self) -> NewMap:
        """What the form says of the grid."""
        return asked_of(self.form.values())

    def chosen_settings(self) -> dict[str, object]:
        """Return the settings of the script that are not as usual. Raises ProblemError."""
        if self._generator is None:
            return {}
        settings = {setting.name: setting for setting in self._generator.new_map_settings}
        values = {name: each for name, each in self.form.values().items() if name in settings}
        ground = ground_of(self._generator)
        chosen = {
            name: each
            for name, each in values.items()
            if each != ground.get(name, settings[name].default)
        }
        return {**ground, **checked_settings(settings.values(), chosen)}

    # --- the choice -------------------------------------------------------------------------

    def grid(self) -> Grid:
        """Return the chosen grid.

        Raises ValueError or ProblemError, for the user, if it is impossible.
        """
        system = self._system
        sizing = _of_own_size(self._generator)
        if sizing is not None:
            grid = sizing.grid(self.chosen_settings())
            assert grid is not None, "it determines one with its default settings"
            return grid
        if system.fixed_grid:
            return system.new_grid()
        name, width, height, wrap = self._asked
        if width * height > MOST_CELLS:
            raise ValueError(
                f"{width:,} x {height:,} are {counted(width * height, 'cell')}. "
                f"A map has at most {MOST_CELLS:,}."
            )
        layout = LAYOUT_OF_NAME[name]
        if wrap and layout.shear == "columns" and width % 2:
            raise ValueError(
                "A map of columns that goes round has an even number of them: "
                f"take {width - 1 or 2} or {width + 1}."
            )
        grid = Grid(layout, width, height, wrap=wrap, lean=wrap and system.new_grid().lean)
        if why_not := system.why_not_grid(grid):
            raise ValueError(f"{why_not[:1].upper()}{why_not[1:]}.")
        return grid

    def _show_choice(self) -> None:
        """Say what will be made, or why it cannot be."""
        system = self._system
        entry = self.entry
        if entry is not None and self._generator is None:
            return  # it is being read
        if self._terrains_named and self._own is None:
            self.make_button.setEnabled(False)
            self.status.work(f"Reading {Path(self._terrains_named).name} ...")
            return
        try:
            grid = self.grid()
            self.chosen_settings()
        except (ValueError, ProblemError) as reason:
            text = reason.problems[0].message if isinstance(reason, ProblemError) else str(reason)
            self.status.say(text, Severity.ERROR)
            self.make_button.setEnabled(False)
            return
        why = "" if self._generator is None else self._generator.why_not()
        self.make_button.setEnabled(not why)
        if why:
            self.status.say(why, Severity.ERROR)
            return
        if entry is None:
            self._draw_empty(grid)
            self._show_thumbnails()
        count = grid.size if grid.mask is None else int(grid.mask.sum())
        fixed = ", the board of the game" if system.fixed_grid else ""
        by = "" if entry is None else f", rolled by {entry.metadata.name}"
        self.status.say(f"{system.title}: {counted(count, 'cell')}{fixed}{by}.")

    def make(self) -> None:
        """Close, store the choice and emit an empty map, or one that is to be rolled."""
        if not self.make_button.isEnabled():
            return
        system = self._system
        generator = self._generator
        entry = self.entry
        grid = self.grid()
        settings = self.chosen_settings()
        own = self._own if system.own_terrain_sets else None
        self._remember()
        self.accept()
        if generator is None:
            self.chosen.emit(new_map(system, grid, own))
        else:
            path = None if entry is None else entry.script
            self.roll_chosen.emit(new_map(system, grid, own), generator, settings, path)

    async def ask_folder(self) -> None:
        """Ask for a folder of scripts, a game or a mod, and read it."""
        last = self._settings.last_directory
        folder = await choose_folder(self, "Add a folder of scripts or a game", last)
        if folder is not None:
            folders = self._settings.script_folders
            self._use_folders(dict.fromkeys((folder, *folders)))

    def _list_folders(self) -> None:
        """Offer to remove each folder that was added."""
        self.folders.clear()
        folders = self._settings.script_folders
        for folder in folders:
            rest = tuple(each for each in folders if each != folder)
            action = self.folders.addAction(escaped(f"Remove {folder}"))
            connect(action.triggered, lambda _checked=False, rest=rest: self._use_folders(rest))
        if not folders:
            self.folders.addAction("No folder was added").setEnabled(False)

    def _use_folders(self, folders: Iterable[Path]) -> None:
        self._settings.script_folders = tuple(folders)
        use_folders(self._settings)
        self.catalogue.read_again()

    @guarded
    def done(self, result: int) -> None:
        """Delete the dialog when it is closed: the next one is a new one."""
        super().done(result)
        self.deleteLater()


def _of_own_size(generator: MapGenerator | None) -> MapGenerator | None:
    """The generator if a setting of it that a form shows decides the size of the map, else None."""
    if generator is None:
        return None
    names = {setting.name for setting in generator.settings if setting.title}
    if not names & {"Size", WIDTH}:
        return None
    return None if generator.grid({}) is None else generator


def _read(entry: CatalogEntry, _progress: object, _cancelled: object) -> MapGenerator:
    """The generator of an entry with its settings, on a job's thread."""
    generator = entry.generator()
    tuple(generator.settings)  # they are read now
    return generator


def _read_own(path: Path, _progress: object, _cancelled: object) -> OwnTerrains:
    """The terrain set of a file, on a job's thread."""
    return read_terrains(read_file(path, LARGEST_TERRAINS), str(path))
