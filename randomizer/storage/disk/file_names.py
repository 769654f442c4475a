"""Checks names that a person types and that become names of files or folders.

Such are the names of Colossus's variants and terrains. They are checked for all systems at once, so
that what is exported on one can be copied to another::

    fault_in_name("Old mill")       # None: it can be the name of a file
    fault_in_name("a/b")            # "A name must not hold /"
"""

from __future__ import annotations

import unicodedata

_DEVICES = frozenset(
    {
        "con",
        "prn",
        "aux",
        "nul",
        *(f"com{number}" for number in range(1, 10)),
        *(f"lpt{number}" for number in range(1, 10)),
    }
)
"""File names reserved by Windows, with any suffix."""

MAX_LENGTH = 80
"""The most characters of the name of a variant or terrain."""

MAX_COMPONENT = 255
"""The most characters of a component of a path (a folder or file) in usual file systems."""

_FORBIDDEN = '/\\:*?"<>|'
"""The signs that no file name can have on Windows; elsewhere only the first one is forbidden."""


def fault_in_name(name: str, max_length: int = MAX_LENGTH) -> str | None:
    """Return why ``name`` cannot be one component of a path, as a sentence; None if it can.

    The sentence has no full stop.
    """
    if not name.strip():
        return "A name must not be empty"
    if len(name) > max_length:
        return f"A name must have at most {max_length} characters"
    # Control characters, halves of surrogate pairs, and separators of lines and paragraphs.
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        return "A name must not hold control characters"
    if forbidden_in_name(name):
        return f"A name must not hold {forbidden_in_name(name)}"
    # Files that begin with a dot are hidden, and Windows drops dots and blanks at the end.
    if name[0] in ". " or name[-1] in ". ":
        return "A name must not begin with a dot or end with one, nor begin or end with a blank"
    if name.partition(".")[0].strip().lower() in _DEVICES:
        return f"“{name}” is a name that Windows keeps for itself"
    return None


def without_forbidden(name: str) -> str:
    """Return ``name`` with a hyphen in place of each sign that no file name can have."""
    return "".join("-" if sign in _FORBIDDEN else sign for sign in name)


def forbidden_in_name(name: str) -> str:
    """Return the signs of ``name`` that no file name can have, with blanks between; "" for none."""
    return " ".join(sorted(set(_FORBIDDEN) & set(name)))
