"""The catalogue of scripts: everything with a metadata file that makes maps, of all systems.

A *metadata file* is a JSON file beside a script, with its title, description and settings. The
catalogue has the packaged generators, the scripts in folders that the user added
(``script_folders``), and those of installed games. The gallery of the desk shows it, and the
command line looks names up in it::

    for entry in entries():
        if isinstance(entry, CatalogEntry):     # else a Problem: a file that cannot be read
            generator = entry.generator()       # only now the script itself is read

Only scripts of a *script host* (a game whose scripts can be read here) are read from folders: a
Python file found there is never run. Reading can be slow: programs with a window call ``entries``
off the UI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from glob import escape
from pathlib import Path, PurePath

from randomizer.catalog.file_kinds import is_metadata_file
from randomizer.catalog.generators import generators, listed_generators
from randomizer.catalog.script_files import further_files, read_further_texts, read_script
from randomizer.catalog.scripts import generator_for_script, script_host, script_hosts, skeletons
from randomizer.catalog.systems import systems
from randomizer.generator import MapGenerator
from randomizer.installed import Guard
from randomizer.languages.language import SourceText
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity, error, has_errors
from randomizer.model.settings.metadata import LARGEST_METADATA, Metadata, read_metadata
from randomizer.model.system.system import System
from randomizer.reading.files import is_within, read_file, read_within
from randomizer.scripts import script_folders
from randomizer.scripts.script_hosts import ScriptHost

PACKAGED = "Battlelands Builder"
"""The origin of packaged generators."""

HIDDEN = "hidden"
"""The keyword in a script's metadata by which lists leave it out."""

LARGEST_PICTURE = 4 * 2**20
"""The most bytes of a picture of a script."""


@dataclass(frozen=True, eq=False)
class CatalogEntry:
    """A script with one metadata file; the same script with another one is another entry."""

    system: System
    """The system of the maps that it makes."""

    metadata: Metadata

    generator: Callable[[], MapGenerator]
    """Reads the script and returns its generator; it can be slow, and raises ProblemError."""

    origin: str = PACKAGED
    """Where it comes from, as it is shown: this program, the user's folders, a game."""

    path: str = ""
    """The path of the metadata file; "" for a packaged generator."""

    preview: Callable[[], bytes | None] = lambda: None
    """Returns a picture (PNG), None if there is none; it can be slow."""

    preview_part: tuple[int, int] | None = None
    """The width and height, in pixels, of the left upper part of the picture, which alone is shown.

    None: the whole picture is shown.
    """

    script: Path | None = None
    """The file of a script that the user may change; None for others."""

    @property
    def key(self) -> tuple[str, str, str]:
        """System, origin, and path or name: different for every entry."""
        return self.system.name, self.origin, self.path or self.metadata.name

    @property
    def hidden(self) -> bool:
        """True if lists of scripts leave it out."""
        return HIDDEN in self.metadata.keywords

    def matches(self, words: str) -> bool:
        """Return whether a search for some words, with blanks between them, finds the entry.

        All of them must occur in name, description, keywords or origin, in any case.
        """
        metadata = self.metadata
        text = " ".join((metadata.name, metadata.description, *metadata.keywords, self.origin))
        return _has_all(text, words)

    def is_called(self, words: str) -> bool:
        """Return whether all words, in any case, occur in the name."""
        return _has_all(self.metadata.name, words)


def _has_all(text: str, words: str) -> bool:
    """Return whether a text has all words, in any case; they have blanks between them."""
    return all(word in text.lower() for word in words.lower().split())


def packaged_entries(system: System | None = None) -> tuple[CatalogEntry, ...]:
    """Return the entries of the packaged generators of a system, None: of all systems."""
    if system is None:
        packaged_generators = generators()
    else:
        packaged_generators = listed_generators(system)
    packaged = []
    for generator in packaged_generators:
        entry = CatalogEntry(
            generator.system,
            generator.metadata,
            generator=partial(_read_already, generator),
            preview=generator.preview,
        )
        packaged.append(entry)
    return tuple(packaged)


def skeleton_entries(system: System) -> tuple[CatalogEntry, ...]:
    """Return the entries of the scripts that a person begins with; () where maps hold none.

    Only a map that holds its script can begin as one that is rolled from a script without a file.
    """
    if not system.script_record:
        return ()
    skeletons_of_system = []
    for skeleton in skeletons():
        source = skeleton.script
        generator = generator_for_script(source.text, source.name, texts=source.texts)
        if generator.system is system:
            description = (
                f"A {system.script_noun} of your own: a short one with comments, to be changed."
            )
            metadata = Metadata(f"New {system.script_noun}", source.name, description)
            entry = CatalogEntry(system, metadata, partial(_read_already, generator))
            skeletons_of_system.append(entry)
    return tuple(skeletons_of_system)


def _read_already(generator: MapGenerator) -> MapGenerator:
    """Return a generator that need not be read: the ``CatalogEntry.generator`` of packaged ones."""
    return generator


def entries() -> Iterator[CatalogEntry | Problem]:
    """Yield the whole catalogue: packaged generators, then ``found_entries``."""
    yield from packaged_entries()
    yield from found_entries()


def found_entries() -> Iterator[CatalogEntry | Problem]:
    """Yield the user's scripts, then those of games.

    Problems name the files that cannot be read.
    """
    hosts = script_hosts()
    for folder in script_folders.folders():
        # A host lists the scripts of its game's mods itself.
        if not any(_is_mod(host, folder) for host in hosts):
            yield from folder_entries(folder)
    for host in hosts:
        yield from _entries_of_host(host)


def _is_mod(host: ScriptHost, folder: Path) -> bool:
    """Return whether a folder is a mod of a host's game; False if the host is at fault."""
    with Guard(host):
        return host.is_mod(folder)
    return False


def _entries_of_host(host: ScriptHost) -> Iterator[CatalogEntry | Problem]:
    """Yield the scripts of a host's game, up to a fault of the host."""
    with Guard(host):
        yield from host.entries()


def entry_named(name: str) -> CatalogEntry | None:
    """Return the first of ``found_entries`` with a name; None if there is none.

    ``name`` is that of the entry, or of its script's file without the suffix, in any case. With
    the prefix of a system only the scripts of its game are looked through: ``0ad:islands``.
    """
    name_to_find = name.lower()
    candidates = found_entries()
    prefix, _colon, name_in_game = name_to_find.partition(":")
    host = None
    if name_in_game:
        host = _host_with_prefix(prefix)
    if host is not None:
        candidates = _entries_of_host(host)
        name_to_find = name_in_game
    for candidate in candidates:
        if isinstance(candidate, CatalogEntry):
            names = (candidate.metadata.name, PurePath(candidate.metadata.script).stem)
            if name_to_find in map(str.lower, names):
                return candidate
    return None


def _host_with_prefix(prefix: str) -> ScriptHost | None:
    """Return the host of the game whose scripts are named with a prefix, such as "0ad"."""
    system_names = [system.name for system in systems() if system.script_prefix == prefix]
    for host in script_hosts():
        if host.system in system_names:
            return host
    return None


def why_no_game(system: System) -> str:
    """Return why there are no scripts of the game of a system, as a sentence.

    "" if there are some, or if the system has no game with scripts. It can be slow.
    """
    for host in script_hosts():
        if host.system == system.name:
            return host.why_no_game()
    return ""


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

    # A host that reads metadata itself looks for the file that is called like the script. Another
    # metadata file takes its place.
    texts = read_further_texts(script, text)
    metadata_bytes = _read(path)
    usual_metadata_path = script.with_suffix(".json")
    if usual_metadata_path in further_files(script, text):
        texts[usual_metadata_path.name] = metadata_bytes.decode("utf-8-sig")

    generator = generator_for_script(text, script.name, texts=texts, path=str(script))
    generator.metadata = read_metadata(metadata_bytes, str(path))
    # The generator locates problems in the metadata file that is called like the script.
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
