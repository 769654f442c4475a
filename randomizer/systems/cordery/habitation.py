"""Part 5 of the page: inhabited places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as count_up

from randomizer.model.plurals import many
from randomizer.systems.cordery.features import HABITATION, SETTLEMENT
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.tables import INHABITED, PLACES

NOUNS = ("inhabited area", "inhabited areas")
MOST = 200


def lay_habitation(laying: Laying) -> Iterator[str]:
    """Steps 5.1 and 5.2: areas that are chained by 1.3 are one place."""
    table, throws, area = laying.table, laying.throws, laying.choices.area
    throws.begin("5.1")
    count, words = laying.number_of(
        "inhabited areas", NOUNS[0], INHABITED[area], MOST, *map(str.lower, HABITATION)
    )
    throws.say(f"{area.capitalize()} area: {words} {many(count, *NOUNS)}")
    yield "5.1"
    throws.begin("5.2")
    there = sum(what in HABITATION for what in table.ground.values())
    locator = laying.locator()
    stood = len(table.places)
    place: list[int] = []
    place_number, taken = 0, set(table.place_numbers.values())
    for number in range(1, count - there + 1):
        name = f"inhabited area {number}"
        # A place on a hill stays a settlement; a place that grows does not grow onto a hill.
        on_hill = bool(place) and place[0] in table.contours
        spot = locator.next(
            name,
            lambda cell: table.bare(cell),
            chain=not on_hill,
            beside=lambda cell: table.empty(cell),
        )
        if spot is None:
            laying.no_room(count - there - number + 1, NOUNS)
            break
        if not spot.chained:
            place = []
            table.places.append(place)
            place_number = next(n for n in count_up(place_number + 1) if n not in taken)
        place.append(spot.cell)
        table.ground[spot.cell] = SETTLEMENT
        table.place_numbers[spot.cell] = place_number
        hill = ", on a hill: it stays a settlement" if spot.cell in table.contours else ""
        words = f"Inhabited area {number}: {spot.words}: {laying.name(spot.cell)}{hill}"
        table.put("habitation", (spot.cell,), throws.say(words, spot.cell))
    _name_places(laying, table.places[stood:])
    yield "5.2"


def _name_places(laying: Laying, places: Sequence[Sequence[int]]) -> None:
    """Settlement, village, town or city, by the number of areas."""
    table = laying.table
    for place in places:
        kind = next(kind for least, kind in PLACES if len(place) >= least)
        for cell in place:
            table.ground[cell] = kind
        if len(place) > 1:
            names = ", ".join(map(laying.name, place))
            laying.throws.say(f"{names} together are a {kind.lower()}", *place)
