"""Adds to the desk what only maps of Xconq have: commands, keys, and questions about files.

``make`` is called when the program starts, and most sessions never open a map of Xconq. So the
modules of its commands, keys and dialogs are imported only by the functions that call them: when a
command is used, when such a map becomes current, when one is saved or opened.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.formats.results import ReadResult
from randomizer.systems.xconq.library import LIBRARY

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


HELP_ROW = (
    "3 . Space on worlds of Xconq",
    "paint sea with radius 3: a number, the terrain's character, then Space (Escape ends it)",
)
"""A row of the table of mouse and keys."""


def make(desk: Desk) -> None:
    """Add the commands, the keys of build mode, and the questions about files."""
    # Files that a mapfile includes are looked for in the directory that the user has chosen.
    LIBRARY.use_folder_of(partial(desk.settings.game_dir, "xconq"))
    desk.commands.add(_commands(desk))
    desk.commands.further_keys.append(HELP_ROW)
    desk.questions.add_before_writing(partial(_ask_before_writing, desk))
    desk.questions.add_after_reading(partial(_ask_for_missing_map, desk))
    build_keys = _LazyBuildKeys(desk)
    connect(desk.document.map_replaced, build_keys.make_if_needed)
    build_keys.make_if_needed()


def _commands(desk: Desk) -> tuple[Command, ...]:
    """Return the commands in the menus, which only maps of Xconq offer."""

    def command(id_: str, text: str, method: str, tip: str, words: str) -> Command:
        """Return the command that calls the method of ``MapCommands`` with a name."""
        return Command(
            id_,
            text,
            partial(_call_method, desk, method),
            tip=tip,
            offered=partial(_is_xconq, desk),
            follows=Change.MAP,
            words=words,
        )

    return (
        command(
            "map.fill-edge-rows",
            "Fill ed&ge rows...",
            method="fill_edge_rows",
            tip="Give the northern and the southern row the edge terrain of the period",
            words="border rim poles north south",
        ),
        command(
            "map.wall-the-seam",
            "&Wall the seam...",
            method="wall_the_seam",
            tip="A stripe of a terrain from south to north, so that no way leads round the world",
            words="barrier stripe world wrap",
        ),
        command(
            "map.what-is-saved",
            "What is sa&ved...",
            method="choose_what_is_saved",
            tip="Which sections a mapfile of this map gets, and in what detail",
            words="sections mapfile detail export",
        ),
        command(
            "map.shuffle-units",
            "Shuffle &units...",
            method="shuffle_units",
            tip="Move every unit that can move by some {cells}: the picked ones, or all",
            words="scatter random move disperse",
        ),
        command(
            "things.load-into",
            "&Load into...",
            method="load_into",
            tip="Put the picked units into a transport; or drag them onto it",
            words="transport carry board embark",
        ),
        command(
            "things.unload",
            "&Unload",
            method="unload",
            tip="Take the picked units out of their transport, onto its {cell}",
            words="transport disembark land",
        ),
    )


def _is_xconq(desk: Desk) -> bool:
    """Return whether the current map is one of Xconq."""
    return desk.document.battlemap.system.name == "xconq"


def _call_method(desk: Desk, method: str) -> object:
    """Call a method of ``MapCommands`` for the current map, and return its result.

    The method is given by its name, as the class is imported only here. The result may be a
    coroutine, which the commands then run.
    """
    from app.systems.xconq.map.map_commands import MapCommands

    return getattr(MapCommands(desk), method)()


async def _ask_before_writing(desk: Desk, path: Path, open_map: OpenMap) -> bool:
    """Ask for the sections and details of a mapfile; return False if it is not to be written.

    For files of other formats, and maps of other systems, nothing is asked.
    """
    system = open_map.battlemap.system
    if system.name != "xconq":
        return True
    from app.document.map_writing import save_format

    if save_format(path, system).name != "xconq":
        return True
    from app.systems.xconq.map.save_dialog import ask_details

    return await ask_details(desk, open_map, path, is_for_writing=True)


async def _ask_for_missing_map(desk: Desk, path: Path, result: ReadResult) -> ReadResult:
    """Return what was read of a file, unchanged; if it has no map, ask for a world first.

    The map of such a file is a world that was rolled for it. Raises Stopped if no map is to be
    opened: the user has put the file onto the current map, or has cancelled.
    """
    if result.battlemap is not None and result.battlemap.system.name == "xconq":
        from app.systems.xconq.map.missing_map import ask_for_world

        await ask_for_world(desk, path, result)
    return result


class _LazyBuildKeys(QObject):
    """Makes the keys of build mode when the first map of Xconq becomes current."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._is_made = False

    def make_if_needed(self) -> None:
        """Make the keys if the current map is of Xconq and they are not made yet."""
        if self._is_made or not _is_xconq(self._desk):
            return
        from app.systems.xconq.map.build_keys import BuildKeys

        self._is_made = True
        BuildKeys(self._desk)
