"""The colour and picture of a terrain texture, told by the words of its name.

The textures themselves belong to the game and are not drawn here; ``terrain_set`` calls
``looks_of`` for those of a map. Names are words by underscore: the region, what the ground is, what
is on it, and letters or numbers for variants: ``medit_grass_field_a``, ``desert_sand_dunes_50``,
``alpine_cliff_snow``.
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
    """The look of a texture on the desk."""

    colour: str
    """As ``Terrain.colour``: ``#rrggbb``."""
    picture: str
    """As ``Terrain.picture``: the name of a pattern."""


@registered(count=1, bytes_each=30 * KB)
@cache
def _ground_words() -> Mapping[str, Look]:
    """Return the look of the ground that a word names, from ``texture_words.tsv``."""
    return {word: look for word, look in _rows() if look.picture}


@registered(count=1, bytes_each=10 * KB)
@cache
def _tint_words() -> Mapping[str, str]:
    """Return the colours of words for regions, seasons and colours.

    A ground with such a word in its name goes part of the way to this colour.
    """
    return {word: look.colour for word, look in _rows() if not look.picture}


def _rows() -> Iterator[tuple[str, Look]]:
    """Yield each word of the table with its look; words for tints have no picture."""
    for picture, colour, words in packaged_table(
        "randomizer.systems.zeroad.map", "texture_words.tsv"
    ):
        yield from ((word, Look(colour, picture)) for word in words.split())


_REGIONS = frozenset({"desert", "sahara", "savanna", "steppe"})
"""Words of ground that count only where no other is named: ``desert_cliff_1`` is a cliff."""

_TINT = 0.28
"""The share of a tint in the colour of a ground; if larger, regions look more alike."""
_SECOND_GROUND = 0.35
"""The share of the second ground of a name that says none (``_50``)."""
_SHARES = ("25", "33", "50", "66", "75")
"""Words of names that are the share of the second ground, in percent."""

_WET = 0.8
"""Wet ground is darker by this factor."""

_LEAST_DISTANCE = 26
"""Two colours of one map are at least so far apart, if that can be (``_distance``)."""

Rgb = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""


@registered(bytes_each=400)
@lru_cache(maxsize=1024)
def look_of(name: str) -> Look:
    """Return the look of a texture.

    One whose words are not known has a stable colour and pattern of its own.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)]
    grounds = _grounds_of(words)
    tint_words = _tint_words()
    tints = [_rgb(tint_words[word]) for word in words if word in tint_words]

    # The colour of the ground, or else of a tint; then tints, wetness and the variant change it.
    if len(grounds) > 1:
        shares = [int(word) / 100 for word in words if word in _SHARES]
        share = next(iter(shares), _SECOND_GROUND)  # in "sand_scrub_75" three quarters are scrub
        colour = _mixed(_rgb(grounds[0].colour), _rgb(grounds[1].colour), share)
    elif grounds:
        colour = _rgb(grounds[0].colour)
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


def _grounds_of(words: Sequence[str]) -> list[Look]:
    """Return the looks of the grounds that words name; regions count only if nothing else does."""
    ground_words = _ground_words()
    names = [word for word in words if word in ground_words]
    names_without_regions = [word for word in names if word not in _REGIONS]
    return list(dict.fromkeys(ground_words[word] for word in names_without_regions or names))


def looks_of(names: Sequence[str]) -> tuple[Look, ...]:
    """Return the looks of the textures of one map.

    A colour too near to an earlier one is changed to the first similar one that is far enough from
    all earlier ones, else to the farthest.
    """
    looks: list[Look] = []
    for name in names:
        look = look_of(name)
        best_colour = look.colour
        largest_distance = -1
        for colour in _similar_colours(look.colour):
            distance = min(
                (_colour_difference(colour, earlier.colour) for earlier in looks),
                default=_LEAST_DISTANCE,
            )
            if distance > largest_distance:
                best_colour = colour
                largest_distance = distance
            if distance >= _LEAST_DISTANCE:
                break
        looks.append(look._replace(colour=best_colour))
    return tuple(looks)


def _similar_colours(colour: str) -> Iterator[str]:
    """Yield the colour and others like it: shades of it, then of warmer and cooler ones."""
    tints = ((colour, 0.0), ("#d08a3c", 0.18), ("#4f8f8a", 0.18), ("#b05a6a", 0.18))
    for shade in (0.0, 0.06, -0.06, 0.12, -0.12, 0.18, -0.18, 0.24, -0.24):
        for tint, share in tints:
            yield _hex(_shaded(_mixed(_rgb(colour), _rgb(tint), share), shade))


def _variant(words: Sequence[str], name: str) -> float:
    """Return the shade of a variant (``_a``, ``_02``), changed a little by the whole name."""
    last = next(reversed(words), "")
    number = 0
    if re.fullmatch("[a-h]", last):
        number = ord(last) - ord("a")
    elif last.isdecimal() and len(last) <= 2:
        number = int(last)
    shade = _SHADES_OF_VARIANTS[number % len(_SHADES_OF_VARIANTS)]
    own_shade = (_hash(name) % 41 - 20) / 1000  # -0.02 to 0.02
    return shade + own_shade


_SHADES_OF_VARIANTS = (0.0, 0.07, -0.07, 0.04, -0.04, 0.1, -0.1, 0.02)
"""The shades of the variants a, b ... of a texture."""


def _hash(name: str) -> int:
    """Return a number that is the same for a name in every process, unlike ``hash``."""
    return zlib.crc32(name.encode("utf-8", "replace"))


def _rgb(colour: str) -> Rgb:
    """Return the parts of a colour ``#rrggbb``."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _hex(colour: Rgb) -> str:
    """Return a colour as ``#rrggbb``."""
    return "#" + bytes(min(255, max(0, round(part * 255))) for part in colour).hex()


def _mixed(colour: Rgb, added: Rgb, share: float) -> Rgb:
    """Return a colour with a share of another one, from 0 to 1."""
    red, green, blue = (a + (b - a) * share for a, b in zip(colour, added, strict=True))
    return red, green, blue


_SHADE_STRENGTH = 1.4
"""The share of white or black in a colour, for each unit of shade."""

_WHITE: Rgb = (1.0, 1.0, 1.0)
_BLACK: Rgb = (0.0, 0.0, 0.0)


def _shaded(colour: Rgb, shade: float) -> Rgb:
    """Return a colour made lighter (a shade of 0 to 1) or darker (-1 to 0)."""
    added = _BLACK
    if shade > 0:
        added = _WHITE
    return _mixed(colour, added, abs(shade) * _SHADE_STRENGTH)


def _colour_difference(colour: str, other_colour: str) -> int:
    """Return the sum of the differences of red, green and blue, of 0 to 255 each."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other_colour[1:]), strict=True)
    return sum(abs(a - b) for a, b in pairs)
