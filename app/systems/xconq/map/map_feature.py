"""The commands that only maps of Xconq have, and the keys of build mode.

Nothing of Xconq is imported before a command is used, or such a map is current.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.formats import ReadResult
from randomizer.systems.xconq.library import choose_library

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


KEYS = (
    "3 . Space on worlds of Xconq",
    "paint sea with radius 3: a number, the terrain's character, then Space (Escape ends it)",
)
"""A row of the table of mouse and keys."""


def make(desk: Desk) -> None:
    """Add the commands; maps find the library that was chosen as their game's directory."""
    choose_library(partial(desk.settings.game_dir, "xconq"))
    run = partial(_run, desk)
    offered = partial(_offered, desk)
    desk.commands.add(
        (
            Command(
                "map.fill-edge-rows",
                "Fill ed&ge rows...",
                partial(run, "fill_edge_rows"),
                "Give the northern and the southern row the edge terrain of the period",
                offered=offered,
                follows=Change.MAP,
                words="border rim poles north south",
            ),
            Command(
                "map.wall-the-seam",
                "&Wall the seam...",
                partial(run, "wall_the_seam"),
                "A stripe of a terrain from south to north, so that no way leads round the world",
                offered=offered,
                follows=Change.MAP,
                words="barrier stripe world wrap",
            ),
            Command(
                "map.what-is-saved",
                "What is sa&ved...",
                partial(run, "choose_what_is_saved"),
                "Which sections a mapfile of this map gets, and in what detail",
                offered=offered,
                follows=Change.MAP,
                words="sections mapfile detail export",
            ),
            Command(
                "map.shuffle-units",
                "Shuffle &units...",
                partial(run, "shuffle_units"),
                "Move every unit that can move by some {cells}: the picked ones, or all",
                offered=offered,
                follows=Change.MAP,
                words="scatter random move disperse",
            ),
            Command(
                "things.load-into",
                "&Load into...",
                partial(run, "load_into"),
                "Put the picked units into a transport; or drag them onto it",
                offered=offered,
                follows=Change.MAP,
                words="transport carry board embark",
            ),
            Command(
                "things.unload",
                "&Unload",
                partial(run, "unload"),
                "Take the picked units out of their transport, onto its {cell}",
                offered=offered,
                follows=Change.MAP,
                words="transport disembark land",
            ),
        )
    )
    desk.commands.further_keys.append(KEYS)
    desk.ask_before_writing(partial(_may_write, desk))
    desk.ask_after_reading(partial(_complete, desk))
    wait = _KeysWhenNeeded(desk)
    connect(desk.document.map_replaced, wait.look)
    wait.look()


def _offered(desk: Desk) -> bool:
    return desk.document.battlemap.system.name == "xconq"


def _run(desk: Desk, name: str) -> object:
    from app.systems.xconq.map.map_commands import MapCommands

    return getattr(MapCommands(desk), name)()


async def _may_write(desk: Desk, path: Path, open_map: OpenMap) -> bool:
    """Ask what a mapfile is saved with; files of other formats hold all they can."""
    system = open_map.battlemap.system
    if system.name != "xconq":
        return True
    from app.document.map_files import save_format

    if save_format(path, system).name != "xconq":
        return True
    from app.systems.xconq.map.save_dialog import ask_details

    return await ask_details(desk, open_map)


async def _complete(desk: Desk, path: Path, result: ReadResult) -> ReadResult:
    """Ask where a file without a map is to be put."""
    if result.battlemap is not None and result.battlemap.system.name == "xconq":
        from app.systems.xconq.map.missing_map import ask_for_world

        await ask_for_world(desk, path, result)
    return result


class _KeysWhenNeeded(QObject):
    """Makes the keys of build mode when the first map of Xconq becomes current."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._made = False

    def look(self) -> None:
        """Make them if they are needed now."""
        if not self._made and _offered(self._desk):
            from app.systems.xconq.map.build_keys import BuildKeys

            self._made = True
            BuildKeys(self._desk)
