"""Reads a battleland file as the game's loader does, with located problems where that would fail.

The loader uses plain names only: the attributes of the root (whatever its name), its ``battlehex``
children and its first ``startlist``; order does not matter. Unknown parts are kept (``extras``).
Source: the project's fact sheet on Colossus.
"""

from __future__ import annotations

import json
import re
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

_TOWER_WORDS = dict.fromkeys(("true", "on", "1", "yes"), True) | dict.fromkeys(
    ("false", "off", "0", "no"), False
)
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
            text = decode_xml(data[:20_000])
        except ProblemError:
            return False
        tag = _FIRST_TAG.search(re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL))
        return tag is not None and (
            tag[1] == "battlemap" or re.search(r"\stower\s*=", tag[2]) is not None
        )

    def resemblance(self, data: bytes) -> float:
        return 0.8 if b"<battle" in data[:20_000].replace(b"\0", b"") else 0.0

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return one layer that sets the hexes that the file names. Never raises for bad data."""
        return read_battleland(data, path)

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers, flattened; the provenance is a comment before the hexes.

        A map that was read from a file is written into the text of that file. Raises ProblemError
        for what XML cannot hold.
        """
        refuse_other_systems(self, battlemap)
        shown = battlemap.composite()
        comment = None if provenance is None else provenance.words
        original = battlemap.assets.get(original_asset(battlemap.records, self.name))
        if original is not None and not has_errors(check_writable(shown)):
            edited = _edited(original, shown, comment)
            if edited is not None:
                return edited
        return write_battleland(shown, comment)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of the game's builder."""
        shown = battlemap.composite()
        problems = check_writable(shown) + check_battleland(shown)
        if (
            len(battlemap.layers) > 1
            or battlemap.locked_cells.any()
            or battlemap.locked_sides.any()
        ):
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
    if document.root is None:
        return ReadResult(None, tuple(document.problems))
    if not _is_battleland(document.root):
        root = document.root
        kind = OTHER_FILES.get(root.name)
        message = f"This is no battleland: its root is <{root.name}>, and it has no hexes"
        if kind is not None:
            message = f"This is {kind}, not a map: its root is <{root.name}>"
        document.problems.append(document.problem(Severity.ERROR, "no-battleland", message, root))
        return ReadResult(None, tuple(document.problems))
    layer = _Reader(document).layer()
    problems = tuple(document.problems)
    if has_errors(problems):
        return ReadResult(None, problems)
    battlemap = BattleMap.new(SYSTEM, layers=[layer])
    if not problems:  # else the problems say what is not written again
        digest = asset_digest(data)
        record = {"format": XML.name, "asset": digest}
        battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
        battlemap.assets[digest] = data
    return ReadResult(battlemap, (*_doctype_problems(document), *problems))


def _edited(original: bytes, shown: Composite, comment: str | None) -> bytes | None:
    """Return the original file with what a map shows, None if it cannot be changed to that."""
    former = read_battleland(original)
    if former.battlemap is None or any(problem.code != "doctype" for problem in former.problems):
        return None
    former_shown = former.battlemap.composite()
    edited = edited_source(original, former_shown, shown)
    if edited is None:
        return None
    again = read_battleland(edited).battlemap
    if again is None or not again.composite().same_as(shown):
        return None
    if dict(again.composite().extras) != dict(shown.extras):
        return None
    return edited_source(original, former_shown, shown, comment)


def _is_battleland(root: Element) -> bool:
    """Return whether anything says that this was meant as a battleland: the game takes any root."""
    return root.name == "battlemap" or "tower" in root.attributes or any(root.elements("battlehex"))


def _doctype_problems(document: Document) -> tuple[Problem, ...]:
    """Return a DOCTYPE that names a file is fatal to the game; any other is only useless."""
    if document.doctype is None:
        return ()
    line, column = document.doctype
    if document.external_doctype:
        severity = Severity.ERROR
        words = "because of this DOCTYPE the game loses the whole map"
    else:
        severity = Severity.WARNING
        words = "this DOCTYPE serves nothing and is not kept"
    return (
        Problem(
            severity,
            "doctype",
            f"{words[0].upper()}{words[1:]}; saved again, the file has none",
            document.path,
            line,
            column,
            line,
            column + len("<!DOCTYPE"),
        ),
    )


class _TooManyProblemsError(Exception):
    """Raised to stop reading a file with too many problems."""


class _Reader:
    """Builds one layer from the tree of a file; errors are added to the document's problems."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.extras: dict[str, object] = {}
        self.planes: dict[str, Plane] = {}
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
        problems = self.document.problems
        problems.append(self.document.problem(severity, code, message, element, attribute))
        if len(problems) >= MAX_PROBLEMS:
            raise _TooManyProblemsError

    # --- the parts of a file ----------------------------------------------------------------

    def read_root(self, root: Element) -> None:
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
        for each, attribute in ((TITLE, "terrain"), (SUBTITLE, "subtitle")):
            if attribute in root.attributes:
                self.properties[each.name] = root.attributes[attribute]
        tower = self.read_tower(root)
        if tower is not None:
            self.properties[TOWER.name] = tower
        keep_attributes(self.extras, ROOT, root, ("terrain", "tower", "subtitle"))
        for node in self.document.before:
            keep_node(self.extras, BEFORE, node)
        lists = list(root.elements("startlist"))
        for child in root.children:
            if _is(child, "battlehex"):
                self.read_hex(child)
            elif not _is(child, "startlist"):
                keep_node(self.extras, ROOT, _with_namespace(child, namespace))
        if lists:
            self.read_startlist(lists[0])
        for further in lists[1:]:
            self.complain(
                "second-start-list",
                "The game reads the first start list only; this one is dropped",
                further,
                severity=Severity.WARNING,
            )
        for node in self.document.after:
            keep_node(self.extras, AFTER, node)

    def read_tower(self, root: Element) -> bool | None:
        word = self.required(root, "tower")
        if word is None:
            return None
        value = _TOWER_WORDS.get(word.strip(_BLANKS).lower())
        if value is None:
            self.complain("tower", f"“{word}” is neither True nor False", root, "tower")
        return value

    def read_hex(self, element: Element) -> None:
        x = self.number(element, "x")
        y = self.number(element, "y")
        terrain = self.read_terrain(element)
        elevation = self.number(element, "elevation")
        if elevation is not None and abs(elevation) > 0x7FFF:
            self.complain(
                "elevation-range", f"{elevation} is beyond every elevation", element, "elevation"
            )
        if x is None or y is None:
            self.read_borders(element, None)
            return
        hex_id = HEX_AT.get((x, y))
        if hex_id is None:
            self.complain("off-board", f"The board has no hex at x {x}, y {y}", element, "x")
            self.read_borders(element, None)
            return
        keep_attributes(self.extras, LABELS[hex_id], element, ("x", "y", "terrain", "elevation"))
        if not self.planes:
            self.planes.update(new_planes())
        if terrain is not None and elevation is not None and abs(elevation) <= 0x7FFF:
            self.planes["terrain"][y, x] = terrain
            self.planes["elevation"][y, x] = elevation
        sides = self.planes["hexside"][y, x]
        sides[sides == HEXSIDE.unset] = 0
        for side, code in self.read_borders(element, hex_id).items():
            sides[side] = code

    def read_terrain(self, element: Element) -> int | None:
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
        """Return the hexside code of every side that has a valid ``border``; the last one
        counts.
        """
        label = None if hex_id is None else LABELS[hex_id]
        result: dict[int, int] = {}
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
            result[side] = code
            place = border_place(label, side)
            keep_attributes(self.extras, place, child, ("number", "type"))
            for node in child.children:
                keep_node(self.extras, place, node)
        return result

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

    def read_startlist(self, element: Element) -> None:
        """Read the start list.

        Old files call the entries ``battlehex``; the game uses those only if there are no refs.
        """
        if any(element.elements("battlehexref")):
            entry = "battlehexref"
        else:
            entry = "battlehex"
        if entry == "battlehex":
            former = next(element.elements("battlehex"), None)
        else:
            former = None
        if former is not None:
            self.complain(
                "deprecated-start-list",
                "The start list names its hexes by <battlehex>, which the game still reads but "
                "which is deprecated; saved again, the file has <battlehexref>",
                former,
                severity=Severity.WARNING,
            )
        labels = []
        keep_attributes(self.extras, STARTLIST, element, ())
        for child in element.children:
            if not _is(child, entry):
                keep_node(self.extras, STARTLIST, child)
            elif "label" in child.attributes:
                label = child.attributes["label"]
                labels.append(label)
                place = startlist_place(label)
                keep_attributes(self.extras, place, child, ("label",))
                for node in child.children:
                    keep_node(self.extras, place, node)
            else:
                self.complain(
                    "no-label",
                    "This entry of the start list names no hex; the game passes it over, and it "
                    "is dropped",
                    child,
                    severity=Severity.WARNING,
                )
        if labels:
            self.properties[START_LIST.name] = tuple(labels)

    # --- attributes -------------------------------------------------------------------------

    def required(self, element: Element, name: str) -> str | None:
        value = element.attributes.get(name)
        if value is None:
            self.complain(
                f"no-{name}",
                f"This <{element.name}> has no “{name}”; the game cannot load the map without",
                element,
            )
        return value

    def number(self, element: Element, name: str) -> int | None:
        value = self.required(element, name)
        if value is None:
            return None
        word = value.strip(_BLANKS)
        if _NUMBER.fullmatch(word) is None:
            self.complain("not-a-number", f"“{value}” is no whole number", element, name)
            return None
        return int(word)


def _with_namespace(node: Node, namespace: str | None) -> Node:
    """Return a child of the root that stays in the root's default namespace when it is written
    alone.
    """
    if not (namespace and isinstance(node, Element) and node.in_namespace):
        return node
    if ":" in node.name or "xmlns" in node.attributes:
        return node
    return replace(node, attributes={"xmlns": namespace, **node.attributes})


def _is(node: Node, name: str) -> TypeGuard[Element]:
    return isinstance(node, Element) and node.name == name and not node.in_namespace
