"""Writes battleland files that the game loads.

    <?xml version="1.0"?>
    <battlemap terrain="Marsh" tower="False">
        <battlehex x="3" y="2" terrain="Bog" elevation="1">
            <border number="0" type="s" />
        </battlehex>
        <startlist>
            <battlehexref label="D4" />
        </startlist>
    </battlemap>

``write_battleland`` writes a whole new file, which looks like those of the game's own builder. Only
hexes are written that differ from Plains of elevation 0 without hexsides. ``source_edits``, which
changes a file that was read, takes single rows from here.

The files follow three rules of the game: a DOCTYPE must not be there, since the game would lose the
whole map; ``tower`` and every ``elevation`` must be there, since it would crash.

What a file had that the program does not know is written again (*unknown parts*, see ``extras``).
The functions get these parts as ``by_place``: by the name of the place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.reading.xml_text import attributes_xml
from randomizer.reading.xml_tree import parse_xml
from randomizer.systems.colossus.battleland.extras import (
    AFTER,
    BEFORE,
    NO_PARTS,
    ROOT,
    STARTLIST,
    PartsByPlace,
    UnknownParts,
    border_place,
    parts_at,
    startlist_place,
    unknown_by_place,
)
from randomizer.systems.colossus.battleland.xml_style import GAME_STYLE, XmlStyle
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML 1.0 file can hold, not even escaped."""


def write_battleland(composite: Composite, comment: str | None = None) -> bytes:
    """Return the file of a map (UTF-8), with ``comment`` before the hexes if given.

    Raises ProblemError where ``check_writable`` finds an error.
    """
    problems = check_writable(composite)
    if has_errors(problems):
        raise ProblemError(problems)
    by_place = unknown_by_place(composite.extras)
    data = _whole_file(composite, by_place, comment).encode()
    if by_place:
        # Unknown XML is written as it was read; parse the result to be sure it is well-formed.
        document = parse_xml(data)
        if document.root is None or document.doctype is not None:
            raise ProblemError(
                Problem(
                    Severity.ERROR,
                    "extras-damaged",
                    "What the map carries along from the file that it was read from would spoil "
                    "the new file",
                )
            )
    return data


def check_writable(composite: Composite) -> tuple[Problem, ...]:
    """Return problems about the parts of a map that a battleland file cannot hold.

    Characters that XML does not allow are errors; an empty start list is a hint.
    """
    problems = []
    properties = composite.properties
    texts = [
        (TITLE.label.lower(), TITLE.of(properties)),
        (SUBTITLE.label.lower(), SUBTITLE.of(properties)),
    ]
    texts += [("start list", label) for label in START_LIST.of(properties)]
    for where, text in texts:
        match = _NOT_XML.search(text)
        if match is not None:
            problems.append(
                Problem(
                    Severity.ERROR,
                    "not-xml-character",
                    f"The {where} holds the character U+{ord(match[0]):04X}, which no battleland "
                    "file can hold",
                )
            )
    if properties.get(START_LIST.name) == START_LIST.none:
        problems.append(
            Problem(
                Severity.HINT,
                "empty-start-list",
                "An empty start list cannot be written; the file will have none",
            )
        )
    return tuple(problems)


_PLAINS = COLOSSUS.terrain_code("Plains")
"""The terrain of hexes that a file need not name."""

_NODE_INDENT = "    "
"""The further indent of unknown nodes in a border or an entry, where the file shows none."""


def _whole_file(composite: Composite, by_place: PartsByPlace, comment: str | None) -> str:
    """Return a new file of a map, with the unknown parts of the file that it was read from."""
    style = GAME_STYLE

    # The attributes of the root. The game ignores ``terrain``; a map without a title has none.
    known_attributes = [
        ("terrain", composite.properties.get(TITLE.name)),
        ("tower", str(TOWER.of(composite.properties))),
        ("subtitle", composite.properties.get(SUBTITLE.name)),
    ]
    attributes = [(name, value) for name, value in known_attributes if value is not None]
    unknown_parts = parts_at(by_place, ROOT)
    attributes += unknown_parts.attributes

    # The rows inside the root: comments, unknown nodes, hexes, start list.
    inner = []
    if comment is not None:
        inner.append(comment_row(comment))
    for node in unknown_parts.nodes:
        is_comment = node.startswith("<!--")
        if is_comment:  # not indented, like the comments of the game's builder
            inner.append(node)
        else:
            inner.append(style.indent + node)
    for hex_id in range(len(HEXES)):
        inner += hex_rows(style, composite, by_place, hex_id)
    labels = START_LIST.of(composite.properties)
    if labels:
        inner += startlist_rows(style, labels, by_place)

    rows = [
        '<?xml version="1.0"?>',
        *parts_at(by_place, BEFORE).nodes,
        f"<battlemap{attributes_xml(attributes)}>",
        *inner,
        "</battlemap>",
        *parts_at(by_place, AFTER).nodes,
    ]
    return style.line_end.join(rows) + style.line_end


def hex_rows(
    style: XmlStyle, composite: Composite, by_place: PartsByPlace, hex_id: int
) -> list[str]:
    """Return the rows of a hex.

    There are none for Plains of elevation 0 without hexsides and unknown parts.
    """
    x, y = HEXES[hex_id]
    label = LABELS[hex_id]
    terrain = int(composite.planes["terrain"][y, x])
    elevation = int(composite.planes["elevation"][y, x])
    unknown_attributes, unknown_nodes = parts_at(by_place, label)
    inner = [style.border_indent + node for node in unknown_nodes]
    for side, code in enumerate(composite.planes["hexside"][y, x].tolist()):
        if code:
            unknown_parts = parts_at(by_place, border_place(label, side))
            inner += _border_rows(style, side, code, unknown_parts)
    is_level_plains = terrain == _PLAINS and elevation == 0
    if is_level_plains and not inner and not unknown_attributes:
        return []
    attributes = [
        ("x", str(x)),
        ("y", str(y)),
        ("terrain", COLOSSUS.terrains[terrain].name),
        ("elevation", str(elevation)),
        *unknown_attributes,
    ]
    if inner or style.has_hex_end_tags:
        head = f"{style.indent}<battlehex{attributes_xml(attributes)}>"
        return [head, *inner, f"{style.indent}</battlehex>"]
    return [f"{style.indent}<battlehex{attributes_xml(attributes)}{style.empty_end}"]


def border_row(style: XmlStyle, side: int, code: int) -> str:
    """Return the row of a border, the element of a hexside, without unknown parts."""
    (row,) = _border_rows(style, side, code, NO_PARTS)  # it is one row without unknown nodes
    return row


def _border_rows(style: XmlStyle, side: int, code: int, unknown_parts: UnknownParts) -> list[str]:
    """Return the rows of a border: one, or more if it has unknown nodes inside."""
    attributes = [
        ("number", str(side)),
        ("type", COLOSSUS.hexside_letter(code)),
        *unknown_parts.attributes,
    ]
    return _inner_rows(style, "border", attributes, unknown_parts.nodes)


def startlist_rows(style: XmlStyle, labels: tuple[str, ...], by_place: PartsByPlace) -> list[str]:
    """Return the rows of the start list, with the unknown parts of the list and of its labels."""
    unknown_attributes, unknown_nodes = parts_at(by_place, STARTLIST)
    inner = [style.border_indent + node for node in unknown_nodes]
    written_labels = set[str]()
    for label in labels:
        # A label may be listed twice: its unknown parts are written at the first time only.
        unknown_parts = NO_PARTS
        if label not in written_labels:
            unknown_parts = parts_at(by_place, startlist_place(label))
        written_labels.add(label)
        attributes = [("label", label), *unknown_parts.attributes]
        inner += _inner_rows(style, "battlehexref", attributes, unknown_parts.nodes)
    head = f"{style.indent}<startlist{attributes_xml(unknown_attributes)}>"
    return [head, *inner, f"{style.indent}</startlist>"]


def _inner_rows(
    style: XmlStyle, name: str, attributes: list[tuple[str, str]], nodes: Sequence[str]
) -> list[str]:
    """Return the rows of an element in a hex or in the start list, with ``nodes`` inside it."""
    indent = style.border_indent
    head = f"{indent}<{name}{attributes_xml(attributes)}"
    if not nodes:
        return [head + style.empty_end]
    inner = [f"{indent}{_NODE_INDENT}{node}" for node in nodes]
    return [f"{head}>", *inner, f"{indent}</{name}>"]


def comment_row(text: str) -> str:
    """Return a comment, without what comments cannot hold: ``--`` and characters foreign to XML."""
    text = _NOT_XML.sub("\ufffd", text)
    while "--" in text:
        text = text.replace("--", "- -")
    return f"<!-- {text} -->"
