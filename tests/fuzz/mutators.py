"""Changes of inputs that keep enough of their structure to get deep into a reader.

A mutator takes bytes, a source of chance and other inputs to take pieces from, and returns bytes.
What it cannot parse it changes byte by byte.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random
from typing import Any

Mutator = Callable[[bytes, Random, Sequence[bytes]], bytes]

LARGEST = 60_000
"""In bytes; inputs grow no further."""

_NUMBERS = (0, 1, -1, 2, 7, 9, 10, 15, 16, 31, 32, 100, 127, 128, 255, 256, 999, 1000, 1024, 4096)
_NUMBERS += (32767, 65535, 65536, 10**6, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**63, -(2**63))
_NUMBERS += (2**64, 10**30, -(10**30), 10**400)
_TEXTS = ("", " ", "\0", "\n", "\r", "\t", "a", "é", "“", "\u2028", "\ud800", "\U0001f600", "\x7f")
_TEXTS += ("-", "..", "/", "\\", "%s", "{}", "nan", "1e999", "null", "x" * 300, "A1", "D4", "0x1F")
_BYTES = (b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\x80", b"\r\n", b"\n", b"\r", b'"', b"'")
_BYTES += (b"<", b">", b"&", b"{", b"}", b"[", b"]", b"(", b")", b";", b"#", b"=", b"\\", b"%")


def mutate_bytes(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """One to four changes of bytes: bits, pieces taken out, doubled, or from another input."""
    found = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4))):
        at = draw.randrange(len(found) + 1)
        length = min(len(found) - at, draw.choice((1, 1, 2, 4, 8, 30, 200)))
        match draw.randrange(7):
            case 0 if at < len(found):
                found[at] ^= 1 << draw.randrange(8)
            case 1 if at < len(found):
                found[at] = draw.randrange(256)
            case 2:
                del found[at : at + length]
            case 3:
                found[at:at] = found[at : at + length] * draw.choice((1, 1, 2, 50))
            case 4:
                found[at:at] = draw.choice(_BYTES)
            case 5 if others:
                other = draw.choice(others)
                start = draw.randrange(len(other) + 1)
                found[at : at + length] = other[start : start + draw.choice((4, 16, 100, 1000))]
            case 6:
                size = draw.choice((1, 2, 4, 8))
                number = draw.choice(_NUMBERS) % 256**size
                order = draw.choice(("little", "big"))
                found[at : at + size] = number.to_bytes(size, order)  # type: ignore[arg-type]
        if draw.random() < 0.01:
            del found[at:]
    return bytes(found[:LARGEST])


def text_mutator(*words: str, encoding: str = "utf-8") -> Mutator:
    """Changes of lines, words and numbers of a text; ``words`` are those of the language."""

    def mutate(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
        if draw.random() < 0.1:
            return mutate_bytes(data, draw, others)
        text = data.decode(encoding, "replace")
        for _ in range(draw.choice((1, 1, 2, 4))):
            text = _changed_text(text, draw, others, words, encoding)
        return text.encode(encoding, "replace")[:LARGEST]

    return mutate


_PIECE = re.compile(r"\s+|-?\d+|\w+|.", re.DOTALL)


def _changed_text(
    text: str, draw: Random, others: Sequence[bytes], words: Sequence[str], encoding: str
) -> str:
    if draw.random() < 0.3:
        lines = text.split("\n")
        at = draw.randrange(len(lines))
        to = draw.randrange(len(lines))
        match draw.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(to, lines[at])
            case 2:
                lines[at], lines[to] = lines[to], lines[at]
            case 3 if others:
                other = draw.choice(others).decode(encoding, "replace").split("\n")
                lines.insert(at, draw.choice(other))
            case 4:
                lines[at : at + 1] = [lines[at][: len(lines[at]) // 2], lines[at]]
        return "\n".join(lines)
    pieces = _PIECE.findall(text)
    at = draw.randrange(len(pieces) + 1)
    match draw.randrange(6):
        case 0 if words:
            pieces[at : at + draw.randrange(2)] = [draw.choice(words), draw.choice((" ", ""))]
        case 1:
            del pieces[at : at + draw.choice((1, 1, 2, 8))]
        case 2:
            pieces[at:at] = pieces[at : at + draw.choice((1, 2, 8))] * draw.choice((1, 1, 3, 100))
        case 3:
            pieces[at : at + 1] = [str(draw.choice(_NUMBERS))]
        case 4:
            pieces[at : at + draw.randrange(2)] = [draw.choice(_TEXTS)]
        case 5 if pieces:
            numbers = [i for i, piece in enumerate(pieces) if piece.lstrip("-").isdecimal()]
            if numbers:
                pieces[draw.choice(numbers)] = str(draw.choice(_NUMBERS))
    return "".join(pieces)


# --- JSON -----------------------------------------------------------------------------------------


def mutate_json(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """One to three changes of values, names and lists of a JSON text."""
    if draw.random() < 0.07:
        return mutate_bytes(data, draw, others)
    try:
        value = json.loads(data.decode("utf-8-sig"))
        value = mutate_value(value, draw, others)
        return json.dumps(value, ensure_ascii=draw.random() < 0.5).encode("utf-8", "replace")[
            :LARGEST
        ]
    except (ValueError, RecursionError):
        return mutate_bytes(data, draw, others)


def mutate_value(value: Any, draw: Random, others: Sequence[bytes] = ()) -> Any:
    """``value`` (of JSON) with one to three changes; lists and dicts are changed in place."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        value = _changed_value(value, draw, others)
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """All (list or dict, index or name) of a value: at most so many, those near the top first."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    for found in waiting:
        entries = (
            list(found.items())
            if isinstance(found, dict)
            else list(enumerate(found[:300]))
            if isinstance(found, list)
            else []
        )
        for name, each in entries:
            places.append((found, name))
            if isinstance(each, dict | list):
                waiting.append(each)
        if len(places) > 3000:
            break
    return places


def _changed_value(value: Any, draw: Random, others: Sequence[bytes]) -> Any:
    places = _places(value)
    if not places or draw.random() < 0.005:
        return _any_value(draw)
    # Names near the top weigh as much as the thousands of numbers of an array.
    owner, name = draw.choice(places[:60]) if draw.random() < 0.4 else draw.choice(places)
    old = owner[name]
    match draw.randrange(9):
        case 0:
            owner[name] = _any_value(draw)
        case 1 if isinstance(old, int | float):
            owner[name] = _like_number(old, draw)
        case 1 | 2 if isinstance(old, str):
            owner[name] = _changed_text(old, draw, (), (), "utf-8")
        case 2 | 3:
            del owner[name]
        case 4:
            other, at = draw.choice(places)
            owner[name] = json.loads(
                json.dumps(
                    other.get(at)
                    if isinstance(other, dict)
                    else other[at]
                    if at < len(other)
                    else None
                )
            )
        case 5 if isinstance(owner, list):
            owner.insert(name, json.loads(json.dumps(old)))
            if draw.random() < 0.1:
                owner[name:name] = [old] * draw.choice((2, 30, 300))
        case 5 | 6 if isinstance(owner, dict):
            owner[draw.choice((*_TEXTS, *(str(key) for _, key in places[:50])))] = old
        case 7:
            owner[name] = [old] if draw.random() < 0.5 else {"": old}
            if draw.random() < 0.05:
                for _ in range(draw.choice((20, 60, 500))):
                    owner[name] = [owner[name]]
        case 8 if others:
            try:
                taken = _places(json.loads(draw.choice(others).decode("utf-8-sig")))
                if taken:
                    other, at = draw.choice(taken)
                    owner[name] = other[at]
            except (ValueError, RecursionError):
                pass
        case _:
            owner[name] = _any_value(draw)
    return value


def _any_value(draw: Random) -> Any:
    kinds: tuple[Any, ...] = (None, True, False, [], {}, 0.5, 1e308, -1e-320, float("nan"))
    kinds += (float("inf"), draw.choice(_NUMBERS), draw.choice(_NUMBERS), draw.choice(_TEXTS))
    found = draw.choice(kinds)
    return type(found)() if isinstance(found, list | dict) else found


def _like_number(old: float, draw: Random) -> Any:
    if isinstance(old, float):
        factor = draw.choice((1.0, -1.0, 1.0001, 10, 1e9, 1e300))
        return draw.choice((old * factor, old + 1, round(old) if abs(old) < 1e300 else 0))
    return draw.choice(
        (
            old + 1,
            old - 1,
            -old,
            old * 2,
            float(old) if abs(old) < 1e300 else 0.0,
            str(old) if abs(old) < 1e300 else "",
            draw.choice(_NUMBERS),
        )
    )


# --- XML ------------------------------------------------------------------------------------------

_TAG = re.compile(r"(<[^<>]*>)")
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")


def xml_mutator(*words: str) -> Mutator:
    """Changes of tags and attributes of an XML text; ``words`` are names and values that it has."""
    of_text = text_mutator(
        *words,
        "&amp;",
        "&#0;",
        "&#x10ffff;",
        "&x;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?x ?>",
        "<!DOCTYPE a>",
        'xmlns="x"',
        "/>",
    )

    def mutate(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
        if draw.random() < 0.3:
            return of_text(data, draw, others)
        pieces = _TAG.split(data.decode("utf-8", "replace"))
        for _ in range(draw.choice((1, 1, 2, 4))):
            at = draw.randrange(len(pieces))
            to = draw.randrange(len(pieces))
            match draw.randrange(6):
                case 0:
                    pieces[at] = ""
                case 1:
                    pieces.insert(to, pieces[at] * draw.choice((1, 1, 2, 60)))
                case 2:
                    pieces[at], pieces[to] = pieces[to], pieces[at]
                case 3 | 4:
                    tags = [i for i, piece in enumerate(pieces) if "=" in piece]
                    if tags:
                        at = draw.choice(tags)
                        pieces[at] = _changed_tag(pieces[at], draw, words)
                case 5 if others:
                    other = _TAG.split(draw.choice(others).decode("utf-8", "replace"))
                    pieces.insert(at, draw.choice(other))
        return "".join(pieces).encode("utf-8", "replace")[:LARGEST]

    return mutate


def _changed_tag(tag: str, draw: Random, words: Sequence[str]) -> str:
    found = list(_ATTRIBUTE.finditer(tag))
    if not found:
        return tag
    place = draw.choice(found)
    value = draw.choice((*words, *_TEXTS[:12], *map(str, _NUMBERS)))
    match draw.randrange(4):
        case 0:
            return tag[: place.start()] + tag[place.end() :]
        case 1:
            return tag[: place.end()] + " " + place.group() + tag[place.end() :]
        case 2:
            name = draw.choice(words) if words else "x"
            return tag[: place.start(1)] + name + tag[place.end(1) :]
        case _:
            return tag[: place.start(2)] + f'"{value}"' + tag[place.end(2) :]


# --- archives and blocks --------------------------------------------------------------------------


def gzip_mutator(text: Mutator, encoding: str) -> Mutator:
    """Changes of a packed text by ``text``, and now and then of the packed bytes."""

    def mutate(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
        plain = _unpacked(data)
        if plain is None or draw.random() < 0.1:
            return mutate_bytes(data, draw, others)
        more = [other for other in map(_unpacked, others) if other is not None]
        inputs = [each.decode(encoding, "replace").encode() for each in (plain, *more)]
        changed = text(inputs[0], draw, inputs[1:]).decode("utf-8", "replace")
        return gzip.compress(changed.encode(encoding, "replace"), 1, mtime=0)

    return mutate


def _unpacked(data: bytes) -> bytes | None:
    try:
        return zlib.decompressobj(31).decompress(data, 2 * LARGEST)
    except zlib.error:
        return None


def mutate_zip(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """A change of one member of a zip file, or of the list of its members."""
    if draw.random() < 0.15:
        return mutate_bytes(data, draw, others)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(each.file_size for each in archive.infolist()) > 50 * LARGEST:
                return mutate_bytes(data, draw, others)
            members = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # noqa: BLE001 - whatever zipfile says of a broken archive
        return mutate_bytes(data, draw, others)
    if not members:
        return mutate_bytes(data, draw, others)
    at = draw.randrange(len(members))
    name, content = members[at]
    match draw.randrange(8):
        case 0:
            members.pop(at)
        case 1:
            members.append((draw.choice(members)[0], content))
        case 2:
            members[at] = (_changed_text(name, draw, (), (), "utf-8") or "x", content)
        case _:
            mutate = mutate_json if content[:1] in b"{[" else mutate_bytes
            if content[:6] == b"\x93NUMPY" and draw.random() < 0.3:
                content = content[:10] + text_mutator()(content[10:128], draw, ()) + content[128:]
            members[at] = (name, mutate(content, draw, ()))
    out = BytesIO()
    with zipfile.ZipFile(out, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as to:
        for name, content in members:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode()[:60000])
            info.compress_type = to.compression
            with warnings.catch_warnings(action="ignore"):  # a name that is there twice
                to.writestr(info, content)
    return out.getvalue()[: 5 * LARGEST]


def mutate_block(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """A change of the record or of the arrays of a block of autosave (``storage.encoding``)."""
    try:
        content = zlib.decompressobj().decompress(data[8:], 50 * LARGEST)
        (length,) = struct.unpack("<I", content[:4])
        text = content[4 : 4 + length]
        arrays = content[4 + length :]
    except (struct.error, zlib.error):
        return mutate_bytes(data, draw, others)
    kind = draw.random()
    if kind < 0.05:
        return mutate_bytes(data, draw, others)
    if kind < 0.3 and arrays:
        arrays = mutate_bytes(arrays, draw, ())
    else:
        text = mutate_json(text, draw, ())
    packed = zlib.compress(struct.pack("<I", len(text)) + text + arrays, 1)
    return data[:4] + struct.pack("<I", zlib.crc32(packed)) + packed
