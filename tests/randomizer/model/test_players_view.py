"""What players see of a map: nothing secret is in any file of it; and the key of its notes."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile, is_zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.catalog import map_formats
from randomizer.formats.checked import write_checked
from randomizer.formats.held_systems import can_write
from randomizer.model.edits import layer_edits
from randomizer.model.edits.region_edits import add_region
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.hand.targets import paint
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.map.regions import MapRegion
from randomizer.model.notes import NOTE_TEXT, TEXT, key_in_markdown, notes_of
from randomizer.model.players_view import players_view
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.things.thing_rules import ThingRules
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import contents
from tests.systems import system_like
from tests.test_system.system import SYSTEM

WORD = "Xyzzyhoard"
"""Occurs in what is secret, and nowhere else."""


def whole(data: bytes) -> bytes:
    """All that is in a file, unpacked."""
    if not is_zipfile(BytesIO(data)):
        return data
    archive = ZipFile(BytesIO(data))
    return data + b"".join(name.encode() + archive.read(name) for name in archive.namelist())


@st.composite
def maps_with_secrets(draw: st.DrawFn) -> BattleMap:
    """Maps of one to three layers of which some hold the word, as anything that has a text."""
    battlemap = free_map(FLAT, 5, 4)
    battlemap.layers = [Layer(number, f"Layer {number}") for number in (1, 2, 3)]
    kinds = [kind.name for kind in battlemap.system.thing_kinds(battlemap)]
    add_region(battlemap, MapRegion("Open", "#112233")).apply(battlemap)
    paint(battlemap, 1, "region", [0, 1], 0).apply(battlemap)
    for layer in list(battlemap.layers):
        if draw(st.booleans()):
            layer.secret = True
            layer.name = f"{WORD} {layer.id}"
            layer.properties["title"] = WORD
            code = 1 + sum(each.secret for each in battlemap.layers) - 1
            add_region(battlemap, MapRegion(f"{WORD} {code}", "#445566")).apply(battlemap)
            paint(battlemap, layer.id, "region", [2, 3], code).apply(battlemap)
        for secret in draw(st.lists(st.booleans(), max_size=3)):
            hidden = secret or layer.secret
            text = WORD if hidden else "known to all"
            state = {"text": text, "secret": secret}
            thing = Thing(0, draw(st.sampled_from(kinds)), 1.0, 2.0, 0.0, 0, text, state)
            add_things(battlemap, layer.id, [thing]).apply(battlemap)
    return battlemap


@settings(max_examples=30, deadline=None)
@given(maps_with_secrets())
def test_no_file_for_players_has_a_byte_of_a_secret(battlemap: BattleMap) -> None:
    before = contents(battlemap)
    seen = players_view(battlemap)
    formats = [known for known in map_formats.formats() if can_write(known, battlemap)]
    assert {known.name for known in formats} >= {"project", "cells", "notes"}
    for known in formats:
        assert WORD.encode() not in whole(write_checked(known, seen)), known.name
    assert contents(battlemap) == before
    assert players_view(seen) is seen
    open_things = [thing for thing in seen.visible_things() if thing.label == "known to all"]
    assert len(open_things) == len(list(seen.visible_things()))


def test_a_map_without_secrets_is_what_players_see() -> None:
    battlemap = free_map(FLAT, 5, 4)
    assert players_view(battlemap) is battlemap


def test_below_a_secret_layer_the_others_show() -> None:
    battlemap = free_map(FLAT, 5, 4)
    battlemap.layers.append(Layer(2, "Plan", secret=True))
    paint(battlemap, 1, "terrain", [0, 1], 4).apply(battlemap)
    paint(battlemap, 2, "terrain", [0], 7).apply(battlemap)
    assert players_view(battlemap).values("terrain").flat[0] == 4
    battlemap.layers[0].secret = True
    assert [layer.secret for layer in players_view(battlemap).layers] == [False]


@pytest.mark.parametrize("how", ["merge", "flatten", "part"])
def test_what_was_secret_stays_so_in_another_layer(how: str) -> None:
    battlemap = free_map(FLAT, 5, 4)
    battlemap.layers.append(Layer(2, "Plan", secret=True))
    paint(battlemap, 2, "terrain", [0], 7).apply(battlemap)
    if how == "merge":
        layer_edits.merge_down(battlemap, 2).apply(battlemap)
    elif how == "flatten":
        layer_edits.flatten(battlemap).edit.apply(battlemap)
    else:
        layer_edits.from_cells(battlemap, 2, np.array([0]), moved=True).edit.apply(battlemap)
    assert players_view(battlemap).values("terrain").flat[0] == 0


def test_what_a_hand_touched_in_a_secret_roll_stays_secret_after_a_re_roll() -> None:
    battlemap = free_map(FLAT, 5, 4)
    roll = Roll("", "T", "", {}, 0, 0)
    for layer in (
        Layer(2, "Roll", roll=roll, secret=True),
        Layer(3, "Touch-ups", touch_ups_of=2),  # players see these
    ):
        battlemap.layers.append(layer)
    paint(battlemap, 2, "terrain", [0], 7).apply(battlemap)
    put_layers(battlemap, 2, [Layer(0, "New", roll=roll)], replaces=True).edit.apply(battlemap)
    assert [layer.secret for layer in battlemap.layers] == [False, True, True, False]
    assert battlemap.values("terrain").flat[0] == 7
    assert players_view(battlemap).values("terrain").flat[0] == 0


def test_the_key_numbers_the_notes_and_counts_the_regions() -> None:
    battlemap = free_map(FLAT, 5, 4)
    add_region(battlemap, MapRegion("The *Shire*", "#112233")).apply(battlemap)
    paint(battlemap, 1, "region", [0, 1], 0).apply(battlemap)
    at = battlemap.grid.centre(7)
    things = [
        Thing(0, "note", *at, 0.0, 0, "Mill", {"text": "Old.\n# not a title\n"}),
        Thing(0, "town", *at, 0.0, 0, "Bree"),
        Thing(0, "note", -9.0, -9.0),
    ]
    add_things(battlemap, 1, things).apply(battlemap)
    assert [note.heading for note in notes_of(battlemap)] == ["1. Mill (0302)", "2."]
    assert key_in_markdown(battlemap) == (
        "# Key\n\n## 1. Mill (0302)\n\nOld.  \n\\# not a title\n\n## 2.\n\n"
        "## Regions\n\n- The \\*Shire\\*: 2 cells (10.0%)\n"
    )
    battlemap.layers[0].visible = False
    assert not notes_of(battlemap)


@pytest.mark.parametrize("letter", ["a", "ß", "ж", "水", "🏰", '"'])
def test_the_longest_note_is_kept_in_any_alphabet(letter: str) -> None:
    battlemap = free_map(FLAT, 5, 4)
    text = letter * int(NOTE_TEXT.maximum or 0)
    note = Thing(0, "note", *battlemap.grid.centre(7), 0.0, 0, "Mill", {TEXT: text})
    add_things(battlemap, 1, [note]).apply(battlemap)
    (saved_note,) = notes_of(read_project(write_project(battlemap)).battlemap)
    assert saved_note.thing.state[TEXT] == text


def test_an_army_that_has_left_a_secret_ship_is_seen() -> None:
    herds = system_like(SYSTEM, name="fleets", title="Fleet", thing_rules=ThingRules(carrier="on"))
    ship = Thing(1, "ship", 2, 2, state={"secret": True})
    aboard = Thing(2, "army", 2, 2, state={"on": 1})
    ashore = Thing(3, "army", 5, 5, state={"on": 1})
    layer = Layer(1, "Sea", things=Things([ship, aboard, ashore]))
    view = players_view(BattleMap.new(herds, layers=[layer]))
    assert list(view.layers[0].things) == [3]


def test_what_a_ship_of_a_secret_layer_carries_is_secret_on_any_layer() -> None:
    fleets = system_like(SYSTEM, name="fleets", title="Fleet", thing_rules=ThingRules(carrier="on"))
    ship = Thing(1, "ship", 2, 2)
    aboard = Thing(2, "army", 2, 2, state={"on": 1})
    sea = Layer(1, "Sea", things=Things([ship]), secret=True)
    land = Layer(2, "Land", things=Things([aboard]))
    view = players_view(BattleMap.new(fleets, layers=[sea, land]))
    assert [list(layer.things) for layer in view.layers] == [[]]


@pytest.mark.parametrize(
    ("line", "markdown"),
    [
        ("- two millers", "\\- two millers"),
        ("1. door", "1\\. door"),
        ("    four blanks", "four blanks"),
        ("2 doors - one open", "2 doors - one open"),
    ],
)
def test_a_line_of_a_note_is_no_list_in_the_key(line: str, markdown: str) -> None:
    battlemap = free_map(FLAT, 5, 4)
    battlemap.layers[0].things = Things([Thing(1, "note", 0, 0, state={TEXT: line})])
    assert key_in_markdown(battlemap).rstrip().endswith(f"\n{markdown}")
