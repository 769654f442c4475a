"""Parts of the board that a person would name: the hypotheses about where something is placed.

The board has a rotation by 120 degrees; the hexes that it carries into one another are an orbit:
the middles of the three defence lines, three of the six corners ...
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log2

from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL, HEXES, LABELS, PARTS
from randomizer.systems.colossus.learning.hex_masks import ALL, hexes_of, mask_of


@dataclass(frozen=True, slots=True)
class Region:
    """A set of hexes with the text of its list; ``bits`` is the length of its description.

    ``name`` is its label, "" for none; ``title`` says in comments where it is.
    """

    mask: int
    text: str
    bits: float
    name: str = ""
    title: str = ""

    @property
    def predefined(self) -> bool:
        """Whether the language has its label."""
        return self.name in PARTS


def _mask(labels: str) -> int:
    return mask_of(HEX_OF_LABEL[label] for label in labels.split())


def list_text(mask: int) -> str:
    """Return the labels of the hexes, ``A1 A2``."""
    return " ".join(sorted(LABELS[number] for number in hexes_of(mask)))


def _turn_of_board() -> tuple[int, ...]:
    """Return the hex id to which each hex is carried by 120 degrees about the corner of D4, D3 and
    C3.
    """
    axes = [(x, y - (x - (x & 1)) // 2) for x, y in HEXES]
    hub = [HEX_OF_LABEL[label] for label in ("D4", "D3", "C3")]
    q0, r0 = (sum(axes[number][axis] for number in hub) for axis in (0, 1))
    at = {(3 * q - q0, 3 * r - r0): number for number, (q, r) in enumerate(axes)}
    return tuple(at[r, -q - r] for q, r in at)


_TURN = _turn_of_board()


def turned(mask: int) -> int:
    """Return a set after a rotation by 120 degrees."""
    return mask_of(_TURN[number] for number in hexes_of(mask))


def _alike(mask: int) -> tuple[int, int, int]:
    return mask, turned(mask), turned(turned(mask))


ORBITS = tuple(dict.fromkeys(sum({*_alike(1 << number)}) for number in range(HEX_COUNT)))
"""The nine sets of three hexes that a rotation carries into one another."""

THIRDS = tuple(
    _alike(_mask(labels))
    for labels in (
        *("A1 A2 A3", "B4 C5", "A3 B4 C5 D6", "B3 C4 D5", "D5 E4", "B3 B2", "A3 B4", "A2 A3"),
        "A1 A2 A3 B3 B2",
    )
)
"""Three sets that a rotation carries into one another: something is placed on each of them."""

_INSIDE = mask_of(PARTS["inside"])
_CORNERS = "D6 F4 F1 D1 A1 A3"


def _half(name: str, title: str, hexes: list[bool]) -> Region:
    mask = mask_of(number for number, is_in in enumerate(hexes) if is_in)
    return Region(mask, list_text(mask), 5.0, name, title)


REGIONS: tuple[Region, ...] = (
    *(
        Region(mask_of(PARTS[name]), f"({name})", bits, name, title)
        for name, bits, title in (
            ("anywhere", 1.0, ""),
            ("inside", 3.0, "inside"),
            ("leftdefenseentry", 3.0, "at the left entry"),
            ("upperdefenseentry", 3.0, "at the upper entry"),
            ("lowerdefenseentry", 3.0, "at the lower entry"),
        )
    ),
    *(
        Region(base & ~_mask(rest), text, 4.0, name, title)
        for name, base, rest, text, title in (
            ("rim", ALL & ~_INSIDE, "", "SUBSTRACT((anywhere),(inside))", "at the rim"),
            (
                *("shore", ALL & ~_INSIDE, _CORNERS),
                f"SUBSTRACT((anywhere),(inside) {_CORNERS})",
                "at the rim, not in a corner",
            ),
            ("land", ALL, _CORNERS, f"SUBSTRACT((anywhere),{_CORNERS})", "not in a corner"),
            ("ring", _INSIDE, "D4 D3 C3", "SUBSTRACT((inside),D4 D3 C3)", "round the middle"),
        )
    ),
    *(
        Region(_mask(labels), labels, 4.0, name, title)
        for name, labels, title in (
            ("corners", _CORNERS, "in the corners"),
            ("hub", "D4 D3 C3", "in the middle"),
            ("entries", "A1 A2 A3 D6 E5 F4 F1 E1 D1", "at the entries"),
            ("middles", "A2 E5 E1", "in the middle of the entries"),
            ("gates", "B4 C5 F3 F2 C1 B1", "on the attackers' sides"),
            ("attackers", f"{_CORNERS} B4 C5 F3 F2 C1 B1", "on the attackers' sides and corners"),
            ("behind", "B3 B2 D5 E4 E2 D2", "behind the entries"),
            ("points", "C4 E3 C2", "between the middle and the attackers"),
            ("seconds", "B3 C4 D5 B2 C2 D2 E2 E3 E4", "one hex inside the rim"),
            ("leftside", "A3 B4 C5 D6", "on the left side"),
            ("rightside", "F4 F3 F2 F1", "on the right side"),
            ("bottomside", "D1 C1 B1 A1", "on the bottom side"),
        )
    ),
    _half("lefthalf", "in the left half", [x < 3 for x, _ in HEXES]),
    _half("upperhalf", "in the upper half", [2 * y + (x & 1) < 6 for x, y in HEXES]),
    _half("middlerows", "in the middle rows", [y in (2, 3) for _, y in HEXES]),
    _half("middlecolumns", "in the middle columns", [x in (2, 3) for x, _ in HEXES]),
)

_BY_MASK = {region.mask: region for region in reversed(REGIONS)}


def region_of(mask: int) -> Region:
    """Return the region of a set: a named one, else a list of its hexes or of all others."""
    region = _BY_MASK.get(mask)
    if region is not None:
        return region
    orbits = sum(1 for orbit in ORBITS if orbit & mask)
    symmetric = 3 * orbits == mask.bit_count()
    if symmetric:
        choices = comb(len(ORBITS), orbits)
    else:
        choices = comb(HEX_COUNT, mask.bit_count())
    texts = [list_text(mask)]
    for base, name in ((ALL, "(anywhere)"), (_INSIDE, "(inside)")):
        if mask & ~base == 0:
            texts.append(f"SUBSTRACT({name},{list_text(base & ~mask)})")
    return Region(mask, min(texts, key=len), 4.0 + log2(choices))
