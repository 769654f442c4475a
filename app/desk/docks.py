"""The docks around the map: where they stand at first, showing them, and their panels."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from app.qt_guard import connect, later

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QMainWindow

    from app.canvas.canvas import MapCanvas
    from app.commands.commands import Command
    from app.desk.feature import Dock, Feature
    from app.desk.panel_keys import PanelKeys
    from randomizer.generator import Progress
    from randomizer.model.system import System

LEAST_WIDTH = 220
"""The narrowest panel at the left or right, in logical pixels."""

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Docks(QObject):
    """The docks of the features by their names; panels that are made when first shown.

    ``filled(QWidget)``: a panel has been put into its dock.
    """

    filled = Signal(QWidget)

    def __init__(
        self,
        frame: QMainWindow,
        canvas: MapCanvas,
        features: Iterable[Feature],
        make: Callable[[Feature], QWidget],
    ) -> None:
        """``make`` makes the panel of a feature."""
        super().__init__(frame)
        self._frame, self._canvas, self._make_panel = frame, canvas, make
        self._features = {each.dock.name: each for each in features if each.dock is not None}
        self._docks: dict[str, QDockWidget] = {}
        self._panels: dict[str, QWidget] = {}
        self._unplaced: dict[str, QWidget] = {}
        self._loading: set[str] = set()
        self._in_front: dict[str, bool] = {}
        self._had_room: set[str] = set()
        self._closed_for_map: set[str] = set()
        self._keys: PanelKeys | None = None
        self._make_docks([each.dock for each in self._features.values() if each.dock is not None])

    def add(self, feature: Feature) -> None:
        """The dock of one more feature, where it was left."""
        assert feature.dock is not None
        front = [dock for dock in self.all() if not dock.visibleRegion().isEmpty()]
        self._features[feature.dock.name] = feature
        self._make_docks([feature.dock])
        for dock in front:  # tabs that share its place stay in front
            dock.raise_()
        self._frame.restoreDockWidget(self[feature.dock.name])

    def _make_docks(self, docks: list[Dock]) -> None:
        frame = self._frame
        for each in docks:
            dock = self._docks[each.name] = QDockWidget(each.title, frame)
            dock.setObjectName(each.name)
            holder = QWidget()
            if each.area != "bottom":
                holder.setMinimumWidth(LEAST_WIDTH)
            dock.setWidget(holder)
            frame.addDockWidget(AREAS[each.area], dock)
        for each in docks:
            suits = self._suits_map(each.name)
            if each.shown and not suits:
                self._closed_for_map.add(each.name)
            if not each.shown or not suits:
                self[each.name].hide()  # before it shares a place: its tab would be left standing
        for each in docks:
            if each.tabbed_with:
                frame.tabifyDockWidget(self[each.tabbed_with], self[each.name])
        for name in {each.tabbed_with for each in docks if each.tabbed_with}:
            if not self._features[name].dock.tabbed_with:  # type: ignore[union-attr] # it has one
                self[name].raise_()
        frame.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
        frame.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def all(self) -> list[QDockWidget]:
        """Every dock, in the order of the features."""
        return list(self._docks.values())

    def commands(self, *names: str) -> list[Command]:
        """The rows that show and hide docks (none named: all), and that open them for the keys."""
        from app.commands.commands import Command

        tip, names = "Show or hide this panel", names or tuple(self._docks)
        rows = [
            Command(
                f"panel.{name}",
                dock.windowTitle(),
                tip=tip,
                action=dock.toggleViewAction(),
                offered=partial(self._suits_map, name),
            )
            for name, dock in self._docks.items()
            if name in names
        ]
        for name in names:
            feature = self._features[name]
            opener = None if feature.dock is None else feature.dock.opener
            if opener is not None:
                do = partial(self.open, name)
                offered = partial(self._suits_map, name)
                words = (opener.text, do, opener.tip, opener.keys, opener.icon)
                rows.append(Command(opener.id, *words, offered=offered))
        return rows

    # --- showing ----------------------------------------------------------------------------

    def show(self, name: str) -> None:
        """Bring a dock to the front."""
        self[name].show()
        self[name].raise_()

    def open(self, name: str) -> None:
        """Bring a dock to the front and give its panel the keyboard; Escape there gives it back."""
        if self._keys is None:
            from app.desk.panel_keys import PanelKeys

            self._keys = PanelKeys(self._frame, self._canvas)
        self._keys.expect(self[name])
        self.show(name)

    # --- panels -----------------------------------------------------------------------------

    def fill(self, name: str, panel: QWidget) -> None:
        """Put a panel into its dock."""
        self._panels[name] = panel
        self[name].setWidget(panel)
        self.filled.emit(panel)

    def made(self, name: str) -> QWidget | None:
        """The panel of a dock, None if it is not made yet."""
        return self._panels.get(name)

    def panel(self, name: str) -> QWidget:
        """The panel of a dock, made if it is not there yet."""
        if name not in self._panels:
            self._make(name)
            self._place(name)
        return self._panels[name]

    def watch_all(self) -> None:
        """From now on make panels when they are shown, and show those that suit the map."""
        connect(self._canvas.document.map_replaced, self._look_at_map)
        connect(self._canvas.document.map_replaced, self._close_others)
        self.watch(*self._features)

    def watch(self, *names: str) -> None:
        """Make these panels when they are shown, and show those that suit the map."""
        for name in names:
            if self._features[name].when_shown:
                connect(self[name].visibilityChanged, partial(self._on_visible, name))
                self._on_visible(name, not self[name].isHidden())  # it was left open
        self._close_others()
        self._look_at_map()

    def _make(self, name: str) -> None:
        if name not in self._unplaced:
            panel = self._make_panel(self._features[name])
            panel.setParent(self[name])  # it goes with the window if that goes now
            self._unplaced[name] = panel

    def _place(self, name: str) -> None:
        panel = self._unplaced.pop(name, None)
        if panel is not None:
            self.fill(name, panel)

    def _on_visible(self, name: str, visible: bool) -> None:
        """Load the panel's code off the UI thread, then make it."""
        if not visible or name in self._panels or name in self._loading:
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
        """Make the panel; lay it out and draw it in the turn that follows."""
        self._loading.discard(name)
        if name not in self._panels and not self[name].isHidden():
            self._make(name)
            later(self, partial(self._place, name))

    # --- docks for some maps ----------------------------------------------------------------

    def _suits_map(self, name: str) -> bool:
        """Whether there is this dock for the map in front."""
        feature = self._features.get(name)
        only_for = None if feature is None or feature.dock is None else feature.dock.only_for
        return only_for is None or only_for(self._canvas.document.battlemap.system)

    def _close_others(self) -> None:
        """Close the docks that are not for the map in front, and open those closed so before."""
        for name, dock in self._docks.items():
            suits = self._suits_map(name)
            dock.toggleViewAction().setVisible(suits)
            if suits and name in self._closed_for_map:
                self._closed_for_map.discard(name)
                dock.show()
            elif not suits and not dock.isHidden():
                self._closed_for_map.add(name)
                dock.hide()

    def _look_at_map(self) -> None:
        """Find out which docks the map in front brings along."""
        from app.background.jobs import Job

        system = self._canvas.document.battlemap.system
        asked = {
            name: feature.dock.in_front_for
            for name, feature in self._features.items()
            if feature.dock is not None and feature.dock.in_front_for is not None
        }

        def work(
            _progress: Progress, _cancelled: Callable[[], bool]
        ) -> tuple[System, dict[str, bool]]:
            return system, {name: suits(system) for name, suits in asked.items()}

        job = Job(work)
        connect(job.finished, self._bring_forward)
        job.start()

    def _bring_forward(self, found: tuple[System, dict[str, bool]]) -> None:
        system, wanted = found
        if system is not self._canvas.document.battlemap.system:
            return
        for name, suits in wanted.items():
            dock = self._features[name].dock
            assert dock is not None
            before, self._in_front[name] = self._in_front.get(name), suits
            if before == suits or (before is None and self[name].isHidden() and not suits):
                continue  # what the user did since then stays
            self[name].setVisible(suits)
            self[name if suits else dock.tabbed_with].raise_()
            if suits and dock.height_beside is not None and name not in self._had_room:
                self._had_room.add(name)  # from now on the user says how high they are
                share = partial(self._share_height, name, *dock.height_beside)
                later(self, share)  # once it is laid out

    def _share_height(self, name: str, other: str, part: int, other_part: int) -> None:
        both = [self[name], self[other]]
        height = sum(dock.height() for dock in both)
        shares = [height * each // (part + other_part) for each in (part, other_part)]
        self._frame.resizeDocks(both, shares, Qt.Orientation.Vertical)
