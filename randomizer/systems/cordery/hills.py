"""Part 1 of the page: hills and mountains."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.plurals import many
from randomizer.systems.cordery.features import MOUNTAIN, Table
from randomizer.systems.cordery.pieces import HIGH_HILL
from randomizer.systems.cordery.pieces import HILLS as PIECES
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.tables import HEIGHTS, HILLS, Heights

NOUNS = ("hill", "hills")
HEIGHT_WORDS = {"1": "one contour", "2": "two contours", "mountain": "a mountain"}
MOST = 200
"""More hills than this are decided by nobody."""


def lay_hills(laying: Laying) -> Iterator[str]:
    """Steps 1.1 to 1.3."""
    table, throws, relief = laying.table, laying.throws, laying.choices.lie
    throws.begin("1.1")
    count, words = laying.number_of("hills", NOUNS[0], HILLS[relief], MOST, *PIECES)
    throws.say(f"{relief.capitalize()} country: {words} {many(count, *NOUNS)}")
    yield "1.1"
    there = sum(table.high(cell) for cell in {*table.contours, *table.ground})
    heights = HEIGHTS.get(relief)
    locator = laying.locator()
    hills: list[tuple[int, int]] = []
    for number in range(1, count - there + 1):
        throws.begin("1.2" if number == 1 else "1.3")
        name = f"hill {number}"
        spot = locator.next(name, lambda cell: table.empty(cell))
        if spot is None:
            laying.no_room(count - there - number + 1, NOUNS)
            break
        words = f"Hill {number}: {spot.words}: {laying.name(spot.cell)}"
        height = "1"
        if heights is None:  # no die raises it, but a hand may
            decided = throws.decided_word(f"{name} height", tuple(HEIGHT_WORDS))
            if decided is not None:
                height, words = decided, f"{words}; as decided: {HEIGHT_WORDS[decided]}"
        _stand(table, spot.cell, height)
        table.put("hills", (spot.cell,), throws.say(words, spot.cell))
        hills.append((number, spot.cell))
        if heights is not None and heights.at_once:
            _raise(laying, number, spot.cell, heights)
    yield "1.2"
    if heights is not None and not heights.at_once:
        for number, cell in hills:
            _raise(laying, number, cell, heights)
    yield "1.3"


def _raise(laying: Laying, number: int, cell: int, heights: Heights) -> None:
    """The hill's own die (1.1), or what a hand decided: 1 or 2 contours, or a mountain."""
    table, throws = laying.table, laying.throws
    throws.begin("1.1")
    name = f"hill {number} height"
    height = throws.decided_word(name, tuple(HEIGHT_WORDS))
    how = "as decided"
    if height is None:
        score = throws.d6(f"{name} die")
        how = f"D6 = {score}"
        height = "1"
        if score in heights.mountain:
            height = "mountain"
        elif score in heights.two_contours:
            height = "2"
        if height != "1" and _spent(laying, height):
            how += ", but the box holds no higher one any more"
            height = "1"
    _stand(table, cell, height)
    words = HEIGHT_WORDS[height]
    line = throws.say(f"Hill {number} at {laying.name(cell)}: {how}: {words}", cell)
    table.put("hills", (cell,), line)


def _stand(table: Table, cell: int, height: str) -> None:
    """A hill of so many contours, or a mountain, stands in an area from now on."""
    if height == "mountain":
        table.contours.pop(cell, None)
        table.ground[cell] = MOUNTAIN
    else:
        table.contours[cell] = int(height)


def _spent(laying: Laying, height: str) -> bool:
    """Whether the box has no more mountains, or hills of two contours."""
    table = laying.table
    if height == "mountain":
        used = sum(what == MOUNTAIN for what in table.ground.values())
        return laying.spent(MOUNTAIN.lower(), used)
    return laying.spent(HIGH_HILL, sum(high == 2 for high in table.contours.values()))
