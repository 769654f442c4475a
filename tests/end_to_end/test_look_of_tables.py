"""A wargame table is a landscape; View draws it as a plan, and so do later sessions."""

from __future__ import annotations

from randomizer.systems.cordery.table.areas import TERRAINS
from tests.app.cordery_tables import table_with

PLAN = "view.drawn-as-a-plan"


def test_the_plan_is_chosen_in_the_menu_and_remembered(window, qtbot):
    desk = window.desk
    desk.document.open_map(table_with("hex", {"terrain": {(2, 2): TERRAINS.terrain_code("Town")}}))
    action = desk.commands.action(PLAN)
    assert action.isVisible()
    assert not action.isChecked()
    landscape = desk.canvas.grab().toImage()
    action.trigger()
    qtbot.waitUntil(lambda: desk.canvas.grab().toImage() != landscape)
    assert desk.commands.action(PLAN).isChecked()
    settings = desk.settings
    assert settings.switched_overlays("cordery") == {"plan": 1}
    action.trigger()
    assert not desk.renderer.overlays.plan


def test_maps_without_a_plan_do_not_offer_it(window):
    assert not window.desk.commands.action(PLAN).isVisible()
