"""Tables laid for tests: any grid, any choices, any part of the page alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from randomizer.generator import Base, DrawKey
from randomizer.model.battlemap import BattleMap, Layer
from randomizer.systems.cordery.areas import cell_of_name
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.generator import page, start_table
from randomizer.systems.cordery.system import SYSTEM, new_grid
from randomizer.systems.cordery.table_builder import Laying


def base_of(kind: str = "square", width: int = 8, height: int = 8) -> Base:
    """A bare table."""
    return Base.under(BattleMap.new(SYSTEM, new_grid(kind, width, height), [Layer(1, "Table")]), 1)


def started(base: Base | None = None, seed: int = 1, number: int = 0, **chosen: Any) -> Laying:
    """Dice and a bare table; ``fixed`` may be a dictionary."""
    fixed = chosen.get("fixed")
    if isinstance(fixed, dict):
        chosen["fixed"] = "\n".join(f"{name} = {value}" for name, value in fixed.items())
    return start_table(Choices.of(chosen), DrawKey(seed, number), base or base_of())


def laid(base: Base | None = None, seed: int = 1, number: int = 0, **chosen: Any) -> Laying:
    """The whole page."""
    laying = started(base, seed, number, **chosen)
    for _kind, steps in page(laying):
        for _step in steps:
            pass
    return laying


Part = Callable[[Laying], Iterator[str]]


def lay(part: Part, laying: Laying, kind: int = 1) -> Laying:
    """One part of the page."""
    laying.throws.begin_kind(kind, part.__name__.removeprefix("lay_"))
    for _step in part(laying):
        pass
    return laying


def area(laying: Laying, name: str) -> int:
    """The area called ``name``."""
    cell = cell_of_name(laying.table.grid, name)
    assert cell is not None
    return cell


def names(laying: Laying, cells: Any) -> list[str]:
    """What areas are called, in order."""
    return [laying.name(cell) for cell in cells]
