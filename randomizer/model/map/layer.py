"""Layers of a map, and how rolled ones came to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from randomizer.model.basics.texts import LongText
from randomizer.model.planes.planes import Plane
from randomizer.model.things.things import Things

NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Roll:
    """The origin of a rolled layer: all that is needed to roll it again.

    ``generator`` is the catalogue's name of the generator, "" for a script of the user's own;
    ``script`` is the whole text that was rolled. ``origins`` describes the values of the provenance
    planes, by index ("line 8, AREA (innermost)"). A roll can make several layers, which are rolled
    again together; ``part`` names what this one holds.

    ``texts`` are the further files of a script that has several, by their names. ``libraries`` are
    what the script used of its package or of an installed game: their digests (SHA-256) by name;
    their texts are not kept. ``ground`` is the digest of what it was rolled onto (``Base.ground``),
    "" where that is not known: it does not make a roll another one.
    """

    generator: str
    script_name: str
    script: LongText
    settings: Mapping[str, object]
    seed: int
    number: int
    origins: tuple[str, ...] = ()
    part: str = ""
    texts: Mapping[str, LongText] = field(default_factory=lambda: NO_TEXTS)
    libraries: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    ground: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The title of the roll: script, else generator, with seed and map number."""
        stem = self.script_name.rsplit(".", 1)[0] or self.generator or "Script"
        return f"{stem}, seed {self.seed} no. {self.number}"


NO_EXTRAS: Mapping[str, object] = MappingProxyType({})

Planes = dict[str, Plane]
"""Planes by name."""

Properties = dict[str, Any]
"""Values by the names of properties."""


@dataclass(eq=False)
class Layer:
    """One layer of a map. ``id`` is unique within its map and never changes.

    A plane that the layer does not use is absent from ``planes``; a property that it does not set
    is absent from ``properties`` (name to value, as ``System.properties`` describe them).
    ``things`` are the things placed in this layer. ``extras`` holds data of unknown kinds from a
    file, for writing them back. ``opacity`` (0 to 1) affects only the picture on the desk. A
    ``locked`` layer cannot be edited by hand. A ``secret`` one is left out of what players get
    (``players_view``). A layer ``from_file`` came with the file of a map: one rolls on it, so that
    a new roll covers it; what was painted into other layers stays above a new roll.

    ``touch_ups_of`` is the id of the rolled layer whose touched values and things this layer takes
    when that one is rolled again. ``removed_keys`` are the keys (``Thing.key``) of rolled things
    that were deleted by hand: they stay away after a re-roll; "" if things without a key were
    changed or deleted, which come back.
    """

    id: int
    name: str
    visible: bool = True
    planes: Planes = field(default_factory=dict)
    properties: Properties = field(default_factory=dict)
    roll: Roll | None = None
    touched_properties: frozenset[str] = frozenset()
    extras: Mapping[str, object] = field(default_factory=lambda: NO_EXTRAS)
    opacity: float = 1.0
    locked: bool = False
    secret: bool = False
    from_file: bool = False
    touch_ups_of: int | None = None
    things: Things = field(default_factory=Things)
    removed_keys: frozenset[str] = frozenset()

    def copy(self, **changes: Any) -> Layer:
        """Return a layer with copied planes, properties and things, and the given fields changed.

        The things keep their ids: such a copy cannot be in the same map as this layer.
        """
        copied = {
            "planes": {name: plane.copy() for name, plane in self.planes.items()},
            "properties": dict(self.properties),
            "things": self.things.copy(),
        }
        return replace(self, **{**copied, **changes})


def roll_name(layer: Layer) -> str:
    """Return the default name of a rolled layer: what was rolled, seed and map number."""
    assert layer.roll is not None
    return layer.roll.title
