"""Everything the desk can roll with and every format it knows. A new one is a line here."""

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

if TYPE_CHECKING:  # a roll needs none of it
    from randomizer.batches.fairness import FairnessModel
    from randomizer.games import GameHost

SYSTEMS = (
    "randomizer.systems.colossus.system:SYSTEM",
    "randomizer.systems.free.system:SYSTEM",
    "randomizer.systems.cordery.system:SYSTEM",
)
"""``module:name`` of every ``battlemap.System``, in the order in which a new map offers them."""

GENERATORS = ("randomizer.systems.colossus.generator", "randomizer.systems.cordery.generator")
"""Modules whose ``packaged()`` gives the generators that come with the package."""

SCRIPT_HOSTS = ("randomizer.systems.colossus.generator",)
"""Those of them with the names of ``ScriptHost``: their generators are scripts."""

SCRIPT_LIMIT = 4_000_000
"""Of a script file no more bytes than this are read; the hosts have narrower limits."""

FORMATS = (
    "randomizer.systems.colossus.battleland.xml_reader:XML",
    "randomizer.systems.colossus.battleland.record:JSON",
    "randomizer.systems.colossus.battleland.text:TEXT",
    "randomizer.systems.cordery.table_files:TEXT",
    "randomizer.systems.cordery.table_files:JSON",
    "randomizer.storage.project:PROJECT",
)
"""``module:name`` of ``formats.Format`` objects, the one to prefer first."""

GAME_HOSTS = ("randomizer.systems.colossus.game.host",)
"""Modules with the names of ``games.GameHost``: games that load maps from their directory."""

FAIRNESS_MODELS = ("randomizer.systems.colossus.fairness.fairness_model:FAIRNESS_MODEL",)
"""``module:name`` of ``FairnessModel`` objects, at most one a system."""


class ScriptHost(Protocol):
    """What a module of ``SCRIPT_HOSTS`` offers. ``KEYWORDS`` are the words that editors colour.

    ``path`` is what problems are said of, where it is not the script's own name.
    """

    SUFFIX: str
    KEYWORDS: tuple[str, ...]

    def packaged(self) -> Sequence[MapGenerator]:
        """The generators that come with the package."""

    def from_text(self, text: str, script: str, path: str | None = None) -> MapGenerator:
        """The generator that a script of the user's own is; ``script`` is its file name."""

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        """The text of a script file's bytes, and what is odd about them."""

    def check(self, text: str, path: str | None = None) -> tuple[Problem, ...]:
        """Everything that is wrong with a script, in the order of the text."""

    def named_cells(self, text: str) -> tuple[NamedCells, ...]:
        """Which cells the places of a script are about; the narrower of two places comes later."""

    def word_help(self, word: str) -> str | None:
        """Help on a word of the language, None for other words."""

    def problem_help(self, code: str) -> str | None:
        """What is behind a problem with a script, None for other problems."""

    # What follows answers at once for any text, however half-written. Places are lines and columns
    # from 1.

    def completions(self, text: str, line: int, column: int) -> tuple[Completion, ...]:
        """What fits before a place of a script that is being written, the best first."""

    def help_at(self, text: str, line: int, column: int) -> str | None:
        """Help on the word at a place, None where there is nothing to say."""

    def definition(self, text: str, line: int, column: int) -> TextPlace | None:
        """Where the label at a place was set; None for other places and labels not set."""

    def references(self, text: str, line: int, column: int) -> tuple[TextPlace, ...]:
        """Every place that defines or uses the label at a place; none for other places."""

    def rename(self, text: str, line: int, column: int, new_name: str) -> Fix:
        """What gives the label at a place another name everywhere. Raises ProblemError: why not."""

    def shortest_list(self, cells: Iterable[int]) -> str:
        """The shortest list of the language that is just these cells; "" for none."""


def script_hosts() -> tuple[ScriptHost, ...]:
    """Every system that has scripts."""
    return tuple(cast(ScriptHost, import_module(name)) for name in SCRIPT_HOSTS)


def script_host(script: str, path: str | None = None) -> ScriptHost:
    """The system whose scripts have the suffix of ``script``, a file name.

    Raises ProblemError for a suffix that no system has.
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
    """Every game that loads maps from its directory."""
    return tuple(cast("GameHost", import_module(name)) for name in GAME_HOSTS)


def game_host(system: System) -> GameHost | None:
    """The game that plays the maps of a system, None if none is known."""
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
    """Every packaged generator, in the order of the catalogue."""
    modules = (import_module(name) for name in GENERATORS)
    return tuple(generator for module in modules for generator in module.packaged())


def generator_named(name: str) -> MapGenerator | None:
    """The packaged generator with this name, in any case of letters; None if there is none."""
    for generator in generators():
        if generator.name.lower() == name.lower():
            return generator
    return None


def generator_without_script(system: System) -> MapGenerator | None:
    """Who makes maps of a system without any script, None where scripts make them."""
    for generator in generators():
        if generator.system is system and not generator.text:
            return generator
    return None


def script_suffixes() -> tuple[str, ...]:
    """The suffixes of scripts that a generator of the catalogue hosts."""
    return tuple(host.SUFFIX for host in script_hosts())


def generator_for_script(text: str, script: str, path: str | None = None) -> MapGenerator:
    """The generator that hosts a script of the user's own; its suffix picks the host.

    Raises ProblemError for a suffix that no system has.
    """
    return script_host(script, path).from_text(text, script, path)


def read_script(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """The text of a script file, its line ends as they stand, and what is odd about its bytes.

    Data that cannot be a script give an empty text and an error. Raises ProblemError for a file
    that cannot be read, and for a suffix that no system has.
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
    """Every game or kind of map."""
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
    """The formats that hold maps of a system, the one to prefer first; None: all formats."""
    return tuple(
        known
        for known in formats()
        if system is None or not known.systems or system.name in known.systems
    )


def format_named(name: str, system: System | None = None) -> Format | None:
    """The format with this word (that holds maps of ``system``), None if there is none."""
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
