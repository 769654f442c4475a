"""The tools as commands: which one is used, and what it does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.tools import Tool


def make(desk: Desk) -> None:
    """The commands of the tools."""
    desk.commands.add(_tools(desk))
    desk.commands.add(_stamp_and_brush(desk))
    desk.commands.add(_elevations(desk))


def _tools(desk: Desk) -> list[Command]:
    box = desk.tools
    return [
        Command(
            f"tool.{name}",
            tool.title,
            partial(box.choose, name),
            tool.tip,
            tool.shortcut,
            tool.icon,
            why_not=partial(box.why_not, name),
            checked=partial(box.uses, name),
            group="tool",
            offered=partial(box.suits, name),
            text_now=partial(_title, desk, tool),
        )
        for name, tool in box.tools.items()
    ]


def _title(desk: Desk, tool: Tool) -> str:
    return tool.title_on(desk.document.battlemap.system)


def _stamp_and_brush(desk: Desk) -> tuple[Command, ...]:
    box = desk.tools
    return (
        Command(
            "edit.turn-stamp-right",
            "Turn stamp &right",
            partial(box.turn, 1),
            "Turn it by one side",
            "Z",
            "redo",
        ),
        Command(
            "edit.turn-stamp-left",
            "Turn stamp &left",
            partial(box.turn, -1),
            "Turn it back",
            "Shift+Z",
            "undo",
        ),
        Command(
            "edit.flip",
            "&Flip",
            partial(box.flip, upside_down=False),
            "Mirror the stamp left and right; with another tool in hand give {sides} to the other "
            "{cell}, or back",
            "X",
            "flip",
        ),
        Command(
            "edit.flip-upside-down",
            "Flip &upside down",
            partial(box.flip, upside_down=True),
            "Mirror the stamp",
            "Y",
        ),
        Command(
            "edit.wider-brush",
            "&Wider brush",
            partial(box.options.widen, 1),
            "One {cell} more on every side",
            "]",
        ),
        Command(
            "edit.narrower-brush",
            "&Narrower brush",
            partial(box.options.widen, -1),
            "One {cell} less on every side",
            "[",
        ),
    )


def _elevations(desk: Desk) -> list[Command]:
    return [
        Command(
            f"edit.paint-elevation-{elevation}",
            f"Paint elevation {elevation}",
            partial(_paint_elevation, desk, elevation),
            f"Take the elevation brush and give {{cells}} elevation {elevation}",
            str(elevation) if elevation < 10 else "",
            why_not=partial(desk.tools.why_not, "elevation"),
        )
        for elevation in desk.document.battlemap.terrain_set.elevations
    ]


def _paint_elevation(desk: Desk, elevation: int) -> None:
    desk.tools.options.set_elevation(elevation)
    desk.tools.choose("elevation")
