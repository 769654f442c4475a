"""Plans an export into a mod of 0 A.D.: of finished maps, or of a script that rolls maps.

    plan = plan_exports(game, {"moor": data}, "my-maps", version="0.27")
    plan.files          # moor.js, moor.json and moor.png of the mod, and its mod.json if it is new

The game plays a finished map as a *fixed script*, which always makes this map. Nothing is written
here; ``export_backups`` does that after the user has seen the plan.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from randomizer.games.export_plan import ExportPlan
from randomizer.languages.language import SourceText
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, Severity
from randomizer.reading.files import read_file
from randomizer.storage.exports.export_planning import ExportPlanner
from randomizer.systems.zeroad.export.fixed_script import is_fixed_script, read_script, write_script
from randomizer.systems.zeroad.export.pair_metadata import (
    is_pair_metadata,
    pair_metadata,
    shown_name,
)
from randomizer.systems.zeroad.export.preview import preview_png
from randomizer.systems.zeroad.export.script_files import is_exported_metadata, script_files
from randomizer.systems.zeroad.export.styles import (
    LARGEST_SCRIPT,
    STYLES,
    Style,
    installed_styles,
    style_by_version,
    versions,
)
from randomizer.systems.zeroad.game.mods import PREVIEWS, SCRIPTS, Mods
from randomizer.systems.zeroad.installation.game_folders import user_mod
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.installation.script_forms import find_forms
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS, MapData
from randomizer.systems.zeroad.script.script_language import ScriptLanguage

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*", re.ASCII)
"""Matches the names of scripts, which are names of files."""


def plan_exports(game: Mods, maps: Mapping[str, bytes], group: str, version: str) -> ExportPlan:
    """Return the plan for the scripts of finished maps by their names, in the mod ``group``.

    Never raises for bad names, maps or paths: they are problems of the plan.
    """
    planner = _MapPlanner(game.root, group)
    style = style_by_version(version)
    if style is None:
        names = ", ".join(versions())
        planner.complain("no-version", f"There is no version “{version}” (there are: {names})")
    else:
        script_names = [("script", name) for name in maps]
        if planner.check_names([("mod", group), *script_names]):
            planner.add_maps(maps, style)
    titles = [shown_name(name) for name in maps]
    return planner.plan(group, tuple(maps), how_to_play=_how_to_play(titles))


def plan_script_export(game: Mods, source: SourceText, name: str, mod: str) -> ExportPlan:
    """Return the plan for a script that is called ``name``.js in a mod, with all that it loads.

    Never raises for a bad name, script or path: they are problems of the plan.
    """
    planner = _ScriptPlanner(game.root, mod)
    problems = [problem.at_path(None) for problem in ScriptLanguage().check(source)]
    planner.problems += [problem for problem in problems if problem.severity is Severity.ERROR]
    titles: list[str] = []
    if planner.check_names([("mod", mod), ("script", name)]) and not planner.problems:
        titles = planner.add_script(name, source)
    return planner.plan(mod, (name,), how_to_play=_how_to_play(titles))


def _how_to_play(titles: Sequence[str]) -> str:
    """Return how to play maps with these titles in the game's list; without any, in general."""
    maps = "the map"
    if titles:
        maps += " " + " or ".join(f"“{title}”" for title in titles)
    return f"To play it, choose the map type “Random” and {maps} in the game."


class _ModPlanner(ExportPlanner):
    """Collects what both exports into a mod have in common.

    ``ExportPlanner`` has the lists ``files``, ``problems`` and ``notes``, to which the methods add:
    those called ``add_...`` files and notes, those called ``check_...`` problems. These return True
    if they added none.
    """

    def __init__(self, root: Path, mod: str) -> None:
        """Begin an export into a mod of the folder ``root``."""
        super().__init__(root)
        self._mod = mod
        self._folder = root / mod

    def _add_description(self, style: Style) -> None:
        """Plan the mod.json without which the game does not load a mod, if there is none.

        The user's own mod needs none.
        """
        mod = self._mod
        path = self._folder / "mod.json"
        if mod == user_mod().name or os.path.lexists(path):
            return
        description = {
            "name": re.sub(r"[^A-Za-z0-9_-]+", "-", mod).strip("-") or "maps",
            "version": "1.0.0",
            "label": mod,
            "description": "Maps made with Battlelands Builder.",
            "dependencies": style.dependencies,
        }
        data = json.dumps(description, indent="\t", ensure_ascii=False).encode() + b"\n"
        self.add(path, data, "what the game must know to load the mod")
        if not os.path.lexists(path.parent):
            self.notes.append(f"The mod {mod} is new: its folder is made.")
        self.notes.append(f"Enable the mod {mod} in the game: Settings > Mod Selection.")

    def _check_name(self, name: str, script: Path) -> bool:
        """Check that a script can have this name in the game; True if it can."""
        problem_count = len(self.problems)
        if not _NAME.fullmatch(name):
            message = (
                f"“{name}” cannot be the name of a script: use letters without accents, digits, "
                "_ and -"
            )
            self.complain("bad-name", message)
        if _is_map_of_game(name, script):
            message = f"The game has a map “{name}” of its own; choose another name"
            self.complain("script-there", message)
        return len(self.problems) == problem_count

    def _check_not_there(self, files: Sequence[Path], ours: str, *, are_ours: bool) -> bool:
        """Check that files may be written: none is there, or those that are there are ours.

        ``ours`` says what the problem misses in a file that is not: "map exported from here".
        Returns True if all may be written.
        """
        problem_count = len(self.problems)
        for file in files:
            present_file = _same_name(file)
            if present_file is None:
                continue
            is_same_name = present_file.name == file.name
            if not is_same_name or not are_ours:
                message = f"{present_file.name} is there and no {ours}: choose another name"
                self.complain("script-there", message, str(present_file))
        return len(self.problems) == problem_count


class _MapFiles(NamedTuple):
    """The paths of the files of a finished map."""

    script: Path
    metadata: Path
    picture: Path

    @classmethod
    def of(cls, folder_of_mod: Path, name: str) -> _MapFiles:
        """Return the paths of the map with this name in a mod."""
        scripts = folder_of_mod / Path(*SCRIPTS)
        pictures = folder_of_mod / Path(*PREVIEWS)
        return cls(scripts / f"{name}.js", scripts / f"{name}.json", pictures / f"{name}.png")

    def are_ours(self) -> bool:
        """Return whether the files are there and were exported from here."""
        script = _contents(self.script)
        metadata = _contents(self.metadata)
        return is_fixed_script(script) and is_pair_metadata(metadata)


class _MapPlanner(_ModPlanner):
    """Plans an export of finished maps."""

    def add_maps(self, maps: Mapping[str, bytes], style: Style) -> None:
        """Plan the files of all maps, and what the mod needs for them."""
        for name, data in maps.items():
            self._add_map(name, data, style)
        if self.files:
            self._add_description(style)
        styles_of_games = installed_styles()
        if style not in styles_of_games:
            self.notes.append(_version_note(style, styles_of_games))

    def _add_map(self, name: str, data: bytes, style: Style) -> None:
        """Plan the files of one map."""
        mapdata, problems = read_script(data)
        self.problems += [problem.at_path(name) for problem in problems]
        if mapdata is None:
            return
        files = _MapFiles.of(self._folder, name)
        can_have_name = self._check_name(name, files.script)
        can_be_written = self._check_not_there(
            files, "map exported from here", are_ours=files.are_ours()
        )
        if not can_have_name or not can_be_written:
            return
        size = mapdata.size
        self.add(files.script, write_script(mapdata, style), f"a map of {size} x {size} tiles")
        metadata = pair_metadata(name, mapdata.settings, files.picture.name)
        self.add(files.metadata, metadata, "what the game's list says of it")
        self.add(files.picture, preview_png(mapdata), "its picture in that list")
        self._add_notes_on_ignored_choices(mapdata)

    def _add_notes_on_ignored_choices(self, data: MapData) -> None:
        """Add notes on the choices of a player in the game that have no effect on the map."""
        size = data.size
        self.notes.append(
            f"Size and seed chosen in the game change nothing: the map has {size} x {size} tiles."
        )
        self.notes.append(
            "Other civilisations chosen in the game do not change the units on the map."
        )
        players = [entity.player for entity in data.entities if entity.player]
        if players:
            self.notes.append(
                f"It is made for {counted(max(players), 'player')}: what belongs to players who "
                "do not take part is left out."
            )
        absent = sum(player > MAX_PLAYERS for player in players)
        if absent:
            count = counted(absent, "entity", "entities")
            message = f"Never shown: {count} of players beyond {MAX_PLAYERS}"
            self.complain("no-player", message, severity=Severity.WARNING)


class _ScriptPlanner(_ModPlanner):
    """Plans an export of a script that rolls maps."""

    def add_script(self, name: str, source: SourceText) -> list[str]:
        """Plan the files of a script without errors, and what the mod needs for them.

        Returns the title of the script in the game's list of maps; nothing if the files may not be
        written, and then a problem says why.
        """
        files = script_files(source, name)
        scripts = "/".join(SCRIPTS)
        script = f"{scripts}/{name}.js"
        metadata = f"{scripts}/{name}.json"
        paths = (self._folder / script, self._folder / metadata)
        # The script may replace one that was exported from here under the same name.
        is_ours = is_exported_metadata(_contents(self._folder / metadata))
        can_have_name = self._check_name(name, self._folder / script)
        can_be_written = self._check_not_there(paths, "script exported from here", are_ours=is_ours)
        if not can_have_name or not can_be_written:
            return []

        # The files, each with words about it for the user.
        has_picture = False
        for path, data in files.items():
            if path == script:
                words = "the script"
            elif path == metadata:
                words = "what the game's list says of it"
            elif path.startswith("/".join(PREVIEWS)):
                has_picture = True
                words = "its picture in that list"
            else:
                words = "loaded by the script"
            self.add(self._folder / path, data, words)
        if not has_picture:
            self.notes.append("The script has no picture: the game's list shows none.")

        # The releases of the game that can load the script.
        forms = find_forms(source.text)
        style = next((style for style in STYLES if style.release in forms), STYLES[0])
        self._add_description(style)
        styles_of_games = installed_styles()
        installed_versions = [installed.version for installed in styles_of_games]
        if installed_versions and style.version not in installed_versions:
            self.notes.append(_version_note(style, styles_of_games))
        return [str(json.loads(files[metadata])["settings"]["Name"])]


def _version_note(style: Style, styles_of_games: tuple[Style, ...]) -> str:
    """Return the note that a script is for another version than those of the installed games."""
    words = f"The script is for 0 A.D. {style.version}"
    if not styles_of_games:
        return f"{words}: no installed game was found; choose the version that you play."
    return f"{words}, but the game that was found is {styles_of_games[0].version}."


def _is_map_of_game(name: str, script: Path) -> bool:
    """Return whether an installed game has a map of this name, in another mod than ``script``."""
    path_without_suffix = f"{'/'.join(SCRIPTS)}/{name}"
    for game in find_installations():
        for mod in game.mods:
            if script.is_relative_to(mod.path):
                continue
            if mod.exists(f"{path_without_suffix}.js") or mod.exists(f"{path_without_suffix}.json"):
                return True
    return False


def _contents(file: Path) -> bytes:
    """Return the content of a file; b"" if it cannot be read, which is then no file of ours."""
    try:
        return read_file(file, LARGEST_SCRIPT)
    except ProblemError:
        return b""


def _same_name(file: Path) -> Path | None:
    """Return the file in the folder of ``file`` that has its name in any case of letters.

    On Windows the two are the same file. None if there is no such file.
    """
    try:
        entries = list(file.parent.iterdir())
    except OSError:
        return None
    for entry in entries:
        if entry.name.casefold() == file.name.casefold():
            return entry
    return None
