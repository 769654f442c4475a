"""Battles that a person asks for in a form: armies, entry sides, and who fights them.

    values = {"attacker": "2 Lion+Troll", "defender": "3 Ogre", "sides": "each", ...}
    for report in fight_chosen(battlemap, values, game=None):
        ...  # each report has the results so far; closing the generator ends the battles

``SETTINGS`` are the fields of the form. ``check_values`` checks its values while a person fills it
in. ``fight_chosen`` fights the battles and yields reports. The model of fairness hands these three
to the desk. Our simulator or the game itself fights. A report is a table with a column for each
entry side of the attacker::

    Attacker wins            44 % (37 to 51)   52 % (45 to 59)
    Defender wins            55 %              47 %
    ...
    Attacker loses of 2 Lion 1.4               1.2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from math import ceil
from pathlib import Path

from randomizer.batches.fairness import FightReport
from randomizer.model.basics.rarity import Rarity
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.settings.setting import Setting
from randomizer.systems.colossus.battle.armies import army_text, read_army, standard_pairs
from randomizer.systems.colossus.battle.fights import Fight, check_fight, fight_on
from randomizer.systems.colossus.battle.many_battles import ATTACKER, DEFENDER
from randomizer.systems.colossus.battle.play import PLAYER
from randomizer.systems.colossus.battle.simulator import Results
from randomizer.systems.colossus.board import BOTTOM, ENTRY_SIDES
from randomizer.systems.colossus.creatures import CREATURES
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.mirror_battles import deaths_in_100
from randomizer.systems.colossus.properties import START_LIST

EACH = "each"
"""The value of the setting ``sides`` for one battle from each side of the game."""

SIMULATOR = "simulator"
"""The value of the setting ``by`` for our simulator."""

GAME = "game"
"""The value of the setting ``by`` for the game itself."""

SECONDS_OF_GAME = 4
"""The time that one battle of the game takes, on average."""

ATTACKERS_SIDES = [attack.attacker for attack in ATTACKS]
"""The entry sides that attackers have in the game, as numbers of ``ENTRY_SIDES``."""

DEFENDERS_SIDES = [side for side in range(len(ENTRY_SIDES)) if side not in ATTACKERS_SIDES]
"""All other entry sides: a person may let attackers come from there, too."""

_PRESETS = [army_text(army) for army, _same_army in standard_pairs()]
"""The standard armies as text; both armies of a pair are the same."""


def _side_name(side: int) -> str:
    """Return the name of an entry side: "Bottom"."""
    name, _labels = ENTRY_SIDES[side]
    return name


def _army_setting(name: str) -> Setting:
    """Return the setting of the attacker's or the defender's army."""
    text = "Creatures with their numbers, as in 2 Lion+Troll; Ctrl+Space lists them"
    words = tuple(creature.name for creature in CREATURES)
    return Setting(name, str, text, default=_PRESETS[0], title=name.capitalize(), words=words)


SETTINGS = (
    Setting(
        "preset",
        str,
        "Seven creatures as one terrain recruits them, on both sides",
        choices=tuple((text, text) for text in _PRESETS),
        title="Standard army",
        unset="as written below",
    ),
    _army_setting("attacker"),
    _army_setting("defender"),
    Setting(
        "sides",
        str,
        "Where the attacker comes in; the defender comes from the opposite side",
        default=EACH,
        choices=(
            (EACH, "each that attackers have in the game"),
            *((str(side), _side_name(side)) for side in (*ATTACKERS_SIDES, *DEFENDERS_SIDES)),
        ),
        title="Entry side",
    ),
    Setting(
        "battles",
        int,
        "More give a narrower interval",
        default=200,
        minimum=1,
        maximum=100_000,
        title="Battles",
    ),
    Setting(
        "by",
        str,
        "The game takes some seconds a battle, and it needs Java",
        default=SIMULATOR,
        choices=((SIMULATOR, "our simulator"), (GAME, "the game itself")),
        title="Fought by",
    ),
    Setting(
        "seed",
        int,
        "Of the simulator's dice",
        default=0,
        minimum=0,
        maximum=999_999_999,
        title="Seed",
    ),
)
"""The fields of the form, from top to bottom.

A chosen "preset" is written into the fields of both armies by the form itself; only these are read
here.
"""


_ROLES = ((ATTACKER, "Attacker"), (DEFENDER, "Defender"))
"""Both sides of a battle, with their names in the titles of rows."""


def check_values(
    battlemap: BattleMap, values: Mapping[str, object], game: Path | None
) -> tuple[Problem, ...]:
    """Return the errors in the battles that the form asks for, and warnings and hints about them.

    The ``path`` of a problem is the name of the setting that it is about. ``values`` are those of
    ``SETTINGS``; ``game`` is the game's directory, None if the user has not chosen it.
    """
    try:
        fights = _requested_fights(battlemap, values, game)
    except ProblemError as error_in_form:
        return error_in_form.problems
    # Fights from several sides can have the same problem; a dict keeps each once, in order.
    distinct_problems: dict[Problem, None] = {}
    for fight in fights:
        for problem in check_fight(battlemap, fight):
            distinct_problems[problem.at_path("sides")] = None
    problems = list(distinct_problems)
    if values["by"] == GAME:
        minutes = ceil(SECONDS_OF_GAME * len(fights) * fights[0].battles / 60)
        message = f"The game takes about {minutes} min. It has no seed: each time others are fought"
        problems.append(Problem(Severity.HINT, "game-takes-long", message, "by"))
    return tuple(problems)


def fight_chosen(
    battlemap: BattleMap, values: Mapping[str, object], game: Path | None
) -> Generator[FightReport, None, None]:
    """Yield the results so far; there is a column for each side from which a battle has begun.

    Raises ProblemError for values with errors.
    """
    fights = _requested_fights(battlemap, values, game)
    results_by_side: list[Results] = []
    for fight in fights:
        results_by_side.append(Results())
        for results in fight_on(battlemap, fight):
            results_by_side[-1] = results
            yield _report(fights, results_by_side)


def _report(fights: Sequence[Fight], results_by_side: list[Results]) -> FightReport:
    """Return the report on fights: one for each side, of which the first ones have begun.

    ``results_by_side`` are the results so far of those that have begun.
    """
    begun_fights = fights[: len(results_by_side)]
    fight = begun_fights[-1]
    columns = [_figures(fight, results) for results in results_by_side]
    rows = []
    for title in columns[0]:
        rows.append((title, *(column[title] for column in columns)))
    battle_count = sum(results.battles + results.fled for results in results_by_side)
    return FightReport(
        percent=100 * battle_count // (fight.battles * len(fights)),
        fought_by=fight.fought_by,
        attacks=tuple(_side_name(begun_fight.side) for begun_fight in begun_fights),
        rows=tuple(rows),
        deaths=deaths_in_100(results_by_side),
    )


def _figures(fight: Fight, results: Results) -> dict[str, str]:
    """Return the column of a report on one fight: the text of each figure by its title.

    The figures are shares of the battles fought so far, or means of a battle.
    """
    count = max(1, results.battles)  # no division by 0 if none is counted yet
    low, high = Rarity(results.attacker_wins, count).interval
    attacker_share = 100 * results.attacker_wins / count
    figures = {
        "Attacker wins": f"{attacker_share:.0f} % ({100 * low:.0f} to {100 * high:.0f})",
        "Defender wins": f"{100 * results.defender_wins / count:.0f} %",
        # Of all battles, as the rows above: a part of the defender's wins.
        "of these by the turn limit": f"{100 * results.time_losses / count:.0f} %",
        "Both lose": f"{100 * results.mutual / count:.0f} %",
    }
    if fight.game is not None:
        figures["Fled or conceded"] = str(results.fled)
    figures["Turns"] = f"{results.turns / count:.1f}"
    for role_index, role in _ROLES:
        creatures = Counter(creature.name for creature in fight.armies[role_index])
        for name, number in creatures.items():
            losses = results.losses[role_index, name] / count
            figures[f"{role} loses of {number} {name}"] = f"{losses:.1f}"
    return figures


def _requested_fights(
    battlemap: BattleMap, values: Mapping[str, object], game: Path | None
) -> list[Fight]:
    """Return a fight for each side that the form names.

    Raises ProblemError if an army is wrong, or if the game is to fight and cannot be started.
    """
    # The armies; the problems of both are reported at once.
    armies = []
    problems = list[Problem]()
    for name in ("attacker", "defender"):
        try:
            armies.append(read_army(str(values[name]), name))
        except ProblemError as error_in_form:
            problems += error_in_form.problems
    if problems:
        raise ProblemError(problems)
    attacker, defender = armies

    # The game that fights, None for the simulator.
    fighting_game: Path | None = None
    if values["by"] == GAME:
        why_not = PLAYER.why_not(game)
        if why_not:
            raise error("no-game", why_not, path="by")
        fighting_game = game

    # The sides. On a map with a start list all attackers come from the bottom.
    if values["sides"] != EACH:
        sides = [int(str(values["sides"]))]
    elif START_LIST.of(battlemap.composite().properties):
        sides = [BOTTOM]
    else:
        sides = ATTACKERS_SIDES

    count = int(str(values["battles"]))
    seed = int(str(values["seed"]))
    fights = []
    for side in sides:
        fights.append(Fight((attacker, defender), side, count, seed=seed, game=fighting_game))
    return fights
