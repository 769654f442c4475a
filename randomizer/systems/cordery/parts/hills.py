"""Part 1 of Cordery's page: hills and mountains.

The lines of the log for a table in hilly country::

    1.1 Hilly country: D6 = 2 + 4: 6 hills
    1.2 Hill 1: 3D6 = 4+1+6 = 11 along from row 2: 0304
    1.3 Hill 2: D6 = 5, adjacent: D6 = 2, east of 0304: 0404

The ``generator`` calls ``add_hills``. Each hill fills one area, a cell of the table. Its height is
a text here, as a person writes it who decides it instead of throwing a die: "1", "2" or "mountain"
(``HEIGHT_WORDS``).
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import HEIGHTS, HILLS, Heights
from randomizer.systems.cordery.table.feature_places import Feature, Locator
from randomizer.systems.cordery.table.features import MOUNTAIN, Table
from randomizer.systems.cordery.table.pieces import HIGH_HILL
from randomizer.systems.cordery.table.pieces import HILLS as HILL_PIECES
from randomizer.systems.cordery.table.table_builder import TableBuilder

NOUNS = ("hill", "hills")
"""Singular and plural, for the log."""

HEIGHT_WORDS = {"1": "one contour", "2": "two contours", "mountain": "a mountain"}
"""The heights of a hill, with what the log says of them."""

_PIECES = {"2": "hill of two contours", "mountain": "mountain"}
"""What the pieces for the higher hills are called when the box has no more of them."""

LARGEST_NUMBER = 200
"""The largest number of hills that can be decided."""


def add_hills(builder: TableBuilder) -> Iterator[str]:
    """Add hills and mountains; yield the number of each step when it is done.

    Step 1.1: D6 and the row of the relief give their number; where the relief has higher hills, a
    D6 for each hill gives its height. Step 1.2: dice give the area of the first hill. Step 1.3:
    dice give the area of each further one, beside the previous one or farther on.
    """
    table = builder.table
    throws = builder.throws
    relief = builder.choices.relief_in_use
    throws.begin("1.1")
    count, words = builder.determine_number(
        "hills", NOUNS[0], added=HILLS[relief], largest=LARGEST_NUMBER, pieces=HILL_PIECES
    )
    throws.say(f"{relief.capitalize()} country: {words} {many(count, *NOUNS)}")
    yield "1.1"
    # Hills that were on the table before the first die count: the dice add only what is missing.
    present_count = sum(table.is_high(cell) for cell in {*table.contours, *table.ground})
    heights = HEIGHTS.get(relief)  # None in open country, where no die gives a height
    locator = builder.locator()
    cells_of_hills: dict[int, int] = {}  # by the number of the hill
    new_count = max(0, count - present_count)
    for number in range(1, new_count + 1):
        cell = _add_hill(builder, locator, number, decides_height=heights is None)
        if cell is None:
            builder.report_no_room(new_count - number + 1, NOUNS)
            break
        cells_of_hills[number] = cell
        if heights is not None and heights.at_once:
            _throw_height(builder, number, cell, heights)
    yield "1.2"  # the steps that are yielded only count the progress
    # In hilly and mountainous country heights are thrown once all hills are placed.
    if heights is not None and not heights.at_once:
        for number, cell in cells_of_hills.items():
            _throw_height(builder, number, cell, heights)
    yield "1.3"


def _add_hill(
    builder: TableBuilder, locator: Locator, number: int, *, decides_height: bool
) -> int | None:
    """Locate a hill of one contour and log it; return its area, None if no area is free.

    With ``decides_height`` a decision, if there is one, sets its height at once. That is so in open
    country; elsewhere the height is thrown or decided later (``_throw_height``).
    """
    table = builder.table
    throws = builder.throws
    if number == 1:
        throws.begin("1.2")
    else:
        throws.begin("1.3")
    name = f"hill {number}"
    spot = locator.locate_next(Feature(name, table.is_empty, builder.choices.chains))
    if spot is None:
        return None
    words = f"Hill {number}: {spot.words}: {builder.name_of(spot.cell)}"
    height = "1"
    if decides_height:
        decided_height = throws.ask_word(f"{name} height", tuple(HEIGHT_WORDS))
        if decided_height is not None:
            height = decided_height
            words = f"{words}; as decided: {HEIGHT_WORDS[height]}"
    _set_hill(table, spot.cell, height)
    table.set_origin("hills", (spot.cell,), throws.say(words, spot.cell))
    return spot.cell


def _throw_height(builder: TableBuilder, number: int, cell: int, heights: Heights) -> None:
    """Set a hill's height by its own die (step 1.1) or a decision, and log it.

    A die that asks for a piece of which the box has no more leaves the hill at one contour.
    """
    table = builder.table
    throws = builder.throws
    throws.begin("1.1")
    name = f"hill {number} height"
    height = throws.ask_word(name, tuple(HEIGHT_WORDS))
    reason = "as decided"
    if height is None:
        options = {
            HEIGHT_WORDS["1"]: other_scores(heights.two_contours, heights.mountain),
            HEIGHT_WORDS["2"]: heights.two_contours,
            HEIGHT_WORDS["mountain"]: heights.mountain,
        }
        score = throws.d6(f"{name} die", options_text(options))
        reason = f"D6 = {score}"
        height = "1"
        if score in heights.mountain:
            height = "mountain"
        elif score in heights.two_contours:
            height = "2"
        if height != "1" and _is_used_up(builder, height):
            reason += f", but the box holds no {_PIECES[height]} any more"
            height = "1"
    _set_hill(table, cell, height)
    words = HEIGHT_WORDS[height]
    line = throws.say(f"Hill {number} at {builder.name_of(cell)}: {reason}: {words}", cell)
    table.set_origin("hills", (cell,), line)


def _set_hill(table: Table, cell: int, height: str) -> None:
    """Put a hill or a mountain into an area; ``height`` is a key of ``HEIGHT_WORDS``.

    A mountain is a terrain and has no contours.
    """
    if height == "mountain":
        table.contours.pop(cell, None)
        table.ground[cell] = MOUNTAIN
    else:
        table.contours[cell] = int(height)


def _is_used_up(builder: TableBuilder, height: str) -> bool:
    """Return whether all pieces for hills of a height are on the table already.

    ``height`` is "mountain" or "2". The box of pieces can limit both.
    """
    table = builder.table
    if height == "mountain":
        mountains = sum(ground == MOUNTAIN for ground in table.ground.values())
        return builder.is_used_up(MOUNTAIN.lower(), mountains)
    high_hills = sum(contours == 2 for contours in table.contours.values())
    return builder.is_used_up(HIGH_HILL, high_hills)
