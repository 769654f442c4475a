"""From the bytes of an XML file to its text: byte order marks, declarations, every encoding."""

from __future__ import annotations

import codecs
import re

from randomizer.model.problems import Problem, ProblemError, Severity

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; those of UTF-32 first, since that of UTF-16 is the start of one of them."""

_FAMILIES = (
    ("<".encode("utf-32-be"), "utf-32-be"),
    ("<".encode("utf-32-le"), "utf-32-le"),
    ("<?".encode("utf-16-be"), "utf-16-be"),
    ("<?".encode("utf-16-le"), "utf-16-le"),
    ("<?xm".encode("cp037"), "cp037"),
)
"""How a file without a mark may start; every EBCDIC code page writes ``<?xm`` alike."""

_DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*(?:"1\.(?P<minor>[01])"|'1\.(?P<minor2>[01])')"""
    r"""(?:\s+encoding\s*=\s*(?P<quote>["'])(?P<encoding>[A-Za-z][A-Za-z0-9._-]*)(?P=quote))?"""
    r"""(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>"""
)

_NOT_CHARACTER_SETS = frozenset(
    {
        "idna",
        "punycode",
        "undefined",
        "unicode_escape",
        "raw_unicode_escape",
        "utf_7",
        "mbcs",
        "oem",
    }
)
"""Python's codecs that are no character set of files; some take very long on purpose-made data."""

_HEAD = 400
"""How many bytes may hold the declaration."""


def decode_xml(data: bytes) -> str:
    """The text of an XML file, its declaration replaced by blanks, so that places stay right.

    Raises ProblemError for an encoding that is unknown or does not fit the bytes.
    """
    text = _decode(data)
    if not re.match(r"<\?xml\s", text):
        return text
    declaration = _DECLARATION.match(text)
    if declaration is None:
        raise _refused("not-xml", "The XML declaration in the first line is not right", 1, 1)
    if declaration["minor"] == "1" or declaration["minor2"] == "1":
        # XML 1.1 has two line ends more; expat reads 1.0 only.
        text = text.replace("\x85", "\n").replace("\u2028", "\n")
    return re.sub(r"[^\r\n]", " ", declaration[0]) + text[declaration.end() :]


def _decode(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding)
    for start, family in _FAMILIES:
        if data.startswith(start):
            if family != "cp037":
                return _strictly(data, family)
            return _as_declared(data, data[:_HEAD].decode("cp037"))
    return _as_declared(data, data[:_HEAD].decode("latin-1"))


def _as_declared(data: bytes, head: str) -> str:
    """``data`` by the encoding that its declaration names, UTF-8 where it names none."""
    declaration = _DECLARATION.match(head)
    name = declaration["encoding"] if declaration else None
    if not name:
        return _strictly(data, "utf-8")
    try:
        known = codecs.lookup(name).name.replace("-", "_")
    except LookupError:
        known = ""
    if not known or known in _NOT_CHARACTER_SETS:
        raise _refused("xml-encoding", f"The encoding “{name}” is not known", 1, 1)
    text = _strictly(data, name)
    if not text.startswith("<?xml"):
        raise _refused(
            "xml-encoding", f"The file says that its encoding is {name}, but it is not", 1, 1
        )
    return text


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as failed:
        before = data[: failed.start].decode(encoding, "replace")
        before = before.replace("\r\n", "\n").replace("\r", "\n")
        raise _refused(
            "xml-encoding",
            f"The bytes here are not {encoding.upper()}, the encoding of the file",
            before.count("\n") + 1,
            len(before) - before.rfind("\n"),
        ) from None
    except (LookupError, UnicodeError, ValueError):  # a codec that is not for text
        raise _refused(
            "xml-encoding", f"“{encoding}” is no encoding that a text can have", 1, 1
        ) from None


def _refused(code: str, message: str, line: int, column: int) -> ProblemError:
    return ProblemError(Problem(Severity.ERROR, code, message, None, line, column))
