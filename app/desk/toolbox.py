"""The tools of the desk: their options, which one is in use, which the map allows.

``Toolbox`` follows the document: with each map, and with each other terrain set or other kinds of
things of a map, it moves the options to what the map has (suited_options.py), and chooses another
tool if the one in use has nothing to do there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal

from app.canvas.canvas import MapCanvas
from app.commands.commands import Change, Command
from app.desk.suited_options import SuitedOptions
from app.qt_guard import connect
from app.tools import TOOLS, StampTool, ThingsTool, Tool, ToolOptions
from app.tools.options_bar import ToolOptionsBar
from app.tools.thing_placing import turn_things
from randomizer.model.edits.edit import Region
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.commands.commands import Commands

FIRST = "terrain"
"""The name of the tool that is in use when the desk opens."""


class Toolbox(QObject):
    """The tools by their names, the one in use, and ``bar``, the tool bar of their options."""

    chosen = Signal(str)
    """The tool of this name is in use from now on."""

    def __init__(self, canvas: MapCanvas, commands: Commands) -> None:
        super().__init__(commands)
        self._canvas = canvas
        self._commands = commands
        self._document = canvas.document
        self.options = ToolOptions(self)
        """What all tools share: the terrain to paint, the radius, the next thing, and so on."""
        connect(self.options.changed, canvas.refresh_preview)
        self.tools = {kind.name: kind(self.options) for kind in TOOLS}
        """The tools by name, in the order of the tool bar."""
        self._name = FIRST
        """The name of the tool in use."""
        self._previous_name = FIRST
        """The name of the tool that was in use before it."""
        self._radius_by_first: dict[int, int] = {}
        """The radius of brushes that the user chose last, by the radius with which a tool begins.

        So tools that begin with the same radius (``Tool.first_radius_on``) share one.
        """
        self._system = canvas.document.battlemap.system
        """The system of the current map, on which the first radius of a tool depends."""
        self.bar = ToolOptionsBar(self.options, canvas.document)
        connect(canvas.active_tool.why_no_paint_changed, self.bar.show_why_no_paint)
        # The wheel with Shift held turns what the tool holds; the canvas knows no tools by name.
        canvas.wheel.turn_held = self._try_to_turn
        self._suited_options = SuitedOptions(self.options, canvas.document)
        """Moves the options to what the map has."""
        connect(canvas.document.map_replaced, self._on_map_replaced)
        connect(canvas.document.changed, self._on_changed)
        self._suit_map()
        self.choose(self._name)  # FIRST, unless that has nothing to do on this map

    @property
    def stamp(self) -> StampTool:
        """The tool that pastes what was copied, the *stamp*, where the user clicks."""
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
            keys=tool.shortcut,
            icon=tool.icon,
            why_not=partial(self.why_not, name),
            checked=partial(self.uses, name),
            group="tool",
            offered=partial(self.suits, name),
            words=tool.words,
            follows=Change.MAP | Change.DESK,
            text_now=lambda: tool.title_on(self._document.battlemap.system),
        )

    def choose(self, name: str) -> None:
        """Use the tool with this name from now on.

        Even if it is in use already, things that were picked are not any more (unless the tool is
        that for things), and the canvas and the bar of options begin anew.
        """
        if name != self._name:
            self._store_radius()  # while ``_name`` is still the former tool
            self._previous_name = self._name
            self._name = name
            self._restore_radius()
        if name != self.things.name:
            self._document.pick(())
        self._canvas.set_tool(self.tools[name])
        self.bar.show_tool(self.tools[name])
        self._commands.refresh(Change.DESK)
        self.chosen.emit(name)

    def _store_radius(self) -> None:
        """Store the radius of the brush for the tool in use, and those that share it."""
        tool = self.tools[self._name]
        if "radius" in tool.uses:
            self._radius_by_first[tool.first_radius_on(self._system)] = self.options.radius

    def _restore_radius(self) -> None:
        """Set the radius of the brush to the one that the tool in use had last.

        So the wide brush for heights does not stay for terrain, which is painted with a narrow one.
        """
        tool = self.tools[self._name]
        if "radius" in tool.uses:
            first_radius = tool.first_radius_on(self._system)
            self.options.choose(radius=self._radius_by_first.get(first_radius, first_radius))

    def use_unless_alike(self, name: str) -> None:
        """Use a tool, unless the one in use paints the same plane of the map.

        A panel calls it when the user chooses what to paint: a line tool goes on drawing lines, of
        another terrain now.
        """
        current_tool = self.tools[self._name]
        next_tool = self.tools[name]
        paints_same_plane = (
            current_tool.changes_planes
            and current_tool.needs is not None
            and current_tool.needs == next_tool.needs
        )
        if not paints_same_plane:
            self.choose(name)

    def put_down(self) -> bool:
        """End one thing that is under way; return False if nothing is.

        The first of these that there is: things are picked no longer; what the tool has begun is
        cancelled (a line of which one end is drawn); a tool that is used once, such as the stamp,
        gives way to the one before it.
        """
        if self._document.picked:
            self._document.pick(())
            return True
        tool = self.tools[self._name]
        if tool.cancel_pending():
            self._canvas.refresh_preview()
            return True
        if tool.escape_puts_away:
            self._choose_next_lasting_tool()
            return True
        return False

    def _choose_next_lasting_tool(self) -> None:
        """Use the tool before this one; if that cannot be used any more, the first one that can.

        The map may have been replaced meanwhile by one on which the former tool has nothing to do.
        A tool that is used once is not come back to either: Escape would go from one to the other.
        """
        previous_tool = self.tools[self._previous_name]
        if previous_tool.escape_puts_away or self.why_not(self._previous_name):
            self.choose(self._first_useful_name())
        else:
            self.choose(self._previous_name)

    def turn(self, steps: int) -> None:
        """Turn clockwise what the tool in use would put on the map, or has picked.

        ``steps`` are sides of a cell for the stamp, and halves of that angle for things.
        """
        if not self.uses(self.things.name):
            self.stamp.turn(steps)
        elif self._document.picked:
            self.turn_things(self._document.picked, steps)
            if self.options.is_one_of_next_kind(self._document.picked):
                self.things.turn_next(self._document, steps)
        else:
            self.things.turn_next(self._document, steps)

    def _try_to_turn(self, steps: int) -> bool:
        """Turn as ``turn`` does; return False if there is nothing to turn.

        The wheel calls it while Shift is held; after False it scrolls the map as usual.
        """
        has_thing = bool(self._document.picked) or self.options.thing is not None
        if self.uses(self.stamp.name) or (has_thing and self.uses(self.things.name)):
            self.turn(steps)
            return True
        return False

    def turn_things(self, things: Sequence[Thing], steps: int) -> None:
        """Turn things clockwise by so many halves of the angle of a side: one undo step."""
        edit = turn_things(self._document.battlemap, things, steps)
        text = "Turn a thing"
        if len(things) != 1:
            text = f"Turn {len(things):,} things"
        self._document.push(edit, text)

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the stamp, or change the side of an edge that hexsides are painted on.

        Hexsides belong to one of the two cells at an edge. With a tool other than the stamp this
        exchanges the two; ``upside_down`` does nothing then.
        """
        if self._name == self.stamp.name:
            self.stamp.flip(upside_down=upside_down)
        elif not upside_down:
            self.options.choose(flipped=not self.options.flipped)

    def uses(self, name: str) -> bool:
        """Return whether the tool with this name is the one in use."""
        return name == self._name

    def why_not(self, name: str) -> str:
        """Return why a tool has nothing to do on the current map, in words; "" if it has.

        It stands in the tool bar all the same, disabled; ``suits`` tells whether it does.
        """
        return self.tools[name].why_not(self._document.battlemap.system)

    def suits(self, name: str) -> bool:
        """Return whether a tool stands in the tool bar on the current map."""
        return self.tools[name].suits(self._document.battlemap.system)

    def _on_changed(self, region: Region) -> None:
        """Follow an edit of the map, which may have changed what the options can be."""
        self._suited_options.follow(region)
        if region.terrain_set:
            self._suit_map()

    def _on_map_replaced(self) -> None:
        """Move the options and the tool in use to what another map has."""
        self._store_radius()
        self._system = self._document.battlemap.system
        self._restore_radius()
        self._suited_options.change_map()
        self._suit_map()

    def _suit_map(self) -> None:
        """Move all options, and the tool in use, to what the current map has."""
        self._suited_options.suit_map()
        if self.why_not(self._name):
            self.choose(self._first_useful_name())
        self.bar.show_map()

    def _first_useful_name(self) -> str:
        """Return the name of the first tool that has something to do on the current map.

        There is always one: the tools that pan and select need nothing of a map.
        """
        return next(name for name in self.tools if not self.why_not(name))
