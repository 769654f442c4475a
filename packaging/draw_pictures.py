"""Draw our terrain pictures again: ``python3 packaging/draw_pictures.py [FOLDER]``.

The SVG files under ``app/resources`` are what the desk shows; this script is how they came about,
so that a colour or a shape can be changed in one place. The same script gives the same bytes (a
test compares them). The icons are drawn by hand and not by this script.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pictures import (
    bridges,
    built,
    caves,
    dry,
    hamlets,
    rock,
    rooms,
    strongholds,
    table_features,
    trodden,
    vegetation,
    water,
    worlds,
)
from pictures.edge_masks import edge_masks
from pictures.patterns import patterns

RESOURCES = Path(__file__).resolve().parent.parent / "app" / "resources"

TERRAINS = {
    "Plains": vegetation.plains,
    "Tree": vegetation.tree,
    "Brambles": vegetation.brambles,
    "Drift": dry.drift,
    "Volcano": rock.volcano,
    "Bog": water.bog,
    "Sand": dry.sand,
    "Tower": built.tower,
    "Lake": water.lake,
    "Stone": rock.stone,
    "Spring": water.spring,
    "TarPit": water.tar_pit,
    "Mountain": table_features.mountain,
    "Marsh": table_features.marsh,
    "Deciduous trees": table_features.deciduous,
    "Coniferous trees": table_features.coniferous,
    "Palm trees": table_features.palm,
    "Settlement": table_features.settlement,
    "Village": table_features.village,
    "Town": table_features.town,
    "City": table_features.city,
    "Field": table_features.field,
    "Orchard": table_features.orchard,
    "Olive grove": table_features.olive_grove,
    "Vineyard": table_features.vineyard,
    "Deep sea": water.deep_sea,
    "Sea": water.sea,
    "Open sea": water.open_sea,
    "Shallows": water.shallows,
    "River": water.river,
    "Swamp": water.swamp,
    "Desert": dry.desert,
    "Grassland": vegetation.grassland,
    "Farmland": worlds.farmland,
    "Woods": vegetation.woods,
    "Conifers": vegetation.conifers,
    "Jungle": vegetation.jungle,
    "Hills": rock.hills,
    "Snowy hills": rock.snowy_hills,
    "Mountains": rock.mountains,
    "Cliff": rock.cliff,
    "Ice": dry.ice,
    "Houses": built.houses,
    "Beach": worlds.beach,
    "Heath": worlds.heath,
    "Snow": worlds.snow,
    "Badlands": worlds.badlands,
    "High mountains": worlds.high_mountains,
    "Rough": worlds.rough,
    "Crops": worlds.crops,
    "Fruit trees": worlds.fruit_trees,
    "Country town": worlds.country_town,
    "Streets": worlds.streets,
    "Earthworks": worlds.earthworks,
    "Castle": strongholds.castle,
    "Keep": strongholds.keep,
    "Encampment": strongholds.encampment,
    "Chief's camp": strongholds.chiefs_camp,
    "Cave wall": caves.cave_wall,
    "Cave floor": caves.cave_floor,
    "Rocky cave": caves.rocky_cave,
    "Chasm": caves.chasm,
    "Lava": caves.lava,
    "Cottages": hamlets.cottages,
    "Snowy cottages": hamlets.snowy_cottages,
    "City houses": hamlets.city_houses,
    "Woodland halls": hamlets.woodland_halls,
    "Huts": hamlets.huts,
    "Windmill": hamlets.windmill,
    "Tents": hamlets.tents,
    "Clay houses": hamlets.clay_houses,
    "Stilt houses": hamlets.stilt_houses,
    "Cave houses": hamlets.cave_houses,
    "Mushrooms": hamlets.mushrooms,
    "Snowy conifers": hamlets.snowy_conifers,
    "Autumn woods": hamlets.autumn_woods,
    "Bare woods": hamlets.bare_woods,
    "Great tree": hamlets.great_tree,
    "Dirt": trodden.dirt,
    "Cobbles": trodden.cobbles,
    "Flowers": trodden.flowers,
    "Scattered stones": trodden.scattered_stones,
    "Water lilies": trodden.water_lilies,
    **bridges.ways(),
    "Wooden floor": rooms.wooden_floor,
    "Door": rooms.door,
    "Stairs down": rooms.stairs_down,
    "Stairs up": rooms.stairs_up,
    "Pillar": rooms.pillar,
    "Pavement": built.pavement,
    "Void": built.void,
    "Mist": built.mist,
    **patterns(),
}


def main() -> None:
    """Write every picture below the folder named on the command line, usually RESOURCES."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RESOURCES
    (folder / "terrain").mkdir(parents=True, exist_ok=True)
    for name, draw in TERRAINS.items():
        (folder / "terrain" / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")

    (folder / "edge_masks.json").write_text(edge_masks(), encoding="utf-8")


if __name__ == "__main__":
    main()
