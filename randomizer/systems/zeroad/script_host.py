"""The script host of ``.js`` files: random map scripts of 0 A.D., with their metadata.

A *script host* tells the program all about the scripts of one language: which generators come with
the package (``packaged``), which scripts are installed (``entries``), how the text of a script
becomes a generator (``generator``), and how the editor checks it (``language``). The modules that
do the work are imported in the methods: most commands of the program need none of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import Problem
from randomizer.scripts.script_hosts import ScriptHost, Skeleton, read_skeleton

if TYPE_CHECKING:
    from randomizer.catalog.catalog_entry import CatalogEntry
    from randomizer.generator import MapGenerator
    from randomizer.systems.zeroad.generators.script_generator import ScriptGenerator


class JavaScriptHost(ScriptHost):
    """The host of 0 A.D.'s scripts. Methods without a docstring have it in ``ScriptHost``."""

    suffixes = (".js",)
    system = "zeroad"

    @cached_property
    def language(self) -> Language:
        from randomizer.systems.zeroad.script.script_language import ScriptLanguage

        return ScriptLanguage()

    def packaged(self) -> Sequence[MapGenerator]:
        from randomizer.systems.zeroad.generators.packaged import packaged

        return packaged()

    def generator(self, source: SourceText) -> ScriptGenerator:
        from randomizer.systems.zeroad.generators.script_generator import from_texts

        return from_texts(*source)

    def skeleton(self) -> Skeleton:
        return Skeleton(
            "New 0 A.D. &map script",
            "js begin blank empty skeleton template example 0ad javascript json metadata write",
            read_skeleton("randomizer.systems.zeroad", "Untitled.js", "Untitled.json"),
        )

    def further_names(self, text: str, script: str) -> tuple[str, ...]:
        """Return the metadata file beside a script."""
        from randomizer.systems.zeroad.script.script_location import metadata_name

        return (metadata_name(script),)

    def renamed_further_text(self, text: str, old_script: str, new_script: str) -> str:
        """Return the metadata of a script for its new file name, which the metadata have to name.

        If the title of the map follows from the old file name, such as "My hills" from
        my_hills.js, it follows the new one from then on.
        """
        from randomizer.systems.zeroad.export.pair_metadata import shown_name

        old_stem = PurePath(old_script).stem
        new_stem = PurePath(new_script).stem
        text = _with_value(text, "Script", (old_script,), new_script)
        return _with_value(text, "Name", (old_stem, shown_name(old_stem)), shown_name(new_stem))

    def library_folders(self, text: str) -> tuple[str, ...]:
        from randomizer.systems.zeroad.script.engine_calls import library_names

        return library_names(text)

    def in_library(self, path: Path) -> bool:
        """Return whether a file is one of an installed game's."""
        from randomizer.systems.zeroad.installation.installations import find_installations

        file = path.resolve()
        for installation in find_installations():
            if any(file.is_relative_to(mod.path.resolve()) for mod in installation.mods):
                return True
        return False

    def has_script(self, script: str, text: str) -> bool:
        from randomizer.systems.zeroad.script.script_location import is_of_game

        return is_of_game(script, text)

    def check_metadata(self, data: bytes, path: str | None = None) -> tuple[Problem, ...]:
        from randomizer.systems.zeroad.script.metadata_check import check_map_metadata

        return check_map_metadata(data, path)

    def entries(self) -> Iterator[CatalogEntry | Problem]:
        """Yield the scripts of games and mods, and of the user's own mod.

        For a script that cannot be read its problems are yielded.
        """
        from randomizer.catalog.catalog_entry import CatalogEntry
        from randomizer.systems.zeroad.generators.script_generator import from_found
        from randomizer.systems.zeroad.installation.listing import listed_scripts
        from randomizer.systems.zeroad.installation.preview_picture import SHOWN
        from randomizer.systems.zeroad.system import SYSTEM

        for script in listed_scripts():
            if isinstance(script, Problem):
                yield script
            else:
                yield CatalogEntry(
                    SYSTEM,
                    script.metadata,
                    partial(from_found, script),
                    script.origin,
                    script.metadata_path,
                    script.preview,
                    preview_part=SHOWN,
                )

    def reason_without_scripts(self) -> str:
        """Return why there are no scripts of the game; "" if one is found."""
        from randomizer.systems.zeroad.installation.installations import find_installations

        if find_installations():
            return ""
        return "0 A.D. was not found: its own map scripts are not listed."

    def is_mod(self, folder: Path) -> bool:
        """Return whether a folder that the user added is a game or a mod."""
        from randomizer.systems.zeroad.installation.installations import mod_at

        return mod_at(folder) is not None


def _with_value(text: str, key: str, old_values: Collection[str], new_value: str) -> str:
    """Return the text of a JSON file with another value at the first ``key`` with an old one.

    The text keeps its form, as it would not if it were parsed and written again. It can be damaged:
    a user may be writing it.
    """
    for match in re.finditer(rf'"{key}"\s*:\s*(?P<value>"(?:[^"\\]|\\.)*+")', text):
        start, end = match.span("value")
        try:
            value = json.loads(match["value"])  # a value can be written with escapes, as "\u00fc"
        except ValueError:
            continue
        if value in old_values:
            return text[:start] + json.dumps(new_value, ensure_ascii=False) + text[end:]
    return text


HOST = JavaScriptHost()
