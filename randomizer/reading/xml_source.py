"""Decodes the bytes of an XML file: byte order marks, declarations, encodings."""

from __future__ import annotations

import codecs
import re

from randomizer.model.problems import Problem, ProblemError, Severity

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks and their encodings."""

_WITHOUT_MARK = (("<?".encode("utf-16-be"), "utf-16-be"), ("<?".encode("utf-16-le"), "utf-16-le"))
"""The first bytes of a UTF-16 file without a mark."""

_DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*(?:"1\.(?P<minor>[01])"|'1\.(?P<minor2>[01])')"""
    r"""(?:\s+encoding\s*=\s*(?P<quote>["'])(?P<encoding>[A-Za-z][A-Za-z0-9._-]*)(?P=quote))?"""
    r"""(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>"""
)

_ENCODINGS = re.compile(r"utf-8|utf-16(-[bl]e)?|ascii|iso8859-\d+|cp125\d|koi8-[ru]|mac-roman")
"""The encodings that a declaration can name, by Python's names for them.

Python's other codecs are not for text (zip, rot13) or do not decode ASCII as ASCII.
"""

_HEAD = 400
"""The number of bytes in which the declaration must be; a longer one names no encoding."""


def decode_xml(data: bytes) -> str:
    """Return the text of an XML file with blanks instead of its declaration.

    Lines and columns are those of the file. Without its declaration expat does not decode the text
    a second time. Raises ProblemError for an encoding that is unknown or does not fit the bytes.
    """
    text = _decode(data)
    if not re.match(r"<\?xml\s", text):
        return text
    declaration = _DECLARATION.match(text)
    if declaration is None:
        raise _refused("not-xml", "The XML declaration in the first line is not right", 1, 1)
    if declaration["minor"] == "1" or declaration["minor2"] == "1":
        # XML 1.1 has two more line ends (NEL and LINE SEPARATOR); expat reads XML 1.0 only.
        text = text.replace("\x85", "\n").replace("\u2028", "\n")
    return re.sub(r"[^\r\n]", " ", declaration[0]) + text[declaration.end() :]


def _decode(data: bytes) -> str:
    mark, encoding = encoding_of(data)
    return _strictly(data[len(mark) :], encoding)


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """Return the byte order mark of an XML file, which can be empty, and its encoding.

    Raises ProblemError for an encoding that is unknown or does not fit the bytes.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return mark, encoding
    for start, encoding in _WITHOUT_MARK:
        if data.startswith(start):
            return b"", encoding
    return b"", _declared_encoding(data[:_HEAD].decode("latin-1"))


def _declared_encoding(head: str) -> str:
    """Return the encoding that the declaration of a file names, UTF-8 if it names none."""
    declaration = _DECLARATION.match(head)
    if declaration is None or not declaration["encoding"]:
        return "utf-8"
    name = declaration["encoding"]
    try:
        codec_name = codecs.lookup(name).name
    except LookupError:
        codec_name = ""
    if not _ENCODINGS.fullmatch(codec_name):
        raise _refused("xml-encoding", f"The encoding “{name}” is not known", 1, 1)
    if codec_name.startswith("utf-16"):
        # A declaration in UTF-16 has two bytes a letter, and would not have matched.
        raise _refused(
            "xml-encoding", f"The file says that its encoding is {name}, but it is not", 1, 1
        )
    return name


def _strictly(data: bytes, encoding: str) -> str:
    """Return the decoded bytes. Raises ProblemError with the line and column of bytes that do not
    fit.
    """
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as failed:
        start = data[: failed.start].decode(encoding, "replace")
        start = start.replace("\r\n", "\n").replace("\r", "\n")
        raise _refused(
            "xml-encoding",
            f"The bytes here are not {encoding.upper()}, the encoding of the file",
            start.count("\n") + 1,
            len(start) - start.rfind("\n"),
        ) from None


def _refused(code: str, message: str, line: int, column: int) -> ProblemError:
    return ProblemError(Problem(Severity.ERROR, code, message, None, line, column))
