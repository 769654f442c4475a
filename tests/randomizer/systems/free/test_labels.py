"""Labels and symbols of free maps live through undo, files and stamps."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.stamp_cutting import cut_things
from randomizer.geometry.stamp_placing import stamp_things
from randomizer.geometry.stamp_text import decode, encode
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.settings.setting import checked_settings
from randomizer.model.things.lettering import INKS, LETTERING, Lettering
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.free.things import KINDS, LABEL, NOTE, START

colours = st.sampled_from([colour for colour, _title in INKS])
states = st.fixed_dictionaries(
    {},
    optional={
        "size": st.integers(1, 200).map(lambda tenths: tenths / 10),
        "colour": colours,
        "halo": colours,
        "italic": st.booleans(),
        "spaced": st.booleans(),
    },
).map(State)
labels = st.builds(
    lambda kind, angle, text, state: Thing(0, kind, 6.0, 6.062177826491071, angle, 0, text, state),
    st.sampled_from([kind.name for kind in KINDS]),
    st.sampled_from([0.0, 30.0, 300.0]),
    st.text(st.characters(codec="utf-8", categories=["L"]), max_size=20),
    states,
)


@given(st.lists(labels, min_size=1, max_size=4), states, st.text("abc", max_size=5))
def test_labels_live_through_undo_files_and_stamps(drawn, state, text):
    battlemap = free_map(FLAT, 10, 8)
    things = tuple(replace(each, id=number) for number, each in enumerate(drawn, 1))
    ThingsEdit(1, (), things).apply(battlemap)
    edit = change_things(battlemap, [replace(things[0], state=state, label=text)])
    if edit is not None:
        edit.apply(battlemap)
        assert battlemap.thing(1).state == state
        edit.inverse().apply(battlemap)
    assert tuple(battlemap.visible_things()) == things
    saved = read_project(write_project(battlemap)).battlemap
    assert tuple(saved.visible_things()) == things
    stamp = decode(encode(cut_things(battlemap, things)))
    cell = battlemap.grid.cell_at(things[0].x, things[0].y)
    copies = stamp_things(battlemap, stamp, cell).things
    looks = [(copy.kind, copy.angle, copy.label, copy.state) for copy in copies]
    assert looks == [(thing.kind, thing.angle, thing.label, thing.state) for thing in things]
    kinds = {kind.name: kind for kind in KINDS}
    lettering = kinds[LABEL].lettering_of(replace(things[0], state=state))
    assert lettering == Lettering(**checked_settings(LETTERING, state))


def test_there_are_forty_symbols_in_groups():
    symbols = [kind for kind in SYSTEM.thing_kinds(free_map(FLAT, 3, 3)) if kind.icon]
    assert len(symbols) >= 40
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert all(kind.group and kind.naming for kind in KINDS if kind.name not in (NOTE, START))
