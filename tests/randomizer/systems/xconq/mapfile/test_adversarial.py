"""Adversarial mapfiles: each is loaded, warned of or refused as their table says."""

from __future__ import annotations

import pytest

from randomizer.model.problems import Severity, apply_fix, has_errors
from randomizer.systems.xconq.mapfile.map_section import characters_of
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.records import sides_of
from tests.randomizer.systems.xconq.mapfile.real_files import ADVERSARIAL, needs_real_files

pytestmark = needs_real_files


def read(name: str, data: bytes | None = None):
    """A case; those that name no period are made for base.per."""
    path = ADVERSARIAL / name
    base = (ADVERSARIAL / "base.per").read_bytes()
    return read_with(path.read_bytes() if data is None else data, str(path), {"": base})


def rows(battlemap) -> list[str]:
    """The rows of a map, the north row first."""
    return ["".join(map(chr, row)) for row in characters_of(battlemap)[::-1].tolist()]


REFUSED = {
    "01a_lowercase_header.map": ("header-word", 1),
    "01b_nonnumeric_header.map": ("header-number", 1),
    "01d_empty.map": ("header-word", 1),
    "02_short_row.map": ("row-short", 4),
    "03_long_row.map": ("row-long", 4),
    "04_rle_crossing.map": ("run-crosses", 5),
    "05b_rle_dangling.map": ("count-alone", 4),
    "08c_missing.map": ("missing-include", 2),
    "09c_short_default.map": ("row-short", 5),
    "10c_notes_unterminated.map": ("notes-without-end", 1),
    "12a_doc_tiny_map.scn": ("notes-without-end", 1),
    "12c_doc_tiny_map_dot_only.scn": ("name-blank", 12),
    "17_condition_short.scn": ("number-missing", 10),
}
"""The code of the first error, and its line."""

WARNED = {
    "01c_short_flags.map": ("header-flags", (5, 5)),
    "08a_self.map": ("include-again", (5, 5)),
    "08b_A.map": ("include-again", (5, 5)),
    "08b_B.map": ("include-again", (6, 5)),
    "09a_unknown_default.map": ("unknown-terrain", (6, 5)),
    "11_crlf.map": ("line-ends", (5, 5)),
    "12b_doc_tiny_map_fixed.scn": ("unknown-terrain", (9, 5)),
    "18_units.scn": ("unit-on-edge", (6, 5)),
}
"""The code of a warning, and the size of the map."""

FINE = ("05a_rle_odd.map", "10a_notes.map", "10b_semicolon_space.map", "10d_notes_45.map")


@pytest.mark.parametrize("name", REFUSED)
def test_a_broken_file_is_refused_with_a_place(name):
    result = read(name)
    assert result.battlemap is None
    problem = next(each for each in result.problems if each.severity is Severity.ERROR)
    assert (problem.code, problem.line) == REFUSED[name]
    assert problem.column is not None


@pytest.mark.parametrize("name", WARNED)
def test_what_the_real_program_loads_is_loaded_with_a_warning(name):
    result = read(name)
    code, size = WARNED[name]
    assert result.battlemap is not None, result.problems
    assert (result.battlemap.grid.width, result.battlemap.grid.height) == size
    assert not has_errors(result.problems)
    assert code in {
        problem.code for problem in result.problems if problem.severity is Severity.WARNING
    }


@pytest.mark.parametrize("name", FINE)
def test_an_odd_file_is_loaded(name):
    result = read(name)
    assert result.battlemap is not None
    assert not result.problems


def test_every_mapfile_has_an_expectation():
    known = {*REFUSED, *WARNED, *FINE, "09b_unknown_nodefault.map"}
    assert known == {
        path.name for pattern in ("*.map", "*.scn") for path in ADVERSARIAL.glob(pattern)
    }


def test_odd_runs_mean_what_they_meant():
    assert rows(read("05a_rle_odd.map").battlemap) == [
        "......",
        "++++++",
        "+.+.+.",
        "+++...",
        ".....^",
    ]


def test_unknown_terrain_becomes_the_default():
    shown = rows(read("09a_unknown_default.map").battlemap)
    assert shown == ["......", ".++++.", ".+..+.", "+++...", "......"]


def test_unknown_terrain_without_a_default_is_an_error_and_kept():
    result = read("09b_unknown_nodefault.map")
    assert result.battlemap is not None
    assert has_errors(result.problems)
    assert rows(result.battlemap)[1] == ".#Q??."


def test_names_sides_and_neutral_units_are_as_the_file_says():
    battlemap = read("18_units.scn").battlemap
    assert [side.name for side in sides_of(battlemap).sides] == ["Red Army", "Blue"]
    things = list(battlemap.layers[0].things.values())
    assert [(thing.kind, thing.label, thing.owner) for thing in things] == [
        ("infantry", "Bob", 1),
        ("city", "", 2),
        ("city", "Edge", 0),
    ]


def test_the_documents_tiny_map_opens_after_its_fixes():
    data = (ADVERSARIAL / "12a_doc_tiny_map.scn").read_bytes()
    titles = []
    for _ in range(5):
        result = read("12a_doc_tiny_map.scn", data)
        fixes = [problem.fix for problem in result.problems if problem.fix is not None]
        if result.battlemap is not None:
            break
        titles.append(fixes[0].title)
        data = apply_fix(data.decode("latin-1"), fixes[0]).encode("latin-1")
    assert result.battlemap is not None
    assert len(titles) == 3
    assert data == (ADVERSARIAL / "12b_doc_tiny_map_fixed.scn").read_bytes()


def test_a_condition_without_its_side_opens_after_its_fix():
    data = (ADVERSARIAL / "17_condition_short.scn").read_bytes()
    (problem,) = read("17_condition_short.scn", data).problems
    mended = apply_fix(data.decode("latin-1"), problem.fix).encode("latin-1")
    assert read("17_condition_short.scn", mended).battlemap is not None
