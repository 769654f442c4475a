"""What words do to a period, and which problems they report."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.problems import Severity, apply_fix, has_errors
from randomizer.systems.xconq.period.commands import MAX_PRINTED
from randomizer.systems.xconq.period.faults import messages
from randomizer.systems.xconq.period.interpreter import MAX_TOKENS
from randomizer.systems.xconq.period.period import UnitType
from randomizer.systems.xconq.period.reading import read_period, reading_of
from randomizer.systems.xconq.period.words import Shape, words
from tests.randomizer.systems.xconq.period.texts import TYPES, codes, read


def test_types_values_and_texts():
    reading = read(
        '"Small" period-name 30 alt-roughness 20 land min-alt 2 i a make 1 i a capacity '
        '"walks" a icon-name 100 land @ favored'
    )
    period = reading.period
    assert reading.problems == ()
    assert period.name == "Small"
    assert period.units[0] == UnitType("i", "infantry", "walks")
    assert period.number("alt-roughness") == 30
    assert period.row("min-alt").tolist() == [0, 20]
    assert period.table("make").tolist() == [[0, 0, 0], [2, 0, 0], [0, 0, 0]]
    assert period.table("favored")[2].tolist() == [0, 100]
    assert period.texts("icon-name") == (None, "walks", None)
    assert period.texts("destroy-message") == ("destroys",) * 3


def test_every_word_has_its_default():
    period = read("").period
    for word in words().values():
        if word.shape in (Shape.NUMBER, Shape.ROW, Shape.TABLE):
            get = {"number": period.number, "row": period.row, "table": period.table}
            assert np.all(get[word.shape.value](word.name) == word.default_number) or (
                word.name == "speed"
            )


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("9 i a hit", [[0, 0, 0], [9, 0, 0], [0, 0, 0]]),
        ("9 u* a hit", [[0, 0, 0], [9, 9, 9], [0, 0, 0]]),
        ("9 a u* hit", [[0, 9, 0], [0, 9, 0], [0, 9, 0]]),
        ("9 [ i a ] [ a @ ] hit", [[0, 0, 0], [9, 9, 0], [9, 9, 0]]),
        ("[ 1 2 ] [ i @ ] a hit", [[0, 0, 0], [1, 0, 2], [0, 0, 0]]),
        ("[ 1 2 ] a [ i @ ] hit", [[0, 1, 0], [0, 0, 0], [0, 2, 0]]),
    ],
)
def test_the_six_legal_forms_of_two_indices(line, table):
    reading = read(line)
    assert reading.problems == ()
    assert reading.period.table("hit").tolist() == table


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("9 a hp", [1, 9, 1]),
        ("9 [ @ i ] hp", [9, 1, 9]),
        ("[ 7 8 9 ] u* hp", [7, 8, 9]),
        ("[ 7 8 ] [ @ i ] hp", [8, 1, 7]),
    ],
)
def test_the_three_legal_forms_of_one_index(line, row):
    assert read(line).period.row("hp").tolist() == row


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[ 1 2 3 ] i @ capacity", "vector-value"),
        ("[ 1 2 3 ] u* u* capacity", "vector-value"),
        ("[ 1 2 ] i hp", "vector-value"),
        ("[ 7 8 ] u* i hit", "vector-lengths"),
        ("5 hp", "underflow"),
        ("1 " * 60, "overflow"),
        ("[ 1 [ 2 ] 3 ]", "vector-item"),
        ('[ "a" ]', "vector-item"),
        ("1 ]", "vector-begin"),
        ("40000 i hp", "number-range"),
        ('"many" i hp', "argument"),
        ("5 period-name", "argument"),
        ('1 "i" hp', "argument"),
        ("1 [ i hp", "argument"),
        ("1 nothing hp", "index-nothing"),
        ("0 i hp", "hp"),
        ("1 i a make", "product"),
        ('"." "lake" "blue" ttype', "terrain-chars"),
        ('"ab" "x" "y" utype', "type-char"),
        ('"?" "x" "y" utype', "type-char"),
        ('"5" "x" "y" ttype', "type-char"),
        ('"x" "y" 5 utype', "definer-text"),
        ("5 edge-terrain", "value-type"),
        ("5 first-unit", "value-type"),
        ("begin{notes}\nand so on", "notes-end"),
        ("0 i speed", "idle"),
        ('1 "a', "no-quote"),
        ('"h "horsemen" "rides" utype\n"k" "knights" "ride" utype', "odd-quotes"),
    ],
)
def test_errors(line, expected):
    reading = read(line)
    first = next(problem for problem in reading.problems if problem.severity is Severity.ERROR)
    assert first.code == f"period-{expected}"
    assert read_period(f"{TYPES}{line}\nend\n").period is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bogus", "undefined-word"),
        ("5 sea hp", "argument-kind"),
        ("5 7 hp", "index"),
        ("[ 7 8 ] u* hp", "values-short"),
        ("1 [ ] hp", "vector-empty"),
        ('5 "i" define', "redefined"),
        ('5 "hp" define', "redefined"),
        ("50 u* efficiency", "vector-alone"),
        ('"a;b\n" period-name', "comment-in-text"),
        ("5;x\n6 i hp", "comment-in-token"),
        ("[ 1 2]u* hp", "number-runs-on"),
        ("9 country-min-distance 8 country-max-distance", "distances"),
    ],
)
def test_warnings(line, expected):
    reading = read(line)
    assert expected in codes(reading)
    assert (expected == "number-runs-on") or not has_errors(reading.problems)


def test_an_undefined_word_empties_the_stack_and_puts_0_on_it():
    reading = read("1 2 3 bogus print")
    assert reading.console == ("/* Stack 0 */",)
    assert "since “bogus” is undefined" in read("1 i @ bogus make").problems[-1].message


def test_print_shows_every_object():
    assert read('1 "a" [ 2 3 ] [ print').console == ('/* Stack 1 "a" [2,3,] [ */',)


def test_a_defined_name_is_the_object():
    reading = read('[ i @ ] "fixed" define 5 fixed hp true "yes" define yes counterattack')
    assert reading.problems == ()
    assert reading.period.row("hp").tolist() == [5, 1, 5]


def test_the_first_meaning_of_a_name_stays():
    assert read('7 "n" define 8 "n" define n i hp').period.row("hp")[0] == 7


def test_free_move_takes_two_or_three_arguments():
    assert read("0 a free-move").period.table("free-move").tolist() == [[1] * 3, [0] * 3, [1] * 3]
    assert read("0 i a free-move").period.table("free-move")[1].tolist() == [0, 1, 1]
    assert read("[ 0 0 ] [ i a ] free-move").period.table("free-move").sum() == 3


def test_a_value_can_be_set_before_the_later_types():
    text = TYPES + '[ 3 4 ] [ i a ] hp "b" "bomber" "flies" utype 5 b hp end\n'
    assert reading_of(text).period.row("hp").tolist() == [3, 4, 1, 5]


def test_nothing_is_no_unit():
    period = read("nothing first-unit i first-product").period
    assert period.number("first-unit") == period.NOTHING
    assert period.number("first-product") == 0


def test_own_names_and_cleared_names():
    period = read('"A" uname clear-unit-names "B" uname "C" sname').period
    assert (period.unit_names, period.clears_unit_names) == (("B",), True)
    assert (period.side_names, period.clears_side_names) == (("C",), False)


def test_what_an_include_defines_is_kept_by_period_1_only():
    base = f"Xconq 0 -+---- base\n{TYPES}5 i hp\nend\n"
    changed = reading_of(
        "Xconq 1 -+---- x\nbase.per\nPeriod 1\n3 a hp\nend\n", None, {"base.per": base}
    )
    assert changed.period.row("hp").tolist() == [5, 3, 1]
    assert codes(changed) == ["included-name"]
    other = '"z" "zombie" "lurks" utype "+" "land" "green" ttype 1 z speed'
    text = f"Xconq 1 -+---- x\nbase.per\nPeriod 0\n{other}\nend\n"
    fresh = reading_of(text, None, {"base.per": base}).period
    assert [unit.name for unit in fresh.units] == ["zombie"]
    assert fresh.row("hp").tolist() == [1]
    names = reading_of(text, None, {"base.per": base}).names
    assert set(names) == {"z", "zombie", "land"}


def test_files_that_include_one_another_are_read_once():
    texts = {
        "a.per": "Xconq 1 -+---- a\nb.per\nPeriod 1\n9 country-size\nend\n",
        "b.per": f"Xconq 1 -+---- b\na.per\n{TYPES}end\n",
    }
    reading = reading_of("Xconq 1 -+---- x\na.per\nPeriod 1\nend\n", "x.per", texts)
    assert codes(reading) == ["included-twice"]
    assert reading.problems[0].path == "b.per"
    assert reading.period.number("country-size") == 9


def test_a_period_that_changes_one_which_is_not_at_hand_is_an_error():
    reading = reading_of("Xconq 1 -+---- x\nmissing.per\nPeriod 1\n5 gremlins\nend\n")
    assert codes(reading) == ["include-missing", "base-missing"]


def test_a_period_on_one_whose_own_base_is_missing_is_not_full_of_unknown_words():
    middle = "Xconq 1 -+---- m\nmissing.per\nPeriod 1\n5 gremlins hp\nend\n"
    text = "Xconq 1 -+---- x\nmiddle.per\nPeriod 1\n7 gremlins hp\n8 wizards hp\nend\n"
    reading = reading_of(text, None, {"middle.per": middle})
    assert codes(reading) == ["include-missing", "base-missing", "base-missing"]


@pytest.mark.parametrize("text", ["", "Period", "Xconq", "Xconq 0 -+---- x", "Period x\nend\n"])
def test_a_text_without_a_period_is_an_error(text):
    result = read_period(text)
    assert result.period is None
    assert has_errors(result.problems)


def test_what_is_missing_is_mended_by_fixes():
    text = f'Xconq 0 -+---- Small;\nnotes\n{TYPES}"standard" font\n1 i;c\nhp'
    seen = []
    for _ in range(8):
        problems = [problem for problem in read_period(text).problems if problem.fix]
        if not problems:
            break
        seen.append(problems[0].code)
        text = apply_fix(text, problems[0].fix)
    result = read_period(text)
    assert result.problems == ()
    assert result.period.font == "standard"
    assert seen[0] == "notes-without-end"


def test_problems_name_their_place_and_file():
    (problem,) = reading_of(f"{TYPES}\n  5 gremlins\nend\n", "x.per").problems
    assert (problem.path, problem.line, problem.column, problem.end_column) == ("x.per", 10, 5, 13)


def test_line_ends_of_other_systems_are_read():
    text = f"Xconq 0 -+---- x\n{TYPES}begin{{notes}}\nA\nend{{notes}}\nend\n"
    assert reading_of(text.replace("\n", "\r\n")).period.notes == ("A",)
    assert reading_of(text.replace("\n", "\r\n")).problems == ()


def test_periods_of_equal_texts_are_equal():
    one = read("5 i hp").period
    other = read("6 i hp").period
    again = reading_of(f"{TYPES}5 i hp\nend\n", "elsewhere.per").period
    assert one == again
    assert hash(one) == hash(again)
    assert one != other


def test_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        read("5 i hp").period.row("hp")[0] = 7


def test_the_number_that_set_a_value():
    text = f"{TYPES}[ 3 4 5 ] u* hp 7 a hp 8 u* t* defense 9 land a defense\nend\n"
    period = reading_of(text).period
    token = period.assigned("hp", 1).number_token(1)
    assert text[token.start : token.end] == "7"
    token = period.assigned("hp", 2).number_token(2)
    assert text[token.start : token.end] == "5"
    assert period.assigned("defense", 1, 1).number_token(1, 1).value == 9
    assert period.assigned("speed", 1) is None
    twice = reading_of(f"{TYPES}[ 3 4 ] [ i i ] hp\nend\n").period
    assert twice.row("hp")[0] == twice.assigned("hp", 0).number_token(0).value == 4
    assert period.assigned("country-size") is None


def test_bounds_of_numbers_stack_types_and_notes():
    assert read("-32768 i revolt 32767 a revolt").period.row("revolt").tolist() == [
        -32768,
        32767,
        0,
    ]
    assert "number-range" in codes(read("-32769 i revolt"))
    assert "number-range" in codes(read("32768 i revolt"))
    assert codes(read("1 " * 50)) == ["left-over"]
    assert "overflow" in codes(read("1 " * 51))
    more = [f'"{chr(200 + number)}" "u{number}" "" utype' for number in range(68)]
    assert read("\n".join(more[:67])).problems == ()
    assert codes(read("\n".join(more))) == ["types"]
    notes = "begin{notes}\n" + "x\n" * 399 + "end{notes}"
    assert read(notes).problems == ()
    assert codes(read(notes.replace("x", "x\nx", 1))) == ["notes-long"]


@pytest.mark.parametrize("index", ["3", "-1", "100"])
def test_an_index_that_is_no_type_sets_nothing(index):
    reading = read(f"5 {index} hp [ 6 7 ] [ i {index} ] hp")
    assert codes(reading) == ["index", "index"]
    assert reading.period.row("hp").tolist() == [6, 1, 1]


def test_the_character_of_a_terrain_is_no_word():
    assert codes(read("5 + min-alt"))[0] == "undefined-word"
    assert read('3 "+" define + i hp').period.row("hp")[0] == 3


def test_an_undefined_word_is_named_only_by_the_next_word():
    reading = read("bogus i hp hp")
    (fault,) = [problem for problem in reading.problems if problem.severity is Severity.ERROR]
    assert "bogus" not in fault.message


def test_a_word_is_suggested_only_where_one_is_likely():
    assert read("1 xyzzy").problems[0].fix is None
    assert read('"x" font').problems[0].fix.title == "Write “font-name”"
    assert read("5 land i favord").problems[0].fix.edits[0].replacement == "favored"


@pytest.mark.parametrize(
    ("line", "ordered"),
    [
        ("5 i land favored", "5 land i favored"),
        ("i 5 hp", "5 i hp"),
        ("land a  20 defense", "20 land  a defense"),
        ("[ i a ] [ 3 4 ] @ capture", "[ 3 4 ] [ i a ] @ capture"),
        ("1 u* fuel consume", "1 fuel u* consume"),
    ],
)
def test_arguments_are_put_in_order_by_a_fix(line, ordered):
    problem = next(each for each in read(line).problems if each.code == "period-argument-kind")
    text = f"{TYPES}{line}\nend\n"
    assert apply_fix(text, problem.fix) == f"{TYPES}{ordered}\nend\n"
    assert not read(ordered).problems


@pytest.mark.parametrize("line", ["5 sea land favored", "5 i; of land\n land favored", "sea i hp"])
def test_arguments_that_cannot_be_put_in_order_have_no_fix(line):
    problems = read(line).problems
    assert [problem.fix for problem in problems if problem.code == "period-argument-kind"] == [None]


def test_equal_distances_of_countries_are_fine():
    assert read("9 country-min-distance 9 country-max-distance").problems == ()


def test_values_that_are_types_are_in_their_range():
    assert codes(read("2 edge-terrain")) == ["value-type"]
    assert codes(read("3 first-unit")) == ["value-type"]
    assert read("1 edge-terrain 2 first-unit land sea nuked").problems == ()


def test_a_period_without_movers_needs_something_to_make():
    still = "0 i speed true a maker"
    assert codes(read(still)) == ["idle"]
    assert codes(read("0 i speed 3 i a make 1 i a capacity")) == ["idle"]
    assert read(f"{still} 3 i a make 1 i a capacity").problems == ()
    assert read("3 i a make 1 i a capacity").problems == ()


def test_a_version_line_stands_before_the_period():
    assert reading_of(f"Xconq 0 ++---- x\n5.5\n{TYPES}end\n").problems == ()


@pytest.mark.parametrize("number", ["1", "2", "-1", "25"])
def test_any_number_but_0_keeps_what_was_included(number):
    texts = {"base.per": f"Xconq 0 -+---- base\n{TYPES}end\n"}
    text = f"Xconq 1 -+---- x\nbase.per\nPeriod {number}\nend\n"
    assert len(reading_of(text, None, texts).period.units) == 3


def test_names_for_sides_can_be_cleared():
    period = read('"A" sname clear-side-names "B" sname').period
    assert (period.side_names, period.clears_side_names) == (("B",), True)


def test_files_are_read_up_to_a_bound():
    texts = {f"{n}.per": f"Xconq 1 ------ x\n{n + 1}.per\n" for n in range(30)}
    reading = reading_of(f"Xconq 1 -+---- x\n0.per\n{TYPES}end\n", None, texts)
    assert codes(reading) == ["include-missing"]
    assert reading.problems[0].path == "15.per"


@pytest.mark.deep
def test_words_are_executed_up_to_a_bound():
    reading = read("1 i hp " * (MAX_TOKENS // 3 + 1))
    assert codes(reading) == ["too-long"]


def test_print_writes_up_to_a_bound():
    reading = read("u* print " + "print " * 50_000)
    assert sum(map(len, reading.console)) < 1.1 * MAX_PRINTED
    assert reading.console[-1] == "/* … */"


# --- hostile texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "1 " * 500_000,
        "u* u* u* hit " * 50_000,
        "[ " * 300_000,
        "] " * 300_000,
        "u* print " * 20_000 + "1 i hp",
        ";" * 300_000,
        ";\n" * 300_000 + "1",
        '"' * 300_000,
        "x" * 500_000,
        "1;\n" * 200_000,
        "x" * 50_000 + " " + "y;\n" * 50_000,
        "begin{notes}\n" * 20_000,
        "".join(f"w{number} " for number in range(50_000)),
        "\n" * 500_000 + "-",
    ],
)
def test_a_huge_text_is_read_to_an_end(line):
    reading = read(line)
    assert len(reading.problems) < 1000
    assert sum(map(len, reading.console)) < 2 * MAX_PRINTED


TOKENS = st.sampled_from(
    [
        *words(),
        *"iaF@+",
        *("sea", "land", "fuel", "5", "-1", "70000", '"x"', '"', ";", "bogus", "end{notes}", "1[2"),
        *("u*", "[", "]", "1", "2", "0"),
    ]
)


@given(st.lists(TOKENS, max_size=60), st.sampled_from([" ", "\n", " ;c\n", ""]))
@settings(max_examples=40)
def test_any_tokens_give_a_period_or_errors(parts, between):
    text = TYPES + between.join(parts)
    period, problems = read_period(text)
    assert (period is None) == has_errors(problems)
    for problem in problems:
        for fix in problem.fixes:
            read_period(apply_fix(text, fix))


def test_every_problem_has_a_message_and_help():
    for code, row in messages().items():
        assert row["severity"] in set(Severity), code
        assert row["message"].endswith((".", ":")), code
        assert row["help"], code


def test_a_message_names_the_beginning_of_an_endless_word():
    problems = read_period(f"Period 0\n{'x' * 100_000} end\n").problems
    assert all(len(problem.message) < 500 for problem in problems)


def test_notes_that_begin_a_hundred_thousand_times_and_never_end_are_refused():
    problems = read_period("Period 0\n" + "begin{notes}\n" * 100_000 + "end\n").problems
    assert "period-notes-end" in {problem.code for problem in problems}
