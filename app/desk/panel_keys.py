"""The keyboard's way between the map and the panels: it is always where one can see it."""

from __future__ import annotations

from functools import partial

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
"""A panel is put into a dock, or is there already and shown for the first time."""

_SHIFT_OR_KEYPAD = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class PanelKeys(QObject):
    """Moves the focus in a window with panels.

    A panel that is opened or whose tab is clicked gets the focus, one that is hidden or put behind
    another tab loses it to the map, Tab goes round all that can be seen, and Escape leads back to
    the map. A click on a tab never leads into a field, where keys for the map would go astray.
    """

    def __init__(self, frame: QMainWindow, canvas: QWidget, views: MiddleViews) -> None:
        super().__init__(frame)
        self._frame = frame
        self._canvas = canvas
        self._views = views
        self._dock_to_enter: QDockWidget | View | None = None
        """The dock or view whose panel gets the focus as soon as it is made and can be seen."""
        self._enters_fields = True
        """True if a field of that panel may get the focus."""
        connect(views.front_changed, self.enter_middle)
        self._timer = QTimer(self, singleShot=True, interval=0)
        connect(self._timer.timeout, self._enter)

    def watch(self, dock: QDockWidget) -> None:
        """Let Escape lead from this dock to the map, and keep the focus out while it is hidden."""
        dock.installEventFilter(self)
        connect(dock.visibilityChanged, partial(self._on_visible, dock))

    def watch_view(self, view: View) -> None:
        """Let Escape in this view close it, and keep its keys from the map, which it covers."""
        view.installEventFilter(self)

    def watch_tabs(self, tabs: QTabBar) -> None:
        """Let a click on a tab of docks bring the focus into the dock."""
        connect(tabs.tabBarClicked, partial(self._on_clicked, tabs))

    def enter(self, dock: QDockWidget | View) -> None:
        """Give the panel of a dock or view the focus, as soon as it is made and can be seen."""
        self._enters_fields = True
        self._dock_to_enter = dock
        self._timer.start()

    def enter_middle(self) -> None:
        """Give the focus to what stands in the middle of the window: the map, or a view."""
        view = self._views.front_view
        if view is None:
            self._canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            view.setFocus()  # until its panel can have it
            self.enter(view)

    def leave(self) -> None:
        """Escape: close the view that has the focus, or give the focus to the middle of the window.

        From a line that completes what is typed the focus goes to its panel first: who closes a
        list of words by one Escape too many is not to paint with the next Enter.
        """
        focus = QApplication.focusWidget()
        if isinstance(focus, LanguageField):
            panel = focus.parentWidget()
            while panel is not None and panel.focusProxy() is None:
                panel = panel.parentWidget()
            if panel is not None:
                panel.setFocus()
                return
        view = self._views.front_view
        if view is not None and focus is not None and (focus is view or view.isAncestorOf(focus)):
            self._views.close_view(view)
        self._frame.activateWindow()  # the dock may float
        self.enter_middle()

    def move(self, *, forward: bool) -> bool:
        """Give the next widget that Tab can reach the focus; False if there is none.

        If the widget that had it is hidden (its dock was closed), the map gets it, or the view in
        front of it.
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
        """Escape in a dock is what nothing in its panel wanted; panels come after their docks."""
        if event.type() in _PANEL_COMES and watched is self._dock_to_enter:
            self._timer.start()
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(watched, View):
            if isinstance(event, QKeyEvent) and _is_key_of_map(event):
                event.accept()  # so that it is no shortcut of a tool
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._dock_to_enter = None
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        return super().eventFilter(watched, event)

    def _on_clicked(self, tabs: QTabBar, index: int) -> None:
        if QApplication.mouseButtons() != Qt.MouseButton.LeftButton:
            return
        title = tabs.tabText(index)  # Qt does not say which dock a tab stands for
        for dock in self._frame.findChildren(QDockWidget):
            if dock.windowTitle() == title and not dock.isHidden() and not dock.isFloating():
                self.enter(dock)
                self._enters_fields = False

    def _on_visible(self, dock: QDockWidget, visible: bool) -> None:
        """Enter a dock that was waited for; lead the keyboard out of one that was hidden."""
        if not isValid(self._frame):  # the window goes, and hides its docks last
            return
        if visible and dock is self._dock_to_enter:
            self._timer.start()
        focus = self._frame.focusWidget()
        is_inside = focus is not None and dock.isAncestorOf(focus)
        if is_inside and not visible and not self._frame.isMinimized():
            self.enter_middle()

    def _enter(self) -> None:
        dock = self._dock_to_enter
        panel = None if dock is None else dock.widget()
        if dock is None or panel is None:
            return
        if isinstance(dock, QDockWidget):
            can_enter = can_be_seen(dock)
        else:
            can_enter = dock.isVisible()
        if not can_enter:
            return
        self._dock_to_enter = None
        self._widget_to_enter(panel).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _widget_to_enter(self, panel: QWidget) -> QWidget:
        """Return what had the focus in a panel last, else its main part, else its first stop.

        It is the panel itself if nothing in it takes the focus (yet), and the map instead of a
        panel that has only fields where these may not get it.
        """
        last = panel.focusWidget()
        if last is not None and self._is_stop(last) and self._may_enter(last):
            return last
        main_part = panel.focusProxy()
        is_usable = main_part is not None and main_part.isVisible() and main_part.isEnabled()
        if main_part is not None and is_usable and self._may_enter(main_part):
            return main_part
        has_fields = False
        stop = next_in_focus_chain(panel, forward=True)
        while stop is not None and stop is not panel:
            if panel.isAncestorOf(stop) and self._is_stop(stop):
                if self._may_enter(stop):
                    return stop
                has_fields = True
            stop = next_in_focus_chain(stop, forward=True)
        if has_fields:
            return self._canvas
        return panel

    def _may_enter(self, widget: QWidget) -> bool:
        """Return whether a widget may get the focus of the panel that is entered."""
        return self._enters_fields or not is_field(widget)

    def _is_stop(self, widget: QWidget) -> bool:
        """Return whether Tab may stop at a widget of the window, or of a dock that floats.

        Docks behind other tabs, and tabs that are not used, are visible for Qt: it moves them out
        of the window.
        """
        takes_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        if not takes_tab or widget.focusProxy() is not None:
            return False
        if not widget.isEnabled() or not widget.isVisible():
            return False
        window = widget.window()
        part = widget  # becomes the part of the window that the widget is in
        while (parent := part.parentWidget()) is not None and parent is not window:
            part = parent
        return part is window or window.rect().intersects(part.geometry())


def _is_key_of_map(event: QKeyEvent) -> bool:
    """Return whether a key alone is one by which tools work on the map: a sign or Delete."""
    if event.modifiers() & ~_SHIFT_OR_KEYPAD:
        return False
    return event.key() == Qt.Key.Key_Delete or (event.text().isprintable() and event.text() != "")
