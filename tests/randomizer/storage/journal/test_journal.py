"""Journals: what a crashed program has written can be recovered."""

import sqlite3
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove, LayerReplace
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import ProblemError, error
from randomizer.storage.disk.disk import Disk, use_disk
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.journal import recoverable_journals
from randomizer.storage.journal.journal import DAMAGE, Journal, JournalInUseError
from randomizer.storage.journal.journal_database import STEPS
from randomizer.storage.journal.journal_opening import LOCK
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.journal.quarantine import QUARANTINE, quarantine
from randomizer.storage.journal.recoverable_journals import leftovers
from randomizer.storage.records.encoding import encode_edit, encode_map
from tests.randomizer.map_strategies import contents
from tests.randomizer.storage.journal_work import (
    ABOUT,
    Work,
    close_journals_in_the_end,
    crash,
    shown,
)


def found(folder):
    journals, problems = leftovers(folder)
    assert problems == []
    return journals


def at_first(journal):
    """The map with every step undone."""
    return encode_map(shown(journal, done=0))


@pytest.fixture(autouse=True)
def _closed_in_the_end(monkeypatch):
    yield from close_journals_in_the_end(monkeypatch)


@pytest.fixture
def work(tmp_path):
    return Work(tmp_path)


def test_what_was_painted_is_found_after_a_crash(work, tmp_path):
    work.paint(15, 4)
    work.paint(16, 2)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert [step.text for step in journal.steps_without_edits()] == ["Paint", "Paint"]
    assert journal.about == ABOUT
    assert at_first(journal) == work.first


def test_every_write_is_forced_to_the_disk(work):
    # Kept by the connection that writes; another connection has a setting of its own.
    (full,) = work.journal._database.iterate("PRAGMA synchronous").fetchone()
    assert full == 2


def test_what_was_undone_is_found_undone_and_can_be_redone(work, tmp_path):
    work.paint(15, 4)
    work.paint(16, 2)
    last = encode_map(work.map)
    work.undo()
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert (journal.position, journal.count) == (1, 2)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert encode_map(journal.restore_map()) == last


def test_painting_after_undo_ends_what_could_be_redone(work, tmp_path):
    for cell in (15, 16, 17):
        work.paint(cell, 4)
    work.undo()
    work.undo()
    work.paint(18, 2)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert journal.count == 2
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def test_a_base_among_steps_that_are_thrown_away_still_leads_to_the_map(work, tmp_path):
    layer = Layer(2, "Top")
    for cell in (15, 16):
        work.paint(cell, 4)
    work.do(LayerInsert(1, layer))
    work.do(set_values(work.map, 2, "terrain", [3], 1))
    work.do(LayerRemove(1, layer))
    work.renew()
    for _ in range(4):
        work.undo()
    work.paint(18, 2)
    work.paint(19, 2)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert journal.count == 3
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def test_where_no_base_is_left_below_new_steps_the_map_becomes_one(work, tmp_path):
    first = work.first
    for cell in range(4):
        work.paint(15 + cell, 4)
    work.renew()
    flipped(newest_base(work.journal.folder).parent / work.journal.content.bases[0].file)
    work.undo()
    work.undo()
    work.paint(18, 2)
    work.paint(19, 2)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert (journal.count, journal.base_position) == (4, 3)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == first


DOINGS = ("paint", "paint", "undo", "undo", "redo", "renew", "insert", "remove")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(DOINGS), st.integers(0, 35)), max_size=25))
def test_whatever_was_done_is_found_and_can_be_taken_back(doings):
    with TemporaryDirectory() as name:
        work = Work(Path(name))
        first = contents(work.map)
        fresh = 2
        for doing, number in doings:
            top = work.map.layers[-1]
            if doing == "paint":
                edit = set_values(work.map, top.id, "terrain", [number], number % 5)
                if edit is not None:
                    work.do(edit)
            elif doing == "insert":
                work.do(LayerInsert(len(work.map.layers), Layer(fresh, f"Layer {fresh}")))
                fresh += 1
            elif doing == "remove" and top.id != 1:
                work.do(LayerRemove(len(work.map.layers) - 1, top))
            elif doing == "renew":
                work.renew()
            elif doing == "undo" and work.position:
                work.undo()
            elif doing == "redo" and work.position < len(work.edits):
                work.redo()
        crash(work.journal)
        for journal in found(Path(name)):
            assert contents(shown(journal)) == contents(work.map)
            assert contents(shown(journal, done=0)) == first
            journal.close()
        work.journal.close()


def test_a_newer_base_shortens_the_way_and_keeps_all_steps(work, tmp_path):
    for cell in (15, 16, 17):
        work.paint(cell, 4)
    work.renew()
    work.journal.checkpoint()
    work.paint(18, 4)
    assert work.journal.base_position == 3
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert journal.base_position == 3
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def newest_base(folder):
    with sqlite3.connect(f"{(folder / STEPS).as_uri()}?mode=ro", uri=True) as database:
        query = "SELECT file FROM base ORDER BY position DESC"
        (name,) = database.execute(query).fetchone()
    database.close()
    return folder / name


def flipped(base):
    data = bytearray(base.read_bytes())
    data[len(data) // 2] ^= 4
    base.write_bytes(data)


@pytest.mark.parametrize("harm", [flipped, Path.unlink])
def test_where_the_newest_base_is_damaged_the_map_comes_back_from_the_one_before(
    work, tmp_path, harm
):
    for cell in range(12):
        work.paint(15 + cell, 4)
        if cell in (3, 7):
            work.renew()
    work.undo()
    crash(work.journal)
    harm(newest_base(work.journal.folder))
    (journal,), (problem,) = leftovers(tmp_path)
    assert "all its changes are whole" in problem.message
    assert (Path(problem.path) / STEPS).exists()
    assert (journal.count, journal.position) == (12, 11)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def test_only_the_newest_two_bases_stay_on_the_disk(work, tmp_path):
    for cell in range(12):
        work.paint(15 + cell, 4)
        if cell % 3 == 2:
            work.renew()
    bases = sorted(file.name for file in work.journal.folder.glob("base-*"))
    assert bases == sorted(base.file for base in work.journal.content.bases)
    assert [base.position for base in work.journal.content.bases] == [9, 12]
    for _ in range(10):
        work.undo()
    work.paint(30, 2)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert (journal.count, journal.base_position) == (3, 3)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def test_a_journal_may_begin_when_steps_are_there_already(work, tmp_path):
    work.paint(15, 4)
    work.paint(16, 2)
    steps = [StepRecord("Paint", 1, 1, "null", encode_edit(edit)) for edit in work.edits]
    later = tmp_path / "later"
    crash(
        Journal.begin(later, ABOUT, encode_map(work.map), base_position=2, steps=steps, position=2)
    )
    (journal,) = found(later)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == work.first


def test_what_was_saved_is_remembered_until_that_state_is_gone(work, tmp_path):
    work.paint(15, 4)
    work.journal.note_saved({**ABOUT, "path": "/maps/hills.xml"})
    work.paint(16, 4)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert (journal.saved, journal.position) == (1, 2)
    assert journal.about["path"] == "/maps/hills.xml"
    journal.write(0, [], 0)
    assert journal.saved is None


def test_a_closed_map_leaves_nothing(work, tmp_path):
    work.paint(15, 4)
    work.journal.delete()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("remains", ["with its map", "without its map"])
def test_what_a_program_killed_while_deleting_left_is_not_offered(work, tmp_path, remains):
    class KillingDisk(Disk):
        def remove(self, file):
            if file.name == STEPS or remains == "with its map":
                raise KeyboardInterrupt
            super().remove(file)

    work.paint(15, 4)
    with use_disk(KillingDisk()), pytest.raises(KeyboardInterrupt):
        work.journal.delete()
    work.journal.close()
    assert (work.journal.folder / STEPS).exists()
    assert found(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_journal_without_steps_is_not_offered_and_goes(work, tmp_path):
    crash(work.journal)
    assert found(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_journal_whose_program_ended_while_it_began_goes(tmp_path):
    (tmp_path / "just begun").mkdir()
    (tmp_path / "just begun" / STEPS).write_bytes(b"")
    assert found(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_no_journals_no_leftovers(tmp_path):
    assert leftovers(tmp_path / "none") == ([], [])


def test_a_journal_in_use_is_not_offered_and_not_opened(work, tmp_path):
    work.paint(15, 4)
    assert found(tmp_path) == []
    with pytest.raises(JournalInUseError):
        Journal.open(work.journal.folder)
    work.paint(16, 4)
    work.journal.close()
    assert len(found(tmp_path)) == 1


def test_another_program_sees_the_lock_until_this_one_ends(tmp_path):
    held = lock_file(tmp_path / LOCK)
    program = (
        "import sys, pathlib; from randomizer.storage.disk.file_lock import lock_file;"
        "sys.exit(0 if lock_file(pathlib.Path(sys.argv[1])) is None else 1)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / LOCK)]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0
    held.close()
    assert subprocess.run(command, check=False, timeout=60).returncode == 1


def damaged_steps(journal):
    (journal.folder / STEPS).write_bytes(b"not what was written" * 300)


def emptied(journal):
    changed(journal, "DELETE FROM base")


def elsewhere(journal):
    changed(journal, "UPDATE base SET file = '../steps.sqlite'")


def nowhere(journal):
    changed(journal, "UPDATE base SET position = 'x'")


def unsealed(journal):
    changed(journal, "UPDATE base SET digest = 5")


@pytest.mark.parametrize("version", [99, 2])
def test_a_journal_of_another_version_goes_to_the_quarantine(work, tmp_path, version):
    work.paint(15, 4)
    folder = work.journal.folder
    work.journal.close()
    fields = ("user_version", "application_id")
    changed(work.journal, *(f"PRAGMA {name} = {version}" for name in fields))
    journals, (problem,) = leftovers(tmp_path)
    assert journals == []
    assert ("a newer" if version == 99 else "an older") in problem.message
    assert problem.path == str(tmp_path / QUARANTINE / folder.name)
    assert (tmp_path / QUARANTINE / folder.name / STEPS).exists()
    assert leftovers(tmp_path) == ([], [])


@pytest.mark.parametrize("harm", [damaged_steps, emptied, elsewhere, nowhere, unsealed])
def test_a_journal_whose_steps_lead_nowhere_goes_to_the_quarantine_and_its_first_map_offered(
    work, tmp_path, harm
):
    work.paint(15, 4)
    folder = work.journal.folder
    work.journal.close()
    harm(work.journal)
    for _again in range(2):
        (journal,), (problem,) = leftovers(tmp_path)
        assert "its changes cannot be read, the map is as it was at" in problem.message
        assert problem.path == str(tmp_path / QUARANTINE / folder.name)
        assert (Path(problem.path) / STEPS).exists()
        assert encode_map(journal.restore_map()) == work.first
        journal.close()


@pytest.mark.parametrize("harm", [damaged_steps, nowhere])
def test_a_journal_that_cannot_be_set_aside_is_not_copied_at_each_start(
    work, tmp_path, monkeypatch, harm
):
    work.paint(15, 4)
    work.journal.close()
    harm(work.journal)

    def failing_move(folder: Path, target: Path) -> None:
        raise error("journal-not-kept", "the disk is full", path=str(folder))

    monkeypatch.setattr(recoverable_journals, "move_to_quarantine", failing_move)
    for _start in range(2):
        journals, (problem,) = leftovers(tmp_path)
        assert journals == []
        assert "the disk is full" in problem.message
        assert [path for path in tmp_path.iterdir() if path.name != QUARANTINE] == [
            work.journal.folder
        ]


def test_a_damaged_base_or_step_is_told(work):
    work.paint(15, 4)
    (base,) = work.journal.folder.glob("base-*")
    base.write_bytes(base.read_bytes()[:-3])
    with pytest.raises(ProblemError, match="damaged"):
        work.journal.restore_map()
    base.unlink()
    with pytest.raises(ProblemError, match="its map is missing"):
        work.journal.restore_map()


def test_a_step_of_another_map_is_dropped_and_told(work):
    work.paint(15, 4)
    layer = Layer(2, "Top")
    step = StepRecord("Remove", 1, 1, "null", encode_edit(LayerRemove(5, layer)))
    work.journal.write(1, [step], 2)
    assert encode_map(work.journal.restore_map()) == encode_map(work.map)
    (problem,) = work.journal.problems
    assert "changes from number 2 of 2 on are lost" in problem.message
    assert (work.journal.count, work.journal.position) == (1, 1)


def test_a_full_disk_leaves_the_journal_as_it_was(work, tmp_path):
    work.paint(15, 4)
    database = work.journal._database  # a limit of the connection makes its disk a full one
    (pages,) = database.iterate("PRAGMA page_count").fetchone()
    database.iterate(f"PRAGMA max_page_count = {pages}")
    big = StepRecord("Fill", 1, 1, "null", bytes(200_000))
    with pytest.raises(ProblemError, match="the disk is full"):
        work.journal.write(1, [big], 2)
    assert (work.journal.count, work.journal.position) == (1, 1)
    database.iterate("PRAGMA max_page_count = 1000000")
    work.paint(16, 4)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert encode_map(shown(journal)) == encode_map(work.map)


def test_no_journal_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ProblemError):
        Journal.begin(tmp_path / "file" / "journals", ABOUT, b"")


# --- the chain of steps ---------------------------------------------------------------------------


def changed(journal, *statements):
    """Another program has changed the database of steps."""
    with sqlite3.connect(journal.folder / STEPS) as database:
        for statement in statements:
            database.execute(statement)
    database.close()


HARMS = {
    "exchanged": [
        "UPDATE steps SET edit = (SELECT edit FROM steps WHERE number = 2) WHERE number = 4"
    ],
    "renamed": ["UPDATE steps SET text = '\"Other\"' WHERE number = 4"],
    "missing": ["DELETE FROM steps WHERE number = 4"],
    "cut off": ["DELETE FROM steps WHERE number > 3"],
    "numbered anew": [
        "UPDATE steps SET number = number + 100 WHERE number > 3",
        "UPDATE steps SET number = number - 97 WHERE number > 100",
    ],
    "put in": [
        "UPDATE steps SET number = number + 100 WHERE number > 3",
        "UPDATE steps SET number = number - 99 WHERE number > 100",
        "INSERT INTO steps SELECT 4, text, old_active, new_active, extras, edit, digest FROM steps"
        " WHERE number = 1",
    ],
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_step_that_is_not_what_was_written_ends_what_is_offered(work, tmp_path, harm):
    states = [encode_map(work.map)]
    for cell in range(6):
        work.paint(15 + cell, 4)
        states.append(encode_map(work.map))
    crash(work.journal)
    changed(work.journal, *HARMS[harm])
    (journal,), (problem,) = leftovers(tmp_path)
    assert "changes from number 4 of 6 on are lost" in problem.message or harm == "put in"
    assert (Path(problem.path) / STEPS).exists()
    assert (journal.count, journal.position) == (3, 3)
    assert encode_map(shown(journal)) == states[3]
    step = StepRecord("Paint", 1, 1, "null", journal.encoded_edit(1))
    journal.write(2, [step], 3, {DAMAGE: ""})
    journal.close()
    assert found(tmp_path)[0].count == 3


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM steps WHERE number = 2",
        "UPDATE steps SET text = '\"Other\"' WHERE number = 2",
    ],
)
def test_where_a_step_below_the_base_is_not_whole_the_map_is_kept_and_later_steps(
    work, tmp_path, harm
):
    for cell in range(4):
        work.paint(15 + cell, 4)
    based = encode_map(work.map)
    work.renew()
    for cell in range(3):
        work.paint(20 + cell, 2)
    crash(work.journal)
    changed(work.journal, harm)
    (journal,), (problem,) = leftovers(tmp_path)
    assert "the first 4 changes cannot be undone any more" in problem.message
    assert (journal.count, journal.position, journal.base_position) == (3, 3, 0)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert at_first(journal) == based


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE done SET position = 99",
        "UPDATE done SET position = 'x', saved = 'y', time = 'z'",
        "UPDATE done SET position = -1, time = 9e999",
        "UPDATE about SET value = '[1]'",
        "UPDATE about SET value = replace(hex(zeroblob(9000)), '00', '[')",
        "UPDATE about SET value = 5",
        "DELETE FROM about",
    ],
)
def test_damaged_words_about_a_map_do_not_cost_the_map(work, tmp_path, harm):
    work.paint(15, 4)
    work.paint(16, 2)
    crash(work.journal)
    changed(work.journal, harm)
    (journal,), problems = leftovers(tmp_path)
    assert problems
    assert (journal.count, journal.position) == (2, 2)
    assert encode_map(shown(journal)) == encode_map(work.map)
    assert all(isinstance(value, str) for value in journal.about.values())


def test_another_number_of_done_steps_is_told(work, tmp_path):
    work.paint(15, 4)
    work.paint(16, 2)
    crash(work.journal)
    changed(work.journal, "UPDATE done SET position = 1")
    (journal,), (problem,) = leftovers(tmp_path)
    assert journal.count == 2
    assert problem.message.endswith("which of its changes were undone may not be right")


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE steps SET number = 1000000000000 WHERE number = 3",
        "UPDATE steps SET text = 5 WHERE number = 3",
        "UPDATE steps SET edit = 'x' WHERE number = 3",
        "UPDATE steps SET digest = 'x' WHERE number = 3",
        "UPDATE steps SET old_active = 'x' WHERE number = 3",
    ],
)
def test_a_step_with_values_of_other_types_ends_what_is_offered(work, tmp_path, harm):
    work.paint(15, 4)
    work.paint(16, 4)
    before = encode_map(work.map)
    work.paint(17, 4)
    work.paint(18, 4)
    crash(work.journal)
    changed(work.journal, harm)
    (journal,), (problem,) = leftovers(tmp_path)
    assert "changes from number 3 of" in problem.message
    assert (journal.count, journal.position) == (2, 2)
    assert encode_map(shown(journal)) == before


def test_a_base_beyond_the_last_step_leaves_the_map_and_no_undo(work, tmp_path):
    for cell in range(4):
        work.paint(15 + cell, 4)
    work.renew()
    crash(work.journal)
    changed(work.journal, "DELETE FROM steps WHERE number > 2")
    (journal,), (problem,) = leftovers(tmp_path)
    assert "cannot be undone any more" in problem.message
    assert (journal.count, journal.position, journal.base_position) == (0, 0, 0)
    assert encode_map(shown(journal)) == encode_map(work.map)
    step = StepRecord("Paint", 1, 1, "null", encode_edit(work.edits[0]))
    journal.write(0, [step], 1, {DAMAGE: ""})
    journal.close()
    assert found(tmp_path)[0].count == 1


def test_a_base_with_another_number_leaves_its_map_and_no_undo(work, tmp_path):
    for cell in range(4):
        work.paint(15 + cell, 4)
    work.renew()
    work.paint(20, 2)
    work.renew()
    crash(work.journal)
    # All steps are whole, but neither base is the map after the step that it names.
    changed(work.journal, "UPDATE base SET position = position - 1")
    (journal,), (problem,) = leftovers(tmp_path)
    assert "the first 4 changes cannot be undone any more" in problem.message
    assert (journal.count, journal.position, journal.base_position) == (0, 0, 0)
    assert encode_map(shown(journal)) == encode_map(work.map)


def test_a_step_whose_text_is_gone_costs_only_what_follows(work, tmp_path):
    work.paint(15, 4)
    before = encode_map(work.map)
    roll = Roll("", "a.rnd", "MAP {}", {}, 1, 1)
    work.do(LayerInsert(1, Layer(2, "Rolled", roll=roll)), once=True)
    work.paint(16, 2)
    crash(work.journal)
    changed(work.journal, "UPDATE texts SET text = 'another'")
    (journal,) = found(tmp_path)
    assert encode_map(journal.restore_map()) == before
    assert (journal.count, journal.position) == (1, 1)
    (problem,) = journal.problems
    assert "changes from number 2 of 3 on are lost" in problem.message
    assert len(journal.steps_without_edits()) == 1


def test_a_mended_journal_that_cannot_be_read_after_all_is_moved_beside_its_copy(work, tmp_path):
    for cell in range(3):
        work.paint(15 + cell, 4)
    crash(work.journal)
    changed(work.journal, "UPDATE steps SET text = 5 WHERE number = 3")
    (journal,), _problems = leftovers(tmp_path)
    journal.close()
    reason = error("damaged-journal", "gone")
    (problem,) = quarantine(journal.folder, ProblemError((reason.problems[0],)), tmp_path)
    assert Path(problem.path).parent == tmp_path / QUARANTINE
    assert len(list((tmp_path / QUARANTINE).iterdir())) == 2


def test_a_step_that_is_exchanged_while_its_journal_is_open_is_told(work):
    for cell in range(3):
        work.paint(15 + cell, 4)
    first = work.journal.encoded_edit(1)
    changed(work.journal, "UPDATE steps SET edit = (SELECT edit FROM steps WHERE number = 3)")
    assert work.journal.encoded_edit(3) != first
    with pytest.raises(ProblemError, match="change 1 is not what was written"):
        work.journal.encoded_edit(1)


def test_the_base_of_another_journal_is_told(work):
    work.paint(15, 4)
    (base,) = work.journal.folder.glob("base-*")
    base.write_bytes(encode_map(work.map))
    with pytest.raises(ProblemError, match="its map is not what was written"):
        work.journal.restore_map()


# --- texts ----------------------------------------------------------------------------------------


def test_a_text_is_stored_once_however_many_steps_have_it(work, tmp_path):
    script = "AREA (middle) HAZARDS Bog\n" * 2000
    layers = [
        Layer(2, "Rolled", roll=Roll("", "Bog.rnd", script, {}, 1, number, texts={"a.inc": script}))
        for number in range(5)
    ]
    work.do(LayerInsert(1, layers[0]), once=True)
    for before, after in pairwise(layers):
        work.do(LayerReplace(1, before, after), once=True)
    with sqlite3.connect(work.journal.folder / STEPS) as database:
        assert database.execute("SELECT text FROM texts").fetchall() == [(script,)]
        (most,) = database.execute("SELECT max(length(edit)) FROM steps").fetchone()
    database.close()
    assert most < 1000
    last = encode_map(work.map)
    crash(work.journal)
    (journal,) = found(tmp_path)
    assert encode_map(shown(journal)) == last
    assert at_first(journal) == work.first
    changed(journal, "UPDATE texts SET text = 'AREA'")
    assert at_first(journal) == work.first
    (problem,) = journal.problems
    assert "changes from number 1 of 5 on are lost" in problem.message
