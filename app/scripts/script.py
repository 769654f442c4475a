"""A script as it is read, rolled or saved: its name, its texts, where it lives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from app.rolling.roll_setup import RollSetup
from randomizer.catalog.catalog import (
    SCRIPT_LIMIT,
    empty_generator,
    encoded_script,
    generator_for_script,
    generator_named,
    generators_of,
    is_beside,
    read_further_texts,
    read_script,
    script_host,
    usual_script_suffix,
)
from randomizer.generator import MapGenerator, own_settings
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import Problem, ProblemError, has_errors, split_lines
from randomizer.model.system.system import Ability, System
from randomizer.reading.files import read_file
from randomizer.storage.disk.atomic import write_atomically
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.journal.drafts import Draft

UNTITLED = "Untitled"
"""The name of a script that has no file yet, without the suffix."""


def untitled_name(system: System | None = None, stem: str = UNTITLED) -> str:
    """Return the name of a new script that makes maps of a system (None: of the usual game)."""
    has_scripts = system is not None and Ability.SCRIPTS in system.abilities
    if system is not None and has_scripts:
        packaged = generators_of(system)
    else:
        packaged = ()
    names = (generator.metadata.script for generator in packaged if generator.metadata.script)
    usual = next(names, None)
    return stem + (usual_script_suffix() if usual is None else Path(usual).suffix)


@dataclass(frozen=True)
class Script:
    """A script as it was opened or saved; a ``ScriptDocument`` has the text as it is now.

    ``text`` has LF line ends, ``original`` those of the file. ``texts`` are the further files of a
    script that has several, by name. ``packaged`` is the generator of the
    catalogue that it came from. ``settings`` are those it is to be rolled with. ``problems`` are
    about the file's bytes.
    """

    name: str
    text: str = ""
    path: Path | None = None
    original: str = ""
    packaged: MapGenerator | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)

    @property
    def place(self) -> str:
        """The path or name that problems of the script get."""
        if self.path is None:
            return self.name
        return str(self.path)

    @property
    def built_in(self) -> bool:
        """True if it is a packaged generator without a text."""
        return self.packaged is not None and not self.packaged.text

    def empty_generator(self) -> MapGenerator:
        """Return what tells system and settings. Raises ProblemError for an unknown suffix."""
        if self.packaged is not None:
            return self.packaged
        path = None if self.path is None else str(self.path)
        return empty_generator(self.name, self.text, self.texts, path)

    def generator(self, text: str, settings: Mapping[str, object]) -> MapGenerator:
        """Return what rolls ``text``: the catalogue's own generator while text and ground are its
        own.

        Raises ProblemError for a suffix that no system has.
        """
        packaged = self.packaged
        if packaged is None or text != self.text:
            return generator_for_script(text, self.name, self.place, self.texts)
        system_settings = own_settings(packaged.system, settings)
        # Without a text there is no script, and it does not matter on which ground it would roll.
        if not text or system_settings == ground_of(packaged):
            return packaged
        return generator_for_script(text, self.name, self.place, self.texts)

    def setup(
        self, text: str, settings: Mapping[str, object], *, searches: bool = False
    ) -> RollSetup:
        """Return what is rolled from ``text``, the script's text as edited since."""
        generator = partial(self.generator, text, settings)
        return RollSetup(text, generator, settings, self.name, searches=searches, texts=self.texts)


NO_SCRIPT = Script(UNTITLED)
"""Stands where no script is shown yet."""


def script_of_map(battlemap: BattleMap, path: Path | None = None) -> Script:
    """Return the script that a map holds; where it holds none the first one of its system's
    generators.

    One that no layer was rolled from is called as its file, else after the map's file, if there are
    such files.
    """
    system = battlemap.system
    if system.has_script_panel:
        generators = generators_of(system)
    else:
        generators = ()
    first = min(generators, key=lambda generator: not generator.text, default=None)
    if first is None:
        usual = Script(untitled_name(system))
    else:
        usual = script_of_generator(first)
    layer = battlemap.source_layer
    record = battlemap.records.get(system.script_record)
    if layer is None or layer.roll is None:
        rolled = usual
    else:
        rolled = script_of_roll(layer.roll)
    if record is None:
        return replace(usual, settings=rolled.settings)
    if with_lf(record.text) == rolled.text:
        return rolled
    if rolled is not usual:
        name = rolled.name
    else:
        name = system.script_file(battlemap)
        name = name or untitled_name(system, UNTITLED if path is None else path.stem)
    return Script(name, with_lf(record.text), settings=rolled.settings)


def ground_of(generator: MapGenerator) -> dict[str, object]:
    """Return the settings of the ground (terrain, height) that a generator's metadata choose."""
    names = {setting.name for setting in generator.settings}
    return {name: value for name, value in generator.metadata.ground.items() if name in names}


def script_of_file(path: Path) -> Script:
    """Read a script file. Raises ProblemError if it cannot be read or is none."""
    original, problems = read_script(path)
    if has_errors(problems):
        raise ProblemError(problems)
    text = with_lf(original)
    texts = read_further_texts(path, text)
    return Script(path.name, text, path, original, problems=problems, texts=texts)


def read_script_file(path: Path) -> tuple[Script, KnownFile | None]:
    """Return a script file, and what is known of it to notice changes.

    Raises as ``script_of_file``.
    """
    file = known_file_of(path)  # before it is read: what changes in between is noticed
    return script_of_file(path), file


def known_file_of(path: Path) -> KnownFile | None:
    """Return what is known of a script file to notice changes; None if it cannot be read."""
    with suppress(OSError, ProblemError):
        return KnownFile.of(path, read_file(path, SCRIPT_LIMIT))
    return None


def script_of_generator(generator: MapGenerator, path: Path | None = None) -> Script:
    """Return the script of an entry of the catalogue; ``path`` is its file if it is the user's."""
    text = with_lf(generator.text)
    return Script(
        _name_of(generator),
        text,
        path=path,
        original="" if path is None else generator.text,
        packaged=generator if path is None else None,
        settings=ground_of(generator),
        texts=generator.texts,
    )


def _name_of(generator: MapGenerator) -> str:
    """Return the name of a generator's script; without a text that of the generator."""
    if not generator.text:
        return generator.metadata.name
    return generator.metadata.script or untitled_name(generator.system)


def script_of_roll(roll: Roll) -> Script:
    """Return the script that a layer was rolled from."""
    if roll.generator:
        packaged = generator_named(roll.generator)
    else:
        packaged = None
    if packaged is not None and (
        with_lf(packaged.text) != with_lf(roll.script) or packaged.texts != roll.texts
    ):
        packaged = None  # another edition of the catalogue rolled it
    ground = {} if packaged is None else ground_of(packaged)
    return Script(
        roll.script_name or untitled_name() if packaged is None else _name_of(packaged),
        with_lf(roll.script),
        packaged=packaged,
        settings={**ground, **roll.settings},
        texts=roll.texts,
    )


def script_of_draft(draft: Draft) -> Script:
    """Return the script of a draft as it was opened, without the edits."""
    path = Path(draft.path) if draft.path else None
    return Script(
        draft.name,
        draft.opened,
        path,
        draft.original,
        settings=draft.settings,
        texts=draft.texts,
    )


def setup_of_roll(roll: Roll) -> RollSetup:
    """Return what has to be rolled to get a roll again."""
    script = script_of_roll(roll)
    return script.setup(script.text, script.settings)


def save_script(script: Script, text: str, path: Path) -> Script:
    """Write ``text`` to ``path`` with the line ends of the file that it came from.

    Further files of the script are written beside it where they are not there. Returns the script
    as it is now. Raises ProblemError, and then the old file is as it was.
    """
    script_host(path.name, str(path), text)
    written = with_line_ends(text, script.original)
    write_atomically(path, encoded_script(written, path.name))
    for name, further in _names_beside(script, text, path):
        new = path.parent / name
        if not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(new, encoded_script(further, path.name))
    texts = read_further_texts(path, text)
    return Script(path.name, text, path, written, settings=script.settings, texts=texts)


def _names_beside(script: Script, text: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield the further texts of a script with the names of their files beside ``path``.

    Files that are called after the script are called after ``path``, libraries stay in their
    folders.
    """
    host = script_host(path.name, str(path), text)
    old_names = host.further_names(text, script.name)
    new_names = host.further_names(text, path.name)
    renamed = dict(zip(old_names, new_names, strict=False))
    for name, further in script.texts.items():
        new = renamed.get(name, name)
        if not is_beside(new):
            continue
        if name in renamed:
            yield new, host.further_text_for(further, script.name, path.name)
        elif "/" in name:
            yield new, further


def with_lf(text: str) -> str:
    """Return the same lines, each ended by LF."""
    return "\n".join(split_lines(text))


def with_line_ends(text: str, original: str) -> str:
    """Return ``text`` (LF) with the line ends of ``original``.

    Lines that are in both keep theirs; other lines get the end that most lines have.
    """
    ends = re.findall(r"\r\n|\r|\n", original)
    usual = max(("\n", "\r\n", "\r"), key=ends.count)
    lines = text.split("\n")
    if all(end == usual for end in ends):
        return usual.join(lines)
    result = [usual] * (len(lines) - 1)
    matcher = SequenceMatcher(None, split_lines(original), lines, autojunk=False)
    for old, new, length in matcher.get_matching_blocks():
        for step in range(length):
            if old + step < len(ends) and new + step < len(result):
                result[new + step] = ends[old + step]
    return "".join(line + end for line, end in zip(lines, [*result, ""], strict=True))
