"""A script as it is read, rolled or saved: its name, its texts, its file.

A ``Script`` comes from a file, from a packaged generator, from a rolled layer, from a map that
holds it, or from a draft: the functions ``script_of_...`` make one of each. ``Scripts`` and
``ScriptDocument`` hold those that open maps show, and ``save_script`` (script_saving.py) writes
one::

    script = script_of_file(Path("hills.rnd"))
    setup = script.setup(script.text, {"Size": 256})    # what a roll needs
    script = save_script(script, edited_text, Path("moor.rnd"))
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import NamedTuple

from app.rolling.roll_setup import RollSetup
from randomizer.catalog.generators import generator_named, generators_of
from randomizer.catalog.script_files import (
    SCRIPT_LIMIT,
    read_further_texts,
    read_script,
)
from randomizer.catalog.scripts import (
    generator_for_script,
    generator_of_empty_script,
    script_host,
    usual_script_suffix,
)
from randomizer.generator import MapGenerator
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import Problem, ProblemError, has_errors, split_lines
from randomizer.model.system.abilities import Ability
from randomizer.model.system.system import System
from randomizer.reading.files import read_file, suffix_of
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.journal.drafts import Draft
from randomizer.symmetric_rolls import without_symmetry

UNTITLED = "Untitled"
"""The name of a script that has no file yet, without the suffix."""


def untitled_name(system: System | None = None, stem: str = UNTITLED) -> str:
    """Return the name of a new script that makes maps of a system (None: of the usual game)."""
    if system is not None and Ability.SCRIPTS in system.abilities:
        for generator in generators_of(system):
            if generator.metadata.script:
                return stem + Path(generator.metadata.script).suffix
    return stem + usual_script_suffix()


@dataclass(frozen=True)
class Script:
    """A script as it was opened or saved; a ``ScriptDocument`` has the text as it is now."""

    name: str
    """The name of its file, or the one that a new file would have."""

    text: str = ""
    """The text with LF line ends."""

    path: Path | None = None
    """Its file; None if it is in none."""

    original: str = ""
    """The text with the line ends of the file; "" without a file."""

    packaged: MapGenerator | None = None
    """The generator of the catalogue that it came from, None if it came from elsewhere."""

    settings: Mapping[str, object] = field(default_factory=dict)
    """The settings with which it is to be rolled, by name."""

    problems: tuple[Problem, ...] = ()
    """Problems of the file's bytes, such as characters that are none."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The further files of a script that has several, by name."""

    @property
    def place(self) -> str:
        """The path or name that problems of the script get."""
        if self.path is None:
            return self.name
        return str(self.path)

    @property
    def is_new(self) -> bool:
        """True if it has no file and no name of its own yet."""
        return self.path is None and PurePath(self.name).stem == UNTITLED

    @property
    def built_in(self) -> bool:
        """True if it is a packaged generator without a text."""
        return self.packaged is not None and not self.packaged.text

    @property
    def is_held_by_maps(self) -> bool:
        """True if the script is of a system whose maps hold their script."""
        try:
            return bool(self.empty_generator().system.script_record)
        except ProblemError:
            return False  # no system has its suffix

    def empty_generator(self) -> MapGenerator:
        """Return a generator that has the system and the settings of the script, and rolls nothing.

        Raises ProblemError for an unknown suffix.
        """
        if self.packaged is not None:
            return self.packaged
        path = None
        if self.path is not None:
            path = str(self.path)
        return generator_of_empty_script(self.text, self.name, texts=self.texts, path=path)

    def generator(self, text: str, settings: Mapping[str, object]) -> MapGenerator:
        """Return a generator that rolls ``text`` with ``settings``.

        That is the packaged one if the text and the settings of the ground are unchanged.
        Raises ProblemError for a suffix that no system has.
        """
        packaged = self.packaged
        if packaged is None or text != self.text:
            return generator_for_script(text, self.name, texts=self.texts, path=self.place)
        ground = without_symmetry(packaged.system, settings)
        # Without a text there is no script, and it does not matter on which ground it would roll.
        if not text or ground == ground_of(packaged):
            return packaged
        return generator_for_script(text, self.name, texts=self.texts, path=self.place)

    def check(self, text: str) -> None:
        """Raise ProblemError if ``text`` has errors that stop a roll of it."""
        if self.packaged is not None and text == self.text:
            return
        source = SourceText(text, self.name, self.texts, self.place)
        errors = script_host(self.name, self.place, text).roll_errors(source)
        if errors:
            raise ProblemError(errors)

    def setup(self, text: str, settings: Mapping[str, object]) -> RollSetup:
        """Return the setup of a roll from ``text``, the script's text as edited since."""
        generator_name = ""
        if self.packaged is not None and self.built_in and not text:
            generator_name = self.packaged.name
        return RollSetup(
            text,
            partial(self.generator, text, settings),
            settings,
            script_name=self.name,
            generator_name=generator_name,
            texts=self.texts,
        )


NO_SCRIPT = Script(UNTITLED)
"""Stands where no script is shown yet."""


def script_of_map(battlemap: BattleMap, path: Path | None = None) -> Script:
    """Return the script that a map holds in a record, or the first of its system's generators.

    Its name is that of the script from which a layer was rolled, else that of its own file as the
    map names it, else it is made from the name of the map's file ``path``.
    """
    system = battlemap.system
    usual_script = _usual_script(system)
    layer = battlemap.source_layer
    former_script = usual_script
    if layer is not None and layer.roll is not None:
        former_script = script_of_roll(layer.roll)

    record = battlemap.records.get(system.script_record)
    if record is None:
        return replace(usual_script, settings=former_script.settings)
    text = with_lf(record.text)
    if text == former_script.text:
        return former_script

    # A text of its own: it keeps the settings, and the name if there is a roll with one.
    if layer is not None and layer.roll is not None:
        name = former_script.name
    else:
        name = system.script_file(battlemap)
    if not name:
        stem = UNTITLED
        if path is not None:
            stem = path.stem
        name = untitled_name(system, stem)
    return Script(name, text, settings=former_script.settings)


def _usual_script(system: System) -> Script:
    """Return the script with which maps of a system begin: its first generator, or an empty one.

    Generators with a text come before those without.
    """
    if not system.has_script_panel:
        return Script(untitled_name(system))
    generators = generators_of(system)
    with_text = [generator for generator in generators if generator.text]
    without_text = [generator for generator in generators if not generator.text]
    ordered_generators = [*with_text, *without_text]
    if not ordered_generators:
        return Script(untitled_name(system))
    return script_of_generator(ordered_generators[0])


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


class ReadScript(NamedTuple):
    """A script that was read from its file."""

    script: Script

    known_file: KnownFile | None
    """What is known of the file, by which changes are noticed; None if it could not be read for
    that."""


def read_script_file(path: Path) -> ReadScript:
    """Read a script file. Raises as ``script_of_file``."""
    known_file = known_file_of(path)  # before it is read: what changes in between is noticed
    return ReadScript(script_of_file(path), known_file)


def known_file_of(path: Path) -> KnownFile | None:
    """Return what is known of a script file, to notice changes; None if it cannot be read."""
    with suppress(OSError, ProblemError):
        return KnownFile.of(path, read_file(path, SCRIPT_LIMIT))
    return None


def script_of_generator(generator: MapGenerator, path: Path | None = None) -> Script:
    """Return the script of an entry of the catalogue; ``path`` is its file if it is the user's.

    A new script, which has no name yet, is the user's, too.
    """
    script = Script(
        _name_of(generator),
        with_lf(generator.text),
        settings=ground_of(generator),
        texts=generator.texts,
    )
    if path is not None:
        return replace(script, path=path, original=generator.text)
    if script.is_new and not generator.name:
        return script
    return replace(script, packaged=generator)


def _name_of(generator: MapGenerator) -> str:
    """Return the name of a generator's script; without a text that of the generator."""
    if not generator.text:
        return generator.metadata.name
    return generator.metadata.script or untitled_name(generator.system)


def script_of_roll(roll: Roll) -> Script:
    """Return the script that a layer was rolled from."""
    script = Script(
        roll.script_name or untitled_name(),
        with_lf(roll.script),
        settings=dict(roll.settings),
        texts=roll.texts,
    )
    if not roll.generator:
        return script
    packaged = generator_named(roll.generator)
    if packaged is None:
        return script
    # A packaged script with another text is one of another edition of the program.
    is_this_edition = with_lf(packaged.text) == script.text and packaged.texts == roll.texts
    if not is_this_edition:
        return script
    settings = {**ground_of(packaged), **roll.settings}
    return replace(script, name=_name_of(packaged), packaged=packaged, settings=settings)


def script_of_draft(draft: Draft) -> Script:
    """Return the script of a draft as it was opened, without the edits."""
    path = None
    if draft.path:
        path = Path(draft.path)
    return Script(
        draft.name,
        draft.opened,
        path,
        draft.original,
        settings=draft.settings,
        texts=draft.texts,
    )


def setup_of_roll(roll: Roll) -> RollSetup:
    """Return the setup that makes the same roll again, with its seed and number."""
    script = script_of_roll(roll)
    return script.setup(script.text, script.settings)


def texts_renamed(
    texts: Mapping[str, str], text: str, old_name: str, new_name: str
) -> dict[str, str]:
    """Return the further files of a script as they are after it is saved under a new name.

    Files that are called after the script get names, and texts, with the new name. Raises
    ProblemError for a suffix that no system has.
    """
    host = script_host(new_name, None, text)
    old_names = host.further_names(text, old_name)
    new_names = host.further_names(text, new_name)
    # A host of one suffix can know more names than that of another: only pairs are renamed.
    new_name_of = dict(zip(old_names, new_names, strict=False))
    renamed_texts: dict[str, str] = {}
    for name, further_text in texts.items():
        if name in new_name_of:
            renamed_text = host.renamed_further_text(further_text, old_name, new_name)
            renamed_texts[new_name_of[name]] = renamed_text
        else:
            renamed_texts[name] = further_text
    return renamed_texts


def has_same_text(roll: Roll, name: str, text: str, texts: Mapping[str, str]) -> bool:
    """Return whether a layer was rolled from this text, whatever its file was called then.

    ``name``, ``text`` and ``texts`` are the file name, the text and the further files of a script.
    A script that was saved under another name is still the one that the layer was rolled from.
    """
    rolled = script_of_roll(roll)
    if rolled.text != text or suffix_of(rolled.name) != suffix_of(name):
        return False
    if rolled.name == name or not rolled.texts:
        return rolled.texts == texts
    try:
        return texts_renamed(rolled.texts, text, rolled.name, name) == texts
    except ProblemError:
        return False


def with_lf(text: str) -> str:
    """Return the same lines, each ended by LF."""
    return "\n".join(split_lines(text))
