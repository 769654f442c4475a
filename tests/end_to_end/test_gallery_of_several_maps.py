"""The gallery while one goes from one open map to another: its seed belongs to each of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from randomizer.catalog.generators import generators
from randomizer.catalog.systems import system_named
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.app.saves import finished

CONTROL = Qt.KeyboardModifier.ControlModifier


def open_rolled_map(qtbot, desk, seed: int):
    """Open a new battleland and roll the first script onto it with a typed seed."""
    opened = desk.document.open_map(new_map(system_named("colossus")))
    assert finished(desk.scripts.opening.open_generator(generators()[0]))
    desk.rolling.key_choice.type_seed(seed)
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert desk.rolling.target().roll.seed == seed
    return opened


def seeds_shown(gallery) -> set[int]:
    return {candidate.roll.seed for candidate in gallery.maps.model.candidates}


def show_gallery(qtbot, desk, seed: int):
    """Show the gallery for the current map, and wait until it shows maps of a seed."""
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and seeds_shown(gallery) == {seed})
    assert gallery.form.seed_fields.seed.value == seed
    return gallery


def test_each_map_has_a_seed_of_its_own(qtbot, active):
    """The second map was shown with the seed with which the gallery was opened for the first."""
    desk = active.desk
    first_map = open_rolled_map(qtbot, desk, 101)
    gallery = show_gallery(qtbot, desk, 101)
    second_map = open_rolled_map(qtbot, desk, 202)
    show_gallery(qtbot, desk, 202)

    # What is chosen for one of them stays its own.
    seed_field = gallery.form.seed_fields.seed
    QTest.keyClick(seed_field, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(seed_field, "303")
    qtbot.waitUntil(lambda: settled(gallery) and seeds_shown(gallery) == {303})
    gallery.form.seed_fields.go_to.setText("60")
    QTest.keyClick(gallery.form.seed_fields.go_to, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "no. 60 to 107" in gallery.status.message.text())
    desk.document.make_current(first_map)
    show_gallery(qtbot, desk, 101)
    assert "no. 0 to 47" in gallery.status.message.text()
    desk.document.make_current(second_map)
    show_gallery(qtbot, desk, 303)
    assert "no. 60 to 107" in gallery.status.message.text()


def test_a_pinned_map_names_its_seed(qtbot, active):
    desk = active.desk
    open_rolled_map(qtbot, desk, 101)
    gallery = show_gallery(qtbot, desk, 101)
    view = gallery.maps.view
    view.setFocus()
    view.setCurrentIndex(gallery.maps.model.index(3))
    QTest.keyClick(view, Qt.Key.Key_P)
    seed_field = gallery.form.seed_fields.seed
    seed_field.setFocus()
    QTest.keyClick(seed_field, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(seed_field, "303")
    qtbot.waitUntil(lambda: settled(gallery) and seeds_shown(gallery) == {101, 303})
    model = gallery.maps.model
    captions = [model.index(row).data() for row in range(model.rowCount())]
    assert captions[0] == "seed 101 no. 3"
    assert "no. 3" in captions[1:]
