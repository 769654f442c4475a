"""``Layer``: planes, things and properties, of which a map has a stack; and ``Roll``.

A layer sets some values and leaves others to those below it: what it does not set is absent or
unset. A rolled layer has a ``Roll``, all that is needed to roll it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from randomizer.model.basics.texts import LongText
from randomizer.model.planes.planes import Plane
from randomizer.model.things.things import Things

NO_TEXTS: Mapping[str, str] = MappingProxyType({})
"""No texts by name: of a script without further files, or without libraries."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The origin of a rolled layer: all that is needed to roll it again."""

    generator: str
    """The catalogue's name of the generator, "" for a script of the user's own."""

    script_name: str
    """The name of the script, "" for a generator without one."""

    script: LongText
    """The whole text that was rolled."""

    settings: Mapping[str, object]
    """The settings of the roll, by name."""

    seed: int

    number: int
    """The number of the map among all that the seed makes."""

    origins: tuple[str, ...] = ()
    """What the values of the provenance planes mean, by index: "line 8, AREA (innermost)"."""

    part: str = ""
    """What this layer is of a roll that makes several, which are rolled again together."""

    texts: Mapping[str, LongText] = field(default_factory=lambda: NO_TEXTS)
    """The further files of a script that has several, by their names."""

    libraries: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The digests (SHA-256), by name, of what the script used of its package or of a game.

    The texts of these are not kept.
    """

    ground: str = field(default="", compare=False)
    """The digest of what it was rolled onto (``Base.ground``), "" where that is not known.

    Rolls that differ in it alone are equal.
    """

    @property
    def title(self) -> str:
        """The title of the roll: script, else generator, with seed and map number.

        A generator whose script is a file that the program runs, and no text here, is called as in
        the catalogue.
        """
        name, dot, _suffix = self.script_name.rpartition(".")
        is_file_name = dot != ""
        if not is_file_name:
            name = self.script_name
        if not name or (is_file_name and self.generator and not self.script):
            name = self.generator
        if not name:
            name = "Script"
        return f"{name}, seed {self.seed} no. {self.number}"


NO_EXTRAS: Mapping[str, object] = MappingProxyType({})
"""The extras of a layer that did not come from a file."""

Planes = dict[str, Plane]
"""Planes by name."""

Properties = dict[str, Any]
"""Values by the names of properties."""


@dataclass(eq=False)
class Layer:
    """One layer of a map."""

    id: int
    """Unique within its map; it never changes."""

    name: str

    visible: bool = True

    planes: Planes = field(default_factory=dict)
    """Its planes; one in which it sets nothing can be absent."""

    properties: Properties = field(default_factory=dict)
    """The properties that it sets, as ``System.properties`` describe them."""

    roll: Roll | None = None
    """The roll that made it; None if it was not rolled."""

    touched_properties: frozenset[str] = frozenset()
    """The properties of a rolled layer that were set by hand: a re-roll keeps them."""

    extras: Mapping[str, object] = field(default_factory=lambda: NO_EXTRAS)
    """Data of unknown kinds from a file, for writing them back."""

    opacity: float = 1.0
    """From 0 to 1; it affects only the picture on the desk."""

    locked: bool = False
    """True if it cannot be edited by hand."""

    secret: bool = False
    """True if players do not get it (``players_view``)."""

    from_file: bool = False
    """True if it came with the file of a map: a new roll then covers it.

    What was painted into other layers stays above a new roll.
    """

    touch_ups_of: int | None = None
    """The id of a rolled layer whose touched values and things go here when it is rolled again."""

    things: Things = field(default_factory=Things)
    """The things placed in it."""

    removed_keys: frozenset[str] = frozenset()
    """The keys (``Thing.key``) of rolled things deleted by hand: they stay away after a re-roll.

    "" is among them if things without a key were changed or deleted, which come back.
    """

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
    assert layer.roll is not None, "only rolled layers have such a name"
    return layer.roll.title
