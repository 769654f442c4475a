"""The tools of a window: their actions and options, which one is used, which the map allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from app.commands.commands import WHY, teach
from app.tools import TOOLS, StampTool, ToolOptions
from app.tools.options_bar import ToolOptionsBar

if TYPE_CHECKING:
    from app.window import MainWindow

FIRST = "terrain"
"""The tool to begin with."""


class Toolbox(QObject):
    """Fills the window's bar of tools and the bar of their options."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.options = ToolOptions(self)
        self.options.changed.connect(window.canvas.refresh_preview)
        self.tools = {kind.name: kind(self.options) for kind in TOOLS}
        self.actions: dict[str, QAction] = {}
        self._before = self._name = FIRST
        group = QActionGroup(self)
        for kind in TOOLS:
            action = QAction(kind.title, window)
            action.setCheckable(True)
            action.setObjectName(f"tool.{kind.name}")
            action.setShortcut(QKeySequence(kind.shortcut))
            action.setStatusTip(kind.tip)
            action.triggered.connect(lambda _checked, name=kind.name: self.choose(name))
            group.addAction(action)
            window.tool_bar.addAction(action)
            window.looks.add_icon(action, kind.icon)
            self.actions[kind.name] = action
        self.bar = ToolOptionsBar(self.options, window.document)
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.bar)
        window.document.map_replaced.connect(self._show_possible)
        window.canvas.input.escaped.connect(self.put_down)
        self._show_possible()
        self.choose(FIRST)

    @property
    def stamp(self) -> StampTool:
        """The tool that lays down what was copied."""
        return cast(StampTool, self.tools["stamp"])

    def choose(self, name: str) -> None:
        """Use the tool with this name from now on."""
        if name != self._name:
            self._before, self._name = self._name, name
        self.actions[name].setChecked(True)
        self._window.canvas.set_tool(self.tools[name])
        self.bar.show_tool(self.tools[name])

    def take_up(self, name: str) -> None:
        """Use this tool, unless the one in hand paints the same (a line of another terrain)."""
        now, wanted = self.tools[self._name], self.tools[name]
        if not (now.paints and now.needs and now.needs == wanted.needs):
            self.choose(name)

    def put_down(self) -> None:
        """Escape: the stamp is put away, the tool before it comes back."""
        if self.tools[self._name].ends:
            self.choose(self._before)

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp; without one in hand, give hexsides to the other hex."""
        if self._name == self.stamp.name:
            self.stamp.flip(upside_down=upside_down)
        elif not upside_down:
            self.options.set_flipped(not self.options.flipped)

    def _show_possible(self) -> None:
        """Tools for what the maps of a system lack are disabled, with the reason."""
        system = self._window.document.battlemap.system
        for name, tool in self.tools.items():
            why_not = tool.why_not(system)
            self.actions[name].setEnabled(not why_not)
            self.actions[name].setProperty(WHY, why_not)
            teach(self.actions[name])
        known, options = system.terrain_set, self.options
        heights = known.elevations
        options.choose(
            terrain=min(options.terrain, len(known.terrains) - 1),
            hexside=min(options.hexside, len(known.hexsides)),
            route=min(options.route, max(0, len(system.routes) - 1)),
            elevation=min(max(options.elevation, min(heights)), max(heights)),
            centre=None,
        )
        if not self.actions[self._name].isEnabled():
            self.choose(next(name for name, it in self.actions.items() if it.isEnabled()))
        self.bar.show_map()
