"""The commands that choose a tool, and those that change what the tool in use paints.

The desk's toolbox (``Desk.tools``) holds the tools and is what all these commands act on. ``make``
is called once for a desk, by the list of features.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from app.commands.commands import Change, Command
from app.desk.desk import Desk

ELEVATIONS_WITH_KEYS = range(10)
"""The elevations that are painted by pressing their digit: those of a single digit."""


def make(desk: Desk) -> None:
    """Add a command for each tool, and those for the stamp, the brush and elevations."""
    desk.commands.add(_tool_command(desk, name) for name in desk.tools.tools)
    desk.commands.add(_stamp_commands(desk))
    desk.commands.add(_brush_commands(desk))
    desk.commands.add(_elevation_commands(desk))


def _tool_command(desk: Desk, name: str) -> Command:
    """Return the command that chooses a tool, and shows the panel that belongs to it."""
    panel = desk.tools.tools[name].panel
    command = desk.tools.command(name)
    if not panel:
        return command

    def show_panel_and_choose() -> None:
        # In this order: the tool fills the panel, which is made when it is first shown.
        desk.docks.show(panel)
        desk.tools.choose(name)

    return replace(command, do=show_panel_and_choose)


def _stamp_commands(desk: Desk) -> tuple[Command, ...]:
    """Return the commands that turn and mirror the stamp."""
    toolbox = desk.tools
    return (
        Command(
            "edit.turn-stamp-right",
            "Turn stamp &right",
            partial(toolbox.turn, 1),
            tip="Turn it by one side",
            keys="Z",
            icon="redo",
            words="rotate clockwise",
        ),
        Command(
            "edit.turn-stamp-left",
            "Turn stamp &left",
            partial(toolbox.turn, -1),
            tip="Turn it back",
            keys="Shift+Z",
            icon="undo",
            words="rotate counterclockwise anticlockwise",
        ),
        Command(
            "edit.flip",
            "&Flip",
            partial(toolbox.flip, upside_down=False),
            tip=(
                "Mirror the stamp left and right; with another tool in hand give {sides} to the "
                "other {cell}, or back"
            ),
            keys="X",
            icon="flip",
            words="mirror stamp owner hexside",
        ),
        Command(
            "edit.flip-upside-down",
            "Flip &upside down",
            partial(toolbox.flip, upside_down=True),
            tip="Mirror the stamp",
            keys="Y",
            words="mirror stamp vertical",
        ),
    )


def _brush_commands(desk: Desk) -> tuple[Command, ...]:
    """Return the commands that change the radius of the brush."""
    options = desk.tools.options
    return (
        Command(
            "edit.wider-brush",
            "&Wider brush",
            partial(options.widen, 1),
            tip="One {cell} more on every side",
            keys="]",
            words="larger bigger size",
        ),
        Command(
            "edit.narrower-brush",
            "&Narrower brush",
            partial(options.widen, -1),
            tip="One {cell} less on every side",
            keys="[",
            words="smaller thinner size",
        ),
    )


def _elevation_commands(desk: Desk) -> list[Command]:
    """Return a command for each elevation of the terrain set that is current at the start.

    Their keys, the digits, are those of all maps; further elevations are chosen in the palette.
    """
    commands = []
    for elevation in desk.document.battlemap.terrain_set.elevations:
        keys = ""
        if elevation in ELEVATIONS_WITH_KEYS:
            keys = str(elevation)
        command = Command(
            f"edit.paint-elevation-{elevation}",
            f"Paint elevation {elevation}",
            partial(_paint_elevation, desk, elevation),
            tip=f"Take the elevation brush and give {{cells}} elevation {elevation}",
            keys=keys,
            words="height level brush",
            follows=Change.MAP,
            why_not=partial(desk.tools.why_not, "elevation"),
        )
        commands.append(command)
    return commands


def _paint_elevation(desk: Desk, elevation: int) -> None:
    """Take the elevation brush and let it paint this elevation."""
    desk.tools.options.set_elevation(elevation)
    desk.tools.choose("elevation")
