"""Every cache is in the table, and what all of them can hold fits into a limit."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.caches import CACHES, MB, MOST, Bytes, Finite, bound_of

ROOT = Path(__file__).parents[1]
DECORATORS = ("cache", "lru_cache", "sized_cache")


def decorated(file: Path) -> list[str]:
    """The functions of a module that have a cache. One within a function ends with its call."""
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    return [
        f"{module}.{each.name}"
        for each in ast.parse(file.read_text("utf-8")).body
        if isinstance(each, ast.FunctionDef)
        and any(ast.unparse(known).split("(")[0] in DECORATORS for known in each.decorator_list)
    ]


def test_every_cache_is_in_the_table() -> None:
    files = (file for package in ("app", "randomizer") for file in (ROOT / package).rglob("*.py"))
    caches = {name for file in files for name in decorated(file)}
    listed = {name for name, bound in CACHES.items() if not isinstance(bound, Bytes)}
    assert caches == listed


def test_all_caches_together_are_bounded() -> None:
    bounds = {name: bound_of(name) for name in CACHES}
    largest = sorted(bounds.items(), key=lambda each: -each[1])[:12]
    assert sum(bounds.values()) <= MOST, [(name, round(most / MB, 1)) for name, most in largest]


def test_caches_without_a_number_are_of_what_the_package_has() -> None:
    """Nobody can type or load more arguments than the table counts."""
    for name, bound in CACHES.items():
        if isinstance(bound, Finite):
            assert bound.count <= 200, name
