"""The gallery on a world of Xconq: many worlds of its period, filtered by shares and regions."""

from __future__ import annotations

from tests.end_to_end.test_gallery import settled
from tests.end_to_end.test_new_world_desk import world

__all__ = ["world"]


def test_worlds_are_filtered_by_shares_and_regions(qtbot, world):
    world.desk.scripts.set_settings({"countries": 0})
    world.desk.docks.show("gallery")
    gallery = world.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.model.candidates) == 48)
    examples = dict(gallery.filter._examples())
    assert "regions(land) = 1" in examples.values()
    assert any(text.startswith("share(water) < ") for text in examples.values())
    gallery.filter.want("share(forest) > 6 % and regions(land) >= 3 and 0,0 = ice")
    qtbot.waitUntil(lambda: settled(gallery) and bool(gallery.model.candidates))
    assert 0 < len(gallery.model.candidates) <= 48
    gallery.filter.want("share(forst) > 6")
    assert "There is no terrain “forst” (Write `forest`)" in gallery.words.text()
