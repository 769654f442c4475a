"""The tool of things: placing, picking, boxes, dragging, turning; by mouse and by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.tools.thing_placing import turn_things
from randomizer.geometry.symmetry import centred_on
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers_on, with_link
from randomizer.model.map.layer import Layer
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.thing_rules import Settled, ThingRules
from randomizer.model.things.things import Thing
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.free.things import CITY
from tests.app.tools.conftest import GridDriver
from tests.systems import system_like
from tests.test_system.system import SYSTEM

SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
Key = Qt.Key


class ThingsDriver(GridDriver):
    """A canvas on Test land with two layers, the upper one active, and the tool of things."""

    def __init__(self, qtbot) -> None:
        layers = [Layer(1, "Ground"), Layer(2, "Units")]
        super().__init__(qtbot, BattleMap.new(SYSTEM, layers=layers))
        self.use("things")

    def put(self, *things: Thing, layer: int = 2) -> None:
        self.document.push(ThingsEdit(layer, (), things), "Put")

    def place_kind(self, kind: str = "sheep", **more) -> None:
        self.options.choose(thing=Thing(0, kind, 0.0, 0.0, **more))

    def things(self) -> dict[int, tuple[float, float]]:
        """Where each thing of the map is."""
        layers = self.document.battlemap.layers
        return {thing.id: (thing.x, thing.y) for layer in layers for thing in layer.things.values()}

    @property
    def picked(self) -> list[int]:
        return [thing.id for thing in self.document.picked]

    def free(self, x: float, y: float) -> QPoint:
        """The pixel of a point in map units."""
        return self.canvas.viewport.to_screen(x, y).toPoint()

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [step.text for step in history.steps[: history.index]]


@pytest.fixture
def driver(qtbot) -> ThingsDriver:
    return ThingsDriver(qtbot)


@pytest.fixture
def three(driver) -> ThingsDriver:
    """With three sheep in a row."""
    driver.put(*(Thing(number, "sheep", number * 2.0, 2.0) for number in (1, 2, 3)))
    return driver


def test_a_click_on_the_ground_places_the_chosen_kind_at_the_centre(driver):
    driver.click(3, 4)
    assert driver.things() == {}, "no kind is chosen"
    driver.place_kind("shepherd", owner=2, angle=45.0)
    driver.drag(driver.free(3.2, 4.3))
    (placed,) = driver.document.battlemap.layer(2).things.values()
    assert (placed.kind, placed.x, placed.y) == ("shepherd", 3.0, 4.0)
    assert (placed.owner, placed.angle) == (2, 45.0)
    assert driver.steps == ["Place a thing"]
    driver.document.undo()
    assert driver.things() == {}
    driver.click(5, 5)
    assert list(driver.things()) == [2], "an id is never used again"


def test_with_alt_things_lie_where_they_are_put(driver):
    driver.place_kind()
    point = driver.free(3.3, 4.3)
    driver.drag(point, modifiers=ALT)
    (at,) = driver.things().values()
    assert at == pytest.approx(driver.canvas.viewport.to_map(point))
    driver.drag(point, driver.free(6.1, 4.9), modifiers=ALT)
    (at,) = driver.things().values()
    assert at == pytest.approx((6.1, 4.9), abs=0.05)


def test_things_are_picked_and_picks_are_added(three):
    three.click(2, 2)
    assert three.picked == [1]
    three.click(4, 2)
    assert three.picked == [2]
    three.click(6, 2, modifiers=SHIFT)
    assert three.picked == [2, 3]
    three.click(6, 2)
    assert three.picked == [3], "a click on a picked thing picks it alone"
    three.click(8, 8, modifiers=SHIFT)
    assert three.picked == [3]
    three.click(8, 8)
    assert three.picked == []
    assert three.steps == ["Put"], "picking is no step"


def test_a_box_picks_what_lies_in_it(three):
    three.drag(three.free(1.4, 1.4), three.free(3, 3), three.free(4.5, 2.6))
    assert three.picked == [1, 2]
    three.drag(three.free(5.2, 1.4), three.free(7, 3), modifiers=SHIFT)
    assert three.picked == [1, 2, 3]
    three.drag(three.free(7, 7), three.free(9, 9))
    assert three.picked == []


def test_the_box_is_shown_while_it_is_drawn(three):
    three.drag(three.free(1.4, 1.4), three.free(4.5, 2.6), release=False)
    points = three.canvas.overlays.preview.points
    assert points[0] == pytest.approx((1.4, 1.4), abs=0.05)
    assert points[2] == pytest.approx((4.5, 2.6), abs=0.05)
    three.canvas.grab()


def test_dragged_things_keep_their_formation_and_come_to_lie_at_centres(three):
    three.click(2, 2)
    three.click(4, 2, modifiers=SHIFT)
    three.drag(three.at(4, 2), three.at(5, 3), three.free(7.3, 6.2))
    assert three.things() == {1: (5.0, 6.0), 2: (7.0, 6.0), 3: (6.0, 2.0)}
    assert three.picked == [1, 2]
    assert three.steps == ["Put", "Move 2 things"]
    three.document.undo()
    assert three.things() == {1: (2.0, 2.0), 2: (4.0, 2.0), 3: (6.0, 2.0)}


def test_a_thing_that_is_not_picked_is_dragged_alone(three):
    three.click(2, 2)
    three.drag(three.at(6, 2), three.at(6, 5))
    assert three.things() == {1: (2.0, 2.0), 2: (4.0, 2.0), 3: (6.0, 5.0)}
    assert three.picked == [3]
    assert three.steps == ["Put", "Move a thing"]


def test_a_box_that_begins_on_a_tree_picks_the_trees_in_it(driver):
    kinds = (ThingKind("oak", "Oak", icon="tree"), ThingKind("hut", "Hut", icon="building"))
    system = system_like(SYSTEM, thing_kinds=lambda _map: kinds)
    driver.document.open_map(BattleMap.new(system, layers=[Layer(1, "G"), Layer(2, "Units")]))
    driver.document.set_active_layer(2)
    trees = [Thing(n + 1, "oak", 2.0 + n % 3, 2.0 + n // 3) for n in range(9)]
    driver.put(*trees, Thing(10, "hut", 7.0, 7.0))
    driver.drag(driver.free(1.9, 1.9), driver.at(3, 3), driver.free(3.6, 3.6))
    assert driver.picked == [1, 2, 4, 5]
    driver.drag(driver.free(3.9, 3.9), driver.free(4.6, 4.6), modifiers=SHIFT)
    assert driver.picked == [1, 2, 4, 5, 9]
    assert driver.steps == ["Put"], "no tree has moved"
    driver.click(4, 2)
    assert driver.picked == [3]
    driver.click(4, 3, modifiers=SHIFT)
    assert driver.picked == [3, 6]
    driver.drag(driver.at(4, 3), driver.at(5, 3))
    assert [driver.things()[tree] for tree in (3, 6)] == [(5.0, 2.0), (5.0, 3.0)]
    driver.drag(driver.at(7, 7), driver.at(8, 7))
    assert driver.things()[10] == (8.0, 7.0), "a building goes at once"
    assert driver.steps == ["Put", "Move 2 things", "Move a thing"]


def test_escape_takes_a_drag_back_and_going_back_is_no_step(three):
    three.drag(three.at(2, 2), three.at(5, 5), release=False)
    assert three.things()[1] == (5.0, 5.0), "it goes along with the mouse"
    QTest.keyClick(three.canvas, Key.Key_Escape)
    assert three.things()[1] == (2.0, 2.0)
    three.drag(three.at(2, 2), three.at(5, 5), three.at(2, 2))
    assert three.things()[1] == (2.0, 2.0)
    assert three.steps == ["Put"]


def test_a_small_slip_of_a_click_moves_nothing(driver):
    driver.put(Thing(1, "sheep", 3.3, 3.2))
    driver.drag(driver.free(3.3, 3.2), driver.free(3.4, 3.25))
    assert driver.things() == {1: (3.3, 3.2)}
    assert driver.picked == [1]


def test_things_stay_on_the_map(three):
    three.click(2, 2)
    three.click(4, 2, modifiers=SHIFT)
    three.drag(three.at(4, 2), three.at(2, 2), three.at(0, 2))
    assert three.things()[1] == (0.0, 2.0)
    assert three.things()[2] == (2.0, 2.0), "the farthest place at which both are on the map"


def test_the_topmost_visible_thing_is_picked(driver):
    driver.put(Thing(1, "sheep", 3.0, 3.0))
    driver.put(Thing(2, "sheep", 3.1, 3.0), Thing(3, "cairn", 3.0, 3.0), layer=1)
    driver.click(3, 3)
    assert driver.picked == [1]
    driver.document.push(set_visible(driver.document.battlemap, 2, visible=False), "Hide")
    assert driver.picked == [], "what is hidden is not picked"
    driver.click(3, 3)
    assert driver.picked == [3], "the later one lies above"


def test_a_move_goes_to_the_layer_of_the_thing(driver):
    driver.put(Thing(1, "sheep", 3.0, 3.0), layer=1)
    driver.drag(driver.at(3, 3), driver.at(4, 4))
    assert driver.document.battlemap.layer(1).things[1].x == 4.0
    assert driver.document.active_layer_id == 2


def test_locked_and_hidden_layers_are_refused_by_name(three):
    document = three.document
    document.battlemap.layer(2).locked = True
    three.hover(2, 2)
    assert "Units is locked" in three.canvas.overlays.preview.note, "it is said before"
    three.drag(three.at(2, 2), three.at(5, 5))
    assert three.things()[1] == (2.0, 2.0)
    assert three.refused == ["The layer Units is locked: unlock it to change it."]
    three.place_kind()
    three.click(8, 8)
    assert three.refused[1:] == ["The layer Units is locked: unlock it to change it."]
    document.battlemap.layer(2).locked = False
    document.push(set_visible(document.battlemap, 2, visible=False), "Hide")
    three.hover(8, 7)
    assert "Units is hidden" in three.canvas.overlays.preview.note, "it is said before"
    three.click(8, 8)
    assert three.refused[2:] == ["The layer Units is hidden: show it to change it."]
    assert len(three.things()) == 3


def test_what_would_be_placed_is_shown_first(driver):
    driver.place_kind("shepherd")
    driver.hover(4, 4)
    (ghost,) = driver.canvas.overlays.preview.things
    assert (ghost.kind, ghost.x, ghost.y) == ("shepherd", 4.0, 4.0)
    with_ghost = driver.canvas.grab().toImage()
    driver.options.choose(thing=None)
    driver.canvas.refresh_preview()
    assert driver.canvas.overlays.preview.things == ()
    assert driver.canvas.grab().toImage() != with_ghost


@pytest.mark.parametrize(("kind", "count"), [("turn2", 2), ("turn4", 4), ("mirror0", 2)])
def test_twins_are_placed_too_and_look_the_other_way(driver, kind, count):
    grid = driver.grid
    driver.options.choose(symmetry_kind=kind, centre=grid.cell(5, 5))
    driver.place_kind(angle=90.0)
    driver.click(3, 4)
    symmetry = centred_on(grid, kind, grid.cell(5, 5))
    cells = {grid.cell_at(*at) for at in driver.things().values()}
    assert cells == {grid.cell(3, 4), *symmetry.twins(grid, grid.cell(3, 4))}
    assert len(driver.things()) == count
    angles = {thing.angle for thing in driver.document.battlemap.layer(2).things.values()}
    assert len(angles) == (4 if count == 4 else 2 if kind == "turn2" else len(angles))
    assert driver.steps == ["Place a thing"]
    driver.click(5, 5)
    assert len(driver.things()) == count + 1, "the centre is its own twin"


def test_picked_things_turn_and_so_does_what_is_placed(three):
    tool = three.tools["things"]
    document = three.document
    three.click(2, 2)
    three.click(4, 2, modifiers=SHIFT)
    document.push(turn_things(document.battlemap, document.picked, 1), "Turn")
    document.push(turn_things(document.battlemap, document.picked, -2), "Turn")
    angles = [thing.angle for thing in document.battlemap.layer(2).things.values()]
    assert angles == [315.0, 315.0, 0.0]
    document.pick(())
    three.place_kind()
    tool.turn_next(document, 1)
    assert three.options.thing.angle == 45.0


def test_the_keyboard_places_finds_and_moves_things(driver):
    canvas = driver.canvas
    driver.place_kind()
    for key in (Key.Key_Right, Key.Key_Return):
        QTest.keyClick(canvas, key)
    ((x, y),) = driver.things().values()
    driver.options.choose(thing=None)
    driver.put(Thing(7, "shepherd", x + 0.3, y - 0.3, owner=1, label="Amos"))
    QTest.keyClick(canvas, Key.Key_Period)
    assert canvas.accessibleDescription() == "Shepherd “Amos” (Ann)", "the topmost first"
    QTest.keyClick(canvas, Key.Key_Return)
    assert driver.picked == [7]
    QTest.keyClick(canvas, Key.Key_Period)
    assert canvas.accessibleDescription() == "Sheep"
    QTest.keyClick(canvas, Key.Key_Period)
    assert "Sheep" in canvas.accessibleDescription(), "the cell as a whole names its things"
    QTest.keyClick(canvas, Key.Key_Return, SHIFT)
    for key in (Key.Key_Left, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(canvas, key)
    assert driver.things() == {1: (x - 1, y + 1), 7: (x + 0.3, y - 0.3)}
    assert driver.steps[-1] == "Move a thing"


def test_a_side_chosen_for_another_tool_does_not_move_the_pointer_away_from_a_thing(qtbot):
    """On a free map the keyboard goes round sides with most tools, round things with *Things*."""
    battlemap = BattleMap.new(FREE, Grid(FLAT, 8, 6), [Layer(1, "Ground")])
    driver = GridDriver(qtbot, battlemap)
    canvas = driver.canvas
    cell = driver.grid.cell(3, 2)
    x, y = driver.grid.centre(cell)
    city = Thing(7, CITY, x + 0.3, y - 0.3)
    driver.document.push(ThingsEdit(1, (), (city,)), "Put")
    driver.use("terrain")
    canvas.keyboard_cursor.go_to(cell)
    QTest.keyClick(canvas, Key.Key_Period)
    assert canvas.keyboard_cursor.target.side == 0
    driver.use("things")
    QTest.keyClick(canvas, Key.Key_Period)
    pointer = canvas.active_tool.pointer
    assert (pointer.x, pointer.y) == (city.x, city.y)


def test_maps_of_other_games_have_no_such_tool(driver):
    tool = driver.tools["things"]
    assert tool.suits(SYSTEM)
    assert not tool.why_not(SYSTEM)
    assert not tool.suits(COLOSSUS)
    assert tool.why_not(COLOSSUS) == "A Colossus battleland has no things."


# --- a system with rules for its things --------------------------------------------------------


def _loaded(battlemap: BattleMap, things) -> Settled:
    """Carts carry what comes onto their cell; two carts get in each other's way."""
    grid = battlemap.grid
    made = []
    words = ""
    moved = {thing.id for thing in things}
    standing = [t for t in battlemap.visible_things() if t.id not in moved]
    for thing in things:
        cell = grid.cell_at(thing.x, thing.y)
        carts = [t.id for t in standing if t.kind == "cairn" and grid.cell_at(t.x, t.y) == cell]
        if carts and thing.kind == "cairn":
            words = "two carts"
        loaded = carts and thing.kind != "cairn"
        kept = thing.state.get("on") if thing.state.get("on") in moved else None
        made.append(with_link(thing, "on", carts[0] if loaded else kept))
    return Settled(made, words)


RULES = ThingRules(
    in_cells=True,
    carrier="on",
    why_not=lambda battlemap, cell: "No thing stands in the first row" if cell < 12 else "",
    settled=_loaded,
)


@pytest.fixture
def carts(qtbot, driver) -> ThingsDriver:
    made = ThingsDriver.__new__(ThingsDriver)
    system = system_like(SYSTEM, name="carts", title="Carts", thing_rules=RULES)
    layers = [Layer(1, "Ground"), Layer(2, "Units")]
    GridDriver.__init__(made, qtbot, BattleMap.new(system, layers=layers))
    made.use("things")
    made.put(Thing(1, "cairn", 2.0, 2.0), Thing(2, "sheep", 5.0, 5.0))
    return made


def test_things_that_stand_in_cells_do_not_follow_alt(carts):
    carts.place_kind()
    carts.drag(carts.free(3.3, 4.3), modifiers=ALT)
    assert carts.things()[3] == (3.0, 4.0)
    carts.drag(carts.free(3, 4), carts.free(6.2, 4.1), modifiers=ALT)
    assert carts.things()[3] == (6.0, 4.0)


def test_where_nothing_can_stand_is_said_before_the_click(carts):
    carts.place_kind()
    carts.hover(4, 0)
    assert carts.canvas.overlays.preview.note == "No thing stands in the first row"
    assert carts.canvas.overlays.preview.things == ()
    carts.click(4, 0)
    assert carts.refused == ["No thing stands in the first row."]
    assert len(carts.things()) == 2
    carts.drag(carts.free(5, 5), carts.free(5, 0), release=False)
    assert carts.canvas.overlays.preview.note == "No thing stands in the first row"
    carts.drag(carts.free(5, 5), carts.free(5, 3), carts.free(5, 0))
    assert carts.things()[2] == (5.0, 3.0)


def test_what_is_dropped_onto_a_carrier_goes_with_it(carts):
    battlemap = carts.document.battlemap
    carts.drag(carts.free(5, 5), carts.free(2, 2))
    assert carriers_on(battlemap) == {2: 1}
    carts.document.pick([])
    carts.drag(carts.free(2, 2), carts.free(7, 7))
    assert carts.things() == {1: (7.0, 7.0), 2: (7.0, 7.0)}, "the cart is grabbed with its load"
    assert carriers_on(battlemap) == {2: 1}


def test_clicks_go_through_a_load_and_what_is_picked_leaves_it(carts):
    battlemap = carts.document.battlemap
    carts.drag(carts.free(5, 5), carts.free(2, 2))
    found = []
    carts.document.pick([])
    for _click in range(3):
        carts.click(2, 2)
        found.append(carts.picked)
    assert found == [[1], [2], [1]]
    carts.click(2, 2)
    carts.drag(carts.free(2, 2), carts.free(7, 7))
    assert (carts.things()[1], carts.things()[2]) == ((2.0, 2.0), (7.0, 7.0))
    assert carriers_on(battlemap) == {}


def test_what_the_game_would_mind_is_said_and_done(carts):
    carts.place_kind("cairn")
    carts.click(8, 8)
    carts.drag(carts.free(8, 8), carts.free(2, 2), release=False)
    assert carts.canvas.overlays.preview.note == "two carts"
    carts.drag(carts.free(8, 8), carts.free(2, 2))
    assert carts.things()[3] == (2.0, 2.0)
