"""Part 5 of Cordery's page: settlements, villages, towns and cities.

The ``generator`` calls ``add_habitation``. The dice give single inhabited areas (cells of the
table), one after the other. Where a die puts one beside the one before, both belong to the same
*place*, and the number of its areas makes a place a settlement, village, town or city::

    0304            a place of one area: a settlement
    0601 0602       a place of two areas: village 1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.tables import INHABITED, PLACES
from randomizer.systems.cordery.table.feature_places import Feature
from randomizer.systems.cordery.table.features import HABITATION, SETTLEMENT, Table
from randomizer.systems.cordery.table.pieces import HABITATIONS
from randomizer.systems.cordery.table.table_builder import TableBuilder

NOUNS = ("inhabited area", "inhabited areas")
"""Singular and plural, for the log."""

LARGEST_NUMBER = 200
"""The largest number of inhabited areas that can be decided."""


def add_habitation(builder: TableBuilder) -> Iterator[str]:
    """Add inhabited places; yield the number of each step when it is done.

    Step 5.1: D6 and the row of the chosen kind of country give the number of inhabited areas. Step
    5.2: they are located like hills (steps 1.2 and 1.3), each beside the one before or farther on.
    Places that only happen to touch stay separate.
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
        pieces=HABITATIONS,
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *NOUNS)}")
    yield "5.1"
    throws.begin("5.2")
    # Inhabited areas that were painted on the table beforehand count as some of the number.
    present_count = sum(ground in HABITATION for ground in table.ground.values())
    first_new_place = len(table.places)
    _locate_areas(builder, count - present_count)
    _set_kinds_of_places(builder, table.places[first_new_place:])
    yield "5.2"


def _locate_areas(builder: TableBuilder, count: int) -> None:
    """Locate ``count`` inhabited areas, or as many as there is room for, and log them.

    An area that a die puts beside the one before belongs to the same place; any other area begins
    a new place. A place that begins on a hill stays a settlement of one area.
    """
    table = builder.table
    locator = builder.locator()
    # The areas of the latest place, empty before the first one: the same list as in
    # ``table.places``.
    place: list[int] = []
    latest_place_number = 0
    for number in range(1, count + 1):
        can_grow = not place or place[0] not in table.contours
        feature = Feature(
            f"inhabited area {number}",
            can_stand=table.is_bare_or_hill,
            may_chain=can_grow,
            can_stand_if_chained=table.is_empty,
        )
        spot = locator.locate_next(feature)
        if spot is None:
            builder.report_no_room(count - number + 1, NOUNS)
            return

        if not spot.is_chained:
            place = []
            table.places.append(place)
            latest_place_number = _next_place_number(builder, latest_place_number)
        place.append(spot.cell)
        table.ground[spot.cell] = SETTLEMENT
        table.place_numbers[spot.cell] = latest_place_number

        words = f"Inhabited area {number}: {spot.words}: {builder.name_of(spot.cell)}"
        if spot.cell in table.contours:
            words += ", on a hill: it stays a settlement"
        line = builder.throws.say(words, spot.cell)
        table.set_origin("habitation", (spot.cell,), line)


def _next_place_number(builder: TableBuilder, number: int) -> int:
    """Return the first number after ``number`` that no place on the table has.

    Places that were there before the first die have numbers, too.
    """
    used_numbers = set(builder.table.place_numbers.values())
    number += 1
    while number in used_numbers:
        number += 1
    return number


def _set_kinds_of_places(builder: TableBuilder, places: Sequence[Sequence[int]]) -> None:
    """Make each place a settlement, village, town or city, by its number of areas.

    ``places`` are lists of areas. Places of more than one area are logged.
    """
    table = builder.table
    for place in places:
        # ``PLACES`` begins with the largest kind.
        kind = next(kind for smallest, kind in PLACES if len(place) >= smallest)
        for cell in place:
            table.ground[cell] = kind
        if len(place) > 1:
            names = ", ".join(builder.name_of(cell) for cell in place)
            title = place_titles(table)[place[0]]
            builder.throws.say(f"{names} together are {title}", *place)


def place_titles(table: Table) -> dict[int, str]:
    """Return the titles of the villages, towns and cities by their first areas, as "village 2".

    The places of each kind are counted in the order in which they came on the table.
    """
    titles = {}
    counts: Counter[str] = Counter()
    for place in table.places:
        # An inhabited place of one area is a settlement, which has no number.
        if len(place) > 1:
            kind = table.ground[place[0]].lower()
            counts[kind] += 1
            titles[place[0]] = f"{kind} {counts[kind]}"
    return titles
