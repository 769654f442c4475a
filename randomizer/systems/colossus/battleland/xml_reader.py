"""Reads a battleland file as the game's loader does, with located problems where that would fail.

The loader uses plain names only: the attributes of the root (whatever its name), its ``battlehex``
children and its first ``startlist``; order does not matter. Unknown parts are kept (``extras``).
Source: the project's fact sheet on Colossus. For instance::

    <battlemap terrain="Marsh" tower="False">
      <battlehex x="3" y="3" terrain="Bog" elevation="0"><border number="0" type="s"/></battlehex>
      <startlist><battlehexref label="D4"/></startlist>
    </battlemap>

The format (xml_format.py) calls ``read_battleland``. A ``_Reader`` builds the layer of one file: it
reads the file from ``_read_root`` on, each method one kind of element, and adds what is wrong to
the problems of the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, Severity, has_errors
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.reading.xml_tree import Document, Element, Node, parse_xml
from randomizer.systems.colossus.battleland.extras import (
    AFTER,
    BEFORE,
    ROOT,
    STARTLIST,
    border_place,
    startlist_place,
    store_attributes,
    store_node,
)
from randomizer.systems.colossus.board import HEX_AT, LABELS
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.system import HEXSIDE, SYSTEM, layer_name, new_planes
from randomizer.systems.colossus.terrain_set import COLOSSUS

FORMAT_NAME = "xml"
"""The name of the format, by which a map also knows the file that it was read from."""

MAX_PROBLEMS = 100
"""After this many problems the next error ends the reading, and warnings are not told any more."""

MAX_ELEVATION = 0x7FFF
"""The greatest elevation to either side of 0 that the plane can hold."""

_TOWER_VALUES = {
    "true": True,
    "on": True,
    "1": True,
    "yes": True,
    "false": False,
    "off": False,
    "0": False,
    "no": False,
}
"""What the game takes for a truth value, in small letters."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
"""A whole number; none of more digits is on the board."""

_BLANKS = "".join(map(chr, range(33)))
"""The characters that the game strips from numbers and words: all up to the blank."""

OTHER_FILES = {
    "variant": "a variant file",
    "terrains": "a variant's terrain file",
    "creatures": "a variant's creature file",
    "ColossusSnapshot": "a saved game",
    "html": "a web page",
}
"""What files with other roots are, by the name of the root."""


def read_battleland(data: bytes, path: str | None = None) -> ReadResult:
    """Return the map of a battleland file (bytes in any encoding) as one layer with id 1."""
    document = parse_xml(data, path)
    root = document.root
    if root is None:
        return ReadResult(None, tuple(document.problems))
    if not _is_battleland(root):
        document.problems.append(_no_battleland(document, root))
        return ReadResult(None, tuple(document.problems))
    layer = _Reader(document).layer()
    problems = tuple(document.problems)
    if has_errors(problems):
        return ReadResult(None, problems)
    battlemap = BattleMap.new(SYSTEM, layers=[layer])
    if not problems:
        # With problems something was dropped, which writing into the original would bring back.
        _keep_original(battlemap, data)
    return ReadResult(battlemap, (*_doctype_problems(document), *problems))


def _no_battleland(document: Document, root: Element) -> Problem:
    """Return the problem of a file with another root, with what it is if that is known."""
    message = f"This is no battleland: its root is <{root.name}>, and it has no hexes"
    kind = OTHER_FILES.get(root.name)
    if kind is not None:
        message = f"This is {kind}, not a map: its root is <{root.name}>"
    return document.problem(Severity.ERROR, "no-battleland", message, root)


def _keep_original(battlemap: BattleMap, data: bytes) -> None:
    """Keep the bytes of the file with the map, which is written into them later."""
    digest = asset_digest(data)
    record = {"format": FORMAT_NAME, "asset": digest}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
    battlemap.assets[digest] = data


def _is_battleland(root: Element) -> bool:
    """Return whether anything says that this was meant as a battleland: the game takes any root."""
    return root.name == "battlemap" or "tower" in root.attributes or any(root.elements("battlehex"))


def _doctype_problems(document: Document) -> tuple[Problem, ...]:
    """Return the problem of a DOCTYPE.

    One that names a file is fatal to the game; any other is only useless.
    """
    if document.doctype is None:
        return ()
    line, column = document.doctype
    if document.external_doctype:
        severity = Severity.ERROR
        consequence = "Because of this DOCTYPE the game loses the whole map"
    else:
        severity = Severity.WARNING
        consequence = "This DOCTYPE serves nothing and is not kept"
    message = f"{consequence}; saved again, the file has none"
    end_column = column + len("<!DOCTYPE")
    return (Problem(severity, "doctype", message, document.path, line, column, line, end_column),)


class _TooManyProblemsError(Exception):
    """Raised to stop reading a file with too many problems."""


class _Border(NamedTuple):
    """A hexside of a hex."""

    side: int
    """0 to 5, from the top clockwise."""

    code: int
    """The plane value of the hexside."""

    element: Element
    """The ``border`` that it was read from."""


class _Reader:
    """Builds one layer from the tree of a file: ``layer`` is called once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        """The file; what is wrong with it is added to its problems."""
        self._extras: dict[str, object] = {}
        """What the map has no field for, by where it is in the file (``extras``)."""
        self._planes: dict[str, Plane] = {}
        """The planes of the layer; {} until the first hex is read."""
        self._properties: dict[str, Any] = {}
        """The title, the start list and so on, by name; without those that the file has not."""

    def layer(self) -> Layer:
        """Return the layer, and add what is wrong with the file to the document's problems.

        The layer is not used if there are errors among them.
        """
        root = self._document.root
        assert root is not None
        try:
            self._read_root(root)
        except _TooManyProblemsError:
            self._document.problems.append(
                Problem(
                    Severity.ERROR,
                    "too-many-problems",
                    f"The rest of the file was not looked at, after {MAX_PROBLEMS} problems",
                    self._document.path,
                )
            )
        title = root.attributes.get("terrain")
        return Layer(
            1,
            layer_name(title, self._document.path),
            planes=self._planes,
            properties=self._properties,
            extras=MappingProxyType(self._extras),
        )

    def _complain(
        self,
        code: str,
        message: str,
        element: Element,
        attribute: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem at an element or its attribute.

        Raises _TooManyProblemsError if it is an error too many. Of warnings too many are left out:
        the map is read all the same.
        """
        problems = self._document.problems
        if severity is Severity.WARNING and len(problems) >= MAX_PROBLEMS:
            return
        problems.append(self._document.problem(severity, code, message, element, attribute))
        if severity is Severity.ERROR and len(problems) >= MAX_PROBLEMS:
            raise _TooManyProblemsError

    # --- the parts of a file ----------------------------------------------------------------

    def _read_root(self, root: Element) -> None:
        """Read the whole file."""
        namespace = root.attributes.get("xmlns")
        if namespace:
            self._complain(
                "namespace",
                "The game does not see hexes in a namespace: the map is Plains, here too. Take "
                "away this attribute to have the hexes of the file",
                root,
                "xmlns",
                Severity.WARNING,
            )
        self._add_properties(root)
        for node in self._document.before:
            store_node(self._extras, BEFORE, node)
        for child in root.children:
            if _is_game_element(child, "battlehex"):
                self._add_hex(child)
            elif not _is_game_element(child, "startlist"):
                store_node(self._extras, ROOT, _with_namespace(child, namespace))
        self._add_first_startlist(list(root.elements("startlist")))
        for node in self._document.after:
            store_node(self._extras, AFTER, node)

    def _add_properties(self, root: Element) -> None:
        """Read the attributes of the root."""
        if "terrain" in root.attributes:
            self._properties[TITLE.name] = root.attributes["terrain"]
        if "subtitle" in root.attributes:
            self._properties[SUBTITLE.name] = root.attributes["subtitle"]
        tower = self._read_tower(root)
        if tower is not None:
            self._properties[TOWER.name] = tower
        store_attributes(self._extras, ROOT, root, ("terrain", "tower", "subtitle"))

    def _read_tower(self, root: Element) -> bool | None:
        """Return whether the map is a tower; None, and a problem, if the file does not say so."""
        text = self._required(root, "tower")
        if text is None:
            return None
        value = _TOWER_VALUES.get(text.strip(_BLANKS).lower())
        if value is None:
            self._complain("tower", f"“{text}” is neither True nor False", root, "tower")
        return value

    def _add_hex(self, element: Element) -> None:
        """Read a hex; of several elements of one hex each overwrites what it has a value for."""
        x = self._number(element, "x")
        y = self._number(element, "y")
        terrain = self._read_terrain(element)
        elevation = self._read_elevation(element)
        hex_id = None
        if x is not None and y is not None:
            hex_id = HEX_AT.get((x, y))
            if hex_id is None:
                self._complain("off-board", f"The board has no hex at x {x}, y {y}", element, "x")
        borders = self._read_borders(element)
        if hex_id is None:
            return

        # Set the values of the hex.
        if not self._planes:
            self._planes.update(new_planes())
        if terrain is not None and elevation is not None:
            self._planes["terrain"][y, x] = terrain
            self._planes["elevation"][y, x] = elevation
        sides = self._planes["hexside"][y, x]
        sides[sides == HEXSIDE.unset] = 0  # the file says that there is no hexside
        for border in borders:
            sides[border.side] = border.code
        self._keep_unknown_parts(LABELS[hex_id], element, borders)

    def _keep_unknown_parts(self, label: str, element: Element, borders: Sequence[_Border]) -> None:
        """Keep what the game does not know of a hex and of its borders."""
        store_attributes(self._extras, label, element, ("x", "y", "terrain", "elevation"))
        for child in element.children:
            if not _is_game_element(child, "border"):
                store_node(self._extras, label, child)
        for border in borders:
            place = border_place(label, border.side)
            store_attributes(self._extras, place, border.element, ("number", "type"))
            for node in border.element.children:
                store_node(self._extras, place, node)

    def _read_elevation(self, element: Element) -> int | None:
        """Return the elevation of a hex, None if it is none that a map can have."""
        elevation = self._number(element, "elevation")
        if elevation is not None and abs(elevation) > MAX_ELEVATION:
            message = f"{elevation} is beyond every elevation"
            self._complain("elevation-range", message, element, "elevation")
            return None
        return elevation

    def _read_terrain(self, element: Element) -> int | None:
        """Return the terrain code of a hex, None if there is no such terrain."""
        name = self._required(element, "terrain")
        if name is None:
            return None
        if COLOSSUS.has_terrain(name):
            return COLOSSUS.terrain_code(name)
        names = ", ".join(terrain.name for terrain in COLOSSUS.terrains)
        self._complain(
            "unknown-terrain",
            f"The game knows no terrain “{name}”; it knows {names}",
            element,
            "terrain",
        )
        return None

    def _read_borders(self, element: Element) -> list[_Border]:
        """Return the valid ``border`` elements of a hex; the last one of a side counts."""
        borders = []
        for child in element.children:
            if not _is_game_element(child, "border"):
                continue
            side = self._number(child, "number")
            if side is not None and not 0 <= side <= 5:
                self._complain("side", f"A hex has the sides 0 to 5, not {side}", child, "number")
                side = None
            code = self._read_hexside(child)
            if side is not None and code is not None:
                borders.append(_Border(side, code, child))
        return borders

    def _read_hexside(self, border: Element) -> int | None:
        """Return the hexside code of a border's type, by its first letter; a blank is none."""
        word = self._required(border, "type")
        if word is None:
            return None
        try:
            return COLOSSUS.hexside_code(word[:1])
        except KeyError:
            names = ", ".join(f"{side.letter} ({side.name})" for side in COLOSSUS.hexsides)
            self._complain(
                "unknown-hexside",
                f"The game knows no hexside “{word}”; it knows {names}",
                border,
                "type",
            )
            return None

    def _add_first_startlist(self, elements: Sequence[Element]) -> None:
        """Read the first start list, and complain of the others."""
        if elements:
            self._add_startlist(elements[0])
        for element in elements[1:]:
            self._complain(
                "second-start-list",
                "The game reads the first start list only; this one is dropped",
                element,
                severity=Severity.WARNING,
            )

    def _add_startlist(self, element: Element) -> None:
        """Read the start list.

        Old files call the entries ``battlehex``; the game uses those only if there are no refs.
        """
        entry_name = "battlehexref"
        old_entry = next(element.elements("battlehex"), None)
        if not any(element.elements("battlehexref")):
            entry_name = "battlehex"
            if old_entry is not None:
                self._complain(
                    "deprecated-start-list",
                    "The start list names its hexes by <battlehex>, which the game still reads but "
                    "which is deprecated; saved again, the file has <battlehexref>",
                    old_entry,
                    severity=Severity.WARNING,
                )
        labels = []
        store_attributes(self._extras, STARTLIST, element, ())
        for child in element.children:
            if not _is_game_element(child, entry_name):
                store_node(self._extras, STARTLIST, child)
                continue
            label = self._read_start_entry(child)
            if label is not None:
                labels.append(label)
        if labels:
            self._properties[START_LIST.name] = tuple(labels)

    def _read_start_entry(self, element: Element) -> str | None:
        """Return the label of an entry of the start list, None if it has none."""
        label = element.attributes.get("label")
        if label is None:
            self._complain(
                "no-label",
                "This entry of the start list names no hex; the game passes it over, and it "
                "is dropped",
                element,
                severity=Severity.WARNING,
            )
            return None
        place = startlist_place(label)
        store_attributes(self._extras, place, element, ("label",))
        for node in element.children:
            store_node(self._extras, place, node)
        return label

    # --- attributes -------------------------------------------------------------------------

    def _required(self, element: Element, name: str) -> str | None:
        """Return an attribute without which the game cannot load the map; None if it is missing."""
        value = element.attributes.get(name)
        if value is None:
            self._complain(
                f"no-{name}",
                f"This <{element.name}> has no “{name}”; the game cannot load the map without",
                element,
            )
        return value

    def _number(self, element: Element, name: str) -> int | None:
        """Return a required attribute as a number, None if it is missing or no number."""
        text = self._required(element, name)
        if text is None:
            return None
        digits = text.strip(_BLANKS)
        if _NUMBER.fullmatch(digits) is None:
            self._complain("not-a-number", f"“{text}” is no whole number", element, name)
            return None
        return int(digits)


def _with_namespace(node: Node, namespace: str | None) -> Node:
    """Return a child of the root as it is to be kept: with the root's default namespace.

    Without that it would leave the namespace when it is written alone.
    """
    if not (namespace and isinstance(node, Element) and node.in_namespace):
        return node
    if ":" in node.name or "xmlns" in node.attributes:
        return node
    return replace(node, attributes={"xmlns": namespace, **node.attributes})


def _is_game_element(node: Node, name: str) -> TypeGuard[Element]:
    """Return whether a node is such an element as the game sees: none in a namespace."""
    return isinstance(node, Element) and node.name == name and not node.in_namespace
