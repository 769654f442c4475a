from __future__ import annotations

from app.paper.columns import INDENT, Section, column_count, set_in_columns
from app.paper.page_plan import Sheet

UPRIGHT = Sheet(210, 297, 10, 9)


def texts(pages) -> list[list[list[str]]]:
    return [[[line.text for line in column] for column in page] for page in pages]


def test_short_lists_stand_in_one_column(qapp):
    pages = set_in_columns(
        [Section("Dice", ["1.1 one"]), Section("To fetch", ["2 x hill"])], UPRIGHT
    )
    assert texts(pages) == [[["Dice", "1.1 one", "", "To fetch", "2 x hill"]]]
    assert [line.is_title for line in pages[0][0]] == [True, False, False, True, False]


def test_a_long_list_goes_on_in_the_next_column_and_on_the_next_page(qapp):
    lines = [f"line {number}" for number in range(200)]
    pages = texts(set_in_columns([Section("Dice", lines)], UPRIGHT))
    assert [len(page) for page in pages] == [2, 2]
    assert [text for page in pages for column in page for text in column] == ["Dice", *lines]


def test_a_sheet_that_lies_has_three_columns(qapp):
    assert column_count(UPRIGHT) == 2
    assert column_count(Sheet(297, 210, 10)) == 3
    assert column_count(Sheet(60, 90, 10)) == 1


def test_a_line_too_long_is_broken_between_words_and_indented(qapp):
    words = " ".join(["Inhabited"] * 30)
    first, *rest = texts(set_in_columns([Section("Dice", [words])], UPRIGHT))[0][0][1:]
    assert first.startswith("Inhabited")
    assert rest
    assert all(line.startswith(INDENT + "Inhabited") for line in rest)
    assert " ".join(line.strip() for line in [first, *rest]) == words


def test_no_title_stands_alone_at_the_foot_of_a_column(qapp):
    for length in range(50, 70):
        long = Section("Dice", [str(number) for number in range(length)])
        for page in set_in_columns([long, Section("To fetch", ["hill"])], UPRIGHT):
            assert not any(column[-1].is_title for column in page)
            assert all(column[0].text for column in page)


def test_no_title_stands_alone_where_the_text_below_it_is_broken(qapp):
    broken_text = " ".join(["Inhabited"] * 12)
    for length in range(50, 70):
        # Both sections are too long for a column, so that they are split.
        dice = Section("Dice", [str(number) for number in range(length)])
        fetch = Section("To fetch", [broken_text] * 60)
        for page in set_in_columns([dice, fetch], UPRIGHT):
            assert not any(column[-1].is_title for column in page)


def test_a_list_stays_in_one_column_where_that_takes_no_page_more(qapp):
    fetch = Section("To fetch", [f"{number} x hill" for number in range(9)])
    for length in range(1, 140):
        dice = Section("Dice", [str(number) for number in range(length)])
        (first, *_rest) = pages = texts(set_in_columns([dice, fetch], UPRIGHT))
        most = max(len(column) for page in pages for column in page)
        cut = [column for page in pages for column in page if "0 x hill" in column]
        assert len(cut) == 1
        if "8 x hill" not in cut[0]:  # it would have begun a page
            assert len(first) == 2
            assert len(cut[0]) >= most - 1
            assert len(pages) * 2 * most - (length + 11) < 2 * most
    lines = [text for page in pages for column in page for text in column if text]
    assert lines == ["Dice", *dice.lines, "To fetch", *fetch.lines]


def test_no_line_stands_at_the_foot_before_what_is_indented_under_it(qapp):
    rows = [line for n in range(60) for line in (f"Row {n}", "  0101  hill", "  0201  river")]
    for page in texts(set_in_columns([Section("What stands where", rows)], UPRIGHT)):
        assert not any(column[-1].startswith("Row") for column in page)


def test_without_lists_there_is_no_page(qapp):
    assert set_in_columns([], UPRIGHT) == []


def test_a_long_title_takes_several_lines(qapp):
    title = " ".join(["Inhabited"] * 12)
    lines = set_in_columns([Section(title, ["one"])], UPRIGHT)[0][0]
    title_lines = [line.text for line in lines if line.is_title]
    assert len(title_lines) > 1
    assert " ".join(line.strip() for line in title_lines) == title
