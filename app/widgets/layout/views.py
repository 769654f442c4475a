"""The middle of the window: the map, and views that cover it while they are in front.

``MiddleViews`` is the stack of all of them, ``View`` one page of it, which has a panel. A view is
*open* while it has a tab, and *in front* while it is the page that is seen.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from app.qt_guard import guarded
from app.widgets.layout.builders import lay_out, scrolled


class View(QWidget):
    """A page in the middle of the window, for one panel, which is made when it is first needed."""

    open_changed = Signal(bool)
    """The view has a tab from now on, or has none any more."""

    visible_changed = Signal(bool)
    """The view stands in front now, or does so no longer."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.is_open = False
        """True while the view has a tab; set by ``MiddleViews`` alone."""
        self._panel: QWidget | None = None
        lay_out(QVBoxLayout(self), margins=0)

    def widget(self) -> QWidget | None:
        """Return the panel, None while it is not made."""
        return self._panel

    def set_widget(self, panel: QWidget) -> None:
        """Put the panel into the view."""
        self._panel = panel
        layout = self.layout()
        assert layout is not None, "it was made with one"
        # In a narrow window a panel scrolls instead of making the window wider.
        area = scrolled(panel)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        layout.addWidget(area)
        area.show()
        # The layout would show it in a later turn, and until then it could not have the focus.
        panel.show()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Tell that the view has come to the front."""
        super().showEvent(event)
        self.visible_changed.emit(True)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Tell that something else stands in front."""
        super().hideEvent(event)
        self.visible_changed.emit(False)


class MiddleViews(QStackedWidget):
    """The map and the views, one of them in front.

    The tabs that choose among them belong to the files' feature, which lists the open maps.
    """

    changed = Signal()
    """Other views are open, or another page is in front."""

    front_changed = Signal()
    """The page that had the keyboard was replaced by another page, which is to get it."""

    def __init__(self, map_widget: QWidget) -> None:
        super().__init__()
        self.map_page = QWidget()
        """The page of the map; what floats beside the map is a child of this page."""
        lay_out(QVBoxLayout(self.map_page), (map_widget, 1), margins=0, spacing=0)
        self.addWidget(self.map_page)
        self._views: dict[str, View] = {}
        """All views by name, open or not."""
        self._open_views: list[View] = []
        """The views that have a tab, in the order in which they were opened."""

    def add(self, name: str, title: str) -> View:
        """Add a view that is closed at first."""
        view = View(name, title)
        self._views[name] = view
        self.addWidget(view)
        return view

    def find_view(self, name: str) -> View | None:
        """Return the view with this name, None if there is none."""
        return self._views.get(name)

    @property
    def open_views(self) -> tuple[View, ...]:
        """The views that have a tab, the one that was opened last at the end."""
        return tuple(self._open_views)

    @property
    def front_view(self) -> View | None:
        """The view in front; None if the map is."""
        page = self.currentWidget()
        if isinstance(page, View):
            return page
        return None

    def open(self, view: View) -> None:
        """Give a view a tab; what stands in front stays there."""
        if not view.is_open:
            self._open_views.append(view)
            view.is_open = True
            view.open_changed.emit(True)
            self.changed.emit()

    def show_view(self, view: View) -> None:
        """Open a view and bring it to the front."""
        self.open(view)
        self._bring_forward(view)

    def show_map(self) -> None:
        """Bring the map to the front; open views keep their tabs."""
        self._bring_forward(self.map_page)

    def close_view(self, view: View) -> None:
        """Close a view; if it was in front, the map comes there."""
        if not view.is_open:
            return
        if self.currentWidget() is view:
            self.show_map()
        self._open_views.remove(view)
        view.is_open = False
        view.open_changed.emit(False)
        self.changed.emit()

    def _bring_forward(self, page: QWidget) -> None:
        """Bring a page to the front, and emit that.

        If the page before it had the keyboard, ``front_changed`` asks its listener to give it to a
        widget of the new page.
        """
        if self.currentWidget() is page:
            return
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and self.isAncestorOf(focus)
        if had_keyboard:
            self.setFocus()  # else Qt gives it to the first field of the page
        self.setCurrentWidget(page)
        if had_keyboard:
            self.front_changed.emit()
        self.changed.emit()
