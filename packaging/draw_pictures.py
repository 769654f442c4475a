"""Draw our terrain and hexside pictures again: ``python3 packaging/draw_pictures.py [FOLDER]``.

The SVG files under ``app/resources`` are what the desk shows; this script is how they came about,
so that a colour or a shape can be changed in one place. The same script gives the same bytes (a
test compares them). The icons are drawn by hand and not by this script.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pictures import bare, green, tabletop, wet
from pictures.hexside import HEXSIDES

RESOURCES = Path(__file__).resolve().parent.parent / "app" / "resources"

TERRAINS = {
    "Plains": green.plains,
    "Tree": green.tree,
    "Brambles": green.brambles,
    "Drift": bare.drift,
    "Volcano": bare.volcano,
    "Bog": green.bog,
    "Sand": bare.sand,
    "Tower": bare.tower,
    "Lake": wet.lake,
    "Stone": bare.stone,
    "Spring": wet.spring,
    "TarPit": wet.tar_pit,
    "Mountain": tabletop.mountain,
    "Marsh": tabletop.marsh,
    "Deciduous trees": tabletop.deciduous,
    "Coniferous trees": tabletop.coniferous,
    "Palm trees": tabletop.palm,
    "Settlement": tabletop.settlement,
    "Village": tabletop.village,
    "Town": tabletop.town,
    "City": tabletop.city,
    "Field": tabletop.field,
    "Orchard": tabletop.orchard,
    "Olive grove": tabletop.olive_grove,
    "Vineyard": tabletop.vineyard,
}


def main() -> None:
    """Write every picture below the folder named on the command line, usually RESOURCES."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RESOURCES
    for kind, pictures in (("terrain", TERRAINS), ("hexside", HEXSIDES)):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for name, draw in pictures.items():
            (folder / kind / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
