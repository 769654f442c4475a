"""The protocols of script hosts: languages whose scripts make maps.

A host is a module (or an object) with the names of ``ScriptHost``. What helps a person to write a
script are protocols of their own: a host may have any of them, and who uses one asks for it by
``isinstance``. All their functions are fast on any text, also unfinished ones. Lines and columns
count from 1, columns in characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from randomizer.generator import MapGenerator, NamedCells
from randomizer.model.language import Completion, TextPlace
from randomizer.model.problems import Fix, Problem


class ScriptHost(Protocol):
    """What every host has. ``SUFFIXES`` are those of its scripts, lower case with the dot.

    ``path`` is the file named in problems, if it is not the script's own name.
    """

    SUFFIXES: tuple[str, ...]

    def packaged(self) -> Sequence[MapGenerator]:
        """The generators that come with the package."""

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        """The text of a script file's bytes, and problems of the bytes."""

    def check(self, text: str, path: str | None = None) -> tuple[Problem, ...]:
        """All problems of a script, in the order of the text."""

    def from_text(self, text: str, script: str, path: str | None = None) -> MapGenerator:
        """The generator of a script of the user's own; ``script`` is its file name."""


@runtime_checkable
class RecognisesScripts(Protocol):
    """A host whose scripts show by their content what they are, whatever their suffix."""

    def recognises(self, data: bytes) -> bool:
        """Whether these are certainly the first bytes of such a script."""


@runtime_checkable
class EncodesScripts(Protocol):
    """A host whose files are not UTF-8."""

    def encode(self, text: str) -> bytes:
        """The bytes of a script file; what they cannot hold becomes a question mark."""


@runtime_checkable
class HasFurtherTexts(Protocol):
    """A host whose scripts consist of several files, for instance a script and its metadata."""

    def check_texts(
        self, text: str, script: str, texts: Mapping[str, str], path: str | None = None
    ) -> tuple[Problem, ...]:
        """As ``check``, with the texts of the further files by their names."""

    def further_names(self, text: str, script: str) -> tuple[str, ...]:
        """The names of the files, in the script's folder, that belong to a script.

        Plain file names. Such a file can be absent.
        """

    def from_texts(
        self, text: str, script: str, texts: Mapping[str, str], path: str | None = None
    ) -> MapGenerator:
        """As ``from_text``, with the texts of the further files by their names."""


@runtime_checkable
class ChecksMetadata(Protocol):
    """A host with rules of its own for the metadata files of its scripts."""

    def check_metadata(self, data: bytes, path: str | None = None) -> tuple[Problem, ...]:
        """All problems of a metadata file."""


@runtime_checkable
class HasLibraryFolders(HasFurtherTexts, Protocol):
    """A host whose scripts use all scripts of folders beside them."""

    def library_folders(self, text: str) -> tuple[str, ...]:
        """The folders, relative to the script's and with ``/``, that a script or library uses.

        The texts of their files with the script's suffix are further texts of the script, by names
        such as ``folder/file.js``. A folder can be absent.
        """


@runtime_checkable
class HasLibrary(Protocol):
    """A host whose game has a directory with scripts of its own, which are not to be written."""

    def in_library(self, path: Path) -> bool:
        """Whether a file is one of the game's."""


@runtime_checkable
class HasKeywords(Protocol):
    """A host whose scripts an editor colours: ``KEYWORDS`` are the words of its language.

    ``PIECES`` finds the pieces of a line that can have a colour (``language.line_pieces``). Lines
    between one that is the first of ``RAW_LINES`` and one that is the second are shown as comments;
    None if the language has no such lines.
    """

    KEYWORDS: tuple[str, ...]
    PIECES: re.Pattern[str]
    RAW_LINES: tuple[str, str] | None


@runtime_checkable
class ShowsScripts(Protocol):
    """A host that can print what a script says; ``texts`` are its further texts by file name."""

    def shown(self, text: str, script: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Everything that a script sets, and what it prints itself, as lines."""

    def traced(self, text: str, script: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """The words of a script in the order in which they are executed, a line each."""


@runtime_checkable
class CompletesWords(Protocol):
    """A host that knows which words can follow."""

    def completions(
        self, text: str, line: int, column: int, texts: Mapping[str, str]
    ) -> tuple[Completion, ...]:
        """The words that can stand before a place of a script, the best first.

        ``texts`` are the script's further texts by file name.
        """


@runtime_checkable
class ExplainsWords(Protocol):
    """A host that explains what stands in a script."""

    def help_at(self, text: str, line: int, column: int, texts: Mapping[str, str]) -> str | None:
        """Help on the word at a place, None where there is none; ``texts`` are further texts."""


@runtime_checkable
class ExplainsProblems(Protocol):
    """A host that explains its problems."""

    def problem_help(self, code: str) -> str | None:
        """An explanation of a problem with a script, None for other problems."""


@runtime_checkable
class FindsDefinitions(Protocol):
    """A host whose language has names that a script defines."""

    def definition(self, text: str, line: int, column: int) -> TextPlace | None:
        """The place where the name at a place is defined; None if there is none."""

    def references(self, text: str, line: int, column: int) -> tuple[TextPlace, ...]:
        """The places that define or use the name at a place; none for other places."""


@runtime_checkable
class RenamesNames(FindsDefinitions, Protocol):
    """A host that can rename what a script defines."""

    def rename(self, text: str, line: int, column: int, new_name: str) -> Fix:
        """The edits that rename the name at a place everywhere. Raises ProblemError: why not."""


@runtime_checkable
class NamesCells(Protocol):
    """A host whose scripts refer to cells of the map."""

    def named_cells(self, text: str) -> tuple[NamedCells, ...]:
        """The cells that places of a script refer to; the narrower of two places comes later."""


@runtime_checkable
class WritesCells(Protocol):
    """A host that can write cells as words of its language."""

    def shortest_list(self, cells: Iterable[int]) -> str:
        """The shortest list of the language for exactly these cells; "" for none."""
