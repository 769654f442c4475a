"""Armies as text: ``2 Lion+2 Ogre+Troll``, and files of armies that meet.

A file has a pair of armies a line, ``attacker | defender``; one army alone meets its own like.
``#`` begins a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import get_close_matches
from importlib.resources import files

from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit, split_lines
from randomizer.systems.colossus.battle.creatures import CREATURES, Creature

MOST_CREATURES = 8
"""A legion at the start of a game; later ones have 7 at most."""

Army = tuple[Creature, ...]

_NAMES = {creature.name.casefold(): creature for creature in CREATURES}


def read_army(text: str, path: str | None = None, line: int = 1, column: int = 1) -> Army:
    """Return the creatures of an army's text, which stands at a place of ``path``.

    Raises ProblemError with the place of each creature that does not exist.
    """
    army: list[Creature] = []
    problems: list[Problem] = []
    count = 0
    end = column - 1
    for part in text.split("+"):
        end += len(part) + 1
        counted = re.match(r"\s*(?:([1-9][0-9]{0,2})\s*)?", part, re.ASCII)
        name = part[counted.end() if counted else 0 :].rstrip()
        creature = _NAMES.get(name.casefold())
        if creature is not None:
            copies = int((counted and counted[1]) or 1)
            count += copies
            army += [creature] * min(copies, MOST_CREATURES)
            continue
        start = end - len(part) + (counted.end() if counted else 0)
        place = (line, start, line, start + max(1, len(name)))
        if name:
            message = f"there is no creature “{name}”"
        else:
            message = "a creature is missing here"
        fix = None
        for near in get_close_matches(name.casefold(), _NAMES, 1):
            message += f"; did you mean {_NAMES[near].name}?"
            edit = TextEdit(*place, _NAMES[near].name)
            fix = Fix(f"Write {_NAMES[near].name}", (edit,))
        problems.append(Problem(Severity.ERROR, "no-creature", message, path, *place, fix))
    if count > MOST_CREATURES:
        message = f"these are {count} creatures; a legion has at most {MOST_CREATURES}"
        place = (line, column, line, column + len(text))
        problems.append(Problem(Severity.ERROR, "army-too-large", message, path, *place))
    if problems:
        raise ProblemError(problems)
    return tuple(army)


def army_text(army: Army) -> str:
    """Return an army as ``read_army`` reads it."""
    counts = Counter(creature.name for creature in army)
    return "+".join(f"{n} {name}" if n > 1 else name for name, n in counts.items())


def read_pairs(text: str, path: str | None = None) -> list[tuple[Army, Army]]:
    """Return the attackers and defenders of a file. Raises ProblemError with all that is wrong."""
    pairs = []
    problems: list[Problem] = []
    for number, line in enumerate(split_lines(text), 1):
        content = line.partition("#")[0]
        first, bar, second = content.partition("|")
        if content.strip():
            try:
                attacker = read_army(first, path, number)
                if bar:
                    other = read_army(second, path, number, len(first) + 2)
                else:
                    other = attacker
                pairs.append((attacker, other))
            except ProblemError as wrong:
                problems += wrong.problems
    if not pairs and not problems:
        problems.append(Problem(Severity.ERROR, "no-armies", "there is no army in this file", path))
    if problems:
        raise ProblemError(problems)
    return pairs


def standard_pairs() -> list[tuple[Army, Army]]:
    """Return the packaged armies: legions as the recruits of one terrain give them."""
    folder = "randomizer.systems.colossus.battle"
    return read_pairs(files(folder).joinpath("armies.txt").read_text("utf-8"))
