"""Types that stand in for those of a missing period, made of the characters of a file.

Their names hold the characters ("unit i", "terrain #9"), so that a map is written back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from randomizer.systems.xconq.header import MapfileHeader
from randomizer.systems.xconq.system import MODERN

_NAME = re.compile(r"(?:terrain|unit) (?:#([0-9]{1,3})|(.))")
"""A name of ``type_name``: the code of a character, or the character."""

_UNIT = "u"
"""The character of the one unit type of a period for a file without units."""

GREY = "#9a9a9a"
"""The colour of terrain whose character is not one of the standard period's."""


def type_name(kind: str, character: str) -> str:
    """Return the name of the type with a character; ``kind`` is ``terrain`` or ``unit``."""
    if character.isprintable() and character.strip() != "":
        return f"{kind} {character}"
    # What cannot be seen is named by its code.
    return f"{kind} #{ord(character)}"


def character_of(name: str) -> str | None:
    """Return the character of a type with a name of ``type_name``, None for other names."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    if match[1]:
        return chr(int(match[1]))
    return match[2]


def provisional_period(missing: str, terrains: Iterable[str], units: Iterable[str]) -> str:
    """Return the text of a period with a type for each character, for the file ``missing``.

    Characters that no string of the period language can hold have none.
    """
    colours = {terrain.letters: terrain.colour for terrain in MODERN.terrains}
    lines = [
        MapfileHeader("p", f"Types found in a map whose period {missing} is missing").text(),
        "Period 0\n",
        '"Missing period" period-name\n',
    ]
    for name in _possible(units) or [_UNIT]:
        lines.append(f'"{name}" "{type_name("unit", name)}" "of a period that is missing" utype\n')
    for name in _possible(terrains) or ["."]:
        colour = colours.get(name, GREY)
        lines.append(f'"{name}" "{type_name("terrain", name)}" "{colour}" ttype\n')
    lines += ["1 u* hp\n", "1 u* speed\n", "true u* neutral\n", "end\n"]
    return "".join(lines)


def _possible(characters: Iterable[str]) -> list[str]:
    """Return the characters that a string of the period language can hold."""
    return [character for character in characters if character not in '";\n']
