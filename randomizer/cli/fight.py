"""``randomizer fight``: battles of two armies on a battleland, by our own simulator or the game.

``run`` is called for the verb. Each pair of armies fights its battles; its results are a line of
text, or with ``--json`` an object::

    Marsh, bottom: 2 Ogre against 2 Lion: attacker wins 41 % (35 to 48), defender 55 %, ...
"""

from __future__ import annotations

import argparse
import json
from pathlib import PurePath

from randomizer.cli.files import as_warnings, read_input, read_map
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.model.basics.rarity import Rarity
from randomizer.model.map.battlemap import BattleMap
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
    """Fight, print the results, and return the exit code.

    Who decided the battles, our simulator or the game, is told on standard error. Raises
    ProblemError, UsageError.
    """
    # The fights: one for each pair of armies.
    side = _entry_side(arguments.side)
    pairs = _pairs(arguments, console)
    battlemap, problems = read_map(arguments.map, console)
    console.report(as_warnings(problems))
    fights = []
    for armies in pairs:
        fight = Fight(
            armies,
            side=side,
            battles=arguments.battles,
            seed=arguments.seed,
            game=arguments.game,
        )
        fights.append(fight)

    # The check depends on the side and the game, which all fights have in common.
    wrong = [problem.at_path(arguments.map) for problem in check_fight(battlemap, fights[0])]
    if has_errors(wrong):
        raise ProblemError(wrong)
    console.report(wrong)

    # The battles. Lines of text are printed as soon as a fight ends, JSON when all have.
    board = TITLE.of(battlemap.composite().properties) or PurePath(arguments.map).stem
    records = list[object]()
    for fight in fights:
        results = _fight_to_the_end(battlemap, fight, console)
        if arguments.json:
            records.append(_record(board, fight, results))
        else:
            console.put_text(f"{board}, {_side_name(side)}: {_line(fight.armies, results)}")
    if arguments.json:
        answer: object = records
        if not arguments.armies:  # one pair by --attacker and --defender: an object, no list
            answer = records[0]
        console.put_text(json.dumps(answer, indent=1))
    console.say(f"fought {fights[0].fought_by}")
    return FINE


def _entry_side(text: str) -> int:
    """Return the number of the side that ``--side`` names: "3" is 3, "Bottom" its index."""
    if text.isdigit():
        return int(text)
    names = [name for name, _hexes in ENTRY_SIDES]
    return names.index(text)


def _side_name(side: int) -> str:
    """Return the name of a side within a line of results."""
    name, _hexes = ENTRY_SIDES[side]
    return name.lower()


def _fight_to_the_end(battlemap: BattleMap, fight: Fight, console: Console) -> Results:
    """Return the results of all battles of a fight, whose progress the console shows."""
    results = Results()  # those of no battles, if there is no fight
    for results in fight_on(battlemap, fight):
        console.progress(f"{results.battles:,} of {fight.battles:,} battles fought")
    return results


def _pairs(arguments: argparse.Namespace, console: Console) -> list[tuple[Army, Army]]:
    """Return the armies that fight: pairs of an attacker and a defender, at least one.

    Raises ProblemError for armies that cannot be read, UsageError for a wrong choice of options.
    """
    options = {"--attacker": arguments.attacker, "--defender": arguments.defender}
    texts = {option: text for option, text in options.items() if text is not None}
    is_list = not texts and bool(arguments.armies)
    is_named_pair = len(texts) == 2 and not arguments.armies
    if not is_list and not is_named_pair:
        raise UsageError("the armies are given by --attacker and --defender, or by --armies")
    if arguments.armies == "standard":
        return standard_pairs()
    if arguments.armies:
        data = read_input(arguments.armies, console)
        return read_pairs(data.decode("utf-8-sig", "replace"), arguments.armies)
    for option, text in texts.items():
        console.remember(option, text.encode())
    attacker = read_army(arguments.attacker, "--attacker")
    defender = read_army(arguments.defender, "--defender")
    return [(attacker, defender)]


_ROLES = ("attacker", "defender")
"""The keys of the two armies in results, in the order of all pairs."""


def _record(board: str, fight: Fight, results: Results) -> dict[str, object]:
    """Return the results of a fight as the object that ``--json`` prints.

    ``board`` is the title of the map. Means are rounded to thousandths.
    """
    # The mean of no battles is told as 0: all armies have fled.
    count = max(1, results.battles)
    losses = results.deaths.sum(axis=1) / count
    deaths: dict[str, dict[str, int]] = {}
    for index, label in enumerate(LABELS):
        deaths_in_hex = results.deaths[:, index]
        if deaths_in_hex.any():
            deaths[label] = dict(zip(_ROLES, deaths_in_hex.tolist(), strict=True))

    record: dict[str, object] = {
        "engine": GAME if fight.game else ENGINE,
        "board": board,
        "side": fight.side,
        "armies": dict(zip(_ROLES, map(army_text, fight.armies), strict=True)),
        "battles": results.battles,
    }
    if fight.game:  # only the game has battles that end before the first move (``Results.fled``)
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
    """Return the results of a pair of armies as a line of text.

    Behind the attacker's share of wins stands the interval in which the true one probably is.
    """
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
