"""Files of scripts: their texts, and the texts of the further files that belong to each.

    text, problems = read_script(path)
    texts = read_further_texts(path, text)     # such as {"mainland.json": ...}, by file name

The *further files* of a script are those that it names, such as its metadata, and the *library*
files: all scripts in folders beside it that it uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from randomizer.catalog.scripts import script_host
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.reading.files import read_file, read_within
from randomizer.scripts.script_hosts import ScriptHost

SCRIPT_LIMIT = 4_000_000
"""The most bytes of a script file, and of one of unknown kind; the hosts have lower limits."""

MOST_LIBRARY_FILES = 200
"""The most files that are read of all folders that a script uses together."""

LARGEST_LIBRARIES = 32 * 2**20
"""The most bytes of all files that belong to a script together."""


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
