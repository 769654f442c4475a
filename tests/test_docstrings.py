"""Names in docstrings exist: a name in double backquotes stands somewhere in the code.

A renamed parameter or signal leaves its old name in a docstring behind, and a reader looks for it
in vain.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
QUOTED_NAME = re.compile(r"``([A-Za-z_]\w*)(?:\([^`]*\))?``")

VAGUE = {"found", "known", "made", "kept", "said", "told", "wanted", "there", "before", "after"}
"""Words that are names somewhere, by chance: these must stand in the same file."""

FOREIGN_WORDS = {
    "FIXED_MAP",  # a constant of the JavaScript that an export of 0 A.D. writes
    "medit_grass_field_a",  # textures of 0 A.D., and ends of their names
    "desert_sand_dunes_50",
    "alpine_cliff_snow",
    "desert_cliff_1",
    "_a",
    "_02",
    "_50",
    "elmwood",  # a terrain of a period of Xconq
}
"""Words of other languages and programs that docstrings quote."""


FIELD_OF_NAME = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.ClassDef: "name",
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
}
"""The field with the name, by the kind of node."""


class Quoted(NamedTuple):
    """A name that a docstring quotes."""

    path: Path
    line: int
    name: str


Modules = dict[Path, ast.Module]
"""The syntax trees of both packages by path."""


@pytest.fixture(scope="module")
def modules() -> Modules:
    """Those of the project. They take 300 MB, and garbage is looked for in them meanwhile."""
    paths = [path for room in ("app", "randomizer") for path in (ROOT / room).rglob("*.py")]
    return {path: ast.parse(path.read_text("utf-8")) for path in paths}


def names_in(path: Path, tree: ast.Module) -> set[str]:
    """Return all names of a module: defined, used, imported, as a string, or in its own path."""
    names = set(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(tree):
        kind = type(node)
        if kind in FIELD_OF_NAME:  # quicker than a match for a million nodes
            names.add(getattr(node, FIELD_OF_NAME[kind]))
        elif isinstance(node, ast.alias):
            names.update((node.asname or node.name).split("."))
        elif isinstance(node, ast.Constant) and str(node.value).isidentifier():
            names.add(str(node.value))
    names.discard(None)  # the keyword of ``**settings``
    return names


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each docstring, those of fields and constants included."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


@pytest.fixture(scope="module")
def quoted_names(modules: Modules) -> list[Quoted]:
    """All names that docstrings of the project quote."""
    return [
        Quoted(path, line, name)
        for path, tree in modules.items()
        for line, text in docstrings(tree)
        for name in QUOTED_NAME.findall(text)
    ]


def test_names_in_docstrings_exist(modules: Modules, quoted_names: list[Quoted]) -> None:
    """Each stands somewhere in the code; the vague ones stand in the same file."""
    names_of_module = {path: names_in(path, tree) for path, tree in modules.items()}
    names_anywhere = set(keyword.kwlist) | set(dir(builtins)) | FOREIGN_WORDS
    names_anywhere.update(path.stem for path in (ROOT / "tests").rglob("*.py"))
    names_anywhere.update(*names_of_module.values())
    dead = []
    for path, line, name in quoted_names:
        is_here = name in names_of_module[path]
        is_elsewhere = name in names_anywhere and name not in VAGUE
        if not is_here and not is_elsewhere:
            dead.append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert dead == []


def test_a_name_that_stands_nowhere_is_noticed() -> None:
    tree = ast.parse('def roll(seed):\n    """Roll with ``sead``."""\n')
    (quoted,) = (QUOTED_NAME.findall(text) for _line, text in docstrings(tree))
    assert quoted == ["sead"]
    assert "sead" not in names_in(ROOT / "app" / "example.py", tree)


def test_quoted_words_of_other_languages_are_still_quoted(quoted_names: list[Quoted]) -> None:
    assert {quoted.name for quoted in quoted_names} >= FOREIGN_WORDS
