"""The page of things: the kinds that can be placed, and a form for what is picked or placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QMouseEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.appearance.painting import painting
from app.features.palette.thing_form import ThingForm
from app.qt_guard import connect, guarded
from app.render.scene.things.things import TIP, Look
from app.widgets.forms.committed_form import NARROW
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.folded_form import ScrolledRows
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import counts, kinds_of
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions

DISC = 20.0
"""The diameter of the disc beside a kind, in logical pixels."""

ICON = 28.0
"""The width of a pictogram beside a kind."""

FILTER_FROM = 12
"""With so many kinds there is a line to filter them by."""

LEAST_ROWS = 3
"""The list shows at least so many kinds, if there are so many: the form below it has the rest of a
low window."""

MOST_ROWS = 300
"""The list shows at most so many kinds; of more the rest is counted."""

MIDDLE_DOT = "\N{MIDDLE DOT}"

ON_MAP = "On this map"
EXACT_NAME = "The whole name by which the game knows it, with its folders"

ALL = "All of the game"
"""The first two categories: the kinds of the map, and all that the installed game has."""

USUAL = "Usual ones of the game"
"""The second category where no game is installed."""

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
        self._kinds: tuple[ThingKind, ...] = ()
        self._further: tuple[ThingKind, ...] = ()
        self._reading = False
        self._lacks_game = False
        """Whether the map is of a game of which nothing is installed here."""
        self._chosen_category: str | None = None
        """The category chosen last, "" for all, None for that of the map: it stays chosen."""
        self._shown: tuple[ThingKind, ...] = ()
        self._rows: list[QListWidgetItem] = []
        self._icons: dict[Look, QIcon] = {}
        self._headings: dict[str, QListWidgetItem] = {}
        self._ratio = 0.0
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
        self.kinds.setIconSize(QSize(round(DISC * TIP) + 2, round(DISC * TIP) + 2))
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
        connect(self.kinds.currentItemChanged, lambda item, _before: self._choose_by_key(item))
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
        if kinds is self._further and reading == self._reading:
            return
        self._further = kinds
        self._reading = reading
        self.kinds.clear()  # rows may look otherwise
        self._shown = ()
        groups = Counter(kind.group for kind in kinds)
        families = Counter(kind.family for kind in kinds if kind.family)
        with QSignalBlocker(self.category):
            self.category.clear()
            self.category.addItem(ON_MAP)
            whole = USUAL if self._lacks_game else ALL
            self.category.addItem(_counted(whole, len(kinds)), "")
            for names in (groups, dict(sorted(families.items()))):
                self.category.insertSeparator(self.category.count())
                for name, number in names.items():
                    self.category.addItem(_counted(name, number), name)
            row = self.category.findData(self._chosen_category)
            self.category.setCurrentIndex(max(0, row))
        self._show_kinds()

    def _on_category(self) -> None:
        self._chosen_category = self.category.currentData()
        self._show_kinds()

    def _show_kinds(self) -> None:
        """Show the kinds of the map, those found on it too, and how many there are of each."""
        battlemap = self._document.battlemap
        kinds = kinds_of(battlemap)
        number = counts(battlemap)
        self.category.setVisible(bool(self._further))
        self.filter.setVisible(bool(self._further) or len(kinds) >= FILTER_FROM)
        listed = self._listed(kinds)
        if (
            not self.kinds.count()
            or (kinds, listed) != (self._kinds, self._shown)
            or self.devicePixelRatioF() != self._ratio
        ):
            if self.devicePixelRatioF() != self._ratio:
                self._icons.clear()
            self._kinds = kinds
            self._shown = listed
            self._ratio = self.devicePixelRatioF()
            self._build()
        together: Counter[str] = Counter()
        for kind in kinds:
            together[kind.group] += number[kind.name]
        for row, kind in zip(self._rows, self._shown, strict=False):
            row.setText(_row_text(kind, number[kind.name]))
        for group, heading in self._headings.items():
            text = group
            if together[group]:
                text = f"{group}: {together[group]:,} on this map"
            heading.setText(text)
        self._show_chosen()

    def _listed(self, kinds: tuple[ThingKind, ...]) -> tuple[ThingKind, ...]:
        """Return the kinds of the chosen category that have all words of the filter.

        Those of the map come first. An exact name is listed, too, whether the game has it or not.
        """
        text = self.filter.text()
        words = text.casefold().split()
        if self._further:
            category = self.category.currentData()
        else:
            category = None
        on_map = {kind.name for kind in kinds}
        offered = [each for each in kinds if category in (None, "", each.group, each.family)]
        if category is not None or words:
            offered += [
                each
                for each in self._further
                if each.name not in on_map and category in (None, "", each.group, each.family)
            ]
        if words:
            offered = [each for each in offered if _has_words(each, words)]
            battlemap = self._document.battlemap
            name = text.strip()
            typed = battlemap.system.thing_kind(battlemap, name)
            if typed is not None and all(each.name != name for each in offered):
                offered.insert(0, typed)
        order: dict[str, int] = {}  # that of the game, whatever the map has
        for kind in (*self._further, *kinds):
            order.setdefault(kind.group, len(order))
        return tuple(sorted(offered, key=lambda kind: order.get(kind.group, -1)))

    def _build(self) -> None:
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            pick = QListWidgetItem("Pick only")
            pick.setData(KIND, "")
            pick.setToolTip("A click on the ground places nothing")
            self.kinds.addItem(pick)
            self._rows = []
            self._headings = {}
            for kind in self._shown[:MOST_ROWS]:
                if kind.group and kind.group not in self._headings:
                    self._headings[kind.group] = self._heading(kind.group)
                row = QListWidgetItem(self._icon(kind), _row_text(kind, 0))
                row.setData(KIND, kind.name)
                row.setToolTip(
                    plain_text(f"{kind.title} ({kind.name}): a click on the ground places one")
                )
                self.kinds.addItem(row)
                self._rows.append(row)
            if len(self._shown) > MOST_ROWS:
                self._heading(f"{len(self._shown) - MOST_ROWS:,} more: filter by another word")
            if self._reading and self.filter.text():
                self._heading("The installed game is being read...")
            elif self.filter.text().strip() and not self._shown:
                self._heading("Nothing here has these words.")
                if self._lacks_game:
                    self._heading("No installed game was found:").setToolTip(EXACT_NAME)
                    self._heading("an exact name can be typed,").setToolTip(EXACT_NAME)
                    self._heading("as structures/athen/fortress").setToolTip(EXACT_NAME)
        row_count = min(LEAST_ROWS, self.kinds.count())
        # The first row has no picture, those of kinds are twice as high.
        height = row_count * self.kinds.sizeHintForRow(self.kinds.count() - 1)
        self.kinds.setMinimumHeight(height + 2 * self.kinds.frameWidth())

    def _heading(self, group: str) -> QListWidgetItem:
        """Return a row that cannot be chosen, above the kinds of a group; the keyboard skips it."""
        heading = QListWidgetItem(group)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        # A row without flags is drawn as one that is disabled, too pale to be read.
        heading.setForeground(self.palette().windowText())
        font = self.kinds.font()
        font.setBold(True)
        heading.setFont(font)
        self.kinds.addItem(heading)
        return heading

    def _icon(self, kind: ThingKind) -> QIcon:
        look = Look.of(kind, kind.name, 0, 0.0)._replace(size=1.0)
        cached = self._icons.get(look)
        if cached is not None:
            return cached
        side = self.kinds.iconSize().width()
        picture = QPixmap(QSize(side, side) * self._ratio)
        picture.setDevicePixelRatio(self._ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with painting(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(side / 2, side / 2)
            look.draw(painter, ICON if kind.icon else DISC)
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)
        self._icons[look] = icon
        return icon

    # --- which one is placed ----------------------------------------------------------------

    def _show_chosen(self) -> None:
        next_thing = self._options.thing
        name = "" if next_thing is None else next_thing.kind
        with QSignalBlocker(self.kinds):
            for row in range(self.kinds.count()):
                if self.kinds.item(row).data(KIND) == name:
                    self.kinds.setCurrentRow(row)

    def _choose_first(self) -> None:
        """Choose the first kind that has the words of the filter: Enter there."""
        if self._rows:
            self._choose(self._rows[0])

    def _choose_by_key(self, row: QListWidgetItem | None) -> None:
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
        """Place this kind from now on ("": none), with the angle of the one before."""
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

        Else it is that of the kind: nobody (0), or the first player or side.
        """
        owner = self._options.owner
        battlemap = self._document.battlemap
        # Kinds of the game know no players: those of the map do.
        kind = battlemap.system.thing_kind(battlemap, name)
        if kind is None:
            kind = next((kind for kind in self._shown if kind.name == name), None)
        if kind is None:
            return owner or 0
        if kind.unowned:
            return 0
        numbers = [number for number, _name in kind.owners]
        if owner is not None and (not numbers or owner in numbers):
            return owner
        owners = [number for number in numbers if number > 0]
        if kind.needs_owner and owners:
            return owners[0]
        return 0


class _KindList(QListWidget):
    """Keeps the chosen kind in view: the form that comes up below it makes the list lower."""

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
    """Return whether what is said of a kind has all these words or beginnings, in small letters."""
    text = " ".join((kind.title, kind.group, kind.name, kind.family, kind.keywords)).casefold()
    return all(word in text for word in words)


def _row_text(kind: ThingKind, number: int) -> str:
    """Return the text of a row: ``Oak (12) · gaia/tree``; ``number`` of its things are there."""
    text = _counted(kind.title, number)
    if kind.origin:
        return f"{text} {MIDDLE_DOT} {kind.origin}"
    return text


def _counted(title: str, number: int) -> str:
    """``Oak (12)``; the title alone if there are none."""
    if number:
        return f"{title} ({number:,})"
    return title
