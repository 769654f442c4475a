"""The editor of entries: a list, a form of the chosen entry, and what can be done with entries.

    [Add] [Remove] [Up]       the operations (entry_operations.py)
    Search
    | Brook           |       the list (entry_list.py), with its model (entry_model.py)
    | *Main road*     |
    Name   [Main road]        the form of the chosen entry
    Colour [#c0a080  ]

A subclass says what its entries are, what a form asks of one, and what a changed field and each
operation do; all else is the same for every list of the desk::

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
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import described, lay_out, plain_text, scrolled, tool_button
from app.widgets.layout.wrapping_row import WrappingRow
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.entry_list import EntryList
from app.widgets.lists.entry_model import SWATCH, Entry, EntryModel
from app.widgets.lists.entry_operations import Operation
from randomizer.model.settings.setting import Setting

Form = tuple[Sequence[Setting], Mapping[str, object]]
"""The settings that a form asks for, and the values that it shows, by their names."""

LONG_LIST = 12
"""The number of entries above which a list has a line to search for a name."""

PLAIN_MODIFIERS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
"""Modifiers with which a letter is still a letter."""

EDIT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
"""The keys in the list that go to the first field of the form."""

SEARCH_GAP = 4
"""The space between the search line and the list, in logical pixels."""


class EntryEditor(QWidget):
    """A list of entries, and below it the form of the chosen one.

    ``title`` is the name of the list. With "" there is none: the editor is only the form of its
    single entry (``has_list``). ``columns`` are the headings of several columns. ``empty`` is the
    text that a list without entries shows. With ``wraps`` a name can take several lines.
    ``picture_width`` is that of the pictures beside the names, in logical pixels.
    """

    def __init__(
        self,
        title: str = "",
        tip: str = "",
        *,
        columns: Sequence[str] = (),
        empty: str = "",
        wraps: bool = False,
        picture_width: int = SWATCH,
    ) -> None:
        super().__init__()
        self._wanted_code: Hashable = None
        """The code of the entry that was chosen last, None for none.

        It may not be listed: it can be gone meanwhile, or still to come, if it was chosen while the
        list was empty (``choose``). ``code`` is the one to work with.
        """
        self._concerns: Callable[[Any], bool] | None = None
        """Returns whether the entries depend on a change (``follow``); None before it is known."""
        self._is_refreshing = False
        """True while ``refresh`` sets the rows: then a new current row is not the user's choice."""
        self._is_split_by_hand = False
        """True once the user has moved the line between list and form."""
        self._operations: list[tuple[Operation, QToolButton]] = []
        """The operations, each with its button."""
        self.buttons: dict[str, QToolButton] = {}
        """The button of each operation, by its text."""
        self.model = EntryModel(columns, self.draw_picture, self)
        self.list = EntryList(self.model, columns, wraps=wraps, picture_width=picture_width)
        described(self.list, title, tip)
        self.list.installEventFilter(self)
        if empty:
            EmptyState(self.list, empty)
        self.search = described(QLineEdit(), "Search for a name")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.form = CommittedForm()
        self.below_form = WrappingRow()
        """Stands below the form: operations on its entry."""
        self._timer = QTimer(self, singleShot=True)
        """Runs while the entries have changed and are not shown yet (``refresh_soon``)."""
        self.has_list = bool(title)
        """False for an editor that is only the form of its single entry."""
        self._lay_out()
        connect(self._timer.timeout, self.refresh)
        # ``refresh`` reads the text and the handlers the current row: what signals carry is unused.
        connect(self.search.textChanged, lambda _text: self.refresh())
        connect(self.list.selectionModel().currentChanged, self._on_current)
        connect(self.list.clicked, lambda _index: self._use_chosen())
        connect(self.list.doubleClicked, lambda _index: self.edit_first_field())
        connect(self.form.committed, self._commit)

    def _lay_out(self) -> None:
        """Lay out the bar of buttons, and below it the list over the form.

        Without a list the form has all of the height.
        """
        self._bar = WrappingRow()
        """The buttons of the operations on the list."""
        self._upper = QWidget()
        upper = lay_out(QVBoxLayout(self._upper), (self.list, 1), margins=0, spacing=SEARCH_GAP)
        upper.insertWidget(0, self.search)  # added last: the Tab key comes to it after the list
        self._lower_body = QWidget()
        lay_out(QVBoxLayout(self._lower_body), self.form, self.below_form, 1, margins=(0, 4, 6, 0))
        self._lower = scrolled(self._lower_body)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._upper)
        self._splitter.addWidget(self._lower)
        self._upper.setVisible(self.has_list)
        if self.has_list:
            self.setFocusProxy(self.list)
        connect(self._splitter.splitterMoved, self._on_split_by_hand)
        lay_out(QVBoxLayout(self), self._bar, (self._splitter, 1), margins=4)

    # --- what a subclass overrides ----------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        """Return the entries as they are now; one where the editor has no list."""
        return (Entry(0, ("",)),)

    def settings_of(self, code: Any) -> Form:
        """Return the settings that the form asks for of an entry, and their values."""
        raise NotImplementedError

    def change(self, code: Any, name: str, value: object) -> bool:
        """Give a setting of an entry another value, None for *not set*.

        Return whether that was done or is under way; else the form shows the old value again.
        """
        raise NotImplementedError

    def is_offered(self) -> bool:
        """Return whether there is something to edit now; else no other method here is called."""
        return True

    def on_entry_shown(self, code: Any) -> None:
        """Show more of the chosen entry than its form, None for no entry."""

    def on_entry_chosen(self, code: Any) -> None:
        """Use an entry that the user has chosen in the list, for what comes next."""

    def draw_picture(self, code: Any) -> QPixmap:
        """Return the picture of an entry that has a ``picture_key``."""
        raise NotImplementedError

    # --- what a subclass calls when it is made ----------------------------------------------

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
        """Show the entries again after each signal.

        ``changed`` tells of a change of some entries, ``replaced`` that all are others now.
        ``concerns`` gets the value that ``changed`` is emitted with, and returns whether the
        entries depend on it; without ``concerns`` they always do.
        """
        if concerns is None:
            connect(changed, self.refresh_soon)
        else:
            self._concerns = concerns
            connect(changed, self._on_change)
        connect(replaced, self.refresh_all)

    def _on_change(self, region: object) -> None:
        """Show the entries anew if they depend on what has changed."""
        assert self._concerns is not None, "follow() sets it before it connects this"
        if self._concerns(region):
            self.refresh_soon()

    # --- showing ----------------------------------------------------------------------------

    @property
    def code(self) -> Any:
        """The code of the chosen entry; None if none is, or if it is not in the list any more."""
        if self.model.row_of(self._wanted_code) < 0:
            return None
        return self._wanted_code

    @property
    def is_up_to_date(self) -> bool:
        """True if what is shown is what the entries are now; else a refresh is due."""
        return not self._timer.isActive()

    def choose(self, code: Hashable) -> None:
        """Choose an entry, as a click on it does; one that the search hides is listed again.

        If the list is empty now, the entry is chosen once it is in the list.
        """
        if not self.is_up_to_date:
            self.refresh()
        if not self.model.all_entries:
            self._wanted_code = code
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
        """Show the entries as they are now, and the form of the chosen one.

        The chosen entry stays chosen; if it is gone, the one in its row is chosen. If there are
        more entries than before, also by Undo, the first new one is chosen.
        """
        self._timer.stop()
        if not self.is_offered():
            return
        old_names = [entry.name for entry in self.model.all_entries]
        old_row = self.model.row_of(self._wanted_code)
        self._is_refreshing = True
        try:
            self.model.show_entries(self.entries(), self.search.text())
            row = self._row_to_choose(self._code_to_choose(old_names), old_row)
            if row >= 0:
                self.list.setCurrentIndex(self.model.index(row, 0))
        finally:
            self._is_refreshing = False
        is_long = len(self.model.all_entries) > LONG_LIST
        self.search.setVisible(is_long or bool(self.search.text()))
        self._choose_row(row)

    def _code_to_choose(self, old_names: Sequence[str]) -> Hashable:
        """Return the code of the entry that is to be chosen among the new ones.

        It is the first new one if there are more than before, whose names were ``old_names``; else
        the one that was chosen before, which can be gone. Of entries that are listed for the first
        time none is new.
        """
        entries = self.model.all_entries
        if not old_names or len(entries) <= len(old_names):
            return self._wanted_code
        names = [entry.name for entry in entries]
        return entries[_first_difference(old_names, names)].code

    def _row_to_choose(self, code: Hashable, old_row: int) -> int:
        """Return the row of an entry, or the one to choose instead; -1 if there are no rows.

        ``old_row`` is the row that was chosen among the former entries, -1 for none.
        """
        row = self.model.row_of(code)
        if row >= 0:
            return row
        last_row = len(self.model.entries) - 1
        is_hidden_by_search = any(entry.code == code for entry in self.model.all_entries)
        if is_hidden_by_search:
            return min(0, last_row)  # the first match of the search, if there is any
        # The entry is gone: the one in its row is chosen, so that Delete removes one by one.
        return min(max(old_row, 0), last_row)

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Choose the entry of the row that the user has gone to, and use it."""
        if not self._is_refreshing:
            self._choose_row(current.row())
            self._use_chosen()

    def _use_chosen(self) -> None:
        """Tell the subclass that the user has chosen the present entry, if there is one."""
        if self.code is not None:
            self.on_entry_chosen(self.code)

    def _choose_row(self, row: int) -> None:
        """Make the entry of a row the chosen one, and show its form; -1 chooses none."""
        self._wanted_code = None
        if row >= 0:
            self._wanted_code = self.model.entries[row].code
        # If a refresh is due the entry may be gone: the refresh shows the form then.
        if self.is_up_to_date:
            self._show_form()
            self._share_height()

    def _show_form(self) -> None:
        """Show the form of the chosen entry, and which operations it permits.

        A form without settings is hidden, and gives the keyboard to the list; where there is no
        list, an empty form stays.
        """
        settings: Sequence[Setting] = ()
        values: Mapping[str, object] = {}
        if self._wanted_code is not None:
            settings, values = self.settings_of(self._wanted_code)
        if not settings and self._has_keyboard(self.form):
            self.list.setFocus()
        self.form.set_settings(settings, values)
        self.show_operations()
        self.on_entry_shown(self._wanted_code)
        self._lower.setVisible(bool(settings) or not self.has_list)

    def show_operations(self) -> None:
        """Show which operations can be done now."""
        for operation, button in self._operations:
            why = operation.why_not(self.code)
            if operation.of_form:
                button.setVisible(not why)
            else:
                button.setEnabled(not why)
                button.setToolTip(plain_text(why or operation.tip))

    @staticmethod
    def _has_keyboard(widget: QWidget) -> bool:
        """Return whether a widget inside another has the keyboard."""
        focus = QApplication.focusWidget()
        return focus is not None and widget.isAncestorOf(focus)

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        """Give the setting ``name`` of the chosen entry the value that the form has for it."""
        if self.code is None:  # what was listed has gone, with its map
            return
        is_done = self.change(self.code, name, self.form.values().get(name))
        if not is_done or not self.is_up_to_date:
            self.refresh()

    def _operate(self, operation: Operation) -> None:
        """Do an operation with the chosen entry, if it can be done, and show the result."""
        if not self.is_up_to_date:
            self.refresh()  # the chosen entry may be gone
        if operation.do is None or operation.why_not(self.code):
            return
        if operation.adds:
            self.search.clear()
        count = len(self.model.all_entries)
        operation.do(self.code)
        self.refresh()
        if operation.adds and len(self.model.all_entries) > count:
            self.edit_first_field()

    def edit_first_field(self) -> None:
        """Give the first field of the form the keyboard, with its text selected."""
        if self.form.settings and self.form.isVisible():
            self.form.edit(self.form.settings[0].name)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys in the list: those of operations, Enter and F2 for the form.

        Letters seek a name, which the list does itself. All of these are claimed before the menus
        have them, since letters choose tools.
        """
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        operations = [
            operation for operation, _button in self._operations if operation.is_key(event)
        ]
        is_plain = not event.modifiers() & ~PLAIN_MODIFIERS
        is_edit_key = is_plain and event.key() in EDIT_KEYS
        is_letter = is_plain and bool(event.text().strip())
        if event.type() == QEvent.Type.ShortcutOverride:
            if operations or is_edit_key or is_letter:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress:
            if operations:
                self._operate(operations[0])
                return True
            if is_edit_key:
                self.edit_first_field()
                return True
        return super().eventFilter(watched, event)

    # --- sizes ------------------------------------------------------------------------------

    def _on_split_by_hand(self) -> None:
        """Leave the heights to the user from now on."""
        self._is_split_by_hand = True

    def _share_height(self) -> None:
        """Give the list the height of its rows, or what the form leaves of it, at least half.

        Once the user has moved the line between them it stays where it is.
        """
        if self._is_split_by_hand or not self.has_list:
            return
        height = self._splitter.height() - self._splitter.handleWidth()
        height_left = height - self._lower_body.sizeHint().height()
        list_height = self.list.needed_height()
        if not self.search.isHidden():
            list_height += self.search.sizeHint().height() + SEARCH_GAP
        upper = min(list_height, max(height_left, height // 2))
        self._splitter.setSizes([upper, height - upper])

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()


def _first_difference(old_names: Sequence[str], names: Sequence[str]) -> int:
    """Return the first position at which another name stands than before.

    If all old names stand where they stood, it is the position behind them.
    """
    for position, (old_name, name) in enumerate(zip(old_names, names, strict=False)):
        if old_name != name:
            return position
    return len(old_names)
