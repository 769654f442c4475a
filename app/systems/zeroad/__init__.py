"""What maps of 0 A.D. add to the desk: the panel of their players, environment and camera."""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener, PanelPart
from randomizer.model.system.system import System


def _is_game_map(system: System) -> bool:
    return system.name == "zeroad"


FEATURES = (
    Feature("Players of rolls", "app.systems.zeroad.players_of_rolls"),
    Feature(
        "Players, environment and camera",
        "app.systems.zeroad.setup_panel",
        Dock(
            "setup",
            "Setup",
            "right",
            tabbed_with="randomize",
            shown=False,
            opener=Opener(
                "map.setup",
                "Pla&yers and environment...",
                "Players with their civilisations and teams; sun, sky, water, fog; the camera",
                words="sun sky water fog camera civilisations teams light population",
            ),
            only_for=_is_game_map,
            words="players environment camera",
            parts=(
                PanelPart(
                    "setup.players",
                    "Players",
                    "Civilisations, teams and resources",
                    "players",
                    "civilisation teams food wood",
                ),
                PanelPart(
                    "setup.environment",
                    "Environment",
                    "Sun, sky, water and fog",
                    "environment",
                    "light weather water sky fog sun",
                ),
                PanelPart(
                    "setup.camera",
                    "Camera",
                    "Where the camera stands at first",
                    "camera",
                    "view start angle",
                ),
            ),
        ),
        when_shown=True,
    ),
)
"""What ``app/feature_list.py`` takes into the list of all features."""
