"""The docks at the right side of the window, which can be *put aside*: hidden for the time being.

They are put aside as a whole and brought back as a whole, so that the map has more of the window::

    right_docks.put_aside()             # hides the script, the layers and the history
    right_docks.is_open("history")      # True: it comes back with the others
    right_docks.close("history")        # now it does not
    right_docks.bring_back()            # shows the script and the layers

A dock that floats is a window of its own: it is at no side, and stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.widgets.layout.dock_visibility import can_be_seen


@dataclass
class _DocksAside:
    """The docks that are put aside, as long as they are."""

    names: list[str]
    """Those that are shown again when they are brought back, in the order of the features."""

    front_name: str
    """The one of them that comes to the front then; "" if it does not matter which."""


class RightDocks(QObject):
    """Puts the docks at the right aside and brings them back; docks come and go meanwhile."""

    aside_changed = Signal()
    """The docks were put aside or brought back (``is_aside``)."""

    def __init__(
        self, frame: QMainWindow, docks: Mapping[str, QDockWidget], parent: QObject
    ) -> None:
        """Watch over those docks of the window ``frame`` that stand at the right.

        ``docks`` are all of its docks by name, in the order of the features; the caller may add
        more later, and the user may move them to another side.
        """
        super().__init__(parent)
        self._frame = frame
        self._docks = docks
        self._aside: _DocksAside | None = None
        """What was put aside; None while nothing is."""

    @property
    def is_aside(self) -> bool:
        """True while the docks are put aside."""
        return self._aside is not None

    @property
    def has_shown(self) -> bool:
        """True if a dock at the right is open and not put aside, be it a tab behind another."""
        return any(self._is_at_right(dock) and not dock.isHidden() for dock in self._docks.values())

    def put_aside(self) -> None:
        """Hide the docks until ``bring_back``; does nothing if they are put aside already."""
        if self._aside is not None:
            return
        names = []
        for name, dock in self._docks.items():
            if self._is_at_right(dock) and not dock.isHidden():
                names.append(name)
        # Noted before the first one is hidden, which brings another one to the front.
        self._aside = _DocksAside(names, front_name=self.current_name())
        for name in names:
            self._docks[name].hide()
        self.aside_changed.emit()

    def bring_back(self) -> None:
        """Show the docks that were put aside; does nothing if none were."""
        aside = self._aside
        if aside is None:
            return
        self._aside = None
        for name in aside.names:
            self._docks[name].show()
        # Each dock that is shown comes in front of its tabs: raise the one that was there.
        if aside.front_name:
            self._docks[aside.front_name].raise_()
        elif aside.names:
            self._docks[aside.names[0]].raise_()
        self.aside_changed.emit()

    def forget_aside(self) -> None:
        """Forget that docks were put aside, without showing any: Qt has shown them by itself."""
        if self._aside is not None:
            self._aside = None
            self.aside_changed.emit()

    def current_name(self) -> str:
        """Return the name of the dock at the right that can be seen, "" if none can.

        While the docks are put aside it is the one that comes to the front when they are back.
        """
        if self._aside is not None:
            return self._aside.front_name
        for name, dock in self._docks.items():
            if self._is_at_right(dock) and can_be_seen(dock):
                return name
        return ""

    def _is_at_right(self, dock: QDockWidget) -> bool:
        """Return whether a dock stands at the right side; one that floats does not."""
        area = self._frame.dockWidgetArea(dock)
        return area == Qt.DockWidgetArea.RightDockWidgetArea and not dock.isFloating()

    # --- docks that come and go, also while they are put aside ------------------------------
    #
    # ``name`` is that of any dock. One at the left side is shown and closed at once.

    def show(self, name: str) -> None:
        """Show a dock, or let it come back with the others that are put aside."""
        dock = self._docks[name]
        if self._aside is not None and self._is_at_right(dock):
            if name not in self._aside.names:
                self._aside.names.append(name)
        else:
            dock.show()

    def is_open(self, name: str) -> bool:
        """Return whether a dock is open, or comes back with those that are put aside."""
        return self._is_put_aside(name) or not self._docks[name].isHidden()

    def close(self, name: str) -> None:
        """Close a dock; it does not come back with those that are put aside."""
        if self._aside is not None and name in self._aside.names:
            self._aside.names.remove(name)
            if self._aside.front_name == name:
                self._aside.front_name = ""
        self._docks[name].hide()

    def make_current(self, name: str) -> None:
        """Bring a dock to the front, now or when it comes back with the others.

        Nothing happens if it is closed.
        """
        if not self._docks[name].isHidden():
            self._docks[name].raise_()
        elif self._aside is not None and name in self._aside.names:
            self._aside.front_name = name

    def make_first_current(self) -> None:
        """Bring the first open dock at the right to the front, as ``make_current`` does."""
        for name, dock in self._docks.items():
            if self._is_at_right(dock) and self.is_open(name):
                self.make_current(name)
                return

    def _is_put_aside(self, name: str) -> bool:
        """Return whether a dock is shown when those that are put aside are brought back."""
        return self._aside is not None and name in self._aside.names
