"""Battleland files: what the game loads reads equal, what it does not gives a located problem."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.systems.colossus.battleland.record_line import record_of
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.battleland.xml_reader import read_battleland
from randomizer.systems.colossus.battleland.xml_writer import write_battleland
from randomizer.systems.colossus.system import HEXSIDE, TERRAIN, new_planes
from tests.counting import calls_of
from tests.randomizer.systems.colossus.battleland_strategies import battlelands, plain_map, set_hex

D4 = '<battlehex x="3" y="2" terrain="Bog" elevation="1"><border number="0" type="s"/></battlehex>'


def battlemap(inner: str = D4, root: str = 'tower="False"', before: str = "") -> bytes:
    return f"{before}<battlemap {root}>{inner}</battlemap>".encode()


def read(data: bytes | str, path: str | None = "Swamp.xml") -> BattleMap:
    """The map of a file in which nothing is wrong."""
    result = read_battleland(data if isinstance(data, bytes) else data.encode(), path)
    assert result.battlemap is not None, result.problems
    assert not has_errors(result.problems)
    return result.battlemap


def errors(data: bytes | str) -> list[Problem]:
    """The errors of a file that gives no map."""
    result = read_battleland(data if isinstance(data, bytes) else data.encode(), "Swamp.xml")
    assert result.battlemap is None
    found = [problem for problem in result.problems if problem.severity is Severity.ERROR]
    assert found
    assert all(problem.path == "Swamp.xml" for problem in found)
    return found


def codes(data: bytes | str) -> list[str]:
    return [problem.code for problem in errors(data)]


def hexes_of(battlemap: BattleMap) -> dict[str, list[object]]:
    """The hexes that are not bare Plains."""
    hexes = record_of(battlemap.composite())["hexes"]
    return {label: entry for label, entry in hexes.items() if entry != ["Plains", 0, "      "]}


def digest(battlemap: BattleMap) -> str:
    record = record_of(battlemap.composite())
    parts = [record["tower"], record["subtitle"], record["startlist"], record["hexes"]]
    return hashlib.sha256(
        json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    ).hexdigest()


# --- against the recorded loader ----------------------------------------------------------------


def test_every_recorded_file_reads_as_the_game_reads_it(shared: Path) -> None:
    folder = shared / "reference" / "colossus" / "xml"
    for name, expected in json.loads((folder / "expected.json").read_text("utf-8")).items():
        result = read_battleland((folder / name).read_bytes(), name)
        if not expected["ok"]:
            assert has_errors(result.problems), name
            continue
        assert result.battlemap is not None, name
        assert not has_errors(result.problems), name
        shown = result.battlemap.composite()
        assert hexes_of(result.battlemap) == expected["hexes"], name
        assert shown.properties.get("tower") == expected["tower"], name
        assert shown.properties.get("subtitle") == expected["subtitle"], name
        assert list(shown.properties.get("startlist") or ()) == (expected["startlist"] or []), name


def test_every_shipped_map_has_its_digest_also_after_writing(shared: Path) -> None:
    colossus = shared / "reference" / "colossus" / "variant_map_digests.json"
    for name, expected in json.loads(colossus.read_text())["digests"].items():
        file = shared / "corpus" / "colossus" / "xml" / name.replace("/Battlelands/", "__")
        once = read(file.read_bytes())
        assert digest(once) == expected, name
        written = write_battleland(once.composite())
        again = read(written)
        assert digest(again) == expected, name
        assert write_battleland(again.composite()) == written, name
        assert dict(again.layers[0].extras) == dict(once.layers[0].extras)


# --- what the loader takes ----------------------------------------------------------------------


def test_a_layer_sets_only_the_hexes_that_the_file_names() -> None:
    layer = read(battlemap()).layers[0]
    assert np.count_nonzero(layer.planes["terrain"] != TERRAIN.unset) == 1
    assert layer.planes["terrain"][2, 3] == 5
    assert layer.planes["hexside"][2, 3].tolist() == [3, 0, 0, 0, 0, 0]
    assert np.count_nonzero(layer.planes["hexside"] != HEXSIDE.unset) == 6


def test_a_layer_of_a_file_without_hexes_has_no_planes() -> None:
    assert read(battlemap("")).layers[0].planes == {}


def test_the_layer_is_named_after_the_title_or_else_the_file() -> None:
    assert read(battlemap(root='terrain="Olympos" tower="0"')).layers[0].name == "Olympos"
    unnamed = read(battlemap(), "maps/Swamp.xml").layers[0]
    assert (unnamed.name, unnamed.properties) == ("Swamp", {"tower": False})
    assert read(battlemap(), None).layers[0].name == "Battleland"


@pytest.mark.parametrize(
    ("words", "tower"),
    [
        (("true", "True", "ON", "1", " yes ", "&#9;tRuE"), True),
        (("false", "False", "off", "0", "NO "), False),
    ],
)
def test_words_for_a_tower_and_for_none(words: tuple[str, ...], tower: bool) -> None:
    for word in words:
        assert read(battlemap(root=f'tower="{word}"')).layers[0].properties.get("tower") is tower


def test_numbers_may_have_blanks_and_a_sign() -> None:
    found = hexes_of(
        read(battlemap('<battlehex x=" 3 " y="+2" terrain="Bog" elevation="&#9;-1 "/>'))
    )
    assert found == {"D4": ["Bog", -1, "      "]}


@pytest.mark.parametrize(("word", "letter"), [("slope", "s"), ("r", "r"), ("dune", "d")])
def test_a_hexside_counts_by_its_first_letter(word: str, letter: str) -> None:
    assert hexes_of(read(battlemap(D4.replace('"s"', f'"{word}"'))))["D4"][2] == f"{letter}     "


def test_a_later_border_and_a_later_hex_count() -> None:
    inner = D4.replace(
        "</battlehex>", '<border number="0" type=" "/><border number="2" type="c"/></battlehex>'
    )
    inner += '<battlehex elevation="0" y="2" terrain="Lake" x="3"/>'
    assert hexes_of(read(battlemap(inner))) == {"D4": ["Lake", 0, "  c   "]}


def test_the_start_list_may_stand_first_and_keeps_order_and_doubles() -> None:
    labels = "".join(f'<battlehexref label="{label}"/>' for label in ("F1", "Z9", "A1", "F1"))
    layer = read(battlemap(f"<startlist>{labels}</startlist>" + D4)).layers[0]
    assert layer.properties.get("startlist") == ("F1", "Z9", "A1", "F1")


def test_old_entries_beside_new_ones_do_not_count() -> None:
    both = '<startlist><battlehex label="D4"/><battlehexref label="C3"/></startlist>'
    assert read(battlemap(both)).layers[0].properties.get("startlist") == ("C3",)


@pytest.mark.parametrize("inner", ["<startlist/>", "<startlist><battlehexref/></startlist>"])
def test_a_start_list_without_labels_is_none(inner: str) -> None:
    assert read(battlemap(inner)).layers[0].properties.get("startlist") is None


def test_only_the_first_start_list_counts_and_the_second_is_reported() -> None:
    lists = '<startlist><battlehexref label="D4"/></startlist><startlist/>'
    result = read_battleland(battlemap(lists))
    assert [problem.code for problem in result.problems] == ["second-start-list"]
    assert result.battlemap is not None
    assert result.battlemap.layers[0].properties.get("startlist") == ("D4",)
    assert b"<startlist/>" not in XML.write(result.battlemap)


def test_any_root_will_do() -> None:
    data = f'<?xml version="1.1"?>\n<p:foo xmlns:p="u" tower="0">{D4}</p:foo>'
    assert hexes_of(read(data)) == {"D4": ["Bog", 1, "s     "]}


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"],
)
def test_every_encoding(encoding: str) -> None:
    name = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{name}"?>\r\n<battlemap tower="1" subtitle="Größe"/>'
    assert read(text.encode(encoding)).layers[0].properties.get("subtitle") == "Größe"


def test_line_ends_of_xml_1_1() -> None:
    text = '<?xml version="1.1" encoding="UTF-8"?>\u2028<battlemap\x85tower="1"/>'
    assert read(text).layers[0].properties.get("tower") is True


def test_unknown_things_are_kept_and_written_back() -> None:
    data = """<?xml version="1.0"?>
<!-- first --><?colour green?>
<battlemap tower="False" author="m &amp; &quot;e&quot;" xmlns:p="urn:p">
  <!-- inside --> stray &lt;words&gt;
  <p:editor v="1"><deep>text</deep></p:editor>
  <battlehex x="0" y="2" terrain="Plains" elevation="0" note="empty"/>
  <battlehex x="3" y="2" terrain="Bog" elevation="1"><!-- wet -->
    <border number="0" type="s" steep="very"><!-- side --></border>
  </battlehex>
  <startlist kind="all"><battlehexref label="D 4" rank="1"/><battlehex label="A1"/></startlist>
</battlemap>
<!-- last -->"""
    once = read(data)
    written = write_battleland(once.composite()).decode()
    for part in (
        "<!-- first -->",
        "<?colour green?>",
        'author="m &amp; &quot;e&quot;"',
        "<!-- inside -->",
        "stray &lt;words&gt;",
        '<p:editor v="1"><deep>text</deep></p:editor>',
        '<battlehex x="0" y="2" terrain="Plains" elevation="0" note="empty">',
        "<!-- wet -->",
        'type="s" steep="very"',
        "<!-- side -->",
        '<startlist kind="all">',
        '<battlehexref label="D 4" rank="1" />',
        '<battlehex label="A1"/>',
        "<!-- last -->",
    ):
        assert part in written, part
    again = read(written)
    assert again.composite().same_as(once.composite())
    assert dict(again.layers[0].extras) == dict(once.layers[0].extras)
    assert write_battleland(again.composite()).decode() == written


def test_what_stands_in_entries_is_kept_too() -> None:
    inner = '<startlist><battlehexref label="D4"><why/></battlehexref></startlist>'
    written = write_battleland(read(battlemap(inner)).composite())
    assert b'<battlehexref label="D4">\n            <why/>' in written


def test_an_unknown_element_in_a_hex_off_the_board_is_no_mistake_of_its_own() -> None:
    inner = '<battlehex x="9" y="9" terrain="Bog" elevation="0"><why/></battlehex>'
    assert codes(battlemap(inner)) == ["off-board"]


def test_repeated_unknown_things_are_all_kept() -> None:
    shown = read(battlemap("<a/><a/>")).composite()
    assert write_battleland(shown).count(b"<a/>") == 2


def test_a_text_that_looks_like_an_attribute_is_kept_beside_it() -> None:
    data = b'<battlemap tower="False" author="Ann">@author</battlemap>'
    written = write_battleland(read(data).composite())
    assert b'author="Ann"' in written
    assert b"&#64;author" in written


# --- what it does not take ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (battlemap(root=""), "no-tower"),
        (battlemap(root='tower="perhaps"'), "tower"),
        (battlemap('<battlehex y="2" terrain="Bog" elevation="1"/>'), "no-x"),
        (battlemap('<battlehex x="3" terrain="Bog" elevation="1"/>'), "no-y"),
        (battlemap('<battlehex x="3" y="2" elevation="1"/>'), "no-terrain"),
        (battlemap('<battlehex x="3" y="2" terrain="Bog"/>'), "no-elevation"),
        (battlemap(D4.replace("Bog", "Abyss")), "unknown-terrain"),
        (battlemap(D4.replace('"1"', '"1.5"')), "not-a-number"),
        (battlemap(D4.replace('"1"', '"1_0"')), "not-a-number"),
        (battlemap(D4.replace('"1"', '"32768"')), "elevation-range"),
        (battlemap(D4.replace('"1"', '"-32768"')), "elevation-range"),
        (battlemap(D4.replace('"3"', '"6"')), "off-board"),
        (battlemap(D4.replace('"3"', '"-1"')), "off-board"),
        (battlemap(D4.replace('number="0"', "")), "no-number"),
        (battlemap(D4.replace('number="0"', 'number="6"')), "side"),
        (battlemap(D4.replace('"s"', '"S"')), "unknown-hexside"),
        (battlemap(D4.replace('"s"', '""')), "unknown-hexside"),
        (battlemap(D4.replace('type="s"', "")), "no-type"),
        (battlemap("<p:what/>"), "not-xml"),
        (battlemap("&nbsp;"), "not-xml"),
        (battlemap("&#1;"), "not-xml"),
        (battlemap("\0"), "not-xml"),
        (battlemap()[:-5], "not-xml"),
        (battlemap()[:30], "not-xml"),
        (battlemap() + b"<more/>", "not-xml"),
        (b"<?xml version='2.0'?>" + battlemap(), "not-xml"),
        (b"", "not-xml"),
        (b"   \n", "not-xml"),
        (b"TITLE Swamp", "not-xml"),
        (b"\x89PNG\r\n\x1a\n\0\0", "xml-encoding"),
        (battlemap(root='tower="0" tower="1"'), "not-xml"),
        ('<battlemap tower="0" subtitle="é"/>'.encode("latin-1"), "xml-encoding"),
        (b"<?xml version='1.0' encoding='klingon'?>" + battlemap(), "xml-encoding"),
        (b"<?xml version='1.0' encoding='hex'?>" + battlemap(), "xml-encoding"),
        (b"<?xml version='1.0' encoding='cp500'?>" + battlemap(), "xml-encoding"),
        ("<?xml version='1.0' encoding='cp500'?><a/>".encode("cp500"), "xml-encoding"),
        (b"<?xml version='1.0' encoding='idna'?>" + battlemap(), "xml-encoding"),
        (b"<?xml version='1.0' encoding='utf-7'?>" + battlemap(), "xml-encoding"),
        (b"<?xml version='1.0' encoding='unicode_escape'?>" + battlemap(), "xml-encoding"),
        (b"<?xml version='1.0' encoding='UTF-16'?>" + battlemap(), "xml-encoding"),
        (b"\xff\xfe<\0b", "xml-encoding"),
    ],
)
def test_what_the_game_stumbles_over_gives_no_map(data: bytes, code: str) -> None:
    assert code in codes(data)


def test_all_mistakes_of_a_file_are_told_at_their_places() -> None:
    data = """<battlemap terrain="X">
  <battlehex x="3" y="2" terrain="Abyss" elevation="1">
    <border number="7" type="q"/>
  </battlehex>
  <battlehex x="9" y="9" terrain="Bog"><border number="x" type="s"/></battlehex>
</battlemap>"""
    found = {problem.code: problem for problem in errors(data)}
    assert set(found) == {
        "no-tower",
        "unknown-terrain",
        "side",
        "unknown-hexside",
        "no-elevation",
        "off-board",
        "not-a-number",
    }
    place = found["unknown-terrain"]
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 35, 2, 40)
    assert (found["unknown-hexside"].line, found["unknown-hexside"].column) == (3, 30)
    assert (found["no-tower"].line, found["no-tower"].column) == (1, 1)
    assert (found["not-a-number"].line, found["not-a-number"].column) == (5, 56)


def test_places_count_characters_whatever_the_encoding_and_line_ends() -> None:
    text = (
        '<?xml version="1.0" encoding="utf-16"?>\r<!-- ü𝔛 -->\r\n'
        '<battlemap tower="0" subtitle="ü𝔛"><battlehex x="3" y="2" elevation="0"'
        "\n terrain = 'No'/></battlemap>"
    )
    (problem,) = errors(text.encode("utf-16"))
    assert (problem.line, problem.column, problem.end_column) == (4, 13, 15)


def test_an_open_tag_is_named() -> None:
    (problem,) = errors('<battlemap tower="0">\n<startlist>\n</battlemap>')
    assert "<startlist> of line 2" in problem.message
    (problem,) = errors('<battlemap tower="0">\n')
    assert "<battlemap> of line 1" in problem.message


# --- DOCTYPE and hostile files ------------------------------------------------------------------


def test_a_doctype_that_names_a_file_is_an_error_but_the_map_is_read() -> None:
    data = battlemap(before='<?xml version="1.0"?>\n<!DOCTYPE battlemap SYSTEM "battlemap.dtd">\n')
    result = read_battleland(data, "Swamp.xml")
    assert result.battlemap is not None
    assert hexes_of(result.battlemap) == {"D4": ["Bog", 1, "s     "]}
    (problem,) = result.problems
    assert (problem.severity, problem.code) == (Severity.ERROR, "doctype")
    assert (problem.line, problem.column) == (2, 1)
    assert b"DOCTYPE" not in XML.write(result.battlemap)


def test_a_doctype_that_names_no_file_is_a_warning() -> None:
    data = battlemap(before="<!DOCTYPE battlemap [<!ELEMENT battlemap ANY>]>\n")
    result = read_battleland(data)
    assert [(p.severity, p.code) for p in result.problems] == [(Severity.WARNING, "doctype")]
    assert result.battlemap is not None
    assert b"DOCTYPE" not in XML.write(result.battlemap)


BILLION_LAUGHS = (
    "<!DOCTYPE lolz ["
    + '<!ENTITY l0 "lol">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
    + '<battlemap tower="0" subtitle="&l9;"/>'
)


@pytest.mark.parametrize(
    "data",
    [
        BILLION_LAUGHS,
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a tower="0">&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]><a tower="0"/>',
        '<!DOCTYPE a SYSTEM "x.dtd"><a tower="0" subtitle="&what;"/>',
        '<!DOCTYPE a SYSTEM "x.dtd"><a tower="0">&what;</a>',
    ],
)
def test_entities_are_refused(data: str) -> None:
    assert codes(data) == ["xml-entity"]


def test_deep_and_huge_files_are_refused() -> None:
    assert codes('<a tower="0">' + "<b>" * 100_000) == ["xml-too-deep"]
    assert codes('<a tower="0">' + "<b/>" * 20_000 + "</a>") == ["xml-too-large"]
    assert codes(b" " * 2_000_001) == ["xml-too-large"]
    many = " ".join(f'a{n}="1"' for n in range(200))
    assert codes(f'<a tower="0" {many}/>') == ["xml-too-large"]


def test_a_file_in_which_all_is_wrong_is_given_up_soon() -> None:
    found: list[str] = []
    data = battlemap('<battlehex z="%s"/>' % ("x" * 150) * 9_000)
    calls = calls_of(lambda: found.extend(codes(data)))
    assert found[-1] == "too-many-problems"
    assert len(found) < 110
    assert calls < 30 * 9_000


def test_a_file_with_many_warnings_is_a_map_all_the_same() -> None:
    entries = "<battlehexref/>" * 300 + '<battlehexref label="D4"/>'
    data = battlemap(f"{D4}<startlist>{entries}</startlist>")
    result = read_battleland(data, "Swamp.xml")
    assert result.battlemap is not None
    assert result.battlemap.composite().properties["startlist"] == ("D4",)
    assert {problem.code for problem in result.problems} == {"no-label"}
    assert len(result.problems) <= 100


def test_recognises_battlemaps_and_nothing_else() -> None:
    assert XML.recognises(battlemap())
    assert XML.recognises('<!-- <a> --><foo tower="1"/>'.encode("utf-16"))
    for other in (b"", b"<svg/>", b"<?xml?>", b"TITLE x", b"{}", b"\xff\xfe\0", b"<a flower='1'>"):
        assert not XML.recognises(other)


@given(st.binary(max_size=300))
def test_random_bytes_never_raise(data: bytes) -> None:
    result = read_battleland(data)
    assert result.battlemap is not None or has_errors(result.problems)
    XML.recognises(data)


@given(st.data())
def test_broken_files_never_raise_and_never_give_half_a_map(data: st.DataObject) -> None:
    source = battlemap(
        D4 + '<startlist><battlehexref label="D4"/></startlist>',
        before='<?xml version="1.0"?><!-- x -->',
    )
    broken = bytearray(source)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(broken) - 1))
        piece = data.draw(st.binary(max_size=3) | st.sampled_from([b"<", b">", b'"', b"&", b"-"]))
        broken[place : place + data.draw(st.integers(0, 5))] = piece
    _whole_or_nothing(bytes(broken))


def test_mutated_real_files_never_raise_and_never_give_half_a_map(shared: Path) -> None:
    dice = random.Random(7)
    files = sorted((shared / "corpus" / "colossus" / "xml").glob("*.xml"))
    for file in files:
        for _ in range(8):
            broken = bytearray(file.read_bytes())
            for _ in range(dice.randint(1, 5)):
                place = dice.randrange(len(broken))
                broken[place : place + dice.randint(0, 8)] = dice.randbytes(dice.randint(0, 4))
            _whole_or_nothing(bytes(broken))
        whole = file.read_bytes().rstrip()
        assert read_battleland(whole[: dice.randrange(len(whole))]).battlemap is None


def _whole_or_nothing(data: bytes) -> None:
    result = read_battleland(data)
    if result.battlemap is None:
        assert has_errors(result.problems)
    else:
        assert digest(read(XML.write(result.battlemap))) == digest(result.battlemap)


# --- writing ------------------------------------------------------------------------------------


@given(battlelands())
def test_a_written_map_reads_back_equal(once: BattleMap) -> None:
    again = read(XML.write(once))
    shown = once.composite()
    if not shown.properties.get("startlist"):
        shown.properties.pop("startlist", None)  # no file holds an empty list
    assert again.composite().same_as(shown)


def test_a_long_start_list_with_unknown_words_is_written_in_time() -> None:
    def start_list(length: int) -> BattleMap:
        entries = "".join(f'<battlehexref label="x{n}" q="{n}"/>' for n in range(length))
        return read(battlemap(f"<startlist>{entries}</startlist>"))

    short = start_list(500)
    long = start_list(5000)
    assert XML.write(long).count(b" q=") == 5000
    a = calls_of(lambda: XML.write(short))
    b = calls_of(lambda: XML.write(long))
    assert b < 11 * a


def test_a_map_without_a_title_is_written_without_one() -> None:
    assert b"<battlemap tower=" in XML.write(plain_map())
    assert read(XML.write(plain_map())).composite().properties.get("title") is None
    assert read(XML.write(plain_map(title=""))).composite().properties.get("title") == ""


def test_the_written_file_is_what_the_game_wants() -> None:
    once = plain_map(title="Swamp", startlist=("D4",))
    set_hex(once, "D4", "Bog", 1, "s")
    set_hex(once, "A1", "Plains", 0, "  r")
    assert XML.write(once).decode() == (
        '<?xml version="1.0"?>\n'
        '<battlemap terrain="Swamp" tower="False">\n'
        '    <battlehex x="0" y="4" terrain="Plains" elevation="0">\n'
        '        <border number="2" type="r" />\n'
        "    </battlehex>\n"
        '    <battlehex x="3" y="2" terrain="Bog" elevation="1">\n'
        '        <border number="0" type="s" />\n'
        "    </battlehex>\n"
        "    <startlist>\n"
        '        <battlehexref label="D4" />\n'
        "    </startlist>\n"
        "</battlemap>\n"
    )


def test_a_comment_goes_before_the_hexes_and_is_made_safe() -> None:
    shown = plain_map().composite()
    data = write_battleland(shown, "rolled from a--b---.rnd -->\0, seed 17, map 0-")
    assert data.decode().splitlines()[2].startswith("<!-- rolled from a- -b")
    assert read(data).composite().properties.get("tower") is False
    assert b"\0" not in data


def test_characters_that_xml_cannot_hold_are_told_before_they_are_written() -> None:
    for field, value in (("title", "a\0"), ("subtitle", "\ufffe"), ("startlist", ("\ud800",))):
        once = plain_map(**{field: value})
        assert "not-xml-character" in [problem.code for problem in XML.check(once)]
        with pytest.raises(ProblemError):
            XML.write(once)


def test_damaged_extras_never_leave_the_house() -> None:
    once = plain_map(extras={"xml root <a>": 1})
    with pytest.raises(ProblemError, match="carries along"):
        XML.write(once)


def test_a_node_that_a_damaged_project_counts_without_end_takes_no_memory() -> None:
    with pytest.raises(ProblemError, match="carries along"):
        XML.write(plain_map(extras={"xml D4 <wood/>": 2**60}))


def test_check_tells_what_is_lost_and_what_the_builder_warns_of() -> None:
    once = plain_map(startlist=())
    set_hex(once, "D4", "Lake", 0, "r")
    once.locked_cells[2, 3] = True
    assert {problem.code for problem in XML.check(once)} == {
        "empty-start-list",
        "hexside-on-lake",
        "flattened",
    }
    assert not has_errors(XML.check(once))


# --- what reads otherwise than it looks ---------------------------------------------------------


def warnings(data: bytes) -> dict[str, Problem]:
    """The warnings of a file that gives a map, by code."""
    result = read_battleland(data, "Swamp.xml")
    assert result.battlemap is not None
    return {
        problem.code: problem for problem in result.problems if problem.severity is Severity.WARNING
    }


def test_hexes_in_a_namespace_are_as_invisible_as_in_the_game() -> None:
    data = battlemap(root='tower="True" xmlns="urn:other"')
    found = warnings(data)["namespace"]
    assert (found.line, found.column, found.end_column) == (1, 32, 41)
    plain = read_battleland(data).battlemap
    assert plain is not None
    assert hexes_of(plain) == {}
    assert plain.composite().properties["tower"] is True


def test_hexes_in_a_namespace_stay_in_it_when_the_map_is_saved() -> None:
    plain = read(battlemap(root='tower="True" xmlns="urn:other"'))
    plain.layers[0].planes.update(new_planes())
    set_hex(plain, "A1", "Bog")
    saved = write_battleland(plain.composite())
    assert b'<battlehex xmlns="urn:other" x="3"' in saved
    assert list(hexes_of(read(saved))) == ["A1"]


def test_a_deprecated_start_list_is_read_and_said() -> None:
    old = '<startlist><battlehex label="D4"/><battlehex label="C3"/></startlist>'
    assert warnings(battlemap(old))["deprecated-start-list"].column == 37
    layer = read(battlemap(old)).layers[0]
    assert (layer.properties.get("startlist"), layer.planes) == (("D4", "C3"), {})
    assert b"battlehexref" in write_battleland(read(battlemap(old)).composite())
    current = old.replace("battlehex ", "battlehexref ")
    assert "deprecated-start-list" not in warnings(battlemap(current))


@pytest.mark.parametrize(
    ("root", "kind"),
    [("variant", "a variant file"), ("ColossusSnapshot", "a saved game"), ("html", "a web page")],
)
def test_another_file_of_the_game_is_called_by_its_name(root: str, kind: str) -> None:
    (found,) = errors(f'<{root} name="Default"/>')
    assert found.message == f"This is {kind}, not a map: its root is <{root}>"
