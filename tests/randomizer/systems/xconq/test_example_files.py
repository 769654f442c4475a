"""Example files with the faults of the document's own ones: each says what is wrong, and its fix.

``as_written`` in ``tests/data/xconq/<case>/`` has the faults, ``mended`` is what fixes make of it.
"""

from __future__ import annotations

from pathlib import Path

from randomizer.formats.checked import read_checked
from randomizer.model.problems import apply_fix, has_errors
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.map_section import characters_of
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.xconq.mapfile.written_units import units_of
from randomizer.systems.xconq.period.reading import read_period

CASES = Path(__file__).resolve().parents[3] / "data" / "xconq"


def test_a_map_without_an_end_of_its_notes_and_with_blanks_in_names_opens_after_its_fixes():
    path = CASES / "two_towns" / "as_written.scn"
    text = path.read_text("latin-1")
    codes = []
    while (result := read_checked(XCONQ, text.encode("latin-1"), str(path))).battlemap is None:
        problem = next(each for each in result.problems if each.fix is not None)
        codes.append(problem.code)
        text = apply_fix(text, problem.fix)
    assert codes == ["notes-without-end", "name-blank", "name-blank"]
    assert text == (CASES / "two_towns" / "mended.scn").read_text("latin-1")
    assert not has_errors(result.problems)
    assert [each.label for each in units_of(result.battlemap)] == ["Old Ferry", "Far Bank"]
    assert period_of(result.battlemap).name == "small realm"
    north = characters_of(result.battlemap)[-1].tolist()
    assert "".join(map(chr, north)) == "=~~~~~~~"  # ":" is no terrain there


def test_a_period_with_a_word_of_another_name_is_read_and_its_fix_writes_the_right_one():
    text = (CASES / "simple_period" / "as_written.per").read_text("latin-1")
    result = read_period(text)
    assert result.period is not None
    problem = next(each for each in result.problems if each.fix is not None)
    assert problem.line == 6
    mended = apply_fix(text, problem.fix)
    assert mended == (CASES / "simple_period" / "mended.per").read_text("latin-1")
    found = read_period(mended)
    assert not found.problems
    assert found.period.font == "usual"
