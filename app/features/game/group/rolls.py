"""What each slot of a group gets: which script, seed and number, or which file. No widgets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from app.document.map_files import new_map, read_map
from app.scripts.script import Script, script_of_file, script_of_generator
from randomizer.catalog.catalog import (
    generator_named,
    listed_generators,
)
from randomizer.catalog.file_kinds import is_script
from randomizer.formats import ReadResult
from randomizer.games import MapSlot
from randomizer.generator import Base, DrawKey, run
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LONGEST_TEXT
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError, error
from randomizer.model.rolls.put_roll import put_roll
from randomizer.model.system.system import System
from randomizer.storage.records.codec import plain, read

CATALOGUE = "catalogue:"
FILE = "file:"

Progress = Callable[[int], None]
Cancelled = Callable[[], bool]


class Choice(NamedTuple):
    """The choice for a slot; ``source`` is a script of the catalogue or a file, "" for nothing new.

    ``locked``: the roll is kept when all are rolled again.
    """

    source: str = ""
    seed: int = 0
    number: int = 0
    locked: bool = False

    @property
    def rolled(self) -> bool:
        """True if seed and number say which map it is."""
        return self.source.startswith(CATALOGUE) or is_script(self.source)


# --- choosing -----------------------------------------------------------------------------------


def scripts_for(slot: MapSlot, system: System, files: tuple[Path, ...]) -> list[tuple[str, str]]:
    """Return (title, source) of every script for a slot, those that fit its name first."""
    choices = [
        (generator.metadata.name, CATALOGUE + generator.name)
        for generator in listed_generators(system)
    ]
    choices += [(f"{path.stem} (file)", FILE + str(path)) for path in files]
    return sorted(choices, key=lambda choice: -_fit(slot, choice[0].removesuffix(" (file)")))


def usual_source(slot: MapSlot, scripts: list[tuple[str, str]]) -> str:
    """Return the first of ``scripts_for`` if its name fits at all.

    A slot Hills is rolled as Hills.
    """
    if scripts and _fit(slot, scripts[0][0].removesuffix(" (file)")):
        return scripts[0][1]
    return ""


def _fit(slot: MapSlot, script: str) -> int:
    """2 for the slot's own name, 1 for a word of it (Dry Hills), else 0."""
    names = (slot.name.casefold(), slot.shown_name.casefold())
    if script.casefold() in names:
        return 2
    return int(any(script.casefold() in name.replace("_", " ").split() for name in names))


def as_text(choices: Mapping[str, Choice]) -> str:
    """Return choices by slot, to be remembered, as text."""
    return json.dumps(plain(choices))


def of_text(text: str) -> dict[str, Choice]:
    """Return what ``as_text`` gave; what is damaged is not remembered."""
    try:
        record = parse_json(text.encode("utf-8", "replace") or b"{}", largest=LONGEST_TEXT)
    except ValueError:
        return {}
    choices = {}
    for slot, fields in record.items() if isinstance(record, dict) else ():
        with suppress(ValueError, ProblemError):
            choice = read(Choice, fields, slot)
            DrawKey(choice.seed, choice.number).checked()
            choices[slot] = choice
    return choices


# --- the work of jobs ---------------------------------------------------------------------------


def make_maps(
    system: System, choices: Mapping[str, Choice]
) -> Callable[..., dict[str, ReadResult]]:
    """Make or read the maps of several slots; without a map the problems say why."""

    def work(progress: Progress, cancelled: Cancelled) -> dict[str, ReadResult]:
        results: dict[str, ReadResult] = {}
        for slot, choice in choices.items():
            try:
                results[slot] = _make(system, choice, cancelled)
            except ProblemError as reason:
                results[slot] = ReadResult(None, reason.problems)
            if cancelled():
                break
            progress(max(1, len(results) * 100 // len(choices)))
        return results

    return work


def _make(system: System, choice: Choice, cancelled: Cancelled) -> ReadResult:
    if not choice.rolled:
        result = read_map(Path(choice.source.removeprefix(FILE)))
        if result.battlemap is not None and result.battlemap.system is not system:
            title = result.battlemap.system.title
            raise error(
                "other-system", f"this is {with_article(title)}, not {with_article(system.title)}"
            )
        return result
    script = _script(choice.source)
    battlemap = new_map(system)
    generator = script.generator(script.text, script.settings)
    key = DrawKey(choice.seed, choice.number)
    base = Base.under(battlemap, len(battlemap.layers))
    generated = run(generator, script.settings, key, base, cancelled=cancelled)
    if generated is None:
        return ReadResult(None)
    top = battlemap.layers[-1].id
    put_roll(battlemap, top, generated, replaces=False).edit.apply(battlemap)
    return ReadResult(battlemap, generated.notes)


def _script(source: str) -> Script:
    if not source.startswith(CATALOGUE):
        return script_of_file(Path(source.removeprefix(FILE)))
    name = source.removeprefix(CATALOGUE)
    generator = generator_named(name)
    if generator is None:
        raise error("no-script", f"the catalogue has no script {name}")
    return script_of_generator(generator)
