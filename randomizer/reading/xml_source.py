"""Decodes the bytes of an XML file, as the XML reader (``xml_tree``) needs its text.

The encoding follows, in this order, from a byte order mark, from the first two characters in
UTF-16, and from the declaration in the first line; otherwise it is UTF-8::

    decode_xml(b'<?xml version="1.0"?><map/>')      # 21 blanks, then <map/>
"""

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
"""The first bytes of UTF-16 files without a mark, and their encodings."""

_DECLARATION = re.compile(
    r"""
    <\?xml
    \s+ version \s*=\s* (?P<version_quote>["']) 1\.(?P<minor>[01]) (?P=version_quote)
    (?: \s+ encoding \s*=\s* (?P<quote>["']) (?P<encoding>[A-Za-z][A-Za-z0-9._-]*) (?P=quote) )?
    (?: \s+ standalone \s*=\s* (?: "(?:yes|no)" | '(?:yes|no)' ) )?
    \s* \?>
    """,
    re.VERBOSE,
)
"""The declaration at the start of a file, with the encoding that it names."""

_ENCODINGS = re.compile(r"utf-8|utf-16(-[bl]e)?|ascii|iso8859-\d+|cp125\d|koi8-[ru]|mac-roman")
"""The encodings that a declaration can name, by Python's names for them.

Python's other codecs are not for text (zip, rot13) or do not decode ASCII as ASCII.
"""

_LONGEST_DECLARATION = 400
"""The bytes of a file in which its declaration is looked for; a longer one names no encoding."""


def decode_xml(data: bytes) -> str:
    """Return the text of an XML file, with blanks instead of its declaration.

    Blanks, so that lines and columns stay those of the file; without the declaration expat, the
    parser, does not decode the text a second time. Raises ProblemError for an encoding that is
    unknown or does not fit the bytes, and for a declaration that is not right.
    """
    text = _decode(data)
    if not re.match(r"<\?xml\s", text):
        return text
    declaration = _DECLARATION.match(text)
    if declaration is None:
        raise _refused("not-xml", "The XML declaration in the first line is not right")
    if declaration["minor"] == "1":
        # XML 1.1 has two more line ends (NEL and LINE SEPARATOR); expat reads XML 1.0 only.
        text = text.replace("\x85", "\n").replace("\u2028", "\n")
    return re.sub(r"[^\r\n]", " ", declaration[0]) + text[declaration.end() :]


def _decode(data: bytes) -> str:
    """Return the text of an XML file without its byte order mark. Raises ProblemError."""
    mark, encoding = encoding_of(data)
    return _decode_strictly(data[len(mark) :], encoding)


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
    return b"", _declared_encoding(data[:_LONGEST_DECLARATION].decode("latin-1"))


def _declared_encoding(head: str) -> str:
    """Return the encoding that the declaration of a file names, UTF-8 if it names none.

    It is spelled as in the file, which Python understands, too.
    """
    declaration = _DECLARATION.match(head)
    if declaration is None or not declaration["encoding"]:
        return "utf-8"
    name = declaration["encoding"]
    try:
        codec_name = codecs.lookup(name).name
    except LookupError:
        codec_name = ""
    if not _ENCODINGS.fullmatch(codec_name):
        raise _refused("xml-encoding", f"The encoding “{name}” is not known")
    if codec_name.startswith("utf-16"):
        # A declaration in UTF-16 has two bytes a letter, and would not have matched.
        message = f"The file says that its encoding is {name}, but it is not"
        raise _refused("xml-encoding", message)
    return name


def _decode_strictly(data: bytes, encoding: str) -> str:
    """Return the decoded bytes.

    Raises ProblemError, with the line and column of the first bytes that do not fit.
    """
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as failed:
        text_before = data[: failed.start].decode(encoding, "replace")
        text_before = text_before.replace("\r\n", "\n").replace("\r", "\n")
        # ``rfind`` is -1 in the first line, which makes the column count from 1 there, too.
        line = text_before.count("\n") + 1
        column = len(text_before) - text_before.rfind("\n")
        message = f"The bytes here are not {encoding.upper()}, the encoding of the file"
        raise _refused("xml-encoding", message, line, column) from None


def _refused(code: str, message: str, line: int = 1, column: int = 1) -> ProblemError:
    """Return the error of a file at a position of its text."""
    return ProblemError(Problem(Severity.ERROR, code, message, None, line, column))
