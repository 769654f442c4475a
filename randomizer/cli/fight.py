"""``randomizer fight``: battles of two armies on a battleland, by our own simulator or the game."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from randomizer.cli.files import as_warnings, read_bytes, read_map
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.formats import write_checked
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.rarity import Rarity
from randomizer.systems.colossus.battle.armies import (
    Army,
    army_text,
    read_army,
    read_pairs,
    standard_pairs,
)
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.by_game import entry_faults, fight
from randomizer.systems.colossus.battle.simulator import CHUNK, Results, Simulator
from randomizer.systems.colossus.battleland.xml_reader import XML
from randomizer.systems.colossus.board import ENTRY_SIDES, LABELS
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.properties import TITLE
from randomizer.systems.colossus.system import SYSTEM

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap

ENGINE, GAME = "Battlelands Builder", "Colossus"
"""The names of the simulator and of the game in results."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the results; whose they are goes to standard error."""
    names = [name for name, _hexes in ENTRY_SIDES]
    side = int(arguments.side) if arguments.side.isdigit() else names.index(arguments.side)
    pairs = _pairs(arguments, console)
    battlemap, problems = read_map(arguments.map, console)
    if battlemap.system is not SYSTEM:
        message = f"this is a {battlemap.system.noun}; battles are fought on Colossus battlelands"
        raise error("no-battleland", message, path=arguments.map)
    console.report(as_warnings(problems))
    shown = battlemap.composite()
    land = Battleland.of(shown)
    if land.start and side != BOTTOM:
        message = "it has a start list: in the game its attackers come from the bottom"
        console.report([Problem(Severity.WARNING, "start-list-side", message, arguments.map)])
    board = TITLE.of(shown.properties) or PurePath(arguments.map).stem
    xml = b"" if arguments.game is None else _for_game(battlemap, land, side, arguments)
    records = []
    for armies in pairs:
        results, count = Results(), arguments.battles
        if arguments.game is None:
            fights = _simulated(Simulator(land, *armies, side, arguments.seed), count)
        else:
            game = GameDirectory.open(arguments.game)
            fights = fight(game, xml, armies, side, count)
        for results in fights:
            console.progress(f"{results.battles:,} of {count:,} battles fought")
        records.append(_record(board, side, armies, results, GAME if arguments.game else ENGINE))
        if not arguments.json:
            console.put_text(f"{board}, {names[side].lower()}: {_line(armies, results)}")
    if arguments.json:
        console.put_text(json.dumps(records if arguments.armies else records[0], indent=1))
    simulator = f"{ENGINE}'s simulator, seed {arguments.seed}, not by the game itself"
    console.say(f"fought by {'the game itself' if arguments.game else simulator}")
    return FINE


def _simulated(simulator: Simulator, count: int) -> Iterator[Results]:
    results = Results()
    while (left := count - results.battles) > 0:
        results.add(simulator.fight(results.battles, min(CHUNK, left)))
        yield results


def _for_game(
    battlemap: BattleMap, land: Battleland, side: int, arguments: argparse.Namespace
) -> bytes:
    """Return the map as the game reads it. Raises ProblemError for one on which it would hang."""
    faults = entry_faults(land, side)
    if faults:
        message = f"the game would hang: {', '.join(faults)}"
        raise error("game-hangs", message, path=arguments.map)
    return write_checked(XML, battlemap)


def _pairs(arguments: argparse.Namespace, console: Console) -> list[tuple[Army, Army]]:
    """Return the armies that fight. Raises ProblemError, UsageError."""
    options = {"--attacker": arguments.attacker, "--defender": arguments.defender}
    texts = {option: text for option, text in options.items() if text is not None}
    if bool(texts) == bool(arguments.armies) or len(texts) == 1:
        raise UsageError("the armies are given by --attacker and --defender, or by --armies")
    if arguments.armies == "standard":
        return standard_pairs()
    if arguments.armies:
        data = read_bytes(arguments.armies, console)
        return read_pairs(data.decode("utf-8-sig", "replace"), arguments.armies)
    for option, text in texts.items():
        console.remember(option, text.encode())
    attacker, defender = (read_army(text, option) for option, text in texts.items())
    return [(attacker, defender)]


def _record(
    board: str, side: int, armies: tuple[Army, Army], results: Results, engine: str
) -> object:
    roles = ("attacker", "defender")
    count = max(1, results.battles)  # none if all have fled
    losses = results.deaths.sum(axis=1) / count
    return {
        "engine": engine,
        "board": board,
        "side": side,
        "armies": dict(zip(roles, map(army_text, armies), strict=True)),
        "battles": results.battles,
        **({"fled": results.fled} if engine == GAME else {}),
        "attacker_wins": results.attacker_wins,
        "defender_wins": results.defender_wins,
        "mutual": results.mutual,
        "time_losses": results.time_losses,
        "mean_turns": round(results.turns / count, 3),
        "losses": dict(zip(roles, losses.round(3).tolist(), strict=True)),
        "deaths": {
            label: dict(zip(roles, results.deaths[:, number].tolist(), strict=True))
            for number, label in enumerate(LABELS)
            if results.deaths[:, number].any()
        },
    }


def _line(armies: tuple[Army, Army], results: Results) -> str:
    if not results.battles:
        return f"{army_text(armies[0])} against {army_text(armies[1])}: {results.fled} have fled"
    won, count = results.attacker_wins, results.battles
    low, high = (100 * end for end in Rarity(won, count).interval)
    return (
        f"{army_text(armies[0])} against {army_text(armies[1])}: "
        f"attacker wins {100 * won / count:.0f} % ({low:.0f} to {high:.0f}), "
        f"defender {100 * results.defender_wins / count:.0f} %, "
        f"both lose {100 * results.mutual / count:.0f} %; {results.turns / count:.1f} turns"
    )
