"""The catalogue: all systems, generators, script hosts, formats and games, one line each.

    system = system_named("cordery")
    generator = generator_named("Cordery")
    map_format = format_of_suffix("vale.battlemap", system)

A *generator* rolls maps; a *script host* makes generators of the scripts of one game. The lists
here name what comes with this package, as texts: a module is imported only when it is needed. What
other installed packages bring along (``installed``) is looked for only where a name is not found
here, or where all are listed; so a system of this package, its generators, formats and game are
found without looking at other packages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from operator import attrgetter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from randomizer.formats import Format
from randomizer.generator import MapGenerator
from randomizer.installed import Guard, installed, load
from randomizer.languages.language import SourceText
from randomizer.model.basics.caches import KB, registered
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, ProblemError, error, has_errors
from randomizer.model.system.system import System
from randomizer.reading.files import read_file, read_within
from randomizer.scripts.script_hosts import ScriptHost, Skeleton

if TYPE_CHECKING:  # imported here: not needed for a roll
    from randomizer.batches.fairness import FairnessModel
    from randomizer.games import GameHost, Player

SYSTEMS = (
    "randomizer.systems.colossus.system:SYSTEM",
    "randomizer.systems.free.system:SYSTEM",
    "randomizer.systems.cordery.system:SYSTEM",
    "randomizer.systems.xconq.system:SYSTEM",
    "randomizer.systems.zeroad.system:SYSTEM",
)
"""``module:name`` of every ``System``, in the order in which a new map offers them."""

GENERATORS_OF_SYSTEMS: Mapping[str, str] = {
    "colossus": "randomizer.systems.colossus.generator",
    "free": "randomizer.systems.free.landscape.generator",
    "cordery": "randomizer.systems.cordery.generator",
    "xconq": "randomizer.systems.xconq.rolling.generator",
    "zeroad": "randomizer.systems.zeroad.generators.packaged",
}
"""The modules whose ``packaged()`` returns the generators of a system, by the system's name.

A map asks only the module of its own system: the others would read all their scripts first.
"""

GENERATORS = tuple(GENERATORS_OF_SYSTEMS.values())
"""The modules of all generators of this package."""

UNLISTED_GENERATORS = ("randomizer.variations.generator",)
"""Modules of generators that are found by their names but not listed: they need a map."""

SCRIPT_HOSTS = (
    "randomizer.systems.colossus.script_host:HOST",
    "randomizer.systems.xconq.script_host:HOST",
    "randomizer.systems.zeroad.script_host:HOST",
)
"""``module:name`` of ``ScriptHost`` objects, for systems whose generators are scripts."""

SCRIPT_LIMIT = 4_000_000
"""The most bytes of a script file, and of one of unknown kind; the hosts have lower limits."""

MOST_LIBRARY_FILES = 200
"""The most files that are read of all folders that a script uses together."""

LARGEST_LIBRARIES = 32 * 2**20
"""The most bytes of all files that belong to a script together."""

SCRIPT_START = 1000
"""The bytes at the beginning of a file by which a script is recognised."""

FORMATS = (
    "randomizer.systems.colossus.battleland.xml_format:XML",
    "randomizer.systems.colossus.battleland.record:JSON",
    "randomizer.systems.colossus.battleland.text:TEXT",
    "randomizer.systems.cordery.table_files:TEXT",
    "randomizer.systems.cordery.table_files:JSON",
    "randomizer.systems.xconq.mapfile.mapfile_format:XCONQ",
    "randomizer.systems.interchange.formats:PMP",
    "randomizer.systems.zeroad.map_format.map_json:JSON",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_27",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_28",
    "randomizer.systems.zeroad.export.script_format:SCRIPT_26",
    "randomizer.storage.files.project:PROJECT",
    "randomizer.storage.files.cell_lines:CELLS",
    "randomizer.storage.files.notes_in_markdown:NOTES",
    "randomizer.systems.interchange.formats:BOARD",
    "randomizer.systems.interchange.formats:WESNOTH",
    "randomizer.systems.interchange.formats:TEXTMAPPER",
    "randomizer.systems.interchange.formats:WXX",
    "randomizer.systems.interchange.formats:AZGAAR",
    "randomizer.systems.interchange.formats:TMX",
    "randomizer.systems.interchange.formats:TMJ",
    "randomizer.systems.interchange.formats:FOUNDRY",
    "randomizer.systems.interchange.formats:UVTT",
)
"""``module:name`` of ``formats.Format`` objects, the preferred ones first."""

GAME_HOSTS = (
    "randomizer.systems.colossus.game.host:HOST",
    "randomizer.systems.xconq.game.host:HOST",
    "randomizer.systems.zeroad.game.host:HOST",
)
"""``module:name`` of ``games.GameHost`` objects: games that load maps from a directory."""

FAIRNESS_MODELS = ("randomizer.systems.colossus.fairness.fairness_model:FAIRNESS_MODEL",)
"""``module:name`` of ``FairnessModel`` objects, at most one a system."""

_OWN = {
    "SYSTEMS": SYSTEMS,
    "GENERATORS": GENERATORS,
    "SCRIPT_HOSTS": SCRIPT_HOSTS,
    "FORMATS": FORMATS,
    "GAME_HOSTS": GAME_HOSTS,
    "FAIRNESS_MODELS": FAIRNESS_MODELS,
}
"""The entries of this package by the name of their kind, by which other packages name theirs."""


_loaded = cache(load)
"""Imports the object that ``module:name`` stands for, once."""


def own_entries(kind: str) -> Iterator[Any]:
    """Yield the entries of a kind, such as ``FORMATS``, that come with this package.

    Each is imported only when it is its turn.
    """
    return map(_loaded, _OWN[kind])


def imports() -> Iterator[Callable[[], object]]:
    """Yield a function for each entry of this package, which imports it when it is called.

    So a program can import them one by one while it has nothing else to do.
    """
    for entries in _OWN.values():
        for entry in entries:
            yield partial(_loaded, entry)


def all_entries(kind: str) -> Iterator[Any]:
    """Yield everything of a kind; other packages are looked at after the last of this one."""
    yield from own_entries(kind)
    yield from installed(kind)


def _entries_for(kind: str, system: System) -> Iterator[Any]:
    """Return the entries of a kind that may be of a system.

    For a system of this package they are those of this package alone.
    """
    if system in own_entries("SYSTEMS"):
        return own_entries(kind)
    return all_entries(kind)


# --- systems --------------------------------------------------------------------------------------


def systems() -> tuple[System, ...]:
    """Return all systems."""
    return tuple(all_entries("SYSTEMS"))


def system_named(name: str) -> System | None:
    """Return the system with this name, None if there is none."""
    return next((system for system in all_entries("SYSTEMS") if system.name == name), None)


# --- generators -----------------------------------------------------------------------------------


def generators() -> tuple[MapGenerator, ...]:
    """Return all packaged generators, in the order of the catalogue."""
    return tuple(_generators())


def _generators() -> Iterator[MapGenerator]:
    """Yield all packaged generators; a module is imported when its first generator is due."""
    for module in all_entries("GENERATORS"):
        yield from _packaged(module)


_REQUIRED_OF_GENERATORS = attrgetter("name", "text", "system", "metadata", "settings", "generate")
"""Reads the attributes that every generator has."""


@registered(count=4, bytes_each=200 * KB)
@cache
def _packaged(module: Any) -> tuple[MapGenerator, ...]:
    """Return the generators of a module; none if the module, or one of them, is at fault."""
    with Guard(module):
        packaged_generators = tuple(module.packaged())
        for generator in packaged_generators:
            _REQUIRED_OF_GENERATORS(generator)  # AttributeError for what is no generator
        return packaged_generators
    return ()


def generator_named(name: str) -> MapGenerator | None:
    """Return the packaged generator with this name, ignoring case; None if there is none."""
    name_to_find = name.lower().replace("_", " ").replace("-", " ")
    for candidate in chain(_generators(), _unlisted_generators()):
        if candidate.name.lower() == name_to_find:
            return candidate
    return None


def _unlisted_generators() -> Iterator[MapGenerator]:
    """Yield the generators that are found by their names only."""
    for entry in UNLISTED_GENERATORS:
        yield from _packaged(_loaded(entry))


def listed_generators(system: System) -> tuple[MapGenerator, ...]:
    """Return all packaged generators of a system's maps, those of other packages too."""
    return tuple(generator for generator in _generators() if generator.system is system)


def generators_of(system: System) -> tuple[MapGenerator, ...]:
    """Return the packaged generators that come with a system."""
    if system in own_entries("SYSTEMS"):
        entry = GENERATORS_OF_SYSTEMS.get(system.name)
        if entry is None:
            return ()
        return _packaged(_loaded(entry))
    return listed_generators(system)


def generator_without_script(system: System) -> MapGenerator | None:
    """Return the generator of a system's maps that needs no script, None if all need one."""
    return next((generator for generator in generators_of(system) if not generator.text), None)


# --- scripts and their hosts ----------------------------------------------------------------------


def script_hosts() -> tuple[ScriptHost, ...]:
    """Return all script hosts."""
    return tuple(all_entries("SCRIPT_HOSTS"))


def skeletons() -> tuple[Skeleton, ...]:
    """Return the scripts to begin with, of every host that has one."""
    result: list[Skeleton] = []
    for host in script_hosts():
        with Guard(host):
            skeleton = host.skeleton()
            if skeleton is not None:
                result.append(skeleton)
    return tuple(result)


def script_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the scripts of all hosts."""
    suffixes: list[str] = []
    for host in script_hosts():
        suffixes += host.suffixes
    return tuple(suffixes)


def usual_script_suffix() -> str:
    """Return the first suffix of the first script host."""
    host: ScriptHost = next(all_entries("SCRIPT_HOSTS"))
    return host.suffixes[0]


def script_host(script: str, path: str | None = None, content: str | bytes = b"") -> ScriptHost:
    """Return the host of a script: that which recognises its content, else that of the suffix.

    ``script`` is its file name, ``content`` its text or bytes as far as known. Raises ProblemError
    for an unknown suffix.
    """
    start = content[:SCRIPT_START]
    if isinstance(start, str):
        start = start.encode("utf-8", "replace")
    if start:
        for own_host in cast("Iterator[ScriptHost]", own_entries("SCRIPT_HOSTS")):
            if own_host.recognises(start):
                return own_host
    suffix = suffix_of(script)
    for host in cast("Iterator[ScriptHost]", all_entries("SCRIPT_HOSTS")):
        if suffix in host.suffixes:
            return host
    raise error(
        "script-suffix",
        f"no system has scripts that end in {suffix or 'nothing'} "
        f"(known: {', '.join(script_suffixes())})",
        path=path,
    )


def generator_for_script(
    text: str, script: str, path: str | None = None, texts: Mapping[str, str] = NO_TEXTS
) -> MapGenerator:
    """Return the generator of a script of the user's own; ``script_host`` chooses the host.

    ``texts`` are the script's further texts by file name. Raises ProblemError for an unknown
    suffix.
    """
    return script_host(script, path, text).generator(SourceText(text, script, texts, path))


def empty_generator(
    script: str, content: str, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> MapGenerator:
    """Return the generator of an empty script of the same host.

    It has the system, the settings and the usual seeds of the script's generator. Nothing of the
    content is read but what ``script_host`` looks at. ``texts`` are the script's further texts,
    such as its metadata. Raises ProblemError for an unknown suffix.
    """
    host = script_host(script, None, content)
    # Only further texts are located by the path: the empty text is not that of the file.
    path_of_texts = None
    if texts:
        path_of_texts = path
    return host.generator(SourceText("", script, texts, path_of_texts))


def check_script(
    text: str, script: str, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems that its host finds in a script, errors and others.

    ``texts`` are the script's further texts by file name. Raises ProblemError for an unknown
    suffix.
    """
    return script_host(script, path, text).check(SourceText(text, script, texts, path))


# --- files of scripts -----------------------------------------------------------------------------


def read_script(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a script file, with its line ends, and problems of its bytes.

    Data that cannot be a script give "" and an error. Raises ProblemError for a file that cannot be
    read, and for an unknown suffix.
    """
    data = read_file(path, SCRIPT_LIMIT)
    return script_host(path.name, str(path), data).decode(data, str(path))


def encoded_script(text: str, script: str) -> bytes:
    """Return the bytes of a script file: UTF-8 unless the host of its suffix says otherwise.

    Raises ProblemError for an unknown suffix.
    """
    return script_host(script, None, text).encode(text)


def further_files(path: Path, text: str) -> tuple[Path, ...]:
    """Return the files that belong to a script, beside it or in folders there; some may be missing.

    Of a script of an installed game the game's libraries are none of these.
    """
    host = script_host(path.name, str(path), text)
    names = host.further_names(text, path.name)
    files = [path.parent / name for name in names if PurePath(name).name == name]
    if not host.in_library(path):
        files += _library_files(host, path, text)
    return tuple(files)


def _library_files(host: ScriptHost, path: Path, text: str) -> Iterator[Path]:
    """Yield the scripts of the folders that a script uses, and of those that these use."""
    seen_folders: set[str] = set()
    texts = [text]  # scripts whose folders are still to be looked at
    files_left = MOST_LIBRARY_FILES
    while texts:
        for folder in host.library_folders(texts.pop()):
            if folder in seen_folders or not is_beside(folder):
                continue
            seen_folders.add(folder)
            scripts = (path.parent / folder).glob(f"*{path.suffix}")
            files = sorted(scripts)[:files_left]
            files_left -= len(files)
            for file in files:
                yield file
                with suppress(ProblemError):  # whoever reads its text says why
                    data = read_within(path.parent, file, SCRIPT_LIMIT)
                    library_text, _problems = host.decode(data, str(file))
                    texts.append(library_text)


def is_beside(name: str) -> bool:
    """Return whether a name, its parts joined by ``/``, is of a file in or below a script's folder.

    A name with a sign that some operating system gives a meaning of its own is refused.
    """
    for part in name.split("/"):
        if part in ("", ".", "..") or not set(part).isdisjoint("\\:\0"):
            return False
    return True


def further_name(path: Path, further: Path) -> str:
    """Return the name by which the text of a further file of the script at ``path`` is known."""
    return further.relative_to(path.parent).as_posix()


def read_further_texts(
    path: Path, text: str, most_bytes: int = LARGEST_LIBRARIES
) -> dict[str, str]:
    """Return the texts of the files that belong to a script, by name, without those missing.

    Raises ProblemError for a file that cannot be read, or with which they have together more than
    ``most_bytes``.
    """
    texts: dict[str, str] = {}
    bytes_left = most_bytes
    for file in further_files(path, text):
        if file.exists():
            host = script_host(path.name, str(path), text)
            data = read_within(path.parent, file, min(SCRIPT_LIMIT, bytes_left))
            bytes_left -= len(data)
            further_text, problems = host.decode(data, str(file))
            if has_errors(problems):
                raise ProblemError(problems)
            texts[further_name(path, file)] = further_text
    return texts


def suffix_of(name: str) -> str:
    """Return the suffix of a file name in lower case, with its point; "" for none."""
    return PurePath(name).suffix.lower()


# --- games and fairness ---------------------------------------------------------------------------


def game_hosts() -> tuple[GameHost, ...]:
    """Return all game hosts."""
    return tuple(all_entries("GAME_HOSTS"))


def usual_game_host() -> GameHost:
    """Return the first game host: from its game maps are opened if no other game is known."""
    first: GameHost = next(all_entries("GAME_HOSTS"))
    return first


def game_host(system: System) -> GameHost | None:
    """Return the game host for the maps of a system, None if there is none."""
    hosts: Iterator[GameHost] = all_entries("GAME_HOSTS")
    return next((host for host in hosts if system.name == host.system), None)


def game_player(host: GameHost) -> Player | None:
    """Return what starts the game of a host, None if it cannot be started."""
    if not host.player:
        return None
    player: Player = _loaded(host.player)
    return player


def fairness_model_of(system: System) -> FairnessModel | None:
    """Return the fairness model of a system, None if it has none."""
    models: Iterator[FairnessModel] = all_entries("FAIRNESS_MODELS")
    return next((model for model in models if model.system is system), None)


# --- formats --------------------------------------------------------------------------------------


def formats() -> tuple[Format, ...]:
    """Return every file format."""
    return tuple(all_entries("FORMATS"))


def _formats_of(system: System | None) -> Iterator[Format]:
    """Yield the formats that hold maps of a system (None: all formats).

    A format is imported when it is its turn.
    """
    for map_format in cast("Iterator[Format]", all_entries("FORMATS")):
        if system is None or not map_format.systems or system.name in map_format.systems:
            yield map_format


def formats_of(system: System | None) -> tuple[Format, ...]:
    """Return the formats that hold maps of a system, the preferred one first; None: all formats."""
    return tuple(_formats_of(system))


def preferred_format(system: System) -> Format:
    """Return the format for maps of a system where none is named.

    It is the first that holds maps of this system only, or, without one, the first for all systems.
    """
    first_for_all: Format | None = None
    for map_format in cast("Iterator[Format]", _entries_for("FORMATS", system)):
        if system.name in map_format.systems and map_format.readable and not map_format.foreign:
            return map_format
        if first_for_all is None and not map_format.systems:
            first_for_all = map_format
    assert first_for_all is not None, "the format of projects is for all systems"
    return first_for_all


def format_named(name: str, system: System | None = None) -> Format | None:
    """Return the format with this name, None if there is none.

    With a ``system`` it is one that holds the maps of that system.
    """
    return next((map_format for map_format in _formats_of(system) if map_format.name == name), None)


def format_of_suffix(path: str, system: System) -> Format | None:
    """Return the format for writing a map of ``system`` to a file with the suffix of ``path``.

    One that holds such maps comes before one that does not, and one of another program for maps of
    all systems comes last; None for unknown suffixes.
    """
    suffix = suffix_of(path)
    for map_format in chain(_native_formats_of(system), _formats_of(None)):
        if map_format.writable and suffix in map_format.suffixes:
            return map_format
    return None


def _native_formats_of(system: System) -> Iterator[Format]:
    """Yield the formats for maps of a system, without those of other programs for all systems."""
    for map_format in _formats_of(system):
        if map_format.systems or not map_format.foreign:
            yield map_format
