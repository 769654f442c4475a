"""The base class of file formats, which read a map from bytes and write it, and its checks.

A format is a subclass of ``Format`` that overrides some of its methods. It reports bad data as
problems and does not raise. Callers use the checked functions, which also refuse maps with values
that no map has::

    result = read_checked(map_format, data, path)
    if result.battlemap is None:
        ...  # result.problems say why, with line and column
    files = write_files_checked(map_format, battlemap, "vale.tmx")    # and the files beside it

What a format overrides, and which of the functions calls it::

    read            or, if its files refer to others, read_with          read_checked
    read_onto       if its files are no maps of their own                read_onto_checked
    write                                                                write_checked
    write_files     if its files refer to others                         write_files_checked
    write_painted   if the desk can paint the pictures of its tiles      write_files_checked
    recognises, resemblance, substitutes, check, write_batch             (called directly)

A format can come from another package. So the checked functions call it within ``answers_of``: if
something raises there, the package is named as the culprit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from randomizer.installed import answers_of
from randomizer.model.basics.plurals import counted, listed, with_article
from randomizer.model.fixtures_record import fixtures_of
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, error

NO_VIEW: Mapping[str, object] = MappingProxyType({})
NO_FILES: Mapping[str, bytes] = MappingProxyType({})

NOT_KEPT = "not-kept"
"""The code of the problems that say what a file does not keep: a person is asked before a save."""

IN_FILE = "in-file"
"""The code of the hints that say what a written file holds, such as the number of its walls."""


class Look(NamedTuple):
    """A value of a plane of a map, which a tile shows."""

    plane: str
    """The name of the plane."""
    side: int
    """The side of the cell that has the value, if the plane has sides."""
    value: int


TilePainter = Callable[[BattleMap, Sequence[Look | None], int, int], bytes]
"""Returns a PNG of what cells show, in pictures of ``width`` x ``height`` pixels; None is clear.

Rows have ``interchange.tile_pictures.COLUMNS`` pictures.
"""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading a file."""

    battlemap: BattleMap | None
    """The map; None if the file could not be read."""
    problems: tuple[Problem, ...] = ()
    """The problems of the file. A map can have errors: it was read completely, but its game would
    not load it."""
    view: Mapping[str, object] = field(default_factory=lambda: NO_VIEW)
    """The view of the map when it was saved, in the format of the program that saved it."""
    adds_records: bool = False
    """True for a file without a map of its own (``Format.read_onto``): its records take the place
    of those of the open map."""
    missing: tuple[str, ...] = ()
    """The files that it refers to and that were not read, as it names them: they are used if they
    are given to ``Format.read_with``."""


class NamedMaps(NamedTuple):
    """The maps that a file names, which are opened in its place."""

    title: str
    """The kind of the file: a world, a scenario."""
    paths: tuple[Path, ...]
    """The files of the maps."""
    problems: tuple[Problem, ...]
    """A problem for each map that is not there."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a rolled map. A format stores as much of it as it can."""

    seed: int
    number: int | None
    """The number of the map under the seed; None for one that no seed and number make again."""
    words: str
    """All of it as words for people, such as the generator and its settings."""


class Purpose(IntEnum):
    """The purpose of writing a file of a format; formats are offered in this order."""

    GAME = 0
    """They are loaded by the game whose maps they hold."""
    PROGRAM = 1
    """They are opened by another program."""
    TABLE = 2
    """They are loaded by virtual tables, which need a picture of the map as well: the desk exports
    them in a dialog of their own."""
    DATA = 3
    """They are read by people and scripts."""


class Format:
    """The base class of file formats, of which the catalogue lists one object each.

    A format has no state. A file is recognised by its content first, then by its suffix.
    """

    # --- what every subclass gives ----------------------------------------------------------

    name: str
    """Its name on the command line."""
    title: str
    """Its name for people, such as "Tiled map"."""
    suffixes: tuple[str, ...]
    """The endings of its files' names, lower case with the dot."""
    largest: int
    """The largest size of a file in bytes; of a larger file nothing is read."""

    # --- what a subclass may give -----------------------------------------------------------

    systems: tuple[str, ...] = ()
    """The names of the systems whose maps it holds; empty for all systems."""
    readable: bool = True
    writable: bool = True
    joint: bytes | None = None
    """The bytes between two maps in one file; None if a file holds only one map."""
    encoding: str = ""
    """The encoding of files of text, whose problems can be fixed; "" for other files."""
    version: str = ""
    """The version of the game (``games.GameHost.versions``) that reads its files, if these are
    scripts that make the map anew; "" for files that are maps only.
    """
    foreign: bool = False
    """True for files of a program whose own kind of map is no system here: it is never the format
    that is proposed for a map."""
    purpose: Purpose = Purpose.DATA
    location: str = ""
    """A sentence with the folder in which its program looks for such files; "" for any folder."""
    writes_batches: bool = False
    """True if it overrides ``write_batch``."""
    keeps_layers: bool = False
    """True if its files hold the layers of a map, not one layer that shows the same."""
    nouns_beside: Mapping[str, str] = MappingProxyType({})
    """Nouns for the files that its files refer to, by suffix."""

    # --- recognising ------------------------------------------------------------------------

    def recognises(self, data: bytes) -> bool:
        """Return whether these are certainly the bytes of such a file; its first 64 kB are
        enough.
        """
        raise NotImplementedError

    def resemblance(self, _data: bytes) -> float:
        """Return how like such a file these bytes are, 0 to 1.

        A file that no format recognises is read by the most similar one, which then says what is
        wrong with it.
        """
        return 0.0

    # --- reading ----------------------------------------------------------------------------

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Read the map that ``data`` holds, as one layer. Never raises for bad data."""
        raise NotImplementedError

    def read_with(self, data: bytes, path: str | None, _given: Mapping[str, bytes]) -> ReadResult:
        """Read as ``read``; ``_given`` are files that it refers to, by the names that it uses."""
        return self.read(data, path)

    def substitutes(self, _name: str) -> Mapping[str, bytes]:
        """Return what could be given for a missing file that it refers to, by titles."""
        return NO_FILES

    def read_onto(
        self, _data: bytes, _path: str | None, _battlemap: BattleMap
    ) -> ReadResult | None:
        """Read a file without a map of its own for an open map, on whose grid the result is.

        None: such files are maps themselves, or cannot be read. Raises ProblemError for a file that
        does not fit that map.
        """
        return None

    # --- writing ----------------------------------------------------------------------------

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Write the visible layers of a map. Raises ProblemError if they cannot be written."""
        raise NotImplementedError

    def write_files(
        self, battlemap: BattleMap, name: str, provenance: Provenance | None = None
    ) -> Mapping[str, bytes]:
        """Return all files of a map that is saved as ``name``, by plain file name.

        They are the file ``name`` and those that it refers to. Raises ProblemError if it cannot be
        written.
        """
        return {name: self.write(battlemap, provenance)}

    def write_painted(
        self, battlemap: BattleMap, name: str, _painter: TilePainter
    ) -> Mapping[str, bytes]:
        """Write as ``write_files``, with tiles painted by another painter than the core's.

        The desk writes so, and never with a provenance.
        """
        return self.write_files(battlemap, name)

    def write_batch(self, batch: Any, properties: Sequence[Mapping[str, object]]) -> bytes:
        """Return the maps of a ``Batch`` in a row, each as ``write`` gives it with its provenance.

        ``properties`` are those of ``BatchGenerator.batch_properties``. No map may have failed.
        """
        raise NotImplementedError

    def check(self, _battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of its game."""
        return ()


class TextFormat(Format):
    """The format ``text``, for people; it cannot be read back.

    ``text_of`` gives a map's visible layers, flattened, as lines; ``problems_of`` is ``check``.
    """

    name = "text"
    suffixes = (".txt",)
    readable = False
    joint: bytes | None = b"\n"
    largest = 0

    def __init__(
        self,
        title: str,
        systems: tuple[str, ...],
        text_of: Callable[[BattleMap], str],
        problems_of: Callable[[BattleMap], tuple[Problem, ...]],
    ) -> None:
        self.title = title
        self.systems = systems
        self.text_of = text_of
        self.problems_of = problems_of

    def recognises(self, _data: bytes) -> bool:
        """Return False: text is not read back."""
        return False

    def read(self, _data: bytes, path: str | None = None) -> ReadResult:
        """Return no map but a problem: text is not read back."""
        message = "A map written as text cannot be read"
        return ReadResult(None, (Problem(Severity.ERROR, "write-only", message, path),))

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the text in UTF-8; the provenance is the last line."""
        refuse_other_systems(self, battlemap)
        text = self.text_of(battlemap)
        kinds = Counter(thing.kind for thing in battlemap.visible_things())
        if kinds:
            counts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
            text += f"\nThings: {counts}\n"
        if provenance is not None:
            text += f"\n{provenance.words}\n"
        return text.encode("utf-8", "replace")

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of its game."""
        return self.problems_of(battlemap)


# --- what formats lose ----------------------------------------------------------------------------


def lost_things(map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the hints on what a map loses in a format that has neither things nor fixtures.

    Fixtures are walls, doors and lights of a virtual table. Things count if they are visible.
    """
    thing_count = sum(1 for _thing in battlemap.visible_things())
    hints = lost_fixtures(map_format, battlemap)
    if not thing_count:
        return hints
    return (_lost(counted(thing_count, "placed thing"), map_format), *hints)


def lost_fixtures(map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the hint on the fixtures that a map loses in a format without them, () for none."""
    counts = fixtures_of(battlemap.records).counts_by_noun()
    if not counts:
        return ()
    counted_nouns = [counted(count, noun) for noun, count in sorted(counts.items())]
    return (_lost(listed(counted_nouns), map_format),)


def _lost(noun: str, map_format: Format) -> Problem:
    """Return the hint that a format does not keep what ``noun`` names."""
    message = f"{noun}: the format “{map_format.title}” has none"
    return Problem(Severity.HINT, NOT_KEPT, message)


# --- checked reading and writing ------------------------------------------------------------------


def read_checked(
    map_format: Format, data: bytes, path: str | None = None, files: Mapping[str, bytes] = NO_FILES
) -> ReadResult:
    """Return the result of ``Format.read_with``; a map with values that no map has is refused."""
    with answers_of(map_format):
        result = map_format.read_with(data, path, files)
        # Layers of a project say themselves whether they came from a file.
        if result.battlemap is not None and not map_format.keeps_layers:
            for layer in result.battlemap.layers:
                layer.from_file = True
        return _checked(result, path)


def read_onto_checked(
    map_format: Format, data: bytes, path: str | None, battlemap: BattleMap
) -> ReadResult | None:
    """Return the result of ``Format.read_onto``; values that no map has are refused."""
    with answers_of(map_format):
        result = map_format.read_onto(data, path, battlemap)
        if result is None:
            return None
        return _checked(result, path)


def _checked(result: ReadResult, path: str | None) -> ReadResult:
    """Return a result, or one without a map if that has values that no map has."""
    if result.battlemap is not None:
        try:
            check_map(result.battlemap)
        except ProblemError as refused:
            return ReadResult(None, tuple(problem.at_path(path) for problem in refused.problems))
    return result


def write_checked(
    map_format: Format, battlemap: BattleMap, provenance: Provenance | None = None
) -> bytes:
    """Return the bytes of ``Format.write``, proven readable.

    Raises ProblemError for a map with values that no map has, and for one that could not be read
    back.
    """
    check_map(battlemap)
    with answers_of(map_format):
        data = map_format.write(battlemap, provenance)
        _prove(map_format, data, NO_FILES)
    return data


def write_files_checked(
    map_format: Format,
    battlemap: BattleMap,
    name: str,
    provenance: Provenance | None = None,
    painter: TilePainter | None = None,
) -> dict[str, bytes]:
    """Return the checked file ``name``, and those that the format writes beside it.

    ``painter`` paints the pictures of tiles; None: plainly, as the core can. Only one of it and the
    provenance can be given. Raises ProblemError as ``write_checked``.
    """
    assert provenance is None or painter is None, "painted files have no provenance"
    check_map(battlemap)
    with answers_of(map_format):
        if painter is None:
            files = dict(map_format.write_files(battlemap, name, provenance))
        else:
            files = dict(map_format.write_painted(battlemap, name, painter))
        _prove(map_format, files[name], files)
    return files


def _prove(map_format: Format, data: bytes, files: Mapping[str, bytes]) -> None:
    """Raise ProblemError if a written file could not be read back with those beside it."""
    if not map_format.readable:
        return
    result = read_checked(map_format, data, None, files)
    if result.battlemap is None:
        raise ProblemError(result.problems)


# --- for formats ----------------------------------------------------------------------------------


def share_of_names(data: bytes, names: Collection[str]) -> float:
    """Return the share of the names (0 to 1) that stand in a text of JSON; 0 if it is no object.

    For ``Format.resemblance`` of formats in JSON: ``names`` are those of the members of its files.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return 0.0
    return sum(f'"{name}"'.encode() in data for name in names) / len(names)


def can_write(map_format: Format, battlemap: BattleMap) -> bool:
    """Return whether a format holds maps of this system."""
    return map_format.writable and (
        not map_format.systems or battlemap.system.name in map_format.systems
    )


def refuse_other_systems(map_format: Format, battlemap: BattleMap) -> None:
    """Raise ProblemError for a map of a system that the format does not hold."""
    if not can_write(map_format, battlemap):
        title = battlemap.system.title
        raise error(
            "other-system",
            f"{with_article(map_format.title)} cannot hold {with_article(title)}: "
            "nothing was written",
        )
