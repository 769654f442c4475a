"""Part 2 of Cordery's page: rivers and bodies of water.

The ``generator`` calls ``add_water``. A table is divided into areas, which are squares or hexes. A
river is one or two areas wide: first its path is found (``routes``), and then, if it is wide, a
second row of areas is laid beside the path, on one bank (``_widen``)::

    . . . . . .
    1 1 1 . . .        1  the path, from the left edge to the right one
    2 2 1 1 1 1        2  the second row, on the right bank
    . 2 2 2 2 2

A direction is the number of the side to which it points; the sides of an area are numbered
clockwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from randomizer.model.basics.plurals import counted, many
from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import LEFT_BANK, WIDE
from randomizer.systems.cordery.parts.routes import RouteEnds, add_route, route_ends
from randomizer.systems.cordery.table.counting_order import outward_side, side_towards
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
    _widen(builder, name, path, ends)


def _widen(builder: TableBuilder, name: str, path: Sequence[int], ends: RouteEnds) -> None:
    """Add a second row of areas along a river, on the bank that a die or a decision gives.

    ``path`` has the areas of the first row. Where no area beside it is free the river stays narrow.
    """
    table = builder.table
    throws = builder.throws
    bank = throws.ask_word(f"{name} bank", ("left", "right"))
    reason = "as decided"
    if bank is None:
        options = {"the left one": LEFT_BANK, "the right one": other_scores(LEFT_BANK)}
        score = throws.d6(f"{name} bank die", options_text(options))
        bank = "right"
        if score in LEFT_BANK:
            bank = "left"
        reason = f"D6 = {score}"

    second_row = _second_row(builder, path, ends, bank)
    _join_second_row(builder, second_row, path, ends)

    if not second_row:
        words = f"Nowhere is room for a second area on the {bank} bank ({reason})"
        line = throws.say(f"{words}: {name} stays one area wide", *path)
        table.set_origin("water", path, line)
        return
    areas = counted(len(second_row), "area")
    words = f"The second row of {name} lies on the {bank} bank ({reason}), for {areas}"
    table.set_origin("water", second_row, throws.say(words, *second_row))


def _second_row(
    builder: TableBuilder, path: Sequence[int], ends: RouteEnds, bank: str
) -> list[int]:
    """Return the areas on one bank of a path that are free for water, in the order of the path.

    The idea: every free area on that bank is a candidate. Then those candidates are dropped that
    would not look like a part of the river: areas that only touch the path with a corner, and areas
    that no other area of the row touches.
    """
    table = builder.table
    grid = table.grid
    # The second row keeps away from other rivers, as both would look like one lake.
    other_areas = table.routes[RIVER].links.keys() - set(path)
    turn = 1  # clockwise from the direction in which the water flows: the right bank
    if bank == "left":
        turn = -1

    # Collect the candidates, each with the area of the path that it lies beside.
    area_beside: dict[int, int] = {}
    # ``coming`` and ``heading`` are the directions in which the path enters and leaves an area. It
    # enters its first area from outside the table.
    coming = grid.opposite(outward_side(grid, *ends.entry))
    for position, cell in enumerate(path):
        if cell == path[-1]:
            heading = outward_side(grid, *ends.exit)
        else:
            heading = side_towards(grid, cell, path[position + 1])
        for candidate in _on_bank(grid, cell, coming, heading, turn):
            touches_other_river = other_areas.intersection(grid.neighbours(candidate))
            if table.is_empty(candidate) and candidate not in path and not touches_other_river:
                area_beside.setdefault(candidate, cell)
        coming = heading

    # A square that touches the path with a corner stays only if the second row passes through it,
    # from one area of the row to another.
    for cell, path_cell in list(area_beside.items()):
        neighbours = grid.neighbours(cell)
        links_in_row = sum(neighbour in area_beside for neighbour in neighbours)
        if path_cell not in neighbours and links_in_row < 2:
            del area_beside[cell]

    # An area alone would be a pond beside the river.
    cells_in_rows = set[int]()
    for row in _rows(grid, area_beside):
        if len(row) > 1:
            cells_in_rows |= row
    return [cell for cell in area_beside if cell in cells_in_rows]


def _join_second_row(
    builder: TableBuilder, second_row: Sequence[int], path: Sequence[int], ends: RouteEnds
) -> None:
    """Link the areas of the second row with one another, and its ends with the edge or the path."""
    table = builder.table
    grid = table.grid
    river = table.routes[RIVER]

    for cell in second_row:
        for neighbour in grid.neighbours(cell):
            if neighbour in second_row:
                river.join(grid, (cell, neighbour))

    # Where the first row leaves the table, the area beside it leaves it by the same edge.
    for cell, edge in ends:
        for neighbour in grid.neighbours(cell):
            side = outward_side(grid, neighbour, edge)
            if neighbour in second_row and grid.neighbour(neighbour, side) < 0:
                river.add_exit(neighbour, side)

    # Where the second row ends inside the table, its water flows into the first row.
    for cell in second_row:
        path_neighbours = [neighbour for neighbour in grid.neighbours(cell) if neighbour in path]
        is_end = river.links[cell].bit_count() == 1
        if is_end and path_neighbours:
            river.join(grid, (cell, path_neighbours[-1]))


def _rows(grid: Grid, cells: Collection[int]) -> list[set[int]]:
    """Return the connected groups of some areas, each as a set."""
    # Each group is flooded from one of its areas that is not visited yet.
    unvisited = set(cells)
    rows = []
    while unvisited:
        front = {unvisited.pop()}
        row = set(front)
        while front:
            neighbours = set[int]()
            for cell in front:
                neighbours.update(grid.neighbours(cell))
            front = neighbours & unvisited
            unvisited -= front
            row |= front
        rows.append(row)
    return rows


def _on_bank(grid: Grid, cell: int, coming: int, going: int, turn: int) -> Iterator[int]:
    """Yield the areas beside one area of a path, to its left (``turn`` -1) or right (1).

    ``coming`` and ``going`` are the directions in which the path runs into the area and out of it;
    they are equal if it runs straight. At a bend away from the bank all areas around the outside of
    the bend are yielded, so that the second row has no gap::

        . ^ .        The path comes from the left and goes on upwards. Beside the area of the
        > * 2        bend (*) three areas are on the right bank (2): the one to its right, the
        . 2 2        one below, and the one at the corner between these.

    At a bend towards the bank the area that is yielded can be one of the path itself.
    """
    degree = grid.degree
    # By how many sides the path turns away from the bank: 0 if it runs straight. A turn towards the
    # bank is one of half the sides or more, because the remainder is never below 0.
    turned_sides = (coming - going) * turn % degree
    is_on_outside = turned_sides < degree / 2
    side_count = 1
    if is_on_outside:
        side_count = turned_sides + 1
    # The sides that face the bank, from the one beside the way out back to that beside the way in.
    sides = [(going + turn * (1 + step)) % degree for step in range(side_count)]
    for side in sides:
        neighbour = grid.neighbour(cell, side)
        if neighbour < 0:
            continue
        yield neighbour
        if degree == 4 and side != sides[0]:  # squares meet at corners as well
            corner = grid.neighbour(neighbour, sides[0])
            if corner >= 0:
                yield corner
