"""The tools as commands: which one is used, and what it does."""

from __future__ import annotations

from functools import partial

from app.commands.commands import Change, Command
from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Add the commands of the tools."""
    desk.commands.add(map(desk.tools.command, desk.tools.tools))
    desk.commands.add(_stamp_and_brush(desk))
    desk.commands.add(_elevations(desk))


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
            words="rotate clockwise",
        ),
        Command(
            "edit.turn-stamp-left",
            "Turn stamp &left",
            partial(box.turn, -1),
            "Turn it back",
            "Shift+Z",
            "undo",
            words="rotate counterclockwise anticlockwise",
        ),
        Command(
            "edit.flip",
            "&Flip",
            partial(box.flip, upside_down=False),
            "Mirror the stamp left and right; with another tool in hand give {sides} to the other "
            "{cell}, or back",
            "X",
            "flip",
            words="mirror stamp owner hexside",
        ),
        Command(
            "edit.flip-upside-down",
            "Flip &upside down",
            partial(box.flip, upside_down=True),
            "Mirror the stamp",
            "Y",
            words="mirror stamp vertical",
        ),
        Command(
            "edit.wider-brush",
            "&Wider brush",
            partial(box.options.widen, 1),
            "One {cell} more on every side",
            "]",
            words="larger bigger size",
        ),
        Command(
            "edit.narrower-brush",
            "&Narrower brush",
            partial(box.options.widen, -1),
            "One {cell} less on every side",
            "[",
            words="smaller thinner size",
        ),
    )


def _elevations(desk: Desk) -> list[Command]:
    return [
        Command(
            f"edit.paint-elevation-{elevation}",
            f"Paint elevation {elevation}",
            partial(_paint_elevation, desk, elevation),
            f"Take the elevation brush and give {{cells}} elevation {elevation}",
            str(elevation) if 0 <= elevation < 10 else "",  # the keys that have one digit
            words="height level brush",
            follows=Change.MAP,
            why_not=partial(desk.tools.why_not, "elevation"),
        )
        for elevation in desk.document.battlemap.terrain_set.elevations
    ]


def _paint_elevation(desk: Desk, elevation: int) -> None:
    desk.tools.options.set_elevation(elevation)
    desk.tools.choose("elevation")
