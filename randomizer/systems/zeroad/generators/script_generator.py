"""The generator of a random map script in JavaScript: runs it and makes a roll of its map.

    generator = from_texts(text, "hills.js", texts, path)      # of a script of the user's own
    generator = from_found(script)                             # of a script of an installed game

``ScriptGenerator.generate`` is where a map is rolled; begin there. A script loads libraries and
other files of *mods*, which are folders with files of the game. Its *further texts* are its
metadata and libraries as the user edits them; they replace the files of the mods.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath

from randomizer.generator import Generating
from randomizer.languages.language import SourceText
from randomizer.model.basics.log_line import PRINT, LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.engine.run_limits import current_limits
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import NEEDS_ENGINE, run_script
from randomizer.systems.zeroad.generators.map_settings import (
    drawn_choices,
    grid_of,
    map_settings,
    settings_of,
)
from randomizer.systems.zeroad.generators.player_data import settings_without_names
from randomizer.systems.zeroad.generators.resources import MeasuresResources
from randomizer.systems.zeroad.installation.game_data import game_data
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.listing import FoundScript
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.preview_picture import preview_of
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.owners import recorded_players
from randomizer.systems.zeroad.map_format.map_conversion import roll_result
from randomizer.systems.zeroad.map_format.map_schema import read_map_data
from randomizer.systems.zeroad.script.engine_calls import library_names
from randomizer.systems.zeroad.script.metadata_check import metadata_of_script
from randomizer.systems.zeroad.script.script_check import PROGRESS, odd_progress, script_problems
from randomizer.systems.zeroad.script.script_location import (
    SCRIPTS,
    ScriptLocation,
    is_of_game,
    location_in_game,
    location_of_file,
    metadata_name,
)
from randomizer.systems.zeroad.system import SYSTEM

_NAME = re.compile(r"\bName\b")
"""The key of a player's name, without which a script cannot read it."""


class ScriptGenerator(MeasuresResources):
    """Rolls the maps of one script, which can load the files of the mods at its location."""

    system: System = SYSTEM
    rolls_outside = True

    def __init__(
        self,
        metadata: Metadata,
        source: SourceText,
        location: ScriptLocation,
        name: str = "",
        metadata_problems: Sequence[Problem] = (),
    ) -> None:
        """Make the generator of the script ``source``, which has its further texts, too.

        ``name`` is that of the generator in the catalogue, "" for a script of the user's own.
        ``metadata_problems`` are the problems of the metadata; with an error among them nothing is
        rolled.
        """
        self.metadata = metadata
        self.text = source.text
        self.texts = source.texts
        self.name = name
        self.mods = location.mods
        self._location = location
        self._path = source.path
        """The file of the script, which problems name; None if it was never saved."""
        self.metadata_problems = tuple(metadata_problems)
        self._settings: tuple[Setting, ...] | None = None
        """The settings; None until the first use of ``settings``, which reads the game."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings, with the sizes, civilisations and so on that the game offers.

        The game is read when they are asked for first.
        """
        if self._settings is None:
            self._settings = settings_of(self.metadata, game_data(self._location.mods))
        return self._settings

    @settings.setter
    def settings(self, settings: tuple[Setting, ...]) -> None:
        """Replace the settings, which are an attribute of every ``MapGenerator``."""
        self._settings = settings

    def preview(self) -> bytes | None:
        """Return the picture that the metadata name, from the mods; None if there is none."""
        for mod in reversed(self._location.mods):  # a later mod replaces files of earlier ones
            picture = preview_of(mod.read, self.metadata.preview or "")
            if picture is not None:
                return picture
        return None

    @property
    def settings_read(self) -> bool:
        """True if the game was read for ``settings`` already, so that they take no time."""
        return self._settings is not None

    def settings_needing_roll(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings without the names of players, unless the script may read names.

        Libraries of mods are not looked into: those of the game read none.
        """
        scripts = [text for name, text in self.texts.items() if name.endswith(".js")]
        if any(_NAME.search(script) for script in (self.text, *scripts)):
            return super().settings_needing_roll(settings)
        return settings_without_names(super().settings_needing_roll(settings))

    def why_not(self) -> str:
        """Return a sentence that the JavaScript engine is missing; "" if it is installed."""
        if has_engine():
            return ""
        return f"{NEEDS_ENGINE[:1].upper()}{NEEDS_ENGINE[1:]}."

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new map."""
        return grid_of(self.settings, settings)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Run the script. Raises ProblemError, with the log of the script, if it makes no map."""
        metadata_errors = _errors_among(self.metadata_problems)
        if metadata_errors:
            raise ProblemError(metadata_errors)

        # The input of the script: its settings, and its further files instead of those of the mods.
        location = self._location
        game = game_data(location.mods)
        by_hand = recorded_players(base.records)
        script_settings = map_settings(self.metadata, settings, key, game, by_hand)
        # Lines of the log that tell which of the settings were drawn.
        drawn = drawn_choices(self.metadata, settings, script_settings, game, by_hand)
        files = {f"{SCRIPTS}/{name}": text for name, text in self.texts.items()}
        script = Script(location.path, self.text)
        limits = current_limits()

        try:
            result = yield from run_script(script, script_settings, location.mods, files, limits)
        except ProblemError as failed:
            # If the check of the text finds errors, too, they are reported instead: a syntax error
            # has a line there.
            problems = _errors_among(self._text_problems)
            if not problems:
                problems = self._with_user_path(failed.problems)
            raise ProblemError(problems, (*drawn, *_without_repeats(failed.log))) from failed
        log = (*drawn, *_without_repeats(result.log))

        # Its result is checked, and becomes layers that note how they were rolled.
        data, data_problems = read_map_data(result.data, location.path, script_settings)
        if data is None:
            raise ProblemError(self._with_user_path(data_problems), log)
        data = replace(data, settings=script_settings)
        notes = self._notes(data, data_problems, result.odd_progress)
        generated = roll_result(data, key, base, log, notes)
        roll = self._roll(settings, key, generated.number)
        layers = tuple(replace(layer, roll=roll) for layer in generated.layers)
        return replace(generated, layers=layers)

    def _notes(
        self, data: MapData, data_problems: Sequence[Problem], odd_progress_text: str
    ) -> tuple[Problem, ...]:
        """Return the problems of a roll that made a map, each once.

        They are problems of the metadata, of the text and of the map, and names on the map that the
        mods do not have. ``odd_progress_text`` is the first progress of the script that the game
        would refuse, "" for none. Hints are for the author of a script, so those of the game's own
        scripts are left out.
        """
        location = self._location
        templates = {entity.template for entity in data.entities}
        names = names_of(templates, data.texture_names, data.settings)
        unknown = unknown_names(names, location.mods, self.text, location.path)
        notes = [*self.metadata_problems, *self._text_problems]
        if odd_progress_text and not any(note.code == PROGRESS for note in notes):
            message = odd_progress(odd_progress_text)
            notes.append(Problem(Severity.HINT, PROGRESS, message, self._path))
        notes += self._with_user_path((*data_problems, *unknown))
        if is_of_game(PurePath(location.path).name, self.text):
            notes = [note for note in notes if note.severity is not Severity.HINT]
        return tuple(dict.fromkeys(notes))

    def _roll(self, settings: Mapping[str, object], key: DrawKey, number: int) -> Roll:
        """Return the roll that the layers note: the script with its files and libraries."""
        script_name = PurePath(self._location.path).name
        return Roll(
            generator=self.name,
            script_name=script_name,
            script=self.text,
            settings=dict(settings),
            seed=key.seed,
            number=number,
            texts=self.texts,
            libraries=self.libraries(),
        )

    @cached_property
    def _text_problems(self) -> tuple[Problem, ...]:
        """The problems that the check of the script's text finds."""
        return script_problems(self.text, self._location, self.texts, self._path)

    def libraries(self) -> Mapping[str, str]:
        """Return the digests of the libraries that the script names and the mods have, by name."""
        return _digests(self.text, self._location.mods)

    def _with_user_path(self, problems: Sequence[Problem]) -> list[Problem]:
        """Return problems that name the file of the script instead of its path in the mods."""
        renamed_problems: list[Problem] = []
        for problem in problems:
            if problem.path == self._location.path:
                renamed_problems.append(problem.at_path(self._path))
            else:
                renamed_problems.append(problem)
        return renamed_problems


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> ScriptGenerator:
    """Return the generator of a script of the user's own.

    ``script`` is the name of its file. ``texts`` are its further texts, by the names of their
    files; without metadata among them it has the usual settings. ``path`` is its file, None for a
    script that was never saved.
    """
    metadata, problems = metadata_of_script(script, texts, path)
    if metadata is None:
        metadata = Metadata(PurePath(script).stem, script, "")
    location = location_of_file(script, path)
    source = SourceText(text, script, texts, path)
    return ScriptGenerator(metadata, source, location, metadata_problems=problems)


def from_found(script_found: FoundScript) -> ScriptGenerator:
    """Return the generator of an installed script with one of its metadata files.

    Raises ProblemError if the script is not there.
    """
    script = script_found.metadata.script
    location = location_in_game(script, script_found.installation)
    texts = {metadata_name(script): script_found.metadata_text}
    source = SourceText(script_found.text, script, texts)
    return ScriptGenerator(script_found.metadata, source, location)


def _errors_among(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems that are errors."""
    return [problem for problem in problems if problem.severity is Severity.ERROR]


def _without_repeats(log: Sequence[LogLine]) -> Iterator[LogLine]:
    """Yield the lines of a log, without line ends; one that is printed twice in a row comes once.

    The game's own library prints each line twice.
    """
    previous_text: str | None = None
    for line in log:
        text = line.text.rstrip("\n")
        if line.level != PRINT or text != previous_text:
            yield LogLine(line.level, text)
        previous_text = text


def _digests(text: str, mods: Sequence[ModFiles]) -> dict[str, str]:
    """Return the digests of the libraries that the text of a script names, by name.

    A library is a folder of files, which several mods can have. A library that no mod has is left
    out.
    """
    digest_by_name = {}
    for name in sorted(library_names(text)):
        digest = hashlib.sha256()
        has_files = False
        for mod in mods:
            for path in mod.list(f"{SCRIPTS}/{name}", recursive=False):
                digest.update(mod.read(path) or b"")
                has_files = True
        if has_files:
            digest_by_name[name] = digest.hexdigest()
    return digest_by_name
