"""Problems: located, worded, printed with a picture; fixes change exactly what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problem_texts import PICTURE_WIDTH, format_problem
from randomizer.model.problems import (
    LONGEST_MESSAGE,
    Fix,
    Problem,
    ProblemError,
    Severity,
    TextEdit,
    apply_fix,
    apply_fixes,
    error,
    has_errors,
    line_starts,
    place_of,
    split_lines,
)

texts = st.text(st.sampled_from("ab \t\r\n\x0b\x0c\x85\u2028"), max_size=30)
"""Every line end, and characters that others take for one."""


def problem(
    line: int | None = None,
    column: int | None = None,
    end_line: int | None = None,
    end_column: int | None = None,
    path: str | None = "Hills.rnd",
) -> Problem:
    return Problem(Severity.ERROR, "odd", "this is odd", path, line, column, end_line, end_column)


# --- what a problem is --------------------------------------------------------------------------


def test_only_an_error_is_an_error() -> None:
    warning = Problem(Severity.WARNING, "odd", "this is odd")
    hint = Problem(Severity.HINT, "odd", "this is odd")
    assert not has_errors([warning, hint])
    assert has_errors([warning, problem()])
    assert not has_errors([])


def test_a_problem_can_be_said_of_another_file() -> None:
    moved = problem(3, 4).at_path("Swamp.rnd")
    assert (moved.path, moved.line, moved.message) == ("Swamp.rnd", 3, "this is odd")
    assert problem(3, 4).path == "Hills.rnd"


def test_an_exception_carries_its_problems_and_says_them() -> None:
    both = ProblemError([problem(1, 1), problem(2, 1)])
    assert [each.line for each in both.problems] == [1, 2]
    assert str(both) == "this is odd; this is odd"
    assert ProblemError(problem(1, 1)).problems == (problem(1, 1),)
    lost = error("not-read", "the disk is gone", path="Hills.rnd")
    assert lost.problems == (Problem(Severity.ERROR, "not-read", "the disk is gone", "Hills.rnd"),)


# --- lines --------------------------------------------------------------------------------------


def test_lf_cr_and_crlf_end_a_line_and_nothing_else_does() -> None:
    text = "a\nb\rc\r\nd\n\re\x0c\x85\u2028f\r\n"
    assert split_lines(text) == ["a", "b", "c", "d", "", "e\x0c\x85\u2028f", ""]
    assert line_starts(text) == [0, 2, 4, 7, 9, 10, 17]
    assert split_lines("") == [""]
    assert line_starts("") == [0]


@given(texts)
def test_lines_start_where_the_line_before_has_ended(text: str) -> None:
    lines = split_lines(text)
    starts = line_starts(text)
    assert len(lines) == len(starts)
    for line, start, after in zip(lines, starts, [*starts[1:], len(text)], strict=True):
        assert text[start:after].rstrip("\r\n") == line
        assert "\n" not in line
        assert "\r" not in line


@given(texts, st.integers(0, 30))
def test_the_place_of_an_offset_is_its_line_and_column(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    line, column = place_of(text, offset)
    assert line_starts(text)[line - 1] + column - 1 == offset
    assert text[:offset].endswith(split_lines(text)[line - 1][: column - 1])


# --- fixes --------------------------------------------------------------------------------------


def fixed(text: str, *edits: tuple[int, int, int, int, str]) -> str:
    return apply_fix(text, Fix("Mend it", tuple(TextEdit(*edit) for edit in edits)))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_fix_changes_its_spans_and_keeps_the_line_ends(end: str) -> None:
    text = end.join(["AREA D4", "LABEL x", ""])
    assert fixed(text, (1, 6, 1, 8, "C3")) == end.join(["AREA C3", "LABEL x", ""])
    assert fixed(text, (1, 8, 1, 8, " C3")) == end.join(["AREA D4 C3", "LABEL x", ""])
    assert fixed(text, (1, 1, 2, 1, "")) == f"LABEL x{end}"
    assert fixed(text, (3, 1, 3, 1, "TOWER")) == end.join(["AREA D4", "LABEL x", "TOWER"])


def test_edits_all_mean_the_text_as_it_was() -> None:
    text = "one two\nthree"
    edits = [(2, 1, 2, 6, "3"), (1, 1, 1, 4, "first"), (1, 5, 1, 8, "second")]
    assert fixed(text, *edits) == "first second\n3"
    assert fixed(text, *reversed(edits)) == "first second\n3"


def test_what_is_put_in_at_one_place_keeps_its_order() -> None:
    assert fixed("D4", (1, 3, 1, 3, "z"), (1, 3, 1, 3, "a")) == "D4za"
    assert fixed("D4", (1, 1, 1, 3, "C3"), (1, 1, 1, 1, "(")) == "(C3"
    assert fixed("D4", (1, 3, 1, 3, ")"), (1, 1, 1, 3, "C3")) == "C3)"


def test_a_fix_without_edits_changes_nothing() -> None:
    assert apply_fix("a\r\nb", Fix("Look at it")) == "a\r\nb"


@pytest.mark.parametrize(
    "edit",
    [
        (0, 1, 1, 1, ""),
        (1, 0, 1, 1, ""),
        (1, 1, 4, 1, ""),
        (2, 1, 2, 6, ""),
        (1, 9, 1, 9, ""),
        (-1, 1, 1, 1, ""),
    ],
)
def test_a_place_that_is_not_in_the_text_is_refused(edit: tuple[int, int, int, int, str]) -> None:
    with pytest.raises(IndexError, match="the text has no line"):
        fixed("one\ntwo\nends", edit)


@pytest.mark.parametrize(
    "edits",
    [
        [(1, 1, 1, 4, "x"), (1, 3, 1, 5, "y")],
        [(1, 1, 1, 4, "x"), (1, 1, 1, 4, "x")],
        [(1, 4, 1, 2, "x")],
    ],
)
def test_edits_that_overlap_are_refused(edits: list[tuple[int, int, int, int, str]]) -> None:
    with pytest.raises(ValueError, match="the edits of “Mend it” overlap"):
        fixed("one two", *edits)


@given(texts, st.data())
def test_edits_are_the_same_as_slices(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = []
    edits = []
    done = 0
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        replacement = data.draw(st.sampled_from(["", "X", "\r\n"]))
        pieces += [text[done:start], replacement]
        done = end
        edits.append((*place_of(text, start), *place_of(text, end), replacement))
    assert fixed(text, *edits) == "".join([*pieces, text[done:]])


# --- as it is printed ---------------------------------------------------------------------------


def picture(text: str, *place: int | None) -> list[str]:
    """What stands below the message."""
    return format_problem(problem(*place), split_lines(text)).split("\n")[1:]


def test_a_problem_is_printed_as_compilers_do() -> None:
    assert format_problem(problem(3, 7)) == "Hills.rnd:3:7: error: this is odd"
    assert format_problem(problem(3)) == "Hills.rnd:3:1: error: this is odd"
    assert format_problem(problem()) == "Hills.rnd: error: this is odd"
    assert format_problem(problem(path=None)) == "error: this is odd"
    assert format_problem(problem(3, 7, path=None)) == "3:7: error: this is odd"


def test_a_fix_is_told_in_its_own_line() -> None:
    mended = Problem(Severity.HINT, "odd", "this is odd", fix=Fix("Mend it"))
    assert format_problem(mended, ["text"]) == "hint: this is odd\n  fix: Mend it"


def test_carets_stand_under_the_place() -> None:
    assert picture("AREA D9 X", 1, 6, 1, 8) == ["  AREA D9 X", "       ^^"]
    assert picture("AREA D9 X", 1, 6) == ["  AREA D9 X", "       ^"]
    assert picture("AREA\r\nD9", 2, 1, 2, 3) == ["  D9", "  ^^"]


def test_carets_at_an_empty_place_and_at_the_end_of_a_line() -> None:
    assert picture("AREA D9", 1, 6, 1, 6) == ["  AREA D9", "       ^"]
    assert picture("AREA", 1, 5, 1, 5) == ["  AREA", "      ^"]
    assert picture("AREA\n", 2, 1) == ["  ", "  ^"]


def test_tabs_keep_the_carets_under_their_characters() -> None:
    assert picture("\tAREA\tD9", 1, 7, 1, 9) == ["  \tAREA\tD9", "  \t    \t^^"]
    assert picture("AREA\tD9 X", 1, 4, 1, 8) == ["  AREA\tD9 X", "     ^\t^^"]
    assert picture("AREA\tD9", 1, 5, 1, 6) == ["  AREA\tD9", "      ^"]


def test_a_place_of_several_lines_is_drawn_to_the_end_of_the_first() -> None:
    assert picture("AREA D9 X\nY", 1, 6, 2, 2) == ["  AREA D9 X", "       ^^^^"]


def test_carets_do_not_run_beyond_the_line() -> None:
    assert picture("AREA", 1, 3, 1, 90) == ["  AREA", "    ^^"]
    assert picture("AREA", 1, 90, 1, 95) == ["  AREA", "      ^"]


def test_a_line_that_is_not_there_has_no_picture() -> None:
    assert picture("AREA", 5, 1) == []


@given(st.integers(0, 1000), st.integers(1, 300))
def test_of_a_long_line_only_the_surroundings_are_shown(start: int, length: int) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(1000))
    source, carets = picture(text, 1, start + 1, 1, start + 1 + length)
    assert len(source) <= PICTURE_WIDTH + 4
    assert len(carets) <= PICTURE_WIDTH + 4
    first = carets.index("^")
    marked = source[first : first + carets.count("^")].rstrip("…")
    assert marked == text[start : start + len(marked)]
    assert len(marked) >= min(length, 1000 - start, 100)
    assert source[2] in (text[0], "…")
    assert source[-1] in (text[-1], "…")


def test_the_middle_of_an_endless_message_is_left_out() -> None:
    message = f"no terrain is called “{'x' * 50_000}” here"
    problem = Problem(Severity.ERROR, "no-terrain", message).at_path("a.xml")
    assert len(problem.message) == LONGEST_MESSAGE
    assert problem.message.startswith("no terrain is called “xxx")
    assert " … " in problem.message
    assert problem.message.endswith("xxx” here")


def test_fixes_that_insert_at_one_place_keep_their_order_and_each_is_made_once() -> None:
    first = Fix("first", (TextEdit(1, 1, 1, 1, "a"),))
    second = Fix("second", (TextEdit(1, 1, 1, 1, "b"),))
    assert apply_fixes("!", [first, second, first]) == "ab!"
