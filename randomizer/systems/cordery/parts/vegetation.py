"""Parts 4 and 7 of Cordery's page: trees, and fields with what is planted in them.

The ``generator`` calls ``add_trees`` and ``add_fields``. Both build their features while they are
iterated over. Each feature fills one area, a cell of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import FIELDS as FIELDS_ADDED
from randomizer.systems.cordery.dice.tables import PLANTED as PLANTED_SCORES
from randomizer.systems.cordery.dice.tables import TREES as TREES_ADDED
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

# Singular and plural, for the log.
TREES_NOUNS = ("group of trees", "groups of trees")
FIELD_NOUNS = ("field", "fields")

LARGEST_NUMBER = 400
"""The largest number of groups of trees, or of fields, that can be decided."""


def add_trees(builder: TableBuilder) -> Iterator[str]:
    """Add groups of trees; yield the number of each step when it is done.

    Step 4.1: D6 and the row of the cover give their number. Step 4.2: they are located like hills
    (steps 1.2 and 1.3), in areas that hold nothing or nothing but a hill.
    """
    table = builder.table
    throws = builder.throws
    choices = builder.choices
    # The choice is the first word of the terrain: "palm" for "Palm trees".
    kind = next(tree for tree in TREES if tree.lower().startswith(choices.climate))
    throws.begin("4.1")
    count, words = builder.determine_number(
        "trees",
        "trees",
        added=TREES_ADDED[choices.trees_row],
        largest=LARGEST_NUMBER,
        pieces=(kind.lower(),),
    )
    throws.say(f"{choices.trees_row.capitalize()} country: {words} {many(count, *TREES_NOUNS)}")
    yield "4.1"
    throws.begin("4.2")
    present_count = sum(ground in TREES for ground in table.ground.values())
    builder.scatter(
        "trees",
        "trees",
        TREES_NOUNS,
        count=count - present_count,
        is_free=table.is_bare_or_hill,
        ground=kind,
    )
    yield "4.2"


def add_fields(builder: TableBuilder) -> Iterator[str]:
    """Add fields; yield the number of each step when it is done.

    Step 7.1: D6 and the row of the area give their number; wild country has none. Step 7.2: they
    lie beside settlements and villages, and where no room is left there, anywhere. Step 7.3: a die
    for each field can plant it with fruit trees, olives or vines, where the region has them.
    """
    throws = builder.throws
    area = builder.choices.area
    throws.begin("7.1")
    if area not in FIELDS_ADDED:
        throws.say("There are no fields in wild country")
        yield "7.1"
        return
    count, words = builder.determine_number(
        "fields",
        FIELD_NOUNS[0],
        added=FIELDS_ADDED[area],
        largest=LARGEST_NUMBER,
        pieces=(FIELD.lower(), builder.choices.planted),
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *FIELD_NOUNS)}")
    yield "7.1"
    throws.begin("7.2")
    present_count = sum(ground in (FIELD, *PLANTED) for ground in builder.table.ground.values())
    _place_fields(builder, count - present_count)
    yield "7.2"
    if builder.choices.planted != "none":
        _throw_plantings(builder)
    yield "7.3"


def _place_fields(builder: TableBuilder, count: int) -> None:
    """Place ``count`` fields beside settlements and villages that have room.

    In each round every settlement or village with room gets one field. In the first round they are
    served in the order of their areas. In later rounds, or if too few fields are left for all of
    them, dice decide the order. Fields for which no village has room are located anywhere, like
    hills.
    """
    table = builder.table
    # Sorted by area, since the order in which they were rolled is unknown when part 7 is thrown
    # alone. All areas of a place have the same ground.
    places = sorted(sorted(areas) for areas in table.places)
    kinds = (SETTLEMENT, VILLAGE)  # towns have no fields
    farming_places = [areas for areas in places if table.ground[areas[0]] in kinds]
    locator = builder.locator()
    number = 0  # of the last field placed
    round_number = 0
    # Each round places one field at least: the first village of its order had room.
    while number < count:
        round_number += 1
        places_with_room = [areas for areas in farming_places if _has_room(table, areas)]
        if not places_with_room:
            break
        fields_left = count - number
        order = places_with_room
        if fields_left < len(places_with_room) or round_number > 1:
            order = _sort_by_dice(builder, f"field place {round_number}", places_with_room)
        for areas in order[:fields_left]:
            spot = _locate_beside(builder, locator, f"field {number + 1}", areas)
            if spot is None:
                continue  # another field of this round has taken the last area beside them
            number += 1
            table.ground[spot.cell] = FIELD
            words = f"Field {number}: {spot.words}: {builder.name_of(spot.cell)}"
            line = builder.throws.say(words, spot.cell)
            table.set_origin("fields", (spot.cell,), line)
    if number < count:
        builder.scatter(
            "fields",
            "field",
            FIELD_NOUNS,
            count=count - number,
            is_free=table.is_empty,
            ground=FIELD,
            first=number + 1,
        )


def _locate_beside(
    builder: TableBuilder, locator: Locator, name: str, areas: Sequence[int]
) -> Spot | None:
    """Locate a field beside a village; None if no area beside it is free.

    ``areas`` are those of the village. A decision can set the area of the field, and a field stays
    in its previous area. Otherwise one die chooses an area of the village that has room, and
    another one the direction from there.
    """
    # Unlike ``locate_next`` this does not make the field the one from which the next is counted.
    table = builder.table
    spot = locator.spot_without_dice(name, table.is_empty)
    if spot is not None:
        return spot
    areas_with_room = [area for area in areas if _has_room(table, (area,))]
    if not areas_with_room:
        return None
    area, throw = builder.throws.one_of(f"{name} area", areas_with_room, builder.name_of)
    spot = locator.throw_direction(name, area, table.is_empty)
    # The score is 0 if there was only one area to choose from, so that no die was thrown.
    if spot is not None and throw.score:
        return replace(spot, words=f"{throw}, {builder.name_of(area)}: {spot.words}")
    return spot


def _sort_by_dice(
    builder: TableBuilder, name: str, villages: Sequence[list[int]]
) -> list[list[int]]:
    """Throw a die for each village, log the dice, and return the villages, the highest die first.

    A village is a list of its areas; its first area gives it its name in the log.
    """
    throws = builder.throws

    def name_of(areas: Sequence[int]) -> str:
        return builder.name_of(areas[0])

    order = throws.highest_first(name, villages, name_of)
    if len(order) > 1:
        names = [name_of(areas) for areas in order]
        dice = (f"{village} (D6 = {throws.dice_in_words(name, village)})" for village in names)
        throws.say(f"The highest die first, fields go to {', '.join(dice)}")
    return order


def _has_room(table: Table, areas: Sequence[int]) -> bool:
    """Return whether a field can be placed beside one of these areas."""
    for area in areas:
        if any(table.is_empty(neighbour) for neighbour in table.grid.neighbours(area)):
            return True
    return False


def _throw_plantings(builder: TableBuilder) -> None:
    """Throw or decide for each field whether it is planted (step 7.3).

    The choice ``planted`` says with what: it is an orchard, an olive grove or a vineyard then.
    """
    table = builder.table
    throws = builder.throws
    throws.begin("7.3")
    planted_ground = builder.choices.planted.capitalize()
    # The fields of this roll only: those that lay on the table before have no origin.
    fields = [cell for cell in table.origins.get("fields", {}) if table.ground[cell] == FIELD]
    for number, cell in enumerate(fields, 1):
        name = f"field {number} planted"
        decision = throws.ask_word(name, ("yes", "no"))
        if decision is None:
            options = {"no": other_scores(PLANTED_SCORES), "yes": PLANTED_SCORES}
            score = throws.d6(f"{name} die", options_text(options))
            is_planted = score in PLANTED_SCORES
            reason = f"D6 = {score}"
        else:
            is_planted = decision == "yes"
            reason = "as decided"
        if is_planted:
            table.ground[cell] = planted_ground
            ground_words = planted_ground.lower()
        else:
            ground_words = "open field"
        line = throws.say(
            f"Field {number} at {builder.name_of(cell)}: {reason}: {ground_words}", cell
        )
        table.set_origin("fields", (cell,), line)
