"""The project file ``.battlemap``, which holds everything of a map, and the view of it.

It is a zip of these parts::

    map.json                the record of the map (``map_record``), and the view
    planes/1/terrain.npy    an array: a plane, locks, the mask of the grid
    texts/SHA-256.txt       a long text: a script, a record
    assets/SHA-256          a picture of the user's own, not compressed again

Saving calls ``write_project``, opening ``read_project``. A file is read whole or not at all
(docs/adr/0010): damaged, newer or oversized files are Problems, found before memory is allocated
for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from io import BytesIO
from math import prod
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from randomizer.formats.format import Format
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import NO_VIEW, ReadResult
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LARGEST_FILE, LONGEST_TEXT
from randomizer.model.basics.plurals import counted
from randomizer.model.gate.gate import check_data, check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.records.assets import (
    LARGEST_ASSETS,
    assets_of,
    check_assets,
    checked_asset,
    why_no_map,
)
from randomizer.storage.records.npy import FAULTS, LONGEST_HEADER, npy_bytes, read_npy
from randomizer.storage.records.parts import checked_text, digest_of

WORD = "battlelands-builder map"
"""The value of "format" in ``map.json``, by which a file is known."""

VERSION = 5
"""The version of the form of the file; others are not read."""

MAP = "map.json"
"""The name of the part with the map's record."""

TEXTS = "texts"
"""The folder of the parts with texts."""

ASSETS = "assets"
"""The folder of the parts with pictures."""

_PART_NAME = re.compile(
    rf"""
    [a-z0-9_-]+ (/[a-z0-9_-]+)* \.npy       # an array
    | {TEXTS}/ [0-9a-f]{{64}} \.txt         # a text
    | {ASSETS}/ [0-9a-f]{{64}}              # an asset
    """,
    re.VERBOSE,
)
"""The name of a part other than ``map.json``."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: equal maps give equal bytes."""

_LEVEL = 3
"""The deflate level: a million cells in a fraction of a second, and still small."""

LARGEST = 512 * 2**20
"""The most bytes of a file before it is compressed: larger ones are neither written nor read."""

LARGEST_PART = 8 * LONGEST_TEXT
"""The most bytes of one text; ``LONGEST_TEXT`` characters of any language are fewer."""

MAX_ENTRIES = 10_000
"""The most parts of a file."""

_LARGEST_ENTRY = 100
"""The bytes that an entry may take in the zip's directory, as a mean: 46 bytes and its name."""

_END_RECORD_SIZE = 22
"""The bytes of the end record of a zip without a comment."""

_LOCATOR_SIZE = 20
"""The bytes of the locator of a zip of more than 4 GB."""

_DIRECTORY_SIZE = slice(12, 16)
"""The bytes of the end record that say how long the zip's directory is."""

_ZIP_FAULTS = (*FAULTS, BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError)
"""The exceptions that ``ZipFile`` and the readers of parts raise for damaged files."""


def write_project(
    battlemap: BattleMap, view: Mapping[str, object] = NO_VIEW, *, largest: int = LARGEST
) -> bytes:
    """Return the file of a map, proven readable; ``view`` is stored as given.

    ``view`` holds numbers and strings. Raises ProblemError for a map that would not be read back:
    it has more than ``largest`` bytes before they are packed, or holds values that no map has.
    """
    check_map(battlemap)
    check_data(view, "the view")
    data = _packed(battlemap, view, largest)
    proof = read_project(data)
    if proof.battlemap is None:
        raise ProblemError(proof.problems)
    return data


class _PartWriter:
    """Collects the parts of a file while its record is made: the ``PartWriter`` of the record."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        """The data of the arrays and texts, by the names of their parts."""

    def array(self, name: str, array: Plane) -> str:
        """Add an array; the reference is the name of its part."""
        entry = re.sub(r"[^a-z0-9_/-]", "-", name) + ".npy"
        while entry in self.entries:  # the names of two planes differ in other characters only
            entry = f"more/{entry}"
        self.entries[entry] = npy_bytes(array)
        return entry

    def text(self, text: str) -> str:
        """Add a text; the reference is its digest, "" for the empty text, which has no part."""
        digest = digest_of(text)
        if digest:
            self.entries[f"{TEXTS}/{digest}.txt"] = text.encode()
        return digest


def _packed(battlemap: BattleMap, view: Mapping[str, object], largest: int = LARGEST) -> bytes:
    """Return the file of a map. Raises ProblemError if it is too large."""
    # Imported here: not needed for printing a roll.
    from randomizer.storage.records.codec import plain
    from randomizer.storage.records.records import LARGEST_JSON, map_record

    writer = _PartWriter()
    record: dict[str, Any] = {
        "format": WORD,
        "version": VERSION,
        **map_record(battlemap, writer),
        "view": plain(view),
    }
    map_json = json.dumps(record, indent=1).encode("ascii")
    assets = {f"{ASSETS}/{digest}": data for digest, data in battlemap.named_assets.items()}
    entries = {MAP: map_json, **writer.entries, **assets}  # ``recognises`` looks for MAP first

    size = sum(map(len, entries.values()))
    if len(map_json) > LARGEST_JSON or size > largest or len(entries) > MAX_ENTRIES:
        message = f"this map is too large for a file: {size:,} bytes in {len(entries):,} parts"
        raise error("project-too-large", message)

    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, data in entries.items():
            info = ZipInfo(name, _EPOCH)
            # Pictures are compressed already.
            info.compress_type = ZIP_STORED if name in assets else ZIP_DEFLATED
            archive.writestr(info, data, compresslevel=_LEVEL)
    return file.getvalue()


def read_project(
    data: bytes, path: str | None = None, *, largest_assets: int = LARGEST_ASSETS
) -> ReadResult:
    """Return the map and the view of a file. Never raises for bad data.

    A file whose assets have more than ``largest_assets`` bytes together is bad.
    """
    if not data:
        return _not_read("project-empty", "this map file is empty", path)
    try:
        _refuse_long_listing(data)
        with ZipFile(BytesIO(data)) as archive:
            battlemap, view = _Reader(archive, largest_assets).map_and_view()
    except ProblemError as refused:
        return ReadResult(None, tuple(problem.at_path(path) for problem in refused.problems))
    except _ZIP_FAULTS as failed:
        return _not_read("project-damaged", f"this map file is damaged: {reason_of(failed)}", path)
    lost_digests = battlemap.asset_digests - battlemap.assets.keys()
    if lost_digests:
        message = f"Not there: {counted(len(lost_digests), 'picture')} of the map's own terrains"
        problem = Problem(Severity.WARNING, "assets-lost", message, path)
        return ReadResult(battlemap, (problem,), view)
    return ReadResult(battlemap, view=view)


def _not_read(code: str, message: str, path: str | None) -> ReadResult:
    """Return the result for a file that cannot be read."""
    return ReadResult(None, (Problem(Severity.ERROR, code, message, path),))


def _refuse_long_listing(data: bytes) -> None:
    """Raise ValueError if the zip's directory is too long: ``ZipFile`` reads all of it at once.

    Raises ValueError, too, for a file without the end of a zip of ours, and ProblemError if that is
    a picture.
    """
    # The last bytes, the *end record*, say how long the directory is. Before them a zip of more
    # than 4 GB has a *locator*; ours never are so large.
    end_record = data[-_END_RECORD_SIZE:]
    has_end = end_record.startswith(b"PK\x05\x06")
    locator = data[-_END_RECORD_SIZE - _LOCATOR_SIZE : -_END_RECORD_SIZE]
    has_locator = locator.startswith(b"PK\x06\x07")
    picture_message = why_no_map(data)
    if not has_end and picture_message:
        raise error("project-is-picture", picture_message)
    if not has_end or has_locator:
        raise ValueError("its end is missing, or it is no such file")
    directory_size = int.from_bytes(end_record[_DIRECTORY_SIZE], "little")
    if directory_size > MAX_ENTRIES * _LARGEST_ENTRY:
        raise ValueError("it has too many parts")


class _Reader:
    """Reads one file; every entry is checked before it is decompressed, and used once.

    It is the ``PartReader`` of the map's record, which finds the arrays and texts by their
    references.
    """

    def __init__(self, archive: ZipFile, largest_assets: int) -> None:
        """Check the list of the parts. Raises ValueError."""
        self._archive = archive
        self._largest_assets = largest_assets
        """The most bytes of all assets together."""
        self._parts: dict[str, ZipInfo] = {}
        """The parts that were not used yet, by name."""
        self._texts: dict[str, str] = {}
        """The texts that were read, by digest: several records can name one."""
        for info in archive.infolist():
            name = info.filename
            if name in self._parts:
                raise ValueError(f"it has two parts {name!r:.60}")
            if name != MAP and not _PART_NAME.fullmatch(name):
                raise ValueError(f"it has a part {name!r:.60}, which is not known here")
            is_encrypted = info.flag_bits & 1
            if is_encrypted or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise ValueError(f"its part {name!r:.60} is encrypted or packed in an unknown way")
            self._parts[name] = info
        unfolded_size = sum(info.file_size for info in self._parts.values())
        if len(self._parts) > MAX_ENTRIES or unfolded_size > LARGEST:
            raise ValueError("it unfolds to more than any map can be")

    def _unfolded(self, info: ZipInfo) -> bytes:
        """Return the bytes of an entry, exactly as many as the directory says.

        Raises ValueError for another number; ``ZipFile`` raises for a wrong checksum.
        """
        with self._archive.open(info) as file:
            data = file.read(info.file_size)
            if len(data) != info.file_size or file.read(1):
                raise ValueError(f"its part {info.filename!r:.60} is not as long as it should be")
        return data

    def text(self, ref: object) -> str:
        """Return the text of a reference: its digest, "" for the empty text. Raises ValueError."""
        if ref == "":
            return ""
        if not isinstance(ref, str):
            raise ValueError("a text is missing")
        if ref not in self._texts:
            info = self._parts.pop(f"{TEXTS}/{ref}.txt", None)
            if info is None or info.file_size > LARGEST_PART:
                raise ValueError("a text is missing, or larger than any")
            self._texts[ref] = checked_text(ref, self._unfolded(info))
        return self._texts[ref]

    def array(self, ref: object, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
        """Return the array of a reference: the name of its part. Raises ValueError."""
        info = None
        if isinstance(ref, str):
            info = self._parts.pop(ref, None)
        if info is None:
            raise ValueError(f"its part {ref!r:.60} is missing, or used twice")
        # A map says type and shape of all its arrays; only edits have some of any size.
        assert dtype is not None
        assert shape is not None
        # Before anything is inflated: behind a header the part holds the values.
        values_size = prod(shape) * np.dtype(dtype).itemsize
        if not values_size < info.file_size <= values_size + LONGEST_HEADER:
            raise ValueError(f"its part {ref!r:.60} has not the size of the map")
        return read_npy(memoryview(self._unfolded(info)), dtype, shape)

    def _assets(self, battlemap: BattleMap) -> dict[str, bytes]:
        """Return the assets that the map names, by digest, as far as the file has them.

        Raises ValueError if they have too many bytes together, before one that is too much is read.
        """
        assets = {}
        bytes_left = self._largest_assets
        picture_digests = assets_of(battlemap.terrain_set)
        for digest in sorted(battlemap.asset_digests):
            info = self._parts.pop(f"{ASSETS}/{digest}", None)
            if info is None:
                continue
            bytes_left -= info.file_size
            if bytes_left < 0:
                raise ValueError(
                    f"its pictures have more than {self._largest_assets:,} bytes together"
                )
            data = self._unfolded(info)
            assets[digest] = checked_asset(digest, data, is_picture=digest in picture_digests)
        check_assets(assets)
        return assets

    def map_and_view(self) -> tuple[BattleMap, Mapping[str, object]]:
        """Return the map and the view of the file. Raises ValueError or ProblemError.

        Each part is taken out of ``_parts`` as it is used.
        """
        from randomizer.storage.records.codec import read
        from randomizer.storage.records.records import read_map

        record = self._record()
        view = read(Mapping[str, object], record.pop("view", None), "the view")
        check_data(view, "the view")
        battlemap = read_map(record, self)
        battlemap.assets = self._assets(battlemap)
        if self._parts:
            raise ValueError(f"nothing belongs to its part {min(self._parts)!r:.60}")
        return battlemap, view

    def _record(self) -> dict[str, Any]:
        """Return the JSON of the map, without its format and version, which are those of today.

        Raises ValueError, and ProblemError for a file of another version.
        """
        from randomizer.storage.records.codec import read
        from randomizer.storage.records.records import DEEPEST_JSON, LARGEST_JSON

        info = self._parts.pop(MAP, None)
        if info is None or info.file_size > LARGEST_JSON:
            raise ValueError(f"it has no “{MAP}”, or one beyond all size")
        record = parse_json(self._unfolded(info), largest=LARGEST_JSON, deepest=DEEPEST_JSON)
        if not isinstance(record, dict) or record.pop("format", None) != WORD:
            raise ValueError(f"its “{MAP}” is of another program")
        version = read(int, record.pop("version", None), "its version")
        if version != VERSION:
            age = "an older"
            if version > VERSION:
                age = "a newer"
            message = (
                f"this file was made by {age} Battlelands Builder (the file's version is "
                f"{version}, this program reads {VERSION}); nothing of it was read"
            )
            raise error("project-version", message)
        return record


class ProjectFile(Format):
    """The format ``.battlemap``, for maps of every system."""

    name = "project"
    title = "Map project"
    suffixes = (".battlemap",)
    largest = LARGEST_FILE
    keeps_layers = True

    def recognises(self, data: bytes) -> bool:
        """Return whether it is a zip whose first entry is ``map.json``."""
        is_zip = data[:4] == b"PK\x03\x04"
        name_of_first_entry = data[30 : 30 + len(MAP)]  # behind a header of 30 bytes
        return is_zip and name_of_first_entry == MAP.encode()

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the whole map and its view. Never raises for bad data."""
        return read_project(data, path)

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the whole map; provenance is not needed, since layers hold their rolls.

        It is not proven readable, as ``write_project`` does for the files of the desk.
        """
        return _packed(battlemap, NO_VIEW)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the warnings of the map's game; a project file loses nothing."""
        return battlemap.system.check(battlemap, battlemap.composite())


PROJECT = ProjectFile()
"""The format of the catalogue."""
