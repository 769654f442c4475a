"""``ScriptHost``: the scripts of one language that make maps, as files and as generators.

There is a host for each such language; ``catalog.SCRIPT_HOSTS`` names them, and the catalogue, the
desk and the command line ask them by the suffix of a file. A host is made to be offered, so its
module imports nothing slow: what it needs is imported when it is asked for. Its ``language`` knows
the texts of its scripts: tokens, completion and their like.

A *further file* is one beside a script that belongs to it, such as its metadata.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import Problem, Severity, apply_fixes
from randomizer.model.settings.metadata import check_metadata

# A generator needs all that rolls, and a host is only asked for one when a script is rolled.
if TYPE_CHECKING:
    from randomizer.generator import MapGenerator

MAX_FIXES = 1000
"""The most fixes that are applied one after the other. With more, a text of mistakes only would be
checked for minutes."""


class Skeleton(NamedTuple):
    """The short commented script with which a person begins a script of their own.

    It can be rolled as it is, and its comments say what to change.
    """

    title: str
    """The text of the command that begins such a script, with an access key."""

    words: str
    """Words by which a person would look for the command, with blanks between them."""

    script: SourceText
    """The script with its further texts; its name is that of a script without a file."""


def read_skeleton(package: str, script: str, *further: str) -> SourceText:
    """Return the script of a ``Skeleton`` with its ``further`` files.

    They are in the folder ``skeleton`` of the package.
    """
    folder = files(package) / "skeleton"
    texts = {name: folder.joinpath(name).read_text("utf-8") for name in further}
    return SourceText(folder.joinpath(script).read_text("utf-8"), script, texts)


class ScriptHost(ABC):
    """The defaults of a host; a host overrides what is different for its scripts."""

    suffixes: tuple[str, ...]
    """The suffixes of its scripts, in lower case with the dot, the usual one first."""

    system = ""
    """The system of its maps, if its scripts have metadata; else ""."""

    @property
    @abstractmethod
    def language(self) -> Language:
        """The language of the scripts."""

    @abstractmethod
    def packaged(self) -> Sequence[MapGenerator]:
        """Return the generators that come with the package."""

    @abstractmethod
    def generator(self, source: SourceText) -> MapGenerator:
        """Return the generator of a script of the user's own."""

    def skeleton(self) -> Skeleton | None:
        """Return the text with which a new script begins; None if this language has none."""
        return None

    def recognises(self, data: bytes) -> bool:
        """Return whether these first bytes of a file are certainly those of such a script.

        The suffix of the file does not matter.
        """
        return False

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        """Return the text of a script file's bytes, and problems of the bytes.

        By default the text is UTF-8; "" if the bytes are no text. ``path`` is that of the problems.
        """
        try:
            return data.decode("utf-8-sig"), ()
        except UnicodeDecodeError:
            message = "this script is no UTF-8 text"
            return "", (Problem(Severity.ERROR, "script-bytes", message, path),)

    def encode(self, text: str) -> bytes:
        """Return the bytes of a script file; what they cannot hold becomes a question mark."""
        return text.encode("utf-8", "replace")

    def further_names(self, text: str, script: str) -> tuple[str, ...]:
        """Return the names of the further files of a script called ``script``.

        They are plain names in the script's folder. Such a file can be absent.
        """
        return ()

    def renamed_further_text(self, text: str, old_script: str, new_script: str) -> str:
        """Return the text of a further file after its script has got another file name.

        Metadata, for instance, name the script.
        """
        return text

    def library_folders(self, text: str) -> tuple[str, ...]:
        """Return the folders that a script or a library uses, relative to the script's, with ``/``.

        The texts of their files with the script's suffix are further texts of the script, by names
        such as ``folder/file.js``. A folder can be absent.
        """
        return ()

    # --- scripts of installed games ---------------------------------------------------------
    #
    # A language whose game has scripts of its own overrides all of these together.

    def entries(self) -> Iterable[Any]:
        """Yield a ``CatalogEntry`` for each script of the games that are installed.

        For a file that cannot be read a Problem is yielded. (The annotation cannot say so: the
        module of the catalogue stands above this one.) Games are also sought in
        ``script_folders.folders``. It can be slow.
        """
        return ()

    def reason_without_scripts(self) -> str:
        """Return the sentence that no game was found, "" if one was or none is needed.

        It can be slow.
        """
        return ""

    def is_mod(self, folder: Path) -> bool:
        """Return whether ``entries`` reads a folder that the user added: a game or a mod."""
        return False

    def in_library(self, path: Path) -> bool:
        """Return whether a file is one of the game's own, which must not be overwritten."""
        return False

    def has_script(self, script: str, text: str) -> bool:
        """Return whether the game has a script of this file name with exactly this text."""
        return False

    # --- problems and fixes -----------------------------------------------------------------

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems of a script; of a game's own no hints, which are for its author."""
        problems = self.language.check(source)
        graver_problems = []
        for problem in problems:
            if problem.severity is not Severity.HINT:
                graver_problems.append(problem)
        has_hints = len(graver_problems) < len(problems)
        # Asked last, since the files of the game may have to be read for it.
        if has_hints and self.has_script(source.name, source.text):
            return tuple(graver_problems)
        return problems

    def roll_errors(self, source: SourceText) -> tuple[Problem, ...]:
        """Return the errors with which the desk rolls no map, although some maps could be made.

        An error that stops every roll is left to the generator.
        """
        return ()

    def fix(self, source: SourceText) -> str:
        """Return the text of a script after the likeliest fixes of its problems.

        One mistake can have many problems, of which those that follow from it have fixes that
        would damage a good text. So the first problem is fixed alone and the text checked again,
        as long as each fix leaves less to mend.
        """
        problems = self.check(source)
        for _number in range(MAX_FIXES):
            fixed = self._fix_first(source, problems)
            if fixed is None:
                break
            source, problems = fixed
        return source.text

    def _fix_first(
        self, source: SourceText, problems: Sequence[Problem]
    ) -> tuple[SourceText, tuple[Problem, ...]] | None:
        """Return a script after the fix of its first problem that has one, and its problems then.

        None if no problem has a fix, or if the fix leaves as much to mend. But a hint whose fix
        does not help is passed over, since no other problem follows from a hint.
        """
        for problem in sorted(problems, key=_position):
            if problem.fix is None or problem.path not in (None, source.path):
                continue
            fixed_source = source._replace(text=apply_fixes(source.text, [problem.fix]))
            if fixed_source.text == source.text:
                continue
            problems_left = self.check(fixed_source)
            if _has_helped(problems, problems_left):
                return fixed_source, problems_left
            if problem.severity is not Severity.HINT:
                return None
        return None

    def check_metadata(self, data: bytes, path: str | None = None) -> tuple[Problem, ...]:
        """Return all problems of the metadata file of a script."""
        return check_metadata(data, path)[1]


def _position(problem: Problem) -> tuple[int, int]:
    """Return the key by which problems are fixed: those of a whole file come first."""
    return problem.line or 0, problem.column or 0


def _has_helped(problems: Sequence[Problem], problems_left: Sequence[Problem]) -> bool:
    """Return whether a fix left less to mend: fewer errors, else fewer warnings, else fewer hints.

    Where there was one error, and still are any, the fix has helped if they are all farther down:
    many readers stop at the first error, and know of no other.
    """
    errors_left = _of_severity(problems_left, Severity.ERROR)
    errors = _of_severity(problems, Severity.ERROR)
    if len(errors) == 1 and errors_left:
        return min(map(_position, errors_left)) > _position(errors[0])
    return _counts(problems_left) < _counts(problems)


def _of_severity(problems: Sequence[Problem], severity: Severity) -> list[Problem]:
    return [problem for problem in problems if problem.severity is severity]


def _counts(problems: Sequence[Problem]) -> list[int]:
    """Return how many errors, warnings and hints there are."""
    return [len(_of_severity(problems, severity)) for severity in Severity]
