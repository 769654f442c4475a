"""The features of the desk: those of every kind of map, and those that each system brings."""

from __future__ import annotations

from app.desk.feature import Feature
from app.features import EARLY_FEATURES, LATE_FEATURES
from app.systems import colossus, cordery, xconq, zeroad

FEATURES: tuple[Feature, ...] = (
    *EARLY_FEATURES,
    *colossus.FEATURES,
    *cordery.FEATURES,
    *xconq.FEATURES,
    *zeroad.FEATURES,
    *LATE_FEATURES,
)
"""Every feature, in the order in which they are made, and their docks are laid."""
