"""The catalogue: all systems, generators, script hosts, formats and games, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol, cast

from randomizer.formats import Format
from randomizer.generator import MapGenerator, NamedCells
from randomizer.model.language import Completion, TextPlace
from randomizer.model.problems import Fix, Problem, error, words_of
from randomizer.model.system import System

if TYPE_CHECKING:  # imported here: not needed for a roll
    from randomizer.batches.fairness import FairnessModel
    from randomizer.games import GameHost

SYSTEMS = (
    "randomizer.systems.colossus.system:SYSTEM",
    "randomizer.systems.free.system:SYSTEM",
    "randomizer.systems.cordery.system:SYSTEM",
)
"""``module:name`` of every ``System``, in the order in which a new map offers them."""

GENERATORS = ("randomizer.systems.colossus.generator", "randomizer.systems.cordery.generator")
"""Modules whose ``packaged()`` returns the generators that come with the package."""

SCRIPT_HOSTS = ("randomizer.systems.colossus.script_host",)
"""Modules with the names of ``ScriptHost``, for systems whose generators are scripts."""

SCRIPT_LIMIT = 4_000_000
"""The most bytes of a script file that are read; the hosts have lower limits."""

FORMATS = (
    "randomizer.systems.colossus.battleland.xml_reader:XML",
    "randomizer.systems.colossus.battleland.record:JSON",
    "randomizer.systems.colossus.battleland.text:TEXT",
    "randomizer.systems.cordery.table_files:TEXT",
    "randomizer.systems.cordery.table_files:JSON",
    "randomizer.storage.project:PROJECT",
)
"""``module:name`` of ``formats.Format`` objects, the preferred ones first."""

GAME_HOSTS = ("randomizer.systems.colossus.game.host",)
"""Modules with the names of ``games.GameHost``: games that load maps from a directory."""

FAIRNESS_MODELS = ("randomizer.systems.colossus.fairness.fairness_model:FAIRNESS_MODEL",)
"""``module:name`` of ``FairnessModel`` objects, at most one a system."""


class ScriptHost(Protocol):
    """The names of a module of ``SCRIPT_HOSTS``. ``KEYWORDS`` are the words that editors colour.

    ``path`` is the file named in problems, if it is not the script's own name.
    """

    SUFFIX: str
    KEYWORDS: tuple[str, ...]

    def packaged(self) -> Sequence[MapGenerator]:
        """The generators that come with the package."""

    def from_text(self, text: str, script: str, path: str | None = None) -> MapGenerator:
        """The generator of a script of the user's own; ``script`` is its file name."""

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        """The text of a script file's bytes, and problems of the bytes."""

    def check(self, text: str, path: str | None = None) -> tuple[Problem, ...]:
        """All problems of a script, in the order of the text."""

    def named_cells(self, text: str) -> tuple[NamedCells, ...]:
        """The cells that places of a script refer to; the narrower of two places comes later."""

    def word_help(self, word: str) -> str | None:
        """Help on a word of the language, None for other words."""

    def problem_help(self, code: str) -> str | None:
        """An explanation of a problem with a script, None for other problems."""

    # The methods below are fast on any text, also unfinished ones. Places are lines and columns
    # from 1.

    def completions(self, text: str, line: int, column: int) -> tuple[Completion, ...]:
        """The words that can stand before a place of a script, the best first."""

    def help_at(self, text: str, line: int, column: int) -> str | None:
        """Help on the word at a place, None where there is none."""

    def definition(self, text: str, line: int, column: int) -> TextPlace | None:
        """The place where the label at a place was set; None if there is none."""

    def references(self, text: str, line: int, column: int) -> tuple[TextPlace, ...]:
        """The places that define or use the label at a place; none for other places."""

    def rename(self, text: str, line: int, column: int, new_name: str) -> Fix:
        """The edits that rename the label at a place everywhere. Raises ProblemError: why not."""

    def shortest_list(self, cells: Iterable[int]) -> str:
        """The shortest list of the language for exactly these cells; "" for none."""


def script_hosts() -> tuple[ScriptHost, ...]:
    """All script hosts."""
    return tuple(cast(ScriptHost, import_module(name)) for name in SCRIPT_HOSTS)


def script_host(script: str, path: str | None = None) -> ScriptHost:
    """The host of scripts with the suffix of ``script``, a file name.

    Raises ProblemError for an unknown suffix.
    """
    suffix = PurePath(script).suffix.lower()
    for host in script_hosts():
        if suffix == host.SUFFIX:
            return host
    raise error(
        "script-suffix",
        f"no system has scripts that end in {suffix or 'nothing'} "
        f"(known: {', '.join(script_suffixes())})",
        path=path,
    )


def game_hosts() -> tuple[GameHost, ...]:
    """All game hosts."""
    return tuple(cast("GameHost", import_module(name)) for name in GAME_HOSTS)


def game_host(system: System) -> GameHost | None:
    """The game host for the maps of a system, None if there is none."""
    for host in game_hosts():
        if system.name == host.SYSTEM:
            return host
    return None


def fairness_model_of(system: System) -> FairnessModel | None:
    """The fairness model of a system, None if it has none."""
    for model in cast("Iterator[FairnessModel]", _named(FAIRNESS_MODELS)):
        if model.system is system:
            return model
    return None


@cache
def generators() -> tuple[MapGenerator, ...]:
    """All packaged generators, in the order of the catalogue."""
    modules = (import_module(name) for name in GENERATORS)
    return tuple(generator for module in modules for generator in module.packaged())


def generator_named(name: str) -> MapGenerator | None:
    """The packaged generator with this name, ignoring case; None if there is none."""
    for generator in generators():
        if generator.name.lower() == name.lower():
            return generator
    return None


def generator_without_script(system: System) -> MapGenerator | None:
    """The generator of a system's maps that needs no script, None if all need one."""
    for generator in generators():
        if generator.system is system and not generator.text:
            return generator
    return None


def script_suffixes() -> tuple[str, ...]:
    """The suffixes of the scripts of all hosts."""
    return tuple(host.SUFFIX for host in script_hosts())


def generator_for_script(text: str, script: str, path: str | None = None) -> MapGenerator:
    """The generator of a script of the user's own; its suffix chooses the host.

    Raises ProblemError for an unknown suffix.
    """
    return script_host(script, path).from_text(text, script, path)


def read_script(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """The text of a script file, with its line ends, and problems of its bytes.

    Data that cannot be a script give "" and an error. Raises ProblemError for a file that cannot be
    read, and for an unknown suffix.
    """
    host = script_host(path.name, str(path))
    try:
        with path.open("rb") as file:
            data = file.read(SCRIPT_LIMIT)
    except OSError as failed:
        raise error(
            "not-read", f"{path.name} could not be read: {words_of(failed)}", path=str(path)
        ) from failed
    return host.decode(data, str(path))


def _named(entries: Iterable[str]) -> Iterator[Any]:
    for entry in entries:
        module, name = entry.split(":")
        yield getattr(import_module(module), name)


@cache
def systems() -> tuple[System, ...]:
    """All systems."""
    return tuple(_named(SYSTEMS))


def system_named(name: str) -> System | None:
    """The system with this name, None if there is none."""
    for system in systems():
        if system.name == name:
            return system
    return None


@cache
def formats() -> tuple[Format, ...]:
    """Every file format."""
    return tuple(_named(FORMATS))


def formats_of(system: System | None) -> tuple[Format, ...]:
    """The formats that hold maps of a system, the preferred one first; None: all formats."""
    return tuple(
        known
        for known in formats()
        if system is None or not known.systems or system.name in known.systems
    )


def format_named(name: str, system: System | None = None) -> Format | None:
    """The format with this name (that holds maps of ``system``), None if there is none."""
    for known in formats_of(system):
        if known.name == name:
            return known
    return None


def format_for(data: bytes, path: str) -> Format:
    """The format of a file: by its content, then by its suffix.

    Raises ProblemError if none fits.
    """
    for known in _readable():
        if known.recognises(data):
            return known
    for known in _readable():
        if Path(path).suffix.lower() in known.suffixes:
            return known
    titles = ", ".join(known.title for known in _readable())
    raise error(
        "format-unknown", f"this file is of no kind that can be read here ({titles})", path=path
    )


def _readable() -> Iterator[Format]:
    return (known for known in formats() if known.readable)
