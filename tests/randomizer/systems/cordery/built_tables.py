"""Tables built for tests: any grid, any choices, any part of the page alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.generator import page, start_table
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.cordery.table.table_builder import TableBuilder


def base_of(kind: str = "square", width: int = 8, height: int = 8) -> Base:
    """A bare table."""
    return Base.under(
        BattleMap.new(SYSTEM, table_grid(kind, width, height), [Layer(1, "Table")]), 1
    )


def started(
    base: Base | None = None, seed: int = 1, number: int = 0, **chosen: Any
) -> TableBuilder:
    """A table before the first die; ``fixed`` can be a dictionary."""
    fixed = chosen.get("fixed")
    if isinstance(fixed, dict):
        chosen["fixed"] = "\n".join(f"{name} = {value}" for name, value in fixed.items())
    return start_table(Choices.of(chosen), DrawKey(seed, number), base or base_of())


def built(base: Base | None = None, seed: int = 1, number: int = 0, **chosen: Any) -> TableBuilder:
    """A table after the whole page."""
    builder = started(base, seed, number, **chosen)
    for _part, steps in page(builder):
        for _step in steps:
            pass
    return builder


Part = Callable[[TableBuilder], Iterator[str]]


def add_part(part: Part, builder: TableBuilder, kind: int = 1) -> TableBuilder:
    """Run one part of the page."""
    builder.throws.begin_part(kind, part.__name__.removeprefix("add_"))
    for _step in part(builder):
        pass
    return builder


def area(builder: TableBuilder, name: str) -> int:
    """The area called ``name``."""
    cell = SYSTEM.cell_of_name(builder.table.grid, name)
    assert cell is not None
    return cell


def names(builder: TableBuilder, cells: Any) -> list[str]:
    """What areas are called, in order."""
    return [builder.name_of(cell) for cell in cells]
