"""Tests use what a caller can: what they reach behind a public name is counted, and gets less.

Who takes some away lowers the numbers. What is left stands in the line that uses it: caches that
are emptied, a process that is killed, a draw that is made to fail.
"""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent

MOST_PRIVATE = 147
"""Uses of a private name of another object or module; the goal is 120."""

MOST_PATCHES = 273
"""Calls of ``monkeypatch.setattr``; the goal is 100."""

PUBLIC = {"_replace", "_asdict", "_fields", "_exit"}
"""Names of ``NamedTuple`` and of ``os`` that are documented in spite of their underscore."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def private_names(tree: ast.AST) -> list[str]:
    """Return the private names that are used of anything but ``self`` and ``cls``."""
    names = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if is_private(name):
                names.append(name)
            case ast.ImportFrom(names=imported):
                names += [each.name for each in imported if is_private(each.name)]
    return names


def patches(tree: ast.AST) -> int:
    """Return how many calls of ``setattr`` of a ``MonkeyPatch`` there are."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(isinstance(call, ast.Attribute) and call.attr == "setattr" for call in calls)


def all_trees() -> list[ast.AST]:
    return [ast.parse(path.read_text("utf-8")) for path in sorted(TESTS.rglob("*.py"))]


def test_private_names_are_counted() -> None:
    source = "from a import _b, c\nx._y\nself._z\nx._replace(a=1)\npatch.setattr(x, '_y', 1)\n"
    tree = ast.parse(source)
    assert sorted(private_names(tree)) == ["_b", "_y"]
    assert patches(tree) == 1


def test_tests_use_few_private_names() -> None:
    names = [name for tree in all_trees() for name in private_names(tree)]
    assert len(names) <= MOST_PRIVATE


def test_tests_replace_little() -> None:
    assert sum(map(patches, all_trees())) <= MOST_PATCHES
