"""Armies as text: ``2 Lion+2 Ogre+Troll``, and files of armies that meet.

    read_army("2 Lion+Troll")          # (Lion, Lion, Troll)

Names may be written in small letters. A file has a pair of armies a line, ``attacker | defender``;
one army alone meets an equal one. ``#`` begins a comment. ``read_pairs`` reads a file;
``standard_pairs`` are the armies that come with the program.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import get_close_matches
from importlib.resources import files
from typing import NamedTuple

from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit, split_lines
from randomizer.systems.colossus.creatures import CREATURES, Creature

MAX_CREATURES = 8
"""The largest number of creatures of an army.

A legion has 8 creatures at the start of a game, and at most 7 afterwards.
"""

Army = tuple[Creature, ...]
"""The creatures of an army, as many times as it has them."""

_CREATURES = {creature.name.casefold(): creature for creature in CREATURES}
"""All creatures by their names without regard to letter case."""

_NUMBER = re.compile(r"\s*(?:([1-9][0-9]{0,2})\s*)?", re.ASCII)
"""The number in front of a creature, with the blanks around it; both can be absent."""


def read_army(text: str, path: str | None = None, line: int = 1, column: int = 1) -> Army:
    """Return the creatures of an army's text, which begins at ``line`` and ``column`` of ``path``.

    Raises ProblemError with the span of each creature that does not exist.
    """
    army: list[Creature] = []
    problems: list[Problem] = []
    creature_count = 0
    part_column = column
    for part in text.split("+"):
        # A part is a number, which may be left out, and a name.
        number_match = _NUMBER.match(part)
        assert number_match is not None, "the pattern matches any text"
        name_start = number_match.end()
        name = part[name_start:].rstrip()
        creature = _CREATURES.get(name.casefold())
        if creature is None:
            problems.append(_unknown_creature(name, path, line, part_column + name_start))
        else:
            copies = int(number_match[1] or 1)
            creature_count += copies
            # A number of three digits makes no long list, which would be refused anyway.
            army += [creature] * min(copies, MAX_CREATURES)
        part_column += len(part) + len("+")

    if creature_count > MAX_CREATURES:
        message = f"these are {creature_count} creatures; a legion has at most {MAX_CREATURES}"
        span = (line, column, line, column + len(text))
        problems.append(Problem(Severity.ERROR, "army-too-large", message, path, *span))
    if problems:
        raise ProblemError(problems)
    return tuple(army)


def _unknown_creature(name: str, path: str | None, line: int, column: int) -> Problem:
    """Return the problem of a name that no creature has; "" is a missing one."""
    span = (line, column, line, column + max(1, len(name)))
    if name:
        message = f"there is no creature “{name}”"
    else:
        message = "a creature is missing here"
    fix = None
    similar_names = get_close_matches(name.casefold(), _CREATURES, 1)
    if similar_names:
        similar_name = _CREATURES[similar_names[0]].name
        message += f"; did you mean {similar_name}?"
        fix = Fix(f"Write {similar_name}", (TextEdit(*span, similar_name),))
    return Problem(Severity.ERROR, "no-creature", message, path, *span, fix)


def army_text(army: Army) -> str:
    """Return an army as ``read_army`` reads it."""
    counts = Counter(creature.name for creature in army)
    parts = []
    for name, count in counts.items():
        if count > 1:
            parts.append(f"{count} {name}")
        else:
            parts.append(name)
    return "+".join(parts)


def read_pairs(text: str, path: str | None = None) -> list[tuple[Army, Army]]:
    """Return the attackers and defenders of a file.

    Raises ProblemError with the problems of all its lines, or if it has no army.
    """
    pairs = []
    problems: list[Problem] = []
    for number, line in enumerate(split_lines(text), 1):
        content = line.partition("#")[0]
        if not content.strip():
            continue
        attacker_text, bar, defender_text = content.partition("|")
        try:
            attacker = read_army(attacker_text, path, number)
            defender = attacker
            if bar:
                first_column = len(attacker_text) + len(bar) + 1  # columns count from 1
                defender = read_army(defender_text, path, number, first_column)
        except ProblemError as error:
            problems += error.problems
        else:
            pairs.append((attacker, defender))
    if not pairs and not problems:
        problems.append(Problem(Severity.ERROR, "no-armies", "there is no army in this file", path))
    if problems:
        raise ProblemError(problems)
    return pairs


def standard_pairs() -> list[tuple[Army, Army]]:
    """Return the packaged armies: legions as the recruits of one terrain give them."""
    folder = "randomizer.systems.colossus.battle"
    return read_pairs(files(folder).joinpath("armies.txt").read_text("utf-8"))


# --- the order of an army ---------------------------------------------------------------------


def most_important_first(army: Army) -> list[Creature]:
    """Return an army's creatures in the order in which the game's AI moves them."""
    return sorted(army, key=_rank)


class _Rank(NamedTuple):
    """The importance of a creature to the game's AI; the most important one sorts first.

    False sorts before True, so that each field is False, or low, for important creatures.
    """

    is_no_titan: bool
    negative_points: int
    cannot_rangestrike: bool
    cannot_fly: bool
    name: str


def _rank(kind: Creature) -> _Rank:
    """Return the rank of a creature: Titans first, then by points, then by abilities and name."""
    return _Rank(
        is_no_titan=not kind.is_titan,
        negative_points=-kind.points,
        cannot_rangestrike=not kind.rangestrikes,
        cannot_fly=not kind.flies,
        name=kind.name,
    )
