"""Tables that come with a package: text files with a line a row and tabs between the columns."""

from __future__ import annotations

from importlib.resources import files


def packaged_table(package: str, name: str) -> list[list[str]]:
    """Return the rows of a table, without its first line, which names the columns."""
    lines = files(package).joinpath(name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]
