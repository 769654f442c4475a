"""The script host of 0 A.D.: what it says of a script before it runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from randomizer.catalog.file_kinds import is_script
from randomizer.catalog.scripts import check_script, script_host
from randomizer.languages.language import SourceText
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.script_host import HOST
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

MAP = "export function* generateMap(settings)\n{\n\treturn null;\n}\n"


@pytest.fixture(autouse=True)
def _only_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find_games_only_in(tmp_path, monkeypatch)


def problems(text: str, **texts: str) -> tuple[Problem, ...]:
    files = {name.replace("__", "/") + ".js": each for name, each in texts.items()}
    return HOST.language.check(SourceText(text, "bay.js", files, "bay.js"))


def marked(text: str, **texts: str) -> list[tuple[str, str]]:
    """The code and the marked text of every problem."""
    rows = text.split("\n")
    found = []
    for problem in problems(text, **texts):
        assert problem.path == "bay.js"
        assert problem.line is not None
        assert problem.column is not None
        assert problem.end_column is not None
        found.append(
            (problem.code, rows[problem.line - 1][problem.column - 1 : problem.end_column - 1])
        )
    return found


def test_the_catalogue_finds_the_host_by_the_suffix() -> None:
    assert script_host("bay.js") is HOST
    assert is_script("bay.js", b"Engine.LoadLibrary();")


def test_a_script_in_order_has_no_problems() -> None:
    assert problems(MAP) == ()
    assert problems(MAP + "const a = `x${ [1, { b: /[)]/ }] }y`; // {") == ()


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (MAP + "let a = (1;\n}", "}"),
        (MAP + "let a = [1, (2];", "("),
        (MAP.replace("return", "zzz(\n\treturn"), "("),
        (MAP.replace("return", "if (a) { zzz(() => { yyy()); })\n}\n\treturn"), ")"),
        (MAP + ")", ")"),
        (MAP + "let a = {", "{"),
        (MAP + "let a = `x${ (1 }`;", "}"),
    ],
)
def test_a_bracket_without_its_partner_is_an_error(text: str, piece: str) -> None:
    first, *_others = marked(text)
    assert first[0] == "script-bracket"
    assert piece in first[1]
    assert problems(text)[0].severity is Severity.ERROR


def test_a_syntax_error_is_marked_where_it_is() -> None:
    assert marked(MAP + "let a = 1 +;") == [("script-syntax", ";")]
    assert marked(MAP + "let a = /[)]/; let b = `)`;") == []


def test_without_the_engine_brackets_are_looked_at_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)  # as if it were not installed
    (said,) = problems(MAP + "let a = 1 +;")
    assert (said.severity, said.line) == (Severity.HINT, 1)
    assert said.message.startswith("only the brackets are checked: the engine mini-racer is not")
    assert [problem.code for problem in problems(MAP + "let a = (1;")] == [
        "script-bracket",
        "script-engine",
    ]


def test_deprecated_calls_get_hints() -> None:
    text = "Engine.SetProgress(3);\nlet a = g_MapSettings;\nEngine.ExportMap(a);\nmap.ExportMap();"
    assert marked(text) == [
        ("script-deprecated", "SetProgress"),
        ("script-deprecated", "g_MapSettings"),
        ("script-deprecated", "ExportMap"),
    ]
    assert {problem.severity for problem in problems(text)} == {Severity.HINT}
    assert problems(MAP + '// Engine.ExportMap\nlet a = "Engine.ExportMap";') == ()


def test_hints_are_for_authors_and_not_given_for_a_script_of_an_installed_game(
    tmp_path: Path,
) -> None:
    text = "let a = g_MapSettings;\r\n" + MAP
    unclosed = "Engine.SetProgress(3);\n(" + MAP
    folder = tmp_path / "game/mods/public/maps/random"
    folder.mkdir(parents=True)
    (folder / "bay.js").write_bytes(text.encode())
    (folder / "hole.js").write_bytes(unclosed.encode())
    shown = text.replace("\r\n", "\n")
    assert check_script(shown, "bay.js") == check_script(shown, "bay.js", path="bay.js") == ()
    assert [each.severity for each in check_script(shown + "// mine", "bay.js")] == [Severity.HINT]
    assert [each.severity for each in check_script(shown, "mine.js")] == [Severity.HINT]
    assert [each.severity for each in check_script(unclosed, "hole.js")] == [Severity.ERROR]


def test_a_library_that_is_nowhere_is_a_warning_at_its_name(tmp_path: Path) -> None:
    names = ['"rmgen"', '"own"', '"a" + b']
    text = "".join(f"Engine.LoadLibrary({name});\n" for name in names) + MAP
    assert marked(text, own__library="") == [("script-library", '"rmgen"')]
    assert marked(text) == [("script-library", '"rmgen"'), ("script-library", '"own"')]
    library = tmp_path / "game/mods/public/maps/random/rmgen/library.js"
    library.parent.mkdir(parents=True)
    library.write_text("")
    assert problems(text, own__library="") == ()
    assert HOST.library_folders(text) == ("rmgen", "own")
    assert HOST.in_library(library)
    assert not HOST.in_library(tmp_path / "bay.js")


def test_a_script_that_makes_no_map_is_a_warning() -> None:
    (problem,) = problems("let a = 1;")
    assert (problem.code, problem.severity) == ("script-no-map", Severity.WARNING)


def test_errors_of_the_metadata_stand_before_the_script() -> None:
    said = json.dumps({"settings": {"Script": "bay.js"}}, indent=1)
    source = SourceText(MAP, "bay.js", {"bay.json": said}, "mod/bay.js")
    name, description = HOST.language.check(source)
    assert name.message == '"Name" is missing'
    assert (name.path, name.line) == (str(Path("mod/bay.json")), 2)
    assert description.severity is Severity.WARNING
    settings = {"Name": "Bay", "Script": "bay.js", "Description": "A bay."}
    hints = json.dumps({"settings": settings})
    assert HOST.language.check(SourceText(MAP, "bay.js", {"bay.json": hints}, "bay.js")) == ()
    assert HOST.further_names(MAP, "bay.js") == ("bay.json",)


def test_bytes_are_utf_8() -> None:
    assert HOST.decode("\ufefflet bä;".encode()) == ("let bä;", ())
    text, (problem,) = HOST.decode(b"let b\xe4;", "bay.js")
    assert (text, problem.path, problem.severity) == ("", "bay.js", Severity.ERROR)


@pytest.mark.parametrize("text", ["", "`${", "}", "/*", '"', "Engine.LoadLibrary(", "\\", "`${`${"])
def test_unfinished_texts_are_checked(text: str) -> None:
    assert HOST.language.check(SourceText(text))
    assert HOST.generator(SourceText(text, "bay.js")).text == text


def test_pieces_of_lines_have_colours() -> None:
    lines = ["const a = 'x'; // y", " * a comment", "/* b */ let c = 12.5;", "*/", "a * b"]
    found = [
        (piece.lastgroup, piece[0])
        for line in lines
        for piece in HOST.language.pieces.finditer(line)
        if piece.lastgroup != "word" or piece[0] in HOST.language.keywords
    ]
    assert found == [
        ("word", "const"),
        ("quoted", "'x'"),
        ("comment", "// y"),
        ("comment", " * a comment"),
        ("comment", "/* b */"),
        ("word", "let"),
        ("number", "12.5"),
        ("comment", "*/"),
    ]
