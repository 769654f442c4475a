"""Collects the files that the game needs to roll the maps of a script.

    files = script_files(source, "my_hills")
    files["maps/random/my_hills.js"]            # the text of the script, under its new name
    files["maps/random/my_hills.json"]          # its metadata
    files["maps/random/heightlib/hills.js"]     # each file of its libraries

Files that an installed game has itself, such as its own libraries, are not among them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from randomizer.languages.language import SourceText
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.settings.metadata import DEEPEST, LARGEST_METADATA
from randomizer.systems.zeroad.engine.tokens import TEXT, tokens
from randomizer.systems.zeroad.export.pair_metadata import HIDDEN, shown_name
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.mod_paths import PREVIEWS
from randomizer.systems.zeroad.script.engine_calls import library_names
from randomizer.systems.zeroad.script.script_location import SCRIPTS, metadata_name, own_mods

EXPORTED = "ExportedScript"
"""A key of our own: the metadata belong to a script that was exported from here."""


def script_files(source: SourceText, name: str) -> dict[str, bytes]:
    """Return the files of a script by their paths in a mod, where the script is called ``name``.js.

    The metadata of ``source`` have to be without errors: else it raises ValueError or KeyError.
    """
    metadata = _metadata_for_export(source, name)
    mods = own_mods(source.path)
    files = _loaded_files(source, mods)
    # Set last: if the script names itself, ``files`` has the old version by now.
    files[f"{SCRIPTS}/{name}.js"] = source.text.encode()
    files[f"{SCRIPTS}/{name}.json"] = _as_json(metadata)
    preview_name = metadata["settings"].get("Preview")
    if preview_name is not None:
        preview_path = f"{PREVIEWS}{preview_name}"
        picture = _read_from_mods(preview_path, mods)
        if picture is not None:
            files[preview_path] = picture
    return files


def is_exported_metadata(data: bytes) -> bool:
    """Return whether these are metadata of ``script_files``."""
    try:
        document = parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
        return document["settings"][EXPORTED] is True
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


def _metadata_for_export(source: SourceText, name: str) -> dict[str, Any]:
    """Return the metadata of a script for its export under another name, as a document of JSON."""
    # Those that lie beside the script, or else the least that the game wants.
    text = source.texts.get(metadata_name(source.name))
    document: dict[str, Any] = {"settings": {"Name": "", "Description": "", "CircularMap": False}}
    if text is not None:
        document = parse_json(text.encode(), largest=LARGEST_METADATA, deepest=DEEPEST)
    settings = document["settings"]

    # A name of the author's own stays; one that was made from that of the file follows the file.
    old_stem = PurePath(source.name).stem
    if settings["Name"] in ("", old_stem):
        settings["Name"] = shown_name(name)
    settings["Script"] = f"{name}.js"

    # The game does not list maps with this keyword, and a user wants to find an exported one there.
    keywords = settings.get("Keywords")
    if isinstance(keywords, list):
        settings["Keywords"] = [keyword for keyword in keywords if keyword != HIDDEN]
    settings[EXPORTED] = True
    return document


def _as_json(document: Mapping[str, Any]) -> bytes:
    """Return a document in UTF-8, indented by tabs as those of the game are."""
    return (json.dumps(document, indent="\t", ensure_ascii=False) + "\n").encode()


def _loaded_files(source: SourceText, mods: tuple[ModFiles, ...]) -> dict[str, bytes]:
    """Return the files that a script and its libraries name, by their paths in a mod.

    Further texts of the script, which may be edited, replace the files of the mods.
    """
    texts = {f"{SCRIPTS}/{name}": text.encode() for name, text in source.texts.items()}
    loaded: dict[str, bytes] = {}
    unread_texts = [source.text]  # those whose names of files are still to be looked for
    while unread_texts:
        for path in _named_paths(unread_texts.pop(), mods, texts):
            if path in loaded:
                continue
            data = texts.get(path)
            if data is None:
                data = _read_from_mods(path, mods)
            if data is None:
                continue  # the game may have it itself
            loaded[path] = data
            if path.endswith(".js"):
                unread_texts.append(data.decode("utf-8", "replace"))
    return loaded


def _named_paths(
    text: str, mods: tuple[ModFiles, ...], texts: Mapping[str, bytes]
) -> Iterator[str]:
    """Yield the paths that a script names: those of its libraries, modules and data.

    They are found in calls that load a library, and in quoted texts that begin with the folder of
    the scripts. A path that the script computes is not found.

    A library has the files directly in its folder, which are those that the game loads; of the
    further texts, which a user may have written for the script, also those in folders below it.
    """
    for library in library_names(text):
        folder = f"{SCRIPTS}/{library}"
        for path in texts:
            if path.startswith(f"{folder}/"):
                yield path
        for mod in mods:
            yield from mod.list(folder, recursive=False)
    for token in tokens(text):
        if token.kind == TEXT:
            quoted = token.text[1:-1]
            if quoted.startswith(f"{SCRIPTS}/"):
                yield quoted


def _read_from_mods(path: str, mods: tuple[ModFiles, ...]) -> bytes | None:
    """Return the bytes of a file, of the last mod that has it; None if none has it."""
    for mod in reversed(mods):
        data = mod.read(path)
        if data is not None:
            return data
    return None
