"""Part 2 of Cordery's page: rivers and bodies of water.

The ``generator`` calls ``add_water``. A table is divided into areas, which are squares or hexes. A
river is one or two areas wide: first its path is found (``routes``), and then, if it is wide, a
second row of areas is laid beside the path (``wide_rivers``).
"""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import WIDE
from randomizer.systems.cordery.parts.routes import add_route, route_ends
from randomizer.systems.cordery.parts.wide_rivers import widen
from randomizer.systems.cordery.table.features import LAKE, MARSH, RIVER
from randomizer.systems.cordery.table.table_builder import TableBuilder

LARGEST_NUMBER = 200
"""The largest number of lakes, or of marshes, that can be decided."""


def add_water(builder: TableBuilder) -> Iterator[str]:
    """Add rivers, lakes and marshes; yield the number of each step when it is done.

    Steps 2.1 and 2.2: where a river enters, leaves and runs, and whether it is one or two areas
    wide. Steps 2.3 and 2.4: a D6 gives the number of lakes, another that of marshes; they are
    located like hills.
    """
    # At a real table, too, both steps of a river are thrown before the next river.
    for number in range(1, builder.choices.rivers + 1):
        _add_river(builder, f"river {number}")
    yield "2.1"
    yield "2.2"
    if builder.choices.lakes:
        _add_bodies(builder, "2.3", LAKE, "lakes")
    yield "2.3"
    if builder.choices.marshes:
        _add_bodies(builder, "2.4", MARSH, "marshes")
    yield "2.4"


def _add_bodies(builder: TableBuilder, step: str, kind: str, plural: str) -> None:
    """Add lakes or marshes: as many as a die or a decision gives, less those that are there."""
    table = builder.table
    throws = builder.throws
    singular = kind.lower()
    nouns = (singular, plural)
    throws.begin(step)
    count, words = builder.determine_number(
        plural, singular, added=0, largest=LARGEST_NUMBER, pieces=(singular,)
    )
    # Not capitalize(), which makes the other letters small: "D6" would be "d6".
    throws.say(f"{words[:1].upper()}{words[1:]} {many(count, *nouns)}")
    present_count = sum(ground == kind for ground in table.ground.values())
    builder.scatter(
        "water",
        singular,
        nouns,
        count=count - present_count,
        is_free=table.is_empty,
        ground=kind,
    )


def _add_river(builder: TableBuilder, name: str) -> None:
    """Add one river: its path (2.1) and its width (2.2). Without a free path it is left out."""
    throws = builder.throws
    throws.begin("2.1")
    ends = route_ends(builder, name)
    if ends is None:
        return
    steps = add_route(builder, name, "water", RIVER, ends)
    if steps is None:
        return
    throws.begin("2.2")
    width = throws.ask_number(f"{name} width", 1, 2)
    reason = "as decided"
    if width is None:
        options = {"one": other_scores(WIDE), "two": WIDE}
        score = throws.d6(f"{name} width die", options_text(options))
        width = 1
        if score in WIDE:
            width = 2
        reason = f"D6 = {score}"
    if width == 1:
        throws.say(f"{name.capitalize()} is one area wide ({reason})")
        return
    path = [step.cell for step in steps]
    line = throws.say(f"{name.capitalize()} is two areas wide ({reason})", *path)
    # This line is now the origin of the river's areas: a wide river looks like a lake, and a user
    # who asks about an area of it should read that it is a river.
    builder.table.set_origin("water", path, line)
    widen(builder, name, path, ends)
