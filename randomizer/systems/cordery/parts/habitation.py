"""Part 5 of the page: settlements, villages, towns and cities; ``generator`` calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.tables import INHABITED, PLACES
from randomizer.systems.cordery.table.features import HABITATION, SETTLEMENT
from randomizer.systems.cordery.table.table_builder import TableBuilder

NOUNS = ("inhabited area", "inhabited areas")
LARGEST_NUMBER = 200
"""The largest number of inhabited areas that can be decided."""


def add_habitation(builder: TableBuilder) -> Iterator[str]:
    """Add inhabited places.

    Step 5.1: D6 and the row of the area give the number of inhabited areas. Step 5.2: they are
    located as features are, and those that are chained by step 1.3 form one place: a settlement,
    village, town or city by its number of areas. Those that only touch stay separate.
    """
    table = builder.table
    throws = builder.throws
    area = builder.choices.area
    throws.begin("5.1")
    count, words = builder.determine_number(
        "inhabited areas",
        NOUNS[0],
        added=INHABITED[area],
        largest=LARGEST_NUMBER,
        pieces=[kind.lower() for kind in HABITATION],
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *NOUNS)}")
    yield "5.1"
    throws.begin("5.2")
    present_count = sum(ground in HABITATION for ground in table.ground.values())
    locator = builder.locator()
    first_new_place = len(table.places)
    village: list[int] = []  # the areas of the place that grows: each chained to the one before
    village_number = 0
    # Of places that were on the table before; a new one must not seem to belong to them.
    used_numbers = set(table.place_numbers.values())
    for number in range(1, count - present_count + 1):
        name = f"inhabited area {number}"
        # A place on a hill stays a settlement; a place that grows does not grow onto a hill.
        is_on_hill = bool(village) and village[0] in table.contours
        spot = locator.locate_next(
            name, table.is_bare, chain=not is_on_hill, is_free_beside=table.is_empty
        )
        if spot is None:
            areas_left = count - present_count - number + 1
            builder.report_no_room(areas_left, NOUNS)
            break
        if not spot.chained:
            village = []
            table.places.append(village)
            village_number += 1
            while village_number in used_numbers:
                village_number += 1
        village.append(spot.cell)
        table.ground[spot.cell] = SETTLEMENT
        table.place_numbers[spot.cell] = village_number
        if spot.cell in table.contours:
            hill_note = ", on a hill: it stays a settlement"
        else:
            hill_note = ""
        words = f"Inhabited area {number}: {spot.words}: {builder.name(spot.cell)}{hill_note}"
        table.set_origin("habitation", (spot.cell,), throws.say(words, spot.cell))
    _name_places(builder, table.places[first_new_place:])
    yield "5.2"


def _name_places(builder: TableBuilder, places: Sequence[Sequence[int]]) -> None:
    """Make each place a settlement, village, town or city, by its number of areas; log the larger.

    ``places`` are lists of areas.
    """
    table = builder.table
    for village in places:
        # ``PLACES`` begins with the largest kind.
        kind = next(kind for smallest, kind in PLACES if len(village) >= smallest)
        for cell in village:
            table.ground[cell] = kind
        if len(village) > 1:
            names = ", ".join(map(builder.name, village))
            builder.throws.say(f"{names} together are a {kind.lower()}", *village)
