"""The colour and picture of a terrain texture, told by the words of its name.

Names are words by underscore: the region, what the ground is, what is on it, and letters or numbers
for variants: ``medit_grass_field_a``, ``desert_sand_dunes_50``, ``alpine_cliff_snow``.
"""

from __future__ import annotations

import colorsys
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple


class Look(NamedTuple):
    """``Terrain.colour`` (``#rrggbb``) and ``Terrain.picture``."""

    colour: str
    picture: str


class _Ground(NamedTuple):
    picture: str
    colour: str
    words: str


_GROUNDS = (
    _Ground("Grassland", "#9bb45c", "grass grassland field meadow clovers moss mossy green"),
    _Ground("Plains", "#b0b573", "steppe savanna highlands plains"),
    _Ground("Stone", "#a28562", "dirt dirta dirtc dirtd dirte soil ground clay earth wash bank"),
    _Ground("Stone", "#6f6450", "mud muddy riparian peat slide flats"),
    _Ground("Stone", "#96928a", "rock rocks rocky stone stones stoney pebbles gravel granite"),
    _Ground("Cliff", "#8a8078", "cliff cliffs mountain mountainside canyon sandstone face"),
    _Ground("Sand", "#e0cb8c", "sand beach shore shoreline coast seaside dune"),
    _Ground("Desert", "#e2bf80", "desert dunes sahara badlands wave wavey ripples"),
    _Ground("Drift", "#e9eff4", "snow whiteness"),
    _Ground("Ice", "#d3e4ee", "ice icy glacial frozen"),
    _Ground("Conifers", "#5f7d68", "tundra pine taiga"),
    _Ground("Woods", "#566f3d", "forestfloor forrestfloor forest wood woods bush"),
    _Ground("Brambles", "#8a9350", "shrub shrubs scrub plants flora flowers weed overgrown"),
    _Ground("Jungle", "#4f7d3b", "jungle rainforest palms"),
    _Ground("Swamp", "#6d7b52", "swamp sudd bog marsh lakebed"),
    _Ground("Farmland", "#b9a558", "farmland furrows farm crops"),
    _Ground("Pavement", "#b3a893", "road path street paving pavement tile citytile city plaza"),
    _Ground("Shallows", "#5e9cb0", "river water lake underwater"),
    _Ground("Open sea", "#3d6f8f", "sea ocean coral depths deep"),
    _Ground("Volcano", "#8f4534", "lava volcanic"),
    _Ground("Void", "#2b2a2e", "blackness cave fissures"),
)
_OF_WORD = {word: ground for ground in _GROUNDS for word in ground.words.split()}

_REGIONS = frozenset({"desert", "sahara", "savanna", "steppe"})
"""Words of ground that count only where no other is named: ``desert_cliff_1`` is a cliff."""

_TINTS = {
    "medit": "#b9a85a", "aegean": "#c4ad6e", "temp": "#6f9a4b", "temperate": "#6f9a4b",
    "alpine": "#5f8f6e", "desert": "#dfb878", "sahara": "#e3ad66", "nubia": "#cf9a5c",
    "savanna": "#cda64e", "steppe": "#b3ac62", "tropic": "#4f9a45", "polar": "#cfe0ea",
    "india": "#a99b4c", "persia": "#d0a876", "egypt": "#dcb77c", "red": "#b0553a",
    "brown": "#8a6440", "dry": "#d5b968", "dead": "#a8905c", "golden": "#d9b74c",
    "aut": "#c0823a", "autumn": "#c0823a", "fall": "#b3793c", "spring": "#8cc255",
    "summer": "#c9b04f", "wetseason": "#78a848", "greek": "#b5a68e", "dark": "#4f4a45",
    "darkgray": "#5a5a5c", "gray": "#8c8c8c", "blue": "#4f74b5", "light": "#e4e2da",
    "yellow": "#e0cc4a", "purple": "#84559c", "white": "#eeeeee", "burned": "#4a3d34",
}  # fmt: skip
"""Regions, seasons and colours: a ground of this name goes part of the way to this colour."""

_TINT, _MIXED = 0.28, 0.35
"""How far a tint goes, and the second ground of a name that says no share (``_50``)."""

_WET = 0.8
"""Wet ground is darker by this factor."""

_NEAR = 26
"""Two colours of one map are at least so far apart: the sum of the differences of red, green and
blue, of 0 to 255 each."""

Rgb = tuple[float, float, float]


@lru_cache(maxsize=4096)
def look_of(name: str) -> Look:
    """The look of a texture; one whose words are not known has a stable colour of its own."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)]
    known = [word for word in words if word in _OF_WORD]
    said = [word for word in known if word not in _REGIONS] or known
    grounds = list(dict.fromkeys(_OF_WORD[word] for word in said))
    tints = [_rgb(_TINTS[word]) for word in words if word in _TINTS]
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
    picture = grounds[0].picture if grounds else f"Pattern {_hash(name) % 12 + 1}"
    return Look(_hex(colour), picture)


def looks_of(names: Sequence[str]) -> tuple[Look, ...]:
    """The looks of the textures of one map: a colour too near to an earlier one is changed."""
    looks: list[Look] = []
    for name in names:
        look = look_of(name)
        best, most = look.colour, -1
        for colour in _like(look.colour):
            near = min((_distance(colour, other.colour) for other in looks), default=_NEAR)
            if near > most:
                best, most = colour, near
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
    """The shade of a variant (``_a``, ``_02``), and a little of the name's own."""
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
    """A colour with this share of the other."""
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _shaded(colour: Rgb, shade: float) -> Rgb:
    """Lighter (0 to 1) or darker (-1 to 0)."""
    return _mixed(colour, (1.0, 1.0, 1.0) if shade > 0 else (0.0, 0.0, 0.0), abs(shade) * 1.4)


def _distance(one: str, other: str) -> int:
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return sum(abs(a - b) for a, b in pairs)
