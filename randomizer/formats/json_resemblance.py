"""How like a format's files a text of JSON is, by the names of its members."""

from __future__ import annotations

from collections.abc import Collection


def share_of_names(data: bytes, names: Collection[str]) -> float:
    """Return the share of the names (0 to 1) that stand in a text of JSON; 0 if it is no object.

    For ``Format.resemblance`` of formats in JSON: ``names`` are those of the members of its files.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return 0.0
    return sum(f'"{name}"'.encode() in data for name in names) / len(names)
