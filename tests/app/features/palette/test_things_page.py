"""Things on a map: placed from the palette, picked, changed in the form, copied, turned."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.features.palette.kind_list import KIND
from app.features.palette.thing_settings import VARIOUS, settings_of_things
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.record_edits import RecordSet
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from tests.app.conftest import finished_picture, mouse, right_click, turn_wheel
from tests.app.saves import saved
from tests.systems import system_like
from tests.test_system.system import BREEDS, SYSTEM

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def features() -> tuple[str, ...]:
    return (
        "palette",
        "tools",
        "selection",
        "view",
        "files",
        "cell_menu",
        "layers",
        "status_bar",
        "history",
    )


class Desk:
    """The window with a map of Test land, the tool of things in hand, and ways to use both."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot = qtbot
        self.window = window
        self.desk = window.desk
        self.document = window.desk.document
        self.document.show_map(
            BattleMap.new(SYSTEM, layers=[Layer(1, "Ground"), Layer(2, "Units")])
        )
        self.desk.commands.run("tool.things")
        self.page = self.desk.docks.panel("palette").things

    def at(self, x: float, y: float) -> QPoint:
        return self.desk.canvas.viewport.to_screen(x, y).toPoint()

    def drag(self, *places: tuple[float, float], modifiers=None) -> None:
        canvas = self.desk.canvas
        points = [self.at(*place) for place in places]
        mouse(canvas, "MouseButtonPress", points[0], LEFT, LEFT, modifiers)
        for point in points[1:]:
            mouse(canvas, "MouseMove", point, NONE, LEFT, modifiers)
        mouse(canvas, "MouseButtonRelease", points[-1], LEFT, NONE, modifiers)

    click = drag

    def choose(self, title: str) -> None:
        """Click a kind in the palette."""
        kinds = self.page.kinds
        (row,) = (row for row in self.rows() if row.text().split(" (")[0] == title)
        box = kinds.visualItemRect(row)
        QTest.mouseClick(kinds.viewport(), LEFT, pos=box.center())

    def rows(self):
        kinds = self.page.kinds
        return [kinds.item(row) for row in range(kinds.count())]

    def put(self, *things: Thing, layer: int = 2) -> None:
        self.document.push(ThingsEdit(layer, (), things), "Put")

    def things(self) -> list[Thing]:
        layers = self.document.battlemap.layers
        return [thing for layer in layers for thing in layer.things.values()]

    @property
    def form(self):
        self.qtbot.waitUntil(lambda: self.page.form.up_to_date)
        return self.page.form.form

    @property
    def picked(self) -> list[int]:
        return [thing.id for thing in self.document.picked]

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [step.text for step in history.steps[: history.index]]


@pytest.fixture
def desk(qtbot, window) -> Desk:
    return Desk(qtbot, window)


def test_the_palette_offers_the_kinds_of_the_map_and_places_them(desk):
    assert [row.text() for row in desk.rows()] == ["Pick only", "Shepherd", "Sheep", "Cairn"]
    desk.choose("Shepherd")
    desk.click((3, 4))
    (placed,) = desk.things()
    assert (placed.kind, placed.x, placed.y) == ("shepherd", 3.0, 4.0)
    assert desk.steps == ["Place a thing"]
    desk.qtbot.waitUntil(lambda: desk.rows()[1].text() == "Shepherd (1)")
    desk.choose("Pick only")
    desk.click((6, 6))
    assert len(desk.things()) == 1


def test_kinds_that_the_game_does_not_know_are_shown_too(desk):
    desk.put(Thing(5, "gaia/dragon", 3.0, 3.0))
    desk.qtbot.waitUntil(lambda: len(desk.rows()) == 5)
    assert desk.rows()[4].text() == "gaia/dragon (1)"
    desk.document.undo()
    desk.qtbot.waitUntil(lambda: len(desk.rows()) == 4)


def test_kinds_may_come_from_a_record_of_the_map(desk):
    desk.put(Thing(1, "goat", 3.0, 3.0))
    desk.qtbot.waitUntil(lambda: desk.rows()[-1].text() == "goat (1)")
    before = finished_picture(desk.desk.canvas, desk.qtbot)
    desk.document.push(RecordSet(BREEDS, None, MapRecord("goat #aa2200")), "Breed goats")
    desk.qtbot.waitUntil(lambda: desk.rows()[4].text() == "Goat (1)")
    assert finished_picture(desk.desk.canvas, desk.qtbot) != before, "it has the colour of its kind"
    desk.document.undo()
    desk.qtbot.waitUntil(lambda: desk.rows()[4].text() == "goat (1)")
    assert finished_picture(desk.desk.canvas, desk.qtbot) == before


def test_maps_without_things_show_nothing_of_them(desk):
    commands = desk.desk.commands
    tabs = desk.desk.docks.panel("palette").tabs
    assert not tabs.isHidden()
    assert commands.action("tool.things").isVisible()
    desk.document.show_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    assert tabs.isHidden()
    offered = commands.offered(fill=True)
    assert "tool.terrain" in offered
    assert not [name for name in offered if "things" in name]
    assert not desk.desk.tools.uses("things"), "another tool is in hand"


def test_the_pages_follow_the_tool_and_the_tool_follows_the_tabs(desk):
    pages = desk.desk.docks.panel("palette")
    assert pages.tabs.currentIndex() == 1
    QTest.mouseClick(pages.tabs, LEFT, pos=pages.tabs.tabRect(0).center())
    assert desk.desk.tools.uses("terrain")
    assert pages.ground.isVisible()
    QTest.mouseClick(pages.tabs, LEFT, pos=pages.tabs.tabRect(1).center())
    assert desk.desk.tools.uses("things")
    assert pages.things.isVisible()


def test_the_form_shows_the_picked_thing_and_every_change_is_one_step(desk):
    desk.put(Thing(1, "shepherd", 3.0, 3.0, owner=1, state={"strength": 7}))
    desk.click((3, 3))
    form = desk.form
    assert form.values() == {
        "kind": "shepherd",
        "label": "",
        "owner": 1,
        "angle": 0.0,
        "state.strength": 7,
        "state.order": "stay",
        "state.asleep": False,
    }
    assert desk.page.form.heading.text() == "Shepherd (Ann)"
    label = form.field("label")
    label.setFocus()
    QTest.keyClicks(label, "Amos")
    assert desk.things()[0].label == "", "a text counts when its field is left"
    QTest.keyClick(label, Key.Key_Return)
    assert desk.things()[0].label == "Amos"
    form.field("state.order").setCurrentIndex(1)
    form.field("state.asleep").click()
    form.field("owner").setCurrentIndex(2)
    (thing,) = desk.things()
    assert dict(thing.state) == {"strength": 7, "order": "walk", "asleep": True}
    assert thing.owner == 2
    assert desk.steps == ["Put", "Change label", "Change order", "Change asleep", "Change owner"]
    for _ in range(4):
        desk.document.undo()
    assert desk.form.values()["owner"] == 1
    assert desk.things() == [Thing(1, "shepherd", 3.0, 3.0, owner=1, state={"strength": 7})]


@pytest.mark.parametrize("times", [1, 2])
def test_undo_on_the_tool_bar_takes_a_label_back_that_is_being_typed_and_redo_brings_it(
    desk, times
):
    desk.put(Thing(1, "shepherd", 3.0, 3.0), Thing(2, "sheep", 5.0, 3.0))
    desk.click((3, 3))
    desk.form.field("owner").setCurrentIndex(1)
    label = desk.form.field("label")
    label.setFocus()
    QTest.keyClicks(label, "Amos")
    undo, redo = (desk.desk.commands.action(f"edit.{name}") for name in ("undo", "redo"))
    bar = desk.window.addToolBar("Undo")
    bar.addActions([undo, redo])
    for _ in range(times):
        QTest.mouseClick(bar.widgetForAction(undo), LEFT)
    assert desk.steps == ["Put", "Change owner"][: 3 - times]
    assert [thing.label for thing in desk.things()] == ["", ""]
    for _ in range(times):
        QTest.mouseClick(bar.widgetForAction(redo), LEFT)
    assert [thing.label for thing in desk.things()] == ["Amos", ""]
    assert desk.form.values()["label"] == "Amos"


def test_of_several_the_form_shows_what_they_share_and_changes_all(desk):
    desk.put(
        Thing(1, "shepherd", 3.0, 3.0, owner=1, state={"strength": 7}),
        Thing(2, "shepherd", 5.0, 3.0, owner=2, angle=90.0, state={"strength": 7}),
        Thing(3, "sheep", 7.0, 3.0, owner=2),
    )
    desk.drag((2.3, 2.3), (5.7, 3.7))
    assert desk.picked == [1, 2]
    values = desk.form.values()
    assert values["state.strength"] == 7
    assert "owner" not in values
    assert desk.form.field("owner").currentText() == "(various)"
    desk.form.field("state.strength").setValue(9)
    assert [dict(thing.state).get("strength") for thing in desk.things()] == [9, 9, None]
    desk.form.field("owner").setCurrentIndex(2)
    assert [thing.owner for thing in desk.things()] == [1, 1, 2]
    assert desk.steps == ["Put", "Change strength", "Change owner"]
    desk.click((7, 3), modifiers=SHIFT)
    assert set(desk.form.values()) <= {"kind", "label", "owner", "angle"}, "they are of two kinds"
    assert desk.page.form.heading.text() == "3 things"
    owners = desk.form.field("owner")
    offered = [owners.itemText(row) for row in range(owners.count())]
    assert offered == ["(various)", "Nobody", "Ann", "Ben"], "as both kinds have them"


def test_the_form_says_what_new_things_are_like_while_none_is_picked(desk):
    desk.choose("Shepherd")
    assert desk.page.form.heading.text() == "New: Shepherd"
    desk.form.field("owner").setCurrentIndex(1)
    desk.form.field("state.strength").setValue(3)
    desk.click((2, 2))
    desk.click((4, 2))
    assert [(thing.owner, dict(thing.state)) for thing in desk.things()] == [
        (1, {"strength": 3}),
        (1, {"strength": 3}),
    ]
    desk.choose("Pick only")
    desk.document.pick(())
    desk.page.form.show_things()
    assert desk.page.form.isHidden()


def test_a_new_thing_belongs_to_the_owner_that_was_used_last(desk):
    """Whether he was chosen for the next thing or for one that stands there already."""
    desk.choose("Shepherd")
    desk.click((2, 2))
    desk.click((2, 2))  # picks it
    desk.form.field("owner").setCurrentIndex(1)
    desk.choose("Pick only")
    desk.choose("Shepherd")
    desk.click((4, 2))
    desk.document.pick(())
    desk.page.form.show_things()
    desk.form.field("owner").setCurrentIndex(2)
    desk.click((6, 2))
    assert [thing.owner for thing in desk.things()] == [1, 1, 2]


def test_values_that_do_not_fit_the_form_are_shown_and_kept(desk):
    odd = Thing(1, "shepherd", 3.0, 3.0, owner=77, state={"strength": 2**40, "order": "dance"})
    far = Thing(2, "cairn", 5.0, 3.0, owner=2**62)
    desk.put(odd, far)
    desk.click((3, 3))
    assert desk.form.field("state.order").currentText() == "dance"
    assert desk.form.field("owner").currentText() == "77"
    desk.click((5, 3))
    desk.form.field("label").setText("Far")
    QTest.keyClick(desk.form.field("label"), Key.Key_Return)
    assert desk.things()[1].owner == 2**62
    assert desk.things()[0] == odd


def test_a_locked_layer_is_refused_and_the_form_shows_what_holds(desk):
    desk.put(Thing(1, "shepherd", 3.0, 3.0))
    desk.click((3, 3))
    desk.document.battlemap.layer(2).locked = True
    said = []
    desk.document.work_refused.connect(said.append)
    desk.form.field("owner").setCurrentIndex(1)
    assert said == ["The layer Units is locked: unlock it to change it."]
    assert desk.form.values()["owner"] == 0
    assert desk.steps == ["Put"]


def test_picked_things_are_copied_pasted_cut_deleted_and_duplicated(desk):
    run = desk.desk.commands.run
    desk.put(
        Thing(1, "shepherd", 3.0, 3.0, 90.0, 1, "Amos", {"strength": 4}),
        Thing(2, "sheep", 4.0, 3.0),
    )
    desk.drag((2.3, 2.3), (4.7, 3.7))
    run("edit.copy")
    run("edit.paste")
    assert desk.desk.tools.uses("stamp")
    mouse(desk.desk.canvas, "MouseMove", desk.at(8, 7), NONE, NONE)
    shown = desk.desk.canvas.overlays.preview.things
    assert [thing.kind for thing in shown] == ["shepherd", "sheep"], "they are shown before"
    desk.click((8, 7))
    added = {thing.id: thing for thing in desk.things()[2:]}
    assert set(added) == {3, 4}, "copies have ids of their own"
    assert {(thing.kind, thing.label, thing.owner) for thing in added.values()} == {
        ("shepherd", "Amos", 1),
        ("sheep", "", 0),
    }
    assert {dict(thing.state).get("strength") for thing in added.values()} == {4, None}
    QTest.keyClick(desk.desk.canvas, Key.Key_Escape)
    assert desk.desk.tools.uses("things")

    desk.click((3, 3))
    run("things.duplicate")
    (copy,) = desk.document.picked
    assert (copy.id, copy.label) == (5, "Amos")
    assert (copy.x, copy.y) != (3.0, 3.0)
    run("edit.delete")
    assert len(desk.things()) == 4
    desk.click((4, 3))
    run("edit.cut")
    assert [thing.id for thing in desk.things()] == [1, 3, 4]
    assert desk.steps == ["Put", "Stamp", "Duplicate a thing", "Delete a thing", "Cut a thing"]
    while desk.document.history.next_undo:
        desk.document.undo()
    assert desk.things() == []


def test_all_of_a_kind_are_picked_and_turned(desk):
    run = desk.desk.commands.run
    desk.put(*(Thing(n, "sheep" if n % 2 else "cairn", n * 1.0, 3.0) for n in range(1, 9)))
    desk.click((3, 3))
    run("things.pick-alike")
    assert desk.picked == [1, 3, 5, 7]
    run("edit.turn-stamp-right")
    assert {thing.angle for thing in desk.document.picked} == {45.0}
    assert desk.steps == ["Put", "Turn 4 things"]
    QTest.keyClick(desk.desk.canvas, Key.Key_Escape)
    assert desk.picked == []


def test_the_status_bar_and_the_layers_name_things(desk):
    desk.put(
        Thing(1, "shepherd", 3.0, 3.0, owner=1, label="Amos"),
        *(Thing(n, "sheep", 3.0, 3.1) for n in range(2, 7)),
    )
    mouse(desk.desk.canvas, "MouseMove", desk.at(3, 3), NONE, NONE)
    place = desk.window.findChild(object, "place")
    assert "Sheep, Sheep, Sheep, 3 more things" in place.text()
    desk.document.undo()
    desk.put(Thing(1, "shepherd", 3.0, 3.0, owner=1, label="Amos"))
    assert "Shepherd “Amos” (Ann)" in place.text()
    rows = desk.desk.docks.panel("layers").list
    spoken = [
        rows.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(rows.count())
    ]
    assert spoken == ["Units, 1 thing", "Ground"]
    desk.window.grab()


def test_within_a_cell_the_status_bar_says_what_the_thing_below_the_mouse_allows(desk):
    desk.put(Thing(1, "sheep", 3.3, 3.0))
    desk.document.battlemap.layer(2).locked = True
    place = desk.window.findChild(object, "place")
    mouse(desk.desk.canvas, "MouseMove", desk.at(2.7, 3), NONE, NONE)
    assert "locked" not in place.text()
    mouse(desk.desk.canvas, "MouseMove", desk.at(3.3, 3), NONE, NONE)
    assert "The layer Units is locked" in place.text()


def test_kinds_are_chosen_and_filtered_with_the_keyboard(desk, monkeypatch):
    kinds = desk.page.kinds
    kinds.setFocus()
    QTest.keyClick(kinds, Key.Key_Down)
    assert desk.desk.tools.options.thing.kind == "shepherd"
    QTest.keyClick(kinds, Key.Key_Down)
    assert desk.desk.tools.options.thing.kind == "sheep"
    desk.page.filter.setText("ca")
    assert [row.data(KIND) for row in desk.rows()] == ["", "cairn"]


def test_a_label_that_is_being_typed_is_saved_and_belongs_to_its_map(testsys, desk, tmp_path):
    desk.put(Thing(1, "shepherd", 3.0, 3.0))
    assert saved(desk.desk.files.saving.save_to, tmp_path / "flock.battlemap", is_confirmed=True)
    desk.click((3, 3))
    desk.window.activateWindow()
    label = desk.form.field("label")
    label.setFocus()
    QTest.keyClicks(label, "Amos")
    desk.desk.commands.run("file.save")
    desk.qtbot.waitUntil(lambda: not desk.document.modified)
    written = read_project((tmp_path / "flock.battlemap").read_bytes()).battlemap
    assert written is not None
    assert written.layers[1].things[1].label == "Amos"
    QTest.keyClicks(label, " II")
    first = desk.document.current_map
    desk.document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Other")]))
    assert first.battlemap.layers[1].things[1].label == "Amos II"
    assert desk.things() == []
    desk.document.make_current(first)
    assert desk.steps == ["Put", "Change label", "Change label"]


def test_who_takes_up_the_tool_of_things_sees_them(desk):
    commands = desk.desk.commands
    commands.run("tool.terrain")
    commands.run("view.placed-things")
    assert not desk.desk.renderer.overlays.things
    commands.run("tool.things")
    assert desk.desk.renderer.overlays.things
    assert commands.action("view.placed-things").isChecked()


def menu_at(desk, x: float, y: float) -> QMenu:
    """The menu that a right click opens."""
    menu = right_click(desk.desk.canvas, desk.at(x, y))
    assert isinstance(menu, QMenu)
    return menu


def entries(menu: QMenu) -> dict[str, QAction]:
    return {action.text().replace("&", ""): action for action in menu.actions()}


def test_the_menu_of_a_cell_turns_deletes_and_opens_the_things_on_it(desk):
    desk.put(
        Thing(1, "shepherd", 3.0, 3.0, label="Amos & Co"),
        Thing(2, "sheep", 3.0, 3.0),
        Thing(3, "sheep", 6.0, 6.0),
    )
    desk.desk.commands.run("tool.terrain")
    menu = menu_at(desk, 3, 3)
    titles = [action.text() for action in menu.actions() if action.menu()]
    assert titles == ["Sheep", "Shepherd “Amos && Co”"], "the topmost comes first"
    amos = menu.actions()[2].menu()
    assert list(entries(amos)) == [
        *("Properties", "Duplicate", "Turn right", "Turn left", "Delete"),
    ]
    entries(amos)["Turn right"].trigger()
    assert [thing.angle for thing in desk.things()] == [45.0, 0.0, 0.0]
    menu.close()
    menu = menu_at(desk, 3, 3)
    entries(menu.actions()[1].menu())["Delete"].trigger()
    menu.close()
    assert [thing.id for thing in desk.things()] == [1, 3]
    assert desk.desk.tools.uses("terrain"), "the tool in hand stays"
    assert desk.picked == []
    menu = menu_at(desk, 3, 3)
    entries(menu.actions()[1].menu())["Properties"].trigger()
    menu.close()
    assert desk.picked == [1]
    assert desk.form.values()["label"] == "Amos & Co"
    menu = menu_at(desk, 3, 3)
    entries(menu.actions()[1].menu())["Duplicate"].trigger()
    menu.close()
    assert desk.steps == ["Put", "Turn a thing", "Delete a thing", "Duplicate a thing"]


def test_the_menu_of_a_cell_is_for_all_that_are_picked_if_one_of_them_is_there(desk):
    desk.put(Thing(1, "shepherd", 3.0, 3.0), Thing(2, "sheep", 5.0, 3.0))
    desk.drag((2.3, 2.3), (5.7, 3.7))
    menu = menu_at(desk, 3, 3)
    assert menu.actions()[1].text() == "2 things"
    entries(menu.actions()[1].menu())["Delete"].trigger()
    menu.close()
    assert desk.things() == []
    assert desk.steps == ["Put", "Delete 2 things"]
    menu = menu_at(desk, 3, 3)
    assert not [action for action in menu.actions() if action.menu()]
    menu.close()


def test_kinds_stand_under_headings_with_their_numbers(desk):
    trees = [ThingKind(name, name.title(), icon="tree", group="Trees") for name in ("oak", "pine")]
    rocks = ThingKind("rock", "Rock", icon="stone", group="Stone")
    system = system_like(SYSTEM, thing_kinds=lambda _map: (*trees, rocks))
    things = Things(Thing(n, kind, n, 3.0) for n, kind in enumerate(("oak", "oak", "pine"), 1))
    layer = Layer(1, "Ground")
    layer.things = things
    desk.document.open_map(BattleMap.new(system, layers=[layer]))
    desk.qtbot.waitUntil(lambda: desk.rows()[1].text() == "Trees: 3 on this map")
    shown = [row.text() for row in desk.rows()]
    assert shown == ["Pick only", "Trees: 3 on this map", "Oak (2)", "Pine (1)", "Stone", "Rock"]
    before = desk.desk.tools.options.thing
    # As a click on a row that is out of sight.
    desk.page._place_kind_of_row(desk.rows()[1])
    assert desk.desk.tools.options.thing == before, "a heading is no kind"
    desk.page.filter.setText("pine")
    assert [row.text() for row in desk.rows() if not row.isHidden()] == [
        "Pick only",
        "Trees: 1 on this map",
        "Pine (1)",
    ]
    desk.page.filter.setText("stone")
    assert [row.text() for row in desk.rows() if not row.isHidden()] == [
        "Pick only",
        "Stone",
        "Rock",
    ]


def test_shift_and_the_wheel_turn_what_is_picked_and_what_is_placed_next(desk):
    desk.put(Thing(1, "sheep", 3.0, 3.0))
    canvas = desk.desk.canvas
    view = desk.desk.canvas.viewport
    desk.click((3.0, 3.0))
    assert desk.picked == [1]
    turn_wheel(canvas, -1, point=desk.at(3.0, 3.0), modifiers=SHIFT)
    (sheep,) = desk.things()
    assert sheep.angle == 45.0
    turn_wheel(canvas, 2, point=desk.at(3.0, 3.0), modifiers=SHIFT)
    assert desk.things()[0].angle == 0.0
    desk.choose("Sheep")
    turn_wheel(canvas, -1, point=desk.at(5.0, 5.0), modifiers=SHIFT)
    desk.click((6.0, 6.0))
    assert desk.things()[1].angle == 45.0
    assert canvas.viewport == view, "nothing was zoomed"
    desk.document.pick(())
    desk.desk.tools.options.choose(thing=None)
    turn_wheel(canvas, -1, point=desk.at(5.0, 5.0), modifiers=SHIFT)
    assert canvas.viewport != view, "nothing to turn: it zooms"


def test_an_angle_is_shown_within_one_turn_and_kept_as_it_is():
    things = [Thing(1, "tree", 0, 0, angle) for angle in (-90.0, 270.0, 630.0)]
    _settings, values = settings_of_things(things, {})
    assert values["angle"] == 270.0
    assert [thing.angle for thing in things] == [-90.0, 270.0, 630.0]


def test_angles_that_differ_are_various():
    settings, values = settings_of_things(
        [Thing(1, "a", 0, 0, -90.0), Thing(2, "a", 0, 0, 90.0)], {}
    )
    assert "angle" not in values
    assert next(setting for setting in settings if setting.name == "angle").unset == VARIOUS
