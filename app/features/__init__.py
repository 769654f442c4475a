"""One folder a feature, view and controller together; features do not import one another.

``FEATURES`` is the list of them all. Each entry names the module whose ``make(desk)`` makes the
feature. A feature gets a ``Desk`` and registers its commands there; its panel, if it has one, is
what ``make`` returns.
"""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener
from randomizer.model.map_picture import suits
from randomizer.model.system import Ability, System


def _rolls(system: System) -> bool:
    return Ability.ROLLS in system.abilities


def _has_scripts(system: System) -> bool:
    return system.has_script_panel


def _has_fairness(system: System) -> bool:
    return Ability.FAIRNESS in system.abilities


def _has_own_terrains(system: System) -> bool:
    return system.own_terrain_sets


def _has_regions(system: System) -> bool:
    return system.regions is not None


def _is_table(system: System) -> bool:
    return system.name == "cordery"


def _is_game_map(system: System) -> bool:
    return system.name == "zeroad"


def _is_world(system: System) -> bool:
    return system.name == "xconq"


FEATURES = (
    Feature("The status bar", "app.features.status_bar.feature"),
    Feature("The tools", "app.features.tools.feature"),
    Feature("New maps", "app.features.new_map.feature"),
    Feature("The files", "app.features.files.feature"),
    Feature("Recovery", "app.features.recovery.feature"),
    Feature("The game", "app.features.game.feature"),
    Feature("Pictures and printing", "app.features.pictures.feature"),
    Feature("Comparing maps", "app.features.compare.feature"),
    Feature("Selections", "app.features.selection.feature"),
    Feature("Finding and replacing", "app.features.replace.feature"),
    Feature("The view", "app.features.view.feature"),
    Feature("Help", "app.features.help.feature"),
    Feature("The preferences", "app.features.preferences.feature"),
    Feature("The palette of commands", "app.features.command_palette.feature"),
    Feature("Going to a place", "app.features.go_to.feature"),
    Feature("The palette", "app.features.palette.feature", Dock("palette", "Palette", "left")),
    Feature(
        "The overview",
        "app.features.overview.feature",
        Dock("overview", "Overview", "left", shown=False),
    ),
    Feature(
        "The randomize panel",
        "app.features.script.feature",
        Dock("randomize", "Script", "right", only_for=_has_scripts),
    ),
    Feature("Scripts from maps", "app.systems.colossus.feature"),
    Feature("Terrain sets", "app.features.terrains.feature"),
    Feature(
        "The terrains",
        "app.features.terrains.panel",
        Dock(
            "terrains",
            "Terrains",
            "right",
            tabbed_with="randomize",
            opener=Opener(
                "map.terrains",
                "&Terrains...",
                "Terrains, sides and ways of your own: names, colours, pictures, costs",
            ),
            only_for=_has_own_terrains,
        ),
        when_shown=True,
    ),
    Feature(
        "The regions",
        "app.features.regions.feature",
        Dock(
            "regions",
            "Regions",
            "right",
            tabbed_with="randomize",
            shown=False,
            opener=Opener(
                "map.regions", "&Regions...", "Countries and other areas: names, colours, sizes"
            ),
            only_for=_has_regions,
        ),
        when_shown=True,
    ),
    Feature("The picture below the grid", "app.features.map_picture.feature"),
    Feature(
        "The picture's panel",
        "app.features.map_picture.panel",
        Dock(
            "picture",
            "Picture",
            "right",
            tabbed_with="randomize",
            shown=False,
            opener=Opener(
                "map.picture",
                "&Picture under the map...",
                "A scan or a photograph below the grid, to paint after or to take terrains from",
                icon="picture",
            ),
            only_for=suits,
        ),
        when_shown=True,
    ),
    Feature(
        "The dice",
        "app.systems.cordery.feature",
        Dock(
            "dice",
            "Dice",
            "right",
            tabbed_with="randomize",
            opener=Opener("randomize.dice", "&Dice...", "Lay a wargame table by the throw of dice"),
            only_for=_is_table,
        ),
        when_shown=True,
    ),
    Feature(
        "The period",
        "app.systems.xconq.period_feature",
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
            ),
            only_for=_is_world,
        ),
        when_shown=True,
    ),
    Feature(
        "The layers panel",
        "app.features.layers.feature",
        Dock("layers", "Layers", "right", tabbed_with="randomize"),
    ),
    Feature(
        "The history",
        "app.features.history.feature",
        Dock("history", "History", "right", tabbed_with="randomize"),
    ),
    Feature(
        "The map's properties",
        "app.features.map.feature",
        Dock("properties", "Map", "right", tabbed_with="randomize"),
    ),
    Feature(
        "The scenario",
        "app.systems.xconq.scenario_panel",
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
            ),
            only_for=_is_world,
        ),
        when_shown=True,
    ),
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
            ),
            only_for=_is_game_map,
        ),
        when_shown=True,
    ),
    Feature("The problems", "app.features.problems.feature"),
    Feature("The menu of cells", "app.features.cell_menu.feature"),
    Feature("The card on an empty map", "app.features.start.feature"),
    Feature("Commands for worlds of Xconq", "app.systems.xconq.map_feature"),
    Feature(
        "The odds",
        "app.features.odds.feature",
        Dock(
            "odds",
            "Odds",
            "right",
            below="randomize",
            shown=False,
            opener=Opener(
                "randomize.odds",
                "&Odds...",
                "How likely every place of the map is to become what",
                "Ctrl+Shift+H",
            ),
            only_for=_rolls,
        ),
        when_shown=True,
    ),
    Feature(
        "Fairness",
        "app.features.fairness.feature",
        Dock(
            "fairness",
            "Fairness",
            "right",
            tabbed_with="odds",
            shown=False,
            opener=Opener(
                "randomize.fairness",
                "Fa&irness...",
                "What the map means for both armies",
                "Ctrl+Shift+B",
            ),
            only_for=_has_fairness,
        ),
        when_shown=True,
    ),
    Feature(
        "The gallery",
        "app.features.gallery.feature",
        Dock(
            "gallery",
            "Gallery",
            "bottom",
            shown=False,
            opener=Opener(
                "randomize.gallery",
                "&Gallery...",
                "Many rolls as pictures, to filter and choose",
                "Ctrl+Shift+G",
            ),
            only_for=_rolls,
        ),
        when_shown=True,
    ),
)
"""Every feature, in the order in which they are made, and their docks are laid."""
