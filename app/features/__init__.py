"""One folder a feature, view and controller together; features do not import one another.

``EARLY_FEATURES`` and ``LATE_FEATURES`` list them all; what one system brings stands in
``app/systems``, and ``app/feature_list.py`` has the whole list. Each entry names the module whose
``make(desk)`` makes the feature. A feature gets a ``Desk`` and registers its commands there; its
panel, if it has one, is what ``make`` returns.
"""

from __future__ import annotations

from app.desk.feature import Dock, Feature, Opener, PanelPart
from randomizer.model.map_picture import suits
from randomizer.model.system.abilities import Ability
from randomizer.model.system.system import System


def _rolls(system: System) -> bool:
    return Ability.ROLLS in system.abilities


def _has_scripts(system: System) -> bool:
    return system.has_script_panel


def _has_fairness(system: System) -> bool:
    return Ability.FAIRNESS in system.abilities


def _has_own_terrains(system: System) -> bool:
    return system.users_edit_terrain_sets


def _has_regions(system: System) -> bool:
    return system.regions is not None


EARLY_FEATURES = (
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
    Feature(
        "The palette",
        "app.features.palette.feature",
        Dock("palette", "Palette", "left", words="terrains hexsides things paint"),
    ),
    Feature(
        "The overview",
        "app.features.overview.feature",
        Dock("overview", "Overview", "left", shown=False, words="minimap navigator whole"),
    ),
    Feature(
        "The randomize panel",
        "app.features.script.feature",
        Dock(
            "randomize",
            "Script",
            "right",
            opener=Opener(
                "randomize.script",
                "Scri&pt",
                "Write in the script that is rolled",
                "Ctrl+E",
                words="editor code text write",
            ),
            only_for=_has_scripts,
            words="editor code text seed",
            parts=(
                PanelPart(
                    "script.seed",
                    "Seed",
                    "The seed of the next roll",
                    "roll_bar.seed",
                    "random number chance",
                ),
                PanelPart(
                    "script.number",
                    "Map number",
                    "The number of the map within its seed",
                    "roll_bar.number",
                    "random map no",
                ),
            ),
        ),
    ),
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
                words="colours costs hexsides ways edit own add kinds",
            ),
            only_for=_has_own_terrains,
            words="kinds colours own",
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
                "map.regions",
                "&Regions...",
                "Countries and other areas: names, colours, sizes",
                words="countries borders areas provinces territories",
            ),
            only_for=_has_regions,
            words="countries areas",
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
                words="background scan photograph image trace reference",
            ),
            only_for=suits,
            words="background scan",
        ),
        when_shown=True,
    ),
)
"""Those that are made before the features of systems, and whose tabs stand before theirs."""

LATE_FEATURES = (
    Feature(
        "The layers panel",
        "app.features.layers.feature",
        Dock(
            "layers",
            "Layers",
            "right",
            tabbed_with="randomize",
            words="order opacity visible",
            parts=(
                PanelPart(
                    "layers.opacity",
                    "Opacity",
                    "How strongly the active layer shows",
                    "opacity.slider",
                    "transparent alpha faint",
                ),
            ),
        ),
    ),
    Feature(
        "The history",
        "app.features.history.feature",
        Dock(
            "history",
            "History",
            "right",
            tabbed_with="randomize",
            shown=False,
            words="undo steps back",
        ),
    ),
    Feature(
        "The map's properties",
        "app.features.map.feature",
        Dock(
            "properties",
            "Map",
            "right",
            tabbed_with="randomize",
            shown=False,
            words="title subtitle name tower water",
        ),
    ),
    Feature("The problems", "app.features.problems.feature"),
    Feature("The menu of cells", "app.features.cell_menu.feature"),
    Feature("The card on an empty map", "app.features.start.feature"),
    Feature(
        "The odds",
        "app.features.odds.feature",
        Dock(
            "odds",
            "Odds",
            "right",
            below="randomize",
            shown=False,
            colours_map=True,
            opener=Opener(
                "randomize.odds",
                "&Odds...",
                "How likely every place of the map is to become what",
                "Ctrl+Shift+H",
                words="probability chance likelihood percent heat histogram",
            ),
            only_for=_rolls,
            words="chance probability",
            parts=(
                PanelPart(
                    "odds.shown",
                    "What the map shows",
                    "Which terrain, height or side the colours of the odds are of",
                    "combo",
                    "chance probability colours heat",
                ),
            ),
        ),
        when_shown=True,
    ),
    Feature(
        "Fairness",
        "app.features.fairness.feature",
        Dock(
            "fairness",
            "Fairness",
            "middle",
            shown=False,
            opener=Opener(
                "randomize.fairness",
                "Fa&irness...",
                "What the map means for both armies",
                "Ctrl+Shift+B",
                words="balance even sides judge measures fight",
            ),
            only_for=_has_fairness,
            words="balance measures",
            parts=(
                PanelPart(
                    "fairness.fight",
                    "&Fight...",
                    "Battles of armies that you choose, by our simulator or by your own game",
                    "fight_button",
                    "battle simulate armies attack defend war",
                ),
                PanelPart(
                    "fairness.balance",
                    "&Balance...",
                    "Look for the smallest edits that make all sides equally good",
                    "balance_button",
                    "even fair equal mend sides",
                ),
                PanelPart(
                    "fairness.on-map",
                    "Colours on the map",
                    "Which ways, leads or deaths the map shows",
                    "picture_choice.combo",
                    "heat costs leads deaths",
                ),
                PanelPart(
                    "fairness.measures",
                    "Measures",
                    "The measures of the map beside those of other maps of its script",
                    "measures",
                    "numbers statistics compare",
                ),
            ),
        ),
        when_shown=True,
    ),
    Feature(
        "The gallery",
        "app.features.gallery.feature",
        Dock(
            "gallery",
            "Gallery",
            "middle",
            shown=False,
            opener=Opener(
                "randomize.gallery",
                "&Gallery...",
                "Many rolls as pictures, to filter and choose",
                "Ctrl+Shift+G",
                words="many thumbnails rolls search compare filter candidates",
            ),
            only_for=_rolls,
            words="thumbnails many rolls",
            parts=(
                PanelPart(
                    "gallery.filter",
                    "&Filter",
                    "Which maps the gallery shows: a condition",
                    "form.filter.field",
                    "where condition search wanted query only",
                ),
                PanelPart(
                    "gallery.sort",
                    "&Sort by",
                    "In what order the maps of the gallery stand",
                    "form.sorting.box",
                    "order measure rank fairest",
                ),
                PanelPart(
                    "gallery.seed",
                    "S&eed of the gallery",
                    "The seed whose maps the gallery shows",
                    "form.seed_fields.seed",
                    "random number",
                ),
                PanelPart(
                    "gallery.go-to",
                    "&Go to number",
                    "Show maps from this number on",
                    "form.seed_fields.go_to",
                    "map number jump",
                ),
            ),
        ),
        when_shown=True,
    ),
)
"""Those that are made after the features of systems, and whose tabs stand behind theirs."""
