"""The form of the picked things."""

from __future__ import annotations

from app.features.palette.thing_form import VARIOUS, described
from randomizer.model.things.things import Thing


def test_an_angle_is_shown_within_one_turn_and_kept_as_it_is():
    things = [Thing(1, "tree", 0, 0, angle) for angle in (-90.0, 270.0, 630.0)]
    _settings, values = described(things, {})
    assert values["angle"] == 270.0
    assert [thing.angle for thing in things] == [-90.0, 270.0, 630.0]


def test_angles_that_differ_are_various():
    settings, values = described([Thing(1, "a", 0, 0, -90.0), Thing(2, "a", 0, 0, 90.0)], {})
    assert "angle" not in values
    assert next(each for each in settings if each.name == "angle").unset == VARIOUS
