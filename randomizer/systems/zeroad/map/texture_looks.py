"""The colour and picture of a terrain texture, told by the words of its name.

Names are words by underscore: the region, what the ground is, what is on it, and letters or numbers
for variants: ``medit_grass_field_a``, ``desert_sand_dunes_50``, ``alpine_cliff_snow``.
"""

from __future__ import annotations

import colorsys
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.packaged_table import packaged_table


class Look(NamedTuple):
    """``Terrain.colour`` (``#rrggbb``) and ``Terrain.picture``."""

    colour: str
    picture: str


@registered(count=1, bytes_each=30 * KB)
@cache
def _ground_words() -> Mapping[str, Look]:
    """Return the look of the ground that a word names, from ``texture_words.tsv``."""
    return {word: look for word, look in _rows() if look.picture}


@registered(count=1, bytes_each=10 * KB)
@cache
def _tint_words() -> Mapping[str, str]:
    """Regions, seasons and colours: a ground of this name goes part of the way to this colour."""
    return {word: look.colour for word, look in _rows() if not look.picture}


def _rows() -> Iterator[tuple[str, Look]]:
    for picture, colour, words in packaged_table(
        "randomizer.systems.zeroad.map", "texture_words.tsv"
    ):
        yield from ((word, Look(colour, picture)) for word in words.split())


_REGIONS = frozenset({"desert", "sahara", "savanna", "steppe"})
"""Words of ground that count only where no other is named: ``desert_cliff_1`` is a cliff."""

_TINT = 0.28
_MIXED = 0.35
"""How far a tint goes, and the second ground of a name that says no share (``_50``)."""

_WET = 0.8
"""Wet ground is darker by this factor."""

_NEAR = 26
"""Two colours of one map are at least so far apart: the sum of the differences of red, green and
blue, of 0 to 255 each."""

Rgb = tuple[float, float, float]


@registered(bytes_each=400)
@lru_cache(maxsize=1024)
def look_of(name: str) -> Look:
    """Return the look of a texture; one whose words are not known has a stable colour of its
    own.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)]
    ground_words = _ground_words()
    tint_words = _tint_words()
    ground_words_here = [word for word in words if word in ground_words]
    relevant = [word for word in ground_words_here if word not in _REGIONS] or ground_words_here
    grounds = list(dict.fromkeys(ground_words[word] for word in relevant))
    tints = [_rgb(tint_words[word]) for word in words if word in tint_words]
    if grounds:
        colour = _rgb(grounds[0].colour)
        if len(grounds) > 1:
            shares = [int(word) for word in words if word in ("25", "33", "50", "66", "75")]
            # In "sand_scrub_75" three quarters are scrub.
            colour = _mixed(colour, _rgb(grounds[1].colour), shares[0] / 100 if shares else _MIXED)
    elif tints:
        colour = tints[0]
    else:
        colour = colorsys.hls_to_rgb(_hash(name) / 360 % 1, 0.5, 0.35)
    for tint in tints:
        colour = _mixed(colour, tint, _TINT)
    if "wet" in words:
        colour = (colour[0] * _WET, colour[1] * _WET, colour[2] * _WET)
    colour = _shaded(colour, _variant(words, name))
    if grounds:
        picture = grounds[0].picture
    else:
        picture = f"Pattern {_hash(name) % 12 + 1}"
    return Look(_hex(colour), picture)


def looks_of(names: Sequence[str]) -> tuple[Look, ...]:
    """Return the looks of the textures of one map: a colour too near to an earlier one is
    changed.
    """
    looks: list[Look] = []
    for name in names:
        look = look_of(name)
        best = look.colour
        largest_share = -1
        for colour in _like(look.colour):
            near = min((_distance(colour, look.colour) for look in looks), default=_NEAR)
            if near > largest_share:
                best = colour
                largest_share = near
            if near >= _NEAR:
                break
        looks.append(look._replace(colour=best))
    return tuple(looks)


def _like(colour: str) -> Iterator[str]:
    """Colours like this one, the likest first: shades of it, and of warmer and cooler ones."""
    tints = ((colour, 0.0), ("#d08a3c", 0.18), ("#4f8f8a", 0.18), ("#b05a6a", 0.18))
    for shade in (0.0, 0.06, -0.06, 0.12, -0.12, 0.18, -0.18, 0.24, -0.24):
        for other, share in tints:
            yield _hex(_shaded(_mixed(_rgb(colour), _rgb(other), share), shade))


def _variant(words: Sequence[str], name: str) -> float:
    """Return the shade of a variant (``_a``, ``_02``), and a little of the name's own."""
    last = words[-1] if words else ""
    number = 0
    if re.fullmatch("[a-h]", last):
        number = ord(last) - ord("a")
    elif last.isdecimal() and len(last) <= 2:
        number = int(last)
    turn = (0.0, 0.07, -0.07, 0.04, -0.04, 0.1, -0.1, 0.02)[number % 8]
    return turn + (_hash(name) % 41 - 20) / 1000


def _hash(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "replace"))


def _rgb(colour: str) -> Rgb:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _hex(colour: Rgb) -> str:
    return "#" + bytes(min(255, max(0, round(part * 255))) for part in colour).hex()


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Return a colour with this share of the other."""
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _shaded(colour: Rgb, shade: float) -> Rgb:
    """Lighter (0 to 1) or darker (-1 to 0)."""
    return _mixed(colour, (1.0, 1.0, 1.0) if shade > 0 else (0.0, 0.0, 0.0), abs(shade) * 1.4)


def _distance(one: str, other: str) -> int:
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return sum(abs(a - b) for a, b in pairs)
