"""Scripts are parsed without running."""

from __future__ import annotations

import sys

import pytest

from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_syntax import syntax_problem


@pytest.mark.parametrize(
    "text",
    [
        "",
        "for (;;);",
        "null.x;",
        "Engine.LoadLibrary('none'); function* GenerateMap() { yield 1; }",
        "import { a } from 'maps/random/none.js';\nexport const b = a;",
        "while (true) { /* for ever */ }\n// the end",
    ],
)
def test_what_can_be_parsed_has_no_problem(text: str) -> None:
    assert syntax_problem(Script("maps/random/a.js", text)) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("let b = ;", (1, 9)),
        ("let a;\nlet b = ;", (2, 9)),
        ("function f() {\n  return 1 +;\n}", (2, 13)),
        ("export const a = ;", (1, 18)),
        ("import { a } from 'x';\n\n}", (3, 1)),
        ("import { a b } from 'x';", (1, 12)),
        ("let a; let a;", (1, 12)),
    ],
)
def test_a_syntax_error_has_its_place(text: str, place: tuple[int, int]) -> None:
    problem = syntax_problem(Script("maps/random/a.js", text))
    assert problem is not None
    assert "SyntaxError" in problem.message
    assert (problem.path, problem.line, problem.column) == ("maps/random/a.js", *place)


def test_without_the_engine_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)  # as if it were not installed
    assert syntax_problem(Script("maps/random/a.js", "let b = ;")) is None
