"""The script host of ``.js``: random map scripts of 0 A.D., with their metadata and libraries.

Each function imports what it needs when it is called: the host is not needed to offer it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.model.language import Completion
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from randomizer.generator import MapGenerator
    from randomizer.script_catalog import CatalogEntry
    from randomizer.systems.zeroad.script_generator import ScriptGenerator

SYSTEM = "zeroad"
SUFFIXES = (".js",)

KEYWORDS = (
    *("async", "await", "break", "case", "catch", "class", "const", "continue", "debugger"),
    *("default", "delete", "do", "else", "export", "extends", "false", "finally", "for", "from"),
    *("function", "if", "import", "in", "instanceof", "let", "new", "null", "of", "return"),
    *("static", "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var"),
    *("void", "while", "with", "yield"),
)
PIECES = re.compile(
    r"""(?P<comment>//.*|/\*.*?(?:\*/|$)|^\s*\*(?:[\s/].*)?$)
    |(?P<quoted>"(?:[^"\\]++|\\.)*+"?|'(?:[^'\\]++|\\.)*+'?|`[^`]*`?)
    |(?P<word>[A-Za-z_$][\w$]*)
    |(?P<number>\d[\w.]*)""",
    re.VERBOSE,
)
"""A line that begins with a star counts as one of a longer comment."""

RAW_LINES: tuple[str, str] | None = None


def packaged() -> Sequence[MapGenerator]:
    """The generators that come with the package."""
    from randomizer.systems.zeroad.generator import packaged as generators

    return generators()


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """The text of a script's bytes, UTF-8."""
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        message = "a random map script is UTF-8 text"
        return "", (Problem(Severity.ERROR, "script-bytes", message, path),)


def check(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a script without metadata and libraries of its own."""
    return check_texts(text, Path(path).name if path else "", NO_TEXTS, path)


def check_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """All problems of a script with its further files; errors of its metadata come first."""
    from randomizer.systems.zeroad.metadata_check import check_map_metadata
    from randomizer.systems.zeroad.script_check import script_problems
    from randomizer.systems.zeroad.script_generator import metadata_name
    from randomizer.systems.zeroad.script_place import place_of_file

    said = metadata_name(script)
    own = tuple(
        Problem(Severity.ERROR, each.code, f"{said}, line {each.line}: {each.message}", path, 1, 1)
        for each in (check_map_metadata(texts[said], said) if said in texts else ())
        if each.severity is Severity.ERROR
    )
    return (*own, *script_problems(text, place_of_file(script, path), texts, path))


def check_metadata(data: bytes, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a metadata file."""
    from randomizer.systems.zeroad.metadata_check import check_map_metadata

    return check_map_metadata(data, path)


def from_text(text: str, script: str, path: str | None = None) -> ScriptGenerator:
    """The generator of a script without metadata."""
    return from_texts(text, script, NO_TEXTS, path)


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> ScriptGenerator:
    """The generator of a script with the texts of its metadata and libraries."""
    from randomizer.systems.zeroad.script_generator import from_texts as made

    return made(text, script, texts, path)


def further_names(_text: str, script: str) -> tuple[str, ...]:
    """The metadata file beside a script."""
    from randomizer.systems.zeroad.script_generator import metadata_name

    return (metadata_name(script),)


def completions(
    text: str, line: int, column: int, _texts: Mapping[str, str] = NO_TEXTS
) -> tuple[Completion, ...]:
    """What the game gives to scripts, as far as it can stand before a place."""
    from randomizer.systems.zeroad.engine_words import completions as fitting

    return fitting(text, line, column)


def help_at(text: str, line: int, column: int, _texts: Mapping[str, str] = NO_TEXTS) -> str | None:
    """Help on a word that the game gives to scripts, None for others."""
    from randomizer.systems.zeroad.engine_words import help_at as sentence

    return sentence(text, line, column)


def library_folders(text: str) -> tuple[str, ...]:
    """The folders of the libraries that a script or library loads."""
    from randomizer.systems.zeroad.script_check import library_names

    return library_names(text)


def in_library(path: Path) -> bool:
    """Whether a file is one of an installed game's."""
    from randomizer.systems.zeroad.installation.installations import find

    mods = (mod.path for each in find() for mod in each.mods)
    return any(path.resolve().is_relative_to(mod.resolve()) for mod in mods)


def entries() -> Iterable[CatalogEntry | Problem]:
    """The scripts of installed games and mods, and what cannot be read."""
    from randomizer.systems.zeroad.catalog_entries import entries as listed

    return listed()


def lacks() -> str:
    """Why there are no scripts of the game; "" if one is found."""
    from randomizer.systems.zeroad.catalog_entries import lacks as reason

    return reason()


def is_mod(folder: Path) -> bool:
    """Whether a folder that the user added is a game or a mod."""
    from randomizer.systems.zeroad.catalog_entries import is_mod as known

    return known(folder)
