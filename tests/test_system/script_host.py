"""The script host of ``.tll``: the required part, its further file, and words to colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from randomizer.model.language import line_pieces
from randomizer.model.problems import Problem, Severity
from tests.test_system.generator import LandGenerator, generator_of, packaged
from tests.test_system.language import STATEMENTS, parse

__all__ = [
    "KEYWORDS",
    "PIECES",
    "RAW_LINES",
    "SUFFIXES",
    "check",
    "check_texts",
    "decode",
    "from_text",
    "packaged",
]

SUFFIXES = (".tll", ".tlx")
KEYWORDS = tuple(STATEMENTS)
PIECES = line_pieces("#", r'"[^"]*"?', r"[^\W\d]\w*", r"\d+")
RAW_LINES: tuple[str, str] | None = None


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """The text of a script file's bytes, and problems of the bytes."""
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        return "", (Problem(Severity.ERROR, "tll", "this is no UTF-8 text", path),)


def check(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a script."""
    return parse(text, path)[1]


def check_texts(
    text: str, _script: str, _texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """All problems of a script; its metadata have none of their own."""
    return check(text, path)


def from_text(text: str, script: str, path: str | None = None) -> LandGenerator:
    """The generator of a script without metadata."""
    return from_texts(text, script, {}, path)


def further_names(_text: str, script: str) -> Sequence[str]:
    """The metadata file beside the script."""
    return (PurePath(script).stem + ".json",)


def library_folders(text: str) -> tuple[str, ...]:
    """The folders that a script includes."""
    return tuple(each.arguments[0] for each in parse(text)[0] if each.word == "include")


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> LandGenerator:
    """The generator of a script with its metadata."""
    return generator_of("", text, script, texts, path)
