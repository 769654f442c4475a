"""Turns exceptions of the system and of Python into reasons that a user understands.

A reason is the end of a sentence, so that a message can begin with what could not be done::

    except OSError as failed:
        message = f"the map could not be saved: {words_of(failed)}"     # "... the disk is full"

``words_of`` is for OSError, ``reason_of`` for all that reading damaged data can raise.
"""

from __future__ import annotations

import binascii
import errno
import json

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the disk can only be read",
    errno.ENOENT: "the folder is not there",  # files that are missing are told before this
    errno.ENOTDIR: "what should be a folder is a file",
    errno.EISDIR: "there is a folder of that name",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EFBIG: "the file would be too large for the disk",
}
"""Our reasons by the error numbers of the system."""


def words_of(failed: OSError) -> str:
    """Return the reason of an OSError: ours, or else the system's text for it."""
    reason = _REASONS.get(failed.errno or 0)
    if reason is not None:
        return reason
    system_text = failed.strerror or "the system gives no reason"
    return system_text[:1].lower() + system_text[1:]


_JSON_REASONS = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Illegal trailing comma before end of object": "there is a comma too many",
    "Illegal trailing comma before end of array": "there is a comma too many",
    "Unterminated string starting at": "this text has no end",
    "Invalid control character at": "a text holds a line break or another control character",
    "Invalid \\escape": "a backslash in a text stands before a wrong letter",
    "Invalid \\uXXXX escape": "\\u in a text is not followed by four digits",
    "Extra data": "something follows the end",
    "Unexpected UTF-8 BOM": "it begins with a mark of UTF-8",
}
"""Our reasons by the messages of Python's parser of JSON, without what stands in brackets."""

_VALUE_ERRORS = (
    ("invalid literal for int()", "a whole number is not written as one"),
    ("could not convert string to float", "a number is not written as one"),
    ("Exceeds the limit", "a number has too many digits"),
    ("cannot convert float", "a number is too large"),
    ("not enough values to unpack", "something is missing"),
    ("too many values to unpack", "there is too much of something"),
    ("buffer size must be", "it is cut off"),
    ("embedded null", "a name holds a character that none can have"),
)
"""The beginnings of messages of Python's and of numpy's ValueErrors, and our reasons for them."""


def reason_of(failed: Exception) -> str:
    """Return why something could not be read or written, whatever was raised.

    (``words_of`` is for errors of the system alone.) The messages of Python and its libraries are
    for programmers and are replaced. A ValueError of this program has a message that can be shown.
    Readers of files of strangers raise LookupError and the like, too, where something is not there.
    """
    if isinstance(failed, OSError):
        return words_of(failed)
    if isinstance(failed, json.JSONDecodeError):
        if not failed.doc.strip():
            return "it is empty"
        # ``bounded_json.parse_first`` adds how much it has read: "... (the first 100 characters".
        message, bracket, read_part = failed.msg.partition(" (the first")
        python_message = message.partition(" (")[0]
        reason = _JSON_REASONS.get(python_message, "it is not written as JSON is")
        return f"{reason}{bracket}{read_part}"
    if isinstance(failed, UnicodeError):
        return "it is not UTF-8 text"
    if isinstance(failed, binascii.Error):
        return "it is not packed as base64"
    if isinstance(failed, RecursionError):
        return "it is nested too deeply"
    if isinstance(failed, OverflowError):
        return "a number is too large"
    if isinstance(failed, LookupError | TypeError | AttributeError):
        return "something is missing, or is of another kind"
    if not isinstance(failed, ValueError):
        return "its bytes are damaged"
    message = str(failed)
    for beginning, reason in _VALUE_ERRORS:
        if message.startswith(beginning):
            return reason
    return message
