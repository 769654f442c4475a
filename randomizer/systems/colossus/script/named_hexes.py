"""The hexes that a place of a script refers to, for showing them on the map while editing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from randomizer.languages.language import NamedCells
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.script.list_bounds import Known, statements_with_bounds
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
    """Every list of a script, and every part of one, with the grid cells it can hold.

    The rest of a statement refers to its whole list. Statements that do not parse are left out.
    """
    found: list[NamedCells] = []
    for statement, known in statements_with_bounds(parse(text).script, frozenset()):
        if isinstance(statement, Area | Label | StartList):
            found.append(_named(statement.span, statement.items, known))
            found += _parts(statement.items, known)
    return tuple(found)


def _named(span: Span, items: Iterable[Item], known: Known) -> NamedCells:
    cells = frozenset(CELL_OF_HEX[number] for number in known.of(items).can)
    return NamedCells(span.line, span.column, span.end_line, span.end_column, cells)


def _parts(items: Iterable[Item], known: Known) -> Iterator[NamedCells]:
    for item in items:
        yield _named(item.span, [item], known)
        if isinstance(item, SomeOf | SurroundingsOf):
            yield from _parts(item.items, known)
        elif isinstance(item, Subtract):
            yield from _parts((*item.items, *item.without), known)
