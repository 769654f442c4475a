"""The map that each slot of a game's group gets: how it is chosen, remembered and made.

The window of a whole group uses this in three steps. ``scripts_for`` lists what can be chosen for
a slot, a ``Choice`` is what was chosen, and ``make_maps`` makes the maps of all choices, as the
work of a job::

    scripts = scripts_for(slot, system, files)
    choices = {slot.name: Choice(scripts[0].source, seed=7, number=1)}
    results = make_maps(system, choices, progress, cancelled)

A *source* is a text that tells where a map comes from. The lists of the window hold it and the
settings store it:

    ""                       the slot keeps the map that it has in the game
    "catalogue:hills"        a script of the program, by the name of its generator
    "file:/maps/hills.rnd"   a script or a map of the user's, by its path
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from app.document.map_files import new_map, read_map
from app.scripts.script import Script, script_of_file, script_of_generator
from randomizer.catalog.file_kinds import is_script
from randomizer.catalog.generators import generator_named, listed_generators
from randomizer.formats.results import ReadResult
from randomizer.games.slots import MapSlot
from randomizer.generator_run import run as run_generator
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LONGEST_TEXT
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError, error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import put_roll
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.storage.records.codec import plain
from randomizer.storage.records.codec import read as read_record

CATALOGUE = "catalogue:"
"""Stands in a source before the name of a generator of the catalogue."""

FILE = "file:"
"""Stands in a source before the path of a script or of a map."""

NOTE_OF_FILES = " (file)"
"""Follows the name of a script in a list if it is a file and not of the catalogue."""

Progress = Callable[[int], None]
"""Is called with the percentage that is done, from 1 to 100."""

Cancelled = Callable[[], bool]
"""Returns whether the job was cancelled."""


class Fit(IntEnum):
    """How well a script fits a slot by its name; the larger the better."""

    NONE = 0

    ONE_WORD = 1
    """Its name is one word of the slot's name: Hills for Dry Hills."""

    SAME_NAME = 2
    """It has the name of the slot."""


class Choice(NamedTuple):
    """The choice for a slot: the source of its map, and the roll if that is a script."""

    source: str = ""
    """The source of the map; "" if the slot keeps the map that it has in the game."""

    seed: int = 0
    """The seed of the roll, if the source is a script."""

    number: int = 0
    """The number of the roll among those of the seed, if the source is a script."""

    locked: bool = False
    """True if this roll stays when all slots are rolled again."""

    @property
    def is_rolled(self) -> bool:
        """True if a script makes the map, so that another seed or number gives another map."""
        path = self.source.removeprefix(FILE)
        return self.source.startswith(CATALOGUE) or is_script(path)


class OfferedSource(NamedTuple):
    """A source that can be chosen for a slot, as a list shows it."""

    title: str

    source: str
    """As in ``Choice``, or one that only lists have (rows.py)."""


# --- choosing -----------------------------------------------------------------------------------


def scripts_for(slot: MapSlot, system: System, files: tuple[Path, ...]) -> list[OfferedSource]:
    """Return all scripts for a slot: those of the catalogue and ``files``, the best fit first.

    Scripts that fit equally well stay in the order of the catalogue.
    """
    scripts = [
        OfferedSource(generator.metadata.name, CATALOGUE + generator.name)
        for generator in listed_generators(system)
    ]
    scripts += [OfferedSource(path.stem + NOTE_OF_FILES, FILE + str(path)) for path in files]
    return sorted(scripts, key=lambda script: _fit(slot, script), reverse=True)


def fitting_source(slot: MapSlot, scripts: list[OfferedSource]) -> str:
    """Return the source of the first script, or "" if its name does not fit the slot.

    ``scripts`` is the result of ``scripts_for``. The slot Hills is rolled by the script Hills until
    something else is chosen for it.
    """
    if scripts and _fit(slot, scripts[0]) > Fit.NONE:
        return scripts[0].source
    return ""


def _fit(slot: MapSlot, script: OfferedSource) -> Fit:
    """Return how well a script fits a slot."""
    script_name = script.title.removesuffix(NOTE_OF_FILES).casefold()
    slot_names = (slot.name.casefold(), slot.shown_name.casefold())
    if script_name in slot_names:
        return Fit.SAME_NAME
    for slot_name in slot_names:
        words = slot_name.replace("_", " ").split()
        if script_name in words:
            return Fit.ONE_WORD
    return Fit.NONE


# --- remembering --------------------------------------------------------------------------------


def text_of_choices(choices: Mapping[str, Choice]) -> str:
    """Return the choices by slot as a text for the settings."""
    return json.dumps(plain(choices))


def choices_of_text(text: str) -> dict[str, Choice]:
    """Return the choices of a text that ``text_of_choices`` made, by slot.

    Damaged choices are left out: the settings are a file that anybody can edit.
    """
    if not text:  # nothing was stored yet
        return {}
    try:
        record = parse_json(text.encode("utf-8", "replace"), largest=LONGEST_TEXT)
    except ValueError:
        return {}
    if not isinstance(record, dict):
        return {}
    choices = {}
    for slot, fields in record.items():
        with suppress(ValueError, ProblemError):  # then this choice is damaged
            choice = read_record(Choice, fields, slot)
            DrawKey(choice.seed, choice.number).checked()
            choices[slot] = choice
    return choices


# --- making the maps ----------------------------------------------------------------------------


def make_maps(
    system: System, choices: Mapping[str, Choice], progress: Progress, cancelled: Cancelled
) -> dict[str, ReadResult]:
    """Roll or read the maps of several slots; ``progress`` is called with 1 .. 100.

    Where no map can be made, the problems of that slot's result say why. After a cancellation the
    slots that were not reached are missing.
    """
    results: dict[str, ReadResult] = {}
    for slot, choice in choices.items():
        try:
            results[slot] = _make_map(system, choice, cancelled)
        except ProblemError as reason:
            results[slot] = ReadResult(None, reason.problems)
        if cancelled():
            break
        # Jobs report 1 to 100, and the first of many slots is less than one percent.
        progress(max(1, len(results) * 100 // len(choices)))
    return results


def _make_map(system: System, choice: Choice, cancelled: Cancelled) -> ReadResult:
    """Return the result of rolling or reading the map of a choice.

    It has no map if the job was cancelled. Raises ProblemError if there can be none.
    """
    if choice.is_rolled:
        script = _script_of(choice.source)
        key = DrawKey(choice.seed, choice.number)
        return _roll(system, script, key, cancelled)
    return _read(system, Path(choice.source.removeprefix(FILE)))


def _read(system: System, path: Path) -> ReadResult:
    """Read a map of this system from a file. Raises ProblemError for one of another system."""
    result = read_map(path)
    if result.battlemap is not None and result.battlemap.system is not system:
        title = result.battlemap.system.title
        raise error(
            "other-system", f"this is {with_article(title)}, not {with_article(system.title)}"
        )
    return result


def _roll(system: System, script: Script, key: DrawKey, cancelled: Cancelled) -> ReadResult:
    """Return the result of rolling a script on an empty map of the usual size.

    It has no map if the job was cancelled. Raises ProblemError if the roll fails.
    """
    battlemap = new_map(system)
    generator = script.generator(script.text, script.settings)
    base = Base.under(battlemap, len(battlemap.layers))  # all of the map is below the roll
    generated = run_generator(generator, script.settings, key, base, cancelled=cancelled)
    if generated is None:  # cancelled
        return ReadResult(None)
    top_layer = battlemap.layers[-1]
    step = put_roll(battlemap, top_layer.id, generated, replaces=False)
    step.edit.apply(battlemap)
    return ReadResult(battlemap, generated.notes)


def _script_of(source: str) -> Script:
    """Return the script of a source that is rolled. Raises ProblemError if there is none."""
    if not source.startswith(CATALOGUE):
        return script_of_file(Path(source.removeprefix(FILE)))
    name = source.removeprefix(CATALOGUE)
    generator = generator_named(name)
    if generator is None:
        raise error("no-script", f"the catalogue has no script {name}")
    return script_of_generator(generator)
