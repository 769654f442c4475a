"""What Cordery's wargame tables add: choices, the log, dice entered by hand, the terrain box."""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener, PanelPart
from randomizer.model.system.system import System


def _is_table(system: System) -> bool:
    return system.name == "cordery"


FEATURES = (
    Feature(
        "The dice",
        "app.systems.cordery.feature",
        Dock(
            "dice",
            "Dice",
            "right",
            tabbed_with="randomize",
            rolls=True,
            opener=Opener(
                "randomize.dice",
                "&Dice...",
                "Lay a wargame table by the throw of dice",
                words="wargame throw cordery table roll",
            ),
            only_for=_is_table,
            words="throw table",
            parts=(
                PanelPart(
                    "dice.square",
                    "Campaign square",
                    "Choices that were kept under a name",
                    "squares",
                    "saved form choices",
                ),
                PanelPart(
                    "dice.pieces",
                    "Pieces...",
                    "My terrain box, and what this table takes of it",
                    "edit_box",
                    "terrain box collection models",
                ),
            ),
        ),
        when_shown=True,
    ),
)
"""What ``app/feature_list.py`` takes into the list of all features."""
