"""Which names a variant or a terrain may have, so that its file lands where it should."""

from __future__ import annotations

import unicodedata

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{kind}{number}" for kind in ("com", "lpt") for number in range(1, 10)}
)
"""File names that Windows keeps for itself, whatever the suffix."""

MAX_LENGTH = 80
"""Of a name that a person gives."""

MAX_COMPONENT = 255
"""Of a component of a path, as file systems have it."""


def fault_in_name(name: str, max_length: int = MAX_LENGTH) -> str | None:
    """What keeps ``name`` from being one component of a path, as a sentence; None if nothing."""
    if not name.strip():
        return "A name must not be empty"
    if len(name) > max_length:
        return f"A name must have at most {max_length} characters"
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        return "A name must not hold control characters"
    bad = sorted(set('/\\:*?"<>|') & set(name))
    if bad:
        return f"A name must not hold {' '.join(bad)}"
    if name.startswith(".") or name[-1] in ". " or name[0] == " ":
        return "A name must not begin with a dot or end with one, nor begin or end with a blank"
    if name.partition(".")[0].strip().lower() in _DEVICES:
        return f"“{name}” is a name that Windows keeps for itself"
    return None
