"""The editor of entries: a list, a form of the chosen entry, and buttons for operations on entries.

A subclass returns its entries (``entries``) and the form of one (``settings_of``), and makes the
changes (``change``, and the functions of operations); all else is the same for every list::

    class Roads(EntryEditor):
        def __init__(self, document: MapDocument) -> None:
            super().__init__("Roads of the map")
            self.offer(adding("Add a road", self.add), removing("Remove the road", self.remove))
            self.follow(document.changed, document.map_replaced, concerns_roads)
            self.refresh()

        def entries(self) -> Iterable[Entry]:
            return [Entry(code, [road.name]) for code, road in enumerate(self._roads)]

        def settings_of(self, code: int) -> Form:
            return FIELDS, self._roads[code].values

        def change(self, code: int, name: str, value: object) -> bool:
            return self._document.change_map(..., f"Change {name} of a road")
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    QTimer,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLineEdit,
    QMenu,
    QSplitter,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import described, lay_out, plain_text, scrolled, tool_button
from app.widgets.layout.wrapping_row import WrappingRow
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.entry_model import SWATCH, Entry, EntryModel, Index
from app.widgets.lists.picture_items import PictureItems
from randomizer.model.settings.setting import Setting

Form = tuple[Sequence[Setting], Mapping[str, object]]
"""The settings that a form asks for, and the values that it shows, by name."""

LONG_LIST = 12
"""The most entries of a list without a line to search for a name."""

LEAST_ROWS = 3
"""The least height of a list, in rows: an empty one has room for its hint."""

PLAIN_MODIFIERS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
"""Modifiers with which a letter is still a letter."""

MOST_HEIGHT = 10_000
"""A height that no row has, in logical pixels."""

EDIT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
"""The keys in the list that lead to the form."""


def _needs_entry(code: Hashable) -> str:
    """Return the reason why an operation on an entry cannot be done without one."""
    if code is None:
        return "Nothing is chosen in the list."
    return ""


def _always_possible() -> str:
    return ""


def _concerns_all(_region: object) -> bool:
    return True


class Operation(NamedTuple):
    """An operation on the chosen entry of an editor, or on its list, with a button for it."""

    text: str
    """The text of the button."""

    tip: str
    """The tool tip of the button, as long as the operation can be done."""

    do: Callable[[Any], object] | None = None
    """Called with the code of the chosen entry, None if none is; None for a button with a menu."""

    why_not: Callable[[Any], str] = _needs_entry
    """Returns, for the same code, why the operation cannot be done now, "" if it can."""

    key: QKeySequence.StandardKey | Qt.Key | None = None
    """The key that does the operation while the list has the keyboard; None for none."""

    adds: bool = False
    """True if it adds an entry: the first field of that gets the keyboard then."""

    of_form: bool = False
    """True if its button is below the form, and hidden while the operation cannot be done."""

    fill_menu: Callable[[QMenu], object] | None = None
    """Fills the menu that the button opens whenever it is opened; None for a button without one."""

    def is_key(self, event: QKeyEvent) -> bool:
        """Return whether an event is that of ``key``."""
        if isinstance(self.key, QKeySequence.StandardKey):
            return event.matches(self.key)
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return self.key is not None and is_plain and event.key() == self.key


def adding(
    tip: str, add: Callable[[], object], why_not: Callable[[], str] = _always_possible
) -> Operation:
    """Return the operation that adds an entry; its key is Insert."""

    def add_entry(_code: object) -> None:
        add()  # whatever entry is chosen

    def why_not_add(_code: object) -> str:
        return why_not()

    return Operation("Add", tip, add_entry, why_not_add, Qt.Key.Key_Insert, adds=True)


def removing(
    tip: str, remove: Callable[[Any], object], why_not: Callable[[Any], str] = _needs_entry
) -> Operation:
    """Return the operation that removes the chosen entry; its key is Delete."""
    return Operation("Remove", tip, remove, why_not, QKeySequence.StandardKey.Delete)


class EntryEditor(QWidget):
    """A list of entries, and below it the form of the chosen one.

    ``title`` is the name of the list; an editor without one has no list, only the form of its
    single entry. ``columns`` are the headings of several columns. ``empty`` is what a list
    without entries says. ``wraps``: names may need several lines. ``picture`` is the width of the
    pictures beside the names, in logical pixels.
    """

    def __init__(
        self,
        title: str = "",
        tip: str = "",
        *,
        columns: Sequence[str] = (),
        empty: str = "",
        wraps: bool = False,
        picture: int = SWATCH,
    ) -> None:
        super().__init__()
        self._wraps = wraps
        self._code: Hashable = None
        """The code of the entry that was chosen last; it may be gone (``code``)."""
        self._concerns: Callable[[Any], bool] = _concerns_all
        """Returns whether the entries depend on a change, given what its signal has told."""
        self._is_refreshing = False
        """True while the list is filled again: the user chooses nothing then."""
        self._is_split_by_hand = False
        """True once the user has moved the line between list and form."""
        self._operations: list[tuple[Operation, QToolButton]] = []
        """The operations, each with its button."""
        self.buttons: dict[str, QToolButton] = {}
        """The button of each operation, by its text."""
        self.model = EntryModel(columns, self.draw_picture, self)
        self.list = described(QTreeView(), title, tip)
        self.search = described(QLineEdit(), "Search for a name")
        self.form = CommittedForm()
        self.below_form = WrappingRow()
        """The row below the form with the buttons of operations ``of_form``."""
        self._timer = QTimer(self, singleShot=True)
        self._set_up_list(columns, empty, picture)
        self._lay_out(has_list=bool(title))
        connect(self._timer.timeout, self.refresh)
        connect(self.search.textChanged, self.refresh)
        connect(self.list.selectionModel().currentChanged, self._on_current)
        connect(self.list.clicked, self._use_chosen)
        connect(self.list.doubleClicked, self.edit_first_field)
        connect(self.form.committed, self._commit)

    def _set_up_list(self, columns: Sequence[str], empty: str, picture: int) -> None:
        view = self.list
        view.setModel(self.model)
        view.setItemDelegate(_EntryItems(view))
        view.setIconSize(QSize(picture, picture))
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(not self._wraps)
        view.setWordWrap(self._wraps)
        view.setAlternatingRowColors(self._wraps)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.installEventFilter(self)
        header = view.header()
        header.setHidden(not columns)
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        if self._wraps:  # rows of another width have another height
            connect(header.sectionResized, lambda *_sizes: view.doItemsLayout())
        if empty:
            EmptyState(view, empty)
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)

    def _lay_out(self, *, has_list: bool) -> None:
        self._bar = WrappingRow()
        self._upper = QWidget()
        upper = lay_out(QVBoxLayout(self._upper), (self.list, 1), margins=0, spacing=4)
        upper.insertWidget(0, self.search)  # behind the list for the Tab key
        self._lower_body = QWidget()
        lay_out(QVBoxLayout(self._lower_body), self.form, self.below_form, 1, margins=(0, 4, 6, 0))
        self._lower = scrolled(self._lower_body)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._upper)
        self._splitter.addWidget(self._lower)
        self._upper.setVisible(has_list)
        if has_list:
            self.setFocusProxy(self.list)
        connect(self._splitter.splitterMoved, self._on_split_by_hand)
        lay_out(QVBoxLayout(self), self._bar, (self._splitter, 1), margins=4)

    # --- what a subclass says ---------------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        """Return the entries as they are now; one where the editor has no list."""
        return (Entry(0, ("",)),)

    def settings_of(self, code: Any) -> Form:
        """Return the settings of an entry's form, and their values; no settings for no form."""
        raise NotImplementedError

    def change(self, code: Any, name: str, value: object) -> bool:
        """Give a setting of an entry another value, None for *not set*.

        Return whether that was done or is under way; else the form shows the old value again.
        """
        raise NotImplementedError

    def is_offered(self) -> bool:
        """Return whether there is something to edit now; else nothing else is asked."""
        return True

    def on_entry_shown(self, code: Any) -> None:
        """Show more of the chosen entry than its form, None for no entry."""

    def on_entry_chosen(self, code: Any) -> None:
        """Use an entry that the user has chosen in the list, for what comes next."""

    def draw_picture(self, code: Any) -> QPixmap:
        """Return the picture of an entry that has a ``picture_key``."""
        raise NotImplementedError

    def offer(self, *operations: Operation) -> None:
        """Add operations, with their buttons in this order."""
        for operation in operations:
            button = tool_button(operation.text, operation.tip)
            button.setAutoRaise(not operation.of_form)
            if operation.fill_menu is not None:
                menu = QMenu(button)
                connect(menu.aboutToShow, partial(operation.fill_menu, menu))
                button.setMenu(menu)
                button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            else:
                connect(button.clicked, partial(self._operate, operation))
            if operation.of_form:
                self.below_form.addWidget(button)
            else:
                self._bar.addWidget(button)
            self._operations.append((operation, button))
            self.buttons[operation.text] = button

    def follow(
        self,
        changed: SignalInstance,
        replaced: SignalInstance,
        concerns: Callable[[Any], bool] | None = None,
    ) -> None:
        """Refresh the entries after these signals: of changes, and of another map or the like.

        ``concerns`` gets the argument of ``changed``, and returns whether the entries depend on
        that change; None: they always do.
        """
        if concerns is None:
            connect(changed, self.refresh_soon)
        else:
            self._concerns = concerns
            connect(changed, self._on_change)
        connect(replaced, self.refresh_all)

    def _on_change(self, region: object) -> None:
        if self._concerns(region):
            self.refresh_soon()

    # --- showing ----------------------------------------------------------------------------

    @property
    def code(self) -> Any:
        """The code of the chosen entry, None if none is."""
        if self.model.row_of(self._code) < 0:
            return None
        return self._code

    @property
    def is_up_to_date(self) -> bool:
        """True if the list shows the entries as they are now."""
        return not self._timer.isActive()

    def choose(self, code: Hashable) -> None:
        """Choose an entry, as a click on it does; one that the search hides is listed again.

        As long as there are no entries, it is the one to be chosen when there are.
        """
        if self._timer.isActive():
            self.refresh()
        if not self.model.all_entries:
            self._code = code
        if self.model.row_of(code) < 0:
            self.search.clear()
        row = self.model.row_of(code)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row, 0))

    def refresh_soon(self) -> None:
        """Show the entries as they are when the event loop is reached again."""
        self._timer.start()

    def refresh_all(self) -> None:
        """Show entries that have nothing to do with those shown now."""
        self.model.show_entries((), "")
        self.refresh()

    def refresh(self) -> None:
        """Show the entries as they are now.

        The chosen one stays chosen, and if it is gone the one in its place is. Where there are more
        than before, be it by Undo, the first new one is chosen.
        """
        self._timer.stop()
        if not self.is_offered():
            return
        names_before = [entry.name for entry in self.model.all_entries]
        row_before = self.model.row_of(self._code)
        self._is_refreshing = True
        try:
            self.model.show_entries(self.entries(), self.search.text())
            names = [entry.name for entry in self.model.all_entries]
            code = self._code
            if names_before and len(names) > len(names_before):
                code = self.model.all_entries[_first_difference(names_before, names)].code
            row = self.model.row_of(code)
            if row < 0:
                is_hidden = any(entry.code == code for entry in self.model.all_entries)
                best_row = max(row_before, 0)
                if is_hidden:
                    best_row = 0  # the first match of the search
                row = min(best_row, len(self.model.entries) - 1)
            if row >= 0:
                self.list.setCurrentIndex(self.model.index(row, 0))
        finally:
            self._is_refreshing = False
        self.search.setVisible(len(names) > LONG_LIST or bool(self.search.text()))
        self._choose_row(row)

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._is_refreshing:
            self._choose_row(current.row())
            self._use_chosen()

    def _use_chosen(self) -> None:
        if self.code is not None:
            self.on_entry_chosen(self.code)

    def _choose_row(self, row: int) -> None:
        """Take the entry of a row as the chosen one, none for -1, and show its form."""
        if row >= 0:
            self._code = self.model.entries[row].code
        else:
            self._code = None
        if not self._timer.isActive():  # else the entries are others now, and shown at once
            self._show_form()
            self._share_height()

    def _show_form(self) -> None:
        """Show the form of the chosen entry, and which operations it permits."""
        settings: Sequence[Setting] = ()
        values: Mapping[str, object] = {}
        if self._code is not None:
            settings, values = self.settings_of(self._code)
        if not settings and self._has_keyboard(self.form):
            self.list.setFocus()
        self.form.set_settings(settings, values)
        self.show_operations()
        self.on_entry_shown(self._code)
        self._lower.setVisible(bool(settings) or self._upper.isHidden())

    def show_operations(self) -> None:
        """Show which operations can be done now."""
        for operation, button in self._operations:
            why = operation.why_not(self._code)
            if operation.of_form:
                button.setVisible(not why)
            else:
                button.setEnabled(not why)
                tip = why
                if not why:
                    tip = operation.tip
                button.setToolTip(plain_text(tip))

    @staticmethod
    def _has_keyboard(widget: QWidget) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and widget.isAncestorOf(focus)

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        """Make the change of a field; show the old value again if it is refused."""
        if self.code is None:  # the entry is gone, with its map
            return
        is_done = self.change(self.code, name, self.form.values().get(name))
        if not is_done or self._timer.isActive():
            self.refresh()

    def _operate(self, operation: Operation) -> None:
        """Do an operation on the chosen entry, if it can be done now, and show the result."""
        if self._timer.isActive():
            self.refresh()
        if operation.do is None or operation.why_not(self._code):
            return
        if operation.adds:
            self.search.clear()
        count = len(self.model.all_entries)
        operation.do(self._code)
        self.refresh()
        if operation.adds and len(self.model.all_entries) > count:
            self.edit_first_field()

    def edit_first_field(self) -> None:
        """Give the first field of the form the keyboard, with its text selected."""
        if self.form.settings and self.form.isVisible():
            self.form.edit(self.form.settings[0].name)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys in the list: those of operations, Enter for the form, letters that seek a name.

        They are claimed before the menus have them, since letters choose tools.
        """
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        keyed = [operation for operation, _button in self._operations if operation.is_key(event)]
        is_plain = not event.modifiers() & ~PLAIN_MODIFIERS
        is_edit_key = is_plain and event.key() in EDIT_KEYS
        is_letter = is_plain and bool(event.text().strip())
        if event.type() == QEvent.Type.ShortcutOverride and (keyed or is_edit_key or is_letter):
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and keyed:
            self._operate(keyed[0])
            return True
        if event.type() == QEvent.Type.KeyPress and is_edit_key:
            self.edit_first_field()
            return True
        return super().eventFilter(watched, event)

    # --- sizes ------------------------------------------------------------------------------

    def _on_split_by_hand(self) -> None:
        self._is_split_by_hand = True

    def _share_height(self) -> None:
        """Give the list the height of its rows, or what the form leaves of it, at least half.

        Once the user has moved the line between them it stays where it is.
        """
        if self._is_split_by_hand or self._upper.isHidden():
            return
        height = self._splitter.height() - self._splitter.handleWidth()
        height_left = height - self._lower_body.sizeHint().height()
        upper = min(self._list_height(), max(height_left, height // 2))
        self._splitter.setSizes([upper, height - upper])

    def _list_height(self) -> int:
        """Return the height that list and search line need for all rows, in logical pixels."""
        view = self.list
        if self._wraps:
            indexes = [self.model.index(row, 0) for row in range(self.model.rowCount())]
            rows = sum(view.sizeHintForIndex(index).height() for index in indexes)
        else:
            rows = self.model.rowCount() * view.sizeHintForRow(0)
        least = LEAST_ROWS * view.fontMetrics().lineSpacing()
        height = max(rows, least) + 2 * view.frameWidth() + 2
        if not view.header().isHidden():
            height += view.header().sizeHint().height()
        if not self.search.isHidden():
            height += self.search.sizeHint().height() + 4
        return height

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()


def _first_difference(names_before: Sequence[str], names: Sequence[str]) -> int:
    """Return the first position with another name than before; else that after the old names."""
    pairs = zip(names_before, names, strict=False)
    for position, (old_name, name) in enumerate(pairs):
        if old_name != name:
            return position
    return len(names_before)


class _EntryItems(PictureItems):
    """Paints the rows; in a list that wraps texts they are as high as these need."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if not self._view.wordWrap():
            return super().sizeHint(option, index)
        fitted = QStyleOptionViewItem(option)
        fitted.rect = QRect(0, 0, self._view.columnWidth(index.column()), MOST_HEIGHT)
        return super().sizeHint(fitted, index)
