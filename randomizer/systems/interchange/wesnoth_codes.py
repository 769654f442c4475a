"""The codes of terrains of Battle for Wesnoth: what they show, and those with a road or a village.

    terrain_of("Gg^Fp").name            # "Pine forest, green grass"
    with_village("Gg", "Vh")            # "Gg^Vh"
    with_road("Ww", 0b001001)           # "Ww^Bw|": a bridge from north to south

A code is a *base*, the ground, and behind a ``^`` the *overlay* that stands on it. A part that is
not in the table is understood by its longest beginning there: "Gllx" is read as "Gll".
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.interchange.foreign.pictures import pictures, table_rows

_BRIDGES = "|/\\"
"""The last letter of a bridge by its direction: from north, from north-east, from south-east."""

_AS_GOOD_AS_ROADS = "CKR"
"""The first letters of castles, keeps and roads: where these are, no road has to be written."""

_WATERS = "WS"
"""The first letters of water and swamps, which roads cross by bridges."""

_IMPASSABLE = "QX_"
"""The first letters of chasms, walls and what is not on the map: no road can be there."""

HEIGHTS_PRIORITY = 8
"""The ``Terrain.priority`` of heights that stand on another ground, below that of sand, dirt and
grass: those reach up to the foot of a lone hill, where its ground would lie around it as a disc.
"""


# --- what a code shows ---


def terrain_of(code: str) -> Terrain | None:
    """Return the terrain of a code, None for an unknown base.

    Its code and order are set by ``Codes``. What an overlay shows stands on the ground of the base,
    or, if it has a colour, on its own.
    """
    base_code, _, overlay_code = code.partition("^")
    base = _meaning(base_code)
    if base is None:
        return None
    overlay: _Meaning | None = None
    if overlay_code:
        overlay = _meaning(f"^{overlay_code}")
    priority: int | None = None
    if base.ground:
        priority = HEIGHTS_PRIORITY
    is_water = any(picture.water for picture in pictures() if picture.name == base.picture)
    terrain = Terrain(
        base.name,
        base.colour,
        picture=base.picture,
        ground=base.ground,
        water=is_water,
        body=is_water,
        priority=priority,
    )
    if not base.picture:
        return replace(terrain, pattern="plain")
    if overlay is None:
        return terrain
    name = f"{overlay.name}, {base.name.lower()}"
    if not overlay.picture:
        return replace(terrain, name=name)
    if overlay.colour:
        return Terrain(name, overlay.colour, picture=overlay.picture)
    return replace(terrain, name=name, picture=overlay.picture, ground=base.ground or base.picture)


class _Meaning(NamedTuple):
    """The terrain that a base or an overlay stands for: a row of ``wesnoth_codes.tsv``."""

    name: str
    """The name of the terrain, or what the overlay adds to it."""
    picture: str
    """The name of its picture, "" for none."""
    colour: str
    """Its colour; most overlays have none, since they stand on the ground of the base."""
    ground: str
    """The picture of the ground on which its picture stands, "" for one of its own."""


@registered(count=1, bytes_each=60 * KB)
@cache
def _meanings() -> dict[str, _Meaning]:
    """Return the meanings of bases and overlays (with ^) by their codes."""
    return {code: _Meaning(*meaning) for code, *meaning in table_rows("wesnoth_codes.tsv")}


def _meaning(part: str) -> _Meaning | None:
    """Return the meaning of the longest beginning of a part that is in the table.

    A part is a base, or an overlay with its ^: "Gg" or "^Fp". None if no beginning of it is there.
    """
    meanings = _meanings()
    for end in range(len(part), 0, -1):
        if part[:end] in meanings:
            return meanings[part[:end]]
    return None


# --- what is built on it ---


class RoadCode(NamedTuple):
    """The code of a cell through which a road runs."""

    code: str

    shows_road: bool
    """False if nothing in the code is as good as a road."""


def with_road(code: str, exits: int) -> RoadCode:
    """Return the code of a cell with a road: dirt, or a bridge over water.

    ``exits`` are the sides by which the road leaves the cell, as bits: 0b001001 for north and
    south. Castles and villages are as good as roads and stay, and so do bridges.
    """
    base, _, overlay = code.partition("^")
    is_village_or_bridge = overlay[:1] in ("V", "B")
    if base[0] in _AS_GOOD_AS_ROADS or is_village_or_bridge:
        return RoadCode(code, shows_road=True)
    if base[0] in _WATERS:
        # A bridge leads from a side to the opposite one, three further on: to those sides by which
        # the road has most exits.
        exit_counts = []
        for side in range(3):
            both_sides = exits & ((1 << side) | (1 << (side + 3)))
            exit_counts.append(both_sides.bit_count())
        direction = exit_counts.index(max(exit_counts))
        return RoadCode(f"{base}^Bw{_BRIDGES[direction]}", shows_road=True)
    if base[0] in _IMPASSABLE:
        return RoadCode(code, shows_road=False)
    return RoadCode("Re", shows_road=True)  # in place of the base and what stands on it


def with_village(code: str, overlay: str) -> str:
    """Return the code of a cell with a village; on water it is one of merfolk."""
    base, _, overlay_there = code.partition("^")
    if overlay_there.startswith("V"):  # it is a village already
        return code
    if base.startswith("W"):
        return f"{base}^Vm"
    return f"{base}^{overlay}"
