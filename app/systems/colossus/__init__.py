"""What battlelands add to the desk: scripts that are learned from maps."""

from __future__ import annotations

from app.desk.feature import Feature

FEATURES = (Feature("Scripts from maps", "app.systems.colossus.feature"),)
"""What ``app/feature_list.py`` takes into the list of all features."""
