"""The terrain generator of the catalogue: seven parts of a page, a layer each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from randomizer.generator import Base, DrawKey, Generated, Generating
from randomizer.model.battlemap import Roll, System
from randomizer.model.grid import Grid
from randomizer.model.metadata import Metadata
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.setting import Setting
from randomizer.systems.cordery.areas import cell_name
from randomizer.systems.cordery.choices import KINDS, SETTINGS, Choices
from randomizer.systems.cordery.fields import lay_fields
from randomizer.systems.cordery.habitation import lay_habitation
from randomizer.systems.cordery.hills import lay_hills
from randomizer.systems.cordery.pieces import missing, parts_of, read_box
from randomizer.systems.cordery.railways import lay_railways
from randomizer.systems.cordery.roads import join_places, lay_roads
from randomizer.systems.cordery.system import MOST_AREAS_ALONG, SYSTEM, new_grid
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.table_layers import (
    layer_of_part,
    parts_of_locked,
    planes_now,
    planes_stood,
    table_of,
)
from randomizer.systems.cordery.table_words import Planes
from randomizer.systems.cordery.throws import Throws
from randomizer.systems.cordery.trees import lay_trees
from randomizer.systems.cordery.water import lay_water

NAME = "Cordery"
STEPS = 20
"""About as many steps are reported while a table is laid."""


class CorderyGenerator:
    """Cordery's dice tables on the grid of the map they are thrown for."""

    name = NAME
    text = ""
    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    metadata = Metadata(
        NAME,
        "",
        "A wargamer's table by the throw of dice: hills, rivers, roads, trees, houses, fields. "
        "After Bob Cordery's terrain generator, version 2.",
    )

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """A new table. Raises ProblemError for a size that cannot be."""
        choices = Choices.of(settings)
        usual = "8x8" if choices.grid == "square" else "9x8"
        found = re.fullmatch(r"(\d{1,2})\s*[x×]\s*(\d{1,2})", choices.size.strip() or usual)
        width, height = (int(length) for length in found.groups()) if found else (0, 0)
        if not (1 <= width <= MOST_AREAS_ALONG and 1 <= height <= MOST_AREAS_ALONG):
            words = f"columns x rows, each from 1 to {MOST_AREAS_ALONG}, like {usual}"
            raise error("table-size", f"the size of a table is {words}, not {choices.size}")
        return new_grid(choices.grid, width, height)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Lay a table out; a layer for each part of the page that put something there.

        What lies below and what is locked is on the table before the first die: the dice go round
        it, and hills, lakes, trees ... that are there count. Raises ProblemError for a decision or
        a die that cannot be.
        """
        choices = Choices.of(settings)
        laying = start_table(choices, key, base)
        before: Planes = base.composite.planes
        stood: list[tuple[str, Planes, Planes]] = []
        done = 0
        for kind, steps in page(laying):
            for _step in steps:
                done += 1
                yield min(99, done * 100 // STEPS)
            after = planes_now(laying, base)
            stood.append((kind, before, after))
            before = after
        origins = tuple(map(str, laying.throws.log))
        roll = partial(
            Roll, NAME, "Cordery's dice", "", dict(settings), key.seed, key.number, origins
        )
        held = parts_of_locked(base, [kind for kind, _before, _after in stood])
        layers = tuple(
            layer_of_part(laying.table, kind, before, after, held[kind], roll(part=kind))
            for kind, before, after in stood
        )
        for layer in layers:
            layer.planes.update(planes_stood(base))
        notes = laying.table.problems
        if choices.first == KINDS[0]:  # else what the parts before asked for is not known
            notes = [*notes, *_unused(laying.throws)]
        lacks = missing(parts_of(base.grid, before), laying.box)
        notes += [_warning("not-in-box", f"the box lacks {lacks[what]} x {what}") for what in lacks]
        yield 100
        return Generated(layers, key.number, log=origins, notes=tuple(notes))


def start_table(choices: Choices, key: DrawKey, base: Base) -> Laying:
    """The table as it stands, and the dice of one map."""
    table = table_of(base)
    throws = Throws(
        key.seed,
        key.number,
        choices.decisions(),
        choices.anew(),
        typed=choices.dice == "typed",
    )
    return Laying(table, throws, choices, partial(cell_name, base.grid), read_box(choices.box))


def page(laying: Laying) -> Iterator[tuple[str, Iterator[str]]]:
    """The parts of the page in their order, each with its steps; they are laid by iterating."""
    choices, throws = laying.choices, laying.throws
    parts: dict[str, tuple[bool, Callable[[Laying], Iterator[str]]]] = {
        "hills": (choices.hills, lay_hills),
        "water": (True, lay_water),
        "roads": (True, lay_roads),
        "trees": (choices.trees, lay_trees),
        "habitation": (choices.habitation, _lay_and_join),
        "railways": (choices.railways > 0, lay_railways),
        "fields": (choices.fields, lay_fields),
    }
    for number in range(KINDS.index(choices.first), len(KINDS)):
        kind = KINDS[number]
        wanted, lay = parts[kind]
        throws.begin_kind(number + 1, kind)
        yield kind, lay(laying) if wanted else iter(())


def _lay_and_join(laying: Laying) -> Iterator[str]:
    yield from lay_habitation(laying)
    if laying.choices.join:
        yield from join_places(laying)


def _warning(code: str, message: str) -> Problem:
    return Problem(Severity.WARNING, code, message)


def _unused(throws: Throws) -> list[Problem]:
    """Decisions that nothing on this table asked for."""
    return [
        _warning("decision-unused", f"nothing asked for {name}: it was left aside")
        for name in throws.unused()
    ]


def packaged() -> tuple[CorderyGenerator, ...]:
    """The one generator of the page."""
    return (CorderyGenerator(),)
