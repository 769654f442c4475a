"""Every cache is registered, and what all of them can hold fits into a limit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from randomizer.model.basics.caches import KB, MB, Cache, all_caches, empty_caches, registered
from randomizer.model.basics.sized_cache import sized_cache

ROOT = Path(__file__).parents[1]
DECORATORS = ("cache", "lru_cache", "sized_cache")

MOST = 300 * MB
"""What all caches of a session can take together.

96 MB are tiles of what is seen from afar, 34 MB the index of the zip of an installed 0 A.D.
"""

MAX_ARGUMENTS = 200
"""Of a cache without a bound of its own: nobody can type or load more arguments than these."""


def name_of(decorator: ast.expr) -> str:
    return ast.unparse(decorator).partition("(")[0]


def cached_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module that have a cache. One within a function ends with it."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        if any(name_of(decorator) in DECORATORS for decorator in function.decorator_list):
            yield function


def unregistered(tree: ast.Module) -> list[str]:
    """Return the names of cached functions that are not registered as well."""
    return [
        function.name
        for function in cached_functions(tree)
        if "registered" not in map(name_of, function.decorator_list)
    ]


def sources() -> Iterator[tuple[str, str]]:
    """Yield each module of both packages with its text."""
    for package in ("app", "randomizer"):
        for file in (ROOT / package).rglob("*.py"):
            path = file.parent if file.name == "__init__.py" else file.with_suffix("")
            yield ".".join(path.relative_to(ROOT).parts), file.read_text("utf-8")


@pytest.fixture(scope="module")
def caches() -> list[Cache]:
    """All caches of the program, whose modules are imported for it."""
    for module, text in sources():
        if "registered(" in text or "register_bytes(" in text:
            import_module(module)
    return [cache for cache in all_caches() if not cache.name.startswith("tests.")]


def test_every_cache_is_registered() -> None:
    found = 0
    for module, text in sources():
        if not any(decorator in text for decorator in DECORATORS):
            continue
        tree = ast.parse(text)
        assert unregistered(tree) == [], module
        found += len(list(cached_functions(tree)))
    assert found > 100


def test_a_cache_that_is_not_registered_is_noticed() -> None:
    text = "@lru_cache(maxsize=3)\ndef a(): pass\n@registered(count=1)\n@cache\ndef b(): pass\n"
    assert unregistered(ast.parse(text)) == ["a"]


def test_all_caches_together_are_bounded(caches: list[Cache]) -> None:
    caches.sort(key=lambda cache: -cache.max_bytes)
    largest = [(cache.name, round(cache.max_bytes / MB, 1)) for cache in caches[:12]]
    assert sum(cache.max_bytes for cache in caches) <= MOST, largest


def test_caches_without_a_number_are_of_what_the_package_has(caches: list[Cache]) -> None:
    functools_caches = [cache for cache in caches if hasattr(cache.function, "cache_parameters")]
    assert functools_caches
    for cache in functools_caches:
        if cache.function.cache_parameters()["maxsize"] is None:
            assert cache.results is not None
            assert cache.results <= MAX_ARGUMENTS, cache.name


def test_a_registered_cache_tells_its_bound_and_is_emptied_with_its_module() -> None:
    made = []

    @registered(bytes_a_unit=2)
    @sized_cache(max_entries=3, max_size=5 * KB)
    def doubled(text: str) -> str:
        made.append(text)
        return 2 * text

    assert doubled("a") == doubled("a") == "aa"
    assert made == ["a"]
    (cache,) = [all_cache for all_cache in all_caches() if all_cache.function is doubled]
    assert cache.max_bytes == 10 * KB
    empty_caches(__name__)
    assert doubled("a") == "aa"
    assert made == ["a", "a"]
