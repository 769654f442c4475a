"""Periods as scripts: how they are recognised, coloured, checked and shown."""

from __future__ import annotations

import json

import pytest

from randomizer.__main__ import main
from randomizer.catalog.scripts import check_script, script_host
from randomizer.languages.language import SourceText
from randomizer.model.problems import Severity, has_errors
from tests.randomizer.systems.xconq.period.texts import TYPES
from tests.randomizer.systems.xconq.worlds import ISLANDS

BASE = f"Xconq 0 -+---- base\n{TYPES}100 land @ favored 1 @ in-country\nend\n"
CHANGED = "Xconq 1 -+---- changed\nbase.per\nPeriod 1\n5 u* hp print\nend\n"


def test_the_words_of_the_language_are_its_keywords():
    assert {"min-alt", "u*", "begin{notes}"} <= set(script_host("x.per").language.keywords)


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("5 u* hp ; all", ["number", "word", "word", "comment"]),
        ('"a;b" x', ["quoted", "comment"]),
        ("50% -3 +2 min-alt", ["number", "number", "number", "word"]),
        ("[ i / @ ] see-range", ["word", "word", "word", "word", "word", "word"]),
    ],
)
def test_the_pieces_of_a_line(line, pieces):
    found = script_host("x.per").language.pieces.finditer(line)
    assert [piece.lastgroup for piece in found] == pieces


def test_a_check_knows_the_included_files(tmp_path, capsys):
    assert [each.code for each in check_script(CHANGED, "x.per")][-1] == "period-base-missing"
    assert not has_errors(check_script(CHANGED, "x.per", texts={"base.per": BASE}))
    (tmp_path / "base.per").write_text(BASE)
    (tmp_path / "x.per").write_text(CHANGED)
    assert main(["check", str(tmp_path / "x.per")]) == 0


def test_a_name_of_an_included_file_cannot_be_given_to_another_thing():
    language = script_host("x.per").language
    text = CHANGED.replace("Period 1\n", 'Period 1\n"z" "zeppelin" "flies" utype\n')
    source = SourceText(text, texts={"base.per": BASE})
    assert "it means something else already" in language.name_fault(source, "zeppelin", "land")
    assert language.name_fault(source, "zeppelin", "airship") == ""


def test_names_of_included_files_are_offered_and_explained():
    language = script_host("x.per").language
    text = CHANGED.replace("print", "7 armo i hp")
    offered = language.completions(SourceText(text, texts={"base.per": BASE}), 4, 15)
    assert offered[0].word == "armor"
    assert "Unit type 0" in language.help_at(SourceText(text, texts={"base.per": BASE}), 4, 17)
    assert language.help_at(SourceText(text), 4, 17) is None


def test_an_error_of_an_included_file_stands_where_it_is_included():
    broken = BASE.replace("1 i speed", "1 [ ] i speed")
    (problem,) = check_script(CHANGED, "x.per", texts={"base.per": broken}, path="/x.per")
    assert (problem.path, problem.line, problem.end_column) == ("/x.per", 2, 9)
    assert problem.message.startswith("base.per, line 9: ")
    hint = BASE.replace("\nend", "\n5\nend")
    assert not has_errors(
        found := check_script(CHANGED, "x.per", texts={"base.per": hint}, path="/x.per")
    )
    assert {problem.path for problem in found} <= {"/x.per"}


def test_show_prints_the_console_and_every_value(tmp_path, capsys):
    (tmp_path / "base.per").write_text(BASE)
    (tmp_path / "x.per").write_text(CHANGED)
    assert main(["show", str(tmp_path / "x.per")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["/* Stack */", 'period-name "unspecified"']
    assert 'utype 0 \'i\' "infantry" "walks"' in lines
    assert "hp 5 5 5" in lines
    assert "favored | 0 0 | 0 0 | 0 100" in lines
    assert "first-unit 71" in lines
    assert "icon-name - - -" in lines


def test_show_trace_prints_the_words_as_they_are_read(tmp_path, capsys):
    (tmp_path / "base.per").write_text(BASE)
    (tmp_path / "x.per").write_text(CHANGED)
    assert main(["show", "--trace", str(tmp_path / "x.per")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == 'base.per:3:1: string "i"'
    assert lines[-5:] == [
        "4:1: number 5",
        "4:3: symbol u*",
        "4:6: symbol hp",
        "4:9: symbol print",
        "5:1: symbol end",
    ]


def test_a_token_with_a_comment_inside_is_one_line_of_the_trace(tmp_path, capsys):
    (tmp_path / "x.per").write_text(f"{TYPES}5;c\n6 i hp\nend\n")
    main(["show", "--trace", str(tmp_path / "x.per")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4].endswith(": number 56")


def test_what_a_roll_says_of_a_line_names_the_script(tmp_path, capsys):
    path = tmp_path / "far.per"
    path.write_text(ISLANDS + "60 country-max-distance\n50 country-min-distance\nend\n")
    assert main(["roll", str(path), "--seed", "7", "--out", str(tmp_path / "far.map")]) == 0
    assert f"{path}:{len(ISLANDS.splitlines()) + 2}:4: hint: Let" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["period.txt", "period.rnd", "period"])
def test_a_period_is_known_by_its_content_under_any_name(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_text(f"{ISLANDS}end\n")
    assert script_host(name, None, path.read_bytes()) is script_host("x.per")
    assert main(["check", str(path)]) == 0
    assert main(["show", str(path)]) == 0
    assert 'period-name "Islands"' in capsys.readouterr().out
    assert main(["roll", str(path), "--seed", "7", "--out", str(tmp_path / "x.map")]) == 0


def test_show_of_a_broken_period_prints_what_could_be_read(tmp_path, capsys):
    (tmp_path / "x.per").write_text(f"{TYPES}7 a hp [ 1 ] i hp\nend\n")
    assert main(["show", str(tmp_path / "x.per")]) == 1
    shown = capsys.readouterr()
    assert "x.per:9:16: error" in shown.err
    assert "hp 1 7 1" in shown.out.splitlines()


@pytest.mark.parametrize("options", [["--format", "json"], ["--trace", "--format", "xml"]])
def test_a_period_is_shown_as_text_only(tmp_path, capsys, options):
    (tmp_path / "base.per").write_text(BASE)
    assert main(["show", *options, str(tmp_path / "base.per")]) == 2


def test_a_map_has_no_trace(tmp_path, capsys):
    path = tmp_path / "x.xml"
    path.write_text('<battlemap terrain="Moor"></battlemap>')
    assert main(["show", "--trace", str(path)]) == 2


def test_check_as_json_has_fixes(tmp_path, capsys):
    (tmp_path / "x.per").write_text(BASE.replace("favored", "favord"))
    main(["check", "--json", str(tmp_path / "x.per")])
    found = json.loads(capsys.readouterr().out)
    assert "Write “favored”" in [problem["fix"] for problem in found]


def test_hints_are_not_given_for_a_period_of_the_library_as_it_is(tmp_path, monkeypatch):
    text = BASE.replace("end\n", "-1 spy-chance\nend\n")
    (tmp_path / "base.per").write_text(text)

    def hints(text, name):
        return [each for each in check_script(text, name) if each.severity is Severity.HINT]

    assert hints(text, "base.per")
    monkeypatch.setenv("XCONQLIB", str(tmp_path))
    assert not hints(text, "base.per")
    assert check_script(text, "base.per"), "warnings stay"
    assert hints(f"{text}\n", "base.per")
    assert hints(text, "mine.per")
