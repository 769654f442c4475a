"""The script that a map holds: new texts of it come into the map with the map rolled from them."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import count

import pytest
from PySide6.QtCore import QSettings, QThreadPool

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.scripts.text_rewriter import Refused
from app.settings import Settings
from randomizer.generator_run import run
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map as map_of_roll
from randomizer.roll_base import Base
from randomizer.storage.records.encoding import encode_map
from tests.app.saves import finished
from tests.test_system import recorded
from tests.test_system.recorded import DOWNS, SCRIPT, WOLDS, packaged

DRIER = DOWNS.replace("Pool 20", "Pool 5")
BROKEN = DOWNS.replace("scatter Pool 20", "scatter Pond 20")


def rolled(system) -> BattleMap:
    base = Base.under(new_map(system), 1)
    made = run(packaged()[0], {}, DrawKey(3, 0), base)
    assert made is not None
    return map_of_roll(system, base.grid, base.terrain_set, made)


@pytest.fixture
def document(qapp, recsys) -> MapDocument:
    return MapDocument(rolled(recsys))


@pytest.fixture
def rolling(document) -> Rolling:
    return Rolling(document, choose_seed=count(7).__next__)


@pytest.fixture
def scripts(qtbot, document, rolling, tmp_path):
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    settings.follow_script = True
    scripts = Scripts(document, rolling, settings)
    scripts.map_script.clock = lambda: 0.0
    yield scripts
    rolling.cancel()
    QThreadPool.globalInstance().waitForDone(5000)


@pytest.fixture
def settled(qtbot, scripts, rolling):
    """Wait until everything typed is in the map and rolled."""

    def settled() -> None:
        qtbot.waitUntil(lambda: not scripts.map_script.pending and not rolling.busy)

    return settled


def content(document) -> bytes:
    """All of the map but the counter of ids, which only grows."""
    return encode_map(replace(document.battlemap, next_thing_id=999))


def shares(document) -> dict[str, int]:
    shown = document.battlemap.composite()
    names = [terrain.name for terrain in shown.terrain_set.terrains]
    found = shown.planes["soil"].ravel().tolist()
    return {name: found.count(code) for code, name in enumerate(names)}


def type_over(scripts, old: str, new: str) -> None:
    """Write ``new`` over ``old`` as an editor does."""
    at = scripts.text.text().index(old)
    cursor = scripts.text.selection(1, 1)
    cursor.setPosition(at)
    cursor.setPosition(at + len(old), cursor.MoveMode.KeepAnchor)
    cursor.insertText(new)


def test_what_is_typed_comes_into_the_map_with_its_world_as_one_step(
    scripts, document, settled
) -> None:
    assert scripts.script.name == "downs.rec"
    assert scripts.text.text() == DOWNS
    before = content(document)
    ponds = shares(document)["Pool"]
    type_over(scripts, "Pool 20", "Pool 5")
    assert len(document.history.steps) == 0, "after a pause"
    settled()
    assert len(document.history.steps) == 1
    assert document.battlemap.records[SCRIPT].text == DRIER
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    assert (layer.roll.script, layer.roll.seed, layer.roll.number) == (DRIER, 3, 0)
    assert shares(document)["Pool"] < ponds
    document.undo()
    assert content(document) == before
    assert scripts.text.text() == DOWNS
    document.redo()
    assert scripts.text.text() == DRIER


def test_keys_within_a_second_are_one_step(scripts, document, settled) -> None:
    for old, new in (("Pool 20", "Pool 2"), ("Pool 2", "Pool "), ("Pool \n", "Pool 60\n")):
        type_over(scripts, old, new)
        scripts.map_script.commit()
        settled()
    assert len(document.history.steps) == 1
    assert shares(document)["Pool"] > 40
    document.undo()
    assert document.battlemap.records[SCRIPT].text == DOWNS


def test_a_text_with_errors_keeps_the_world_and_is_kept_itself(scripts, document, settled) -> None:
    before = shares(document)
    type_over(scripts, "scatter Pool", "scatter Pond")
    settled()
    assert scripts.map_script.is_outdated
    assert document.battlemap.records[SCRIPT].text == BROKEN
    assert shares(document) == before
    assert len(document.history.steps) == 1
    document.undo()
    assert scripts.text.text() == DOWNS
    assert not scripts.map_script.is_outdated


def test_other_line_ends_are_no_other_text(scripts, document) -> None:
    record = document.battlemap.records[SCRIPT]
    windows_text = record.text.replace("\n", "\r\n")
    edit = set_record(document.battlemap, SCRIPT, replace(record, text=windows_text))
    document.push(edit, "Give the text the line ends of Windows")
    assert not scripts.map_script.is_outdated


def test_paint_and_locks_survive_by_names(scripts, document, settled) -> None:
    battlemap = document.battlemap
    rolled_layer = battlemap.layers[0]
    document.set_active_layer(rolled_layer.id)
    chalk = battlemap.terrain_set.terrain_code("Chalk")
    document.push(set_values(battlemap, rolled_layer.id, "soil", [0], chalk), "Paint")
    document.push(set_values(battlemap, rolled_layer.id, "soil", [5], chalk), "Paint")
    document.push(set_locks(battlemap, [5], True), "Lock")
    gone = "".join(row for row in DOWNS.splitlines(keepends=True) if "Chalk" not in row)
    scripts.map_script.change_text(gone, "test")
    settled()
    shown = battlemap.composite()
    names = [shown.terrain_set.terrains[code].name for code in shown.planes["soil"].flat[[0, 5]]]
    assert names == ["Chalk", "Chalk"], "gone, and kept where it was painted"
    scripts.map_script.change_text(DOWNS, "test again")
    settled()
    assert shares(document)["Chalk"] >= 2
    renamed = DOWNS.replace("Chalk", "Limestone")
    scripts.map_script.change_text(renamed, "once more")
    settled()
    assert [terrain.name for terrain in battlemap.terrain_set.terrains] == [
        "Down",
        "Pool",
        "Limestone",
    ], "renamed, not gone"


def test_only_the_newest_of_quick_texts_is_rolled(scripts, document, rolling, settled) -> None:
    rolls: list[str] = []
    rolling.started.connect(lambda request: rolls.append(request.setup.text))
    for percent in range(1, 30):
        scripts.map_script.change_text(DOWNS.replace("Pool 20", f"Pool {percent}"), "drag")
    settled()
    assert len(document.history.steps) == 1
    assert "Pool 29" in document.battlemap.records[SCRIPT].text
    assert scripts.text.text() == document.battlemap.records[SCRIPT].text
    assert len(rolls) < 5
    assert not scripts.map_script.is_outdated


def test_typing_back_leaves_no_step(scripts, document, settled) -> None:
    type_over(scripts, "Pool 20", "Pool 25")
    settled()
    type_over(scripts, "Pool 25", "Pool 20")
    settled()
    assert len(document.history.steps) == 0
    assert document.battlemap.records[SCRIPT].text == DOWNS


def test_another_script_of_the_catalogue_is_one_step_and_keeps_the_seed(
    scripts, document, settled, qtbot
) -> None:
    assert finished(scripts.opening.open_generator(packaged()[1]))
    settled()
    assert scripts.text.text() == WOLDS
    qtbot.waitUntil(lambda: scripts.script.name == "wolds.rec")
    assert len(document.history.steps) == 1
    assert not document.battlemap.records[SCRIPT].touched
    document.undo()
    qtbot.waitUntil(lambda: scripts.script.name == "downs.rec")
    assert scripts.text.text() == DOWNS


def test_a_file_is_opened_edited_saved_and_followed(
    scripts, document, settled, tmp_path, qtbot
) -> None:
    path = tmp_path / "mine.rec"
    path.write_text(WOLDS, "utf-8")
    assert finished(scripts.opening.open(path))
    settled()
    qtbot.waitUntil(lambda: scripts.script.path == path)
    assert shares(document)["Chalk"] > 50
    type_over(scripts, "Chalk 60", "Chalk 1")
    settled()
    assert scripts.current.unsaved
    assert path.read_text("utf-8") == WOLDS, "the file is written by saving alone"
    assert finished(scripts.files.ask_about_edits()), "the map holds the edits"
    assert finished(scripts.files.save())
    assert "Chalk 1\n" in path.read_text("utf-8")
    assert not scripts.current.unsaved
    path.write_text(WOLDS.replace("Chalk 60", "Chalk 99"), "utf-8")
    scripts.current.watch.look()
    qtbot.waitUntil(lambda: "Chalk 99" in document.battlemap.records[SCRIPT].text)
    settled()
    assert shares(document)["Chalk"] > 100
    assert scripts.script.path == path


def test_a_script_of_the_games_library_is_never_written(
    scripts, settled, tmp_path, monkeypatch, qtbot, hand
) -> None:
    path = tmp_path / "library" / "wolds.rec"
    path.parent.mkdir()
    path.write_text(WOLDS, "utf-8")
    # A library without a game that is installed.
    monkeypatch.setattr(recorded.HOST, "in_library", lambda file: file.parent == path.parent)
    assert finished(scripts.opening.open(path))
    settled()
    qtbot.waitUntil(lambda: scripts.script.path == path)
    type_over(scripts, "Chalk 60", "Chalk 1")
    settled()
    hand.expect("Save script").type_path(path)
    hand.expect("Replace the file?").press("Yes")
    assert not finished(scripts.files.save())
    assert path.read_text("utf-8") == WOLDS
    hand.expect("Save script").type_path(tmp_path / "mine.rec")
    assert finished(scripts.files.save())
    assert "Chalk 1\n" in (tmp_path / "mine.rec").read_text("utf-8")
    assert scripts.script.path == tmp_path / "mine.rec"


def test_a_script_of_another_system_opens_beside_a_map_that_holds_its_own(
    scripts, document, settled, tmp_path
) -> None:
    path = tmp_path / "Bog.rnd"
    current = document.current_map
    path.write_text("AREA (inside) HAZARDS Bog,50.\n", "utf-8")
    assert finished(scripts.opening.open(path))
    assert document.battlemap.system.name == "colossus"
    assert scripts.script.path == path
    assert not scripts.current.in_map
    scripts.text.selection(1, 1).insertText("#")
    settled()
    document.make_current(current)
    assert scripts.text.text() == DOWNS
    assert document.battlemap.records[SCRIPT].text == DOWNS
    document.make_current(document.maps[1])
    assert scripts.text.text().startswith("#AREA")
    assert scripts.current.unsaved


@pytest.fixture
def slow(monkeypatch):
    """Rolls wait until the event is set, or they are cancelled."""
    go_on = threading.Event()
    generate = recorded.RecordedGenerator.generate

    def waits(self, settings, key, base):
        while not go_on.wait(0.01):
            yield 1
        return (yield from generate(self, settings, key, base))

    # A slow roll.
    monkeypatch.setattr(recorded.RecordedGenerator, "generate", waits)
    yield go_on
    go_on.set()


def test_a_slow_world_comes_into_the_step_of_its_text(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    before = shares(document)
    scripts.map_script.change_text(BROKEN.replace("Pond", "Down"), "test")
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    assert shares(document) == before
    assert rolling.busy
    scripts.map_script.change_text(DRIER, "test")
    qtbot.waitUntil(lambda: document.battlemap.records[SCRIPT].text == DRIER)
    assert scripts.text.text() == DRIER or scripts.map_script.pending
    slow.set()
    settled()
    assert len(document.history.steps) == 1
    assert shares(document)["Pool"] < before["Pool"]
    assert scripts.text.text() == DRIER
    document.undo()
    assert shares(document) == before


def test_a_world_that_is_cancelled_leaves_its_text(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    before = shares(document)
    scripts.map_script.change_text(DRIER, "test")
    qtbot.waitUntil(lambda: rolling.busy)
    rolling.cancel()
    settled()
    assert document.battlemap.records[SCRIPT].text == DRIER
    assert shares(document) == before
    assert scripts.map_script.is_outdated
    slow.set()
    scripts.map_script.roll_again()
    settled()
    assert not scripts.map_script.is_outdated
    assert shares(document) != before


def test_undo_while_a_world_is_rolled_drops_it(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    scripts.map_script.change_text(DRIER, "test")
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    document.undo()
    slow.set()
    settled()
    assert document.battlemap.records[SCRIPT].text == DOWNS
    assert scripts.text.text() == DOWNS
    assert document.history.index == 0


def test_a_locked_world_stays_and_its_terrains_follow(scripts, document, settled) -> None:
    battlemap = document.battlemap
    before = shares(document)
    document.push(LayerField(battlemap.layers[0].id, "locked", False, True), "Lock")
    text = DOWNS.replace("terrain Pool", "terrain Tarn #102030\nterrain Pool")
    scripts.map_script.change_text(text, "test")
    settled()
    assert battlemap.terrain_set.has_terrain("Tarn")
    now = shares(document)
    assert {name: now.get(name, 0) for name in before} == before
    assert scripts.map_script.is_outdated


def test_each_map_shows_its_own_script(scripts, document, settled, recsys) -> None:
    first = document.current_map
    document.open_map(rolled(recsys))
    type_over(scripts, "Pool 20", "Pool 5")
    settled()
    document.make_current(first)
    assert scripts.text.text() == DOWNS
    document.make_current(document.maps[1])
    assert scripts.text.text() == DRIER


def test_what_is_on_its_way_when_a_map_is_left_comes_into_that_map(
    scripts, document, settled, recsys
) -> None:
    first = document.current_map
    type_over(scripts, "Pool 20", "Pool 5")
    document.open_map(rolled(recsys))
    settled()
    assert first.battlemap.records[SCRIPT].text == DRIER
    assert document.battlemap.records[SCRIPT].text == DOWNS
    assert len(document.history.steps) == 0
    document.make_current(first)
    assert scripts.map_script.is_outdated
    scripts.map_script.roll_again()
    settled()
    assert not scripts.map_script.is_outdated


def test_a_map_that_was_not_rolled_gets_the_terrains_of_its_new_text(
    scripts, document, settled, recsys
) -> None:
    document.open_map(new_map(recsys))
    assert scripts.text.text() == DOWNS, "the first of the system's"
    type_over(scripts, "terrain Pool", "terrain Tarn #102030\nterrain Pool")
    settled()
    assert document.battlemap.terrain_set.has_terrain("Tarn")
    assert len(document.history.steps) == 1
    assert document.battlemap.records[SCRIPT].touched


def test_a_roll_asked_for_while_typing_rolls_what_is_typed(
    scripts, document, rolling, settled
) -> None:
    type_over(scripts, "Pool 20", "Pool 5")
    rolling.key_choice.set_new_seed(False)
    rolling.roll()
    settled()
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    assert (layer.roll.script, layer.roll.number) == (DRIER, 1)
    assert len(document.history.steps) == 2


def test_a_roll_asked_for_while_another_script_arrives_rolls_that_one(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    assert finished(scripts.opening.open_generator(packaged()[1]))
    rolling.roll()
    slow.set()
    qtbot.waitUntil(lambda: len(document.history.steps) == 2)
    assert scripts.text.text() == WOLDS
    assert scripts.script.name == "wolds.rec"
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    assert (layer.roll.script, layer.roll.script_name) == (WOLDS, "wolds.rec")
    assert document.battlemap.records[SCRIPT].text == WOLDS
    assert not document.battlemap.records[SCRIPT].touched
    assert len(document.history.steps) == 2


def test_a_change_of_another_panel_is_shown_when_its_roll_is_given_up(
    scripts, document, rolling, settled, slow
) -> None:
    scripts.map_script.change_text(DRIER, "chart")
    rolling.roll()
    assert scripts.text.text() == DRIER
    rolling.cancel()
    scripts.map_script.change_text(DOWNS, "chart 2")
    rolling.cancel()
    settled()
    assert document.battlemap.records[SCRIPT].text == DOWNS
    assert scripts.text.text() == DOWNS


def test_a_file_that_was_opened_stays_the_file_of_a_map_that_is_left_at_once(
    scripts, document, settled, slow, recsys, tmp_path
) -> None:
    mine = tmp_path / "mine.rec"
    other = tmp_path / "other.rec"
    mine.write_text(DRIER, "utf-8")
    other.write_text(WOLDS, "utf-8")
    first = document.current_map
    slow.set()
    second = rolled(recsys)
    assert finished(scripts.opening.open(mine))
    settled()
    slow.clear()
    assert finished(scripts.opening.open(other))
    document.open_map(second)
    document.make_current(first)
    assert scripts.text.text() == WOLDS
    assert scripts.script.path == other, "else Save writes the text of one file into another"
    assert finished(scripts.files.save())
    assert mine.read_text("utf-8") == DRIER


def test_a_slow_world_leaves_the_one_before_among_the_earlier_ones(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    before = document.battlemap.layers[0].planes["soil"].ravel().copy()
    scripts.map_script.change_text(DRIER, "test")
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    slow.set()
    settled()
    after = document.battlemap.layers[0].planes["soil"].ravel()
    cell = int((before != after).nonzero()[0][0])
    (earlier,) = rolling.earlier_contents.values_of(cell)
    assert earlier.values["soil"] == before[cell]
    scripts.map_script.change_text(DOWNS.replace("Pool 20", "Pool 90"), "test")
    settled()
    assert len(document.history.steps) == 1
    found = [each.values["soil"] for each in rolling.earlier_contents.values_of(cell)]
    assert len(found) <= 1, "what the step had before is no earlier roll"


def test_texts_that_take_a_while_to_work_out_follow_each_other(scripts, document, settled) -> None:
    go_on = threading.Event()
    refusals: list[object] = []

    def other(old: str, new: str):
        def make(text: str, _texts: object) -> object:
            assert go_on.wait(60)
            return text.replace(old, new) if old in text else Refused(None)

        return make

    def ask(old: str, new: str, key: str) -> None:
        scripts.map_script.rewrite(other(old, new), key, title=key, on_refused=refusals.append)

    ask("Pool 20", "Pool 2", "one")
    ask("Chalk", "Lime", "dragged")
    ask("Chalk", "Limestone", "dragged")
    ask("Lime ", "Lime", "three")
    assert scripts.map_script.pending
    assert len(document.history.steps) == 0
    go_on.set()
    settled()
    wanted = DOWNS.replace("Pool 20", "Pool 2").replace("Chalk", "Limestone")
    assert document.battlemap.records[SCRIPT].text == wanted
    assert scripts.text.text() == wanted
    assert refusals == [None]
    assert not scripts.map_script.is_outdated


def test_a_refused_text_does_not_show_the_old_one_while_others_follow(
    scripts, document, settled
) -> None:
    def refuse(_text: str, _texts: object) -> Refused:
        return Refused(None)

    def dry(text: str, _texts: object) -> str:
        return text.replace("Pool 20", "Pool 5")

    shown_texts: list[str] = []
    script = scripts.map_script
    script.changed.connect(lambda: shown_texts.append(document.battlemap.records[SCRIPT].text))
    script.rewrite(refuse, "refused", title="Refused", on_refused=print)
    script.rewrite(dry, "dry", title="Dry", on_refused=print)
    script.commit()
    assert shown_texts
    assert set(shown_texts) == {DRIER}
    settled()


def test_a_text_that_is_being_worked_out_is_in_the_map_when_that_is_left(
    scripts, document, settled, recsys
) -> None:
    first = document.current_map
    scripts.map_script.rewrite(
        lambda text, _texts: text.replace("Pool 20", "Pool 5"), "a", title="A", on_refused=print
    )
    document.open_map(rolled(recsys))
    assert first.battlemap.records[SCRIPT].text == DRIER
    assert document.battlemap.records[SCRIPT].text == DOWNS
    document.make_current(first)
    settled()
    assert scripts.text.text() == DRIER
    assert len(document.history.steps) == 1


def test_a_file_that_is_told_of_twice_is_opened_once(
    scripts, document, settled, slow, tmp_path, qtbot
) -> None:
    path = tmp_path / "mine.rec"
    path.write_text(WOLDS, "utf-8")
    assert finished(scripts.opening.open(path))
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    assert scripts.map_script.pending, "the text is there, its world is to follow"
    assert finished(scripts.opening.open(path))
    slow.set()
    settled()
    assert len(document.history.steps) == 1
    assert not scripts.map_script.is_outdated


def rolled_text(document) -> str:
    """Return the text that the world was rolled from."""
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    return layer.roll.script


def test_a_newer_text_waits_for_no_roll_that_takes_long(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    rolls: list[str] = []
    rolling.started.connect(lambda request: rolls.append(request.setup.text))
    scripts.map_script.change_text(BROKEN.replace("Pond", "Down"), "one")
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    scripts.map_script.change_text(DRIER, "two")
    qtbot.waitUntil(lambda: len(rolls) == 2)
    qtbot.waitUntil(lambda: document.battlemap.records[SCRIPT].text == DRIER)
    slow.set()
    settled()
    assert rolled_text(document) == DRIER
    assert len(document.history.steps) == 2


def test_a_text_waits_for_a_roll_of_the_user_and_is_rolled_then(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    rolling.key_choice.set_new_seed(False)
    rolling.roll()
    scripts.map_script.change_text(DRIER, "test")
    qtbot.wait(10)
    assert document.battlemap.records[SCRIPT].text == DOWNS
    assert scripts.map_script.pending
    slow.set()
    settled()
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    assert (layer.roll.script, layer.roll.number) == (DRIER, 1)
    assert len(document.history.steps) == 2


def test_a_text_that_waits_comes_when_the_roll_of_the_one_before_is_cancelled(
    scripts, document, rolling, settled, slow, qtbot
) -> None:
    scripts.map_script.change_text(WOLDS, "one")
    scripts.map_script.change_text(DRIER, "two")
    rolling.cancel()
    slow.set()
    settled()
    assert document.battlemap.records[SCRIPT].text == DRIER
    assert rolled_text(document) == DRIER
    assert scripts.text.text() == DRIER


def test_a_text_comes_alone_when_its_layer_was_locked_while_it_was_rolled(
    scripts, document, settled, slow
) -> None:
    scripts.map_script.change_text(DRIER, "test")
    document.push(LayerField(document.battlemap.layers[0].id, "locked", False, True), "Lock")
    slow.set()
    settled()
    assert document.battlemap.records[SCRIPT].text == DRIER
    assert rolled_text(document) == DOWNS
    assert scripts.map_script.is_outdated


@pytest.fixture
def slow_terrains(monkeypatch):
    """The terrains of a script are looked up when the event is set; the list has the texts."""
    may_end = threading.Event()
    looked_up: list[str] = []
    terrain_set = recorded.RecordedGenerator.terrain_set

    def wait(self):
        looked_up.append(self.text)
        assert may_end.wait(60)
        return terrain_set(self)

    # A script that takes long to read.
    monkeypatch.setattr(recorded.RecordedGenerator, "terrain_set", wait)
    yield may_end, looked_up
    may_end.set()


TARN = DOWNS.replace("terrain Pool", "terrain Tarn #102030\nterrain Pool")
MERE = DOWNS.replace("terrain Pool", "terrain Mere #102030\nterrain Pool")


def test_the_terrains_are_those_of_the_newest_text_of_a_map_that_was_not_rolled(
    scripts, document, settled, recsys, slow_terrains, qtbot
) -> None:
    may_end, looked_up = slow_terrains
    document.open_map(new_map(recsys))
    scripts.map_script.change_text(TARN, "one")
    qtbot.waitUntil(lambda: looked_up == [TARN])
    scripts.map_script.change_text(MERE, "two")
    may_end.set()
    settled()
    assert looked_up == [TARN, MERE]
    assert document.battlemap.records[SCRIPT].text == MERE
    assert document.battlemap.terrain_set.has_terrain("Mere")
    assert not document.battlemap.terrain_set.has_terrain("Tarn")


def test_a_text_whose_terrains_are_looked_up_stays_with_the_map_that_is_left(
    scripts, document, settled, recsys, slow_terrains, qtbot
) -> None:
    may_end, looked_up = slow_terrains
    document.open_map(new_map(recsys))
    unrolled_map = document.current_map
    scripts.map_script.change_text(TARN, "one")
    qtbot.waitUntil(lambda: looked_up == [TARN])
    document.make_current(document.maps[0])
    assert unrolled_map.battlemap.records[SCRIPT].text == TARN
    scripts.map_script.change_text(DRIER, "two")
    may_end.set()
    settled()
    assert document.battlemap.records[SCRIPT].text == DRIER
    assert rolled_text(document) == DRIER
    assert unrolled_map.battlemap.records[SCRIPT].text == TARN
    terrain_set = unrolled_map.battlemap.terrain_set
    assert not terrain_set.has_terrain("Tarn"), "it was left before they were known"
