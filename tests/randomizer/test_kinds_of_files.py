"""Which reader is asked about a file: by its content; who comes nearest says what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from randomizer.catalog.file_kinds import look_at_file
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_file_reading import read_map_file
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from randomizer.model.problems import Problem, ProblemError

BOM = b"\xef\xbb\xbf"
ROWS = b"Gg, Gg, Gg\nGg, Ww, Gg\nGg, Gg, Gg\n"
AZGAAR = b"1.99|File can be loaded in azgaar.github.io/Fantasy-Map-Generator|2024|1|9|9\n{}\n"
GAME_OF_XCONQ_7 = b'; A world\n\n(game-module "earth" (title "Earth"))\n(area 36 18)\n'
SCENARIO = b'[multiplayer]\n    id=duel\n    map_data="{maps/duel.map}"\n[/multiplayer]\n'
ROWS_INSIDE = SCENARIO.replace(b"{maps/duel.map}", b"Gg, Gg\n\nGg, TOMANY\n")


def problem_of(data: bytes, path: str) -> Problem:
    """Return the first problem of a file that cannot be read."""
    try:
        result = read_checked(format_for(data, path), data, path)
    except ProblemError as refused:
        return refused.problems[0]
    assert result.battlemap is None
    return result.problems[0]


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b"Gg, TOMANY, Ww\nGg, Gg, Gg\nGg, Gg, Gg\n", "'TOMANY' is no terrain", (1, 4)),
        (b"Gg, Gg, Gg\nGg, Gg\n", "this row has 2 cells, the first 3", (2, 1)),
        (b"Gg, Gg, Gg\nGg, Gg\n".replace(b"\n", b"\r\n"), "this row has 2 cells", (2, 1)),
        (BOM + b"Gg, Gg, Gg\nGg, ?, Gg\n", "'?' is no terrain", (2, 4)),
        (b"xconq 0 +-+--- Land\n", "A mapfile begins with the word", (1, 1)),
        (AZGAAR, "a map of Azgaar's Fantasy Map Generator", (1, 1)),
        (AZGAAR, "choose Export, “Export to JSON” and “full”", (1, 1)),
        (AZGAAR, "or lay a picture of it below a map", (1, 1)),
        (b'{"type":"FeatureCollection","features":[]}', "this is GeoJSON", (1, 1)),
        (GAME_OF_XCONQ_7, "a game or map of Xconq 7", (1, 1)),
        (SCENARIO, "this is a scenario of Wesnoth", (3, 1)),
        (SCENARIO.replace(b"map_data", b"map_file"), "open the one that this line names", (3, 1)),
        (ROWS_INSIDE, "'TOMANY' is no terrain", (5, 4)),
        (ROWS_INSIDE.replace(b"Gg, Gg\n\n", b"oh, Gg\n"), "'oh' is no terrain", (3, 15)),
        (b"", "this file is empty: “Xconq mapfile” or “Wesnoth map” was expected", ()),
        (ROWS.decode().encode("utf-16"), "it is UTF-16 text: save it as UTF-8", ()),
        (b"Dear all,\n\nhello.\n", "none of the files that end in .map", ()),
        (b'size 2 2\nhex 0101 ? "" ""\n', "", (2, 10)),
    ],
    ids=lambda value: "",
)
def test_the_reader_that_a_map_resembles_says_what_is_wrong(data, message, place) -> None:
    problem = problem_of(data, "broken.map")
    assert message in problem.message
    assert (problem.line, problem.column) == (place or (None, None))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("island.battlemap", "“Map project”"),
        ("island.xml", "“Colossus battleland” or “Atlas scenario for 0 A.D.”"),
        ("island.json", "a map"),
        ("island.tmj", "“Tiled map (JSON)”"),
        ("island.dd2vtt", "“Universal VTT”"),
        ("island.board", "“MegaMek board”"),
        ("island.cells", "a map"),
        ("island.scn", "“Xconq mapfile”"),
        ("island.tmx", "“Tiled map”"),
        ("island.txt", "“Text Mapper map”"),
        ("island.wxx", "“Worldographer map”"),
    ],
)
@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_said_to_be_empty(name, expected, data) -> None:
    problem = problem_of(data, name)
    assert problem.message == f"this file is empty: {expected} was expected"
    assert (problem.code, problem.path) == ("file-empty", name)


def test_a_file_that_is_read_in_a_named_format_is_said_to_be_empty() -> None:
    (problem,) = read_checked(format_named("wxx"), b"").problems
    assert problem.message == "this file is empty: “Worldographer map” was expected"


def test_a_byte_order_mark_hides_no_format() -> None:
    for name, data in (
        ("wesnoth", ROWS),
        ("textmapper", b"0101 forest\n0102 hill\n"),
        ("board", b'size 1 1\nhex 0101 0 "" ""\nend\n'),
        ("xconq", b"Xconq 0 ------ Land\n"),
    ):
        assert format_for(BOM + data, "any").name == name
        result = read_checked(format_for(BOM + data, "any"), BOM + data)
        assert result.battlemap is not None
    problems = [problem.code for problem in result.problems]
    assert "byte-order-mark" in problems


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"width": 3, "height": 3, "grid": {}, "walls": []}, "foundry"),
        ({"resolution": {"map_size": {"x": 2}}, "line_of_sight": []}, "uvtt"),
        ({"layers": {}, "tilewidth": 3, "orientation": "orthogonal"}, "tmj"),
        ({"hexes": [], "tower": True}, "json"),
    ],
)
def test_json_that_lacks_something_is_of_the_format_that_it_resembles(document, name) -> None:
    data = json.dumps(document).encode()
    assert format_for(data, "any.json").name == name
    assert "of no kind that can be read here" not in problem_of(data, "any.json").message


def test_a_chosen_format_reads_what_no_other_recognises_for_certain() -> None:
    wesnoth = format_named("wesnoth")
    xconq = format_named("xconq")
    assert wesnoth is not None
    assert xconq is not None
    assert format_for(b"Hello\n", "a.map", [xconq]) is xconq
    assert format_for(b"Hello\n", "a.map", [wesnoth]) is wesnoth
    assert format_for(ROWS, "a.map", [xconq]) is wesnoth
    assert format_for(b"Gg, ?\nGg, Gg\n", "a.map", [xconq]) is xconq


@pytest.mark.parametrize(
    "text",
    [
        "1066 was the year of the battle.\n",
        "Dear all,\n1066 was the year of the battle.\nBye.\n",
        "1066 Hastings\n1215 Magna Carta\n",
        "2024-05-01 We met.\n0900 coffee!\n",
        "2024-05-01 We met\n",
        "0304 forest; see below\n",
    ],
)
def test_prose_that_begins_with_digits_is_no_map_of_text_mapper(text: str) -> None:
    data = text.encode()
    with pytest.raises(ProblemError):
        format_for(data, "letter.md")
    problem = problem_of(data, "letter.txt")
    assert re.search("no statements? of Text Mapper", problem.message)
    assert problem.line is not None


@pytest.mark.parametrize(
    "text",
    [
        "0304 forest\n",
        '0304 Forest "The Wood."\nForest attributes fill="green"\n',
        '0101 Forest\n0102 Hill\n0103 Water "Sea!"\n0104 Hill\n',
        "0101 clear\n0101-0102 Road\n",
        '0101 water name="Lake, the"\n0101-0103 river "Ur" left 30%\n',
    ],
)
def test_statements_of_text_mapper_are_a_map(text: str) -> None:
    assert format_for(text.encode(), "map.md").name == "textmapper"
    result = read_checked(format_for(text.encode(), "map.txt"), text.encode())
    assert result.battlemap is not None


def test_a_sentence_among_statements_is_kept_and_is_no_hex() -> None:
    data = b"0101 forest\n0102 hill\n1066 was the year of the battle.\n"
    result = read_checked(format_for(data, "map.txt"), data)
    assert result.battlemap is not None
    assert (result.battlemap.grid.width, result.battlemap.grid.height) == (1, 2)
    known = format_named("textmapper")
    assert known is not None
    assert known.write(result.battlemap) == data


def test_a_file_that_was_replaced_after_it_was_looked_at_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    path.write_bytes(ROWS)
    head = look_at_file(path)
    assert head.map_format is format_named("wesnoth")
    path.write_bytes(b'{"table": 1}')
    data = read_map_file(path, head=head)
    assert data == b'{"table": 1}'
    assert format_for(data, str(path), head=head).systems == ("cordery",)
