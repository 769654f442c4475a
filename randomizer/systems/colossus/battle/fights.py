"""Battles of two armies on a battleland, fought by our own simulator or by the player's game.

    fight = Fight(armies, side=1, battles=200)
    for results in fight_on(battlemap, fight):
        print(results.battles)      # so far; the last time 200

The desk shows the results while they come, and closes the generator to end the battles early.
``check_fight`` says beforehand why a fight is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from randomizer.formats.checked import write_checked
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.systems.colossus.battle import by_game
from randomizer.systems.colossus.battle.game_launch import entry_faults
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.saved_battle import Armies
from randomizer.systems.colossus.battle.simulator import CHUNK, Results, Simulator
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.board import BOTTOM
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.system import SYSTEM


@dataclass(frozen=True)
class Fight:
    """A number of battles between the same attacker and defender."""

    armies: Armies
    """The creatures of the attacker and of the defender."""

    side: int
    """The side of the board from which the attacker comes, 0 to 5."""

    battles: int
    """The number of battles."""

    seed: int = 0
    """The seed of the simulator's dice; the game chooses its own, so it means nothing there."""

    game: Path | str | None = None
    """The directory or the jar of the game that fights the battles; None for our simulator."""

    @property
    def fought_by(self) -> str:
        """The words that tell below a table of results who fought the battles."""
        if self.game is not None:
            return "by the game itself"
        return f"by Battlelands Builder's simulator, seed {self.seed}, not by the game itself"


def check_fight(battlemap: BattleMap, fight: Fight) -> Iterator[Problem]:
    """Yield the problems of a fight on a map.

    Errors say why it cannot be fought: the map is no battleland, or the game would hang. A warning
    says that in the game these attackers would come from another side: a start list names the hexes
    on which the defender begins, and then attackers enter from the bottom only.
    """
    if battlemap.system is not SYSTEM:
        message = f"this is a {battlemap.system.noun}; battles are fought on Colossus battlelands"
        yield Problem(Severity.ERROR, "no-battleland", message)
        return
    land = Battleland.of(battlemap.composite())
    if land.start and fight.side != BOTTOM:
        message = "it has a start list: in the game its attackers come from the bottom"
        yield Problem(Severity.WARNING, "start-list-side", message)
    if fight.game is None:
        return
    faults = entry_faults(land, fight.side)
    if faults:
        message = f"the game would hang: {', '.join(faults)}"
        yield Problem(Severity.ERROR, "game-hangs", message)


def fight_on(battlemap: BattleMap, fight: Fight) -> Iterator[Results]:
    """Fight, and yield the results of all battles so far, again and again.

    What is yielded is always the same ``Results``, which grows: a caller that keeps it sees later
    battles, too. Raises ProblemError with the errors of ``check_fight`` before the first battle.
    """
    problems = tuple(check_fight(battlemap, fight))
    if has_errors(problems):
        raise ProblemError(problems)
    if fight.game is not None:
        return _fight_in_game(battlemap, fight, fight.game)
    return _fight_in_simulator(battlemap, fight)


def _fight_in_game(battlemap: BattleMap, fight: Fight, path: Path | str) -> Iterator[Results]:
    """Let the game at ``path`` fight on the map, which it reads as a board of its own."""
    board = write_checked(XML, battlemap)
    game = GameDirectory.open(path)
    yield from by_game.fight(game, board, fight.armies, fight.side, fight.battles)


def _fight_in_simulator(battlemap: BattleMap, fight: Fight) -> Iterator[Results]:
    """Let our simulator fight, ``CHUNK`` battles at once: they share its arrays."""
    land = Battleland.of(battlemap.composite())
    attacker, defender = fight.armies
    simulator = Simulator(RuleTables.of(land, attacker, defender, fight.side), fight.seed)
    results = Results()
    while results.battles < fight.battles:
        battles_left = fight.battles - results.battles
        # The number of the first battle decides the dice: each battle has its own.
        results.add(simulator.fight(results.battles, min(CHUNK, battles_left)))
        yield results
