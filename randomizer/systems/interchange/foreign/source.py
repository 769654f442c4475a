"""A file of another program while it is read, with the files that it refers to.

``Codec.read`` makes a ``Source`` of the bytes that a user opens. A reader takes its text, and asks
for the files that it names, such as a tileset:

    source = Source(data, "/home/ann/maps/moor.tmx")
    source.text                                                      # ProblemError if not UTF-8
    picture = source.beside("tiles/forest.png", {".png"}, problems)  # its bytes, or None

The files that were read become part of the map (``original.store_original``), so that the map can
be written again where these files are not.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path, PurePosixPath

from randomizer.formats.results import NO_FILES
from randomizer.model.problems import Problem, ProblemError, line_starts
from randomizer.model.records.assets import LARGEST_ASSETS, LARGEST_PICTURE
from randomizer.reading.files import read_within
from randomizer.systems.interchange.foreign.faults import fault, warning

_MAX_FOLDERS_UP = 2
"""The folders above its own in which a file can name others.

Files come from strangers: with more, one could make us read any file of the user.
"""


class Source:
    """A file of another program with the files that it refers to, for as long as it is read."""

    def __init__(
        self, data: bytes = b"", path: str | None = None, files: Mapping[str, bytes] = NO_FILES
    ) -> None:
        self.data = data
        """The bytes of the file."""
        self.path = path
        """The path of the file; None if it is in no folder, so that no other file can be read."""
        self.files = dict(files)
        """The bytes of the files that it refers to, by the names that it uses.

        They are those that the caller gave, and those that were read so far.
        """
        self.missing = dict[str, None]()
        """The names of files that could not be read, in the order of the attempts.

        It is a dict instead of a set, which has no order; the values mean nothing.
        """

    @property
    def text(self) -> str:
        """The file as text, without a byte order mark. Raises ProblemError if it is no UTF-8."""
        return decoded(self.data)

    def lines(self) -> list[str]:
        """Return the lines of the file with their ends. Raises ProblemError if it is no UTF-8."""
        return lines_of(self.text)

    def encoded(self, text: str) -> bytes:
        """Return a text in UTF-8, with a byte order mark if this file has one."""
        encoded_text = text.encode()
        if self.data.startswith(BOM_UTF8):
            return BOM_UTF8 + encoded_text
        return encoded_text

    def beside(self, name: str, suffixes: Collection[str], problems: list[Problem]) -> bytes | None:
        """Return the bytes of the file that this one calls ``name``.

        ``name`` is a path from the folder of this file. It may lead up and down again, such as
        "../tiles/forest.png", but at most ``_MAX_FOLDERS_UP``. It may not lead through a link out
        of the highest folder. It must end in one of ``suffixes`` (lower case, with the dot). For
        every other name, and for a file that cannot be read, the result is None, and ``problems``
        gets a warning the first time. The bytes are remembered in ``files``.
        """
        if name in self.files:
            return self.files[name]
        if name in self.missing:
            return None
        try:
            self.files[name] = self._read_beside(name, suffixes)
        except ProblemError as failed:
            self.missing[name] = None
            problems.append(warning(f"{name!r:.80} is not used: {failed.problems[0].message}"))
            return None
        return self.files[name]

    def _read_beside(self, name: str, suffixes: Collection[str]) -> bytes:
        """Return the bytes of a file, as ``beside`` says. Raises ProblemError if it is not read."""
        reference = PurePosixPath(name.replace("\\", "/"))
        if reference.suffix.lower() not in suffixes:
            raise fault(f"only {', '.join(sorted(suffixes))} are read", 1)
        if ":" in name or "\0" in name or reference.is_absolute():
            raise fault("it is no file beside this one", 1)
        if self.path is None:
            raise fault("it is not known where it is", 1)
        # A map keeps all of these files as assets, whose sum is limited.
        bytes_left = LARGEST_ASSETS - len(self.data) - sum(map(len, self.files.values()))
        max_bytes = max(0, min(LARGEST_PICTURE, bytes_left))
        folder = Path(self.path).absolute().parent
        highest_folder = folder
        for parent in folder.parents[:_MAX_FOLDERS_UP]:  # there can be fewer
            highest_folder = parent
        path = Path(os.path.normpath(folder / reference))
        return read_within(highest_folder, path, max_bytes)


NO_SOURCE = Source()
"""The source of a map that does not come from a file of the program."""


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8. Raises ProblemError with the line of the first fault."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failed:
        line = data.count(b"\n", 0, failed.start) + 1
        raise fault("this is no UTF-8 text", line) from failed


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends; nothing follows the last line end."""
    borders = [*line_starts(text), len(text)]
    return [text[start:end] for start, end in pairwise(borders) if start < end]
