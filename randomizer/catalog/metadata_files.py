"""Reads metadata files of scripts: each is an entry of the catalogue.

A *metadata file* is a JSON file beside a script, with its title, description and settings::

    maps/mainland.js
    maps/mainland.json      {"settings": {"Name": "Mainland", "Script": "mainland.js", ...}}

    metadata_entry(Path("maps/mainland.json"))      # a CatalogEntry; the script is not read yet
    folder_entries(Path("maps"))                    # those of all metadata files in a folder

Several metadata files can name the same script: each is an entry of its own. A script in Python is
never run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from glob import escape
from pathlib import Path, PurePath

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.file_kinds import is_metadata_file
from randomizer.catalog.script_files import further_files, read_further_texts, read_script
from randomizer.catalog.scripts import generator_for_script, script_host
from randomizer.generator import MapGenerator
from randomizer.languages.language import SourceText
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity, error, has_errors
from randomizer.model.settings.metadata import LARGEST_METADATA, read_metadata
from randomizer.model.system.system import System
from randomizer.reading.files import is_within, read_file, read_within
from randomizer.scripts import script_folders

LARGEST_PICTURE = 4 * 2**20
"""The most bytes of a picture of a script."""


def folder_entries(folder: Path) -> Iterator[CatalogEntry | Problem]:
    """Yield the scripts that metadata files in a folder name; the scripts are in the same folder.

    A JSON file without ``settings`` is another kind of file, unless there is a script of its name.
    """
    try:
        files = sorted(folder.iterdir())
    except OSError as reason:
        message = f"{folder} could not be read: {words_of(reason)}"
        yield Problem(Severity.ERROR, "not-read", message, str(folder))
        return
    for path in files:
        if path.suffix.lower() != ".json" or not path.is_file():
            continue
        try:
            entry = metadata_entry(path)
        except ProblemError as reason:
            yield from reason.problems
        else:
            if entry is not None:
                yield entry


def entry_of_file(path: Path) -> CatalogEntry | None:
    """Return the entry of a file if that is a script's metadata, None for any other file.

    Raises ProblemError for metadata whose script cannot be rolled.
    """
    if path.suffix.lower() != ".json":
        return None
    try:
        data = read_file(path, LARGEST_METADATA)
    except ProblemError:  # the file is then opened as a map, which says why it cannot be read
        return None
    if is_metadata_file(data):
        return metadata_entry(path)
    return None


def metadata_entry(path: Path) -> CatalogEntry | None:
    """Return the entry of a metadata file, None for JSON of another kind. Raises ProblemError.

    The script lies in the same folder.
    """
    data = _read(path)
    try:
        metadata = read_metadata(data, str(path))
    except ProblemError as reason:
        # JSON without settings is another kind of file, unless a file beside it, perhaps a script,
        # has the same name: then settings are forgotten.
        lacks_only_settings = all(
            problem.code == "metadata-settings" for problem in reason.problems
        )
        files_of_name = set(path.parent.glob(f"{escape(path.stem)}.*")) - {path}
        if lacks_only_settings and not files_of_name:
            return None
        raise
    script, system = _script_beside(path, metadata.script)
    return CatalogEntry(
        system,
        metadata,
        generator=partial(_generator_of, script, path),
        origin=script_folders.YOURS,
        path=str(path),
        preview=partial(_picture, path.parent, metadata.preview),
        script=script,
    )


def _script_beside(metadata_path: Path, name: str) -> tuple[Path, System]:
    """Return the path of the script that a metadata file names, and the system of its maps.

    Raises ProblemError for a script in another folder, in Python, of no known game, or missing.
    """
    folder = metadata_path.parent
    script = folder / name
    file_name = str(metadata_path)
    has_folder = PurePath(name).name != name
    if has_folder or not is_within(folder, script):  # a link can lead elsewhere
        message = f"{name} is not beside {metadata_path.name}"
        raise error("script-place", message, path=file_name)
    if script.suffix.lower() == ".py":
        message = f"{script.name} is Python: it is run only from an installed package"
        raise error("script-python", message, path=file_name)
    host = script_host(name, file_name)
    if not script.is_file():
        message = f"{metadata_path.name} names {name}, which is not in this folder"
        raise error("script-missing", message, path=file_name)
    # The generator of an empty text tells the system; the script itself is not read yet.
    system = host.generator(SourceText("", name)).system
    return script, system


def _generator_of(script: Path, path: Path) -> MapGenerator:
    """Return the generator of a script with the metadata file at ``path``, whatever its name.

    Raises ProblemError if one of the files cannot be read or has errors.
    """
    text, problems = read_script(script)
    if has_errors(problems):
        raise ProblemError(problems)

    # A host that reads metadata itself looks for the file that is called like the script: of
    # mainland.js for mainland.json. Whatever the name of the file at ``path`` is, the host gets its
    # content under that name.
    texts = read_further_texts(script, text)
    metadata_bytes = _read(path)
    metadata = read_metadata(metadata_bytes, str(path))  # from here on it is known to be UTF-8
    usual_metadata_path = script.with_suffix(".json")
    if usual_metadata_path in further_files(script, text):
        texts[usual_metadata_path.name] = metadata_bytes.decode("utf-8-sig")

    generator = generator_for_script(text, script.name, texts=texts, path=str(script))
    generator.metadata = metadata
    # The host has located problems of the metadata in the file of that name.
    problems = generator.metadata_problems
    generator.metadata_problems = tuple(problem.at_path(str(path)) for problem in problems)
    return generator


def _picture(folder: Path, name: str | None) -> bytes | None:
    """Return the bytes of a picture in a folder; None if it is not there or has no name."""
    path = folder / PurePath(name or "").name
    if path.is_file():
        return read_within(folder, path, LARGEST_PICTURE)
    return None


def _read(path: Path) -> bytes:
    """Return the bytes of a metadata file. Raises ProblemError."""
    return read_file(path, LARGEST_METADATA)
