"""Valid names of variants and terrains, which become file names."""

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
"""The longest name of a variant or terrain."""

MAX_COMPONENT = 255
"""The longest component of a path in usual file systems."""


def fault_in_name(name: str, max_length: int = MAX_LENGTH) -> str | None:
    """Return why ``name`` cannot be one component of a path, as a sentence; None if it can."""
    if not name.strip():
        return "A name must not be empty"
    if len(name) > max_length:
        return f"A name must have at most {max_length} characters"
    # Control characters, halves of surrogate pairs, and separators of lines and paragraphs.
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        return "A name must not hold control characters"
    if forbidden_in_name(name):
        return f"A name must not hold {forbidden_in_name(name)}"
    if name.startswith(".") or name[-1] in ". " or name[0] == " ":
        return "A name must not begin with a dot or end with one, nor begin or end with a blank"
    if name.partition(".")[0].strip().lower() in _DEVICES:
        return f"“{name}” is a name that Windows keeps for itself"
    return None


def forbidden_in_name(name: str) -> str:
    """Return the signs of ``name`` that no file name can have, with blanks between; "" for none."""
    return " ".join(sorted(set('/\\:*?"<>|') & set(name)))
