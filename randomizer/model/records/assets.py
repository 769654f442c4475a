"""The assets of a map: pictures of its user's own and files, each by the SHA-256 of its bytes.

    data = Path("marsh.png").read_bytes()
    check_asset(data)                      # ValueError: "is no picture (PNG, JPEG or WebP)"
    battlemap.assets[asset_digest(data)] = data

Terrains, records and edits name digests; the bytes are kept once. Nothing here decodes a picture:
how large one is says its header. A file of another program is an asset that is no picture; only a
record names it, a JSON object with ``"asset": digest``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from randomizer.model.records.map_records import MapRecord

LARGEST_PICTURE = 16 * 2**20
"""In bytes: of a picture that a user chooses, and of a file that another one refers to."""

LARGEST_ASSETS = 256 * 2**20
"""In bytes, of all assets of a map together; a single one may have as many."""

MOST_PIXELS = 64 * 2**20
MOST_SIDE = 2**15 - 1
"""In pixels: the longest side that the desk can draw."""

Assets = Mapping[str, bytes]
"""The bytes of pictures by digest."""

NO_ASSETS: Assets = MappingProxyType({})

DIGEST = re.compile(r"[0-9a-f]{64}")

_IN_RECORD = re.compile(r'"asset": ?"([0-9a-f]{64})"')

_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"
_SIZELESS = {0x01, *range(0xD0, 0xD9)}
"""Markers of a JPEG without a length behind them."""

_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG behind which height and width stand."""


def asset_digest(data: bytes) -> str:
    """Return the name of an asset: its SHA-256 in 64 hexadecimal digits."""
    from hashlib import sha256  # not needed before the first paint

    return sha256(data).hexdigest()


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a PNG, JPEG or WebP says them; None for anything else."""
    if data.startswith(_PNG) and len(data) >= 33:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = (int.from_bytes(data[at + n : at + n + 2], "big") for n in (5, 7))
            return width, height
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker in _SIZELESS:
            at += 2
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    body = data[20:30]
    if len(body) < 10:
        return None
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L" and body[0] == 0x2F:
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        width, height = (int.from_bytes(body[n : n + 2], "little") & 0x3FFF for n in (6, 8))
        return width, height
    return None


def check_asset(data: bytes) -> None:
    """Raise ValueError, with the end of a sentence, for bytes that cannot be an asset."""
    size = picture_size(data)
    if size is None or min(size) < 1:
        raise ValueError("is no picture (PNG, JPEG or WebP)")
    width, height = size
    if width * height > MOST_PIXELS or max(size) > MOST_SIDE:
        raise ValueError(
            f"has {width:,} x {height:,} pixels, {MOST_PIXELS // 2**20} million are the most"
        )


def checked_asset(digest: str, data: bytes, *, is_picture: bool = False) -> bytes:
    """Return the bytes of the asset ``digest`` from outside.

    Raises ValueError, with a whole sentence.

    ``is_picture``: of a terrain, for which nothing else is accepted; what looks like a picture is
    checked as one.
    """
    if asset_digest(data) != digest:
        raise ValueError(f"the picture {digest:.12} is not what was written")
    try:
        if is_picture and len(data) > LARGEST_PICTURE:
            raise ValueError(f"has {len(data):,} bytes, {LARGEST_PICTURE:,} are the most")
        if is_picture or picture_size(data) is not None:
            check_asset(data)
    except ValueError as fault:
        raise ValueError(f"the picture {digest:.12} {fault}") from None
    return data


def check_assets(assets: Assets) -> None:
    """Check that a map can have so many bytes of assets. Raises ValueError."""
    total = sum(map(len, assets.values()))
    if total > LARGEST_ASSETS:
        raise ValueError(f"the pictures have {total:,} bytes, {LARGEST_ASSETS:,} are the most")


def assets_of(terrain_set: TerrainSet) -> set[str]:
    """Return the digests that a terrain set names."""
    return {terrain.asset for terrain in terrain_set.terrains if terrain.asset}


def assets_of_records(records: Mapping[str, MapRecord]) -> set[str]:
    """Return the digests that records name."""
    return {
        digest
        for record in records.values()
        if record.is_json
        for digest in _IN_RECORD.findall(record.text)
    }


def only(assets: Assets, digests: Iterable[str]) -> dict[str, bytes]:
    """Return those of ``digests`` that are there, in order: equal maps have equal files."""
    return {digest: assets[digest] for digest in sorted(digests) if digest in assets}
