"""The docks around the map and the views in front of it: where they stand, and their panels.

A panel is made in three turns of the event loop, so that the window answers in between: a dock is
shown and the panel's code is loaded off the UI thread (``_on_visible``, ``_load``); the panel is
made (``_loaded``, ``_make``); it is put into the dock (``_place``). ``panel`` does all at once, for
callers that need it now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QMainWindow, QWidget
from shiboken6 import isValid

from app.appearance.icons import icon
from app.canvas.canvas import MapCanvas
from app.desk.dock_room import DockRoom
from app.desk.feature import Dock, Feature, Opener, PanelPart
from app.desk.side_widths import LEAST_LEFT, LEAST_RIGHT
from app.qt_guard import connect, guarded, later
from app.widgets.layout.dock_visibility import can_be_seen
from app.widgets.layout.views import MiddleViews, View
from randomizer.model.system.system import System

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.commands.commands import Command
    from app.desk.panel_keys import PanelKeys
    from randomizer.generator import Progress

HEIGHT = 600
"""The height that a panel at a side asks for, in logical pixels.

Docks above each other share the height of the window in the ratio of what they ask for.
"""

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
}
"""The sides of the window; what stands in its middle is a ``View``."""

LEAST_WIDTHS = {"left": LEAST_LEFT, "right": LEAST_RIGHT}
"""The width of a dock without a panel, by its side, in logical pixels."""


class TabGroup(NamedTuple):
    """Docks that stand at one place of the window as tabs."""

    area: Qt.DockWidgetArea
    """The side of the window."""

    first: str
    """The name of the dock that the others are tabbed with."""


BUTTON_ICONS = {"qt_dockwidget_floatbutton": "float", "qt_dockwidget_closebutton": "close"}
"""Our icons of the buttons in the title of a dock, by the names that Qt gives these."""


class PanelDock(QDockWidget):
    """A dock with our icons in its title: those of Qt's style are dark in a dark theme, too."""

    def __init__(self, title: str, frame: QMainWindow) -> None:
        super().__init__(title, frame)
        # Qt sets its own icons whenever a dock is taken out of the window or put back.
        connect(self.topLevelChanged, lambda _floating: self._draw_buttons())
        self._draw_buttons()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._draw_buttons()

    def _draw_buttons(self) -> None:
        for button_name, icon_name in BUTTON_ICONS.items():
            button = self.findChild(QAbstractButton, button_name)
            assert button is not None, "each dock has it"
            button.setIcon(icon(icon_name))


class _StandIn(QWidget):
    """A stand-in for a panel that is not made yet; it gives the dock the height of the panel."""

    def __init__(self, least_width: int) -> None:
        super().__init__()
        self.setMinimumWidth(least_width)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), HEIGHT)


class Docks(QObject):
    """The docks and views of the features by name (``Dock.name``); a view has no ``QDockWidget``.

    Where a name is asked for it may be that of either, if nothing else is said.
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
        self._panels: dict[str, QWidget] = {}
        """The panels in their docks and views, by the name of these."""
        self._unplaced: dict[str, QWidget] = {}
        """Panels that are made but not in their docks yet."""
        self.room = DockRoom(frame, self._docks, self._dock_row, self)
        self._loading: set[str] = set()
        """The docks whose panels' code is being loaded."""
        self._closed_for_map: set[str] = set()
        """Docks and views that ``suit`` closed as they are not for the current map.

        They open again with a map that they are for; those that the user closed do not.
        """
        self._system: System | None = None
        """The system that the docks suit now, None before ``suit``."""
        self._current_tabs: dict[TabGroup, str] = {}
        """The dock that is in front of each group of tabs, or was last."""
        self._previous_tabs: dict[str, str] = {}
        """For each dock that came to the front, the dock that was in front until then."""
        self._current_of_system: dict[str, str] = {}
        """The dock at the right that was in front when a map of a system was current last, by the
        name of the system."""
        self._make_docks([self._dock_row(name) for name in self._features])

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
            self.room.show_for_map(feature.dock.name)
            docks_in_front.append(added)  # the current map has brought it along
        # The new dock has come in front of its tabs; of these the last one raised is in front.
        for dock in docks_in_front:
            dock.raise_()
        self._frame.restoreDockWidget(added)

    def _make_docks(self, docks: list[Dock]) -> None:
        """Make docks and views without panels, where the features want them.

        Qt's calls depend on each other, so each stage is one pass over all docks.
        """
        frame = self._frame
        rows = []
        for row in docks:
            if row.area == "middle":
                self.views.add(row.name, row.title)
            else:
                rows.append(row)

        for row in rows:
            dock = PanelDock(row.title, frame)
            dock.setObjectName(row.name)
            dock.setWidget(_StandIn(LEAST_WIDTHS[row.area]))
            self._docks[row.name] = dock
            frame.addDockWidget(AREAS[row.area], dock)

        # Hide docks before they become tabs: Qt would leave the tab of one that is hidden later.
        for row in rows:
            suits = self.suits_map(row.name)
            if row.shown and not suits:
                self._closed_for_map.add(row.name)
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

        frame.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
        frame.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])

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

    def commands(self, *names: str) -> list[Command]:
        """Return the commands of the named docks and views; of all if none is named.

        Each has one that shows and hides it, one for each part of its panel, and perhaps an opener.
        """
        names = names or tuple(self._features)
        commands = [self._visibility_command(name) for name in names]
        for name in names:
            row = self._dock_row(name)
            if row.opener is not None:
                commands.append(self._opener_command(name, row.opener))
            commands += [self._part_command(name, part) for part in row.parts]
        return commands

    def _visibility_command(self, name: str) -> Command:
        """Return the command that shows a dock, or hides it if it is in front."""
        from app.commands.commands import Change, Command

        row = self._dock_row(name)
        return Command(
            f"panel.{name}",
            row.title,
            partial(self.open_or_close, name),
            "Bring this panel to the front, with the keyboard; close it if it is in front",
            checked=partial(self.is_in_front, name),
            offered=partial(self.suits_map, name),
            words=row.words,
            follows=Change.MAP | Change.DESK,
            leads_to=partial(self.open, name),
        )

    def _opener_command(self, name: str, opener: Opener) -> Command:
        """Return the command that opens a dock and gives its panel the keyboard."""
        from app.commands.commands import Change, Command

        return Command(
            opener.id,
            opener.text,
            partial(self.toggle, name),
            opener.tip,
            keys=opener.keys,
            icon=opener.icon,
            offered=partial(self.suits_map, name),
            words=opener.words,
            follows=Change.MAP,
            leads_to=partial(self.open, name),
        )

    def _part_command(self, name: str, part: PanelPart) -> Command:
        """Return the command that opens a dock and uses a part of its panel."""
        from app.commands.commands import Change, Command

        return Command(
            part.id,
            part.text,
            partial(self.use_part, name, part),
            part.tip,
            offered=partial(self.suits_map, name),
            words=part.words,
            follows=Change.MAP,
        )

    def _dock_row(self, name: str) -> Dock:
        """Return what the list of features says of a dock or view."""
        dock = self._features[name].dock
        assert dock is not None, "only features with docks are here"
        return dock

    # --- showing ----------------------------------------------------------------------------

    @cached_property
    def keys(self) -> PanelKeys:
        """The keyboard's way between the map and the panels."""
        from app.desk.panel_keys import PanelKeys
        from app.widgets.layout.focus_ring import FocusRing

        FocusRing(self._frame)
        return PanelKeys(self._frame, self._canvas, self.views)

    def show(self, name: str) -> None:
        """Bring a dock or a view to the front."""
        view = self.views.find_view(name)
        if view is None:
            if self[name].isHidden():
                self.room.keep_widths()
            self[name].show()
            self[name].raise_()
        else:
            self.views.show_view(view)

    def close(self, name: str) -> None:
        """Close a dock or a view."""
        view = self.views.find_view(name)
        if view is None:
            self.room.keep_widths()
            self[name].hide()
        else:
            self.views.close_view(view)

    def is_in_front(self, name: str) -> bool:
        """Return whether a dock or a view can be seen, not only its tab."""
        view = self.views.find_view(name)
        if view is None:
            return can_be_seen(self[name])
        return view.isVisible()

    def toggle(self, name: str) -> None:
        """Do what the opener of a panel does: open it.

        One that is in front is closed, unless it is among the panels that are open from the first
        start on (``Dock.shown``): these only get the keyboard.
        """
        if self._dock_row(name).shown:
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
        if self._dock_row(name).colours_map:
            self.views.show_map()
        self.keys.enter(self._holder(name))
        self.show(name)

    def _holder(self, name: str) -> QDockWidget | View:
        """Return the dock or the view of this name."""
        view = self.views.find_view(name)
        if view is None:
            return self[name]
        return view

    def use_part(self, name: str, part: PanelPart) -> None:
        """Open a panel, and use a part of it."""
        self.use(name, attrgetter(part.widget)(self.panel(name)))

    def use(self, name: str, widget: QWidget) -> None:
        """Open a panel, and press a button of it or give another widget of it the keyboard.

        The panel has the keyboard where the widget cannot be used.
        """
        from app.desk.part_use import PartUse

        self.open(name)
        PartUse(widget).start()

    def go_back_from(self, name: str) -> None:
        """Bring the panel to the front again in whose place this one was opened."""
        self._raise_previous_tab(name)

    def _on_visibility(self, name: str, visible: bool) -> None:
        """Note that a dock came to the front of its tabs, or left it."""
        if not isValid(self._frame):  # the window goes, and hides its docks last
            return
        # A floating dock is a window of its own and has no tabs.
        if not self[name].isFloating():
            self._note_current(name, visible)
            self.front_changed.emit()

    def _note_current(self, name: str, visible: bool) -> None:
        """Note which tab is current in a dock's group.

        When the current one is closed, the previous one comes to the front again: Qt itself would
        bring any of the tabs there.
        """
        dock = self[name]
        first_tab = self._dock_row(name).tabbed_with or name
        tabs = TabGroup(self._frame.dockWidgetArea(dock), first_tab)
        current_tab = self._current_tabs.get(tabs, name)
        if visible and can_be_seen(dock):
            if current_tab != name:
                self._previous_tabs[name] = current_tab
            self._current_tabs[tabs] = name
        elif dock.isHidden() and current_tab == name:
            self._raise_previous_tab(name)

    def _on_floating(self, name: str, floats: bool) -> None:
        """Bring back the previous tab when a dock leaves its tabs for a window of its own."""
        if floats:
            self._raise_previous_tab(name)

    def _raise_previous_tab(self, name: str) -> None:
        """Bring the tab to the front that was there before this dock, if it is still open."""
        previous_tab = self._previous_tabs.get(name)
        if previous_tab is not None and not self[previous_tab].isHidden():
            self[previous_tab].raise_()

    # --- panels -----------------------------------------------------------------------------

    def fill(self, name: str, panel: QWidget) -> None:
        """Put a panel into its dock or view."""
        self._panels[name] = panel
        view = self.views.find_view(name)
        if view is not None:
            view.set_widget(panel)
        else:
            dock = self[name]
            had_focus = dock.window().focusWidget() is dock.widget()
            self.room.keep_widths()
            dock.setWidget(panel)
            self.room.share_height_soon(name)
            if had_focus:
                # The stand-in got it when the dock was entered. It goes now, and Qt would hand the
                # focus to any widget that comes after it.
                self.keys.enter(dock)
        self.filled.emit(panel)

    def find_panel(self, name: str) -> QWidget | None:
        """Return the panel of a dock or view, None if it is not made yet."""
        return self._panels.get(name)

    def panel(self, name: str) -> QWidget:
        """Return the panel of a dock or view; make it now if it is not made yet."""
        if name not in self._panels:
            self._make(name)
            self._place(name)
        return self._panels[name]

    def watch_all(self) -> None:
        """From now on make panels when they are shown, and show those that suit the map."""
        connect(self._canvas.document.map_replaced, self._suit_map)
        connect(self._canvas.document.map_replaced, self.views.show_map)
        self.watch(*self._features)

    def watch(self, *names: str) -> None:
        """Make these panels when they are shown, and show those that suit the map."""
        for name in names:
            view = self.views.find_view(name)
            if view is not None:
                self.keys.watch_view(view)
                connect(view.visible_changed, partial(self._on_visible, name))
                continue
            dock = self[name]
            self.keys.watch(dock)
            if not dock.isFloating():
                self._note_current(name, visible=True)
            connect(dock.visibilityChanged, partial(self._on_visibility, name))
            connect(dock.topLevelChanged, partial(self._on_floating, name))
            if self._features[name].when_shown:
                connect(dock.visibilityChanged, partial(self._on_visible, name))
                self._on_visible(name, not dock.isHidden())  # it may have been left open
        self.front_changed.emit()
        self._suit_map()

    def _suit_map(self) -> None:
        """Show the docks for the current map, and load the panels that roll it."""
        self.suit(self._canvas.document.battlemap.system)
        for name in self._features:
            if self._dock_row(name).rolls and self.suits_map(name):
                self._load(name)

    def _make(self, name: str) -> None:
        """Make the panel of a dock or view, unless that is done; ``_place`` puts it there."""
        if name not in self._unplaced:
            panel = self._make_panel(self._features[name])
            # A window that closes before ``_place`` deletes the panel with its dock.
            panel.setParent(self._holder(name))
            self._unplaced[name] = panel

    def _place(self, name: str) -> None:
        """Put a panel that was made into its dock or view, unless that has been done."""
        panel = self._unplaced.pop(name, None)
        if panel is not None:
            self.fill(name, panel)

    def _on_visible(self, name: str, visible: bool) -> None:
        if visible:
            self._load(name)

    def _load(self, name: str) -> None:
        """Load the panel's code off the UI thread, then make it."""
        if name in self._panels or name in self._loading:
            return
        from app.background.jobs import Job

        self._loading.add(name)

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> str:
            import_module(self._features[name].module)
            return name

        job = Job(work)
        connect(job.finished, self._loaded)
        job.start()

    def _loaded(self, name: str) -> None:
        """Make the panel, unless its dock was closed meanwhile; place it in the next turn."""
        self._loading.discard(name)
        is_needed = self._dock_row(name).rolls or not self._holder(name).isHidden()
        if name not in self._panels and is_needed:
            self._make(name)
            later(self, partial(self._place, name))

    # --- docks for some maps ----------------------------------------------------------------

    def suit(self, system: System) -> None:
        """Open the docks and views for maps of a system, close those that are not for them.

        What the user closed stays closed. With another system the dock comes to the front that was
        there when a map of this system was current last, in an earlier session, too; the first
        time, or if that is closed now, the first one opened here.
        """
        # Note what is in front before docks are closed, since that brings others to the front.
        current = self.room.current_dock()
        if current and self._system is not None:
            self._current_of_system[self._system.name] = current
        is_other_system = system is not self._system
        self._system = system

        self._suit_views(system)
        opened_names = []
        for name, dock in self._docks.items():
            suits = self._suits(name, system)
            dock.toggleViewAction().setVisible(suits)
            if suits and name in self._closed_for_map:
                self._closed_for_map.discard(name)
                self.room.show_for_map(name)
                opened_names.append(name)
            elif not suits and self.room.is_open(name):
                self._closed_for_map.add(name)
                self.room.close(name)

        if is_other_system:
            front_name = self._current_of_system.get(system.name, "")
            if not self._is_open(front_name) and opened_names:
                front_name = opened_names[0]
            if front_name:
                self.room.make_current(front_name)

    def _is_open(self, name: str) -> bool:
        return name in self._docks and self.room.is_open(name)

    def _suit_views(self, system: System) -> None:
        """Close the views that are not for maps of a system; give the tabs of the others back."""
        for name in self._features:
            view = self.views.find_view(name)
            if view is None:
                continue
            suits = self._suits(name, system)
            if suits and name in self._closed_for_map:
                self._closed_for_map.discard(name)
                self.views.open(view)
            elif not suits and view.is_open:
                self._closed_for_map.add(name)
                self.views.close_view(view)

    def _suits(self, name: str, system: System) -> bool:
        """Return whether a dock or view is for maps of a system."""
        only_for = self._dock_row(name).only_for
        return only_for is None or only_for(system)

    def suits_map(self, name: str) -> bool:
        """Return whether there is a dock of this name for the current map."""
        if name not in self._features:
            return False
        return self._suits(name, self._canvas.document.battlemap.system)

    # --- from one start to the next ---------------------------------------------------------

    def closed_for_map(self) -> str:
        """Return names of the docks that wait for a map of their kind, with blanks between them."""
        return " ".join(sorted(self._closed_for_map & self._docks.keys()))

    def set_closed_for_map(self, names: str) -> None:
        """Set the docks that wait for a map of their kind, as ``closed_for_map`` returned them."""
        self._closed_for_map = set(names.split()) & self._docks.keys()

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
