"""Headers of mapfiles: what is read, what is refused where, and the fixes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problems import Severity, apply_fix, has_errors
from randomizer.systems.xconq.header import (
    MapfileHeader,
    decode,
    is_mapfile,
    read_header,
    sections_of,
)


def read(text: str):
    return read_header(text.split("\n"), "x.map")


def test_flags_description_notes_and_includes():
    header, problems = read("Xconq 2 -++--+ Two towns;\nby hand\n\n. \n.\na.per\nlib/b.map\nMap")
    assert problems == ()
    assert header == MapfileHeader(
        "pmu", "Two towns", 1, ("by hand", "", ". "), ("a.per", "lib/b.map"), 7
    )


@pytest.mark.parametrize(
    "first",
    ["Xconq 0 --+---", "Xconq 0 --+--- ", "Xconq 0 --+---   Two  towns", "Xconq 0 --+--- a; "],
)
def test_a_first_line_is_written_as_it_was(first):
    header, problems = read(f"{first}\nMap 1 1")
    assert header is not None
    assert not problems
    assert header.text() == f"{first}\n"


def test_notes_are_written_as_they_were():
    text = "Xconq 1 -+---- A;\n \n.\nb.per\n"
    assert read(text)[0].text() == text


def test_a_description_that_would_begin_notes_does_not():
    header = MapfileHeader("m", "what;")
    assert read(header.text() + "Map")[0].notes == ()


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "header-word", (1, 1)),
        ("xconq 0 --+---", "header-word", (1, 1)),
        ("Xconq", "header-number", (1, 6)),
        ("Xconq zero --+---", "header-number", (1, 7)),
        ("Xconq 0", "header-flags", (1, 8)),
        ("Xconq 0 yes", "header-flags", (1, 9)),
        ("Xconq 0 -------", "header-flags", (1, 9)),
        ("Xconq 99999999999 --+---\na", "includes", (1, 7)),
        ("Xconq 3 --+---\na\nb", "includes", (1, 7)),
        ("Xconq 1 --+---\nMap 1 1 0 0 0", "include-name", (2, 1)),
        ("(game-module x)", "header-word", (1, 1)),
    ],
)
def test_faults_have_a_place(text, code, place):
    header, problems = read(text)
    assert header is None
    assert [(problem.code, (problem.line, problem.column)) for problem in problems] == [
        (code, place)
    ]
    assert has_errors(problems)
    assert problems[0].path == "x.map"


def test_small_letters_are_mended():
    text = "xconq 0 --+--- m\nMap"
    assert apply_fix(text, read(text)[1][0].fix) == "Xconq 0 --+--- m\nMap"


def test_short_flags_are_a_warning():
    header, (problem,) = read("Xconq 0 --+\nMap")
    assert header.sections == "m"
    assert problem.severity is Severity.WARNING
    assert apply_fix("Xconq 0 --+", problem.fix) == "Xconq 0 --+---"


def test_a_file_of_the_later_fork_is_named():
    header, (problem,) = read("1-Xconq 0 --+---\nMap")
    assert header.sections == "m"
    assert (problem.code, problem.severity) == ("later-fork", Severity.WARNING)
    assert "later fork of Xconq" in problem.message


def test_notes_without_an_end_are_ended_before_the_includes():
    text = "Xconq 1 --+--+ A map;\nof two towns\nmade.per\nMap 9 5 100 1 0\n"
    header, (problem,) = read(text)
    assert header is None
    assert (problem.code, problem.line, problem.column) == ("notes-without-end", 1, 21)
    mended = apply_fix(text, problem.fix)
    assert mended == "Xconq 1 --+--+ A map;\nof two towns\n.\nmade.per\nMap 9 5 100 1 0\n"
    assert not read(mended)[1]


def test_notes_without_an_end_and_without_a_line():
    text = "Xconq 0 --+--- A map;\nMap 9 5 100 1 0\n"
    assert apply_fix(text, read(text)[1][0].fix) == "Xconq 0 --+--- A map;\n.\nMap 9 5 100 1 0\n"


def test_line_ends_of_dos_are_one_warning():
    text, (problem,) = decode(b"Xconq 0 --+---\r\nMap\r\n")
    assert text == "Xconq 0 --+---\nMap\n"
    assert problem.code == "line-ends"
    assert problem.severity is Severity.WARNING


def test_latin_1_goes_in_and_out():
    text, problems = decode(b"Xconq 0 --+--- K\xf6ln\n")
    assert (text, problems) == ("Xconq 0 --+--- Köln\n", ())


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"Xconq 0 -+---- a", "p"),
        (b"1-Xconq 0 --++++ a", "mgsu"),
        (b"Xconq 0 --", ""),
        (b"Xconq", None),
        (b"xconq 0 -+----", None),
        (b"", None),
    ],
)
def test_the_first_line_says_what_a_file_is(data, found):
    assert sections_of(data) == found


def test_the_first_word_makes_a_mapfile():
    assert is_mapfile(b"Xconq 0")
    assert is_mapfile("1-Xconq 0")
    assert not is_mapfile(b"Xconquest 0")
    assert not is_mapfile(b"")


@given(st.text("Xconq 01-+;.\na", max_size=60))
def test_any_text_gives_a_header_or_an_error(text):
    header, problems = read(text)
    assert (header is None) == has_errors(problems)
    for problem in problems:
        if problem.fix is not None:
            apply_fix(text, problem.fix)


def test_a_number_of_thousands_of_digits_before_endless_notes_is_a_problem():
    header, problems = read(f"Xconq {'9' * 5000} --+--- Towns;\nby hand")
    assert header is None
    assert problems[-1].code == "notes-without-end"
