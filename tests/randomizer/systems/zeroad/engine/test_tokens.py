"""JavaScript cut into tokens, and outermost names as var."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.zeroad.engine.global_scripts import leading_libraries, with_var
from randomizer.systems.zeroad.engine.tokens import REGEX, TEXT, tokens


def words(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a / b / c", ["a", "/", "b", "/", "c"]),
        ("a = /b/g.c", ["a", "=", "/b/g", ".", "c"]),
        ("return /[/]'/", ["return", "/[/]'/"]),
        ("(a) / b / c", ["(", "a", ")", "/", "b", "/", "c"]),
        ("if (a) /b'/.c", ["if", "(", "a", ")", "/b'/", ".", "c"]),
        ("a++ / 2 / b", ["a", "++", "/", "2", "/", "b"]),
        ("[0] / 2 / '/'", ["[", "0", "]", "/", "2", "/", "'/'"]),
        ("} /'/.a", ["}", "/'/", ".", "a"]),
        ("a // b 'c\nd", ["a", "d"]),
        ("a /* ' */ b", ["a", "b"]),
        ("'a\\'b' \"c'\"", ["'a\\'b'", '"c\'"']),
        ("`a${b + `c${'}'}`}d` e", ["`a${", "b", "+", "`c${", "'}'", "}`", "}d`", "e"]),
        ("`a\\`$b` c", ["`a\\`$b`", "c"]),
        ("`${{a: 1}}`", ["`${", "{", "a", ":", "1", "}", "}`"]),
        ("a => b ?? c?.d", ["a", "=>", "b", "??", "c", "?.", "d"]),
        ("#!node\na", ["a"]),
    ],
)
def test_scripts_are_cut_into_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_regular_expressions_and_texts_are_known_as_such() -> None:
    kinds = {token.text: token.kind for token in tokens("a = /b/; c = 'd' + `e`")}
    assert (kinds["/b/"], kinds["'d'"], kinds["`e`"]) == (REGEX, TEXT, TEXT)


def test_depth_counts_brackets() -> None:
    found = [(token.text, token.depth) for token in tokens("a(b[{`${c}`}])d")]
    assert found == [
        ("a", 0),
        ("(", 0),
        ("b", 1),
        ("[", 1),
        ("{", 2),
        ("`${", 3),
        ("c", 4),
        ("}`", 3),
        ("}", 2),
        ("]", 1),
        (")", 0),
        ("d", 0),
    ]


PIECES = [
    "a",
    "/",
    "`",
    "${",
    "}",
    "{",
    "(",
    ")",
    "'",
    '"',
    "\\",
    "\n",
    "//",
    "/*",
    "*/",
    "é",
    "let ",
]


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*PIECES, "class ", "x=", ";"]), max_size=25).map("".join))
def test_any_text_can_be_cut(text: str) -> None:
    at = 0
    for token in tokens(text):
        assert text[token.start : token.end] == token.text
        assert token.start >= at
        at = token.end
    assert with_var(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let a = 1;\nconst b = 2", "var a = 1;\nvar   b = 2"),
        ("{ let a; }", "{ let a; }"),
        ("for (let a of b) c", "for (let a of b) c"),
        ("const {a, b} = c", "var   {a, b} = c"),
        ("class A extends B { c() {} }\n(d)", "var A=class A extends B { c() {} };\n(d)"),
        ("a = class A {}", "a = class A {}"),
        ("a\nlet b", "a\nvar b"),
        ("a++\nlet b", "a++\nvar b"),
        ("// a\n'use strict'\nlet b = 'use strict'", "// a\n'          '\nvar b = 'use strict'"),
        ("a.let = 1; let.b", "a.let = 1; let.b"),
    ],
)
def test_outermost_names_become_var(text: str, expected: str) -> None:
    assert with_var(text) == expected


def test_libraries_before_anything_else_are_leading() -> None:
    text = """/* a */ "use strict";
    Engine.LoadLibrary("a"); // Engine.LoadLibrary("b");
    Engine . LoadLibrary ( 'c' )
    var d; Engine.LoadLibrary("d");"""
    assert list(leading_libraries(text)) == ["a", "c"]


@pytest.mark.parametrize("filler", ["\n", "/* a */", "// a\n", "/*", "'use strict'", "\t/"])
def test_much_of_nothing_is_read_quickly(filler: str) -> None:
    text = filler * 5000
    assert list(leading_libraries(f"{text}var a;")) == []
    assert len(list(tokens(text))) <= 5000


def test_slashes_that_begin_no_regular_expression_do_not_take_for_ever() -> None:
    counted = list(tokens("=/[" * 60_000))  # minutes, when each looked to the end of the line
    assert len(counted) == 180_000
