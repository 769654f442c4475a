"""Reads the text of a script from the bytes of its file."""

from __future__ import annotations

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.syntax import Span

LARGEST_FILE = 256 * 1024
"""The largest file that is read, in bytes. The largest script that we have met has 3,000.

If it is larger, a file of another kind takes longer to be refused.
"""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOP = Span(1, 1, 1, 1)
"""The place at which problems of the whole file are shown."""


def decode_script(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a script file, with its line ends as they are, and problems of its bytes.

    The data are read as UTF-8, with or without a byte order mark, else as Latin-1. Data that cannot
    be a script give "" and an error.
    """
    source = Source("", path)
    if len(data) > LARGEST_FILE:
        return "", (source.problem("file-too-large", _TOP, size=len(data), most=LARGEST_FILE),)
    if b"\0" in data:
        return "", (source.problem("file-is-binary", _TOP),)
    problems = []
    if data.startswith(_BYTE_ORDER_MARK):
        problems.append(source.problem("byte-order-mark", _TOP))
        data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        problems.append(source.problem("file-is-latin-1", _TOP))
        text = data.decode("latin-1")
    return text, tuple(problems)
