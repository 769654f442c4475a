"""The page of things: the kinds that can be placed, and a form for what is picked or placed.

``_show_kinds`` brings the list of kinds up to date. Which kinds are listed (``_listed_kinds``)
follows from three sources: the kinds of the map, the *further* kinds that only the installed game
has, and what is typed into the filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.features.palette.thing_form import ThingForm
from app.qt_guard import connect, guarded
from app.render.scene.things.looks import Look
from app.widgets.forms.committed_form import NARROW
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.folded_form import ScrolledRows
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_of, visible_counts
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions

ICON = 31
"""The width and height of the picture beside a kind, in logical pixels."""

FILTER_FROM = 12
"""The number of kinds from which on there is a line to filter them by."""

LEAST_ROWS = 3
"""The least number of rows that the list is high, if it has so many: the form below it has the rest
of a low window."""

MOST_ROWS = 300
"""The most kinds that the list shows; how many more there are is said below them."""

MIDDLE_DOT = "\N{MIDDLE DOT}"

ON_MAP = "Usual and on this map"
"""The title of the first category: the kinds of the map, and those that any such map can have."""

ALL = "Of the game"
"""The title of the second category: all kinds of the installed game, the usual ones without it."""

EXACT_NAME = "The whole name by which the game knows it, with its folders"
"""The tool tip of the rows that ask for a name."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""

KIND = Qt.ItemDataRole.UserRole
"""The name of the kind of a row, "" for the row that only picks, None for a heading."""


class ThingsPage(QWidget):
    """The kinds of things of the current map; a click on one chooses it and the tool of things.

    ``choose_tool`` is called with the tool's name.
    """

    def __init__(
        self, document: MapDocument, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._document = document
        self._options = options
        self._choose_tool = choose_tool
        self._map_kinds: tuple[ThingKind, ...] = ()
        """The kinds of the map when the list was made."""
        self._further_kinds: tuple[ThingKind, ...] = ()
        """The kinds that the installed game has."""
        self._is_reading = False
        """True while the further kinds are being read."""
        self._lacks_game = False
        """True if the map is of a game of which nothing is installed here."""
        self._chosen_category: str | None = None
        """The category chosen last, "" for all, None for that of the map: it stays chosen."""
        self._listed: tuple[ThingKind, ...] = ()
        """The kinds of the list, those beyond ``MOST_ROWS`` included."""
        self._is_elsewhere = False
        """True if the words of the filter stand in no kind of the chosen category: then the list
        has those of the other ones."""
        self._rows: list[QListWidgetItem] = []
        """The rows of the first kinds of ``_listed``, without the headings between them."""
        self._headings: dict[str, QListWidgetItem] = {}
        """The headings above the kinds of a group, by the name of the group."""
        self._icons: dict[Look, QIcon] = {}
        self._icons_shown: dict[str, Look] = {}
        """The looks that the rows show, by the names of their kinds."""
        self._ratio = 0.0
        """The device pixel ratio of the icons."""
        self.filter = described(QLineEdit(), "Filter kinds of things")
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.category = described(
            pass_wheel_on(QComboBox()),
            "Category of things",
            "What the list shows. A word to filter by finds things of the whole game in any case",
        )
        self.category.setSizeAdjustPolicy(NARROW)
        self.category.setMinimumContentsLength(6)
        self.kinds = described(_KindList(), "Kinds of things", "What a click on the ground places")
        self.kinds.setIconSize(QSize(ICON, ICON))
        self.kinds.setWordWrap(True)  # the palette is narrow, names and paths are long
        self.kinds.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.form = ThingForm(document, options)
        self.kinds.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._form_area = ScrolledRows(self.form)
        lay_out(
            QVBoxLayout(self),
            self.category,
            self.filter,
            (self.kinds, 1),
            self._form_area,
            margins=(1, 4, 1, 4),
        )
        self.setAccessibleName("Things")
        self._soon = QTimer(self, singleShot=True)
        connect(self._soon.timeout, self._show_kinds)
        connect(self.filter.textChanged, self._on_filter)
        connect(self.filter.returnPressed, self._choose_first)
        connect(self.category.currentIndexChanged, self._on_category)
        connect(self.kinds.itemClicked, self._choose)
        connect(self.kinds.pressed_on, self._keep_in_place)
        connect(self.kinds.left, self._give_form_its_height)
        connect(self.kinds.itemActivated, self._choose)
        connect(self.kinds.currentItemChanged, self._on_current_row)
        connect(options.changed, self._show_chosen)
        connect(options.form_asked, self._edit_form)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.filter.clear)
        connect(document.map_replaced, self._show_kinds)
        self._show_kinds()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw the headings in the colour of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for heading in self._headings.values():
                heading.setForeground(self.palette().windowText())

    def _on_changed(self, region: Region) -> None:
        if region.things or region.structure or region.everything or region.records:
            self._soon.start(0)

    def _on_filter(self) -> None:
        """List what has the words of the filter from the first on: Enter takes that one."""
        self._show_kinds()
        self.kinds.scrollToTop()

    def _edit_form(self) -> None:
        """Give the form of the picked things the keyboard, where it can be seen."""
        if not self._document.picked:
            return
        self.form.show_things()
        self.form.edit_label()
        self._form_area.ensureWidgetVisible(self.form.form.field("label"))

    # --- the kinds --------------------------------------------------------------------------

    def show_further(self, kinds: tuple[ThingKind, ...], *, reading: bool = False) -> None:
        """Offer these kinds, too, by categories: all that the installed game has.

        ``reading``: they are not known yet.
        """
        system = self._document.battlemap.system
        self._lacks_game = not reading and system.lacks_game()
        if kinds is self._further_kinds and reading == self._is_reading:
            return
        self._further_kinds = kinds
        self._is_reading = reading
        self.kinds.clear()  # kinds may have other pictures now: the rows are made again
        self._listed = ()
        self._offer_categories()
        self._show_kinds()

    def _offer_categories(self) -> None:
        """List the categories: that of the map, all kinds, each group, each family in ABC order.

        The chosen category stays; if it is not among them, the list shows that of the map.
        """
        kinds = self._further_kinds
        groups = Counter(kind.group for kind in kinds)
        families = Counter(kind.family for kind in kinds if kind.family)
        with QSignalBlocker(self.category):
            self.category.clear()
            self.category.addItem(ON_MAP)
            self.category.addItem(_counted(ALL, len(kinds)), "")
            for kinds_by_name in (groups, dict(sorted(families.items()))):
                self.category.insertSeparator(self.category.count())
                for name, count in kinds_by_name.items():
                    self.category.addItem(_counted(name, count), name)
            row = self.category.findData(self._chosen_category)
            self.category.setCurrentIndex(max(0, row))

    def _on_category(self) -> None:
        self._chosen_category = self.category.currentData()
        self._show_kinds()

    def _show_kinds(self) -> None:
        """List the kinds that can be placed, and how many things of each can be seen on the map.

        The rows are made again only if other kinds are listed or the icons have another
        resolution: that takes time. The category and the filter are hidden where they are no help.
        """
        battlemap = self._document.battlemap
        map_kinds = kinds_of(battlemap)
        self.category.setVisible(bool(self._further_kinds))
        self.filter.setVisible(bool(self._further_kinds) or len(map_kinds) >= FILTER_FROM)

        was_elsewhere = self._is_elsewhere
        listed = self._listed_kinds(map_kinds)
        if self._listed and not listed and map_kinds != self._map_kinds:
            # The kinds that the words had found are called otherwise now, or gone.
            self.filter.clear()
            listed = self._listed_kinds(map_kinds)
        has_changed = map_kinds != self._map_kinds or listed != self._listed
        has_changed |= self._is_elsewhere != was_elsewhere
        has_new_ratio = self.devicePixelRatioF() != self._ratio
        if has_new_ratio:
            self._ratio = self.devicePixelRatioF()
            self._icons.clear()
        if has_changed or has_new_ratio or not self.kinds.count():
            self._map_kinds = map_kinds
            self._listed = listed
            self._make_rows()

        counts_by_kind = visible_counts(battlemap)
        counts_by_group: Counter[str] = Counter()
        for kind in self._listed:
            counts_by_group[kind.group] += counts_by_kind[kind.name]
        for row, kind in zip(self._rows, self._listed, strict=False):
            row.setText(_row_text(kind, counts_by_kind[kind.name]))
        self._colour_rows()
        for group, heading in self._headings.items():
            if counts_by_group[group]:
                heading.setText(f"{group}: {counts_by_group[group]:,} on this map")
            else:
                heading.setText(group)
        self._show_chosen()

    def _listed_kinds(self, map_kinds: tuple[ThingKind, ...]) -> tuple[ThingKind, ...]:
        """Return the kinds of the chosen category that have all words of the filter.

        If none has them, those of all categories are returned (``_is_elsewhere``). They stand in
        the groups of the game, in each of them those of the map first.
        """
        category = None
        if self._further_kinds:
            category = self.category.currentData()
        words = self.filter.text().casefold().split()

        kinds = list(map_kinds)
        if category is not None or words:
            # Words find the kinds of the whole game, even in the category of the map.
            names_on_map = {kind.name for kind in map_kinds}
            kinds += [kind for kind in self._further_kinds if kind.name not in names_on_map]
        of_category = [kind for kind in kinds if category in (None, "", kind.group, kind.family)]
        self._is_elsewhere = False
        if not words:
            kinds = of_category
        else:
            matching = [kind for kind in of_category if _has_words(kind, words)]
            if not matching:
                matching = [kind for kind in kinds if _has_words(kind, words)]
                self._is_elsewhere = bool(matching)
            kinds = matching
            typed_kind = self._typed_kind()
            if typed_kind is not None and all(kind.name != typed_kind.name for kind in kinds):
                kinds.insert(0, typed_kind)

        # The order of the groups is that of the game, whatever the map has.
        group_order: dict[str, int] = {}
        for kind in (*self._further_kinds, *map_kinds):
            group_order.setdefault(kind.group, len(group_order))
        return tuple(sorted(kinds, key=lambda kind: group_order.get(kind.group, -1)))

    def _typed_kind(self) -> ThingKind | None:
        """Return the kind whose exact name stands in the filter, whether the game has it or not.

        None if the system has no kind of such a name.
        """
        battlemap = self._document.battlemap
        return battlemap.system.thing_kind(battlemap, self.filter.text().strip())

    def _make_rows(self) -> None:
        """Make a row for "Pick only", then one for each listed kind, below headings of groups."""
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            pick = QListWidgetItem("Pick only")
            pick.setData(KIND, "")
            pick.setToolTip("A click on the ground places nothing")
            self.kinds.addItem(pick)
            self._rows = []
            self._headings = {}
            if self._is_elsewhere:
                self._add_heading(f"None in {self.category.currentData()}; found in:")
            for kind in self._listed[:MOST_ROWS]:
                if kind.group and kind.group not in self._headings:
                    self._headings[kind.group] = self._add_heading(kind.group)
                row = QListWidgetItem(_row_text(kind, 0))
                row.setData(KIND, kind.name)
                self.kinds.addItem(row)
                self._rows.append(row)
            self._add_notes()
        self._fit_height()
        self._icons_shown.clear()

    def _add_notes(self) -> None:
        """Say at the end of the list why a kind that is looked for may be missing."""
        if len(self._listed) > MOST_ROWS:
            self._add_heading(f"{len(self._listed) - MOST_ROWS:,} more: filter by another word")
        if self._is_reading and self.filter.text():
            self._add_heading("The installed game is being read...")
        elif self.filter.text().strip() and not self._listed:
            self._add_heading("Nothing here has these words.")
            if self._lacks_game:
                # One sentence in three rows: the palette is narrow, and rows do not wrap it.
                self._add_heading("No installed game was found:").setToolTip(EXACT_NAME)
                self._add_heading("an exact name can be typed,").setToolTip(EXACT_NAME)
                self._add_heading("as structures/athen/fortress").setToolTip(EXACT_NAME)

    def _fit_height(self) -> None:
        """Keep the list ``LEAST_ROWS`` high, or as high as its rows."""
        row_count = min(LEAST_ROWS, self.kinds.count())
        # The first row has no picture, those of kinds are twice as high.
        height = row_count * self.kinds.sizeHintForRow(self.kinds.count() - 1)
        self.kinds.setMinimumHeight(height + 2 * self.kinds.frameWidth())

    def _add_heading(self, text: str) -> QListWidgetItem:
        """Add a row in bold type that cannot be chosen; the keyboard skips it."""
        heading = QListWidgetItem(text)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        # A row without flags is drawn as one that is disabled, too pale to be read.
        heading.setForeground(self.palette().windowText())
        font = self.kinds.font()
        font.setBold(True)
        heading.setFont(font)
        self.kinds.addItem(heading)
        return heading

    def _colour_rows(self) -> None:
        """Draw the kinds of the rows in the colours of the owners that new ones get."""
        for row, listed_kind in zip(self._rows, self._listed, strict=False):
            kind = self._with_players(listed_kind)
            owner = self._owner_of_kind(kind)
            look = Look.of(kind, kind.name, owner, 0.0)._replace(size=1.0)
            if self._icons_shown.get(kind.name) != look:
                self._icons_shown[kind.name] = look
                row.setIcon(self._icon(look))
                text = f"{kind.title} ({kind.name}): a click on the ground places one"
                owner_name = dict(kind.owners).get(owner, "")
                if owner_name and not kind.unowned:
                    text += f" for {owner_name}"
                row.setToolTip(plain_text(text))

    def _with_players(self, kind: ThingKind) -> ThingKind:
        """Return a kind with the players of the map: kinds of the game know none."""
        if kind.owners or not self._map_kinds:
            return kind
        of_map = self._map_kinds[0]
        return replace(kind, owners=of_map.owners, owner_colours=of_map.owner_colours)

    def _icon(self, look: Look) -> QIcon:
        """Return the picture of a look; kinds that look alike share one."""
        cached = self._icons.get(look)
        if cached is not None:
            return cached
        picture = look.picture(ICON, self._ratio)
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)
        self._icons[look] = icon
        return icon

    # --- the kind that is placed ------------------------------------------------------------

    def _show_chosen(self) -> None:
        """Choose the row of the kind that is placed; if nothing is placed, that of "Pick only"."""
        self._colour_rows()
        name = ""
        if self._options.thing is not None:
            name = self._options.thing.kind
        with QSignalBlocker(self.kinds):
            for row in range(self.kinds.count()):
                if self.kinds.item(row).data(KIND) == name:
                    self.kinds.setCurrentRow(row)

    def _choose_first(self) -> None:
        """Choose the first kind that has the words of the filter, as Enter in it does."""
        if self._rows:
            self._choose(self._rows[0])

    def _on_current_row(self, row: QListWidgetItem | None, _previous: object) -> None:
        """Choose a row that the keyboard came to; without the focus, the program set it."""
        if row is not None and self.kinds.hasFocus():
            self._choose(row)

    def _keep_in_place(self, row: QListWidgetItem) -> None:
        """Keep a row where it is under the mouse: the form gets the height that is left below it.

        That holds until the mouse or the keyboard leaves the list.
        """
        row_bottom = self.kinds.visualItemRect(row).bottom() + 1 + 2 * self.kinds.frameWidth()
        page_layout = self.layout()
        assert page_layout is not None
        bottom_margin = page_layout.contentsMargins().bottom() + page_layout.spacing()
        height = self.height() - self.kinds.y() - row_bottom - bottom_margin
        self._form_area.setMaximumHeight(max(0, height))

    def _give_form_its_height(self) -> None:
        self._form_area.setMaximumHeight(QWIDGETSIZE_MAX)

    def _choose(self, row: QListWidgetItem) -> None:
        name = row.data(KIND)
        if name is not None:
            self.choose_kind(name)

    def choose_kind(self, name: str) -> None:
        """Place this kind from now on ("": none), with the angle of the thing placed before."""
        old_thing = self._options.thing
        if not name:
            self._options.choose(thing=None)
        elif old_thing is None or old_thing.kind != name:
            angle = 0.0
            if old_thing is not None:
                angle = old_thing.angle
            self._document.pick(())
            owner = self._owner_of_new(name)
            self._options.choose(thing=Thing(0, name, 0.0, 0.0, angle, owner))
        self._choose_tool("things")

    def _owner_of_new(self, name: str) -> int:
        """Return the owner that was chosen last, where things of this kind have such an owner.

        Else it is that of the kind: nobody (0), the player whose civilisation it is, or the first
        player or side.
        """
        owner = self._options.owner
        battlemap = self._document.battlemap
        # Kinds of the game know no players: those of the map do.
        kind = battlemap.system.thing_kind(battlemap, name)
        if kind is None:
            kind = next((kind for kind in self._listed if kind.name == name), None)
        if kind is None:
            return owner or 0
        return self._owner_of_kind(kind)

    def _owner_of_kind(self, kind: ThingKind) -> int:
        """Return the owner of a new thing of a kind that knows the players of the map."""
        battlemap = self._document.battlemap
        owner = self._options.owner
        if kind.unowned:
            return 0
        possible_owners = [number for number, _name in kind.owners]  # empty if there is no list
        if owner is not None and (not possible_owners or owner in possible_owners):
            return owner
        players = [number for number in possible_owners if number > 0]
        if kind.needs_owner and players:
            return battlemap.system.usual_owner(battlemap, kind.name) or players[0]
        return 0


class _KindList(QListWidget):
    """A list that keeps the chosen kind in view when a form appears below and makes it lower."""

    pressed_on = Signal(object)
    """The mouse is pressed on this row, which is not chosen yet."""
    left = Signal()
    """The mouse or the keyboard has left the list."""

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.itemAt(event.position().toPoint())
        if row is not None:
            self.pressed_on.emit(row)
        super().mousePressEvent(event)

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        current = self.currentItem()
        if current is not None:
            self.scrollToItem(current)


def _has_words(kind: ThingKind, words: list[str]) -> bool:
    """Return whether the texts of a kind contain all these words, which are in small letters."""
    text = " ".join((kind.title, kind.group, kind.name, kind.family, kind.keywords)).casefold()
    return all(word in text for word in words)


def _row_text(kind: ThingKind, count: int) -> str:
    """Return the text of a row, such as ``Oak (12) · gaia/tree``: ``count`` are on the map."""
    text = _counted(kind.title, count)
    if kind.origin:
        return f"{text} {MIDDLE_DOT} {kind.origin}"
    return text


def _counted(title: str, count: int) -> str:
    """Return a title with a count, such as ``Oak (12)``; the title alone if the count is 0."""
    if count:
        return f"{title} ({count:,})"
    return title
