"""Armies as text: ``2 Lion+2 Ogre+Troll``, and files of armies that meet.

A file has a pair of armies a line, ``attacker | defender``; one army alone meets its own like.
``#`` begins a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from typing import NamedTuple

from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit, split_lines
from randomizer.systems.colossus.battle.creatures import Creature, creatures

MOST_CREATURES = 8
"""A legion as it is at the start of a game; later ones have 7 at most."""

Army = tuple[Creature, ...]


class Pair(NamedTuple):
    """Two armies that fight."""

    attacker: Army
    defender: Army


def read_army(text: str, path: str | None = None, line: int = 1, column: int = 1) -> Army:
    """Return the creatures of an army's text, which stands at a place of ``path``.

    Raises ProblemError, with the place of each creature that there is not.
    """
    army: list[Creature] = []
    problems: list[Problem] = []
    for part in re.finditer(r"[^+]+|(?<=\+)(?=\+|\Z)|\A(?=\+|\Z)", text):
        start = part.start() + len(part[0]) - len(part[0].lstrip())
        name = part[0].strip()
        count, fix = 1, None
        if counted := re.fullmatch(r"([0-9]{1,4})\s*(.*)", name, re.ASCII):
            count, name = int(counted[1]), counted[2]
        end = start + len(part[0].strip())
        begin = end - len(name)
        creature = _NAMES.get(name.casefold())
        if creature is not None and count > 0:
            army += [creature] * count
            continue
        if not name:
            message = "a creature is missing here"
        elif creature is not None:
            message = f"“{count} {name}” is no creature at all"
        else:
            message = f"there is no creature “{name}”"
            for near in get_close_matches(name.casefold(), _NAMES, 1):
                fixed = _NAMES[near].name
                message += f"; did you mean {fixed}?"
                place = (line, column + begin, line, column + end)
                fix = Fix(f"Write {fixed}", (TextEdit(*place, fixed),))
        place = (line, column + begin, line, column + max(end, begin + 1))
        problems.append(Problem(Severity.ERROR, "no-creature", message, path, *place, fix))
    if not problems and len(army) > MOST_CREATURES:
        message = f"these are {len(army)} creatures; a legion has at most {MOST_CREATURES}"
        place = (line, column, line, column + len(text))
        problems.append(Problem(Severity.ERROR, "army-too-large", message, path, *place))
    if problems:
        raise ProblemError(problems)
    return tuple(army)


_NAMES = {name.casefold(): creature for name, creature in creatures().items()}


def army_text(army: Army) -> str:
    """Return an army as ``read_army`` reads it."""
    counts = Counter(creature.name for creature in army)
    return "+".join(f"{n} {name}" if n > 1 else name for name, n in counts.items())


def read_pairs(text: str, path: str | None = None) -> list[Pair]:
    """Return the pairs of a file of armies. Raises ProblemError with all that is wrong."""
    pairs: list[Pair] = []
    problems: list[Problem] = []
    for number, line in enumerate(split_lines(text), 1):
        content = line.partition("#")[0]
        if not content.strip():
            continue
        try:
            armies = tuple(_armies_of(content, path, number))
            pairs.append(Pair(armies[0], armies[-1]))
        except ProblemError as wrong:
            problems += wrong.problems
    if not pairs and not problems:
        problems.append(Problem(Severity.ERROR, "no-armies", "there is no army in it", path))
    if problems:
        raise ProblemError(problems)
    return pairs


def _armies_of(content: str, path: str | None, number: int) -> Iterator[Army]:
    parts = content.split("|")
    if len(parts) > 2:
        column = content.rindex("|") + 1
        message = "only two armies can meet: ATTACKER | DEFENDER"
        place = (number, column, number, column + 1)
        raise ProblemError(Problem(Severity.ERROR, "too-many-armies", message, path, *place))
    column = 1
    for part in parts:
        yield read_army(part, path, number, column)
        column += len(part) + 1


def standard_pairs() -> list[Pair]:
    """Return the armies of ``--armies standard``."""
    return read_pairs(
        (files("randomizer.systems.colossus.battle") / "armies.txt").read_text("utf-8")
    )
