"""The generator of the catalogue: the seven parts of Cordery's page, one layer each.

The *page* is Bob Cordery's terrain generator: steps by which a wargamer lays out a table with dice,
in seven parts from hills to fields. A person can *decide* a thing in place of its die.

``CorderyGenerator.generate`` starts a table, goes through the steps of ``page``, and makes the
changes of each part a layer. The parts are in the modules of ``parts``; each is a generator that
builds its features on the table while it is iterated over, and yields the number of each step that
is done. ``dice_log`` goes through the same page to explain the dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from randomizer.generator import Generating, MapGenerator
from randomizer.model.basics.log_line import LOG, LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.cordery.choices import SETTINGS, TYPED, Choices, settings_without_dice
from randomizer.systems.cordery.dice.decisions import closest_name, list_names, names_of_page
from randomizer.systems.cordery.dice.dice_names import is_die, question_of, subject_of_die
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.entered_dice import (
    RECORD,
    EnteredDice,
    count_entered_dice,
    read_entered_dice,
)
from randomizer.systems.cordery.page_parts import PARTS, part_of_die
from randomizer.systems.cordery.parts.habitation import add_habitation
from randomizer.systems.cordery.parts.hills import add_hills
from randomizer.systems.cordery.parts.roads import add_railways, add_roads, join_villages
from randomizer.systems.cordery.parts.vegetation import add_fields, add_trees
from randomizer.systems.cordery.parts.water import add_water
from randomizer.systems.cordery.system import MAX_AREAS_ALONG, SYSTEM, table_grid
from randomizer.systems.cordery.table.pieces import count_pieces, missing_pieces, read_box
from randomizer.systems.cordery.table.previous_areas import read_previous_areas
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_words import Planes
from randomizer.systems.cordery.table_layers import (
    initial_table,
    layer_of_part,
    locked_values_by_part,
    planes_of_table,
    recorded_locks,
)

NAME = "Cordery"

APPROXIMATE_STEPS = 20
"""The number of steps by which ``generate`` works out the percentage done.

The choices make it a few more or less: the progress stops at 99 until the table is complete.
"""


class _BuiltPart(NamedTuple):
    """A part of the page that is built, with the table before and after it."""

    name: str

    old_planes: Planes

    new_planes: Planes


class CorderyGenerator(MapGenerator):
    """Cordery's dice tables on the grid of a map."""

    name = NAME
    text = ""  # no script: the generator is part of the program
    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    metadata = Metadata(
        NAME,
        "",
        "A wargamer's table by the throw of dice: hills, rivers, roads, trees, houses, fields. "
        "After Bob Cordery's terrain generator, version 2.",
    )

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new table. Raises ProblemError for an invalid size."""
        choices = Choices.of(settings)
        usual_size = "9x8"
        if choices.grid == "square":
            usual_size = "8x8"
        match = re.fullmatch(r"(\d{1,2})\s*[x×]\s*(\d{1,2})", choices.size.strip() or usual_size)
        if match:
            width = int(match[1])
            height = int(match[2])
            if 1 <= width <= MAX_AREAS_ALONG and 1 <= height <= MAX_AREAS_ALONG:
                return table_grid(choices.grid, width, height)
        words = f"columns x rows, each from 1 to {MAX_AREAS_ALONG}, like {usual_size}"
        raise error("table-size", f"the size of a table is {words}, not {choices.size}")

    def records_of_unrolled_map(self, settings: Mapping[str, object]) -> Mapping[str, MapRecord]:
        """Return an empty record of entered dice, if a person enters all dice of the table.

        {} otherwise: the program rolls the table at once.
        """
        if settings.get("dice") != "typed" or settings.get("fixed"):
            return {}
        return {RECORD: EnteredDice(choices=settings).as_record()}

    def describe_unrolled_map(self, records: Mapping[str, MapRecord]) -> str:
        """Return the number of dice that were entered for a table that is not laid; "" for none."""
        if not count_entered_dice(records):
            return ""
        return f"{read_entered_dice(records[RECORD]).progress} dice entered"

    def settings_of_others(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings without dice that were entered or fixed: the program throws them."""
        others = settings_without_dice(settings)
        if others.get("dice") == TYPED:
            others["dice"] = "thrown"
        return others

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Build a table, as one layer for each part of the page; yield the percentage done.

        What the layers below show and what is locked is on the table before the first die: new
        features avoid these areas, and hills, lakes, trees ... there count towards the numbers that
        the dice give. Raises ProblemError for an invalid decision or die.
        """
        choices = Choices.of(settings)
        builder = start_table(choices, key, base)

        # Build the table part by part.
        parts: list[_BuiltPart] = []
        planes: Planes = base.composite.planes
        steps_done = 0
        for name, steps in page(builder):
            for _step in steps:
                steps_done += 1
                yield min(99, steps_done * 100 // APPROXIMATE_STEPS)
            old_planes = planes
            planes = planes_of_table(builder, base)
            parts.append(_BuiltPart(name, old_planes, planes))
        if choices.asks_for_names:
            # Asking for the names is answered by an error, which lists them. Which names there are
            # depends on the table, so that they are known only now.
            names = list_names(names_of_page(builder.throws.values_by_name))
            words = f"on this table it takes (N: a number, AREA: like 0304){names}"
            raise error("fixed-names", f"fixed is name = value, parted by semicolons; {words}")

        # The layer of each part has what the part changed on the table.
        log_lines = tuple(str(line) for line in builder.throws.log)
        roll = Roll(
            generator=NAME,
            script_name="Cordery's dice",
            script="",
            settings=dict(settings),
            seed=key.seed,
            number=key.number,
            origins=log_lines,
        )
        locked_values = locked_values_by_part(base, [part.name for part in parts])
        layers = []
        for part in parts:
            layer = layer_of_part(
                builder.table,
                part.name,
                old_planes=part.old_planes,
                new_planes=part.new_planes,
                locked_values=locked_values[part.name],
                roll=replace(roll, part=part.name),
            )
            layer.planes.update(recorded_locks(base))
            layers.append(layer)

        yield 100
        return Generated(
            tuple(layers),
            key.number,
            log=tuple(LogLine(LOG, line) for line in log_lines),
            notes=tuple(_notes(builder, planes)),
        )


def start_table(choices: Choices, key: DrawKey, base: Base) -> TableBuilder:
    """Return the builder of a table before its first die, with the dice of map ``key``."""
    table = initial_table(base)
    throws = Throws(
        key.seed,
        key.number,
        choices.decisions(),
        choices.repeats(),
        typed=choices.dice == "typed",
        program_dice=choices.names_of_program_dice,
    )
    name_of = partial(SYSTEM.cell_name, base.grid)
    return TableBuilder(
        table=table,
        throws=throws,
        choices=choices,
        name_of=name_of,
        box=read_box(choices.box),
        previous_areas=read_previous_areas(choices.previous_areas, base.grid, name_of),
    )


class _Part(NamedTuple):
    """A part of the page."""

    is_included: bool
    """False if the choices leave it out."""

    steps: Callable[[TableBuilder], Iterator[str]]
    """Builds the part while it is iterated over, and yields the number of each step done."""


def page(builder: TableBuilder) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the name of each part of the page from ``choices.first`` on, in order, with its steps.

    Iterating over the steps builds the table, so that they must be used up before the next part is
    asked for.
    """
    choices = builder.choices
    throws = builder.throws
    parts = {
        "hills": _Part(choices.hills, add_hills),
        # Always included: without rivers there may be lakes, and without roads of the dice those
        # that were drawn by hand get their crossings.
        "water": _Part(True, add_water),
        "roads": _Part(True, add_roads),
        "trees": _Part(choices.trees, add_trees),
        "habitation": _Part(choices.habitation, _add_and_join),
        "railways": _Part(choices.railways > 0, add_railways),
        "fields": _Part(choices.fields, add_fields),
    }
    for index in range(PARTS.index(choices.first), len(PARTS)):
        name = PARTS[index]
        part = parts[name]
        throws.begin_part(index + 1, name)  # the page numbers its parts from 1
        if part.is_included:
            yield name, part.steps(builder)
        else:
            yield name, iter(())  # no steps; its layer has only locked values


def _add_and_join(builder: TableBuilder) -> Iterator[str]:
    """Add inhabited places, and join them to roads: the steps of part 5, and 3.4.

    Step 3.4 is in part 3 of the page, but needs the places.
    """
    yield from add_habitation(builder)
    if builder.choices.join:
        yield from join_villages(builder)


def _notes(builder: TableBuilder, planes: Planes) -> list[Problem]:
    """Return the warnings of a finished table, whose planes are ``planes``.

    These are the warnings of its parts, decisions that were not used, and pieces that the box
    lacks.
    """
    notes = list(builder.table.problems)
    # When only later parts are thrown again, the decisions that earlier ones used are unknown.
    if builder.choices.first == PARTS[0]:
        notes += _unused(builder.throws)
    missing_counts = missing_pieces(count_pieces(builder.table.grid, planes), builder.box)
    for piece, count in missing_counts.items():
        notes.append(_warning("not-in-box", f"the box lacks {count} x {piece}"))
    return notes


def _warning(code: str, message: str) -> Problem:
    """Return a warning of the whole table."""
    return Problem(Severity.WARNING, code, message)


def _unused(throws: Throws) -> list[Problem]:
    """Return warnings of decisions and entered dice that nothing on this table used.

    Names that the page knows are those of dice of features that this table lacks: they share one
    warning. All other names are mistakes: each has a warning, with the name that was probably
    meant.
    """
    notes = []
    dice_without_feature = []
    for name in throws.unused():
        if _is_known_die(name):
            dice_without_feature.append(name)
            continue
        message = f"nothing asked for {name}: it was left aside"
        similar_name = closest_name(throws.values_by_name, name)
        if similar_name:
            message = f"{message}; did you mean {similar_name}?"
        notes.append(_warning("decision-unused", message))

    count = len(dice_without_feature)
    if count == 1:
        subject = subject_of_die(dice_without_feature[0])
        message = f"this table throws no dice for {subject}: those that are fixed were left aside"
        notes.append(_warning("decision-unused", message))
    elif count > 1:
        examples = ", ".join(map(subject_of_die, dice_without_feature[:2]))
        if count > 2:
            examples = f"{examples} ..."
        message = f"this table has no use for {count} of the fixed dice ({examples})"
        notes.append(_warning("decision-unused", message))
    return notes


def _is_known_die(name: str) -> bool:
    """Return whether some table has a die of this name: "hill 7 row", but not "hillock 7 row"."""
    return is_die(name) and part_of_die(name) != "" and question_of(name) != ""


def packaged() -> tuple[CorderyGenerator, ...]:
    """Return the packaged generators: this one."""
    return (CorderyGenerator(),)
