"""A writer of random map scripts of 0 A.D. at the desk: gallery, console, the file followed."""

from __future__ import annotations

import json
import math

import pytest

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.processes.pool import roll_pool
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.app.saves import finished
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

METADATA = {"Name": "Bay", "Script": "bay.js", "Description": "A bay.", "Size": 128}
SCRIPT = """Engine.LoadLibrary("bay");
function* GenerateMap(settings)
{
	log("a bay, seed " + settings.Seed);
	if (settings.Seed % 7 == 3)
		throw new Error("no room");
	warn("see maps/random/bay.js:1");
	yield 50;
	return bay(settings);
}
"""
LIBRARY = """function bay(settings)
{
	const size = settings.Size;
	const entity = (id, templateName, player, x) => ({
		id, templateName, player, "position": { x, "y": 0, "z": 8 }, "rotation": { "y": 0 } });
	const trees = [];
	for (let i = 0; i < 1 + settings.Seed % 4; ++i)
		trees.push(entity(200 + i, "gaia/tree/oak", 0, 100));
	return {
		size, "seaLevel": 20, "textureNames": ["grass_" + settings.Seed],
		"height": new Uint16Array((size + 1) ** 2).fill(2300),
		"tileData": { "index": new Uint16Array(size ** 2), "priority": new Uint16Array(size ** 2) },
		"entities": [entity(150, "structures/athen/civil_centre", 1, 20),
			entity(151, "gaia/tree/oak", 0, 21),
			entity(152, "structures/athen/civil_centre", 2, 101), ...trees]
	};
}
"""


@pytest.fixture
def desk(qtbot, window, monkeypatch, tmp_path):
    """The desk with an empty 0 A.D. map as the current one; no game is installed."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    window.desk.document.open_map(new_map(system_named("zeroad")))
    window.desk.docks.show("randomize")
    return window.desk


@pytest.fixture
def bay(qtbot, desk, tmp_path):
    """The file of a script that is shown."""
    pytest.importorskip("py_mini_racer")
    folder = tmp_path / "maps" / "random"
    (folder / "bay").mkdir(parents=True)
    (folder / "bay" / "library.js").write_text(LIBRARY, "utf-8")
    (folder / "bay.json").write_text(json.dumps({"settings": METADATA}), "utf-8")
    path = folder / "bay.js"
    path.write_text(SCRIPT, "utf-8")
    assert finished(desk.scripts.opening.open(path))
    desk.rolling.key_choice.type_seed(20)
    return path


def roll(qtbot, desk):
    with qtbot.waitSignal(desk.rolling.logged):
        desk.rolling.roll()


@pytest.mark.deep
def test_a_gallery_of_a_script_is_sorted_by_its_balance_and_the_outlier_opened(qtbot, desk, bay):
    roll(qtbot, desk)
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    gallery.form.show_seed(0)
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    failed = [
        candidate.roll.number for candidate in gallery.maps.model.candidates if candidate.problems
    ]
    assert failed == [number for number in range(48) if number % 7 == 3]
    assert "no room" in gallery.maps.model.candidates[3].problems[0].message
    box = gallery.form.sorting.box
    box.setCurrentIndex(box.findText("Balance"))
    gallery.form.sorting.chosen.emit()
    qtbot.waitUntil(lambda: gallery.maps.model.measure is not None)
    gallery.maps.model.set_descending(True)
    outlier = gallery.maps.model.candidates[0]
    assert gallery.maps.model.value(outlier) == 1 + outlier.roll.number % 4 == 4
    gallery.form.filter.request_maps("balance < 1.3")
    qtbot.waitUntil(
        lambda: settled(gallery) and gallery.maps.model.unpinned[0].roll.number % 4 == 0
    )
    assert {each.roll.number % 4 for each in gallery.maps.model.unpinned} == {0}
    gallery.maps.view.choose(gallery.maps.model.candidates[1])
    chosen = gallery.maps.view.current()
    searches = list[bool]()
    gallery.finder.search.job.busy_changed.connect(searches.append)
    with qtbot.waitSignal(desk.rolling.logged):
        gallery.maps.map_actions.take.trigger()
    shown = desk.rolling.target().roll
    assert (shown.seed, shown.number) == chosen.key
    desk.docks.show("gallery")
    qtbot.waitUntil(lambda: gallery.maps.model.is_on_desk(chosen))
    assert desk.document.battlemap.terrain_set.terrains[0].name == f"grass_{chosen.roll.number}"
    assert not searches, (
        "a map with other terrains as the current one changes no map of the gallery"
    )


@pytest.mark.deep
def test_an_error_of_a_saved_script_is_shown_and_the_last_good_map_stays(qtbot, desk, bay):
    roll(qtbot, desk)
    panel = desk.docks.panel("randomize")
    shown = desk.document.composite.copy()
    good = desk.rolling.target().roll
    assert panel.console.fold_button.text() == "Console: 2 lines, 1 warning"
    panel.editor.go_to(5)
    panel.console.list.itemClicked.emit(panel.console.list.item(1))
    assert panel.editor.cursor_place()[0] == 1
    with qtbot.waitSignal(desk.rolling.logged):
        bay.write_text(SCRIPT.replace("yield 50", "nothing.at.all"), "utf-8")
    assert panel.console.fold_button.text() == "Console: 2 lines, 1 warning"
    problem = panel.problem_list.chosen
    assert "nothing is not defined" in problem.message
    panel.problem_list.activated.emit(problem)
    assert panel.editor.cursor_place()[0] == 8
    assert desk.document.composite.same_as(shown)
    with qtbot.waitSignal(desk.rolling.logged):
        bay.write_text(SCRIPT, "utf-8")
    assert desk.rolling.target().roll == good
    library = bay.parent / "bay" / "library.js"
    with qtbot.waitSignal(desk.rolling.logged):
        library.write_text(LIBRARY.replace("const size", "oops(); const size"), "utf-8")
    problem = panel.problem_list.chosen
    assert "bay (maps/random/bay/library.js:3)" in problem.message
    panel.problem_list.activated.emit(problem)
    assert panel.editor.cursor_place()[0] == 9, "where the script calls it"
    with qtbot.waitSignal(desk.rolling.logged):
        library.write_text("function bay() {\n\tconst const;\n}\n", "utf-8")
    with qtbot.waitSignal(panel.message) as said:
        panel.problem_list.activated.emit(panel.problem_list.chosen)
    assert "another file: maps/random/bay/library.js, line 2" in said.args[0]
    assert desk.document.composite.same_as(shown)
    with qtbot.waitSignal(desk.rolling.logged):
        library.write_text(LIBRARY.replace("fill(2300)", "fill(2400)"), "utf-8")
    assert desk.document.composite.planes["height"].max() == 2400
    assert desk.rolling.target().roll.seed == good.seed


def test_a_mistake_that_check_and_roll_find_is_listed_once(qtbot, desk, bay):
    roll(qtbot, desk)
    panel = desk.docks.panel("randomize")
    with qtbot.waitSignal(desk.rolling.logged):
        bay.write_text(SCRIPT.replace("yield 50", "yield = 50"), "utf-8")
    qtbot.waitUntil(lambda: desk.scripts.checker.fresh)
    found = (*desk.scripts.checker.result.problems, *panel.problem_list.problems)
    assert len({each.message for each in found}) == 1
    assert len(panel.problem_list.problems) == 1


@pytest.mark.deep
def test_islands_are_rolled_in_processes_and_measured(qtbot, desk):
    finished(desk.scripts.opening.open_generator(_islands()))
    desk.scripts.settings.set({"Size": 64})
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    assert roll_pool().idle
    values = [candidate.batch.measured["balance"][0] for candidate in gallery.maps.model.candidates]
    assert all(value >= 1 and math.isfinite(value) for value in values)


def _islands():
    from randomizer.catalog.generators import generator_without_script

    return generator_without_script(system_named("zeroad"))
