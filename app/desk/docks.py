"""The docks around the map and the views in front of it, by name: ``Docks``.

A *dock* is a frame at a side of the window, a *view* one in front of the map. Either is the place
of one *panel*, which is made later than its place (panel_places.py). What the list of features says
of a dock or view is its *description* (``Dock``).

Other modules have a subject of docks each: where they stand at first (dock_arrangement.py), the
commands that open panels (dock_commands.py), tabs (dock_tabs.py), docks for some kinds of maps only
(docks_for_maps.py), and small windows (dock_room.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.canvas.canvas import MapCanvas
from app.desk.dock_arrangement import arrange_docks, make_dock
from app.desk.dock_room import DockRoom
from app.desk.dock_tabs import DockTabs
from app.desk.docks_for_maps import DocksForMaps
from app.desk.feature import Dock, Feature, PanelPart
from app.desk.panel_places import DockPlace, PanelPlace, ViewPlace
from app.qt_guard import connect
from app.widgets.layout.dock_visibility import can_be_seen
from app.widgets.layout.views import MiddleViews, View

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.desk.panel_keys import PanelKeys


class Docks(QObject):
    """The docks and views of the features by name (``Dock.name``); a view has no ``QDockWidget``.

    A parameter ``name`` is that of a dock or a view; ``docks[name]`` is for docks only. They are
    made empty; ``start_loading`` lets panels be made as they are shown. A panel comes to the front
    in one of these ways:

        show                        without the keyboard
        open                        with the keyboard
        toggle                      as ``open``; one that is in front is closed
        run_opener                  what the command in the menu of its subject does: either of both
        open_at, open_at_part       as ``open``, and one of its buttons is pressed
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
        self._docks: dict[str, QDockWidget] = {}
        """The docks by name; views are not among them."""
        self._places: dict[str, PanelPlace] = {}
        """The places of the panels, docks and views alike, by name."""
        self._names_left_open: set[str] = set()
        """See ``was_left_open``."""
        self.views = MiddleViews(map_widget)
        """The stack of the map and the views, in the middle of the window."""
        self.room = DockRoom(frame, self._docks, self.description_of, self)
        """Puts docks aside in a small window."""
        self.for_maps = DocksForMaps(self._features, self._docks, self.views, self.room.right_docks)
        """The docks and views that are only for some kinds of maps."""
        self._tabs = DockTabs(frame, self._docks, self.description_of, self)
        """Knows which tab was in front before another one."""
        connect(self._tabs.front_changed, self.front_changed)
        self._make_places([feature for feature in features if feature.dock is not None])

    # --- construction -----------------------------------------------------------------------

    def _make_places(self, features: Iterable[Feature]) -> None:
        """Make docks and views without panels, where the features want them."""
        new_docks = []
        closed_names = []
        for feature in features:
            description = _description(feature)
            name = description.name
            self._features[name] = feature
            if description.area == "middle":
                self._add_view(feature)
                continue
            self._add_dock(feature)
            new_docks.append(description)
            suits_map = self.suits_map(name)
            if description.shown and not suits_map:
                self.for_maps.open_later(name)
            if not description.shown or not suits_map:
                closed_names.append(name)
        arrange_docks(self._frame, self._docks, new_docks, closed_names)

    def _add_view(self, feature: Feature) -> None:
        """Make the view of a feature, still without its panel."""
        description = _description(feature)
        view = self.views.add(description.name, description.title)
        place = ViewPlace(feature, self._make_panel, view, self.views, self)
        connect(place.filled, self.filled)
        self._places[description.name] = place

    def _add_dock(self, feature: Feature) -> None:
        """Make the dock of a feature, still without its panel, and at no side of the window."""
        description = _description(feature)
        dock = make_dock(description, self._frame)
        place = DockPlace(feature, self._make_panel, dock, self.room, self)
        connect(place.filled, self.filled)
        connect(place.focus_lost, partial(self._focus, dock))
        self._docks[description.name] = dock
        self._places[description.name] = place

    def add(self, feature: Feature) -> None:
        """Add the dock of one more feature, where the user left it in an earlier session."""
        description = _description(feature)
        name = description.name
        docks_in_front = [dock for dock in self.all() if can_be_seen(dock)]
        self._make_places([feature])
        if description.area == "middle":
            return
        new_dock = self[name]
        if description.shown and self.suits_map(name):
            self.room.right_docks.show(name)
            docks_in_front.append(new_dock)  # the current map has brought it along
        # The new dock has come in front of its tabs: raise again what was in front.
        for dock in docks_in_front:
            dock.raise_()
        # Last, where the user left it counts, as far as Qt knows it from the stored state.
        self._frame.restoreDockWidget(new_dock)

    # --- by name ----------------------------------------------------------------------------

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

    def description_of(self, name: str) -> Dock:
        """Return what the list of features says of a dock or view."""
        return _description(self._features[name])

    def suits_map(self, name: str) -> bool:
        """Return whether there is a dock or view of this name for the current map."""
        if name not in self._features:
            return False
        return self.for_maps.suits(name, self._canvas.document.battlemap.system)

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

    def open(self, name: str) -> None:
        """Bring a panel to the front and give it the keyboard; Escape there gives it back.

        One that colours the map brings the map to the front, where a view may have hidden it.
        """
        if self.description_of(name).colours_map:
            self.views.show_map()
        self._focus(self._places[name].holder)
        self.show(name)

    def toggle(self, name: str) -> None:
        """Bring a panel to the front with the keyboard; close it if it is in front."""
        if self.is_in_front(name):
            self.close(name)
            self.keys.enter_middle()
        else:
            self.open(name)

    def run_opener(self, name: str) -> None:
        """Open a panel by the command of its subject (``Opener``); one in front is closed.

        But panels that are open from the first start on (``Dock.shown``) are never closed so: they
        only get the keyboard.
        """
        if self.description_of(name).shown:
            self.open(name)
        else:
            self.toggle(name)

    def open_at(self, name: str, widget: QWidget) -> None:
        """Open a panel, and press a button of it or give another widget of it the keyboard.

        The panel has the keyboard where the widget cannot be used.
        """
        from app.desk.part_use import PartUse

        self.open(name)
        PartUse(widget).start()

    def open_at_part(self, name: str, part: PanelPart) -> None:
        """Open a panel at one of its parts, as ``open_at`` does."""
        self.open_at(name, attrgetter(part.widget)(self.panel(name)))

    def close(self, name: str) -> None:
        """Close a dock or a view."""
        self._places[name].close()

    def toggle_right_side(self) -> None:
        """Hide the panels at the right, or show them again.

        If the user has closed them all, those are opened that stand there at the first start.
        """
        room = self.room
        if room.is_aside or room.right_docks.has_shown:
            room.toggle_aside()
            return
        for name in self.names:
            description = self.description_of(name)
            if description.area == "right" and description.shown and self.suits_map(name):
                self.show(name)
        room.right_docks.make_first_current()

    def is_in_front(self, name: str) -> bool:
        """Return whether a dock or a view can be seen, not only its tab."""
        return self._places[name].is_in_front()

    def go_back_from(self, name: str) -> None:
        """Bring the tab to the front again that was in front before this panel was opened."""
        self._tabs.raise_previous(name)

    def _focus(self, holder: QDockWidget | View) -> None:
        """Give a dock or view the keyboard."""
        self.keys.enter(holder)

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

    def start_loading(self) -> None:
        """Make panels as they are shown from now on, and show the docks that suit each map.

        It is called once the window is restored: until then Qt moves and shows docks. Most docks
        have got their panels by then; views, and docks of ``Feature.when_shown``, get them now.
        """
        document = self._canvas.document
        connect(document.map_replaced, self._show_docks_for_map)
        connect(document.map_replaced, self.views.show_map)
        self.start_loading_of(*self._features)

    def start_loading_of(self, *names: str) -> None:
        """Make these panels as they are shown, as ``start_loading`` does for all."""
        for name in names:
            view = self.views.find_view(name)
            if view is None:
                self._watch_dock(name)
            else:
                self.keys.watch_view(view)
                connect(view.visible_changed, self._places[name].load_if_visible)
        self.front_changed.emit()
        self._show_docks_for_map()

    def was_left_open(self, name: str) -> bool:
        """Return whether a dock was open at the start of the session.

        Only docks whose panels are made when they are shown (``Feature.when_shown``) can be.
        """
        return name in self._names_left_open

    def _watch_dock(self, name: str) -> None:
        """Follow a dock; begin to make its panel when it is shown, or now if it is open."""
        dock = self[name]
        place = self._places[name]
        self.keys.watch(dock)
        self._tabs.watch(name)
        if self._features[name].when_shown:
            connect(dock.visibilityChanged, place.load_if_visible)
            if not dock.isHidden():
                self._names_left_open.add(name)
                place.load()

    def _show_docks_for_map(self) -> None:
        """Show the docks for the current map, and load the panels that roll it."""
        self.for_maps.open_and_close_for(self._canvas.document.battlemap.system)
        for name, place in self._places.items():
            if self.description_of(name).rolls and self.suits_map(name):
                place.load()


def _description(feature: Feature) -> Dock:
    """Return the description of the dock or view of a feature that has one."""
    assert feature.dock is not None, "only features with docks are here"
    return feature.dock
