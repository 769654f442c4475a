"""Colossus plays a battleland: two legions are about to fight on it, the player attacks."""

from __future__ import annotations

import shutil
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.games import Launch, Player
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.systems.colossus.battleland.xml_reader import XML
from randomizer.systems.colossus.board import ENTRY_SIDES
from randomizer.systems.colossus.game.directory import GameDirectory

ATTACKERS_SIDES = (1, 3, 5)
BOTTOM = 3
"""The sides from which attackers come in a game; onto a map with a start list from the bottom."""


class ColossusPlayer(Player):
    """Fights with the first of the standard armies; the game's AI defends."""

    def why_not(self, path: Path | None) -> str:
        if path is None:
            return "Choose the directory of Colossus first, in File > Export to game."
        if shutil.which("java") is None:
            return "Colossus needs Java, and there is no program java on the path."
        return ""

    def prepare(self, battlemap: BattleMap, path: Path | None, scratch: Path) -> Launch:
        from randomizer.systems.colossus.battle import by_game  # the simulator comes along
        from randomizer.systems.colossus.battle.armies import army_text, standard_pairs
        from randomizer.systems.colossus.battle_terrain import Battleland

        jar = by_game.jar(GameDirectory.open(path or ""))
        land = Battleland.of(battlemap.composite())
        sides = (BOTTOM,) if land.start else ATTACKERS_SIDES
        faults = {side: by_game.entry_faults(land, side) for side in sides}
        side = next((candidate for candidate in sides if not faults[candidate]), None)
        if side is None:
            raise error("game-hangs", f"The game would hang: {', '.join(faults[sides[0]])}")
        armies = standard_pairs()[0]
        save = by_game.save_file(armies, side, by_game.HUMAN).encode()
        by_game.fill_scratch(scratch, write_checked(XML, battlemap), save)
        command = by_game.command_in(scratch, [by_game.java(), "-jar", str(jar)], {})
        return Launch(
            tuple(command),
            f"{command[0]} with {jar}",
            f"Two legions ({army_text(armies[0])}) meet on this battleland: you attack from side "
            f"{ENTRY_SIDES[side][0]}, the game defends.",
        )


PLAYER = ColossusPlayer()
