"""The gallery of generators that make one map after the other: worlds of Xconq, and Test land."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map as map_of_kind
from app.features.compare.window import CompareWindow
from randomizer.catalog.systems import system_named
from randomizer.processes.pool import roll_pool
from tests.app.features.gallery.test_gallery_of_script import choose, settled
from tests.app.saves import finished
from tests.end_to_end.test_installed_system import new_map
from tests.end_to_end.test_xconq_period_desk import world

__all__ = ["world"]

DRIVEN_DIALOGS = (CompareWindow,)


@pytest.mark.deep  # filters in the gallery: test_typed_filters
def test_worlds_are_filtered_by_shares_and_regions(qtbot, world):
    world.desk.scripts.settings.set({"countries": 0})
    world.desk.docks.show("gallery")
    gallery = world.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    # What the menu of examples would show.
    examples = dict(gallery.form.filter._examples())
    assert "regions(land) = 1" in examples.values()
    assert any(text.startswith("share(water) < ") for text in examples.values())
    gallery.form.filter.request_maps("share(forest) > 6 % and regions(land) >= 3 and 0,0 = ice")
    qtbot.waitUntil(lambda: settled(gallery) and bool(gallery.maps.model.candidates))
    assert 0 < len(gallery.maps.model.candidates) <= 48
    gallery.form.filter.request_maps("share(forst) > 6")
    assert "There is no terrain “forst” (Write “forest”)" in gallery.status.message.text()


@pytest.mark.deep
def test_compared_landscapes_have_the_locked_part_of_the_map(qtbot, window):
    desk = window.desk
    document = desk.document
    document.open_map(map_of_kind(system_named("free")))
    desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("randomize.roll-with.script.landscape")
    locked = document.battlemap.grid.cells[100:160]
    document.select(locked)
    desk.commands.run("select.lock")
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) > 4)
    choose(gallery, 2)
    selection = gallery.maps.view.selectionModel()
    selection.select(gallery.maps.model.index(4), selection.SelectionFlag.Select)
    gallery.maps.map_actions.compare.trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareWindow)))
    (compared,) = window.findChildren(CompareWindow)
    qtbot.waitUntil(lambda: compared.comparison is not None)
    assert len(compared.comparison.cells) > 0
    assert not set(compared.comparison.cells.tolist()) & set(locked.tolist())
    compared.close()


SCRIPT = "ground Meadow\nscatter Pond 30\nhills 9\nthings sheep 4\nrecord water 3\n"


@pytest.mark.deep
def test_maps_of_another_package_are_rolled_in_child_processes(qtbot, testsys, window, tmp_path):
    new_map(qtbot, window)
    (tmp_path / "land.tll").write_text(SCRIPT, "utf-8")
    desk = window.desk
    finished(desk.scripts.opening.open(tmp_path / "land.tll"))
    qtbot.waitUntil(lambda: desk.scripts.script.name == "land.tll")
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    assert roll_pool().idle, "processes rolled them, and wait for more"
    assert not any(candidate.problems for candidate in gallery.maps.model.candidates)
    assert gallery.maps.model.candidates[0].batch.records["water"].text == "3\n"
    chosen = gallery.maps.model.candidates[7]
    gallery.maps.view.choose(chosen)
    gallery.maps.map_actions.take.trigger()
    qtbot.waitUntil(lambda: desk.rolling.target() is not None and not desk.rolling.busy)
    roll = desk.rolling.target().roll
    assert (roll.seed, roll.number) == chosen.key
    plane = desk.document.composite.planes["soil"]
    assert (plane == chosen.batch.planes(0)["soil"]).all()
    desk.docks.show("gallery")  # the map that was taken is seen in its place
    desk.scripts.text.replace(SCRIPT.replace("Pond", "Lava"))
    qtbot.waitUntil(lambda: "Lava" in gallery.status.message.text())
    assert (
        gallery.status.message.text()
        == "The script rolls nothing: there is no terrain “Lava” (line 2)"
    )
