"""The layers of our map, while a Worldographer file is read.

A layer of the file that has features, labels or shapes becomes a layer of ours. What is for the
game master only gets a layer of its own, which players do not see::

    layers = FileLayers(root, grid)
    layer = layers.get_or_add("Roads")                       # the layer "Roads"
    layers.plane(layer, SYSTEM.hexside)                 # its plane of hexsides, to be changed
    layers.get_or_add("Roads", is_secret=True)                  # the layer "GM only: Roads"
    layers.collect_layers()                                   # those with a content
"""

from __future__ import annotations

from collections import defaultdict

from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.model.things.things import Thing, Things
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.worldographer.values import number_of

MAX_VALUES = 50_000_000
"""The largest number of values in all planes of the file's layers; a value has up to two bytes."""

GM_ONLY = "GM only"
"""The beginning of the names of layers with what is for the GM only."""


class FileLayers:
    """The layers of our map by the names of those of the file."""

    def __init__(self, root: Element, grid: Grid) -> None:
        """Begin with the layers that the file names, still empty."""
        self._root = root
        self._grid = grid
        self._layers: dict[str, Layer] = {}
        """The layers by name, the lowest first."""
        self._secret_layers: dict[str, Layer] = {}
        """The layers for what is for the GM only, by the name of the layer that it is in."""
        self._things: dict[int, list[Thing]] = defaultdict(list)
        """The things of each layer, by the ``id`` of the layer object."""
        self._value_count = 0
        """The number of values in all planes so far (``MAX_VALUES``)."""
        # The file lists its layers from the top.
        for element in reversed(list(root.elements("maplayer"))):
            layer = self.get_or_add(element.attributes.get("name", ""))
            layer.visible = element.attributes.get("isVisible") != "false"
            layer.opacity = min(1.0, max(0.0, number_of(element, "opacity", 1)))

    def get_or_add(self, name: str, *, is_secret: bool = False) -> Layer:
        """Return the layer of a name, above all others if it is new; "Map" for an empty name.

        With ``is_secret`` it is the layer for what is for the GM only there.
        """
        name = clean_line(name) or "Map"
        layer = self._layers.setdefault(name, Layer(0, name))
        if not is_secret:
            return layer
        # In a dict of its own: the file can have a layer of that name that players see.
        secret_name = clean_line(f"{GM_ONLY}: {name}")
        secret_layer = Layer(0, secret_name, layer.visible, secret=True)
        return self._secret_layers.setdefault(name, secret_layer)

    def plane(self, layer: Layer, spec: PlaneSpec) -> Plane:
        """Return the plane of a layer, a new one if needed.

        Raises ProblemError if all planes together become too large.
        """
        if spec.name not in layer.planes:
            self._value_count += self._grid.size
            if self._value_count > MAX_VALUES:
                raise fault("these are too many layers for so many cells", self._root.line)
            layer.planes[spec.name] = spec.allocate(self._grid)
        return layer.planes[spec.name]

    def add_thing(self, layer: Layer, thing: Thing) -> None:
        """Put a thing onto a layer."""
        self._things[id(layer)].append(thing)

    def collect_layers(self) -> list[Layer]:
        """Give the layers their things; return those with a content, the secret ones lowest.

        A map that is opened is painted in its topmost layer: that must not be a secret one.
        """
        layers = []
        for layer in (*self._secret_layers.values(), *self._layers.values()):
            layer.things = Things(self._things[id(layer)])
            if layer.planes or layer.things:
                layers.append(layer)
        return layers
