"""Part 4 of the page: trees, woods and forests."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.model.plurals import many
from randomizer.systems.cordery.features import TREES
from randomizer.systems.cordery.table_builder import TableBuilder
from randomizer.systems.cordery.tables import TREES as MORE_TREES

NOUNS = ("group of trees", "groups of trees")
MOST = 400


def add_trees(builder: TableBuilder) -> Iterator[str]:
    """Steps 4.1 and 4.2: trees stand on open ground and hills only."""
    table, throws, choices = builder.table, builder.throws, builder.choices
    kind = next(tree for tree in TREES if tree.lower().startswith(choices.climate))
    throws.begin("4.1")
    more = MORE_TREES[choices.trees_row]
    count, words = builder.number_of("trees", "trees", more, MOST, kind.lower())
    throws.say(f"{choices.trees_row.capitalize()} country: {words} {many(count, *NOUNS)}")
    yield "4.1"
    throws.begin("4.2")
    there = sum(what in TREES for what in table.ground.values())

    def place(cell: int) -> None:
        table.ground[cell] = kind

    builder.scatter("trees", "trees", NOUNS, count - there, table.bare, place)
    yield "4.2"
