"""What is remembered of the preferences: one of the choices described, else the default."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings

from app.preferences import COLOUR_SET, SCALE, THEME, TOUCHPAD, WHEEL
from app.settings import Settings


@pytest.fixture
def store(tmp_path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    "preference", [THEME, COLOUR_SET, SCALE, WHEEL, TOUCHPAD], ids=lambda each: each.name
)
def test_every_choice_of_a_preference_is_remembered(store, preference):
    assert getattr(Settings(store), preference.name) == preference.default
    for value in preference.values:
        setattr(Settings(store), preference.name, value)
        found = getattr(Settings(store), preference.name)
        assert found == value
        assert type(found) is preference.kind


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("view/theme", "theme"),
        ("view/colour_set", "colour_set"),
        ("view/scale", "scale"),
        ("canvas/wheel", "wheel"),
        ("canvas/touchpad", "touchpad"),
    ],
)
@pytest.mark.parametrize("kept", ["", "nonsense", "110"])
def test_what_is_no_choice_counts_as_the_default(store, key, name, kept):
    known = {each.name: each for each in (THEME, COLOUR_SET, SCALE, WHEEL, TOUCHPAD)}
    store.setValue(key, kept)
    assert getattr(Settings(store), name) == known[name].default
