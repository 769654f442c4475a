"""Starts the game Colossus with a saved battle, in a scratch folder of its own.

    fill_scratch(scratch, board, save)                       # a battleland and a save file
    launch_command(scratch, [find_java(), "-jar", str(jar_of(game))], {})

The battleland under test is written into the scratch folder as Plains, where it replaces the
game's: a saved battle is fought on Plains (saved_battle.py). Nothing of the player's is written.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from randomizer.model.problems import error
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, Battleland
from randomizer.systems.colossus.board import LABELS, NEIGHBOURS, opposite_side
from randomizer.systems.colossus.game.directory import GameDirectory

_LOGGING = """handlers=java.util.logging.ConsoleHandler
java.util.logging.ConsoleHandler.level=INFO
java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
java.util.logging.SimpleFormatter.format=%5$s%6$s%n
.level=WARNING
net.sf.colossus.level=INFO
"""
"""The game's settings for its log: one line an event, on the standard error stream.

``%5$s%6$s%n`` is the message, a stack trace if there is one, and a line end.
"""


def find_java() -> str:
    """Return the program that runs Java. Raises ProblemError if there is none on the path."""
    path = shutil.which("java")
    if path is None:
        raise error("no-java", "The game needs Java, and there is no program java on the path")
    return path


def jar_of(game: GameDirectory) -> Path:
    """Return the game's jar. Raises ProblemError if its directory has none."""
    if not game.jars:
        raise error("no-jar", "The game's directory has no jar to run", path=str(game.root))
    return game.jars[0].path


def entry_faults(land: Battleland, entry_side: int) -> tuple[str, ...]:
    """Return why the game would hang on a battleland, sorted; nothing if it would not.

    It hangs where somebody enters a hex that has a slope or a wall at the rim of the board.
    """
    faults = set()
    defenders_side = opposite_side(entry_side)
    for hex_id in {*ENTRY_HEXES[entry_side], *ENTRY_HEXES[defenders_side]}:
        for side, beyond in enumerate(NEIGHBOURS[hex_id]):
            is_at_rim = beyond < 0
            hexside = land.hexsides[hex_id][side]
            if is_at_rim and hexside in ("Slope", "Wall"):
                faults.add(f"{LABELS[hex_id]} has a {hexside.lower()} at the rim of the board")
    return tuple(sorted(faults))


def fill_scratch(scratch: Path, board: bytes, save: bytes) -> None:
    """Write what the game needs into an empty folder: the board as Plains, and the save file.

    ``launch_command`` comes afterwards, since it names these files. Raises OSError.
    """
    (scratch / "home").mkdir()
    lands = scratch / "Default" / "Battlelands"
    lands.mkdir(parents=True)
    (lands / "Plains.xml").write_bytes(board)
    (scratch / "battle.xml").write_bytes(save)
    (scratch / "logging.properties").write_text(_LOGGING)


def launch_command(
    scratch: Path, java_command: Sequence[str], system_properties: Mapping[str, str]
) -> list[str]:
    """Return the command that loads the save file of a scratch folder, and writes nowhere else.

    ``java_command`` runs the jar: the program, then its arguments. ``system_properties`` are
    further ones of Java that the game reads.
    """
    program, *arguments = java_command
    properties = {
        "user.home": str(scratch / "home"),
        "java.io.tmpdir": str(scratch),
        "java.util.logging.config.file": str(scratch / "logging.properties"),
        **system_properties,
    }
    definitions = [f"-D{key}={value}" for key, value in properties.items()]
    save = ["--load", str(scratch / "battle.xml")]
    # The players' clients talk to the game over a port; the user's own game may hold the usual one.
    port = ["-p", str(_free_port())]
    return [program, *definitions, *arguments, *save, *port]


def _free_port() -> int:
    """Return a port of this machine that nobody uses now; nothing connects to it here."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
