"""The packaged lists of names, which the words ``sname`` and ``uname`` add to."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def side_names() -> tuple[str, ...]:
    """Names of sides (adjectives: the "Borovian" infantry), each once, in a fixed order."""
    return _lines("sides.txt")


@cache
def place_names() -> tuple[str, ...]:
    """Names of towns and other named units, each once, in a fixed order."""
    return _lines("places.txt")


def _lines(name: str) -> tuple[str, ...]:
    return tuple(files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines())
