"""Draw our terrain and hexside pictures anew: ``python3 packaging/draw_pictures.py``.

The SVG files under ``app/resources`` are what the desk shows; this script is how they came about,
so that a colour or a shape can be changed in one place. The same script gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from pictures import bare, green, wet
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
}


def main() -> None:
    """Write every picture."""
    for folder, pictures in (("terrain", TERRAINS), ("hexside", HEXSIDES)):
        (RESOURCES / folder).mkdir(parents=True, exist_ok=True)
        for name, draw in pictures.items():
            (RESOURCES / folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
