"""The tools of the desk: their options, which one is used, which the map allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QObject, Signal

from app.canvas.canvas import MapCanvas
from app.commands.commands import Change, Command
from app.qt_guard import connect
from app.tools import TOOLS, StampTool, ThingsTool, Tool, ToolOptions
from app.tools.options_bar import ToolOptionsBar
from app.tools.things import turn_things
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import counts
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.commands.commands import Commands

FIRST = "terrain"
"""The tool to begin with."""


class Toolbox(QObject):
    """The tools by their names, the one in use, and ``bar``, the tool bar of their options.

    ``chosen(str)``: the tool of that name is used from now on.
    """

    chosen = Signal(str)

    def __init__(self, canvas: MapCanvas, commands: Commands) -> None:
        super().__init__(commands)
        self._canvas = canvas
        self._commands = commands
        self._document = canvas.document
        self.options = ToolOptions(self)
        connect(self.options.changed, canvas.refresh_preview)
        self.tools = {kind.name: kind(self.options) for kind in TOOLS}
        self._before = self._name = FIRST
        self._radii: dict[int, int] = {}
        """The radius chosen last, by the first radius of the tools that had it."""
        self.bar = ToolOptionsBar(self.options, canvas.document)
        canvas.wheel.turn_held = self._turn_held
        self._current_map = canvas.document.current_map
        connect(canvas.document.map_replaced, self._on_map_replaced)
        connect(canvas.document.changed, self._on_changed)
        self._suit_map()
        self.choose(FIRST)

    @property
    def stamp(self) -> StampTool:
        """The tool that lays down what was copied."""
        return cast(StampTool, self.tools["stamp"])

    @property
    def things(self) -> ThingsTool:
        """The tool that places and picks things."""
        return cast(ThingsTool, self.tools["things"])

    @property
    def name(self) -> str:
        """The name of the tool in use."""
        return self._name

    def add(self, kind: type[Tool]) -> None:
        """Add a tool of another package, and its command."""
        self.tools[kind.name] = kind(self.options)
        self._commands.add([self.command(kind.name)])

    def command(self, name: str) -> Command:
        """Return the row of a tool in the table of commands."""
        tool = self.tools[name]
        return Command(
            f"tool.{name}",
            tool.title,
            partial(self.choose, name),
            tool.tip,
            tool.shortcut,
            tool.icon,
            why_not=partial(self.why_not, name),
            checked=partial(self.uses, name),
            group="tool",
            offered=partial(self.suits, name),
            words=tool.words,
            follows=Change.MAP | Change.DESK,
            text_now=lambda: tool.title_on(self._document.battlemap.system),
        )

    def choose(self, name: str) -> None:
        """Use the tool with this name from now on."""
        if name != self._name:
            self._change_radius(self.tools[self._name], self.tools[name])
            self._before = self._name
            self._name = name
        if name != self.things.name:
            self._document.pick(())
        self._canvas.set_tool(self.tools[name])
        self.bar.show_tool(self.tools[name])
        self._commands.refresh(Change.DESK)
        self.chosen.emit(name)

    def _change_radius(self, former: Tool, tool: Tool) -> None:
        """Give a brush the radius that tools of its sort had last: heights need a wide one."""
        if "radius" in former.uses:
            self._radii[former.first_radius] = self.options.radius
        if "radius" in tool.uses:
            self.options.choose(radius=self._radii.get(tool.first_radius, tool.first_radius))

    def take_up(self, name: str) -> None:
        """Use this tool, unless the one in hand paints the same (a line of another terrain)."""
        now = self.tools[self._name]
        next_tool = self.tools[name]
        if not (now.paints and now.needs and now.needs == next_tool.needs):
            self.choose(name)

    def put_down(self) -> bool:
        """Put down what is in hand: picked things, what the tool has begun, or a stamp.

        The tool before the stamp comes back. False: nothing was in hand.
        """
        if self._document.picked:
            self._document.pick(())
            return True
        tool = self.tools[self._name]
        if tool.put_down():
            self._canvas.refresh_preview()
            return True
        if tool.ends:
            self.choose(self._before)
            return True
        return False

    def turn(self, steps: int) -> None:
        """Turn the stamp clockwise by so many sides; things by as many halves of that."""
        if not self.uses(self.things.name):
            self.stamp.turn(steps)
        elif self._document.picked:
            self.turn_things(self._document.picked, steps)
            if self.options.is_like_next(self._document.picked):
                self.things.turn_next(self._document, steps)
        else:
            self.things.turn_next(self._document, steps)

    def _turn_held(self, steps: int) -> bool:
        """Turn as ``turn`` does; return False if there is nothing to turn."""
        if self._document.picked or self.options.thing:
            placed = self.things.name
        else:
            placed = ""
        if not (self.uses(self.stamp.name) or (placed and self.uses(placed))):
            return False
        self.turn(steps)
        return True

    def turn_things(self, things: Sequence[Thing], steps: int) -> None:
        """Turn things clockwise by so many halves of the angle of a side: one undo step."""
        edit = turn_things(self._document.battlemap, things, steps)
        if len(things) == 1:
            text = "Turn a thing"
        else:
            text = f"Turn {len(things):,} things"
        self._document.push(edit, text)

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp; without one in hand, give hexsides to the other hex."""
        if self._name == self.stamp.name:
            self.stamp.flip(upside_down=upside_down)
        elif not upside_down:
            self.options.choose(flipped=not self.options.flipped)

    def uses(self, name: str) -> bool:
        """Return whether the tool with this name is the one in use."""
        return name == self._name

    def why_not(self, name: str) -> str:
        """Return why a tool has nothing to do on the current map, in words; "" if it has."""
        return self.tools[name].why_not(self._document.battlemap.system)

    def suits(self, name: str) -> bool:
        """Return whether a tool is offered on the current map."""
        return self.tools[name].suits(self._document.battlemap.system)

    def _on_changed(self, region: Region) -> None:
        if region.terrain_set:
            self._keep_names()
            self._suit_map()

    def _keep_names(self) -> None:
        """The map has another terrain set: what is in hand stays in hand, renamed too."""
        battlemap = self._document.battlemap
        options = self.options
        system = battlemap.system
        terrain_set_before = self._terrain_set
        terrain_set = battlemap.terrain_set
        terrains = _new_indices(terrain_set_before.terrains, terrain_set.terrains)
        hexsides = _new_indices(terrain_set_before.hexsides, terrain_set.hexsides)
        routes = _new_indices(system.routes_of(terrain_set_before), system.routes_of(terrain_set))
        options.choose(
            terrain=terrains.get(options.terrain, 0),
            hexside=hexsides.get(options.hexside - 1, -1) + 1,
            route=routes.get(options.route, 0),
            weights=tuple(
                (terrains[code], weight) for code, weight in options.weights if code in terrains
            ),
        )

    def _on_map_replaced(self) -> None:
        """Take up the symmetry that the tools had on this map."""
        options = self.options
        self._current_map.symmetry = options.symmetry_kind, options.centre
        self._current_map = self._document.current_map
        kind, centre = self._current_map.symmetry
        options.choose(symmetry_kind=kind, centre=centre)
        self._suit_map()

    def _suit_map(self) -> None:
        """Keep to what the current map has: its terrains, and a tool for them."""
        system = self._document.battlemap.system
        terrain_set = self._document.battlemap.terrain_set
        options = self.options
        self._terrain_set = terrain_set
        heights = terrain_set.elevations
        options.choose(
            terrain=min(options.terrain, len(terrain_set.terrains) - 1),
            hexside=min(options.hexside, len(terrain_set.hexsides)),
            route=min(options.route, max(0, len(system.routes_of(terrain_set)) - 1)),
            elevation=min(max(options.elevation, min(heights)), max(heights)),
            weights=tuple(pair for pair in options.weights if pair[0] < len(terrain_set.terrains)),
        )
        placed = options.thing
        battlemap = self._document.battlemap
        if placed is not None and (
            system.thing_kind(battlemap, placed.kind) is None
            and placed.kind not in counts(battlemap)
        ):
            options.choose(thing=None)
        if self.why_not(self._name):
            self.choose(next(name for name in self.tools if not self.why_not(name)))
        self.bar.show_map()


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def _new_indices(old_entries: Sequence[_Named], new_entries: Sequence[_Named]) -> dict[int, int]:
    """Return where the entries of a list stand in the list after a change, by their old indices.

    An entry is found by its name; a new name in its old place is taken for its own. One that is
    gone is left out.
    """
    names_before = {entry.name for entry in old_entries}
    index_of_name = {entry.name: index for index, entry in enumerate(new_entries)}
    result = {}
    for index, entry in enumerate(old_entries):
        if entry.name in index_of_name:
            result[index] = index_of_name[entry.name]
        elif index < len(new_entries) and new_entries[index].name not in names_before:
            result[index] = index
    return result
