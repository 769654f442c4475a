"""The generator of a random map script in JavaScript: runs it in the host and takes its map."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from randomizer.generator import Base, DrawKey, Generating
from randomizer.model.grid.grid import Grid
from randomizer.model.layer import NO_TEXTS, Roll
from randomizer.model.log_line import PRINT, LogLine
from randomizer.model.metadata import Metadata, check_metadata
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.setting import Setting
from randomizer.model.system import System
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.engine.script_run import (
    NEEDS_ENGINE,
    Script,
    current_limits,
    run_script,
)
from randomizer.systems.zeroad.generators.map_settings import (
    drawn_choices,
    grid_of,
    map_settings,
    settings_of,
)
from randomizer.systems.zeroad.generators.resources import MeasuresResources
from randomizer.systems.zeroad.installation.game_data import game_data
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.listing import FoundScript
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.preview_picture import preview_of
from randomizer.systems.zeroad.map_format.map_conversion import roll_result
from randomizer.systems.zeroad.map_format.map_schema import read_map_data
from randomizer.systems.zeroad.script.script_check import library_names
from randomizer.systems.zeroad.script.script_place import (
    SCRIPTS,
    ScriptPlace,
    is_of_game,
    metadata_name,
    place_in_game,
    place_of_file,
)
from randomizer.systems.zeroad.system import SYSTEM


class ScriptGenerator(MeasuresResources):
    """A script at its place among the mods, with its metadata.

    ``texts`` are its further files, by name: they go over those of the mods. ``path`` is the file
    that problems of the script name. ``faults`` are errors of the metadata, which stop a roll.
    """

    system: System = SYSTEM
    rolls_outside = True

    def __init__(
        self,
        metadata: Metadata,
        text: str,
        place: ScriptPlace,
        texts: Mapping[str, str] = NO_TEXTS,
        path: str | None = None,
        name: str = "",
        faults: Sequence[Problem] = (),
    ) -> None:
        self.metadata, self.text, self.texts, self.name = metadata, text, texts, name
        self._place, self._path, self._faults = place, path, tuple(faults)
        self.mods = place.mods
        self._settings: tuple[Setting, ...] | None = None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What can be chosen, with the values of the game that is below the script.

        The game is read when this is asked for first.
        """
        if self._settings is None:
            self._settings = settings_of(self.metadata, game_data(self._place.mods))
        return self._settings

    @settings.setter
    def settings(self, settings: tuple[Setting, ...]) -> None:
        self._settings = settings

    def preview(self) -> bytes | None:
        """The picture that the metadata name, from the mods; None if there is none."""
        mods = reversed(self._place.mods)
        pictures = (preview_of(mod.read, self.metadata.preview or "") for mod in mods)
        return next((each for each in pictures if each is not None), None)

    @property
    def settings_read(self) -> bool:
        """Whether the game was read already."""
        return self._settings is not None

    def why_not(self) -> str:
        """That the JavaScript engine is missing; "" if it is there."""
        return "" if has_engine() else f"{NEEDS_ENGINE[:1].upper()}{NEEDS_ENGINE[1:]}."

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """The grid of a new map."""
        return grid_of(self.settings, settings)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Run the script. Raises ProblemError with what it wrote if it makes no map."""
        if self._faults:
            raise ProblemError(self._faults)
        place, game = self._place, game_data(self._place.mods)
        given = map_settings(self.metadata, settings, key, game)
        drawn = drawn_choices(self.metadata, settings, given, game)
        extra = {f"{SCRIPTS}/{name}": text for name, text in self.texts.items()}
        try:
            script = Script(place.path, self.text)
            result = yield from run_script(script, given, place.mods, extra, current_limits())
        except ProblemError as failed:
            raise ProblemError(
                self._named(failed.problems), (*drawn, *_once(failed.log))
            ) from failed
        log = (*drawn, *_once(result.log))
        data, problems = read_map_data(result.data, place.path)
        if data is None:
            raise ProblemError(self._named(problems), log)
        templates, textures = {each.template for each in data.entities}, data.texture_names
        names = names_of(templates, textures, given)
        if is_of_game(PurePath(place.path).name, self.text):  # hints are for its author
            problems = tuple(each for each in problems if each.severity is not Severity.HINT)
        notes = (*problems, *unknown_names(names, place.mods, self.text, place.path))
        data = replace(data, settings=given)
        rolled_map = roll_result(data, key, base, log, self._named(notes))
        roll = Roll(
            self.name,
            PurePath(place.path).name,
            self.text,
            dict(settings),
            key.seed,
            rolled_map.number,
            texts=self.texts,
            libraries=self.libraries(),
        )
        return replace(
            rolled_map, layers=tuple(replace(each, roll=roll) for each in rolled_map.layers)
        )

    def libraries(self) -> Mapping[str, str]:
        """The digests of the libraries that the script names and the mods have, by name."""
        return _digests(self.text, self._place.mods)

    def _named(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """Problems of the script itself name its file."""
        place = self._place.path
        return tuple(each.at_path(self._path) if each.path == place else each for each in problems)


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> ScriptGenerator:
    """The generator of a script of the user's own; ``texts`` are its metadata and further files.

    Without metadata it has the usual choices. ``path`` is its file, None for one that has none.
    """
    metadata_text = texts.get(metadata_name(script))
    usual = Metadata(PurePath(script).stem, script, "")
    metadata, problems = (
        (usual, ())
        if metadata_text is None
        else check_metadata(metadata_text, metadata_name(script))
    )
    errors = [each for each in problems if each.severity is Severity.ERROR]
    place = place_of_file(script, path)
    return ScriptGenerator(metadata or usual, text, place, texts, path, faults=errors)


def from_found(script_found: FoundScript) -> ScriptGenerator:
    """The generator of an installed script with one of its metadata files.

    Raises ProblemError if the script is not there.
    """
    script = script_found.metadata.script
    place = place_in_game(script, script_found.installation)
    texts = {metadata_name(script): script_found.metadata_text}
    return ScriptGenerator(script_found.metadata, script_found.text, place, texts)


def _once(log: Sequence[LogLine]) -> Iterator[LogLine]:
    """Lines of a script without their line ends; the game's own library says each line twice."""
    before = ""
    for line in log:
        text = line.text.rstrip("\n")
        if line.level != PRINT or text != before:
            yield LogLine(line.level, text)
        before = text


def _digests(text: str, mods: Sequence[ModFiles]) -> dict[str, str]:
    """The digests of the libraries that a script's text names, by name; not of missing ones."""
    result = {}
    for name in sorted(library_names(text)):
        digest, files = hashlib.sha256(), 0
        for mod in mods:
            for path in mod.list(f"{SCRIPTS}/{name}", recursive=False):
                digest.update(mod.read(path) or b"")
                files += 1
        if files:
            result[name] = digest.hexdigest()
    return result
