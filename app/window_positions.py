"""Restores and stores the window's size, and the positions of its docks and tool bars.

They are restored in two steps, since the tool bars are made after the first picture, and Qt places
only what is there::

    restore_first   before the window is shown: its size, and the docks
    restore_again   when the tool bars are made: these, too
    store           when the window closes

Positions that crash the program would do so at each start. So a note in the settings says that they
are being restored, until all of them are (``Settings.mark_restoring_places``); a start that finds
the note of the one before leaves the positions out.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QMainWindow

from app.desk.desk import Desk
from app.desk.side_widths import USUAL_WINDOW
from app.widgets.layout.dialog_layout import bounded_by_screen

SIZE = QSize(USUAL_WINDOW, 860)
"""The size of the window at its first start, unless the screen is smaller."""


class WindowPositions:
    """The positions of one window, from its start to its end."""

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        self._window = window
        self._settings = desk.settings
        self._docks = desk.docks

    def restore_first(self) -> None:
        """Restore size and docks of the last session, or choose them for the screen."""
        self._settings.mark_restoring_places()
        # For the first start; what is stored replaces both.
        self._window.resize(bounded_by_screen(SIZE, self._window))
        self._docks.room.use_widths()
        geometry = self._settings.window_bytes("geometry")
        if not geometry.isEmpty():
            self._window.restoreGeometry(geometry)
        self.restore_again()

    def restore_again(self) -> None:
        """Restore the positions of docks and of the tool bars that are made by now."""
        state = self._settings.window_bytes("state")
        if state.isEmpty():
            self._docks.room.fit(self._window.size())
            # At once: ``fit`` does it later, and the map would be painted for two widths.
            self._docks.room.use_widths()
            return
        self._window.restoreState(state)
        self._docks.for_maps.set_waiting_docks(self._settings.closed_docks)
        self._docks.for_maps.set_docks_in_front(self._settings.front_docks)
        self._docks.room.fit_restored(self._window.size())

    def store(self) -> None:
        """Store size and positions in the settings, for the next start."""
        from app.document.sample import sample_map

        # Docks are stored where they are in a roomy window, and beside the map with which the next
        # start begins: ``restore_again`` and the next map put them away again.
        self._docks.room.bring_back()
        self._docks.for_maps.open_and_close_for(sample_map().system)
        settings = self._settings
        settings.closed_docks = self._docks.for_maps.waiting_docks()
        settings.front_docks = self._docks.for_maps.docks_in_front()
        settings.set_window_bytes("geometry", self._window.saveGeometry())
        settings.set_window_bytes("state", QByteArray(self._window.saveState()))
        settings.mark_places_restored()  # also if the window closes before the start is over
