"""The catalogue of scripts: everything with a metadata file that makes maps, of all systems.

The catalogue has the packaged generators, the scripts in folders that the user added
(``script_folders``, metadata_files.py), and those of installed games. The dialog *New map* shows
it; the command line, which knows the packaged generators by name already, looks other names up in
it (``entry_named``)::

    for entry in entries():
        if isinstance(entry, CatalogEntry):     # else a Problem: a file that cannot be read
            generator = entry.generator()       # only now the script itself is read

Scripts of games come from *script hosts*: each reads the scripts of one game. Reading can be slow:
programs with a window call ``entries`` off the UI thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePath

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.generators import generators, listed_generators
from randomizer.catalog.metadata_files import folder_entries
from randomizer.catalog.scripts import generator_for_script, script_hosts, skeletons
from randomizer.catalog.systems import systems
from randomizer.generator import MapGenerator
from randomizer.installed import Guard
from randomizer.model.problems import Problem
from randomizer.model.settings.metadata import Metadata
from randomizer.model.system.system import System
from randomizer.scripts import script_folders
from randomizer.scripts.script_hosts import ScriptHost


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
            generator=partial(_loaded_generator, generator),
            preview=generator.preview,
        )
        packaged.append(entry)
    return tuple(packaged)


def skeleton_entries(system: System) -> tuple[CatalogEntry, ...]:
    """Return the entries of the skeletons, the short scripts that a person begins with.

    A skeleton is in no file, so that the map must hold the script itself
    (``System.script_record``): () for systems whose maps do not.
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
            entry = CatalogEntry(system, metadata, partial(_loaded_generator, generator))
            skeletons_of_system.append(entry)
    return tuple(skeletons_of_system)


def _loaded_generator(generator: MapGenerator) -> MapGenerator:
    """Return the generator itself: ``CatalogEntry.generator`` of one that need not be read."""
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
    # The guard has caught what the host raised, and has reported it.
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


def reason_without_scripts(system: System) -> str:
    """Return why there are no scripts of the game of a system, as a sentence.

    "" if there are some, or if the system has no game with scripts. It can be slow.
    """
    for host in script_hosts():
        if host.system == system.name:
            return host.reason_without_scripts()
    return ""
