"""``randomizer fight``: battles of two armies on a battleland, by our own simulator or the game."""

from __future__ import annotations

import argparse
import json
from pathlib import PurePath

from randomizer.cli.files import as_warnings, read_bytes, read_map
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.model.basics.rarity import Rarity
from randomizer.model.problems import ProblemError, has_errors
from randomizer.systems.colossus.battle.armies import (
    Army,
    army_text,
    read_army,
    read_pairs,
    standard_pairs,
)
from randomizer.systems.colossus.battle.fights import Fight, check_fight, fight_on
from randomizer.systems.colossus.battle.simulator import Results
from randomizer.systems.colossus.board import ENTRY_SIDES, LABELS
from randomizer.systems.colossus.properties import TITLE

ENGINE = "Battlelands Builder"
"""The name of our simulator in results."""

GAME = "Colossus"
"""The name of the game in results."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the results; whose they are goes to standard error."""
    # What is fought: a side, the pairs of armies, the board.
    names = [name for name, _hexes in ENTRY_SIDES]
    if arguments.side.isdigit():
        side = int(arguments.side)
    else:
        side = names.index(arguments.side)
    pairs = _pairs(arguments, console)
    battlemap, problems = read_map(arguments.map, console)
    console.report(as_warnings(problems))
    fights = [
        Fight(armies, side, arguments.battles, arguments.seed, arguments.game) for armies in pairs
    ]

    # The check depends on the side and the game, which all fights have in common.
    wrong = [problem.at_path(arguments.map) for problem in check_fight(battlemap, fights[0])]
    if has_errors(wrong):
        raise ProblemError(wrong)
    console.report(wrong)
    board = TITLE.of(battlemap.composite().properties) or PurePath(arguments.map).stem
    engine = ENGINE
    if arguments.game:
        engine = GAME

    records = list[object]()
    for fight in fights:
        results = Results()
        for results in fight_on(battlemap, fight):
            console.progress(f"{results.battles:,} of {fight.battles:,} battles fought")
        records.append(_record(board, side, fight.armies, results, engine))
        if not arguments.json:
            console.put_text(f"{board}, {names[side].lower()}: {_line(fight.armies, results)}")
    if arguments.json and arguments.armies:
        console.put_text(json.dumps(records, indent=1))
    elif arguments.json:
        console.put_text(json.dumps(records[0], indent=1))
    console.say(f"fought {fights[0].fought_by}")
    return FINE


def _pairs(arguments: argparse.Namespace, console: Console) -> list[tuple[Army, Army]]:
    """Return the armies that fight. Raises ProblemError, UsageError."""
    options = {"--attacker": arguments.attacker, "--defender": arguments.defender}
    texts = {option: text for option, text in options.items() if text is not None}
    is_list = not texts and bool(arguments.armies)
    is_named_pair = len(texts) == 2 and not arguments.armies
    if not is_list and not is_named_pair:
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


_ROLES = ("attacker", "defender")
"""The keys of the two armies in results, in the order of all pairs."""


def _record(
    board: str, side: int, armies: tuple[Army, Army], results: Results, engine: str
) -> dict[str, object]:
    """Return the results of a pair as the object that ``--json`` prints."""
    count = max(1, results.battles)  # none if all have fled
    losses = results.deaths.sum(axis=1) / count
    deaths: dict[str, dict[str, int]] = {}
    for number, label in enumerate(LABELS):
        deaths_in_hex = results.deaths[:, number]
        if deaths_in_hex.any():
            deaths[label] = dict(zip(_ROLES, deaths_in_hex.tolist(), strict=True))
    record: dict[str, object] = {
        "engine": engine,
        "board": board,
        "side": side,
        "armies": dict(zip(_ROLES, map(army_text, armies), strict=True)),
        "battles": results.battles,
    }
    if engine == GAME:  # only the game counts them (``battle.by_game``)
        record["fled"] = results.fled
    record |= {
        "attacker_wins": results.attacker_wins,
        "defender_wins": results.defender_wins,
        "mutual": results.mutual,
        "time_losses": results.time_losses,
        "mean_turns": round(results.turns / count, 3),
        "losses": dict(zip(_ROLES, losses.round(3).tolist(), strict=True)),
        "deaths": deaths,
    }
    return record


def _line(armies: tuple[Army, Army], results: Results) -> str:
    """Return the results of a pair as a line of text, with the interval of the share of wins."""
    attacker, defender = armies
    heading = f"{army_text(attacker)} against {army_text(defender)}"
    if not results.battles:
        return f"{heading}: {results.fled} have fled"
    won = results.attacker_wins
    count = results.battles
    low, high = (100 * end for end in Rarity(won, count).interval)
    return (
        f"{heading}: "
        f"attacker wins {100 * won / count:.0f} % ({low:.0f} to {high:.0f}), "
        f"defender {100 * results.defender_wins / count:.0f} %, "
        f"both lose {100 * results.mutual / count:.0f} %; {results.turns / count:.1f} turns"
    )
