"""What find and replace is asked for: pairs of an old and a new name, and the checks of these.

    Replacement(Subject.TERRAIN, "Wood", "Pine wood")
    Replacement(Subject.HEXSIDE, "Hedge", "")           # hedges are removed
    Replacement(Subject.TEXT, "Hill 112", "Hill 113")   # in labels, notes and properties

A name belongs to the terrain set of a map. A new name that it lacks can be added to it, as a copy
of the old entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.problems import Problem, ProblemError, error

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way

_MIN_SIMILARITY = 0.6
"""How similar a name must be to be suggested, a ratio of ``get_close_matches``.

If larger, fewer typing mistakes get a suggestion; if smaller, more suggestions are wrong.
"""

_FIRST_LETTER = 0x61
"""The code of "a", the first letter for new hexsides."""

_LAST_LETTER = 0x2FFF
"""The last of the characters among which these are: more letters than hexsides in any set."""

_MAX_DIGITS = 9
"""The most digits of an elevation: no map has greater ones, and Python refuses thousands."""

LONGEST_QUOTE = 80
"""The most characters of a text that a message quotes."""


class Subject(StrEnum):
    """The kind of value that is replaced."""

    TERRAIN = "terrain"
    HEXSIDE = "hexside"
    ELEVATION = "elevation"
    WAY = "way"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Replacement:
    """One value that is replaced by another, wherever it is."""

    subject: Subject

    old: str
    """A name of the terrain set, a whole number, or a part of texts."""

    new: str
    """Likewise; "" for no hexside or no way."""


def split_at_equals(text: str) -> tuple[str, str]:
    r"""Split ``OLD=NEW`` at its first ``=`` that no ``\`` stands before.

    In both parts ``\=`` is a ``=`` and ``\\`` a ``\``. Raises ValueError where there is none.
    """
    parts = [""]
    is_escaped = False
    for character in text:
        if is_escaped and character in "=\\":
            parts[-1] += character
            is_escaped = False
        elif is_escaped:
            parts[-1] += f"\\{character}"  # the backslash escapes nothing: it stays
            is_escaped = False
        elif character == "\\":
            is_escaped = True
        elif character == "=" and len(parts) == 1:
            parts.append("")
        else:
            parts[-1] += character
    if is_escaped:
        parts[-1] += "\\"
    if len(parts) < 2 or not parts[0]:
        raise ValueError(f"OLD=NEW is wanted, not “{text[:LONGEST_QUOTE]}”")
    return parts[0], parts[1]


def names_of(battlemap: BattleMap, subject: Subject) -> dict[str, int]:
    """Return the names of terrains, hexsides or ways, and their indices; of others none.

    The index of a hexside is its value in planes less 1.
    """
    terrain_set = battlemap.terrain_set
    if subject is Subject.TERRAIN:
        return {entry.name: index for index, entry in enumerate(terrain_set.terrains)}
    if subject is Subject.HEXSIDE:
        return {entry.name: index for index, entry in enumerate(terrain_set.hexsides)}
    if subject is Subject.WAY:
        routes = battlemap.system.routes_of(terrain_set)
        return {route.name: index for index, route in enumerate(routes)}
    return {}


def elevation_number(text: str) -> int | None:
    """Return the elevation that a text says; None if it is no whole number, or far too long."""
    digits = text.removeprefix("-")
    if len(digits) > _MAX_DIGITS or not (digits.isascii() and digits.isdigit()):
        return None
    return int(text)


def check_replacements(
    battlemap: BattleMap, replacements: Sequence[Replacement], *, add: bool
) -> None:
    """Raise ProblemError with all that is wrong with the names.

    With ``add`` a new name need not be in the terrain set.
    """
    problems: list[Problem] = []
    times_replaced = Counter((replacement.subject, replacement.old) for replacement in replacements)
    for (subject, name), times in times_replaced.items():
        if times > 1:
            message = f"the {subject} “{name}” cannot be replaced twice"
            problems += error("replaced-twice", message).problems
    for replacement in replacements:
        if replacement.subject is Subject.TEXT:
            if not replacement.old:
                problems += error("not-replaced", "no text to be replaced is given").problems
            fault = fault_in_line(replacement.new)
            if fault:
                problems += error("not-replaced", f"the new text {fault}").problems
        elif replacement.subject is Subject.ELEVATION:
            problems += _elevation_problems(battlemap, replacement)
        else:
            problems += _name_problems(battlemap, replacement, add=add)
    if problems:
        raise ProblemError(dict.fromkeys(problems))  # each problem once


def _elevation_problems(battlemap: BattleMap, replacement: Replacement) -> Iterator[Problem]:
    """Yield what is wrong with replacing one elevation by another."""
    spec = battlemap.system.elevation
    if spec is None:
        message = "the cells of this map have no elevations"
        yield from error("unknown-elevation", message).problems
        return
    lowest, highest = spec.limits
    for text in (replacement.old, replacement.new):
        number = elevation_number(text)
        if number is None or not lowest <= number <= highest:
            quote = text[:LONGEST_QUOTE]
            message = f"an elevation is a whole number from {lowest} to {highest}, not “{quote}”"
            yield from error("unknown-elevation", message).problems


def _name_problems(
    battlemap: BattleMap, replacement: Replacement, *, add: bool
) -> Iterator[Problem]:
    """Yield what is wrong with the names of terrains, hexsides or ways."""
    subject = replacement.subject
    names = names_of(battlemap, subject)
    if replacement.old not in names:
        yield from _unknown_name(subject, replacement.old, names).problems
    if not replacement.new:
        if subject is Subject.TERRAIN:
            yield from error("not-replaced", "a terrain has a name").problems
    elif replacement.new not in names and not add:
        yield from _unknown_name(subject, replacement.new, names).problems


def _unknown_name(subject: Subject, name: str, names: Iterable[str]) -> ProblemError:
    """Return the error for a name that is none of ``names``; it suggests a similar one."""
    similar_names = get_close_matches(name, names, n=1, cutoff=_MIN_SIMILARITY)
    advice = ""
    if similar_names:
        advice = f"; did you mean “{similar_names[0]}”?"
    return error(f"unknown-{subject}", f"this map has no {subject} “{name}”{advice}")


def with_new_names(battlemap: BattleMap, replacements: Sequence[Replacement]) -> TerrainSet:
    """Return the terrain set with entries for new names at its end, copies of the old ones.

    The old names must be in it.
    """
    terrain_set = battlemap.terrain_set
    # By name, since two old names can be replaced by the same new one, which is added once: as a
    # copy of the first of them.
    new_terrains: dict[str, Terrain] = {}
    new_hexsides: dict[str, Hexside] = {}
    new_ways: dict[str, Way] = {}
    for replacement in replacements:
        new_name = replacement.new
        if replacement.subject in (Subject.ELEVATION, Subject.TEXT) or not new_name:
            continue
        names = names_of(battlemap, replacement.subject)
        if new_name in names:
            continue
        index = names[replacement.old]
        if replacement.subject is Subject.TERRAIN:
            new_terrains.setdefault(
                new_name, _copy_of_terrain(terrain_set.terrains[index], new_name)
            )
        elif replacement.subject is Subject.HEXSIDE:
            if new_name not in new_hexsides:
                letter = _free_letter([*terrain_set.hexsides, *new_hexsides.values()])
                hexside = terrain_set.hexsides[index]
                new_hexsides[new_name] = replace(hexside, name=new_name, letter=letter)
        else:
            # Only maps without routes of their own have ways that can be added, so that the index
            # of a route is that of its way.
            new_ways.setdefault(new_name, replace(terrain_set.ways[index], name=new_name))
    return replace(
        terrain_set,
        terrains=(*terrain_set.terrains, *new_terrains.values()),
        hexsides=(*terrain_set.hexsides, *new_hexsides.values()),
        ways=(*terrain_set.ways, *new_ways.values()),
    )


def _copy_of_terrain(terrain: Terrain, name: str) -> Terrain:
    """Return a terrain of another name that looks like one, with its picture.

    Letters and other names of a terrain are unique in a set, so that the copy has none.
    """
    picture = terrain.picture or terrain.name
    return replace(terrain, name=name, letters="", aliases=(), picture=picture)


def _free_letter(hexsides: Iterable[Hexside]) -> str:
    """Return the first letter from "a" on by which none of the hexsides is written in files."""
    used_letters = {hexside.letter for hexside in hexsides}
    characters = map(chr, range(_FIRST_LETTER, _LAST_LETTER + 1))
    return next(letter for letter in characters if letter.isalpha() and letter not in used_letters)
