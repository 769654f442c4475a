"""Writes the file of a map, and the files that belong beside it; without widgets, for jobs.

    written = write_map(battlemap, Path("isle.tmx"), {}, consent=Consent(losing_formats=()))
    if isinstance(written, WouldLose):
        ...  # nothing is written yet: ask the user, and write again with another consent

Formats of other programs cannot hold all of a map, and some have files beside the map's, such as
the pictures of its tiles, which other maps may use too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from app.document.hidden_layers import layers_left_out
from app.document.map_files import known_file_of
from randomizer.catalog.map_formats import format_of_suffix, formats_of
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.formats.format import Format
from randomizer.formats.held_systems import can_write
from randomizer.formats.losses import NOT_KEPT
from randomizer.formats.tile_looks import TilePainter
from randomizer.model.basics.plurals import listed, many
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error
from randomizer.model.system.system import System
from randomizer.reading.files import START, read_start
from randomizer.storage.disk.backups import Backups
from randomizer.storage.disk.companions import digest_of
from randomizer.storage.disk.known_file import KnownFile

SUFFIXES_OF_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif", ".bmp", ".tif", ".tiff")
"""The suffixes of pictures, which a person may type for a map."""


def save_format(path: Path, system: System, chosen: Format | None = None) -> Format:
    """Return the format in which a map of ``system`` is written to the file ``path``.

    It is the ``chosen`` one if that has the suffix; else that of the present file, by its content,
    as when it is opened (Tiled's maps may be called .json); else one with the suffix. Raises
    ProblemError if none has the suffix.
    """
    suffix = path.suffix.lower()
    usable = [candidate for candidate in formats_of(system) if candidate.writable]
    of_suffix = [candidate for candidate in usable if suffix in candidate.suffixes]
    if chosen in of_suffix:
        return chosen
    with suppress(ProblemError):  # there is no file yet
        start = read_start(path, START)
        for candidate in usable:
            if candidate.recognises(start):
                return candidate
    if of_suffix:
        return of_suffix[0]
    file_format = format_of_suffix(str(path), system)
    if file_format is not None:
        return file_format
    raise error("save-suffix", _suffixes_in_words(usable, suffix), path=str(path))


def _suffixes_in_words(usable: Sequence[Format], suffix: str) -> str:
    """Return the suffixes that a map can have, for a message about a ``suffix`` that none has."""
    # Dictionaries, since several formats can share a suffix.
    saved: dict[str, None] = {}
    exported: dict[str, None] = {}
    for candidate in usable:
        if candidate.readable:
            saved |= dict.fromkeys(candidate.suffixes)
        else:
            exported |= dict.fromkeys(candidate.suffixes)
    text = f"a map can be saved as {', '.join(saved)}"
    only_exported = [name for name in exported if name not in saved]
    if only_exported:
        text = f"{text}, and exported as {', '.join(only_exported)}"
    if suffix in SUFFIXES_OF_PICTURES:
        text = f"{text}; File > Export picture writes a picture of it"
    return text


@dataclass(frozen=True)
class Consent:
    """What may be lost when a map is written. For each field () allows nothing, and None all."""

    losing_formats: Collection[str] | None = None
    """The names of the formats of other programs that may lose something of the map."""

    replaceable: Mapping[str, str] | None = None
    """The files beside the map that may be replaced: SHA-256 digests by name.

    Files that were read with the map may always be replaced.
    """

    def with_all_losses(self) -> Consent:
        """Return this consent, and that every format may lose something."""
        return replace(self, losing_formats=None)

    def with_all_replacements(self) -> Consent:
        """Return this consent, and that every file beside the map may be replaced."""
        return replace(self, replaceable=None)


AGREED = Consent(losing_formats=None, replaceable=None)
"""Everything may be lost: the user has agreed, or the caller knows that nothing can be."""


class Saved(NamedTuple):
    """A map that was written."""

    map_format: Format
    """The format in which it is written."""

    known_file: KnownFile | None
    """The file as it is now; None if it is gone already."""

    backup_trouble: str
    """The reason why the old file has no backup, as text; "" if it has, or there was none."""

    beside: Mapping[str, str]
    """The SHA-256 digests of the files beside it that were changed, by name."""


class WouldLose(NamedTuple):
    """A map that was not written, since the format would lose something of it."""

    map_format: Format

    losses: tuple[str, ...]
    """Sentences on what would be lost."""


class WouldReplace(NamedTuple):
    """A map that was not written, since files beside it would be replaced."""

    names: tuple[str, ...]
    """The names of these files."""


Written = Saved | WouldLose | WouldReplace
"""What ``write_map`` has come to; only ``Saved`` has changed the disk."""


def write_map(
    battlemap: BattleMap,
    path: Path,
    viewport: Mapping[str, object],
    backups: Backups | None = None,
    *,
    always_back_up: bool = False,
    chosen: Format | None = None,
    is_copy: bool = False,
    consent: Consent = AGREED,
    painter: TilePainter | None = None,
) -> Written:
    """Write a map atomically in the format of the suffix, with the files that belong beside it.

    The old files are backed up first (with ``always_back_up`` even if a backup was made lately);
    the map is saved even if that fails. Nothing is written if something would be lost that is not
    in ``consent``.

    ``chosen`` is the format that the user chose, of several with one suffix. Only a copy may be
    written in a format that cannot be read again. ``painter`` paints pictures of tiles; None draws
    them plainly. Raises ProblemError.
    """
    from randomizer.storage.disk.companions import (
        digests_read,
        plan_files,
        replaced_beside,
        write_files,
    )
    from randomizer.storage.files.project import PROJECT, write_project

    file_format = save_format(path, battlemap.system, chosen)
    if not is_copy and not file_format.readable:
        raise error(
            "save-unreadable",
            f"files of the format “{file_format.title}” cannot be opened again: save the map as a "
            "project, and use File > Export as for this file",
            path=str(path),
        )

    # Would the format lose something? Those of other programs can, and so can ours: such a text
    # file has no layers, or no things. Only a project loses nothing. (A format of ours that cannot
    # hold such maps at all refuses this one below.)
    losing_formats = consent.losing_formats
    holds_such_maps = file_format.foreign or can_write(file_format, battlemap)
    can_lose = holds_such_maps and file_format is not PROJECT
    if can_lose and losing_formats is not None and file_format.name not in losing_formats:
        losses = _losses(battlemap, file_format)
        if losses:
            return WouldLose(file_format, tuple(losses))

    # The bytes of the map's file and of those beside it, by name.
    if file_format is PROJECT:
        files = {path.name: write_project(battlemap, viewport)}
    else:
        files = write_files_checked(file_format, battlemap, path.name, painter=painter)

    # Would a file beside it be replaced which the map does not know?
    changes = plan_files(path, files)
    if consent.replaceable is not None:
        digests = {**digests_read(battlemap.records), **consent.replaceable}
        replaced = replaced_beside(path, changes, digests)
        if replaced:
            return WouldReplace(replaced)

    # A backup that fails must not keep the user from saving: the user is told afterwards.
    trouble = ""
    if backups is not None:
        trouble = _back_up([change.path for change in changes], backups, always=always_back_up)
    write_files(path, changes)

    digests_beside: dict[str, str] = {}
    for change in changes:
        if change.path != path:
            name = change.path.name
            digests_beside[name] = digest_of(files[name])
    return Saved(file_format, known_file_of(path, files[path.name]), trouble, digests_beside)


def _back_up(paths: Sequence[Path], backups: Backups, *, always: bool) -> str:
    """Back up files before they are replaced; return why some have none, "" if all have."""
    reasons = []
    for path in paths:
        try:
            backups.back_up(path, always=always)
        except ProblemError as failed:
            reasons.append(f"No backup of the older file {path.name}: {failed.problems[0].message}")
    return ". ".join(reasons)


def _losses(battlemap: BattleMap, file_format: Format) -> list[str]:
    """Return sentences on what a file in this format would lose of a map.

    Formats do not declare whether they keep layers: for those of other programs the written bytes
    are read back to see it.
    """
    problems = file_format.check(battlemap)
    losses = [problem.message for problem in problems if problem.code == NOT_KEPT]
    if file_format.foreign and len(battlemap.layers) > 1:
        read_back = read_checked(file_format, file_format.write(battlemap)).battlemap
        if read_back is not None and len(read_back.layers) == 1:
            loss = f"{len(battlemap.layers)} layers: they become one"
            left_out = [layer.name for layer in layers_left_out(battlemap)]
            if left_out:
                verb = many(len(left_out), "is", "are")
                loss += f", without {listed(left_out)}, which {verb} hidden"
            losses.append(loss)
    return losses
