"""The features of Test land."""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener

PANEL = Feature(
    "The panel of Test land",
    "tests.test_system.desk.panel",
    Dock(
        "testsys",
        "Test land",
        "right",
        tabbed_with="randomize",
        opener=Opener("map.package.testsys", "&Test land...", "What the land is like"),
        only_for=lambda system: system.name == "testsys",
    ),
    when_shown=True,
)
