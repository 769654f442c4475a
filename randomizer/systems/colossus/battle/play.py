"""Starts Colossus with a battle on a battleland, which the user fights as the attacker.

The desk uses ``PLAYER``. Its ``prepare`` writes a saved game in which two legions meet on the
battleland, and returns the command that loads it. ``game_launch`` knows the files and the command
line of the game. It is imported when a battle is started: the desk begins sooner without it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.formats.checked import write_checked
from randomizer.games.player import Launch, Player
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.board import BOTTOM, ENTRY_SIDES
from randomizer.systems.colossus.game.directory import GameDirectory

if TYPE_CHECKING:
    from randomizer.systems.colossus.battle_terrain import Battleland

ATTACKERS_SIDES = (1, 3, 5)
"""The entry sides from which attackers come in a game: right, bottom and left."""


class ColossusPlayer(Player):
    """Fights with the first of the standard armies; the game's AI defends."""

    def why_not(self, path: Path | None) -> str:
        """Return why no battle can be fought in the game at ``path``, "" if one can."""
        if path is None:
            return "Choose the directory of Colossus first, in File > Export to game."
        if shutil.which("java") is None:
            return "Colossus needs Java, and there is no program java on the path."
        return ""

    def prepare(self, battlemap: BattleMap, path: Path | None, scratch: Path) -> Launch:
        """Write a saved game into ``scratch``, and return the command; ``why_not`` was asked."""
        from randomizer.systems.colossus.battle import game_launch
        from randomizer.systems.colossus.battle.armies import army_text, standard_pairs
        from randomizer.systems.colossus.battle.saved_battle import HUMAN, save_file
        from randomizer.systems.colossus.battle_terrain import Battleland

        # Choose the side and the armies, and write the saved game.
        assert path is not None, "why_not said that the game is there"
        jar = game_launch.jar_of(GameDirectory.open(path))
        land = Battleland.of(battlemap.composite())
        side = _first_safe_side(land)
        armies = standard_pairs()[0]
        save = save_file(armies, side, HUMAN).encode()
        game_launch.fill_scratch(scratch, write_checked(XML, battlemap), save)

        # Return the command, and what to tell the user about it.
        command = game_launch.launch_command(
            scratch, [game_launch.find_java(), "-jar", str(jar)], {}
        )
        army = army_text(armies[0])
        name_of_side, _hexes = ENTRY_SIDES[side]
        summary = (
            f"Two legions ({army}) meet on this battleland: you attack from side {name_of_side}, "
            "the game defends."
        )
        return Launch(command=tuple(command), program=f"{command[0]} with {jar}", summary=summary)


def _first_safe_side(land: Battleland) -> int:
    """Return the first side from which an attacker can enter without hanging the game.

    Some battlelands make the game wait for ever (``game_launch.entry_faults``). Raises ProblemError
    if that is so from all sides.
    """
    from randomizer.systems.colossus.battle.game_launch import entry_faults

    sides: tuple[int, ...] = ATTACKERS_SIDES
    if land.start:
        sides = (BOTTOM,)  # the only one that the game uses with a start list
    for side in sides:
        if not entry_faults(land, side):
            return side
    faults = entry_faults(land, sides[0])
    raise error("game-hangs", f"The game would hang: {', '.join(faults)}")


PLAYER = ColossusPlayer()
