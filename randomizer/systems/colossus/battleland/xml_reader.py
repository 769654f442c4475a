"""Reads a battleland file as the game's loader does, with located problems where that would fail.

The loader uses plain names only: the attributes of the root (whatever its name), its ``battlehex``
children and its first ``startlist``; order does not matter. Unknown parts are kept (``extras``).
Source: the project's fact sheet on Colossus. For instance::

    <battlemap terrain="Marsh" tower="False">
      <battlehex x="3" y="3" terrain="Bog" elevation="0"><border number="0" type="s"/></battlehex>
      <startlist><battlehexref label="D4"/></startlist>
    </battlemap>

``BattlelandXml`` is the format, ``read_battleland`` what others call, and ``_Reader`` reads the
parts of a file, from ``read_root`` on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeGuard

from randomizer.formats import (
    Format,
    Provenance,
    Purpose,
    ReadResult,
    lost_things,
    refuse_other_systems,
)
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord, original_asset
from randomizer.reading.xml_source import decode_xml
from randomizer.reading.xml_tree import (
    MAX_BYTES,
    Document,
    Element,
    Node,
    parse_xml,
)
from randomizer.systems.colossus.battleland.extras import (
    AFTER,
    BEFORE,
    ROOT,
    STARTLIST,
    border_place,
    keep_attributes,
    keep_node,
    startlist_place,
)
from randomizer.systems.colossus.battleland.source_edits import edited_source
from randomizer.systems.colossus.battleland.xml_writer import check_writable, write_battleland
from randomizer.systems.colossus.board import HEX_AT, LABELS
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.system import HEXSIDE, SYSTEM, layer_name, new_planes
from randomizer.systems.colossus.terrain_set import COLOSSUS

MAX_PROBLEMS = 100
"""After this many problems the rest of a file is not read."""

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

_BEGINNING = 20_000
"""The bytes of a file that are looked at to recognise it."""

_FIRST_TAG = re.compile(r"<([^\s!?<>/]++)([^<>]*+)>")  # possessive: in linear time


class BattlelandXml(Format):
    """The format of ``Battlelands/*.xml``."""

    name = "xml"
    title = "Colossus battleland"
    suffixes = (".xml",)
    systems = (SYSTEM.name,)
    largest = MAX_BYTES
    purpose = Purpose.GAME

    def recognises(self, data: bytes) -> bool:
        """Return whether the root is a ``battlemap``, or has a ``tower`` attribute as they have."""
        try:
            text = decode_xml(data[:_BEGINNING])
        except ProblemError:
            return False
        without_comments = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL)
        tag = _FIRST_TAG.search(without_comments)
        if tag is None:
            return False
        name = tag[1]
        attributes = tag[2]
        return name == "battlemap" or re.search(r"\stower\s*=", attributes) is not None

    def resemblance(self, data: bytes) -> float:
        """Return how like a battleland these bytes are: 0.8 with an element of one, else 0."""
        beginning = data[:_BEGINNING].replace(b"\0", b"")  # in UTF-16 every other byte is 0
        if b"<battle" in beginning:
            return 0.8
        return 0.0

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return one layer that sets the hexes that the file names. Never raises for bad data."""
        return read_battleland(data, path)

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers, flattened; the provenance is a comment before the hexes.

        A map that was read from a file is written into the text of that file. Raises ProblemError
        for what XML cannot hold.
        """
        refuse_other_systems(self, battlemap)
        composite = battlemap.composite()
        comment = None
        if provenance is not None:
            comment = provenance.words
        original = battlemap.assets.get(original_asset(battlemap.records, self.name))
        if original is not None and not has_errors(check_writable(composite)):
            edited = _edited(original, composite, comment)
            if edited is not None:
                return edited
        return write_battleland(composite, comment)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of the game's builder."""
        composite = battlemap.composite()
        problems = check_writable(composite) + check_battleland(composite)
        has_locks = battlemap.locked_cells.any() or battlemap.locked_sides.any()
        if len(battlemap.layers) > 1 or has_locks:
            flat = Problem(
                Severity.HINT,
                "flattened",
                "A battleland file holds one flat map: layers and locks are not kept in it",
            )
            problems = (*problems, flat)
        return (*problems, *lost_things(self, battlemap))


XML = BattlelandXml()
"""The format of the catalogue."""


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
    if not problems:  # else the problems say what is not written again
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
    record = {"format": XML.name, "asset": digest}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
    battlemap.assets[digest] = data


def _edited(original: bytes, composite: Composite, comment: str | None) -> bytes | None:
    """Return the original file changed to what a map shows, with a comment.

    None if it cannot be changed to that: the result is read again, and has to show the same.
    """
    former = read_battleland(original)
    if former.battlemap is None or any(problem.code != "doctype" for problem in former.problems):
        return None
    former_composite = former.battlemap.composite()
    edited_without_comment = edited_source(original, former_composite, composite)
    if edited_without_comment is None:
        return None
    edited_map = read_battleland(edited_without_comment).battlemap
    if edited_map is None:
        return None
    edited_composite = edited_map.composite()
    if not edited_composite.same_as(composite):
        return None
    if dict(edited_composite.extras) != dict(composite.extras):
        return None
    return edited_source(original, former_composite, composite, comment)


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


class _Reader:
    """Builds one layer from the tree of a file; errors are added to the document's problems."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.extras: dict[str, object] = {}
        """What the map has no field for, by where it is in the file (``extras``)."""
        self.planes: dict[str, Plane] = {}
        """The planes of the layer; {} until the first hex is read."""
        self.properties: dict[str, Any] = {}

    def layer(self) -> Layer:
        """Return the layer; valid only if the document has no errors afterwards."""
        root = self.document.root
        assert root is not None
        try:
            self.read_root(root)
        except _TooManyProblemsError:
            self.document.problems.append(
                Problem(
                    Severity.ERROR,
                    "too-many-problems",
                    f"The rest of the file was not looked at, after {MAX_PROBLEMS} problems",
                    self.document.path,
                )
            )
        title = root.attributes.get("terrain")
        return Layer(
            1,
            layer_name(title, self.document.path),
            planes=self.planes,
            properties=self.properties,
            extras=MappingProxyType(self.extras),
        )

    def complain(
        self,
        code: str,
        message: str,
        element: Element,
        attribute: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem at an element or its attribute.

        Raises _TooManyProblemsError if it is one too many.
        """
        problems = self.document.problems
        problems.append(self.document.problem(severity, code, message, element, attribute))
        if len(problems) >= MAX_PROBLEMS:
            raise _TooManyProblemsError

    # --- the parts of a file ----------------------------------------------------------------

    def read_root(self, root: Element) -> None:
        """Read the whole file."""
        namespace = root.attributes.get("xmlns")
        if namespace:
            self.complain(
                "namespace",
                "The game does not see hexes in a namespace: the map is Plains, here too. Take "
                "away this attribute to have the hexes of the file",
                root,
                "xmlns",
                Severity.WARNING,
            )
        self.read_properties(root)
        for node in self.document.before:
            keep_node(self.extras, BEFORE, node)
        for child in root.children:
            if _is(child, "battlehex"):
                self.read_hex(child)
            elif not _is(child, "startlist"):
                keep_node(self.extras, ROOT, _with_namespace(child, namespace))
        self.read_startlists(list(root.elements("startlist")))
        for node in self.document.after:
            keep_node(self.extras, AFTER, node)

    def read_properties(self, root: Element) -> None:
        """Read the attributes of the root."""
        if "terrain" in root.attributes:
            self.properties[TITLE.name] = root.attributes["terrain"]
        if "subtitle" in root.attributes:
            self.properties[SUBTITLE.name] = root.attributes["subtitle"]
        tower = self.read_tower(root)
        if tower is not None:
            self.properties[TOWER.name] = tower
        keep_attributes(self.extras, ROOT, root, ("terrain", "tower", "subtitle"))

    def read_tower(self, root: Element) -> bool | None:
        """Return whether the map is a tower; None, and a problem, if the file does not say so."""
        text = self.required(root, "tower")
        if text is None:
            return None
        value = _TOWER_VALUES.get(text.strip(_BLANKS).lower())
        if value is None:
            self.complain("tower", f"“{text}” is neither True nor False", root, "tower")
        return value

    def read_hex(self, element: Element) -> None:
        """Read a hex; of several elements of one hex each overwrites what it has a value for."""
        x = self.number(element, "x")
        y = self.number(element, "y")
        terrain = self.read_terrain(element)
        elevation = self.read_elevation(element)
        hex_id = None
        if x is not None and y is not None:
            hex_id = HEX_AT.get((x, y))
            if hex_id is None:
                self.complain("off-board", f"The board has no hex at x {x}, y {y}", element, "x")
        if hex_id is None:
            self.read_borders(element, None)  # for their problems
            return

        keep_attributes(self.extras, LABELS[hex_id], element, ("x", "y", "terrain", "elevation"))
        if not self.planes:
            self.planes.update(new_planes())
        if terrain is not None and elevation is not None:
            self.planes["terrain"][y, x] = terrain
            self.planes["elevation"][y, x] = elevation
        sides = self.planes["hexside"][y, x]
        sides[sides == HEXSIDE.unset] = 0  # the file says that there is no hexside
        for side, code in self.read_borders(element, hex_id).items():
            sides[side] = code

    def read_elevation(self, element: Element) -> int | None:
        """Return the elevation of a hex, None if it is none that a map can have."""
        elevation = self.number(element, "elevation")
        if elevation is not None and abs(elevation) > MAX_ELEVATION:
            message = f"{elevation} is beyond every elevation"
            self.complain("elevation-range", message, element, "elevation")
            return None
        return elevation

    def read_terrain(self, element: Element) -> int | None:
        """Return the terrain code of a hex, None if there is no such terrain."""
        name = self.required(element, "terrain")
        if name is None:
            return None
        if COLOSSUS.has_terrain(name):
            return COLOSSUS.terrain_code(name)
        names = ", ".join(terrain.name for terrain in COLOSSUS.terrains)
        self.complain(
            "unknown-terrain",
            f"The game knows no terrain “{name}”; it knows {names}",
            element,
            "terrain",
        )
        return None

    def read_borders(self, element: Element, hex_id: int | None) -> dict[int, int]:
        """Return the hexside code of every side that has a valid ``border``.

        The last one of a side counts. With no ``hex_id`` only problems are added.
        """
        label = None
        if hex_id is not None:
            label = LABELS[hex_id]
        codes: dict[int, int] = {}
        for child in element.children:
            if not _is(child, "border"):
                if label is not None:
                    keep_node(self.extras, label, child)
                continue
            side = self.number(child, "number")
            if side is not None and not 0 <= side <= 5:
                self.complain("side", f"A hex has the sides 0 to 5, not {side}", child, "number")
                side = None
            code = self.read_hexside(child)
            if side is None or code is None or label is None:
                continue
            codes[side] = code
            place = border_place(label, side)
            keep_attributes(self.extras, place, child, ("number", "type"))
            for node in child.children:
                keep_node(self.extras, place, node)
        return codes

    def read_hexside(self, border: Element) -> int | None:
        """Return the hexside code of a border's type, by its first letter; a blank is none."""
        word = self.required(border, "type")
        if word is None:
            return None
        try:
            return COLOSSUS.hexside_code(word[:1])
        except KeyError:
            names = ", ".join(f"{side.letter} ({side.name})" for side in COLOSSUS.hexsides)
            self.complain(
                "unknown-hexside",
                f"The game knows no hexside “{word}”; it knows {names}",
                border,
                "type",
            )
            return None

    def read_startlists(self, elements: Sequence[Element]) -> None:
        """Read the first start list, and complain of the others."""
        if elements:
            self.read_startlist(elements[0])
        for element in elements[1:]:
            self.complain(
                "second-start-list",
                "The game reads the first start list only; this one is dropped",
                element,
                severity=Severity.WARNING,
            )

    def read_startlist(self, element: Element) -> None:
        """Read the start list.

        Old files call the entries ``battlehex``; the game uses those only if there are no refs.
        """
        entry_name = "battlehexref"
        old_entry = next(element.elements("battlehex"), None)
        if not any(element.elements("battlehexref")):
            entry_name = "battlehex"
            if old_entry is not None:
                self.complain(
                    "deprecated-start-list",
                    "The start list names its hexes by <battlehex>, which the game still reads but "
                    "which is deprecated; saved again, the file has <battlehexref>",
                    old_entry,
                    severity=Severity.WARNING,
                )
        labels = []
        keep_attributes(self.extras, STARTLIST, element, ())
        for child in element.children:
            if not _is(child, entry_name):
                keep_node(self.extras, STARTLIST, child)
                continue
            label = self.read_start_entry(child)
            if label is not None:
                labels.append(label)
        if labels:
            self.properties[START_LIST.name] = tuple(labels)

    def read_start_entry(self, element: Element) -> str | None:
        """Return the label of an entry of the start list, None if it has none."""
        label = element.attributes.get("label")
        if label is None:
            self.complain(
                "no-label",
                "This entry of the start list names no hex; the game passes it over, and it "
                "is dropped",
                element,
                severity=Severity.WARNING,
            )
            return None
        place = startlist_place(label)
        keep_attributes(self.extras, place, element, ("label",))
        for node in element.children:
            keep_node(self.extras, place, node)
        return label

    # --- attributes -------------------------------------------------------------------------

    def required(self, element: Element, name: str) -> str | None:
        """Return an attribute without which the game cannot load the map; None if it is missing."""
        value = element.attributes.get(name)
        if value is None:
            self.complain(
                f"no-{name}",
                f"This <{element.name}> has no “{name}”; the game cannot load the map without",
                element,
            )
        return value

    def number(self, element: Element, name: str) -> int | None:
        """Return a required attribute as a number, None if it is missing or no number."""
        text = self.required(element, name)
        if text is None:
            return None
        digits = text.strip(_BLANKS)
        if _NUMBER.fullmatch(digits) is None:
            self.complain("not-a-number", f"“{text}” is no whole number", element, name)
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


def _is(node: Node, name: str) -> TypeGuard[Element]:
    """Return whether a node is such an element as the game sees: none in a namespace."""
    return isinstance(node, Element) and node.name == name and not node.in_namespace
