"""Reads the file of a script, and the further files that belong to the script.

    text, problems = read_script(path)
    texts = read_further_texts(path, text)     # {"mainland.json": ..., "mine/tools.js": ...}

The *further files* of a script are of two kinds. Which ones a script has tells its *host*, the
object that knows its language (``ScriptHost``)::

    maps/mainland.js        the script
    maps/mainland.json      a named file: the script, or a rule of its language, names it
    maps/mine/tools.js      a library file: the script uses the folder "mine", and with it all
    maps/mine/more.js       files in there that have the script's suffix

The text of a further file is known by the file's path relative to the script's folder.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path, PurePath
from typing import NamedTuple

from randomizer.catalog.scripts import script_host
from randomizer.model.problems import Problem, ProblemError, error, has_errors
from randomizer.reading.files import read_file, read_within
from randomizer.scripts.script_hosts import ScriptHost

SCRIPT_LIMIT = 4_000_000
"""The most bytes of a script file, and of one of unknown kind; the hosts have lower limits."""

MAX_LIBRARY_FILES = 200
"""The most library files of a script. With more, a wrong folder would be read for seconds."""

MAX_FURTHER_BYTES = 32 * 2**20
"""The most bytes of all further files of a script together; their texts are held in memory."""


def read_script(path: Path) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a script file, with its line ends, and problems of its bytes.

    Data that cannot be a script give "" and an error. Raises ProblemError for a file that cannot be
    read, and for an unknown suffix.
    """
    data = read_file(path, SCRIPT_LIMIT)
    return script_host(path.name, str(path), data).decode(data, str(path))


def encoded_script(text: str, file_name: str) -> bytes:
    """Return the bytes of a script file: UTF-8 unless the host of its suffix says otherwise.

    Raises ProblemError for an unknown suffix.
    """
    return script_host(file_name, None, text).encode(text)


def read_further_texts(path: Path, text: str, max_bytes: int = MAX_FURTHER_BYTES) -> dict[str, str]:
    """Return the texts of the further files of a script by their names, without missing files.

    ``path`` and ``text`` are those of the script. Raises ProblemError for a file that cannot be
    read, for more than ``MAX_LIBRARY_FILES``, and for more than ``max_bytes`` of all files.
    """
    host = script_host(path.name, str(path), text)
    named_files = _named_files(host, path, text)
    libraries = _find_libraries(host, path, text)
    if libraries.are_too_many:
        message = f"the folders that the script uses have more than {MAX_LIBRARY_FILES} files"
        raise error("too-many-files", message, path=str(path))

    texts: dict[str, str] = {}
    bytes_left = max_bytes
    for file in (*named_files, *libraries.files):
        if file.exists():
            data = read_within(path.parent, file, min(SCRIPT_LIMIT, bytes_left))
            bytes_left -= len(data)
            further_text, problems = host.decode(data, str(file))
            if has_errors(problems):
                raise ProblemError(problems)
            texts[further_name(path, file)] = further_text
    return texts


def further_files(path: Path, text: str) -> tuple[Path, ...]:
    """Return the further files of a script, of which named ones may be missing.

    Of too many library files these are the first ``MAX_LIBRARY_FILES``. Raises ProblemError for
    an unknown suffix.
    """
    host = script_host(path.name, str(path), text)
    return (*_named_files(host, path, text), *_find_libraries(host, path, text).files)


def further_name(path: Path, further: Path) -> str:
    """Return the name by which the text of a further file of the script at ``path`` is known."""
    return further.relative_to(path.parent).as_posix()


def is_name_in_folder(name: str) -> bool:
    r"""Return whether a name with ``/`` between its parts is of a file in or below a folder.

    True for ``mine/tools.js``; False for ``../tools.js`` and ``/tools.js``. A name with a sign that
    leads elsewhere on some operating system is refused on all, such as ``C:tools.js`` and
    ``..\tools.js``.
    """
    for part in name.split("/"):
        if part in ("", ".", "..") or not set(part).isdisjoint("\\:\0"):
            return False
    return True


def _named_files(host: ScriptHost, path: Path, text: str) -> list[Path]:
    """Return the named files of a script, which may be missing."""
    names = host.further_names(text, path.name)
    # A host promises plain names, but takes some from the text, which can be a stranger's: a name
    # with a folder, such as "../secret", is no further file.
    return [path.parent / name for name in names if PurePath(name).name == name]


class _Libraries(NamedTuple):
    """The library files of a script."""

    files: list[Path]
    """At most ``MAX_LIBRARY_FILES``: each folder's by name, one folder after the other."""

    are_too_many: bool = False
    """True if the folders have more files than that."""


def _find_libraries(host: ScriptHost, path: Path, text: str) -> _Libraries:
    """Return the library files of a script, with those that library files use.

    A script that is itself a file of an installed game has none: the host knows the game's.
    """
    files: list[Path] = []
    if host.in_library(path):
        return _Libraries(files)

    seen_folders: set[str] = set()
    unsearched_texts = [text]  # of the script and of library files: which folders do they use?
    while unsearched_texts:
        for folder in host.library_folders(unsearched_texts.pop()):
            if folder in seen_folders or not is_name_in_folder(folder):
                continue
            seen_folders.add(folder)
            for file in sorted((path.parent / folder).glob(f"*{path.suffix}")):
                if len(files) == MAX_LIBRARY_FILES:
                    return _Libraries(files, are_too_many=True)
                files.append(file)
                # The text is read only for the folders that it uses. Whoever needs the text reads
                # the file again, and reports then why it cannot be read.
                with suppress(ProblemError):
                    data = read_within(path.parent, file, SCRIPT_LIMIT)
                    library_text, _problems = host.decode(data, str(file))
                    unsearched_texts.append(library_text)
    return _Libraries(files)
