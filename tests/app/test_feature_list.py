"""The list of features: what one system brings stands in its package, and nowhere else."""

from __future__ import annotations

import pkgutil

import pytest

import app.systems
from app.feature_list import FEATURES
from app.features import EARLY_FEATURES, LATE_FEATURES
from randomizer.catalog.systems import system_named


def test_the_list_has_the_features_of_every_package_of_a_system():
    packages = {f"app.systems.{found.name}" for found in pkgutil.iter_modules(app.systems.__path__)}
    listed = {".".join(feature.module.split(".")[:3]) for feature in FEATURES}
    assert packages <= listed


def test_general_features_are_of_no_system():
    general = [*EARLY_FEATURES, *LATE_FEATURES]
    assert [feature.module for feature in general if "app.systems" in feature.module] == []


@pytest.mark.parametrize(
    ("name", "docks"),
    [
        ("cordery", {"dice"}),
        ("xconq", {"period", "scenario"}),
        ("zeroad", {"setup"}),
        ("free", set()),
        ("colossus", set()),
    ],
)
def test_a_system_has_its_own_docks(name, docks):
    system = system_named(name)
    offered = {
        feature.dock.name
        for feature in FEATURES
        if feature.module.startswith("app.systems.")
        and feature.dock is not None
        and feature.dock.only_for is not None
        and feature.dock.only_for(system)
    }
    assert offered == docks
