"""Tests use what a caller can: what they reach behind a public name is counted, and gets less.

Who takes some away lowers the numbers. Each that is left has its reason in a comment beside it, or
in one of the three lines above it. What a test can do instead: hand in a value (a limit, a clock, a
disk, a console), install a package for a while (``package_with``), watch calls without replacing
them (``watched_calls``), meet a limit with a real file, or run a copy with stand-in programs.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

MOST_PRIVATE = 114
"""Uses of a private name of another object or module; 120 were the goal."""

MOST_PATCHES = 94
"""Calls of ``monkeypatch.setattr``; 100 were the goal."""

LINES_ABOVE = 3
"""So far above the line that it explains a comment can stand."""

PUBLIC = {"_replace", "_asdict", "_fields", "_exit"}
"""Names of ``NamedTuple`` and of ``os`` that are documented in spite of their underscore."""


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


def lines_without_reason(source: str) -> list[int]:
    """Return the lines that reach behind a public name and have no comment beside or above."""
    tree = ast.parse(source)
    lines = {*patch_lines(tree), *(line for _name, line in private_uses(tree))}
    if not lines:
        return []
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
    near = range(LINES_ABOVE + 1)
    return sorted(line for line in lines if not comments & {line - above for above in near})


def all_sources() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("*.py")):
        yield path.relative_to(TESTS).as_posix(), path.read_text("utf-8")


def test_private_names_are_counted() -> None:
    source = "from a import _b, c\nx._y\nself._z\nx._replace(a=1)\npatch.setattr(x, '_y', 1)\n"
    tree = ast.parse(source)
    assert sorted(private_uses(tree)) == [("_b", 1), ("_y", 2)]
    assert list(patch_lines(tree)) == [5]


def test_a_use_without_a_reason_is_noticed() -> None:
    source = "# why\nx._a\ny = 1\nx._b\nx._c\nx._d  # why\n"
    assert lines_without_reason(source) == [5]


@pytest.fixture(scope="module")
def trees() -> list[ast.Module]:
    """The sources of all tests."""
    return [ast.parse(source) for _path, source in all_sources()]


def test_tests_use_few_private_names(trees: list[ast.Module]) -> None:
    assert sum(len(list(private_uses(tree))) for tree in trees) <= MOST_PRIVATE


def test_tests_replace_little(trees: list[ast.Module]) -> None:
    assert sum(len(list(patch_lines(tree))) for tree in trees) <= MOST_PATCHES


def test_each_has_its_reason() -> None:
    found = [
        (path, line) for path, source in all_sources() for line in lines_without_reason(source)
    ]
    assert found == []
