"""Chooses a colour and a picture for each texture of 0 A.D., by the words of its name.

    look_of("alpine_cliff_snow")          # Look(colour="#...", picture="Mountains")

The textures themselves belong to the game and are not drawn here. The words of a name, with
underscores between, are the region, the ground, what is on it, and a letter or number of the
variant: ``medit_grass_field_a``, ``desert_sand_dunes_50``, ``alpine_cliff_snow``. The looks of
words are in ``texture_words.tsv``. ``terrain_set`` calls ``looks_of`` for all textures of a map,
whose colours are then made different enough to be told apart.
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
    """The look of a texture on our map."""

    colour: str
    """The colour of its terrain, ``#rrggbb``."""
    picture: str
    """The name of the picture of its terrain, such as "Mountains"."""


@registered(count=1, bytes_each=30 * KB)
@cache
def _ground_words() -> Mapping[str, Look]:
    """Return the look of the ground that a word names, from ``texture_words.tsv``."""
    return {word: look for word, look in _looks_of_words() if look.picture}


@registered(count=1, bytes_each=10 * KB)
@cache
def _tint_words() -> Mapping[str, str]:
    """Return the colours of words for regions, seasons and colours.

    A ground with such a word in its name goes part of the way to this colour.
    """
    return {word: look.colour for word, look in _looks_of_words() if not look.picture}


def _looks_of_words() -> Iterator[tuple[str, Look]]:
    """Yield each word of ``texture_words.tsv`` with its look; words for tints have no picture."""
    table = packaged_table("randomizer.systems.zeroad.map", "texture_words.tsv")
    for picture, colour, words in table:
        look = Look(colour, picture)
        for word in words.split():
            yield word, look


_REGIONS = frozenset({"desert", "sahara", "savanna", "steppe"})
"""Words of ground that count only where no other is named: ``desert_cliff_1`` is a cliff."""

_TINT_SHARE = 0.28
"""The share of a tint in the colour of a ground; if it is larger, grounds look more alike."""

_SHARES_IN_NAMES = ("25", "33", "50", "66", "75")
"""Words at the ends of names, such as ``_50``: the share of the second ground in percent."""

_SECOND_GROUND_SHARE = 0.35
"""The share of the second ground in a name without such a word."""

_WET_FACTOR = 0.8
"""The factor by which wet ground is darker than dry ground."""

_UNKNOWN_LIGHTNESS = 0.5
"""The lightness, 0 to 1, of textures whose words are not known."""

_UNKNOWN_SATURATION = 0.35
"""The saturation of these, 0 to 1."""

_MIN_DIFFERENCE = 26
"""The least difference of two colours of one map, if that is possible (``_colour_difference``)."""

_PATTERNS = 12
"""The number of pictures "Pattern 1" and so on, for textures whose ground is not known."""

Rgb = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""


@registered(bytes_each=400)
@lru_cache(maxsize=1024)
def look_of(name: str) -> Look:
    """Return the look of a texture.

    One whose words are not known has a colour and a pattern that follow from its whole name.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)]
    grounds = _grounds_of(words)
    tint_words = _tint_words()
    tints = [_rgb(tint_words[word]) for word in words if word in tint_words]

    # The colour of the ground, or of both grounds, or else of a tint.
    if len(grounds) > 1:
        shares = [int(word) / 100 for word in words if word in _SHARES_IN_NAMES]
        share = next(iter(shares), _SECOND_GROUND_SHARE)
        colour = _mixed(_rgb(grounds[0].colour), _rgb(grounds[1].colour), share)
    elif grounds:
        colour = _rgb(grounds[0].colour)
    elif tints:
        colour = tints[0]
    else:
        hue = _hash(name) / 360 % 1
        colour = colorsys.hls_to_rgb(hue, _UNKNOWN_LIGHTNESS, _UNKNOWN_SATURATION)

    # Tints, wetness and the variant change it.
    for tint in tints:
        colour = _mixed(colour, tint, _TINT_SHARE)
    if "wet" in words:
        red, green, blue = colour
        colour = (red * _WET_FACTOR, green * _WET_FACTOR, blue * _WET_FACTOR)
    colour = _shaded(colour, _shade_of_variant(words, name))
    if grounds:
        picture = grounds[0].picture
    else:
        picture = f"Pattern {_hash(name) % _PATTERNS + 1}"
    return Look(_hex(colour), picture)


def _grounds_of(words: Sequence[str]) -> list[Look]:
    """Return the looks of the grounds that words name, each once.

    Words for regions count only if there is no other word for a ground.
    """
    ground_words = _ground_words()
    names = [word for word in words if word in ground_words]
    names_without_regions = [word for word in names if word not in _REGIONS]
    return list(dict.fromkeys(ground_words[word] for word in names_without_regions or names))


def looks_of(names: Sequence[str]) -> tuple[Look, ...]:
    """Return the looks of the textures of one map, in their order.

    A colour that is too like that of an earlier texture is replaced: by the first similar colour
    that differs enough from those of all earlier textures, or by the one that differs most.
    """
    looks: list[Look] = []
    for name in names:
        look = look_of(name)
        best_colour = look.colour
        largest_difference = -1
        for colour in _similar_colours(look.colour):
            difference = min(
                (_colour_difference(colour, earlier.colour) for earlier in looks),
                default=_MIN_DIFFERENCE,  # the first texture keeps its colour
            )
            if difference > largest_difference:
                best_colour = colour
                largest_difference = difference
            if difference >= _MIN_DIFFERENCE:
                break
        looks.append(look._replace(colour=best_colour))
    return tuple(looks)


def _similar_colours(colour: str) -> Iterator[str]:
    """Yield a colour and others like it, the most similar ones first.

    They are the colour itself and three tints of it, then lighter and darker shades of these.
    """
    for shade in _SIMILAR_SHADES:
        yield _hex(_shaded(_rgb(colour), shade))
        for tint in _SIMILAR_TINTS:
            tinted = _mixed(_rgb(colour), _rgb(tint), _SIMILAR_TINT_SHARE)
            yield _hex(_shaded(tinted, shade))


_SIMILAR_TINTS = ("#d08a3c", "#4f8f8a", "#b05a6a")
"""An orange, a green and a red, towards which a colour is changed to be told from another one."""

_SIMILAR_TINT_SHARE = 0.18
"""The share of such a tint: so little that the ground can still be recognised."""

_SIMILAR_SHADES = (0.0, 0.06, -0.06, 0.12, -0.12, 0.18, -0.18, 0.24, -0.24)
"""The shades (``_shaded``) by which a colour is changed to be told from another one."""


def _shade_of_variant(words: Sequence[str], name: str) -> float:
    """Return the shade of the variant that a name ends with, such as ``_a`` or ``_02``.

    A share of the second ground, such as ``_50``, is no variant. The whole name changes the shade a
    little, since names can differ in other words.
    """
    last_word = next(reversed(words), "")
    number = 0
    is_share = last_word in _SHARES_IN_NAMES and len(_grounds_of(words)) > 1
    if re.fullmatch("[a-h]", last_word):
        number = ord(last_word) - ord("a")
    elif last_word.isdecimal() and len(last_word) <= 2 and not is_share:
        number = int(last_word)  # longer numbers are no variants
    shade_of_variant = _SHADES_OF_VARIANTS[number % len(_SHADES_OF_VARIANTS)]
    shade_of_name = (_hash(name) % 41 - 20) / 1000  # -0.02 to 0.02
    return shade_of_variant + shade_of_name


_SHADES_OF_VARIANTS = (0.0, 0.07, -0.07, 0.04, -0.04, 0.1, -0.1, 0.02)
"""The shades of the variants a, b ... of a texture."""


def _hash(name: str) -> int:
    """Return a number that is the same for a name in every process, unlike ``hash``."""
    return zlib.crc32(name.encode("utf-8", "replace"))


def _rgb(colour: str) -> Rgb:
    """Return a colour ``#rrggbb`` as numbers."""
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
"""The colour that makes another one lighter."""

_BLACK: Rgb = (0.0, 0.0, 0.0)
"""The colour that makes another one darker."""


def _shaded(colour: Rgb, shade: float) -> Rgb:
    """Return a colour made lighter (by a shade above 0) or darker (by one below 0)."""
    added = _BLACK
    if shade > 0:
        added = _WHITE
    return _mixed(colour, added, abs(shade) * _SHADE_STRENGTH)


def _colour_difference(colour: str, other_colour: str) -> int:
    """Return the sum of the differences of red, green and blue, of 0 to 255 each."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other_colour[1:]), strict=True)
    return sum(abs(a - b) for a, b in pairs)
