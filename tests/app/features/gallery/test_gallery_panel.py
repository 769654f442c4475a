"""The gallery of a generator of another system, which makes one map after the other."""

from __future__ import annotations

from threading import Event
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.gallery.messages import describe_end
from app.features.gallery.panel import GalleryPanel
from app.features.gallery.pins import pins_text, read_pins
from app.features.gallery.search import Ended
from app.features.gallery.sorting import GallerySorting
from app.render.renderer import Renderer
from app.render.theme import theme
from app.rolling.roll_setup import RollSetup
from app.widgets.layout.builders import scrolled
from randomizer.batches.batch import measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.processes.pool import AHEAD
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM, free_map


class Dots(BatchGenerator):
    """One dot on a table of squares; every map with a number of 5, 15 ... fails."""

    name = "Dots"
    text = ""
    system = SYSTEM
    settings = ()
    metadata = Metadata("Dots", "dots.none", "")

    def generate(self, settings, key, base):
        yield 1
        if key.number % 10 == 5:
            raise error("no-dot", "there is no dot")
        terrain = SYSTEM.plane("terrain").allocate(base.grid)
        terrain.flat[key.number % base.grid.size] = 1 + key.seed
        roll = Roll(self.name, "dots.none", "", dict(settings), *key)
        return Generated((Layer(0, "Dot", planes={"terrain": terrain}, roll=roll),), key.number)


class Source:
    """A table, and the dots for it."""

    refusal = ""

    def __init__(self):
        self.battlemap = free_map(SQUARE, 9, 6)
        self.roll_setup = RollSetup("", Dots, {})

    def why_not(self, *, are_maps_shown):
        return self.refusal

    def setup(self):
        return self.roll_setup

    def base(self):
        return Base.under(self.battlemap, 1)

    def roll_on_map(self):
        return None

    def open_map(self):
        return self  # any object will do: it stands for the one map

    def first_seed(self):
        return 0


@pytest.fixture
def source():
    return Source()


@pytest.fixture
def panel(qtbot, source):
    panel = GalleryPanel(source, Renderer(theme("light")))
    qtbot.addWidget(panel)
    panel.resize(700, 400)
    panel.show()
    panel.finder.watch(True)
    qtbot.waitUntil(lambda: panel.status.message.text().startswith("Seed"))
    return panel


def test_maps_that_cannot_be_made_stand_among_the_others_with_their_problem(panel, qtbot):
    assert [candidate.roll.number for candidate in panel.maps.model.candidates] == list(range(48))
    assert panel.status.message.text() == "Seed 0, no. 0 to 47; 5 of them make no map"
    failed = [candidate for candidate in panel.maps.model.candidates if candidate.problems]
    assert [each.roll.number for each in failed] == [5, 15, 25, 35, 45]
    words = panel.maps.model.data(panel.maps.model.index(5), Qt.ItemDataRole.ToolTipRole)
    assert words == f"{failed[0].name}\nthere is no dot"
    panel.maps.view.choose(failed[0])
    commands = panel.maps.map_actions
    assert (commands.take.isEnabled(), commands.open.isEnabled()) == (True, False)
    for candidate in panel.maps.model.candidates:
        if candidate.problems:
            continue
        terrain = candidate.batch.planes(candidate.row)["terrain"]
        assert np.flatnonzero(terrain.ravel()).tolist() == [candidate.roll.number]
    panel.maps.view.grab()
    first = panel.maps.model.candidates[0]
    qtbot.waitUntil(lambda: panel.maps.pictures.cached(first.digest) is not None)


def test_more_after_another_seed_was_typed_shows_that_seed_alone(panel, qtbot):
    seed = panel.form.seed_fields.seed
    seed.selectAll()
    QTest.keyClicks(seed, "3")
    panel.status.more.click()
    qtbot.waitUntil(lambda: panel.status.message.text().startswith("Seed 3"))
    rolls = [candidate.roll for candidate in panel.maps.model.candidates]
    assert {roll.seed for roll in rolls} == {3}
    assert [roll.number for roll in rolls] == list(range(48))


def test_a_measure_that_is_not_offered_any_more_leaves_the_order_of_numbers(qtbot):
    sorting = GallerySorting()
    qtbot.addWidget(sorting)
    lakes = measure_of_map("lakes", "Lakes", "How many there are")
    sorting.offer((lakes,))
    sorting.box.setCurrentIndex(sorting.box.findData("lakes"))
    sorting.box.activated.emit(sorting.box.currentIndex())
    assert sorting.direction.isChecked()
    sorting.offer(())
    assert sorting.measure is None
    assert not sorting.direction.isChecked(), "no. 0 comes first"


def test_filters_speak_of_the_cells_of_this_table(panel, qtbot):
    name = SYSTEM.cell_name(panel.maps.model.candidates[0].batch.base.grid, 7)
    dot = SYSTEM.terrain_set.terrains[1].name
    panel.form.filter.request_maps(f"{name} = {dot}")
    qtbot.waitUntil(
        lambda: bool(panel.maps.model.candidates) and len(panel.maps.model.candidates) < 40
    )
    panel.status.cancel_button.click()
    qtbot.waitUntil(lambda: not panel.finder.search.job.busy)
    assert {candidate.roll.number % 54 for candidate in panel.maps.model.candidates} == {7}


def test_a_filter_of_another_kind_of_map_is_not_kept(panel, source, qtbot):
    panel.form.filter.request_maps("count(Swamp) >= 0")
    qtbot.waitUntil(lambda: not panel.finder.search.job.busy)
    source.battlemap = free_map(SQUARE, 8, 5)
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: not panel.finder.busy)
    assert panel.form.filter.text() == "count(Swamp) >= 0", "another map of the same kind"
    source.battlemap = BattleMap.new(COLOSSUS)
    source.refusal = "These dots are for another kind of map."
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: panel.status.message.text() == source.refusal)
    assert panel.form.filter.text() == ""


def test_why_nothing_can_be_rolled_is_said(panel, source, qtbot):
    source.refusal = "There is no script."
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: panel.status.message.text() == "There is no script.")


def test_pins_are_read_again_and_what_is_no_pin_is_left_out():
    pin = Roll("", "My.rnd", "AREA", {"BaseHeight": 1}, 5, 17)
    assert read_pins(pins_text([pin])) == (pin,)
    assert read_pins("") == read_pins("nonsense") == read_pins('{"a": 1}') == ()
    assert read_pins('[{"seed": 1}, 7]') == ()


class HeldDots(Dots):
    """From map 20 on they are not made before they are let go."""

    rolled = 0
    let_go = Event()

    def generate(self, settings, key, base):
        type(self).rolled += 1
        assert key.number < 20 or self.let_go.wait(60)
        return (yield from super().generate(settings, key, base))


def test_a_panel_at_the_side_is_narrow_and_says_all_the_same(panel, qtbot):
    assert panel.minimumSizeHint().width() <= 320
    heights = {}
    for width in (320, 1200):
        panel.resize(width, 500)
        qtbot.waitUntil(lambda width=width: panel.width() == width)
        heights[width] = panel.maps.view.height()
        for part in (
            panel.form.filter,
            panel.form.sorting,
            panel.form.seed_fields,
            panel.form.slider,
            panel.status.more,
        ):
            place = part.mapTo(panel, part.rect().bottomRight())
            assert panel.rect().contains(place)
    assert heights[320] < heights[1200]  # the rows took two lines
    panel.resize(320, 500)
    panel.form.filter.request_maps("count(Nobody_has_ever_heard_of_such_a_hazard) >= 2")
    line = panel.status.message.fontMetrics().height()
    qtbot.waitUntil(lambda: panel.status.message.height() >= 2 * line)


def test_in_a_low_window_the_list_is_smaller_and_the_status_stays_in_sight(panel, qtbot):
    area = scrolled(panel)
    qtbot.addWidget(area)
    area.resize(330, 260)
    area.show()
    qtbot.waitUntil(lambda: area.isVisible() and panel.width() <= 330)
    more = panel.status.more
    foot = more.mapTo(area, more.rect().bottomRight())
    assert area.rect().contains(foot)
    assert panel.maps.view.height() > 60
    area.takeWidget()  # the panel is the test's again


def test_a_filter_that_no_map_passes_is_told_where_the_pictures_would_be(panel, qtbot):
    panel.form.filter.request_maps("count(Cliff) = 1 and count(Cliff) = 0")
    qtbot.waitUntil(lambda: panel.status.searching.isVisible())
    panel.status.cancel_button.click()
    qtbot.waitUntil(lambda: not panel.finder.search.job.busy and not panel.maps.model.candidates)
    assert panel.status.message.text().startswith("None of ")
    assert panel.maps.empty.isVisible()
    words = panel.maps.empty.text()
    assert words.startswith("None of the maps tried passes the filter.")
    panel.form.filter.field.setFocus()
    QTest.keyClick(panel.form.filter.field, Qt.Key.Key_Backspace)
    assert panel.maps.empty.text() == words  # until something else is looked for


def test_nothing_is_rolled_while_nobody_looks_and_then_it_goes_on(panel, source, qtbot):
    source.roll_setup = RollSetup("", HeldDots, {})
    told = []
    panel.finder.search.delivered.connect(lambda found, _first: told.extend(found))
    panel.form.filter.request_maps("count(Grassland) >= 0")
    qtbot.waitUntil(lambda: len(told) > 3)
    panel.finder.watch(False)
    HeldDots.let_go.set()
    qtbot.waitUntil(lambda: not panel.finder.search.job.busy)
    rolled = HeldDots.rolled
    shown = len(panel.maps.model.unpinned)
    assert shown < 48
    qtbot.wait(100)
    assert HeldDots.rolled <= rolled + AHEAD, "what was under way is finished"
    panel.finder.watch(True)
    qtbot.waitUntil(lambda: panel.status.message.text().startswith("48 maps shown"))
    numbers = [each.roll.number for each in panel.maps.model.unpinned]
    assert numbers == [number for number in range(60) if number % 10 != 5][:48]


class MeasuredDots(Dots):
    """Their measure is known when they are rolled; none is rolled twice."""

    settings = (Setting("other", int, "", 0),)
    rolled: ClassVar[list[int]] = []

    def measures(self, _settings):
        return (measure_of_map("rest", "Rest", "The number, without sevens."),)

    def measure_map(self, made, base):
        return {"rest": float(made.number % 7)}

    def generate(self, settings, key, base):
        self.rolled.append(key.number)
        return (yield from super().generate(settings, key, base))


def test_measures_of_single_maps_sort_and_filter_what_was_rolled(panel, source, qtbot):
    setup = RollSetup("", MeasuredDots, {"other": 1}, "other.none")
    source.roll_setup = setup
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: panel.form.sorting.box.findData("rest") > 0)
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.candidates) == 48)
    panel.form.sorting.box.setCurrentIndex(panel.form.sorting.box.findData("rest"))
    panel.form.sorting.chosen.emit()
    qtbot.waitUntil(lambda: panel.maps.model.measure is not None)
    values = [panel.maps.model.value(candidate) for candidate in panel.maps.model.candidates]
    assert values[:43] == sorted(each % 7 for each in range(48) if each % 10 != 5)
    assert values[43:] == [None] * 5, "maps that were not made come last"
    panel.form.filter.request_maps("rest < 2")
    qtbot.waitUntil(lambda: settled(panel) and panel.finder.has_ended)
    assert {each.roll.number % 7 for each in panel.maps.model.unpinned} == {0, 1}
    assert len(panel.maps.model.unpinned) == 48
    assert len(set(MeasuredDots.rolled)) == len(MeasuredDots.rolled)


def settled(panel):
    return not panel.finder.busy


class BadDots(Dots):
    """None can be made."""

    def generate(self, settings, key, base):
        yield 1
        raise error("no-dot", "there is no ink")


def test_a_script_whose_first_maps_fail_alike_rolls_nothing(panel, source, qtbot):
    source.roll_setup = RollSetup("bad", BadDots, {})
    panel.finder.look_for_changes()
    qtbot.waitUntil(
        lambda: panel.status.message.text() == "The script rolls nothing: there is no ink"
    )


def test_cancelling_ends_a_roll_that_never_would(panel, source, qtbot):
    class Endless(Dots):
        def generate(self, settings, key, base):
            while True:
                yield 0

    source.roll_setup = RollSetup("endless", Endless, {})
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: panel.status.searching.isVisible())
    panel.status.cancel_button.click()
    qtbot.waitUntil(lambda: not panel.finder.search.job.busy)
    source.roll_setup = RollSetup("again", Dots, {})
    panel.finder.look_for_changes()
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.unpinned) == 48)


def test_a_hidden_gallery_draws_no_pictures_until_it_is_seen(panel, qtbot):
    qtbot.waitUntil(lambda: not panel.maps.pictures.waiting)
    panel.form.slider.setValue(panel.form.slider.value() + 20)
    first = panel.maps.model.index(0)
    assert panel.maps.model.data(first, Qt.ItemDataRole.DecorationRole) is None
    assert panel.maps.pictures.waiting
    panel.finder.watch(False)
    assert not panel.maps.pictures.waiting
    panel.finder.watch(True)
    panel.maps.view.viewport().update()
    qtbot.waitUntil(
        lambda: panel.maps.model.data(first, Qt.ItemDataRole.DecorationRole) is not None
    )


def test_a_search_that_was_cancelled_before_its_first_map_names_no_numbers() -> None:
    assert describe_end(Ended(0, 0, 0), 7, 0, 0, of_filter=False).text == "Seed 7: no map yet"
    assert describe_end(Ended(3, 3, 3), 7, 0, 3, of_filter=False).text == "Seed 7, no. 0 to 2"
