"""The parts of the main window that are made after the first paint: menus, bars, and features.

parts = WindowParts(window, desk, tool_bar)
StartSteps(parts.steps(), window)       # one step after the other, while the map can be used
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QToolBar

from app.background.start_steps import Step
from app.desk.desk import Desk
from app.desk.feature import Feature
from app.feature_list import FEATURES
from app.qt_guard import connect
from app.widgets.layout.compact_bars import FittingToolBar

# Modules that the first paint does not need are imported where they are used.
if TYPE_CHECKING:
    from app.commands.commands import Command


class WindowParts(QObject):
    """Makes the parts of a window. ``tool_bar`` is the bar for the tools, empty so far."""

    tabs_wanted = Signal()
    """The tabs of docks are to get their style now."""

    bars_made = Signal()
    """The tool bars above the map are made: they can be put where they were in the last session."""

    def __init__(self, window: QMainWindow, desk: Desk, tool_bar: QToolBar) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._tool_bar = tool_bar

    def steps(self) -> Iterator[Step]:
        """Yield the steps in their order: what is made, and the function that makes it.

        The text stands in the message about a fault in that step.
        """
        desk = self._desk
        yield Step("The journal", desk.start_autosave)  # before anything can change the map
        yield Step("The tabs of panels", self.tabs_wanted.emit)
        yield Step("The keys of commands", desk.make_shortcuts)
        yield Step("The commands of panels", self._make_panel_commands)
        yield Step("The menus and tool bars", self._make_menus)
        # Panels and bars are in their positions by now. Qt would have hung before this if the
        # stored positions were damaged (``mark_restoring_places``).
        yield Step("The places of panels and tool bars", desk.settings.mark_places_restored)
        for feature in FEATURES:
            if not feature.when_shown:
                yield Step(feature.title, partial(self._make_feature, feature))
        yield Step("The panels that are made when they are shown", desk.docks.start_loading)
        yield Step("The features of other packages", self._make_installed_features)
        # These could wait until they are needed, but then the first map of another system would.
        from randomizer.catalog.catalog import imports

        for step in imports():
            yield Step("A part of the catalogue", step)
        yield Step(
            "The pictures of tables", partial(import_module, "app.systems.cordery.table.style")
        )

    def _make_panel_commands(self) -> None:
        """Make the commands that show and hide panels."""
        from app.desk.dock_commands import dock_commands

        docks = self._desk.docks
        self._desk.commands.add(dock_commands(docks, docks.names))
        self._desk.commands.add([self._command_of_side_panels()])
        connect(docks.room.aside_changed, self._refresh_desk_commands)
        connect(docks.front_changed, self._refresh_desk_commands)

    def _command_of_side_panels(self) -> Command:
        """Return the command that hides the panels at the right, and shows them again."""
        from app.commands.commands import Change, Command

        docks = self._desk.docks
        right_docks = docks.room.right_docks
        return Command(
            "view.side-panels",
            "Panels at the &right",
            docks.toggle_right_side,
            tip="Show the panels at the right, or leave their room to the map",
            keys="F9",
            icon="side-panels",
            checked=lambda: right_docks.has_shown,
            follows=Change.DESK,
            button_text="Panels",
            words="hide docks sidebar room",
        )

    def _refresh_desk_commands(self) -> None:
        """Ask again which commands about the desk itself can be used and are ticked."""
        from app.commands.commands import Change

        self._desk.commands.refresh(Change.DESK)

    def _make_menus(self) -> None:
        """Make the menus, and the tool bars above the map.

        There are three tool bars: *Main* and, below it, the options of the tool in use stand above
        the map, *Tools* at its left. Commands that are added later put themselves into menus and
        bars.
        """
        from app.appearance.icons import icon
        from app.commands.menus import Menus

        window = self._window
        main_bar = FittingToolBar("Main", window)
        main_bar.setObjectName("main")
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, main_bar)
        window.addToolBarBreak()
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, self._desk.tools.bar)
        tool_bars = {"tools": self._tool_bar, "main": main_bar}
        Menus(window.menuBar(), tool_bars, self._desk.commands)  # the menu bar owns it
        self.bars_made.emit()
        window.setWindowIcon(icon("app"))

    def _make_feature(self, feature: Feature) -> None:
        """Make a feature, and put its panel into its dock if it has one."""
        panel = self._desk.make_feature(feature)
        if feature.dock is not None:
            self._desk.docks.fill(feature.dock.name, panel)

    def _make_installed_features(self) -> None:
        """Add the features of installed packages."""
        from app.desk.installed_features import add_installed

        add_installed(self._desk)
