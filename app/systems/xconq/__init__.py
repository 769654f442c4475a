"""What worlds of Xconq add to the desk: the percentile chart, a period's inspector, scenarios."""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener, PanelPart
from randomizer.model.system.system import System


def _is_world(system: System) -> bool:
    return system.name == "xconq"


FEATURES = (
    Feature(
        "The period",
        "app.systems.xconq.period.period_feature",
        Dock(
            "period",
            "Period",
            "right",
            tabbed_with="randomize",
            opener=Opener(
                "map.period",
                "Pe&riod...",
                "Terrain types over altitude and moisture, and every value of the map's period",
                icon="chart",
                words="xconq game types rules globals climate chart",
            ),
            only_for=_is_world,
            words="xconq types",
        ),
        when_shown=True,
    ),
    Feature(
        "The scenario",
        "app.systems.xconq.scenario.scenario_panel",
        Dock(
            "scenario",
            "Scenario",
            "right",
            tabbed_with="randomize",
            opener=Opener(
                "map.scenario",
                "S&cenario...",
                "Sides, turns, and who wins or loses when",
                "Ctrl+Shift+U",
                words="sides turns victory win lose treasury units",
            ),
            only_for=_is_world,
            words="sides victory",
            parts=(
                PanelPart(
                    "scenario.sides",
                    "Sides",
                    "Who plays, with treasuries and relations",
                    "sides",
                    "players colours nations",
                ),
                PanelPart(
                    "scenario.conditions",
                    "Conditions",
                    "Who wins or loses when",
                    "conditions",
                    "victory win lose end",
                ),
                PanelPart(
                    "scenario.game",
                    "Game",
                    "Turns and how the game goes",
                    "game",
                    "turns length time",
                ),
                PanelPart(
                    "scenario.units",
                    "Units",
                    "The units of the world and their sides",
                    "units",
                    "armies pieces",
                ),
            ),
        ),
        when_shown=True,
    ),
    Feature("Commands for worlds of Xconq", "app.systems.xconq.map.map_feature"),
)
"""What ``app/feature_list.py`` takes into the list of all features."""
