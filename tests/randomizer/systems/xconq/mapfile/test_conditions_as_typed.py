"""A condition that begins neither with 1 nor with 0 is not taken for one in silence."""

from __future__ import annotations

from randomizer.model.problems import Severity, apply_fix
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ

TEXT = """\
Xconq 0 --++-- t
Map 3 3 0 1 0
3.
3.
3.
Globals 0 100 1 0 1 0
5 0 0 100 -1
30
"""


def test_it_is_said_with_its_place_and_a_fix() -> None:
    result = XCONQ.read(TEXT.encode(), "g.scn")
    (problem,) = [each for each in result.problems if each.code == "condition-win"]
    place = (problem.path, problem.line, problem.column, problem.end_column)
    assert place == ("g.scn", 7, 1, 2)
    assert problem.severity is Severity.WARNING
    assert problem.fix is not None
    mended = apply_fix(TEXT, problem.fix)
    assert mended == TEXT.replace("\n5 0 0", "\n1 0 0")
    codes = [each.code for each in XCONQ.read(mended.encode(), "g.scn").problems]
    assert "condition-win" not in codes


def test_a_blank_line_within_a_condition_does_not_move_the_fix() -> None:
    text = TEXT.replace("-1\n30", "-1\n\n30")
    result = XCONQ.read(text.encode(), "g.scn")
    (problem,) = [each for each in result.problems if each.code == "condition-win"]
    assert problem.line == 7
    assert problem.fix is not None
    assert apply_fix(text, problem.fix) == text.replace("\n5 0 0", "\n1 0 0")
