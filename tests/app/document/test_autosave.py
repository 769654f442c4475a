"""The desk's journals: what is on the disk after each step, and what comes back with undo."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from app.document import map_journal as map_journal_module
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.open_map import FlatFile, GameSource
from app.document.recorder import Recorder
from app.document.undo_history import MergeKey, RollKeys
from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove
from randomizer.model.edits.terrain_entries import EntryList, change_entry
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.journal.recoverable_journals import leftovers
from randomizer.storage.records.encoding import encode_map
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from tests.counting import peak_of
from tests.randomizer.own_terrains import PICTURES
from tests.randomizer.storage.journal_work import close_journals_in_the_end
from tests.ui_work import UiWork


def new_map():
    layer = Layer(1, "Ground")
    for name in ("terrain", "elevation"):
        layer.planes[name] = SYSTEM.plane(name).allocate(SYSTEM.new_grid())
    battlemap = BattleMap.new(SYSTEM, layers=[layer])
    battlemap.locked_cells[:] = False
    return battlemap


def paint(document, cell, code, layer=1):
    return document.push(
        set_values(document.battlemap, layer, "terrain", [cell], code), f"Paint {cell}"
    )


class Session:
    """A desk that keeps journals, until it ends one way or the other."""

    def __init__(self, folder, **options):
        self.document = MapDocument(new_map())
        self.autosave = Autosave(self.document, folder, **options)
        self.said = []
        self.autosave.reported.connect(self.said.append)

    def crash(self):
        """As a kill: the system takes the locks away, and nothing else happens."""
        # A kill: nothing ends in good order, as all that is public does.
        self.autosave._worker.shutdown()
        for map_journal in self.autosave._journals.values():
            if map_journal.journal is not None:
                # The system takes the locks of a killed process away.
                map_journal.journal._lock.close()
        self.autosave._journals.clear()
        self.document.recorder = Recorder()


@pytest.fixture(autouse=True)
def _closed_in_the_end(monkeypatch):
    yield from close_journals_in_the_end(monkeypatch)


@pytest.fixture
def session(qapp, tmp_path):
    return Session(tmp_path)


def next_session(tmp_path, **options):
    """Another session that has restored what the one before left; it and the restored map."""
    journals, problems = leftovers(tmp_path)
    assert problems == []
    (journal,) = journals
    session = Session(tmp_path, **options)
    return session, session.autosave.restore(journal, journal.restore_map())


def states(document):
    """The map after every step: undone to the start, then redone."""
    document.go_to(0)
    found = [encode_map(document.battlemap)]
    while document.history.next_redo:
        document.redo()
        found.append(encode_map(document.battlemap))
    return found


def work_of_all_kinds(document):
    """Steps that paint, lock, insert, paint in, merge and remove layers; all states on the way."""
    battlemap = document.battlemap
    found = [encode_map(document.battlemap)]

    def did(done):
        assert done
        found.append(encode_map(battlemap))

    did(paint(document, 15, 4))
    did(document.push(set_locks(battlemap, [3, 4], True), "Lock"))
    layer = Layer(2, "Top", planes={"terrain": SYSTEM.plane("terrain").allocate(battlemap.grid)})
    did(document.push(LayerInsert(1, layer), "New layer", active=2))
    did(paint(document, 16, 2, layer=2))
    copied = layer_edits.duplicate(battlemap, 2)
    did(document.push(copied.edit, "Duplicate", active=copied.layer_id))
    did(paint(document, 17, 3, layer=copied.layer_id))
    did(document.push(LayerRemove(1, layer), "Delete", active=1))
    did(paint(document, 15, 1))
    return found


def test_a_step_is_on_the_disk_when_its_call_returns(session, tmp_path):
    paint(session.document, 15, 4)
    after = encode_map(session.document.battlemap)
    session.crash()
    ((journal,), _) = leftovers(tmp_path)
    assert journal.count == 1
    assert encode_map(journal.restore_map()) == after
    assert journal.about["name"] == "Untitled"


def test_a_map_comes_back_with_all_its_steps_path_and_source(session, tmp_path):
    document = session.document
    document.set_source(GameSource(tmp_path / "game", "Default", "Marsh"))
    found = work_of_all_kinds(document)
    hills = tmp_path / "hills.xml"
    hills.write_bytes(b"hills")
    document.current_map.known_file = KnownFile.of(hills, b"hills")
    document.current_map.flat_file = FlatFile.ACCEPTED
    document.set_path(hills)
    document.undo()
    session.crash()
    later, opened = next_session(tmp_path)
    assert later.document.current_map is opened
    assert opened.path == tmp_path / "hills.xml"
    assert opened.flat_file is FlatFile.ACCEPTED
    assert opened.known_file == document.current_map.known_file
    assert opened.source == GameSource(tmp_path / "game", "Default", "Marsh")
    assert opened.active_layer_id == document.active_layer_id
    history = opened.history
    assert (history.index, len(history.steps)) == (len(found) - 2, len(found) - 1)
    assert not history.is_clean
    assert history.steps[0].text == "Paint 15"
    assert encode_map(opened.battlemap) == found[-2]
    assert states(later.document) == found
    later.autosave.end()


def test_work_goes_on_in_the_same_journal(session, tmp_path):
    found = work_of_all_kinds(session.document)
    session.crash()
    later, opened = next_session(tmp_path)
    later.document.undo()
    paint(later.document, 20, 5)
    paint(later.document, 21, 5)
    found[-1:] = []
    last = encode_map(opened.battlemap)
    later.crash()
    once_more, opened = next_session(tmp_path)
    assert len(opened.history.steps) == len(found) + 1
    assert encode_map(opened.battlemap) == last
    assert states(once_more.document)[: len(found)] == found
    once_more.autosave.end()


def test_layers_of_new_steps_and_of_steps_that_came_back_are_the_same(session, tmp_path):
    found = work_of_all_kinds(session.document)
    session.crash()
    later, opened = next_session(tmp_path)
    layer = opened.battlemap.layers[-1]
    index = opened.battlemap.index_of(layer.id)
    later.document.push(LayerRemove(index, layer), "Delete", active=1)
    found.append(encode_map(opened.battlemap))
    for _ in range(3):
        assert states(later.document) == found
    later.autosave.end()


def painted_on(document, cell, code, at_s, kind="typing"):
    """Paint a cell as an action that may go on with the step before."""
    return document.push_on(
        lambda battlemap: set_values(battlemap, 1, "terrain", [cell], code),
        f"Paint {cell}",
        MergeKey(kind, at_s),
        roll_keys=RollKeys(DrawKey(1, 0), DrawKey(int(at_s), 0)),
    )


def test_actions_within_a_second_are_one_step_in_the_journal_too(session, tmp_path):
    document = session.document
    history = document.history
    first = encode_map(document.battlemap)
    assert painted_on(document, 15, 4, 10.0)
    assert painted_on(document, 16, 3, 10.9)
    assert painted_on(document, 17, 2, 11.8)
    assert len(history.steps) == 1
    planes = document.battlemap.layers[0].planes["terrain"].flat
    assert (planes[15], planes[16], planes[17]) == (0xFFFF, 0xFFFF, 2), "the last one alone"
    assert painted_on(document, 18, 2, 13.0)
    assert painted_on(document, 19, 2, 13.1, "dragging")
    assert len(history.steps) == 3
    last = encode_map(document.battlemap)
    session.crash()
    later, opened = next_session(tmp_path)
    assert encode_map(opened.battlemap) == last
    assert painted_on(later.document, 20, 2, 13.2, "dragging"), "a step of its own"
    assert len(opened.history.steps) == 4
    assert states(later.document)[0] == first
    later.autosave.end()


def test_an_action_that_takes_the_one_before_back_leaves_no_step(session, tmp_path):
    document = session.document
    paint(document, 14, 4)
    before = encode_map(document.battlemap)
    painted_on(document, 15, 4, 10.0)
    assert not painted_on(document, 15, 0xFFFF, 10.5)
    assert len(document.history.steps) == 1
    assert encode_map(document.battlemap) == before
    session.crash()
    ((journal,), _) = leftovers(tmp_path)
    assert (journal.count, encode_map(journal.restore_map())) == (1, before)


def test_a_saved_or_undone_step_is_not_gone_on_with(session):
    document = session.document
    painted_on(document, 15, 4, 10.0)
    document.history.mark_clean()
    painted_on(document, 16, 4, 10.1)
    assert len(document.history.steps) == 2
    document.undo()
    painted_on(document, 17, 4, 10.2)
    assert len(document.history.steps) == 2
    session.autosave.end()


def test_an_action_that_fails_leaves_the_step_before(session):
    document = session.document
    painted_on(document, 15, 4, 10.0)
    before = encode_map(document.battlemap)
    cell = np.array([15])
    wrong = PlaneEdit(1, "terrain", cell, np.array([0xFFFF], "u2"), np.array([200], "u2"))
    assert not document.push_on(lambda _map: wrong, "Paint", MergeKey("typing", 10.1))
    assert encode_map(document.battlemap) == before
    assert len(document.history.steps) == 1
    document.undo()
    document.redo()
    assert encode_map(document.battlemap) == before
    session.autosave.end()


def test_the_seed_and_number_of_a_roll_come_back(session, tmp_path):
    edit = set_values(session.document.battlemap, 1, "terrain", [15], 4)
    states_of_panel = RollKeys(DrawKey(1, 2), DrawKey(17, 3))
    session.document.push(edit, "Roll", roll_keys=states_of_panel)
    session.crash()
    ((journal,), _) = leftovers(tmp_path)
    later = Session(tmp_path)
    heard = []
    later.document.roll_key_restored.connect(heard.append)
    later.autosave.restore(journal, journal.restore_map())
    later.document.undo()
    assert heard == [states_of_panel[1], states_of_panel[0]]
    later.autosave.end()


def test_closed_and_ended_sessions_leave_nothing(session, tmp_path):
    paint(session.document, 15, 4)
    session.document.replace_map(new_map())
    paint(session.document, 15, 4)
    session.document.open_map(new_map())
    session.document.close_map(session.document.current_map)
    session.autosave.end()
    assert list(tmp_path.iterdir()) == []


def test_every_open_map_has_a_journal_of_its_own(session, tmp_path):
    paint(session.document, 15, 4)
    session.document.open_map(new_map())
    paint(session.document, 16, 4)
    paint(session.document, 17, 4)
    session.crash()
    journals, _ = leftovers(tmp_path)
    assert sorted(journal.count for journal in journals) == [1, 2]


def test_a_journal_begins_soon_after_a_map_is_opened(session, tmp_path, qtbot, monkeypatch):
    qtbot.waitUntil(lambda: any(tmp_path.glob("*/steps.sqlite")))
    paint(session.document, 15, 4)
    assert len(list(tmp_path.iterdir())) == 1
    session.autosave.end()


def test_a_long_session_has_a_newer_base_and_all_its_steps(qapp, tmp_path):
    session = Session(tmp_path, replay_steps=10)
    found = [encode_map(session.document.battlemap)]
    for number in range(60):
        paint(session.document, 3 + number % 20, number % 7)
        found.append(encode_map(session.document.battlemap))
        # When a newer base is written nobody is told.
        (map_journal,) = session.autosave._journals.values()
        if map_journal._newer_base is not None:
            map_journal._newer_base.writing.result()
    assert map_journal.journal.base_position > 40
    session.crash()
    later, _opened = next_session(tmp_path)
    assert states(later.document) == found
    later.autosave.end()


def test_a_newer_base_of_steps_that_were_thrown_away_is_not_used(qapp, tmp_path):
    session = Session(tmp_path, replay_steps=10)
    let_it_be_written = Event()
    for number in range(10):
        paint(session.document, 3 + number, 4)
    # The worker is busy until a base is due.
    session.autosave._worker.submit(let_it_be_written.wait, 60)
    for number in range(10, 12):
        paint(session.document, 3 + number, 4)
    # When a newer base is written nobody is told.
    (map_journal,) = session.autosave._journals.values()
    newer_base = map_journal._newer_base
    assert newer_base is not None
    session.document.go_to(8)
    for number in range(5):
        paint(session.document, 3 + number, 6)
    let_it_be_written.set()
    newer_base.writing.result()
    paint(session.document, 20, 6)
    last = encode_map(session.document.battlemap)
    session.crash()
    later, opened = next_session(tmp_path)
    assert encode_map(opened.battlemap) == last
    later.autosave.end()


@pytest.mark.parametrize("memory", [0, 100, 250])
def test_little_memory_for_undo_loses_no_step(qapp, tmp_path, memory):
    session = Session(tmp_path, memory=memory)
    document = session.document
    found = work_of_all_kinds(document)
    assert sum(step.size for step in document.history.steps) <= memory
    assert any(step.edit is None for step in document.history.steps)
    for _ in range(3):
        assert states(document) == found
    for _ in range(4):
        document.undo()
    assert paint(document, 20, 5)
    found[-4:] = [encode_map(document.battlemap)]
    assert states(document) == found
    session.autosave.end()


def test_the_oldest_step_of_all_maps_is_the_first_that_drops_its_edit(qapp, tmp_path):
    session = Session(tmp_path, memory=24)  # an edit of a cell takes 12 bytes
    document = session.document
    first = session.document.current_map
    second = document.open_map(new_map())
    for open_map, cell in ((first, 15), (second, 15), (first, 16), (second, 16)):
        document.make_current(open_map)
        paint(document, cell, 4)
    assert [each.history.steps[0].edit for each in (first, second)] == [None, None]
    assert all(each.history.steps[1].edit is not None for each in (first, second))
    session.autosave.end()


def test_a_step_that_cannot_be_read_again_is_told_and_the_stack_stays_where_it_is(
    session, tmp_path
):
    document = session.document
    kept = session.autosave
    found = work_of_all_kinds(document)
    kept.undo_bytes = 0
    paint(document, 20, 5)
    found.append(encode_map(document.battlemap))
    told = []
    document.work_refused.connect(told.append)
    history = document.history
    last = len(found) - 1
    encoded_edit = Journal.encoded_edit

    def unreadable(journal, number):
        if number == 4:
            raise error("journal-not-kept", "the disk reports a fault")
        return encoded_edit(journal, number)

    with broken_journals("encoded_edit", unreadable):
        document.go_to(0)
        assert history.index == 4
        assert told == ["“Paint 16” cannot be undone: the disk reports a fault."]
        assert encode_map(document.battlemap) == found[4]
        assert kept.journal_of(document.current_map).position == 4
        document.undo()
        assert (history.index, len(told)) == (4, 2)
    document.go_to(3)
    with broken_journals("encoded_edit", unreadable):
        document.go_to(last)
        assert history.index == 3
        assert "cannot be redone" in told[-1]
    assert states(document) == found
    session.autosave.end()


def test_nothing_else_happens_while_a_step_is_being_stored(session, monkeypatch, qtbot):
    recorded = map_journal_module.encode_step
    happened = []

    def recorded_slowly(step):
        time.sleep(0.1)
        return recorded(step)

    monkeypatch.setattr(map_journal_module, "encode_step", recorded_slowly)  # a step of many MB
    QTimer.singleShot(0, lambda: happened.append("another step"))
    paint(session.document, 15, 4)
    assert happened == []
    qtbot.waitUntil(lambda: happened == ["another step"])


def test_a_file_whose_name_is_not_utf8_has_a_journal_too(session, tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.battlemap")
    session.document.set_path(path)
    paint(session.document, 15, 4)
    session.crash()
    later, opened = next_session(tmp_path)
    assert opened.path == path
    later.autosave.end()


@contextmanager
def broken_journals(name, function):
    """Within this context ``function`` stands for a function of all journals."""
    with pytest.MonkeyPatch.context() as patch:
        # SQLite's disk, which no ``Disk`` is asked for.
        patch.setattr(Journal, name, function)
        yield


def full_disk(name):
    """Return a context in which this function of all journals finds the disk full."""

    def refuse(self, *_args, **_names):
        raise error("journal-not-kept", "the journal could not be kept: the disk is full")

    return broken_journals(name, refuse)


@pytest.mark.parametrize("when", ["at the first step", "later"])
def test_a_full_disk_is_told_once_painting_goes_on_and_is_caught_up_with(qapp, tmp_path, when):
    session = Session(tmp_path, memory=0)
    document = session.document
    if when == "later":
        paint(document, 20, 4)
    with full_disk("write"):
        found = work_of_all_kinds(document)
        assert len(session.said) == 1
        assert "the disk is full" in session.said[0]
        document.undo()
        document.redo()
        assert session.autosave.behind
    session.autosave.try_again()
    assert len(session.said) == 2
    assert "caught up" in session.said[1]
    assert not session.autosave.behind
    session.crash()
    later, _opened = next_session(tmp_path)
    assert states(later.document)[-len(found) :] == found
    later.autosave.end()


def test_where_the_map_that_was_not_kept_is_closed_the_others_are_kept_as_it_is_told(
    qapp, tmp_path
):
    session = Session(tmp_path, memory=0)
    document = session.document
    paint(document, 20, 4)
    with full_disk("write"):
        paint(document, 21, 4)
    unkept = document.current_map
    document.open_map(new_map())
    document.close_map(unkept)
    assert not session.autosave.behind
    assert "being kept again" in session.said[-1]
    session.autosave.end()


def test_a_newer_base_that_could_not_be_written_is_tried_again(qapp, tmp_path):
    session = Session(tmp_path, replay_steps=5)

    def paint_some():
        for number in range(10):
            paint(session.document, 3 + number, 1 + number % 5)
            paint(session.document, 3 + number, 0)
            # When a newer base is written nobody is told.
            (map_journal,) = session.autosave._journals.values()
            if map_journal._newer_base is not None:
                map_journal._newer_base.writing.exception()
        return map_journal

    paint(session.document, 3, 4)
    with full_disk("write_base"):
        paint_some()
    assert "the disk is full" in session.said[0]
    session.autosave.try_again()
    map_journal = paint_some()
    assert "caught up" in session.said[-1]
    assert not session.autosave.behind
    assert map_journal.journal.base_position > 20
    found = states(session.document)
    session.crash()
    later, _opened = next_session(tmp_path)
    assert states(later.document) == found
    later.autosave.end()


def test_a_step_that_could_not_be_encoded_is_told_and_kept_with_the_next(
    qapp, tmp_path, monkeypatch, report_faults_to
):
    session = Session(tmp_path)
    faults = []
    report_faults_to(faults.append)
    paint(session.document, 20, 4)

    def fail(*_args):
        raise MemoryError

    with monkeypatch.context() as without:
        # A fault of the program's own: no edit is known that brings one.
        without.setattr("app.document.journal_records.encode_edit_for_journal", fail)
        assert paint(session.document, 21, 4)
    assert [type(fault) for fault in faults] == [MemoryError]
    assert "not being kept" in session.said[0]
    assert paint(session.document, 22, 4)
    assert "caught up" in session.said[1]
    found = states(session.document)
    session.crash()
    later, _opened = next_session(tmp_path)
    assert states(later.document) == found
    later.autosave.end()


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"name": "A", "path": "\0", "kept": "[" * 9000},
        {"kept": "[]"},
        {"kept": '{"source": [1, 2, 3], "known": ["a", "b", 1, 2], "flat": 5}'},
        {"kept": r'{"source": ["\u0000", "", "", true], "known": ["a\u0000b", 1, 1, "00"]}'},
        {"kept": '{"source": "abc", "known": ["a", 1, 1, "zz"], "flat": null}'},
    ],
)
def test_a_map_comes_back_without_damaged_words_about_its_file(session, tmp_path, about):
    paint(session.document, 20, 4)
    session.crash()
    (journal,), _problems = leftovers(tmp_path)
    journal.content = replace(journal.content, about=about)
    later = Session(tmp_path)
    opened = later.autosave.restore(journal, journal.restore_map())
    assert (opened.path, opened.source, opened.known_file) == (None, None, None)
    assert opened.flat_file is FlatFile.UNDECIDED
    assert len(opened.history.steps) == 1
    later.autosave.end()


def test_a_map_of_a_million_cells_does_not_hold_the_desk_up(qapp, qtbot, tmp_path):
    from randomizer.model.grid.layouts import LAYOUTS
    from randomizer.systems.free.system import free_map

    big = free_map(LAYOUTS[0], 1000, 1000)
    draw = np.random.default_rng(1)
    big.layers[0].planes["terrain"] = draw.integers(0, 9, (1000, 1000)).astype("u2")
    with UiWork() as work:
        session = Session(tmp_path)
        session.document.open_map(big)
        qtbot.waitUntil(lambda: len(list(tmp_path.glob("*/steps.sqlite"))) == 2)
        edit = set_values(big, 1, "terrain", range(5000, 5100), 3)
        qtbot.waitUntil(
            lambda: all(
                session.autosave.journal_of(open_map) is not None
                for open_map in session.document.maps
            )
        )
        peak = peak_of(lambda: session.document.push(edit, "Paint"))
    assert work.where(encode_map) == {"job"}
    assert work.max_calls < 100_000
    assert peak < 500_000
    session.autosave.end()


# --- while the desk runs --------------------------------------------------------------------------


def painted_and_undone(document):
    for cell in (15, 16, 17):
        paint(document, cell, 4)
    document.undo()


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("memory", [0, 10**6])
def test_where_the_folder_was_deleted_another_one_keeps_all_steps(qapp, tmp_path, restored, memory):
    journals = tmp_path / "journals"
    session = Session(journals, memory=memory)
    painted_and_undone(session.document)
    if restored:
        session.crash()
        session, _opened = next_session(journals, memory=memory)
    document = session.document
    shutil.rmtree(journals)
    document.redo()
    assert len(session.said) == 1
    assert "was deleted: another one keeps it now" in session.said[0]
    paint(document, 18, 2)
    document.undo()
    document.redo()
    assert len(session.said) == 1
    document.go_to(1)
    document.go_to(4)
    shown = encode_map(document.battlemap)
    session.crash()
    later, opened = next_session(journals)
    assert (opened.history.index, len(opened.history.steps)) == (4, 4)
    assert encode_map(opened.battlemap) == shown
    later.document.go_to(0)
    assert encode_map(opened.battlemap) == encode_map(new_map())
    later.autosave.end()


def test_where_no_folder_can_be_made_it_is_told_once_and_caught_up_with(qapp, tmp_path):
    journals = tmp_path / "journals"
    session = Session(journals)
    painted_and_undone(session.document)
    shutil.rmtree(journals)
    journals.write_text("in the way")
    for cell in (20, 21):
        assert paint(session.document, cell, 2)
    assert len(session.said) == 1
    assert "not being kept for a crash" in session.said[0]
    journals.unlink()
    session.autosave.try_again()
    assert any("caught up" in words for words in session.said)
    shown = encode_map(session.document.battlemap)
    session.crash()
    later, opened = next_session(journals)
    assert encode_map(opened.battlemap) == shown
    assert len(opened.history.steps) == 4
    later.autosave.end()


@pytest.mark.parametrize(
    "extras",
    ["", "{", "null", "5", "[[1], 2]", "[[1, 2, 3], [1, 2, true]]", "{}", "[" * 100_000],
)
def test_a_layer_or_extras_that_never_were_do_not_keep_a_map_from_coming_back(
    session, tmp_path, extras
):
    paint(session.document, 15, 4)
    shown = encode_map(session.document.battlemap)
    journal = session.autosave.journal_of(session.document.current_map)
    kept = next(journal.records())
    step = StepRecord("Paint", 99, 98, extras, kept.edit)
    journal.write(0, [step], 1, encode_base=lambda: shown)
    session.crash()
    later, opened = next_session(tmp_path)
    for _turn in range(2):
        later.document.undo()
        assert opened.active_layer_id == 1
        later.document.redo()
    assert encode_map(opened.battlemap) == shown
    assert later.document.active_layer.name == "Ground"
    later.autosave.end()


def test_a_map_that_came_back_without_steps_is_not_replaced_by_another(session, tmp_path):
    paint(session.document, 15, 4)  # the journal begins with this
    first = encode_map(session.document.battlemap)
    session.crash()
    (folder,) = tmp_path.iterdir()
    (folder / "steps.sqlite").write_bytes(b"")
    (journal,), (_problem,) = leftovers(tmp_path)
    later = Session(tmp_path)
    opened = later.autosave.restore(journal, journal.restore_map())
    assert later.document.modified
    later.document.show_map(new_map())
    assert opened in later.document.maps
    assert encode_map(opened.battlemap) == first
    later.autosave.end()


def test_pictures_of_ones_own_come_back_after_a_kill_with_the_steps_that_name_them(
    session, tmp_path
):
    document = session.document
    document.open_map(free_map(FLAT, 4, 3))
    known = document.battlemap.terrain_set
    for digest, data in PICTURES.items():
        document.add_assets({digest: data})
        edit = change_entry(document.battlemap, EntryList.TERRAINS, 2, asset=digest)
        assert document.push(edit, "Picture")
    session.crash()
    journals, _problems = leftovers(tmp_path)
    journal = next(each for each in journals if each.count == len(PICTURES))
    for other in set(journals) - {journal}:
        other.close()
    battlemap = journal.restore_map()
    assert battlemap.assets == PICTURES
    restored = Session(tmp_path)
    restored.autosave.restore(journal, battlemap)
    restored.document.go_to(1)
    shown = restored.document.battlemap
    assert shown.named_assets == {
        shown.terrain_set.terrains[2].asset: next(iter(PICTURES.values()))
    }
    restored.document.go_to(0)
    assert restored.document.battlemap.terrain_set == known
