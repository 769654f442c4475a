"""Battles of two armies on a map, by our own simulator or by the player's game.

for results in fight_on(battlemap, Fight(armies, side=1, battles=200)):
    ...  # the results so far; closing the generator ends the battles
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.systems.colossus.battle import by_game
from randomizer.systems.colossus.battle.by_game import Armies
from randomizer.systems.colossus.battle.simulator import CHUNK, Results, Simulator
from randomizer.systems.colossus.battle_terrain import BOTTOM, Battleland
from randomizer.systems.colossus.battleland.xml_reader import XML
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.system import SYSTEM


@dataclass(frozen=True)
class Fight:
    """Battles between an attacker and a defender, from an entry side (0 .. 5).

    ``game`` is the directory or the jar of the game that fights them, without a ``seed``; None: our
    simulator does.
    """

    armies: Armies
    side: int
    battles: int
    seed: int = 0
    game: Path | str | None = None

    @property
    def fought_by(self) -> str:
        """Whose results these are."""
        if self.game is not None:
            return "by the game itself"
        return f"by Battlelands Builder's simulator, seed {self.seed}, not by the game itself"


def check_fight(battlemap: BattleMap, fight: Fight) -> Iterator[Problem]:
    """Yield what is wrong with fighting on a map: errors, and what the game does otherwise."""
    if battlemap.system is not SYSTEM:
        message = f"this is a {battlemap.system.noun}; battles are fought on Colossus battlelands"
        yield Problem(Severity.ERROR, "no-battleland", message)
        return
    land = Battleland.of(battlemap.composite())
    if land.start and fight.side != BOTTOM:
        message = "it has a start list: in the game its attackers come from the bottom"
        yield Problem(Severity.WARNING, "start-list-side", message)
    if fight.game is not None and (faults := by_game.entry_faults(land, fight.side)):
        message = f"the game would hang: {', '.join(faults)}"
        yield Problem(Severity.ERROR, "game-hangs", message)


def fight_on(battlemap: BattleMap, fight: Fight) -> Iterator[Results]:
    """Yield the results so far. Raises ProblemError for what ``check_fight`` calls an error."""
    problems = tuple(check_fight(battlemap, fight))
    if has_errors(problems):
        raise ProblemError(problems)
    armies = fight.armies
    side = fight.side
    if fight.game is not None:
        board = write_checked(XML, battlemap)
        game = GameDirectory.open(fight.game)
        yield from by_game.fight(game, board, armies, side, fight.battles)
        return
    simulator = Simulator(Battleland.of(battlemap.composite()), *armies, side, fight.seed)
    results = Results()
    while (left := fight.battles - results.battles) > 0:
        results.add(simulator.fight(results.battles, min(CHUNK, left)))
        yield results
