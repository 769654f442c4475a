"""Docks and views that are only for some kinds of maps: they come and go with the current map.

The panel of a period is only for maps of Xconq, that of the dice only for tables of Cordery. When
another kind of map becomes current, docks that are not for it are closed. They open again with the
next map that they are for; a dock that the user has closed does not.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QDockWidget

from app.desk.feature import Feature
from app.desk.right_docks import RightDocks
from app.widgets.layout.views import MiddleViews
from randomizer.model.system.system import System


class DocksForMaps:
    """Opens and closes docks and views by the system of the current map."""

    def __init__(
        self,
        features: Mapping[str, Feature],
        docks: Mapping[str, QDockWidget],
        views: MiddleViews,
        right_docks: RightDocks,
    ) -> None:
        """Begin with all docks suiting the map, whichever it is, until ``open_and_close_for``.

        ``features`` and ``docks`` have the names of docks and views as keys; the caller may add to
        them later.
        """
        self._features = features
        self._docks = docks
        self._views = views
        self._right_docks = right_docks
        self._waiting: set[str] = set()
        """Docks and views that wait for a map that they are for, to open again."""
        self._system: System | None = None
        """The system that the docks suit now, None before ``open_and_close_for``."""
        self._current_of_system: dict[str, str] = {}
        """The dock at the right that was in front when a map of a system was current last.

        The key is the name of the system.
        """

    def suits(self, name: str, system: System) -> bool:
        """Return whether a dock or view is for maps of a system."""
        dock = self._features[name].dock
        assert dock is not None, "only features with docks are here"
        return dock.only_for is None or dock.only_for(system)

    def open_later(self, name: str) -> None:
        """Open a dock, closed now, with the next map that it is for."""
        self._waiting.add(name)

    def open_and_close_for(self, system: System) -> None:
        """Open the docks and views for maps of a system, close those that are not for them.

        What the user closed stays closed. With another system than before, the dock that comes to
        the front is

        - the one that was in front when a map of this system was current last, if it is open; what
          was in front in an earlier session counts, too;
        - else the first one that is opened here;
        - else what is in front stays; if that is closed here, the first open one at the right.
        """
        # Note what is in front before docks are closed, since that brings others to the front.
        current = self._right_docks.current_name()
        if current and self._system is not None:
            self._current_of_system[self._system.name] = current
        is_other_system = system is not self._system
        self._system = system

        self._suit_views(system)
        opened_names = []
        for name, dock in self._docks.items():
            suits = self.suits(name, system)
            dock.toggleViewAction().setVisible(suits)
            if suits and name in self._waiting:
                self._waiting.discard(name)
                self._right_docks.show(name)
                opened_names.append(name)
            elif not suits and self._right_docks.is_open(name):
                self._waiting.add(name)
                self._right_docks.close(name)

        if is_other_system:
            front_name = self._current_of_system.get(system.name, "")
            if self._is_open(front_name):
                self._right_docks.make_current(front_name)
            elif opened_names:
                self._right_docks.make_current(opened_names[0])
            elif current and not self.suits(current, system):
                # Qt would bring any of the tabs to the front, such as the odds, which colour maps.
                self._right_docks.make_first_current()

    def _is_open(self, name: str) -> bool:
        """Return whether there is a dock of this name, and it is open or put aside while open."""
        return name in self._docks and self._right_docks.is_open(name)

    def _suit_views(self, system: System) -> None:
        """Close the views that are not for maps of a system; open those that wait for one again."""
        for name in self._features:
            view = self._views.find_view(name)
            if view is None:
                continue
            suits = self.suits(name, system)
            if suits and name in self._waiting:
                self._waiting.discard(name)
                self._views.open(view)
            elif not suits and view.is_open:
                self._waiting.add(name)
                self._views.close_view(view)

    # --- from one start to the next ---------------------------------------------------------

    def waiting_docks(self) -> str:
        """Return names of the docks that wait for a map of their kind, with blanks between them."""
        return " ".join(sorted(self._waiting & self._docks.keys()))

    def set_waiting_docks(self, names: str) -> None:
        """Set the docks that wait for a map of their kind, as ``waiting_docks`` returned them."""
        self._waiting = set(names.split()) & self._docks.keys()

    def docks_in_front(self) -> str:
        """Return which dock at the right was in front for maps of each system, in one line.

        Such as ``cordery:dice xconq:scenario``.
        """
        pairs = [f"{system}:{name}" for system, name in self._current_of_system.items()]
        return " ".join(sorted(pairs))

    def set_docks_in_front(self, text: str) -> None:
        """Set which dock is in front for maps of each system, as ``docks_in_front`` returned it."""
        for pair in text.split():
            system, _colon, name = pair.partition(":")
            if name in self._docks:
                self._current_of_system[system] = name
