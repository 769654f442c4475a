"""Part 2 of the page: rivers and bodies of water."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from randomizer.model.basics.plurals import many
from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.tables import LEFT_BANK, WIDE
from randomizer.systems.cordery.parts.route_search import RimPoint
from randomizer.systems.cordery.parts.routes import add_route, route_ends
from randomizer.systems.cordery.table.features import LAKE, MARSH, RIVER
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_edges import outward_side, side_towards

MOST = 200


def add_water(builder: TableBuilder) -> Iterator[str]:
    """Steps 2.1 to 2.4."""
    for number in range(1, builder.choices.rivers + 1):
        _add_river(builder, f"river {number}")
    yield "2.1"
    yield "2.2"
    for step, count, what, kind in (
        ("2.3", builder.choices.lakes, LAKE, "lakes"),
        ("2.4", builder.choices.marshes, MARSH, "marshes"),
    ):
        if count:
            _add_bodies(builder, step, what, kind)
        yield step


def _add_bodies(builder: TableBuilder, step: str, what: str, kind: str) -> None:
    table = builder.table
    throws = builder.throws
    throws.begin(step)
    count, words = builder.number_of(kind, what.lower(), 0, MOST, what.lower())
    nouns = what.lower(), kind
    throws.say(f"{words[:1].upper()}{words[1:]} {many(count, *nouns)}")
    standing = sum(standing == what for standing in table.ground.values())

    def place(cell: int) -> None:
        table.ground[cell] = what

    builder.scatter("water", what.lower(), nouns, count - standing, table.empty, place)


def _add_river(builder: TableBuilder, name: str) -> None:
    throws = builder.throws
    throws.begin("2.1")
    ends = route_ends(builder, name)
    if ends is None:
        steps = None
    else:
        steps = add_route(builder, name, "water", RIVER, ends)
    if ends is None or steps is None:
        return
    throws.begin("2.2")
    width = throws.decided_number(f"{name} width", 1, 2)
    how = "as decided"
    if width is None:
        score = throws.d6(f"{name} width die")
        width = 2 if score in WIDE else 1
        how = f"D6 = {score}"
    areas = "one area" if width == 1 else "two areas"
    throws.say(f"{name.capitalize()} is {areas} wide ({how})")
    if width == 2:
        _widen(builder, name, [step.cell for step in steps], ends)


def _widen(builder: TableBuilder, name: str, way: Sequence[int], ends: Sequence[RimPoint]) -> None:
    """Add the second row of areas along the path, on one bank, where there is room."""
    table = builder.table
    throws = builder.throws
    grid = builder.table.grid
    bank = throws.decided_word(f"{name} bank", ("left", "right"))
    how = "as decided"
    if bank is None:
        score = throws.d6(f"{name} bank die")
        bank = "left" if score in LEFT_BANK else "right"
        how = f"D6 = {score}"
    turn = -1 if bank == "left" else 1
    coming = grid.opposite(outward_side(grid, *ends[0]))
    leaving = outward_side(grid, *ends[1])
    beside: dict[int, int] = {}
    for here, ahead in zip(way, [*way[1:], -1], strict=True):
        if ahead < 0:
            heading = leaving
        else:
            heading = side_towards(grid, here, ahead)
        for other in _on_bank(grid, here, coming, heading, turn):
            if other not in way and not table.high(other) and table.bare(other):
                beside.setdefault(other, here)
        coming = heading
    for cell, here in list(beside.items()):
        around = grid.neighbours(cell)
        if here not in around and sum(other in beside for other in around) < 2:
            del beside[cell]  # a square beyond a corner that the second row does not pass
    river = table.routes[RIVER]
    long = {cell for row in _rows(grid, beside) if len(row) > 1 for cell in row}
    beside = {cell: here for cell, here in beside.items() if cell in long}  # no ponds
    for cell in beside:
        for neighbour in grid.neighbours(cell):
            if neighbour in beside:
                river.join(grid, (cell, neighbour))
    for cell, edge in ends:
        for neighbour in grid.neighbours(cell):
            side = outward_side(grid, neighbour, edge)
            if neighbour in beside and grid.neighbour(neighbour, side) < 0:
                river.leave(neighbour, side)
    for cell in beside:
        first = [neighbour for neighbour in grid.neighbours(cell) if neighbour in way]
        if river.links[cell].bit_count() == 1 and first:  # the second row ends: into the first one
            river.join(grid, (cell, first[-1]))
    if len(beside) == 1:
        words = "Its second area lies"
    else:
        words = "Its second areas lie"
    words += f" on the {bank} bank ({how}), {len(beside)} beside {len(way)}"
    if not beside:
        words = f"Nowhere is room for a second area on the {bank} bank ({how})"
    table.set_origin("water", beside, throws.say(words, *beside))


def _rows(grid: Grid, cells: Collection[int]) -> list[set[int]]:
    """Areas parted into those that are connected."""
    left = set(cells)
    rows = []
    while left:
        row = edge = {left.pop()}
        while edge:
            edge = {neighbour for cell in edge for neighbour in grid.neighbours(cell)} & left
            left -= edge
            row = row | edge
        rows.append(row)
    return rows


def _on_bank(grid: Grid, cell: int, coming: int, going: int, turn: int) -> Iterator[int]:
    """Yield the areas beside one area of a path, to its left (``turn`` -1) or right (1).

    Outside a bend these are all areas around it, so that the second row has no gap.
    """
    degree = grid.degree
    bend = (coming - going) * turn % degree
    sides = [(going + turn * (1 + i)) % degree for i in range(bend + 1 if bend < degree / 2 else 1)]
    for side in sides:
        other = grid.neighbour(cell, side)
        if other >= 0:
            yield other
            if degree == 4 and side != sides[0]:  # squares meet at corners as well
                corner = grid.neighbour(other, sides[0])
                if corner >= 0:
                    yield corner
