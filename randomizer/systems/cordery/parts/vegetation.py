"""Parts 4 and 7 of the page: trees, and fields with what is planted in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.tables import FIELDS
from randomizer.systems.cordery.dice.tables import PLANTED as PLANTED_SCORES
from randomizer.systems.cordery.dice.tables import TREES as MORE_TREES
from randomizer.systems.cordery.table.feature_places import Locator, Spot
from randomizer.systems.cordery.table.features import (
    FIELD,
    PLANTED,
    SETTLEMENT,
    TREES,
    VILLAGE,
    Table,
)
from randomizer.systems.cordery.table.table_builder import TableBuilder

TREES_NOUNS = ("group of trees", "groups of trees")
FIELD_NOUNS = ("field", "fields")
LARGEST_NUMBER = 400
"""The largest number of groups of trees, or of fields, that can be decided."""


def add_trees(builder: TableBuilder) -> Iterator[str]:
    """Steps 4.1 and 4.2: trees stand on open ground and hills only."""
    table = builder.table
    throws = builder.throws
    choices = builder.choices
    kind = next(tree for tree in TREES if tree.lower().startswith(choices.climate))
    throws.begin("4.1")
    more = MORE_TREES[choices.trees_row]
    count, words = builder.number_of("trees", "trees", more, LARGEST_NUMBER, kind.lower())
    throws.say(f"{choices.trees_row.capitalize()} country: {words} {many(count, *TREES_NOUNS)}")
    yield "4.1"
    throws.begin("4.2")
    present_count = sum(ground in TREES for ground in table.ground.values())

    def place(cell: int) -> None:
        table.ground[cell] = kind

    builder.scatter("trees", "trees", TREES_NOUNS, count - present_count, table.bare, place)
    yield "4.2"


def add_fields(builder: TableBuilder) -> Iterator[str]:
    """Steps 7.1 to 7.3."""
    throws = builder.throws
    area = builder.choices.area
    throws.begin("7.1")
    if area not in FIELDS:
        throws.say("There are no fields in wild country")
        yield "7.1"
        return
    count, words = builder.number_of(
        "fields",
        FIELD_NOUNS[0],
        FIELDS[area],
        LARGEST_NUMBER,
        FIELD.lower(),
        builder.choices.planted,
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *FIELD_NOUNS)}")
    yield "7.1"
    throws.begin("7.2")
    present_count = sum(ground in (FIELD, *PLANTED) for ground in builder.table.ground.values())
    _place_fields(builder, count - present_count)
    yield "7.2"
    if builder.choices.planted != "none":
        _plant(builder)
    yield "7.3"


def _place_fields(builder: TableBuilder, count: int) -> None:
    """Place fields beside settlements and villages that have room, in turn; then by step 1.2."""
    table = builder.table
    # Sorted: the order in which they were rolled is unknown when part 7 is thrown alone.
    villages = sorted(sorted(areas) for areas in table.places)
    villages = [areas for areas in villages if table.ground[areas[0]] in (SETTLEMENT, VILLAGE)]
    locator = builder.locator()
    number = 0
    turn = 0
    while number < count:
        turn += 1
        order = [areas for areas in villages if _has_room(table, areas)]
        if not order:
            break
        fields_left = count - number
        if fields_left < len(order) or turn > 1:
            order = _by_dice(builder, f"field place {turn}", order)
        for areas in order[:fields_left]:
            spot = _spot_beside(builder, locator, f"field {number + 1}", areas)
            if spot is not None:  # else a field of this turn has taken the last room
                number += 1
                table.ground[spot.cell] = FIELD
                words = f"Field {number}: {spot.words}: {builder.name(spot.cell)}"
                line = builder.throws.say(words, spot.cell)
                table.set_origin("fields", (spot.cell,), line)

    def place(cell: int) -> None:
        table.ground[cell] = FIELD

    if number < count:
        fields_left = count - number
        builder.scatter(
            "fields", "field", FIELD_NOUNS, fields_left, table.empty, place, first=number + 1
        )


def _spot_beside(
    builder: TableBuilder, locator: Locator, name: str, areas: Sequence[int]
) -> Spot | None:
    """Return where a field lies: where a hand put it, else beside an area that a die chooses.

    None if no area has room.
    """
    table = builder.table
    spot = locator.by_hand(name, table.empty)
    if spot is not None:
        return spot
    areas_with_room = [area for area in areas if _has_room(table, (area,))]
    if not areas_with_room:
        return None
    area, throw = builder.throws.one_of(f"{name} area", areas_with_room)
    spot = locator.beside(name, area, table.empty)
    if spot is not None and throw.score:
        return replace(spot, words=f"{throw}, {builder.name(area)}: {spot.words}")
    return spot


def _by_dice(builder: TableBuilder, name: str, villages: Sequence[list[int]]) -> list[list[int]]:
    """Return villages sorted by one die each, the highest first, and log the dice."""
    throws = builder.throws

    def name_of(areas: Sequence[int]) -> str:
        return builder.name(areas[0])

    order = throws.highest_first(name, villages, name_of)
    if len(order) > 1:
        names = [name_of(areas) for areas in order]
        dice = (f"{village} (D6 = {throws.dice_in_words(name, village)})" for village in names)
        throws.say(f"The highest die first, fields go to {', '.join(dice)}")
    return order


def _has_room(table: Table, areas: Sequence[int]) -> bool:
    """Return whether a field can be placed beside one of these areas."""
    return any(table.empty(cell) for area in areas for cell in table.grid.neighbours(area))


def _plant(builder: TableBuilder) -> None:
    """Step 7.3: whether a field is an orchard, an olive grove or a vineyard."""
    table = builder.table
    throws = builder.throws
    throws.begin("7.3")
    planted = builder.choices.planted.capitalize()
    fields = [cell for cell in table.origins.get("fields", {}) if table.ground[cell] == FIELD]
    for number, cell in enumerate(fields, 1):
        name = f"field {number} planted"
        word = throws.decided_word(name, ("yes", "no"))
        reason = "as decided"
        if word is None:
            score = throws.d6(f"{name} die")
            word = "yes" if score in PLANTED_SCORES else "no"
            reason = f"D6 = {score}"
        if word == "yes":
            table.ground[cell] = planted
        ground = planted.lower() if word == "yes" else "open field"
        line = throws.say(f"Field {number} at {builder.name(cell)}: {reason}: {ground}", cell)
        table.set_origin("fields", (cell,), line)
