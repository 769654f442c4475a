"""Moves the keyboard focus between the map and the panels, so that it can always be seen.

The window has the map in its *middle*. A panel is in a dock beside it, or in a *view* (``View``),
which covers the map. A panel is often made only after its dock is opened: so ``enter`` notes that
its panel is to get the focus (``_Entry``), and ``_try_to_enter`` does so as soon as it is possible.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

from app.qt_guard import connect, guarded
from app.widgets.forms.field_input import is_field
from app.widgets.forms.language_field import LanguageField
from app.widgets.layout.dock_visibility import can_be_seen
from app.widgets.layout.focus_chain import next_in_focus_chain
from app.widgets.layout.views import MiddleViews, View

_PANEL_COMES = (QEvent.Type.ChildAdded, QEvent.Type.ChildPolished)
"""The events of a dock when its panel is put into it, and when that is first shown."""

_SHIFT_OR_KEYPAD = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
"""The modifiers with which a key still types a character."""


class _Entry(NamedTuple):
    """A focus that waits: for the panel of a dock or view to be made, and to be visible."""

    frame: QDockWidget | View
    """The dock or view that holds the panel."""

    may_enter_fields: bool
    """False after a click on its tab: keys for the map would go astray in a field."""


class PanelKeys(QObject):
    """Moves the focus in a window with panels.

    - A panel that is opened, or whose tab is clicked, gets the focus. A click on a tab never leads
      into a field, where keys for the map would go astray.
    - A panel that is hidden, or put behind another tab, loses the focus to the map.
    - Tab goes round all widgets that can be seen.
    - Escape leads back to the map.
    """

    def __init__(self, frame: QMainWindow, canvas: QWidget, views: MiddleViews) -> None:
        super().__init__(frame)
        self._frame = frame
        self._canvas = canvas
        self._views = views
        self._entry: _Entry | None = None
        """What is to get the focus; None if nothing is, or it has got it."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        """Enters the dock in the next turn of the event loop, when Qt has shown it."""
        connect(self._timer.timeout, self._try_to_enter)
        connect(views.front_changed, self.enter_middle)

    def watch(self, dock: QDockWidget) -> None:
        """Let Escape lead from a dock to the map, and move the focus out when it is hidden."""
        dock.installEventFilter(self)
        connect(dock.visibilityChanged, partial(self._on_visible, dock))

    def watch_view(self, view: View) -> None:
        """Let Escape close a view, and keep keys that are typed in it from the covered map."""
        view.installEventFilter(self)

    def watch_tabs(self, tabs: QTabBar) -> None:
        """Let a click on a tab of docks bring the focus into the dock."""
        connect(tabs.tabBarClicked, partial(self._on_clicked, tabs))

    def enter(self, frame: QDockWidget | View, *, may_enter_fields: bool = True) -> None:
        """Give the panel of a dock or view the focus, as soon as it is made and can be seen."""
        self._entry = _Entry(frame, may_enter_fields)
        self._timer.start()

    def _is_to_enter(self, watched: QObject) -> bool:
        """Return whether this is the dock or view that is to get the focus."""
        return self._entry is not None and watched is self._entry.frame

    def enter_middle(self) -> None:
        """Give the focus to what stands in the middle of the window: the map, or a view."""
        view = self._views.front_view
        if view is None:
            self._canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            view.setFocus()  # until its panel can have it
            self.enter(view)

    def leave(self) -> None:
        """Do what Escape does: close the view with the focus, and give the middle the focus.

        From a ``LanguageField``, which lists completions, the focus goes to its panel first: a
        person who closes that list by one Escape too many is not to paint with the next Enter.
        """
        focus = QApplication.focusWidget()
        if isinstance(focus, LanguageField):
            panel = _panel_around(focus)
            if panel is not None:
                panel.setFocus()
                return
        view = self._views.front_view
        if view is not None and focus is not None and (focus is view or view.isAncestorOf(focus)):
            self._views.close_view(view)
        self._frame.activateWindow()  # the dock may float
        self.enter_middle()

    def move(self, *, forward: bool) -> bool:
        """Give the focus to the next widget that Tab can reach; return False if there is none.

        With ``forward`` False it is the previous one. If the widget that had the focus is hidden,
        as its dock was closed, the middle of the window gets the focus.
        """
        focus = self._frame.focusWidget()
        if focus is not None and not focus.isVisible():
            self.enter_middle()
            return True
        start = focus or self._frame
        stop = next_in_focus_chain(start, forward=forward)
        while stop is not None and stop is not start:
            if self._is_stop(stop):
                reason = Qt.FocusReason.TabFocusReason
                if not forward:
                    reason = Qt.FocusReason.BacktabFocusReason
                stop.setFocus(reason)
                return True
            stop = next_in_focus_chain(stop, forward=forward)
        return False

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the events of watched docks and views.

        A key that arrives here was used by no widget of the panel.
        """
        if event.type() in _PANEL_COMES and self._is_to_enter(watched):
            self._timer.start()
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(watched, View):
            if isinstance(event, QKeyEvent) and _is_key_of_map(event):
                event.accept()  # so that it is no shortcut of a tool
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            # A person types in a panel: the focus must not jump to another one now.
            self._entry = None
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        return super().eventFilter(watched, event)

    def _on_clicked(self, tabs: QTabBar, index: int) -> None:
        """Enter the dock whose tab was clicked, but none of its fields."""
        if QApplication.mouseButtons() != Qt.MouseButton.LeftButton:
            return
        # Qt does not say which dock a tab stands for; no two docks have the same title.
        title = tabs.tabText(index)
        for dock in self._frame.findChildren(QDockWidget):
            if dock.windowTitle() == title and not dock.isHidden() and not dock.isFloating():
                self.enter(dock, may_enter_fields=False)

    def _on_visible(self, dock: QDockWidget, visible: bool) -> None:
        """Enter a dock as soon as it can be seen; move the focus out of one that was hidden."""
        if not isValid(self._frame):  # the window goes, and hides its docks last
            return
        if visible and self._is_to_enter(dock):
            self._timer.start()
        focus = self._frame.focusWidget()
        is_inside = focus is not None and dock.isAncestorOf(focus)
        if is_inside and not visible and not self._frame.isMinimized():
            self.enter_middle()

    def _try_to_enter(self) -> None:
        """Give the focus to the panel of the dock that was to be entered, if that is possible now.

        If it is not, an event of the dock (``_PANEL_COMES``) or ``_on_visible`` tries again.
        """
        entry = self._entry
        if entry is None:
            return
        frame = entry.frame
        panel = frame.widget()
        if panel is None:
            return
        if isinstance(frame, QDockWidget):
            can_enter = can_be_seen(frame)
        else:
            can_enter = frame.isVisible()
        if not can_enter:
            return
        self._entry = None
        widget = self._widget_to_enter(panel, may_enter_fields=entry.may_enter_fields)
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _widget_to_enter(self, panel: QWidget, *, may_enter_fields: bool) -> QWidget:
        """Return the widget that gets the focus when a panel is entered.

        In this order: the widget that had the focus last, the panel's focus proxy, the first widget
        that Tab can reach. Fields are passed over unless ``may_enter_fields``; if the panel has
        nothing but fields then, it is the map. If nothing in the panel takes the focus, it is the
        panel itself.
        """

        def may_enter(widget: QWidget) -> bool:
            return may_enter_fields or not is_field(widget)

        last_focus = panel.focusWidget()
        if last_focus is not None and self._is_stop(last_focus) and may_enter(last_focus):
            return last_focus
        proxy = panel.focusProxy()
        if proxy is not None and proxy.isVisible() and proxy.isEnabled() and may_enter(proxy):
            return proxy
        stops = self._stops_in(panel)
        for stop in stops:
            if may_enter(stop):
                return stop
        if stops:  # nothing but fields, which may not be entered
            return self._canvas
        return panel

    def _stops_in(self, panel: QWidget) -> list[QWidget]:
        """Return the widgets of a panel that Tab can reach, in its order."""
        stops = []
        widget = next_in_focus_chain(panel, forward=True)
        while widget is not None and widget is not panel:
            if panel.isAncestorOf(widget) and self._is_stop(widget):
                stops.append(widget)
            widget = next_in_focus_chain(widget, forward=True)
        return stops

    def _is_stop(self, widget: QWidget) -> bool:
        """Return whether Tab may stop at a widget of the window, or of a dock that floats.

        ``isVisible`` is not enough: Qt keeps docks behind other tabs, and tab bars that are not
        used, visible and moves them out of the window. So the part of the window that the widget is
        in also has to lie within the window.
        """
        takes_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        if not takes_tab or widget.focusProxy() is not None:
            return False
        if not widget.isEnabled() or not widget.isVisible():
            return False
        window = widget.window()
        part = _part_of_window(widget)
        return part is window or window.rect().intersects(part.geometry())


def _part_of_window(widget: QWidget) -> QWidget:
    """Return the child of the window that a widget is in, such as a dock; the window for itself."""
    window = widget.window()
    part = widget
    parent = part.parentWidget()
    while parent is not None and parent is not window:
        part = parent
        parent = part.parentWidget()
    return part


def _panel_around(field: QWidget) -> QWidget | None:
    """Return the panel that a field is in: its nearest parent with a focus proxy; None for none."""
    panel = field.parentWidget()
    while panel is not None and panel.focusProxy() is None:
        panel = panel.parentWidget()
    return panel


def _is_key_of_map(event: QKeyEvent) -> bool:
    """Return whether tools on the map would use a key: one that types a character, or Delete.

    A key with Ctrl or Alt is none: it is a shortcut of the window.
    """
    if event.modifiers() & ~_SHIFT_OR_KEYPAD:
        return False
    if event.key() == Qt.Key.Key_Delete:
        return True
    return event.text() != "" and event.text().isprintable()
