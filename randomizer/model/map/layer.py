"""``Layer``, of which a map has a stack, and ``Roll``, the origin of a layer that was rolled.

A layer has *planes* (arrays with a value for each cell, side or corner of a cell), *things* that
stand on the map, and *properties* of the map as a whole. It sets some values and leaves others to
the layers below it: what it does not set is absent or unset.

A *rolled* layer was made by a generator or a script. Its ``Roll`` has all that is needed to roll it
again. What a person has changed in it is *touched*, and a re-roll keeps that. A painted layer::

    Layer(1, "Roads", planes={"road": plane}, properties={"title": "The old moor"})
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
"""The texts by name of what has none, such as a script without further files."""


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
    """The seed of the dice."""

    number: int
    """The number of the map among all that the seed makes, from 0."""

    origins: tuple[str, ...] = ()
    """The parts of the script by which values were set: "line 8, AREA (innermost)".

    The provenance planes of the layer hold indices into it.
    """

    part: str = ""
    """The name of this layer among those of its roll, if that makes several; "" if it makes one.

    The layers of one roll are rolled again together.
    """

    texts: Mapping[str, LongText] = field(default_factory=lambda: NO_TEXTS)
    """The further files of a script that has several, by their names."""

    libraries: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The digests (SHA-256) of the files of its package or of a game that the script used, by name.

    Their texts are not kept.
    """

    ground: str = field(default="", compare=False)
    """The digest of the map onto which it was rolled (``Base.ground``), "" if that is not known.

    Rolls that differ in it alone are equal.
    """

    @property
    def title(self) -> str:
        """The title of the roll: ``source_name``, with seed and map number."""
        return f"{self.source_name}, seed {self.seed} no. {self.number}"

    @property
    def source_name(self) -> str:
        """The name of what was rolled::

        generator    script_name    script       name
        ""           "hills.rnd"    its text     "hills", without the suffix
        "Swamp"      "swamp.rnd"    its text     "swamp"
        "Islands"    "islands.js"   ""           "Islands": a file of a game, by its title
        "Terraces"   ""             ""           "Terraces"
        ""           ""             its text     "Script"
        """
        name, dot, _suffix = self.script_name.rpartition(".")
        is_file_name = dot != ""
        if not is_file_name:
            name = self.script_name
        is_file_without_text = is_file_name and not self.script
        if self.generator and (is_file_without_text or not name):
            name = self.generator
        if not name:
            name = "Script"
        return name


NO_EXTRAS: Mapping[str, object] = MappingProxyType({})
"""The ``Layer.extras`` of a layer that did not come from a file."""

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
    """Data of a file of which this program knows nothing, kept for writing them back."""

    opacity: float = 1.0
    """From 0 to 1; it affects only the picture on the desk."""

    locked: bool = False
    """True if it cannot be edited by hand."""

    secret: bool = False
    """True if players do not get it (``players_view``)."""

    from_file: bool = False
    """True if it came with the file of a map. It then counts as a map, not as paint: a new roll
    covers it, while what was painted into other layers stays above the roll."""

    touch_ups_of: int | None = None
    """The id of the rolled layer whose touched values and things move into this one at a re-roll.

    None for a layer that is no layer of touch-ups.
    """

    things: Things = field(default_factory=Things)
    """The things placed in it."""

    removed_keys: frozenset[str] = frozenset()
    """The keys (``Thing.key``) of rolled things deleted by hand: they stay away after a re-roll.

    "" (``thing_edits.UNKNOWN_KEY``) is among them if things without a key were changed or deleted:
    these can come back.
    """

    def copy(self, **changes: Any) -> Layer:
        """Return a layer with copied planes, properties and things, and the given fields changed.

        The things keep their ids: such a copy cannot be in the same map as this layer. ``changes``
        are fields of the class, as for ``dataclasses.replace``.
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
