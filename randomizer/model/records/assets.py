"""The assets of a map: pictures of its user's own and files, each by the SHA-256 of its bytes.

    data = Path("marsh.png").read_bytes()
    check_asset(data)                      # ValueError: "is no picture (PNG, JPEG or WebP)"
    battlemap.assets[asset_digest(data)] = data

Terrains, records and edits name digests; the bytes are kept once. Nothing here decodes a picture:
its header says how large it is. A file of another program is an asset that is no picture; only a
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
"""The most bytes of a picture that a user chooses, and of a file that another one refers to."""

LARGEST_ASSETS = 256 * 2**20
"""The most bytes of all assets of a map together; a single one may have as many."""

MAX_PIXELS = 64 * 2**20
"""The most pixels of a picture."""

MAX_SIDE = 2**15 - 1
"""The longest side of a picture, in pixels, that the desk can draw."""

Assets = Mapping[str, bytes]
"""The bytes of pictures and files by digest."""

NO_ASSETS: Assets = MappingProxyType({})
"""The assets of a map that has none."""

DIGEST = re.compile(r"[0-9a-f]{64}")
"""The digest of an asset."""

_IN_RECORD = re.compile(r'"asset": ?"([0-9a-f]{64})"')
"""A digest that a record in JSON names."""

_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"
"""The beginning of every PNG; width and height follow, as 4 bytes each."""

_SVG = re.compile(
    rb"""
    (?: \xef\xbb\xbf )?                                # the byte order mark
    (?: \s | <\?[^>]*> | <!--.*?--> | <!DOCTYPE[^>]*> )*+
    <svg [\s>]
    """,
    re.VERBOSE | re.DOTALL,
)
"""The beginning of an SVG: what may stand before the root, and that."""

_PNG_HEADER = 33
"""The bytes of a PNG up to the end of its first chunk."""

_JPEG = b"\xff\xd8"
"""The beginning of every JPEG; segments follow, each with a marker: 0xFF and another byte."""

_SIZELESS = {0x01, *range(0xD0, 0xD9)}
"""Markers of a JPEG without a length behind them."""

_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG behind which height and width stand."""

_WEBP_LOSSLESS = 0x2F
"""The byte with which the data of a lossless WebP begin."""

_WEBP_KEY_FRAME = b"\x9d\x01\x2a"
"""The bytes of a lossy WebP before width and height, after three of frame data."""

_14_BITS = 0x3FFF
"""The bits of a number that are a width or height of a WebP."""


def asset_digest(data: bytes) -> str:
    """Return the name of an asset: its SHA-256 in 64 hexadecimal digits."""
    from hashlib import sha256  # not needed before the first paint

    return sha256(data).hexdigest()


def picture_kind(data: bytes) -> str:
    """Return "PNG", "JPEG", "WebP", "SVG", "GIF", "BMP" or "TIFF" by the first bytes of a file.

    "" for anything else. An asset can be of the first three kinds.
    """
    if data.startswith(_PNG):
        return "PNG"
    if data.startswith(_JPEG):
        return "JPEG"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if data.startswith(b"BM") and data[6:10] == b"\0\0\0\0":
        return "BMP"
    if data.startswith((b"II*\0", b"MM\0*")):
        return "TIFF"
    if _SVG.match(data):
        return "SVG"
    return ""


def why_no_map(data: bytes) -> str:
    """Return why a file is no map if it is a picture, and what takes it there; "" for others."""
    kind = picture_kind(data)
    if not kind:
        return ""
    message = f"this is a picture ({kind}), not a map file"
    if kind in ("GIF", "BMP", "TIFF"):
        return f"{message}: save it as PNG elsewhere, and lay that with Map > Picture under the map"
    return f"{message}: Map > Picture under the map lays it under a map"


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) as the header of a PNG, JPEG or WebP says them.

    None for anything else. The rest of the file may be damaged.
    """
    kind = picture_kind(data)
    if kind == "PNG" and len(data) >= _PNG_HEADER:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if kind == "JPEG":
        return _jpeg_size(data)
    if kind == "WebP":
        return _webp_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) from the first frame of a JPEG; None if no whole one is there."""
    offset = len(_JPEG)
    # A frame has its marker (2 bytes), its length (2), its precision (1), height (2), width (2).
    while offset + 9 <= len(data) and data[offset] == 0xFF:
        marker = data[offset + 1]
        if marker in _FRAMES:
            height = int.from_bytes(data[offset + 5 : offset + 7], "big")
            width = int.from_bytes(data[offset + 7 : offset + 9], "big")
            return width, height
        if marker == 0xFF:  # a byte that only fills
            offset += 1
        elif marker in _SIZELESS:
            offset += 2
        else:
            # The length counts its own two bytes, but not the marker. A damaged file can say less.
            length = int.from_bytes(data[offset + 2 : offset + 4], "big")
            offset += 2 + max(2, length)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) from the first chunk of a WebP, of which there are three kinds."""
    kind = data[12:16]
    body = data[20:30]
    if kind == b"VP8L" and len(body) >= 5 and body[0] == _WEBP_LOSSLESS:
        bits = int.from_bytes(body[1:5], "little")  # both sides less 1, in 14 bits each
        return (bits & _14_BITS) + 1, (bits >> 14 & _14_BITS) + 1
    if len(body) < 10:
        return None
    if kind == b"VP8X":  # with more than a picture: both sides less 1, in 3 bytes each
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8 " and body[3:6] == _WEBP_KEY_FRAME:  # lossy: the upper 2 bits are a scale
        width = int.from_bytes(body[6:8], "little") & _14_BITS
        height = int.from_bytes(body[8:10], "little") & _14_BITS
        return width, height
    return None


def check_asset(data: bytes) -> None:
    """Raise ValueError for bytes that are no picture, or a too large one.

    The message is the end of a sentence, to follow "the picture".
    """
    size = picture_size(data)
    if size is None or min(size) < 1:
        raise ValueError("is no picture (PNG, JPEG or WebP)")
    width, height = size
    if max(size) > MAX_SIDE:
        raise ValueError(
            f"has {width:,} x {height:,} pixels, {MAX_SIDE:,} along a side are the most"
        )
    if width * height > MAX_PIXELS:
        raise ValueError(
            f"has {width:,} x {height:,} pixels, {MAX_PIXELS // 2**20} million are the most"
        )


def checked_asset(digest: str, data: bytes, *, is_picture: bool = False) -> bytes:
    """Return the bytes of an asset from outside, if they are those of ``digest``.

    With ``is_picture`` (for a terrain) only a picture is accepted; any other asset can be a file
    of another program, but is checked as a picture if it begins like one. Raises ValueError, whose
    message is a whole sentence.
    """
    if asset_digest(data) != digest:
        raise ValueError(f"the picture or file {digest:.12} is not what was written")
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
    digests: set[str] = set()
    for record in records.values():
        if record.is_json:
            digests.update(_IN_RECORD.findall(record.text))
    return digests


def only(assets: Assets, digests: Iterable[str]) -> dict[str, bytes]:
    """Return the assets of these digests, as far as they are there, sorted by digest.

    Sorted, as maps that are equal must have equal files.
    """
    return {digest: assets[digest] for digest in sorted(digests) if digest in assets}
