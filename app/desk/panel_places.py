"""The places of panels: a *dock* at a side of the window, or a *view* in front of the map.

Each feature with a panel has one ``PanelPlace``, made at the start of the program and still empty.
The panel comes later, in three turns of the event loop, so that the window answers in between:

1. The dock or view is shown: ``load`` imports the panel's code, off the UI thread.
2. The code is there: the panel is made.
3. The panel is put into its dock or view; ``filled`` is emitted.

``panel`` does all of that at once, for callers that need the panel now.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from app.desk.dock_room import DockRoom
from app.desk.feature import Dock, Feature
from app.qt_guard import connect, later
from app.widgets.layout.dock_visibility import can_be_seen
from app.widgets.layout.views import MiddleViews, View

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from randomizer.generator_run import Progress


class PanelPlace(QObject):
    """The dock or the view of one panel, and the panel as soon as it is made."""

    filled = Signal(QWidget)
    """The panel was put into its place."""

    def __init__(
        self,
        feature: Feature,
        make: Callable[[Feature], QWidget],
        holder: QDockWidget | View,
        parent: QObject,
    ) -> None:
        """Begin without a panel; ``make`` makes that of a feature.

        ``holder`` is the dock or view that the panel is put into.
        """
        super().__init__(parent)
        assert feature.dock is not None, "only features with a dock have a place"
        self._description: Dock = feature.dock
        """What the list of features says of the dock or view."""
        self.holder = holder
        """The dock or view itself."""
        self._feature = feature
        self._make = make
        self._panel: QWidget | None = None
        """The panel; None as long as it is not made."""
        self._is_placed = False
        """True once the panel is in its dock or view, where it stays."""
        self._is_loading = False
        """True while a job imports the panel's code."""

    # --- what a dock and a view do differently ----------------------------------------------

    def show(self) -> None:
        """Bring the dock or view to the front, without the keyboard."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the dock or view; the panel stays in it."""
        raise NotImplementedError

    def is_in_front(self) -> bool:
        """Return whether the dock or view can be seen, not only its tab."""
        raise NotImplementedError

    def _insert(self, panel: QWidget) -> None:
        """Put the panel into the dock or view."""
        raise NotImplementedError

    # --- the panel --------------------------------------------------------------------------

    def find_panel(self) -> QWidget | None:
        """Return the panel that is in its place, None if there is none yet."""
        if self._is_placed:
            return self._panel
        return None

    def panel(self) -> QWidget:
        """Return the panel that is in its place; make it and put it there if it is not yet."""
        panel = self._make_once()
        self._place_once()
        return panel

    def fill(self, panel: QWidget) -> None:
        """Put a panel that was made elsewhere into its place."""
        self._panel = panel
        self._is_placed = True
        self._insert(panel)
        self.filled.emit(panel)

    def load(self) -> None:
        """Begin to make the panel, unless that has begun: first a job imports its code."""
        if self._panel is not None or self._is_loading:
            return
        from app.background.jobs import Job

        self._is_loading = True
        module = self._feature.module

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> None:
            # What fails here fails again when the panel is made, on the UI thread, and is reported
            # there.
            with suppress(Exception):
                import_module(module)

        job = Job(work)
        connect(job.finished, self._on_loaded)
        job.start()

    def load_if_visible(self, is_visible: bool) -> None:
        """Begin to make the panel if its dock or view was shown."""
        if is_visible:
            self.load()

    def _on_loaded(self) -> None:
        """Make the panel, unless its dock was closed meanwhile; place it in the next turn."""
        # If making it fails, the next ``load`` tries again.
        self._is_loading = False
        if self._panel is not None:
            return  # somebody needed it at once (``panel``)
        # A panel that rolls maps works while it is closed, too.
        if self._description.rolls or not self.holder.isHidden():
            self._make_once()
            later(self, self._place_once)

    def _make_once(self) -> QWidget:
        """Return the panel; make it if it is not made yet, still without a place."""
        if self._panel is None:
            panel = self._make(self._feature)
            # A window that closes before the panel is placed deletes it with its dock.
            panel.setParent(self.holder)
            self._panel = panel
        return self._panel

    def _place_once(self) -> None:
        """Put the panel that was made into its place, unless it is there."""
        if self._panel is not None and not self._is_placed:
            self.fill(self._panel)


class DockPlace(PanelPlace):
    """The place of a panel in a dock."""

    focus_lost = Signal()
    """The stand-in of the panel had the focus, and has been replaced by the panel."""

    def __init__(
        self,
        feature: Feature,
        make: Callable[[Feature], QWidget],
        dock: QDockWidget,
        room: DockRoom,
        parent: QObject,
    ) -> None:
        """Begin without a panel; ``room`` keeps the widths of the sides when docks change."""
        super().__init__(feature, make, dock, parent)
        self._dock = dock
        self._room = room

    def show(self) -> None:
        """Bring the dock to the front of its tabs."""
        if self._dock.isHidden():
            self._room.preserve_widths()
        self._dock.show()
        self._dock.raise_()

    def close(self) -> None:
        """Hide the dock."""
        self._room.preserve_widths()
        self._dock.hide()

    def is_in_front(self) -> bool:
        """Return whether the dock is open and in front of its tabs."""
        return can_be_seen(self._dock)

    def _insert(self, panel: QWidget) -> None:
        had_focus = self._dock.window().focusWidget() is self._dock.widget()
        self._room.preserve_widths()
        self._dock.setWidget(panel)
        self._room.share_height_soon(self._description.name)
        if had_focus:
            # The stand-in got it when the dock was entered. It goes now, and Qt would hand the
            # focus to any widget that comes after it.
            self.focus_lost.emit()


class ViewPlace(PanelPlace):
    """The place of a panel in a view, in the middle of the window."""

    def __init__(
        self,
        feature: Feature,
        make: Callable[[Feature], QWidget],
        view: View,
        views: MiddleViews,
        parent: QObject,
    ) -> None:
        """Begin without a panel; ``views`` is the stack that the view is a page of."""
        super().__init__(feature, make, view, parent)
        self._view = view
        self._views = views

    def show(self) -> None:
        """Bring the view in front of the map."""
        self._views.show_view(self._view)

    def close(self) -> None:
        """Close the view."""
        self._views.close_view(self._view)

    def is_in_front(self) -> bool:
        """Return whether the view stands in front of the map."""
        return self._view.isVisible()

    def _insert(self, panel: QWidget) -> None:
        self._view.set_widget(panel)
