"""Many maps of a script: filtered, sorted, pinned, compared and taken."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.appearance.text_colours import inks
from app.background import actions
from app.features.compare.window import CompareWindow
from app.features.gallery.candidates import same_roll
from app.features.gallery.map_finder import TYPING
from app.features.gallery.pins import read_pins
from app.features.gallery.search import search
from randomizer.batches.search import COSTLY_AT_ONCE
from randomizer.generator_run import run
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.problems import has_errors
from randomizer.storage.files.roll_recipe import read_recipe
from randomizer.systems.colossus.fairness import win_shares
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell
from tests.app.cordery_tables import bare_table
from tests.daily import deep_but
from tests.randomizer.systems.colossus.few_battles import fight_few
from tests.ui_work import UiWork

SWAMP = (
    "AREA (anywhere) HAZARDS Bog,50. Bog,50. Tree,30.\n"
    "AREA (inside) HAZARDS Lake,40.\n"
    "AREA D4 HAZARDS Tree,50.\n"
)
BOG, TREE, LAKE = (SYSTEM.terrain_set.terrain_code(name) for name in ("Bog", "Tree", "Lake"))


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("gallery", "script", "compare", "history", "cordery")


def write(window, qtbot, text):
    """Type another script, and wait until the map has followed it; with a mistake it does not."""
    desk = window.desk
    desk.docks.panel("randomize").editor.selectAll()
    desk.docks.panel("randomize").editor.insertPlainText(text)
    qtbot.waitUntil(lambda: desk.scripts.checker.fresh)
    if not has_errors(desk.scripts.checker.result.problems):
        qtbot.waitUntil(lambda: desk.rolling.target().roll.script == text)


def settled(gallery):
    return not gallery.finder.busy


@pytest.fixture
def gallery(window, qtbot):
    window.resize(1280, 860)
    write(window, qtbot, SWAMP)
    window.desk.docks.show("gallery")
    gallery = window.desk.docks.panel("gallery")
    gallery.form.show_seed(5)
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    return gallery


def numbers(gallery):
    return [candidate.roll.number for candidate in gallery.maps.model.candidates]


def rolled(window, key):
    """The planes of one map, rolled by itself onto what lies below."""
    rolling = window.desk.rolling
    setup = rolling.setup()
    base = rolling.next_base().unlocked()
    made = run(setup.make_generator(), setup.settings, key, base)
    layer = made.layers[0]
    shown = {name: np.array(plane) for name, plane in base.composite.planes.items()}
    for name in ("terrain", "elevation", "hexside"):
        spec = SYSTEM.plane(name)
        own = layer.planes[name]
        shown[name] = np.where(own != spec.unset, own, shown[name])
    return shown


def offered(gallery):
    """What would be written, and what is read."""
    words = gallery.form.filter.completer.list
    rows = [words.rows.item(row).text() for row in range(words.rows.count())]
    return list(zip(words.texts, rows, strict=True))


def look_for(gallery, qtbot, text):
    gallery.form.filter.request_maps(text)
    qtbot.waitUntil(lambda: settled(gallery))


def picture_of_maps(gallery, qtbot):
    """Return what the list of maps looks like when all thumbnails in sight are drawn."""
    gallery.maps.view.grab()  # which requests them
    qtbot.waitUntil(lambda: not gallery.maps.pictures.waiting)
    return gallery.maps.view.grab().toImage()


def choose(gallery, row):
    gallery.maps.view.setFocus()
    gallery.maps.view.setCurrentIndex(gallery.maps.model.index(row))
    return gallery.maps.model.candidates[row]


def test_the_first_forty_eight_maps_of_the_seed_are_shown_and_drawn(gallery, window, qtbot):
    assert numbers(gallery) == list(range(48))
    assert gallery.status.message.text() == "Seed 5, no. 0 to 47"
    for candidate in gallery.maps.model.candidates[::16]:
        planes = candidate.batch.planes(candidate.row)
        for name, plane in rolled(window, candidate.key).items():
            assert np.array_equal(planes[name], plane)
    gallery.maps.view.grab()
    seen = gallery.maps.model.candidates[:4]
    qtbot.waitUntil(lambda: all(gallery.maps.pictures.cached(each.digest) for each in seen))
    pictures = [gallery.maps.pictures.cached(each.digest).toImage() for each in seen]
    assert len({each.digest for each in seen}) == 4
    assert all(one != other for one, other in pairwise(pictures))


def test_more_goes_on_and_a_number_or_a_name_is_found_again(gallery, qtbot):
    gallery.status.more.click()
    qtbot.waitUntil(lambda: settled(gallery) and len(numbers(gallery)) == 96)
    assert numbers(gallery) == list(range(96))
    choose(gallery, 60)
    QTest.keyClick(gallery.maps.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    name = QGuiApplication.clipboard().text()
    assert name.endswith(", seed 5 no. 60")
    look = gallery.maps.model.candidates[60].digest
    gallery.form.show_seed(99)
    qtbot.waitUntil(
        lambda: settled(gallery) and gallery.status.message.text().startswith("Seed 99")
    )
    gallery.form.seed_fields.go_to.setText(name)
    QTest.keyClick(gallery.form.seed_fields.go_to, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: settled(gallery) and numbers(gallery)[0] == 60)
    assert gallery.form.seed_fields.seed.value == 5
    assert gallery.maps.model.candidates[0].digest == look
    gallery.form.seed_fields.go_to.setText(" 61 ")
    QTest.keyClick(gallery.form.seed_fields.go_to, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: settled(gallery) and numbers(gallery)[0] == 61)
    for no_number in ("the last", 5000 * "9"):
        gallery.form.seed_fields.go_to.setText(no_number)
        QTest.keyClick(gallery.form.seed_fields.go_to, Qt.Key.Key_Return)
        assert "wants a number" in gallery.status.message.text()


def test_a_filter_leaves_only_maps_that_fulfil_it_and_says_how_rare_they_are(gallery, qtbot):
    look_for(gallery, qtbot, "count(Bog) >= 2 and D4 != Tree")
    assert len(gallery.maps.model.candidates) == 48
    for candidate in gallery.maps.model.candidates:
        terrain = candidate.batch.planes(candidate.row)["terrain"]
        assert np.count_nonzero(terrain == BOG) >= 2
        assert terrain.flat[cell("D4")] != TREE
    assert "48 maps" in gallery.status.message.text()
    assert "1 map in" in gallery.status.message.text()
    assert numbers(gallery) == sorted(numbers(gallery))
    before = numbers(gallery)
    gallery.status.more.click()
    qtbot.waitUntil(lambda: settled(gallery) and len(numbers(gallery)) == 96)
    assert numbers(gallery)[:48] == before
    look_for(gallery, qtbot, "")
    assert numbers(gallery) == list(range(48))


def test_a_hex_that_is_missing_marks_the_filter_and_dims_the_maps(gallery, qtbot):
    field = gallery.form.filter.field
    ink = field.palette().text().color()
    clear_picture = picture_of_maps(gallery, qtbot)
    look_for(gallery, qtbot, "D9 = Lake")
    assert gallery.status.message.text() == "There is no hex D9: hexes run from A1 to F4"
    assert field.palette().text().color() == inks(field.palette()).error
    assert picture_of_maps(gallery, qtbot) != clear_picture
    look_for(gallery, qtbot, "")
    assert field.palette().text().color() == ink
    assert picture_of_maps(gallery, qtbot) == clear_picture


def test_a_mistake_in_a_filter_is_said_in_words_and_rolls_nothing(gallery, qtbot):
    look_for(gallery, qtbot, "count(Bgo) >= 2")
    assert "Bgo" in gallery.status.message.text()
    assert numbers(gallery) == list(range(48))
    gallery.form.filter.field.setFocus()
    gallery.form.filter.field.clear()
    QTest.keyClicks(gallery.form.filter.field, "count(Bo")
    assert gallery.form.filter.completer.open
    assert offered(gallery) == [("Bog", "Bog   terrain")]
    # The pause in typing is over.
    gallery.form.filter.pause_timer.timeout.emit()
    # A word is offered: it is no mistake yet.
    assert gallery.status.message.text() == TYPING
    gallery.form.filter.field.clear()
    QTest.keyClicks(gallery.form.filter.field, "D4:")
    assert gallery.form.filter.completer.open
    assert offered(gallery)[:2] == [("0", "0   north"), ("1", "1   north-east")]
    QTest.keyClick(gallery.form.filter.field, Qt.Key.Key_Down)
    QTest.keyClick(gallery.form.filter.field, Qt.Key.Key_Return)
    assert gallery.form.filter.text() == "D4:0"
    QTest.keyClicks(gallery.form.filter.field, " = Cliff and D")
    assert [word for word, _ in offered(gallery)] == [f"D{n}" for n in range(1, 7)]
    gallery.form.filter.completer.close()


@pytest.mark.deep
def test_every_example_is_a_filter_that_some_map_passes(gallery, qtbot):
    # What the menu of examples would show.
    examples = gallery._examples()
    assert len(examples) >= 5
    assert any("connected" in text for _, text in examples)
    for words, text in examples:
        look_for(gallery, qtbot, text)
        assert (
            gallery.status.message.text().endswith(")") or "all of" in gallery.status.message.text()
        ), words
        assert numbers(gallery), words


def test_a_search_without_end_can_be_stopped(gallery, qtbot):
    look_for(gallery, qtbot, "count(Bog) = 27")
    assert not gallery.status.cancel_button.isVisible()
    gallery.finder.search_anew(10**12)  # a million maps can be over before anyone sees the button
    qtbot.waitUntil(lambda: gallery.status.cancel_button.isVisible())
    gallery.status.cancel_button.click()
    qtbot.waitUntil(lambda: settled(gallery))
    assert not gallery.status.cancel_button.isVisible()
    assert gallery.status.message.text().startswith("None of ")
    assert not numbers(gallery)


@pytest.mark.deep
def test_maps_on_which_battles_are_fought_come_few_at_once(gallery, qtbot, monkeypatch):
    fight_few(monkeypatch)
    assert gallery.form.sorting.box.findData("wins(left)") < 0  # by that nothing is sorted
    counts: list[int] = []
    gallery.finder.search.delivered.connect(lambda maps: counts.append(len(maps)))
    gallery.form.filter.field.setText("wins(left) >= 0 % and D4 = Tree")
    gallery.form.filter.pause_timer.timeout.emit()
    assert (
        gallery.status.message.text()
        == f"{win_shares.COST_NOTE}. Press Enter to look for such maps."
    )
    gallery.form.filter.request_maps(gallery.form.filter.text())
    qtbot.waitUntil(lambda: len(counts) >= 3)
    gallery.status.cancel_button.click()
    qtbot.waitUntil(lambda: settled(gallery))
    assert max(counts) <= COSTLY_AT_ONCE
    trees = [
        each.batch.planes(each.row)["terrain"].flat[cell("D4")]
        for each in gallery.maps.model.unpinned
    ]
    assert set(trees) == {TREE}


@pytest.mark.deep
def test_a_measure_of_other_maps_is_let_go_when_a_table_becomes_current(gallery, window, qtbot):
    row = gallery.form.sorting.box.findText("Cliff")
    gallery.form.sorting.box.setCurrentIndex(row)
    gallery.form.sorting.box.activated.emit(row)
    qtbot.waitUntil(lambda: gallery.maps.model.measure is not None)
    window.desk.document.open_map(bare_table("square", 6, 6))
    window.desk.docks.show("gallery")
    sizes = lambda: {each.batch.base.grid.size for each in gallery.maps.model.unpinned}  # noqa: E731
    qtbot.waitUntil(lambda: settled(gallery) and sizes() == {36})
    assert len(gallery.maps.model.unpinned) == 48
    assert gallery.form.sorting.box.findText("Cliff") < 0
    assert "fault" not in gallery.status.message.text()


def test_maps_are_sorted_by_a_measure(gallery, qtbot):
    gallery.form.sorting.box.setCurrentIndex(gallery.form.sorting.box.findText("Bog"))
    gallery.form.sorting.box.activated.emit(gallery.form.sorting.box.currentIndex())
    qtbot.waitUntil(lambda: gallery.maps.model.measure is not None)

    def bogs():
        rows = gallery.maps.model.candidates
        return [np.count_nonzero(row.batch.planes(row.row)["terrain"] == BOG) for row in rows]

    assert bogs() == sorted(bogs(), reverse=True), "the most first"
    assert len(set(bogs())) > 1
    first = gallery.maps.model.candidates[0]
    assert gallery.maps.model.value_text(first) == str(bogs()[0])
    gallery.form.sorting.direction.click()
    assert bogs() == sorted(bogs())
    gallery.form.sorting.box.setCurrentIndex(0)
    gallery.form.sorting.box.activated.emit(0)
    assert numbers(gallery) == list(range(48))
    gallery.form.sorting.direction.click()
    assert numbers(gallery) == list(range(47, -1, -1))


@pytest.mark.deep
def test_of_an_imbalance_the_least_comes_first(gallery, qtbot):
    gallery.form.sorting.box.setCurrentIndex(gallery.form.sorting.box.findText("Imbalance"))
    gallery.form.sorting.box.activated.emit(gallery.form.sorting.box.currentIndex())
    model = gallery.maps.model
    qtbot.waitUntil(lambda: model.measure is not None)
    values = [model.value(candidate) for candidate in model.candidates]
    assert values == sorted(values)
    assert len(set(values)) > 1


def test_a_taken_map_is_that_of_the_picture_and_one_undo_takes_it_back(gallery, window, qtbot):
    document = window.desk.document
    before = document.composite.copy()
    steps = len(document.history.steps)
    candidate = choose(gallery, 17)
    QTest.keyClick(gallery.maps.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(document.history.steps) == steps + 1)
    shown = document.composite.planes
    planes = candidate.batch.planes(candidate.row)
    for name in ("terrain", "elevation", "hexside"):
        assert np.array_equal(shown[name], planes[name])
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and gallery.maps.model.is_on_desk(candidate))
    assert numbers(gallery) == list(range(48))
    assert gallery.maps.view.current() is candidate or gallery.maps.view.current().roll.number == 17
    document.undo()
    assert document.composite.same_as(before)
    qtbot.waitUntil(lambda: settled(gallery))
    assert not any(map(gallery.maps.model.is_on_desk, gallery.maps.model.candidates))


def test_a_map_is_copied_as_a_recipe(gallery, window, qtbot):
    candidate = choose(gallery, 17)
    gallery.maps.map_actions.recipe.trigger()
    recipe = read_recipe(QGuiApplication.clipboard().text())
    assert (recipe.roll.number, recipe.roll.script) == (17, SWAMP)
    actions.run(window.desk.recipes.paste(QGuiApplication.clipboard().text()))
    document = window.desk.document
    qtbot.waitUntil(lambda: same_roll(document.active_layer.roll, candidate.roll))


def test_pinned_maps_stay_through_filters_seeds_edits_and_sessions(gallery, window, qtbot):
    pinned = choose(gallery, 7)
    QTest.keyClick(gallery.maps.view, Qt.Key.Key_P)
    assert gallery.maps.model.candidates[0] is pinned
    assert len(numbers(gallery)) == 48
    look_for(gallery, qtbot, "count(Bog) = 0")
    gallery.form.show_seed(6)
    qtbot.waitUntil(lambda: settled(gallery))
    write(window, qtbot, SWAMP.replace("Tree", "Sand"))
    qtbot.waitUntil(lambda: settled(gallery))
    kept = gallery.maps.model.candidates[0]
    assert same_roll(kept.roll, pinned.roll)
    assert kept.digest == pinned.digest
    # A pinned map of another text is taken with that text.
    choose(gallery, 0)
    QTest.keyClick(gallery.maps.view, Qt.Key.Key_Enter)
    qtbot.waitUntil(lambda: window.desk.document.active_layer.roll is not None)
    window.desk.docks.show("gallery")
    qtbot.waitUntil(
        lambda: (
            gallery.maps.model.roll_on_map
            and same_roll(gallery.maps.model.roll_on_map, pinned.roll)
        )
    )
    assert window.desk.document.active_layer.roll.script == SWAMP
    (read,) = read_pins(window.desk.settings.gallery_pins)
    assert same_roll(read, pinned.roll)
    qtbot.waitUntil(lambda: settled(gallery))
    choose(gallery, 0)
    QTest.keyClick(gallery.maps.view, Qt.Key.Key_P)
    assert not gallery.maps.model.pinned
    assert read_pins(window.desk.settings.gallery_pins) == ()


def test_locked_places_are_kept_by_every_map(gallery, window, qtbot):
    document = window.desk.document
    choose(gallery, 0)
    gallery.maps.map_actions.take.trigger()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy and settled(gallery))
    terrain = document.composite.planes["terrain"]
    wanted = int(np.flatnonzero(terrain.ravel() == BOG)[0])
    document.push(set_locks(document.battlemap, [wanted], True), "Lock")
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and "locks" in gallery.status.message.text())
    assert len(gallery.maps.model.candidates) == 48
    for each in gallery.maps.model.candidates:
        assert each.batch.planes(each.row)["terrain"].flat[wanted] == BOG
    look_for(gallery, qtbot, "D4 != Tree")
    assert "keep the locks" in gallery.status.message.text()
    for each in gallery.maps.model.candidates:
        shown = each.batch.planes(each.row)["terrain"].flat
        assert (shown[wanted], shown[cell("D4")] == TREE) == (BOG, False)
    candidate = choose(gallery, 3)
    gallery.maps.map_actions.take.trigger()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    assert window.desk.rolling.key_choice.key[:2] == candidate.key


def test_a_filter_that_a_lock_excludes_is_told_at_once(gallery, window, qtbot):
    document = window.desk.document
    document.push(set_locks(document.battlemap, [cell("A1")], True), "Lock")
    qtbot.waitUntil(lambda: settled(gallery))
    look_for(gallery, qtbot, "A1 = Lake")
    assert gallery.status.message.text().startswith("A1 is locked as Plains, so no map passes")
    look_for(gallery, qtbot, "A1 = Bog")
    assert "no map passes" in gallery.status.message.text()
    assert gallery.maps.view.is_dimmed, "the maps of the search before are still shown"
    document.push(set_locks(document.battlemap, [cell("A1")], False), "Unlock")
    qtbot.waitUntil(lambda: settled(gallery) and gallery.finder.has_ended)
    assert not gallery.maps.view.is_dimmed, "these are maps of the filter"
    document.push(set_locks(document.battlemap, [cell("A1")], True), "Lock")
    qtbot.waitUntil(lambda: settled(gallery))
    look_for(gallery, qtbot, "A1 = Plains and D4 != Tree")
    assert len(gallery.maps.model.candidates) > 0


@pytest.mark.parametrize(
    ("text", "culprit"),
    deep_but(
        [
            ("D4 = Volcano", "D4 = Volcano"),
            ("D4 = Lake and A1 = Bog and D4 in (Volcano, Tower)", "D4 in (Volcano, Tower)"),
            ("D4 = Tree/4", "D4 = Tree/4"),
            ("count(Volcano) > 0", "count(Volcano) > 0"),
            ("share(Volcano in (D4, D3)) >= 10 %", "share(Volcano in (D4, D3)) >= 10 %"),
            ("count(Cliff) >= 1", "count(Cliff) >= 1"),
            ("D4:0 = Cliff", "D4:0 = Cliff"),
        ],
        ("D4 = Lake and A1 = Bog and D4 in (Volcano, Tower)", "D4 in (Volcano, Tower)"),
        ("count(Cliff) >= 1", "count(Cliff) >= 1"),
    ),
)
def test_a_filter_for_what_the_script_never_makes_is_told_at_once(gallery, qtbot, text, culprit):
    look_for(gallery, qtbot, text)
    told = gallery.status.message.text()
    assert told.startswith(f"This script makes no map with “{culprit}”: change the filter"), told


@pytest.mark.parametrize(
    "text",
    deep_but(
        ["D4 = Lake", "count(Volcano) = 0", "D4 = Volcano or D4 = Tree", "count(Lake) > 0"],
        "D4 = Volcano or D4 = Tree",
    ),
)
def test_a_filter_for_what_the_script_makes_is_searched_for(gallery, qtbot, text):
    look_for(gallery, qtbot, text)
    assert len(gallery.maps.model.candidates) > 0


@pytest.mark.deep
def test_what_is_painted_above_the_roll_passes_a_filter(gallery, window, qtbot):
    document = window.desk.document
    volcano = SYSTEM.terrain_set.terrain_code("Volcano")
    layer = document.active_layer_id
    edit = set_values(document.battlemap, layer, "terrain", [cell("D4")], volcano)
    document.push(edit, "Paint")
    qtbot.waitUntil(lambda: settled(gallery))
    look_for(gallery, qtbot, "D4 = Volcano")
    assert len(gallery.maps.model.candidates) > 0


@pytest.mark.deep
def test_a_gallery_that_has_shown_no_map_does_not_speak_of_maps(window, qtbot):
    write(window, qtbot, "AREA (anywhere) HAZARDS Bogg,50.")
    window.desk.docks.show("gallery")
    gallery = window.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: gallery.status.message.text() != "")
    assert (
        gallery.status.message.text()
        == "The script has a mistake (line 1): mend it to see its maps"
    )
    write(window, qtbot, SWAMP)
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    write(window, qtbot, "AREA (anywhere) HAZARDS Bogg,50.")
    qtbot.waitUntil(lambda: "mistake" in gallery.status.message.text())
    assert gallery.status.message.text().endswith("these are the maps of the text before")


def test_where_no_map_passes_the_examples_stay(gallery, qtbot):
    look_for(gallery, qtbot, "count(Lake) >= 20")
    assert not gallery.maps.model.candidates
    gallery.form.filter.menu.aboutToShow.emit()
    assert len(gallery.form.filter.menu.actions()) > 3


def test_a_lock_that_no_map_keeps_is_told_and_nothing_is_searched_for(gallery, window, qtbot):
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    wanted = cell("A1")
    write(window, qtbot, SWAMP + "AREA A1 HAZARDS Volcano\n")
    document.push(set_locks(document.battlemap, [wanted], True), "Lock")
    panel.editor.selectAll()
    panel.editor.insertPlainText(SWAMP)
    words = "This script never makes A1 Volcano, elevation 0."
    qtbot.waitUntil(lambda: gallery.status.message.text() == words)
    assert not gallery.maps.model.candidates
    assert gallery.maps.empty.text().startswith(words)
    assert not gallery.status.more.isEnabled()
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: panel.notices.lock_banner.isVisible())
    assert [problem.message for problem in panel.problem_list.problems] == [words]
    document.push(set_locks(document.battlemap, [wanted], False), "Unlock")
    assert not panel.notices.lock_banner.isVisible()
    assert not panel.problem_list.problems  # it is so no more
    qtbot.waitUntil(lambda: settled(gallery) and numbers(gallery) == list(range(48)))


def test_the_same_numbers_follow_the_script(gallery, window, qtbot):
    choose(gallery, 5)
    looks = [candidate.digest for candidate in gallery.maps.model.candidates]
    write(window, qtbot, SWAMP.replace("Lake,40.", "Lake Lake"))
    qtbot.waitUntil(lambda: settled(gallery))
    assert numbers(gallery) == list(range(48))
    assert [candidate.digest for candidate in gallery.maps.model.candidates] != looks
    for candidate in gallery.maps.model.candidates:
        assert np.count_nonzero(candidate.batch.planes(candidate.row)["terrain"] == LAKE) >= 1
    assert [each.roll.number for each in gallery.maps.view.chosen()] == [5]


def test_behind_the_map_nothing_is_rolled(gallery, window, qtbot):
    looks = [candidate.digest for candidate in gallery.maps.model.candidates]
    window.desk.docks.views.show_map()
    qtbot.waitUntil(lambda: not gallery.finder.watched)
    write(window, qtbot, SWAMP.replace("Lake,40.", "Lake Lake"))
    qtbot.wait(200)
    assert settled(gallery)
    assert [candidate.digest for candidate in gallery.maps.model.candidates] == looks
    window.desk.docks.show("gallery")
    qtbot.waitUntil(
        lambda: [candidate.digest for candidate in gallery.maps.model.candidates] != looks
    )
    qtbot.waitUntil(lambda: settled(gallery))
    assert numbers(gallery) == list(range(48))


def test_a_script_with_a_mistake_is_told_in_words(gallery, window, qtbot):
    write(window, qtbot, "AREA (anywhere) HAZARD Bog\n")
    qtbot.waitUntil(lambda: settled(gallery))
    assert "mistake (line 1)" in gallery.status.message.text()
    assert len(numbers(gallery)) == 48
    write(window, qtbot, "AREA (anywhere) HAZARDS Moor\n")
    qtbot.waitUntil(lambda: settled(gallery))
    assert "Moor" in gallery.status.message.text() or "mistake" in gallery.status.message.text()
    write(window, qtbot, SWAMP)
    qtbot.waitUntil(
        lambda: settled(gallery) and gallery.status.message.text() == "Seed 5, no. 0 to 47"
    )


@pytest.mark.deep
def test_a_compared_map_keeps_a_locked_hex_that_nothing_was_set_on(gallery, window, qtbot):
    document = window.desk.document
    write(window, qtbot, "AREA (anywhere) HAZARDS Lake\n")
    qtbot.waitUntil(lambda: settled(gallery))
    lake = SYSTEM.terrain_set.terrain_code("Lake")
    candidate = gallery.maps.model.candidates[3]
    (hex_of_lake,) = np.flatnonzero(candidate.batch.planes(candidate.row)["terrain"] == lake)
    assert document.composite.planes["terrain"].flat[hex_of_lake] != lake
    document.push(set_locks(document.battlemap, [hex_of_lake], True), "Lock")
    qtbot.waitUntil(lambda: settled(gallery))
    choose(gallery, 3)
    gallery.maps.map_actions.compare.trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareWindow)))
    (comparison_window,) = window.findChildren(CompareWindow)
    qtbot.waitUntil(lambda: comparison_window.comparison is not None)
    assert len(comparison_window.comparison.cells)
    assert hex_of_lake not in comparison_window.comparison.cells


def test_one_map_is_compared_with_the_desk_and_two_with_each_other(gallery, window, qtbot):
    choose(gallery, 3)
    gallery.maps.map_actions.compare.trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareWindow)))
    (one,) = window.findChildren(CompareWindow)
    assert one.take_button.isVisible()
    one.close()
    qtbot.waitUntil(lambda: not window.findChildren(CompareWindow))
    gallery.maps.view.selectionModel().select(
        gallery.maps.model.index(9), gallery.maps.view.selectionModel().SelectionFlag.Select
    )
    gallery.maps.map_actions.compare.trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareWindow)))
    (two,) = window.findChildren(CompareWindow)
    qtbot.waitUntil(lambda: two.comparison is not None)
    assert "no. 3 with " in two.windowTitle()
    assert two.windowTitle().endswith("no. 9")
    assert not two.take_button.isVisible()
    ours = [each.batch.planes(each.row)["terrain"] for each in gallery.maps.view.chosen()]
    assert len(two.comparison.cells) >= np.count_nonzero(ours[0] != ours[1]) > 0
    two.close()


def test_a_map_opens_in_a_tab_of_its_own(gallery, window, qtbot):
    document = window.desk.document
    candidate = choose(gallery, 11)
    gallery.maps.map_actions.open.trigger()
    qtbot.waitUntil(lambda: len(document.maps) == 2)
    window.desk.docks.show("gallery")
    terrain = candidate.batch.planes(candidate.row)["terrain"]
    assert np.array_equal(document.composite.planes["terrain"], terrain)
    eleventh = lambda: gallery.maps.model.candidates[11]  # noqa: E731
    qtbot.waitUntil(lambda: settled(gallery) and gallery.maps.model.is_on_desk(eleventh()))


def test_maps_are_rolled_and_filtered_off_the_ui_thread(gallery, qtbot):
    with UiWork() as work:
        look_for(gallery, qtbot, "count(Bog) = 3 and count(Lake) = 0")
        gallery.form.slider.setValue(90)
        gallery.form.show_seed(1234)
        qtbot.waitUntil(lambda: settled(gallery))
    assert work.where(search) == {"job"}
