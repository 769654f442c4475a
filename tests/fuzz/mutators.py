"""Changes of inputs that keep enough of their structure to get deep into a reader.

    changed = mutate_json(data, Random(7), other_inputs)

A ``Mutator`` takes bytes, a source of chance and other inputs to take pieces from, and returns
bytes. What it cannot parse it changes byte by byte. Each draws what it does (a ``match`` of a
random number), so that the same source of chance gives the same change; in tuples of choices a
number that stands twice is drawn twice as often.
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
"""The most bytes of an input: longer ones are cut off."""

# Numbers, texts and bytes at which readers of files are likely to fail.

_NUMBERS = (0, 1, -1, 2, 7, 9, 10, 15, 16, 31, 32, 100, 127, 128, 255, 256, 999, 1000, 1024, 4096)
_NUMBERS += (32767, 65535, 65536, 10**6, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**63, -(2**63))
_NUMBERS += (2**64, 10**30, -(10**30), 10**400)
_TEXTS = ("", " ", "\0", "\n", "\r", "\t", "a", "é", "“", "\u2028", "\ud800", "\U0001f600", "\x7f")
_TEXTS += ("-", "..", "/", "\\", "%s", "{}", "nan", "1e999", "null", "x" * 300, "A1", "D4", "0x1F")
_BYTES = (b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\x80", b"\r\n", b"\n", b"\r", b'"', b"'")
_BYTES += (b"<", b">", b"&", b"{", b"}", b"[", b"]", b"(", b")", b";", b"#", b"=", b"\\", b"%")


def mutate_bytes(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return data with one to four changes of bytes.

    Bits are flipped, pieces are taken out, doubled, or taken from another input, and numbers are
    written over others.
    """
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4))):
        start = draw.randrange(len(changed) + 1)
        length = min(len(changed) - start, draw.choice((1, 1, 2, 4, 8, 30, 200)))
        end = start + length
        match draw.randrange(7):
            case 0 if start < len(changed):
                changed[start] ^= 1 << draw.randrange(8)
            case 1 if start < len(changed):
                changed[start] = draw.randrange(256)
            case 2:
                del changed[start:end]
            case 3:
                changed[start:start] = changed[start:end] * draw.choice((1, 1, 2, 50))
            case 4:
                changed[start:start] = draw.choice(_BYTES)
            case 5 if others:
                source = draw.choice(others)
                first = draw.randrange(len(source) + 1)
                changed[start:end] = source[first : first + draw.choice((4, 16, 100, 1000))]
            case 6:
                size = draw.choice((1, 2, 4, 8))
                number = draw.choice(_NUMBERS) % 256**size
                order = draw.choice(("little", "big"))
                new_bytes = number.to_bytes(size, order)  # type: ignore[arg-type]
                changed[start : start + size] = new_bytes
        if draw.random() < 0.01:
            del changed[start:]
    return bytes(changed[:LARGEST])


def text_mutator(*words: str, encoding: str = "utf-8") -> Mutator:
    """Return a mutator of lines, words and numbers of a text.

    ``words`` are those of its language, which are put in.
    """

    def mutate(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
        if draw.random() < 0.1:
            return mutate_bytes(data, draw, others)
        text = data.decode(encoding, "replace")
        for _ in range(draw.choice((1, 1, 2, 4))):
            text = _changed_text(text, draw, others, words, encoding)
        return text.encode(encoding, "replace")[:LARGEST]

    return mutate


_PIECE = re.compile(r"\s+|-?\d+|\w+|.", re.DOTALL)
"""A piece of a text: blanks, a number, a word, or a single other character."""


def _changed_text(
    text: str, draw: Random, others: Sequence[bytes], words: Sequence[str], encoding: str
) -> str:
    """Return a text with one change: of its lines, or more often of its pieces."""
    if draw.random() < 0.3:
        return _with_changed_lines(text, draw, others, encoding)
    return _with_changed_pieces(text, draw, words)


def _with_changed_lines(text: str, draw: Random, others: Sequence[bytes], encoding: str) -> str:
    """Return a text of which a line is removed, doubled, exchanged, taken over or halved."""
    lines = text.split("\n")
    index = draw.randrange(len(lines))
    second_index = draw.randrange(len(lines))
    match draw.randrange(5):
        case 0:
            del lines[index]
        case 1:
            lines.insert(second_index, lines[index])
        case 2:
            lines[index], lines[second_index] = lines[second_index], lines[index]
        case 3 if others:
            lines_of_source = draw.choice(others).decode(encoding, "replace").split("\n")
            lines.insert(index, draw.choice(lines_of_source))
        case 4:
            first_half = lines[index][: len(lines[index]) // 2]
            lines.insert(index, first_half)
    return "\n".join(lines)


def _with_changed_pieces(text: str, draw: Random, words: Sequence[str]) -> str:
    """Return a text of which pieces are put in, removed, repeated, or replaced."""
    pieces = _PIECE.findall(text)
    start = draw.randrange(len(pieces) + 1)
    match draw.randrange(6):
        case 0 if words:
            new_pieces = [draw.choice(words), draw.choice((" ", ""))]
            replaced_count = draw.randrange(2)
            pieces[start : start + replaced_count] = new_pieces
        case 1:
            del pieces[start : start + draw.choice((1, 1, 2, 8))]
        case 2:
            repeated = pieces[start : start + draw.choice((1, 2, 8))]
            pieces[start:start] = repeated * draw.choice((1, 1, 3, 100))
        case 3:
            pieces[start : start + 1] = [str(draw.choice(_NUMBERS))]
        case 4:
            new_text = draw.choice(_TEXTS)
            replaced_count = draw.randrange(2)
            pieces[start : start + replaced_count] = [new_text]
        case 5 if pieces:
            numbers = [i for i, piece in enumerate(pieces) if piece.lstrip("-").isdecimal()]
            if numbers:
                pieces[draw.choice(numbers)] = str(draw.choice(_NUMBERS))
    return "".join(pieces)


# --- JSON -----------------------------------------------------------------------------------------


def mutate_json(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return a JSON text with one to three changes of values, names and lists."""
    if draw.random() < 0.07:
        return mutate_bytes(data, draw, others)
    try:
        value = json.loads(data.decode("utf-8-sig"))
        value = mutate_value(value, draw, others)
        text = json.dumps(value, ensure_ascii=draw.random() < 0.5)
    except (ValueError, RecursionError):
        return mutate_bytes(data, draw, others)
    return text.encode("utf-8", "replace")[:LARGEST]


def mutate_value(value: Any, draw: Random, others: Sequence[bytes] = ()) -> Any:
    """Return a value of JSON with one to three changes; lists and dicts are changed in place."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        value = _changed_value(value, draw, others)
    return value


_MAX_ENTRIES = 300
"""The most entries of a list that are changed."""

_MAX_POSITIONS = 3000
"""About the most positions of a value that are changed."""

_POSITIONS_NEAR_TOP = 60
"""The first positions, which are drawn more often."""


def _positions(value: Any) -> list[tuple[Any, Any]]:
    """Return where the values within a value are: list or dict, and index or name there.

    Those near the top come first.
    """
    positions: list[tuple[Any, Any]] = []
    waiting = [value]
    for owner in waiting:
        entries: list[tuple[Any, Any]] = []
        if isinstance(owner, dict):
            entries = list(owner.items())
        elif isinstance(owner, list):
            entries = list(enumerate(owner[:_MAX_ENTRIES]))
        for name, entry in entries:
            positions.append((owner, name))
            if isinstance(entry, dict | list):
                waiting.append(entry)
        if len(positions) > _MAX_POSITIONS:
            break
    return positions


def _changed_value(value: Any, draw: Random, others: Sequence[bytes]) -> Any:
    """Return a value of JSON with one change somewhere in it, or another value for it."""
    positions = _positions(value)
    if not positions or draw.random() < 0.005:
        return _any_value(draw)
    # Names near the top weigh as much as the thousands of numbers of an array.
    if draw.random() < 0.4:
        owner, name = draw.choice(positions[:_POSITIONS_NEAR_TOP])
    else:
        owner, name = draw.choice(positions)
    old = owner[name]
    match draw.randrange(9):
        case 0:
            owner[name] = _any_value(draw)
        case 1 if isinstance(old, int | float):
            owner[name] = _similar_number(old, draw)
        case 1 | 2 if isinstance(old, str):
            owner[name] = _changed_text(old, draw, (), (), "utf-8")
        case 2 | 3:
            del owner[name]
        case 4:
            owner[name] = _copy_of(*draw.choice(positions))
        case 5 if isinstance(owner, list):
            owner.insert(name, _copy_of(owner, name))
            if draw.random() < 0.1:
                owner[name:name] = [old] * draw.choice((2, 30, 300))
        case 5 | 6 if isinstance(owner, dict):
            names = [str(other_name) for _owner, other_name in positions[:50]]
            owner[draw.choice((*_TEXTS, *names))] = old
        case 7:
            owner[name] = _nested(old, draw)
        case 8 if others:
            _take_over(owner, name, draw, others)
        case _:
            owner[name] = _any_value(draw)
    return value


def _copy_of(owner: Any, name: Any) -> Any:
    """Return a deep copy of what is at a position; None if an earlier change removed it."""
    value = None
    if isinstance(owner, dict):
        value = owner.get(name)
    elif name < len(owner):
        value = owner[name]
    return json.loads(json.dumps(value))


def _nested(value: Any, draw: Random) -> Any:
    """Return a value in a list or a dict, now and then deeply nested."""
    nested: Any = {"": value}
    if draw.random() < 0.5:
        nested = [value]
    if draw.random() < 0.05:
        for _ in range(draw.choice((20, 60, 500))):
            nested = [nested]
    return nested


def _take_over(owner: Any, name: Any, draw: Random, others: Sequence[bytes]) -> None:
    """Put a value from another input at a position, if that input is JSON."""
    try:
        positions = _positions(json.loads(draw.choice(others).decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return
    if positions:
        source_owner, source_name = draw.choice(positions)
        owner[name] = source_owner[source_name]


def _any_value(draw: Random) -> Any:
    """Return a value of any kind; a list and a dict are new ones."""
    values: tuple[Any, ...] = (None, True, False, [], {}, 0.5, 1e308, -1e-320, float("nan"))
    values += (float("inf"), draw.choice(_NUMBERS), draw.choice(_NUMBERS), draw.choice(_TEXTS))
    return draw.choice(values)


_LARGEST_FLOAT = 1e300
"""Larger whole numbers are no floats, and can be too long to be written as text."""


def _similar_number(old: float, draw: Random) -> Any:
    """Return another number near one, of another sign, size or type."""
    is_small = abs(old) < _LARGEST_FLOAT
    if isinstance(old, float):
        factor = draw.choice((1.0, -1.0, 1.0001, 10, 1e9, 1e300))
        rounded = 0
        if is_small:  # False for NaN as well
            rounded = round(old)
        return draw.choice((old * factor, old + 1, rounded))
    as_float = 0.0
    as_text = ""
    if is_small:
        as_float = float(old)
        as_text = str(old)
    any_number = draw.choice(_NUMBERS)
    return draw.choice((old + 1, old - 1, -old, old * 2, as_float, as_text, any_number))


# --- XML ------------------------------------------------------------------------------------------

_TAG = re.compile(r"(<[^<>]*>)")
"""A tag; as a group, so that ``split`` returns the tags as well as the texts between them."""

_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")
"""A name (group 1) and a value in quotes (group 2)."""


def xml_mutator(*words: str) -> Mutator:
    """Return a mutator of tags and attributes; ``words`` are names and values that files have."""
    mutate_text = text_mutator(
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
            return mutate_text(data, draw, others)
        # Tags and the texts between them, in turn.
        pieces = _TAG.split(data.decode("utf-8", "replace"))
        for _ in range(draw.choice((1, 1, 2, 4))):
            index = draw.randrange(len(pieces))
            second_index = draw.randrange(len(pieces))
            match draw.randrange(6):
                case 0:
                    pieces[index] = ""
                case 1:
                    pieces.insert(second_index, pieces[index] * draw.choice((1, 1, 2, 60)))
                case 2:
                    pieces[index], pieces[second_index] = pieces[second_index], pieces[index]
                case 3 | 4:
                    tags = [i for i, piece in enumerate(pieces) if "=" in piece]
                    if tags:
                        index = draw.choice(tags)
                        pieces[index] = _changed_tag(pieces[index], draw, words)
                case 5 if others:
                    pieces_of_source = _TAG.split(draw.choice(others).decode("utf-8", "replace"))
                    pieces.insert(index, draw.choice(pieces_of_source))
        return "".join(pieces).encode("utf-8", "replace")[:LARGEST]

    return mutate


def _changed_tag(tag: str, draw: Random, words: Sequence[str]) -> str:
    """Return a tag with one attribute removed, doubled, renamed, or of another value."""
    attributes = list(_ATTRIBUTE.finditer(tag))
    if not attributes:
        return tag
    attribute = draw.choice(attributes)
    value = draw.choice((*words, *_TEXTS[:12], *map(str, _NUMBERS)))
    match draw.randrange(4):
        case 0:
            return tag[: attribute.start()] + tag[attribute.end() :]
        case 1:
            return f"{tag[: attribute.end()]} {attribute.group()}{tag[attribute.end() :]}"
        case 2:
            name = "x"
            if words:
                name = draw.choice(words)
            return tag[: attribute.start(1)] + name + tag[attribute.end(1) :]
        case _:
            return tag[: attribute.start(2)] + f'"{value}"' + tag[attribute.end(2) :]


# --- archives and blocks --------------------------------------------------------------------------


def gzip_mutator(text: Mutator, encoding: str) -> Mutator:
    """Return a mutator of packed texts by ``text``, and now and then of the packed bytes.

    ``encoding`` is that of the texts; ``text`` gets them in UTF-8.
    """

    def mutate(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
        unpacked_data = _unpacked(data)
        if unpacked_data is None or draw.random() < 0.1:
            return mutate_bytes(data, draw, others)
        inputs = [unpacked_data]
        inputs += [other for other in map(_unpacked, others) if other is not None]
        texts = [unpacked.decode(encoding, "replace").encode() for unpacked in inputs]
        changed = text(texts[0], draw, texts[1:]).decode("utf-8", "replace")
        return gzip.compress(changed.encode(encoding, "replace"), 1, mtime=0)

    return mutate


_GZIP = 16 + zlib.MAX_WBITS
"""The window of a decompressor for data with the header of gzip."""


def _unpacked(data: bytes) -> bytes | None:
    """Return packed data unpacked, cut off if they are large; None if they are damaged."""
    try:
        return zlib.decompressobj(_GZIP).decompress(data, 2 * LARGEST)
    except zlib.error:
        return None


_MAX_UNPACKED = 50 * LARGEST
"""The most unpacked bytes of an archive or a block that is taken apart."""


def mutate_zip(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return a zip file with a change of one member, or of the list of its members."""
    if draw.random() < 0.15:
        return mutate_bytes(data, draw, others)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MAX_UNPACKED:
                return mutate_bytes(data, draw, others)
            members = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # noqa: BLE001 - whatever zipfile says of a broken archive
        return mutate_bytes(data, draw, others)
    if not members:
        return mutate_bytes(data, draw, others)
    index = draw.randrange(len(members))
    name, content = members[index]
    match draw.randrange(8):
        case 0:
            members.pop(index)
        case 1:
            members.append((draw.choice(members)[0], content))
        case 2:
            members[index] = (_changed_text(name, draw, (), (), "utf-8") or "x", content)
        case _:
            members[index] = (name, _changed_member(content, draw))
    return _zipped(members, draw)


def _changed_member(content: bytes, draw: Random) -> bytes:
    """Return the content of a file with changes by its format: JSON, an array, or any other."""
    if content[:1] in b"{[":
        return mutate_json(content, draw, ())
    if content[:6] == b"\x93NUMPY" and draw.random() < 0.3:
        # An array: 10 bytes of mark and version, a header in the syntax of Python, the values.
        header = text_mutator()(content[10:128], draw, ())
        content = content[:10] + header + content[128:]
    return mutate_bytes(content, draw, ())


def _zipped(members: Sequence[tuple[str, bytes]], draw: Random) -> bytes:
    """Return a zip file of members (name, content), packed or not."""
    file = BytesIO()
    compression = draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in members:
            # A name has at most 65,535 bytes; ZipFile raises for a longer one.
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode()[:60000])
            info.compress_type = compression
            with warnings.catch_warnings(action="ignore"):  # a name that is there twice
                archive.writestr(info, content)
    return file.getvalue()[: 5 * LARGEST]


def mutate_block(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return a block of autosave (``storage.encoding``) with a changed record or changed arrays.

    Its checksum is right, so that the change gets past it.
    """
    # A mark and a checksum of 4 bytes each, then packed: the length of the record, it, the arrays.
    try:
        content = zlib.decompressobj().decompress(data[8:], _MAX_UNPACKED)
        (length,) = struct.unpack("<I", content[:4])
        record = content[4 : 4 + length]
        arrays = content[4 + length :]
    except (struct.error, zlib.error):
        return mutate_bytes(data, draw, others)
    kind = draw.random()  # which of these happens
    if kind < 0.05:
        return mutate_bytes(data, draw, others)
    if kind < 0.3 and arrays:
        arrays = mutate_bytes(arrays, draw, ())
    else:
        record = mutate_json(record, draw, ())
    packed = zlib.compress(struct.pack("<I", len(record)) + record + arrays, 1)
    return data[:4] + struct.pack("<I", zlib.crc32(packed)) + packed
