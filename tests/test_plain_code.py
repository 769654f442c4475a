"""The code stays plain: what a reader of any file is spared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.sources import sources_with

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "randomizer", "packaging", "tests")


def _is_exchange(assignment: ast.Assign) -> bool:
    """Whether a value reads one of the targets, so that the order of two lines would matter."""
    assert isinstance(assignment.targets[0], ast.Tuple)
    targets = {ast.unparse(target) for target in assignment.targets[0].elts}
    return any(ast.unparse(node) in targets for node in ast.walk(assignment.value))


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield all statements of a module, those within other statements too."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, field, ())


def packed_assignments(source: str) -> Iterator[int]:
    """Yield the lines of assignments such as ``a, b = x, y`` that are no exchange."""
    for node in statements(ast.parse(source)):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        if isinstance(node.targets[0], ast.Tuple) and not _is_exchange(node):
            yield node.lineno


def test_two_assignments_are_two_lines():
    packed = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, text in sources_with([", "], *(ROOT / folder for folder in FOLDERS))
        for line in packed_assignments(text)
    ]
    assert packed == []


def test_an_exchange_is_one_assignment():
    assert list(packed_assignments("low, high = high, low")) == []
    assert list(packed_assignments("width, height = 6, 5")) == [1]
    assert list(packed_assignments("try:\n    pass\nexcept OSError:\n    x, y = 1, 2")) == [4]
