"""Which areas of rivers belong to one that is two areas wide.

The page draws such a river as two lines beside each other. A table keeps links only, the sides by
which rivers leave areas; so the width must be seen from how areas of rivers lie::

    = =       =            =           =  an area of a river, linked to that above it
    = =       =            = -         -  an area of another river
    = =       = - -        =  -
    broad     narrow: one  narrow: they
              joins        touch once

There are two rules, and an area is broad by either of them:

1. It touches an area of a river that it is not linked to, and so does the area before or behind one
   of the two. Such a pair is a *contact*; a contact alone is where two rivers meet or pass.
2. It is one of the areas that fill a *corner* of the grid, the point where three hexes or four
   squares meet: all of them are areas of rivers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.table.counting_order import side_towards


def broad_areas(grid: Grid, links: Mapping[int, int]) -> frozenset[int]:
    """Return the areas of rivers that are two areas wide.

    ``links`` are the sides by which rivers leave each area, as bits.
    """
    river_sides = all_links(grid, links)
    contacts = _contacts(grid, river_sides)
    result = set[int]()
    for cell in river_sides:
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour not in river_sides:
                continue
            if neighbour in contacts[cell]:
                result.update((cell, neighbour))
            corner = _areas_at_corner(grid, cell, side)
            if not all(cell_of_corner in river_sides for cell_of_corner in corner):
                continue
            if grid.degree == 4 or _is_filled(grid, river_sides, contacts, corner):
                result.update(corner)
    return frozenset(result)


def all_links(grid: Grid, links: Mapping[int, int]) -> dict[int, int]:
    """Return the sides by which a route leaves each area, as bits.

    Those that only the neighbour names are included: a hand may have drawn half a link.
    """
    result = dict(links)
    for cell, sides in links.items():
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if sides >> side & 1 and neighbour in result:
                result[neighbour] |= 1 << grid.opposite(side)
    return result


def bank_areas(grid: Grid, links: Mapping[int, int]) -> frozenset[int]:
    """Return the areas without a river that are beside those in ``links``."""
    banks = set[int]()
    for cell in links:
        banks.update(grid.neighbours(cell))
    return frozenset(banks.difference(links))


def _contacts(grid: Grid, river_sides: Mapping[int, int]) -> dict[int, set[int]]:
    """Return for each area of a river the neighbouring ones to which it is not linked.

    ``river_sides`` are those of ``all_links``. A contact that is alone is left out: there two
    rivers meet, or pass each other at one point, each of them one area wide.
    """
    # Divide the neighbours of each area that are areas of rivers, too.
    contacts: dict[int, set[int]] = {}
    linked: dict[int, set[int]] = {}
    for cell, sides in river_sides.items():
        contacts[cell] = set()
        linked[cell] = set()
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour not in river_sides:
                continue
            if sides >> side & 1:
                linked[cell].add(neighbour)
            else:
                contacts[cell].add(neighbour)

    # Rivers that flow side by side for a while have several contacts in a row.
    def has_one_contact(cell: int) -> bool:
        return len(contacts[cell]) == 1 and not any(contacts[other] for other in linked[cell])

    result = {}
    for cell, neighbours in contacts.items():
        result[cell] = set(neighbours)
        for neighbour in neighbours:
            is_lone_contact = has_one_contact(cell) and has_one_contact(neighbour)
            if is_lone_contact:
                result[cell].remove(neighbour)
    return result


def _areas_at_corner(grid: Grid, cell: int, side: int) -> list[int]:
    """Return the areas that meet in the corner at the clockwise end of a side of an area.

    They are three hexes or four squares, -1 for one beyond the map edge; on squares the fourth is
    left out if the third is beyond the edge.
    """
    next_side = (side + 1) % grid.degree
    areas = [cell, grid.neighbour(cell, side), grid.neighbour(cell, next_side)]
    if grid.degree == 4 and areas[2] >= 0:
        areas.append(grid.neighbour(areas[2], side))
    return areas


def _is_filled(
    grid: Grid,
    river_sides: Mapping[int, int],
    contacts: Mapping[int, Collection[int]],
    corner: Sequence[int],
) -> bool:
    """Return whether a river fills the corner of three hexes that are all areas of it.

    It does not where two of them touch by a contact that is alone (``_contacts``).
    """
    for cell, neighbour in pairwise((*corner, corner[0])):
        side = side_towards(grid, cell, neighbour)
        is_linked = bool(river_sides[cell] >> side & 1)
        if not is_linked and neighbour not in contacts[cell]:
            return False
    return True
