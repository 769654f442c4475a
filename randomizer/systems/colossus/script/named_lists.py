"""The cells that the lists of a script can hold, which the editor marks on the map.

named_hexes("AREA SOMEOF(2,D4 D3 D2) HAZARDS Bog")[0].cells     # those of D4, D3 and D2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from randomizer.languages.language import NamedCells
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.script.list_bounds import (
    Bounds,
    LabelBounds,
    statements_with_bounds,
)
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script.syntax import (
    Area,
    Item,
    Label,
    SomeOf,
    Span,
    StartList,
    Subtract,
    SurroundingsOf,
)


def named_hexes(text: str) -> tuple[NamedCells, ...]:
    """Return every list of a script, and every item of a list, with the grid cells it can hold.

    A whole list stands for its whole statement, so that the cursor on LABEL or HAZARDS shows it.
    Statements that do not parse are left out.
    """
    result: list[NamedCells] = []
    # What a broken statement sets counts as empty here: the editor marks no cells that are not
    # written. (The linter, which must not warn wrongly, takes it for anything.)
    all_statements = statements_with_bounds(parse(text).script, broken=frozenset())
    for index, (statement, label_bounds) in enumerate(all_statements):
        if isinstance(statement, Area | Label | StartList):
            bounds = label_bounds.of_list(statement.items)
            result.append(_named_cells(statement.span, bounds)._replace(statement=index))
            result += _named_items(statement.items, label_bounds)
    return tuple(result)


def _named_cells(span: Span, bounds: Bounds) -> NamedCells:
    """Return the cells that a list can hold, with its place in the text."""
    cells = frozenset(CELL_OF_HEX[number] for number in bounds.largest_counts)
    return NamedCells(span.line, span.column, span.end_line, span.end_column, cells)


def _named_items(items: Iterable[Item], label_bounds: LabelBounds) -> Iterator[NamedCells]:
    """Yield the cells of the items of a list, each item before those in its parentheses."""
    for item in items:
        yield _named_cells(item.span, label_bounds.of_list([item]))
        if isinstance(item, SomeOf | SurroundingsOf):
            yield from _named_items(item.items, label_bounds)
        elif isinstance(item, Subtract):
            yield from _named_items((*item.items, *item.without), label_bounds)
