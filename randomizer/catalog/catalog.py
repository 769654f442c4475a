"""The catalogue: all systems, generators, script hosts, formats and games, one line each.

The lists here name what comes with this package. What other installed packages bring along
(``installed``) is looked for only where a name is not found here, or where all are listed; so an
own system, its generators, formats and game are found without looking at other packages.
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
"""By the names of our systems: the modules whose ``packaged()`` returns the generators of a system.

A map asks only the module of its own system: the others would read all their scripts first."""

GENERATORS = tuple(GENERATORS_OF_SYSTEMS.values())

UNLISTED_GENERATORS = ("randomizer.variations.generator",)
"""As ``GENERATORS``; these are found by their names and listed nowhere: they need a map."""

SCRIPT_HOSTS = (
    "randomizer.systems.colossus.script_host:HOST",
    "randomizer.systems.xconq.script_host:HOST",
    "randomizer.systems.zeroad.script_host:HOST",
)
"""``module:name`` of ``ScriptHost`` objects, for systems whose generators are scripts."""

SCRIPT_LIMIT = 4_000_000
"""The most bytes of a script file, and of one of unknown kind; the hosts have lower limits."""

MOST_LIBRARY_FILES = 200
"""Of the folders that a script uses so many files are read at most, of all of them together."""

LARGEST_LIBRARIES = 32 * 2**20
"""In bytes: of all files that belong to a script together."""

SCRIPT_START = 1000
"""So many bytes of a file say whether it is a script."""

FORMATS = (
    "randomizer.systems.colossus.battleland.xml_reader:XML",
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


_loaded = cache(load)


def own_entries(kind: str) -> Iterator[Any]:
    """Yield what of a kind, such as ``FORMATS``, comes with this package.

    Each is imported only when it is its turn.
    """
    return map(_loaded, _OWN[kind])


def imports() -> Iterator[Callable[[], object]]:
    """Return one call for each entry of this package, which imports it: for a program that has
    time.
    """
    return (partial(_loaded, entry) for kind in _OWN.values() for entry in kind)


def all_entries(kind: str) -> Iterator[Any]:
    """Yield everything of a kind; other packages are looked at after the last of this one."""
    yield from own_entries(kind)
    yield from installed(kind)


def _beside(kind: str, system: System) -> Iterator[Any]:
    """Return what of a kind may be of a system: for a system of this package only what comes with
    it.
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


# --- generators and scripts -----------------------------------------------------------------------


def generators() -> tuple[MapGenerator, ...]:
    """Return all packaged generators, in the order of the catalogue."""
    return tuple(_generators())


def _generators() -> Iterator[MapGenerator]:
    for module in all_entries("GENERATORS"):
        yield from _packaged(module)


_ASKED_OF_GENERATORS = attrgetter("name", "text", "system", "metadata", "settings", "generate")


@registered(count=4, bytes_each=200 * KB)
@cache
def _packaged(module: Any) -> tuple[MapGenerator, ...]:
    with Guard(module):
        result = tuple(module.packaged())
        all(map(_ASKED_OF_GENERATORS, result))  # AttributeError for what is no generator
        return result
    return ()


def generator_named(name: str) -> MapGenerator | None:
    """Return the packaged generator with this name, ignoring case; None if there is none."""
    wanted_name = name.lower().replace("_", " ").replace("-", " ")
    unlisted = (
        generator for entry in UNLISTED_GENERATORS for generator in _packaged(_loaded(entry))
    )
    candidates = chain(_generators(), unlisted)
    return next(
        (candidate for candidate in candidates if candidate.name.lower() == wanted_name), None
    )


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
    return tuple(suffix for host in script_hosts() for suffix in host.suffixes)


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
        data = start.encode("utf-8", "replace")
    else:
        data = start
    for own in cast("tuple[ScriptHost, ...]", own_entries("SCRIPT_HOSTS")) if data else ():
        if own.recognises(data):
            return own
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
    """Return the generator of an empty script of the same host: its system, settings and usual
    seeds.

    Nothing of the content is read but what ``script_host`` looks at. ``texts`` are the script's
    further texts, such as its metadata. Raises ProblemError for an unknown suffix.
    """
    host = script_host(script, None, content)
    return host.generator(SourceText("", script, texts, path if texts else None))


def check_script(
    text: str, script: str, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems of a script, as its host finds them; ``texts`` as in
    ``generator_for_script``.

    Raises ProblemError for an unknown suffix.
    """
    return script_host(script, path, text).check(SourceText(text, script, texts, path))


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
    """Return the files beside a script, or in folders there, that belong to it; some may not be
    there.

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
    seen: set[str] = set()
    texts = [text]
    files_left = MOST_LIBRARY_FILES
    while texts:
        for folder in host.library_folders(texts.pop()):
            if folder in seen or not is_beside(folder):
                continue
            seen.add(folder)
            inside = (path.parent / folder).glob(f"*{path.suffix}")
            files = sorted(inside)[:files_left]
            files_left -= len(files)
            for file in files:
                yield file
                with suppress(ProblemError):  # whoever reads its text says why
                    data = read_within(path.parent, file, SCRIPT_LIMIT)
                    texts.append(host.decode(data, str(file))[0])


def is_beside(name: str) -> bool:
    """Return whether a name with ``/`` stands for a file or folder in or below a script's
    folder.
    """
    parts = name.split("/")
    return not any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in parts)


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
            texts[further_name(path, file)], problems = host.decode(data, str(file))
            if has_errors(problems):
                raise ProblemError(problems)
    return texts


def suffix_of(name: str) -> str:
    """Return the suffix of a file name in lower case, with its point; "" for none."""
    return PurePath(name).suffix.lower()


# --- games and fairness ---------------------------------------------------------------------------


def game_hosts() -> tuple[GameHost, ...]:
    """Return all game hosts."""
    return tuple(all_entries("GAME_HOSTS"))


def usual_game_host() -> GameHost:
    """Return the first game host: of a map whose own game is not known, maps are opened from it."""
    first: GameHost = next(all_entries("GAME_HOSTS"))
    return first


def game_host(system: System) -> GameHost | None:
    """Return the game host for the maps of a system, None if there is none."""
    hosts: Iterator[GameHost] = all_entries("GAME_HOSTS")
    return next((host for host in hosts if system.name == host.system), None)


def game_player(host: GameHost) -> Player | None:
    """Return what starts the game of a host, None if it cannot be started."""
    player: Player | None = _loaded(host.player) if host.player else None
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
    for map_format in cast("Iterator[Format]", all_entries("FORMATS")):
        if system is None or not map_format.systems or system.name in map_format.systems:
            yield map_format


def formats_of(system: System | None) -> tuple[Format, ...]:
    """Return the formats that hold maps of a system, the preferred one first; None: all formats."""
    return tuple(_formats_of(system))


def preferred_format(system: System) -> Format:
    """Return the format for maps of a system where none is named: one for such maps only, if there
    is.
    """
    for_all: Format | None = None
    for map_format in cast("Iterator[Format]", _beside("FORMATS", system)):
        if system.name in map_format.systems and map_format.readable and not map_format.foreign:
            return map_format
        if for_all is None and not map_format.systems:
            for_all = map_format
    assert for_all is not None, "the format of projects is for all systems"
    return for_all


def format_named(name: str, system: System | None = None) -> Format | None:
    """Return the format with this name (that holds maps of ``system``), None if there is none."""
    return next((map_format for map_format in _formats_of(system) if map_format.name == name), None)


def format_of_suffix(path: str, system: System) -> Format | None:
    """Return the format for writing a map of ``system`` to a file with the suffix of ``path``.

    One that holds such maps before one that does not, one of another program for maps of all
    systems last; None for unknown suffixes.
    """
    suffix = suffix_of(path)
    native_formats = (
        map_format
        for map_format in _formats_of(system)
        if map_format.systems or not map_format.foreign
    )
    for map_format in chain(native_formats, _formats_of(None)):
        if map_format.writable and suffix in map_format.suffixes:
            return map_format
    return None
