"""The base class of file formats, which read a map from bytes and write it.

A format is a subclass of ``Format`` that overrides some of its methods. It reports bad data as
problems and does not raise. What a format overrides, and which of the functions in
``formats.checked`` calls it::

    read            or, if its files refer to others, read_with          read_checked
    read_onto       if its files are no maps of their own                read_onto_checked
    write                                                                write_checked
    write_files     if its files refer to others                         write_files_checked
    write_painted   if the desk can paint the pictures of its tiles      write_files_checked
    recognises, resemblance, substitutes, check, write_batch             (called directly)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from randomizer.formats.provenance import Provenance
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.formats.tile_looks import TilePainter
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem


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

    def resemblance(self, data: bytes) -> float:
        """Return how like such a file these bytes are, 0 to 1.

        A file that no format recognises is read by the most similar one, which then says what is
        wrong with it.
        """
        return 0.0

    # --- reading ----------------------------------------------------------------------------

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Read the map that ``data`` holds, as one layer. Never raises for bad data."""
        raise NotImplementedError

    def read_with(self, data: bytes, path: str | None, given: Mapping[str, bytes]) -> ReadResult:
        """Read as ``read``; ``given`` are files that it refers to, by the names that it uses."""
        return self.read(data, path)

    def substitutes(self, name: str) -> Mapping[str, bytes]:
        """Return what could be given for a missing file that it refers to, by titles."""
        return NO_FILES

    def read_onto(self, data: bytes, path: str | None, battlemap: BattleMap) -> ReadResult | None:
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
        self, battlemap: BattleMap, name: str, painter: TilePainter
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

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of its game."""
        return ()
