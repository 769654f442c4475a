"""Parts of the board that a person would name: the hypotheses about where something is placed.

The board has a rotation by 120 degrees and a reflection; the hexes that these carry into one
another are an orbit: the three defence lines' middles, the six corners ...
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log2

from randomizer.systems.colossus.board import (
    HEX_COUNT,
    HEX_OF_LABEL,
    HEXES,
    LABELS,
    NEIGHBOURS,
    PARTS,
)
from randomizer.systems.colossus.learning.hex_masks import ALL, hexes_of, mask_of


@dataclass(frozen=True, slots=True)
class Region:
    """A set of hexes (``mask``) with its name in scripts and the text of its list.

    ``predefined`` regions need no LABEL. ``bits`` is the length of its description.
    """

    name: str
    mask: int
    text: str
    predefined: bool = False
    bits: float = 4.0

    @property
    def title(self) -> str:
        """Where it is, for comments."""
        return _TITLES.get(self.name, "")


def _parse(labels: str) -> int:
    return mask_of(HEX_OF_LABEL[label] for label in labels.split())


def list_text(mask: int) -> str:
    """Return the labels of the hexes, ``A1 A2``."""
    return " ".join(sorted(LABELS[number] for number in hexes_of(mask)))


def _turn_of_board() -> tuple[int, ...]:
    """The hex id to which each hex is carried by 120 degrees about the corner of D4, D3 and C3."""
    cubes = [(x, y - (x - (x & 1)) // 2) for x, y in HEXES]
    middle = [
        sum(cubes[HEX_OF_LABEL[label]][axis] for label in ("D4", "D3", "C3")) for axis in (0, 1)
    ]
    found = {(3 * q - middle[0], 3 * r - middle[1]): number for number, (q, r) in enumerate(cubes)}
    return tuple(found[r, -q - r] for q, r in found)


TURN = _turn_of_board()


def turned(mask: int, times: int = 1) -> int:
    """Return a set after ``times`` rotations by 120 degrees."""
    for _ in range(times):
        mask = mask_of(TURN[number] for number in hexes_of(mask))
    return mask


def _orbits() -> tuple[int, ...]:
    orbits: dict[int, None] = {}
    for number in range(HEX_COUNT):
        orbit = 1 << number | 1 << TURN[number] | 1 << TURN[TURN[number]]
        orbits.setdefault(orbit)
    return tuple(orbits)


ORBITS = _orbits()
"""The nine sets of three hexes that a rotation carries into one another."""

_PREDEFINED = {name: mask_of(part) for name, part in PARTS.items()}
_INSIDE = _PREDEFINED["inside"]
_RIM = ALL & ~_INSIDE
_CORNERS = _parse("D6 F4 F1 D1 A1 A3")
_HUB = _parse("D4 D3 C3")
_ENTRIES = mask_of(sum((PARTS[name] for name in PARTS if name.endswith("entry")), ()))


def _region(name: str, labels: str | int, bits: float = 4.0) -> Region:
    mask = _parse(labels) if isinstance(labels, str) else labels
    return Region(name, mask, list_text(mask), bits=bits)


REGIONS: tuple[Region, ...] = (
    *(
        Region(name, mask, f"({name})", True, 1.0 if name == "anywhere" else 3.0)
        for name, mask in _PREDEFINED.items()
    ),
    Region("rim", _RIM, "SUBSTRACT((anywhere),(inside))", bits=3.0),
    Region("shore", _RIM & ~_CORNERS, "SUBSTRACT((anywhere),(inside) D6 F4 F1 D1 A1 A3)"),
    Region("land", ALL & ~_CORNERS, "SUBSTRACT((anywhere),D6 F4 F1 D1 A1 A3)"),
    _region("corners", _CORNERS),
    _region("hub", _HUB),
    Region("ring", _INSIDE & ~_HUB, "SUBSTRACT((inside),D4 D3 C3)"),
    Region("entries", _ENTRIES, "(leftdefenseentry) (upperdefenseentry) (lowerdefenseentry)"),
    _region("middles", "A2 E5 E1"),
    _region("gates", "B4 C5 F3 F2 C1 B1"),
    _region("attackers", "A3 B4 C5 D6 F4 F3 F2 F1 D1 C1 B1 A1"),
    _region("behind", "B3 B2 D5 E4 E2 D2"),
    _region("points", "C4 E3 C2"),
    _region("seconds", "B3 C4 D5 B2 C2 D2 E2 E3 E4"),
    _region("leftside", "A3 B4 C5 D6"),
    _region("rightside", "F4 F3 F2 F1"),
    _region("bottomside", "D1 C1 B1 A1"),
    _region("lefthalf", mask_of(n for n, (x, _) in enumerate(HEXES) if x < 3), 5.0),
    _region("upperhalf", mask_of(n for n, (x, y) in enumerate(HEXES) if 2 * y + (x & 1) < 6), 5.0),
    _region("middlerows", mask_of(n for n, (_, y) in enumerate(HEXES) if y in (2, 3)), 5.0),
    _region("middlecolumns", mask_of(n for n, (x, _) in enumerate(HEXES) if x in (2, 3)), 5.0),
)

_TITLES = {
    "inside": "inside",
    "leftdefenseentry": "at the left entry",
    "upperdefenseentry": "at the upper entry",
    "lowerdefenseentry": "at the lower entry",
    "rim": "at the rim",
    "shore": "at the rim, not in a corner",
    "land": "not in a corner",
    "corners": "in the corners",
    "hub": "in the middle",
    "ring": "inside, round the middle",
    "entries": "at the entries",
    "middles": "in the middle of the entries",
    "gates": "on the attackers' sides",
    "attackers": "on the attackers' sides and corners",
    "behind": "behind the entries",
    "points": "between the middle and the attackers",
    "seconds": "one hex inside the rim",
    "leftside": "on the left side",
    "rightside": "on the right side",
    "bottomside": "on the bottom side",
    "lefthalf": "in the left half",
    "upperhalf": "in the upper half",
    "middlerows": "in the middle rows",
    "middlecolumns": "in the middle columns",
}

BY_MASK = {region.mask: region for region in reversed(REGIONS)}

THIRDS: tuple[tuple[int, int, int], ...] = tuple(
    (mask, turned(mask), turned(mask, 2))
    for mask in map(
        _parse,
        (
            "A1 A2 A3",
            "B4 C5",
            "A3 B4 C5 D6",
            "B3 C4 D5",
            "D5 E4",
            "B3 B2",
            "A1 A2 A3 B3 B2",
            "A3 B4",
            "A2 A3",
        ),
    )
)
"""Three sets that a rotation carries into one another: something placed on each of them."""


def region_of(mask: int) -> Region:
    """Return the region of a set: a named one, else a list of its hexes or of all others."""
    region = BY_MASK.get(mask)
    if region is not None:
        return region
    orbits = [orbit for orbit in ORBITS if orbit & mask]
    symmetric = all(orbit & mask == orbit for orbit in orbits)
    bits = 4.0 + log2(
        comb(len(ORBITS), len(orbits)) if symmetric else comb(HEX_COUNT, mask.bit_count())
    )
    best = list_text(mask)
    for base in (_PREDEFINED["anywhere"], _INSIDE):
        left_out = base & ~mask
        if mask & ~base == 0 and len(list_text(left_out)) + 24 < len(best):
            name = BY_MASK[base].text
            best = f"SUBSTRACT({name},{list_text(left_out)})"
    return Region("", mask, best, bits=bits)


AROUND = tuple(mask_of(each for each in row if each >= 0) for row in NEIGHBOURS)
