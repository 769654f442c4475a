"""Parts of the board that a person would name: the hypotheses about where something is placed.

    region_of(mask_of(PARTS["inside"])).text     # "(inside)"
    region_of(mask_of([1, 2])).text              # "A1 A2"

The learner explains maps by a script. Its ``list_search`` tries to split lists of hexes by
``REGIONS``, ``THIRDS`` and ``ORBITS``; ``writing`` takes the text of a region from ``region_of``.
The board is the same after a rotation by 120 degrees. The hexes that rotations carry into one
another are an *orbit*: the middles of the three defence lines, for instance, or three of the six
corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log2

from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL, HEXES, LABELS, PARTS
from randomizer.systems.colossus.learning.hex_masks import ALL, hexes_of, mask_of


@dataclass(frozen=True, slots=True)
class Region:
    """A set of hexes, as scripts write it."""

    mask: int
    """The set: see ``hex_masks``."""
    text: str
    """Its hexes in the language of scripts: ``(inside)``, ``A1 A2``."""
    bits: float
    """The length of its description: the shorter, the likelier a script names it."""
    name: str = ""
    """The label that a script gives it, "" for none."""
    title: str = ""
    """Its position in words, for comments: "at the rim"; "" for none."""

    @property
    def predefined(self) -> bool:
        """True if the language has its label."""
        return self.name in PARTS


MIDDLE = "D4 D3 C3"
"""The three hexes around the middle of the board."""

CORNERS = "D6 F4 F1 D1 A1 A3"
"""The six hexes at the corners of the board."""


def _mask(labels: str) -> int:
    """Return the set of the hexes with these labels, which blanks separate."""
    return mask_of(HEX_OF_LABEL[label] for label in labels.split())


def list_text(mask: int) -> str:
    """Return the labels of the hexes of a set in alphabetical order: ``A1 A2``."""
    return " ".join(sorted(LABELS[hex_id] for hex_id in hexes_of(mask)))


def _turn_of_board() -> tuple[int, ...]:
    """Return the hex id to which a rotation by 120 degrees carries each hex.

    The rotation is about the corner where D4, D3 and C3 meet. In axial coordinates (q, r), three
    times as fine and counted from that corner, it takes (q, r) to (r, -q - r).
    """
    axial = []
    for x, y in HEXES:
        is_odd_column = x % 2  # these lie half a hex lower
        axial.append((x, y - (x - is_odd_column) // 2))
    # The corner is the mean of the three hexes around it; three times as fine it is their sum.
    middle = [axial[HEX_OF_LABEL[label]] for label in MIDDLE.split()]
    q_of_corner = sum(q for q, _r in middle)
    r_of_corner = sum(r for _q, r in middle)
    from_corner = [(3 * q - q_of_corner, 3 * r - r_of_corner) for q, r in axial]
    hex_at = {position: hex_id for hex_id, position in enumerate(from_corner)}
    return tuple(hex_at[r, -q - r] for q, r in from_corner)


_TURN = _turn_of_board()
"""The hex id to which a rotation by 120 degrees carries each hex id."""


def turned(mask: int) -> int:
    """Return a set after a rotation by 120 degrees."""
    return mask_of(_TURN[hex_id] for hex_id in hexes_of(mask))


def _rotations(mask: int) -> tuple[int, int, int]:
    """Return a set and its two rotations."""
    return mask, turned(mask), turned(turned(mask))


def _orbits() -> tuple[int, ...]:
    """Return the sets of hexes that rotations carry into one another, each once."""
    orbits: dict[int, None] = {}
    for hex_id in range(HEX_COUNT):
        first, second, third = _rotations(1 << hex_id)
        orbits[first | second | third] = None
    return tuple(orbits)


ORBITS = _orbits()
"""The nine sets of three hexes that a rotation carries into one another."""

# Sets that lie on one third of the board, such as an entry side or two neighbouring hexes of it.
_SETS_ON_ONE_SIDE = (
    "A1 A2 A3",
    "B4 C5",
    "A3 B4 C5 D6",
    "B3 C4 D5",
    "D5 E4",
    "B3 B2",
    "A3 B4",
    "A2 A3",
    "A1 A2 A3 B3 B2",
)

THIRDS = tuple(_rotations(_mask(labels)) for labels in _SETS_ON_ONE_SIDE)
"""Triples of sets that a rotation carries into one another.

They are the hypothesis that something is placed once on each of the three.
"""

_INSIDE = mask_of(PARTS["inside"])
"""The hexes that are not at the rim of the board."""

_RIM = ALL & ~_INSIDE
"""The hexes at the rim of the board."""

# The bits that the description of a region takes: the fewer, the likelier a script has it. One bit
# is a choice between two, three bits one of eight; the sizes follow the number of such regions.

_BITS_OF_BOARD = 1.0
"""The whole board."""

_BITS_OF_PART = 3.0
"""A part of the board that the language names."""

_BITS_OF_LIST = 4.0
"""A region that a script writes as a list of hexes."""

_BITS_OF_LARGE_REGION = 5.0
"""A large region, such as a half of the board."""


def _part(name: str, title: str, bits: float = _BITS_OF_PART) -> Region:
    """Return a part of the board that the language names itself."""
    return Region(mask_of(PARTS[name]), f"({name})", bits, name, title)


def _listed(name: str, labels: str, title: str) -> Region:
    """Return a region that a script writes as a list of its hexes."""
    return Region(_mask(labels), labels, _BITS_OF_LIST, name, title)


def _left_over(name: str, mask: int, text: str, title: str) -> Region:
    """Return a region that a script writes as what remains of another one."""
    return Region(mask, text, _BITS_OF_LIST, name, title)


def _large_region(name: str, title: str, is_member: list[bool]) -> Region:
    """Return a large region; ``is_member`` tells for each hex id whether it is in it."""
    mask = mask_of(hex_id for hex_id in range(HEX_COUNT) if is_member[hex_id])
    return Region(mask, list_text(mask), _BITS_OF_LARGE_REGION, name, title)


REGIONS: tuple[Region, ...] = (
    _part("anywhere", "", _BITS_OF_BOARD),
    _part("inside", "inside"),
    _part("leftdefenseentry", "at the left entry"),
    _part("upperdefenseentry", "at the upper entry"),
    _part("lowerdefenseentry", "at the lower entry"),
    _left_over("rim", _RIM, "SUBSTRACT((anywhere),(inside))", "at the rim"),
    _left_over(
        "shore",
        _RIM & ~_mask(CORNERS),
        f"SUBSTRACT((anywhere),(inside) {CORNERS})",
        "at the rim, not in a corner",
    ),
    _left_over(
        "land", ALL & ~_mask(CORNERS), f"SUBSTRACT((anywhere),{CORNERS})", "not in a corner"
    ),
    _left_over(
        "ring", _INSIDE & ~_mask(MIDDLE), f"SUBSTRACT((inside),{MIDDLE})", "round the middle"
    ),
    _listed("corners", CORNERS, "in the corners"),
    _listed("hub", MIDDLE, "in the middle"),
    _listed("entries", "A1 A2 A3 D6 E5 F4 F1 E1 D1", "at the entries"),
    _listed("middles", "A2 E5 E1", "in the middle of the entries"),
    _listed("gates", "B4 C5 F3 F2 C1 B1", "on the attackers' sides"),
    _listed("attackers", f"{CORNERS} B4 C5 F3 F2 C1 B1", "on the attackers' sides and corners"),
    _listed("behind", "B3 B2 D5 E4 E2 D2", "behind the entries"),
    _listed("points", "C4 E3 C2", "between the middle and the attackers"),
    _listed("seconds", "B3 C4 D5 B2 C2 D2 E2 E3 E4", "one hex inside the rim"),
    _listed("leftside", "A3 B4 C5 D6", "on the left side"),
    _listed("rightside", "F4 F3 F2 F1", "on the right side"),
    _listed("bottomside", "D1 C1 B1 A1", "on the bottom side"),
    _large_region("lefthalf", "in the left half", [x < 3 for x, _ in HEXES]),
    # In half rows, by which odd columns lie lower: the board reaches from 0 to 11.
    _large_region("upperhalf", "in the upper half", [2 * y + x % 2 < 6 for x, y in HEXES]),
    _large_region("middlerows", "in the middle rows", [y in (2, 3) for _, y in HEXES]),
    _large_region("middlecolumns", "in the middle columns", [x in (2, 3) for x, _ in HEXES]),
)

_BY_MASK = {region.mask: region for region in reversed(REGIONS)}
"""The region of each set; reversed, so that of several with the same hexes the first one counts."""


def region_of(mask: int) -> Region:
    """Return the region of a set.

    If it is none of ``REGIONS``, its text is the list of its hexes, or what remains of the board or
    of its inside without all other hexes, whichever is shorter.
    """
    region = _BY_MASK.get(mask)
    if region is not None:
        return region

    # One of c possible sets takes log2(c) bits. The set is one of those with as many hexes, or, if
    # it consists of whole orbits, one of those with as many orbits.
    orbits = sum(1 for orbit in ORBITS if orbit & mask)
    is_symmetric = 3 * orbits == mask.bit_count()
    if is_symmetric:
        choices = comb(len(ORBITS), orbits)
    else:
        choices = comb(HEX_COUNT, mask.bit_count())
    bits = _BITS_OF_LIST + log2(choices)

    texts = [list_text(mask)]
    for base, name in ((ALL, "(anywhere)"), (_INSIDE, "(inside)")):
        if mask & ~base == 0:
            texts.append(f"SUBSTRACT({name},{list_text(base & ~mask)})")
    return Region(mask, min(texts, key=len), bits)
