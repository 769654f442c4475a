"""``randomizer roll --lock``: parses ``D4=Volcano/2,C3,D4:0=c`` to the locks of a roll's base."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from randomizer.cli.output import UsageError
from randomizer.generator import Base
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import Place, PlaneRole, PlaneSpec
from randomizer.model.system.system import System

NO_HEXSIDE = ("none", "-")

NOUNS = {
    PlaneRole.TERRAIN: "terrain",
    PlaneRole.HEIGHT: "elevation",
    PlaneRole.HEXSIDE: "hexside",
}
"""What can be locked on a place, in words."""


def with_locks(base: Base, texts: Iterable[str]) -> Base:
    """``base`` with every place locked that ``texts`` (one for each ``--lock``) name.

    A place without a value keeps what the base shows there. Raises UsageError for a syntax error,
    and for a place with two different values.
    """
    locks = _Locks(base)
    for text in texts:
        parts = text.split(",")
        while parts:
            length = next((n for n in range(1, 4) if locks.begins(",".join(parts[:n]))), 1)
            locks.add(",".join(parts[:length]).strip())
            del parts[:length]
    composite = replace(base.shown, planes={**base.shown.planes, **locks.planes})
    return replace(base, shown=composite, locked_cells=locks.cells, locked_sides=locks.sides)


class _Locks:
    def __init__(self, base: Base) -> None:
        self.system: System = base.system
        self.grid = base.grid
        self.terrain_set = base.terrain_set
        self.planes = {name: plane.copy() for name, plane in base.shown.planes.items()}
        self.cells = base.locked_cells.copy()
        self.sides = base.locked_sides.copy()
        self.values: dict[tuple[str, int], int] = {}

    def begins(self, item: str) -> bool:
        """Return whether the place of an item is a cell: names of cells can have commas."""
        return self.find_cell(re.split("[=:]", item)[0].strip()) is not None

    def add(self, item: str) -> None:
        """Lock the place of one item."""
        target, equals, value = (part.strip() for part in item.partition("="))
        if not target or (equals and not value):
            raise UsageError(f"--lock: “{item}” is no lock; write D4, D4=Volcano/2 or D4:0=c")
        label, colon, side = (part.strip() for part in target.partition(":"))
        cell = self.cell(label)
        if colon:
            self.spec(PlaneRole.HEXSIDE, item)
            index = cell * self.grid.degree + self.side(side, item)
            if equals:
                self.put(PlaneRole.HEXSIDE, index, self.hexside(value, item), item)
            self.sides.flat[index] = True
            return
        if equals:
            name, slash, height = (part.strip() for part in value.partition("/"))
            self.put(PlaneRole.TERRAIN, cell, self.terrain(name, item), item)
            if slash:
                self.put(PlaneRole.HEIGHT, cell, self.elevation(height, item), item)
        self.cells.flat[cell] = True

    def put(self, role: PlaneRole, index: int, value: int, item: str) -> None:
        plane = self.spec(role, item).name
        if self.values.setdefault((plane, index), value) != value:
            raise UsageError(f"--lock: “{item}” contradicts another lock of the same place")
        self.planes[plane].flat[index] = value

    # --- words ------------------------------------------------------------------------------

    def find_cell(self, label: str) -> int | None:
        """Return the cell of a name in any case of letters."""
        cells = (self.system.cell_of_name(self.grid, name) for name in (label, label.upper()))
        return next((cell for cell in cells if cell is not None), None)

    def cell(self, label: str) -> int:
        cell = self.find_cell(label)
        if cell is None:
            word = cell_words(self.grid.layout).cell
            raise UsageError(f"--lock: the map has no {word} “{label}”")
        return cell

    def side(self, side: str, item: str) -> int:
        names = self.grid.layout.side_names
        if re.fullmatch("[0-9]", side) is None or int(side) >= len(names):
            numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            raise UsageError(f"--lock: “{item}” names no side; the sides are {numbered}")
        return int(side)

    def terrain(self, word: str, item: str) -> int:
        terrains = self.terrain_set.terrains
        folded = word.casefold()
        for code, terrain in enumerate(terrains):
            if folded in map(str.casefold, (terrain.name, *terrain.aliases, *terrain.letters)):
                return code
        names = ", ".join(f"{terrain.name} {terrain.letters[:1]}" for terrain in terrains)
        raise UsageError(f"--lock: “{item}” names no terrain; the terrains are {names}")

    def elevation(self, height: str, item: str) -> int:
        spec = self.spec(PlaneRole.HEIGHT, item)
        elevations = self.terrain_set.elevations
        # Files can hold elevations that cannot be painted; those present can be locked.
        allowed = {*elevations, *self.planes[spec.name].ravel().tolist()}
        if re.fullmatch("-?[0-9]{1,9}", height) and int(height) in allowed:
            return int(height)
        text = ", ".join(map(str, elevations))
        raise UsageError(f"--lock: “{item}” names no elevation; the elevations are {text}")

    def hexside(self, word: str, item: str) -> int:
        hexsides = self.terrain_set.hexsides
        folded = word.casefold()
        if folded in NO_HEXSIDE:
            return 0
        for code, hexside in enumerate(hexsides, 1):
            if folded in (hexside.letter, hexside.name.casefold()):
                return code
        names = ", ".join(f"{hexside.letter} {hexside.name.lower()}" for hexside in hexsides)
        raise UsageError(f"--lock: “{item}” names no hexside; they are {names}, or none")

    def spec(self, role: PlaneRole, item: str) -> PlaneSpec:
        spec = self.system.with_role(role)
        if spec is None or spec.place is Place.CORNER:
            raise UsageError(
                f"--lock: “{item}”: {with_article(self.system.title)} has no {NOUNS[role]}"
            )
        return spec
