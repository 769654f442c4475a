"""The second row of areas of a river that is two areas wide: step 2.2 of Cordery's page.

``water`` calls ``widen`` with the path of such a river. A second row of areas is laid beside the
path, on one bank::

    . . . . . .
    1 1 1 . . .        1  the path, from the left edge to the right one
    2 2 1 1 1 1        2  the second row, on the right bank
    . 2 2 2 2 2

A direction is the number of the side to which it points; the sides of an area are numbered
clockwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import LEFT_BANK
from randomizer.systems.cordery.parts.routes import RouteEnds
from randomizer.systems.cordery.table.counting_order import outward_side, side_towards
from randomizer.systems.cordery.table.features import RIVER
from randomizer.systems.cordery.table.table_builder import TableBuilder


def widen(builder: TableBuilder, name: str, path: Sequence[int], ends: RouteEnds) -> None:
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
    would not look like a part of the river.
    """
    grid = builder.table.grid
    path_area_beside = _bank_candidates(builder, path, ends, bank)
    _drop_corner_areas(grid, path_area_beside)

    # An area alone would be a pond beside the river.
    cells_in_rows = set[int]()
    for row in _rows(grid, path_area_beside):
        if len(row) > 1:
            cells_in_rows |= row
    return [cell for cell in path_area_beside if cell in cells_in_rows]


def _bank_candidates(
    builder: TableBuilder, path: Sequence[int], ends: RouteEnds, bank: str
) -> dict[int, int]:
    """Return the areas on a bank that hold nothing, each with the path's area that it is beside."""
    table = builder.table
    grid = table.grid
    # The second row keeps away from other rivers, as both would look like one lake.
    areas_of_other_rivers = table.routes[RIVER].links.keys() - set(path)
    # The direction of the bank, as steps from side to side: clockwise of the flow it is the right.
    bank_sign = 1
    if bank == "left":
        bank_sign = -1

    path_area_beside: dict[int, int] = {}
    entry_side, exit_side = ends.outward_sides(grid)
    # The directions in which the path runs into an area and out of it. It runs into its first area
    # from outside the table.
    direction_in = grid.opposite(entry_side)
    for position, cell in enumerate(path):
        if cell == path[-1]:
            direction_out = exit_side
        else:
            direction_out = side_towards(grid, cell, path[position + 1])
        for candidate in _on_bank(grid, cell, direction_in, direction_out, bank_sign):
            touches_other_river = areas_of_other_rivers.intersection(grid.neighbours(candidate))
            if table.is_empty(candidate) and candidate not in path and not touches_other_river:
                path_area_beside.setdefault(candidate, cell)
        direction_in = direction_out
    return path_area_beside


def _drop_corner_areas(grid: Grid, path_area_beside: dict[int, int]) -> None:
    """Drop squares that touch the path with a corner only and lead nowhere.

    Such a square stays if the second row passes through it, from one area of the row to another: in
    the bend of ``_on_bank`` it is the one in the corner.
    """
    for cell, path_cell in list(path_area_beside.items()):
        neighbours = grid.neighbours(cell)
        links_in_row = sum(neighbour in path_area_beside for neighbour in neighbours)
        if path_cell not in neighbours and links_in_row < 2:
            del path_area_beside[cell]


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
    for point in ends:
        for neighbour in grid.neighbours(point.cell):
            side = outward_side(grid, neighbour, point.edge)
            leads_outside = grid.neighbour(neighbour, side) < 0
            if neighbour in second_row and leads_outside:
                river.add_exit(neighbour, side)

    # Where the second row ends inside the table, its water flows into the first row: into the area
    # of it that comes last in the order of the sides, so that a seed always gives the same.
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


def _on_bank(
    grid: Grid, cell: int, direction_in: int, direction_out: int, bank_sign: int
) -> Iterator[int]:
    """Yield the areas beside one area of a path, to its left (``bank_sign`` -1) or right (1).

    ``direction_in`` and ``direction_out`` are those in which the path runs into the area and out of
    it; they are equal if it runs straight. At a bend away from the bank all areas around the
    outside of the bend are yielded, so that the second row has no gap::

        . ^ .        The path comes from the left and goes on upwards. Beside the area of the
        > * 2        bend (*) three areas are on the right bank (2): the one to its right, the
        . 2 2        one below, and the one at the corner between these.

    At a bend towards the bank the area that is yielded can be one of the path itself.
    """
    degree = grid.degree
    # By how many sides the path turns away from the bank: 0 if it runs straight. A turn towards the
    # bank is one of half the sides or more, because the remainder is never below 0.
    turned_sides = (direction_in - direction_out) * bank_sign % degree
    is_on_outside = turned_sides < degree / 2
    side_count = 1
    if is_on_outside:
        side_count = turned_sides + 1
    # The sides that face the bank, from the one beside the way out back to that beside the way in.
    sides = [(direction_out + bank_sign * (1 + step)) % degree for step in range(side_count)]
    for side in sides:
        neighbour = grid.neighbour(cell, side)
        if neighbour < 0:
            continue
        yield neighbour
        if degree == 4 and side != sides[0]:  # squares meet at corners as well
            corner = grid.neighbour(neighbour, sides[0])
            if corner >= 0:
                yield corner
