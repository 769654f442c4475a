"""Tests use what a caller can: what they reach behind a public name is counted, and gets less.

Who takes some away lowers the numbers. Each that is left has its reason in a comment beside it, or
in one of the three lines above it. What a test can do instead: hand in a value (a limit, a clock, a
disk, a console), install a package for a while (``package_with``), watch calls without replacing
them (``watched_calls``), meet a limit with a real file, or run a copy with stand-in programs.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent

MAX_PRIVATE = 110
"""Uses of a private name of another object or module; 120 were the goal."""

MAX_PATCHES = 95
"""Calls of ``monkeypatch.setattr``; 100 were the goal."""

LINES_ABOVE = 3
"""So far above the line that it explains a comment can stand."""

PUBLIC = {"_replace", "_asdict", "_fields", "_exit"}
"""Names of ``NamedTuple`` and of ``os`` that are documented in spite of their underscore."""


PRIVATE_WORD = re.compile(r"\._[a-z]|\bimport\b[^\n]*\b_[a-z]|^ +_[a-z]\w*,$", re.MULTILINE)
"""What every source has that uses a private name; others have it, too."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def private_uses(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the private names that are used of anything but ``self`` and ``cls``, by line."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if is_private(name):
                yield name, node.lineno
            case ast.ImportFrom(names=imported):
                for alias in imported:
                    if is_private(alias.name):
                        yield alias.name, alias.lineno


def patch_lines(tree: ast.AST) -> Iterator[int]:
    """Yield the line of each call of ``setattr`` of a ``MonkeyPatch``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="setattr")):
                yield node.lineno


def all_sources() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("*.py")):
        yield path.relative_to(TESTS).as_posix(), path.read_text("utf-8")


class Reaches(NamedTuple):
    """Where a source reaches behind public names: the lines, one for each use."""

    path: str
    source: str
    private_lines: list[int]
    patch_lines: list[int]

    def lines_without_reason(self) -> list[int]:
        """Return the lines that have no comment beside or above them."""
        lines = {*self.private_lines, *self.patch_lines}
        if not lines:
            return []
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        comments = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
        near = range(LINES_ABOVE + 1)
        return sorted(line for line in lines if not comments & {line - above for above in near})


def reaches_of(path: str, source: str) -> Reaches:
    tree = ast.parse(source)
    private_lines = [line for _name, line in private_uses(tree)]
    return Reaches(path, source, private_lines, list(patch_lines(tree)))


def test_private_names_are_counted() -> None:
    source = "from a import _b, c\nx._y\nself._z\nx._replace(a=1)\npatch.setattr(x, '_y', 1)\n"
    tree = ast.parse(source)
    assert sorted(private_uses(tree)) == [("_b", 1), ("_y", 2)]
    assert list(patch_lines(tree)) == [5]


def test_a_use_without_a_reason_is_noticed() -> None:
    source = "# why\nx._a\ny = 1\nx._b\nx._c\nx._d  # why\n"
    assert reaches_of("", source).lines_without_reason() == [5]


@pytest.fixture(scope="module")
def all_reaches() -> list[Reaches]:
    """Those of all tests; a source without any of the two words in it is not parsed."""
    return [
        reaches_of(path, source)
        for path, source in all_sources()
        if "setattr" in source or PRIVATE_WORD.search(source)
    ]


def test_tests_use_few_private_names(all_reaches: list[Reaches]) -> None:
    assert sum(len(reaches.private_lines) for reaches in all_reaches) <= MAX_PRIVATE


def test_tests_replace_little(all_reaches: list[Reaches]) -> None:
    assert sum(len(reaches.patch_lines) for reaches in all_reaches) <= MAX_PATCHES


def test_each_has_its_reason(all_reaches: list[Reaches]) -> None:
    found = [
        (reaches.path, line) for reaches in all_reaches for line in reaches.lines_without_reason()
    ]
    assert found == []
