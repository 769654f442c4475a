"""Parts 4 and 7 of the page: trees, and fields with what is planted in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.tables import FIELDS
from randomizer.systems.cordery.dice.tables import PLANTED as PLANTED_SCORES
from randomizer.systems.cordery.dice.tables import TREES as MORE_TREES
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
MOST = 400
"""The largest number of groups of trees, or of fields, that can be decided."""


def add_trees(builder: TableBuilder) -> Iterator[str]:
    """Steps 4.1 and 4.2: trees stand on open ground and hills only."""
    table = builder.table
    throws = builder.throws
    choices = builder.choices
    kind = next(tree for tree in TREES if tree.lower().startswith(choices.climate))
    throws.begin("4.1")
    more = MORE_TREES[choices.trees_row]
    count, words = builder.number_of("trees", "trees", more, MOST, kind.lower())
    throws.say(f"{choices.trees_row.capitalize()} country: {words} {many(count, *TREES_NOUNS)}")
    yield "4.1"
    throws.begin("4.2")
    standing = sum(what in TREES for what in table.ground.values())

    def place(cell: int) -> None:
        table.ground[cell] = kind

    builder.scatter("trees", "trees", TREES_NOUNS, count - standing, table.bare, place)
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
        "fields", FIELD_NOUNS[0], FIELDS[area], MOST, FIELD.lower(), builder.choices.planted
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *FIELD_NOUNS)}")
    yield "7.1"
    throws.begin("7.2")
    standing = sum(what in (FIELD, *PLANTED) for what in builder.table.ground.values())
    _place(builder, count - standing)
    yield "7.2"
    if builder.choices.planted != "none":
        _plant(builder)
    yield "7.3"


def _place(builder: TableBuilder, count: int) -> None:
    """Place fields beside settlements and villages that have room, in turn; then by 1.2."""
    table = builder.table
    # Sorted: the order in which they were rolled is unknown when part 7 is thrown alone.
    places = sorted(map(sorted, table.places))
    places = [place for place in places if table.ground[place[0]] in (SETTLEMENT, VILLAGE)]
    locator = builder.locator()
    throws = builder.throws
    left = count
    number = 0
    turn = 0
    while left > 0:
        turn += 1
        order = [place for place in places if _has_room(table, place)]
        if not order:
            break
        if left < len(order) or turn > 1:
            _rank(builder, f"field place {turn}", order)
        for place in order[:left]:
            name = f"field {number + 1}"
            spot = locator.by_hand(name, table.empty)
            areas = [area for area in place if _has_room(table, (area,))]
            if spot is None and areas:
                area, thrown = throws.one_of(f"{name} area", areas)
                spot = locator.beside(name, area, table.empty)
                if spot is not None and thrown.score:
                    spot = replace(spot, words=f"{thrown}, {builder.name(area)}: {spot.words}")
            if spot is not None:  # else a field of this turn has taken the last room
                left = left - 1
                number = number + 1
                _lay(builder, number, spot.cell, spot.words)
    if left > 0:
        builder.scatter(
            "fields",
            "field",
            FIELD_NOUNS,
            left,
            table.empty,
            lambda cell: _set(builder, cell),
            first=number + 1,
        )


def _rank(builder: TableBuilder, name: str, places: list[list[int]]) -> None:
    """Sort places by one die each, and log it."""
    throws = builder.throws

    def name_of(place: Sequence[int]) -> str:
        return builder.name(place[0])

    places[:] = throws.highest_first(name, places, name_of)
    if len(places) > 1:
        dice = (
            f"{each} (D6 = {throws.dice_in_words(name, each)})" for each in map(name_of, places)
        )
        throws.say(f"The highest die first, fields go to {', '.join(dice)}")


def _has_room(table: Table, place: Sequence[int]) -> bool:
    """Return whether a field can be placed beside a place."""
    return any(table.empty(cell) for area in place for cell in table.grid.neighbours(area))


def _lay(builder: TableBuilder, number: int, cell: int, words: str) -> None:
    _set(builder, cell)
    line = builder.throws.say(f"Field {number}: {words}: {builder.name(cell)}", cell)
    builder.table.set_origin("fields", (cell,), line)


def _set(builder: TableBuilder, cell: int) -> None:
    builder.table.ground[cell] = FIELD


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
        how = "as decided"
        if word is None:
            score = throws.d6(f"{name} die")
            word = "yes" if score in PLANTED_SCORES else "no"
            how = f"D6 = {score}"
        if word == "yes":
            table.ground[cell] = planted
        what = planted.lower() if word == "yes" else "open field"
        line = throws.say(f"Field {number} at {builder.name(cell)}: {how}: {what}", cell)
        table.set_origin("fields", (cell,), line)
