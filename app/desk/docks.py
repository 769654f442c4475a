"""The docks around the map and the views in front of it: where they stand, and how they are shown.

A *dock* is a frame at a side of the window, a *view* one in front of the map; either is the place
of one *panel* (panel_places.py, which tells when a panel is made). ``Docks`` knows the places by
name. Four subjects have modules of their own: the commands that open panels (dock_commands.py),
tabs (dock_tabs.py), docks for some kinds of maps only (docks_for_maps.py), and small windows
(dock_room.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget
from shiboken6 import isValid

from app.canvas.canvas import MapCanvas
from app.desk.dock_room import DockRoom
from app.desk.dock_tabs import DockTabs
from app.desk.docks_for_maps import DocksForMaps
from app.desk.feature import Dock, Feature, PanelPart
from app.desk.panel_dock import PanelDock, StandIn
from app.desk.panel_places import DockPlace, PanelPlace, ViewPlace
from app.desk.side_widths import MIN_LEFT, MIN_RIGHT
from app.qt_guard import connect
from app.widgets.layout.dock_visibility import can_be_seen
from app.widgets.layout.views import MiddleViews, View

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.desk.panel_keys import PanelKeys


class _Side(NamedTuple):
    """A side of the window at which docks stand."""

    area: Qt.DockWidgetArea

    min_width: int
    """The width of a dock that has no panel yet, in logical pixels."""


_SIDES = {
    "left": _Side(Qt.DockWidgetArea.LeftDockWidgetArea, MIN_LEFT),
    "right": _Side(Qt.DockWidgetArea.RightDockWidgetArea, MIN_RIGHT),
}
"""The sides by the value of ``Dock.area``; what stands in the "middle" is a ``View``."""


class Docks(QObject):
    """The docks and views of the features by name (``Dock.name``); a view has no ``QDockWidget``.

    A parameter ``name`` is that of a dock or a view; ``docks[name]`` is for docks only. They are
    made empty; once the window is restored, ``watch_all`` lets panels be made as they are shown. A
    panel comes to the front in one of these ways:

        show             without the keyboard
        open             with the keyboard
        open_or_close    as ``open``; one that is in front is closed
        run_opener       what the command in the menu of its subject does: one of the two above
        use, use_part    as ``open``, and one of its buttons is pressed
    """

    filled = Signal(QWidget)
    """A panel has been put into its dock or view."""

    front_changed = Signal()
    """Another panel is in front of its tabs, or one was opened or closed."""

    def __init__(
        self,
        frame: QMainWindow,
        canvas: MapCanvas,
        map_widget: QWidget,
        features: Iterable[Feature],
        make: Callable[[Feature], QWidget],
    ) -> None:
        """Make the docks and views of ``features``, still without panels.

        ``map_widget`` holds the canvas and stands in the middle of the window; ``make`` makes the
        panel of a feature.
        """
        super().__init__(frame)
        self._frame = frame
        self._canvas = canvas
        self._make_panel = make
        self._features: dict[str, Feature] = {}
        """The features that have a dock or view, by the name of that."""
        for feature in features:
            if feature.dock is not None:
                self._features[feature.dock.name] = feature
        self._docks: dict[str, QDockWidget] = {}
        """The docks by name; views are not among them."""
        self.views = MiddleViews(map_widget)
        """The stack of the map and the views, in the middle of the window."""
        self._places: dict[str, PanelPlace] = {}
        """The places of the panels, docks and views alike, by name."""
        self.room = DockRoom(frame, self._docks, self.row_of, self)
        """Puts docks aside in a small window."""
        self.left_open: set[str] = set()
        """The docks that the last session left open, of those whose panels are made when shown."""
        self.for_maps = DocksForMaps(self._features, self._docks, self.views, self.room.right_docks)
        """The docks and views that are only for some kinds of maps."""
        self._tabs = DockTabs(frame, self._docks, self.row_of)
        """Knows which tab was in front before another one."""
        self._make_docks([self.row_of(name) for name in self._features])

    def add(self, feature: Feature) -> None:
        """Add the dock of one more feature, where the user left it in an earlier session."""
        assert feature.dock is not None
        docks_in_front = [dock for dock in self.all() if can_be_seen(dock)]
        self._features[feature.dock.name] = feature
        self._make_docks([feature.dock])
        if feature.dock.area == "middle":
            return
        added = self[feature.dock.name]
        if feature.dock.shown and self.suits_map(feature.dock.name):
            self.room.right_docks.show(feature.dock.name)
            docks_in_front.append(added)  # the current map has brought it along
        # The new dock has come in front of its tabs: raise again what was in front.
        for dock in docks_in_front:
            dock.raise_()
        self._frame.restoreDockWidget(added)  # to where the user left it

    def _make_docks(self, docks: list[Dock]) -> None:
        """Make docks and views without panels, where the features want them.

        Qt's calls depend on each other, so each stage is one pass over all docks.
        """
        frame = self._frame
        rows = []
        for row in docks:
            if row.area == "middle":
                view = self.views.add(row.name, row.title)
                feature = self._features[row.name]
                self._add_place(ViewPlace(feature, self._make_panel, view, self.views, self))
            else:
                rows.append(row)

        for row in rows:
            dock = PanelDock(row.title, frame)
            dock.setObjectName(row.name)
            side = _SIDES[row.area]
            dock.setWidget(StandIn(side.min_width))
            self._docks[row.name] = dock
            frame.addDockWidget(side.area, dock)
            feature = self._features[row.name]
            place = DockPlace(feature, self._make_panel, dock, self.room, self)
            connect(place.focus_lost, partial(self._enter, dock))
            self._add_place(place)

        # Hide docks before they become tabs: Qt would leave the tab of one that is hidden later.
        for row in rows:
            suits = self.suits_map(row.name)
            if row.shown and not suits:
                self.for_maps.open_later(row.name)
            if not row.shown or not suits:
                self[row.name].hide()

        # Stack docks before there are tabs: Qt would make a dock below a tab one of the tabs.
        for row in rows:
            if row.below:
                frame.splitDockWidget(self[row.below], self[row.name], Qt.Orientation.Vertical)

        # Make tabs, and bring the dock to the front that the others are tabbed with.
        for row in rows:
            if row.tabbed_with:
                frame.tabifyDockWidget(self[row.tabbed_with], self[row.name])
        for row in rows:
            if row.tabbed_with:
                self[row.tabbed_with].raise_()

        # The sides reach down to the lower edge of the window, beside what is below the map.
        frame.setCorner(Qt.Corner.BottomLeftCorner, _SIDES["left"].area)
        frame.setCorner(Qt.Corner.BottomRightCorner, _SIDES["right"].area)

    def _add_place(self, place: PanelPlace) -> None:
        """Add a place that was made, and tell when its panel comes."""
        self._places[place.row.name] = place
        connect(place.filled, self.filled)

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def all(self) -> list[QDockWidget]:
        """Return every dock, in the order of the features; views are not among them."""
        return list(self._docks.values())

    def view(self, name: str) -> View:
        """Return a view in the middle of the window. Raises KeyError for the name of a dock."""
        view = self.views.find_view(name)
        if view is None:
            raise KeyError(name)
        return view

    @property
    def names(self) -> list[str]:
        """The names of all docks and views, in the order of the features."""
        return list(self._features)

    def suits_map(self, name: str) -> bool:
        """Return whether there is a dock or view of this name for the current map."""
        if name not in self._features:
            return False
        return self.for_maps.suits(name, self._canvas.document.battlemap.system)

    def row_of(self, name: str) -> Dock:
        """Return the row of a dock or view in the list of features."""
        dock = self._features[name].dock
        assert dock is not None, "only features with docks are here"
        return dock

    # --- showing ----------------------------------------------------------------------------

    @cached_property
    def keys(self) -> PanelKeys:
        """Moves the keyboard focus between the map and the panels.

        It is made when it is first needed, after the first picture, and with it the ring around
        the widget that has the focus.
        """
        from app.desk.panel_keys import PanelKeys
        from app.widgets.layout.focus_ring import FocusRing

        FocusRing(self._frame)  # a child of the window, which owns it
        return PanelKeys(self._frame, self._canvas, self.views)

    def show(self, name: str) -> None:
        """Bring a dock or a view to the front."""
        self._places[name].show()

    def close(self, name: str) -> None:
        """Close a dock or a view."""
        self._places[name].close()

    def is_in_front(self, name: str) -> bool:
        """Return whether a dock or a view can be seen, not only its tab."""
        return self._places[name].is_in_front()

    def run_opener(self, name: str) -> None:
        """Open a panel; one that is in front is closed.

        But panels that are open from the first start on (``Dock.shown``) are never closed so: they
        only get the keyboard.
        """
        if self.row_of(name).shown:
            self.open(name)
        else:
            self.open_or_close(name)

    def open_or_close(self, name: str) -> None:
        """Bring a panel to the front with the keyboard; close it if it is in front."""
        if self.is_in_front(name):
            self.close(name)
            self.keys.enter_middle()
        else:
            self.open(name)

    def open(self, name: str) -> None:
        """Bring a panel to the front and give it the keyboard; Escape there gives it back.

        One that colours the map brings the map to the front, where a view may have hidden it.
        """
        if self.row_of(name).colours_map:
            self.views.show_map()
        self._enter(self._places[name].holder)
        self.show(name)

    def _enter(self, holder: QDockWidget | View) -> None:
        """Give a dock or view the keyboard."""
        self.keys.enter(holder)

    def use_part(self, name: str, part: PanelPart) -> None:
        """Open a panel, and press its part or give that the keyboard, as ``use`` does."""
        self.use(name, attrgetter(part.widget)(self.panel(name)))

    def use(self, name: str, widget: QWidget) -> None:
        """Open a panel, and press a button of it or give another widget of it the keyboard.

        The panel has the keyboard where the widget cannot be used.
        """
        from app.desk.part_use import PartUse

        self.open(name)
        PartUse(widget).start()

    def go_back_from(self, name: str) -> None:
        """Bring the tab to the front again that was in front before this panel was opened."""
        self._tabs.raise_previous(name)

    def _note_tab(self, name: str, visible: bool) -> None:
        """Note that a dock has come to the front of its tabs, or is no longer there."""
        if not isValid(self._frame):  # the window goes, and hides its docks last
            return
        # A floating dock is a window of its own and has no tabs.
        if not self[name].isFloating():
            self._tabs.note_visibility(name, visible)
            self.front_changed.emit()

    def _on_floating(self, name: str, floats: bool) -> None:
        """Bring back the previous tab when a dock leaves its tabs for a window of its own."""
        if floats:
            self._tabs.raise_previous(name)

    # --- panels -----------------------------------------------------------------------------

    def fill(self, name: str, panel: QWidget) -> None:
        """Put a panel that was made elsewhere into its dock or view."""
        self._places[name].fill(panel)

    def find_panel(self, name: str) -> QWidget | None:
        """Return the panel that is in a dock or view, None if there is none yet.

        The dock of a feature of an installed package comes some time after the window.
        """
        place = self._places.get(name)
        if place is None:
            return None
        return place.find_panel()

    def panel(self, name: str) -> QWidget:
        """Return the panel that is in a dock or view; make it and put it there if it is not yet."""
        return self._places[name].panel()

    def watch_all(self) -> None:
        """Make panels when they are shown from now on, and show the docks that suit each map."""
        connect(self._canvas.document.map_replaced, self._suit_map)
        connect(self._canvas.document.map_replaced, self.views.show_map)
        self.watch(*self._features)

    def watch(self, *names: str) -> None:
        """Make these panels as they are shown from now on, and show the docks that suit the map.

        Most docks have got their panels at the start; those of ``Feature.when_shown``, and of
        views, begin to be made when they are shown. Until this call Qt may move and show docks, as
        when it restores the window, without effect here.
        """
        for name in names:
            view = self.views.find_view(name)
            if view is None:
                self._watch_dock(name)
            else:
                self.keys.watch_view(view)
                connect(view.visible_changed, self._places[name].load_if_visible)
        self.front_changed.emit()
        self._suit_map()

    def _watch_dock(self, name: str) -> None:
        """Follow a dock, and begin to make its panel when it is shown, or now if it is open."""
        dock = self[name]
        self.keys.watch(dock)
        if not dock.isFloating():
            self._tabs.note_visibility(name, visible=True)
        connect(dock.visibilityChanged, partial(self._note_tab, name))
        connect(dock.topLevelChanged, partial(self._on_floating, name))
        if self._features[name].when_shown:
            connect(dock.visibilityChanged, self._places[name].load_if_visible)
            if not dock.isHidden():
                self.left_open.add(name)
                self._places[name].load()

    def _suit_map(self) -> None:
        """Show the docks for the current map, and load the panels that roll it."""
        self.for_maps.open_and_close_for(self._canvas.document.battlemap.system)
        for name in self._features:
            if self.row_of(name).rolls and self.suits_map(name):
                self._places[name].load()
