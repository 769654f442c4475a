"""Writes battleland files that the game loads.

Never a DOCTYPE (the game would lose the whole map), always ``tower`` and every ``elevation`` (it
crashes without), only hexes that differ from Plains, elevation 0, no hexside. New files look like
those of the game's own builder; ``source_edits`` changes files that were read.
"""

from __future__ import annotations

import re
from collections import defaultdict

from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.reading.xml_tree import attributes_xml, parse_xml
from randomizer.systems.colossus.battleland.extras import (
    AFTER,
    BEFORE,
    ROOT,
    STARTLIST,
    UnknownParts,
    border_place,
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
    has_foreign = bool(by_place)  # a defaultdict: a look-up creates the entry
    data = _whole_file(composite, by_place, comment).encode()
    if has_foreign:
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
    """Return what a battleland file cannot hold: errors for characters, a hint for an empty start
    list.
    """
    problems = []
    properties = composite.properties
    texts = [(each.label.lower(), each.of(properties)) for each in (TITLE, SUBTITLE)]
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


def _whole_file(
    composite: Composite, by_place: defaultdict[str, UnknownParts], comment: str | None
) -> str:
    """Return a new file of a map, with what the file that it was read from has besides."""
    style = GAME_STYLE
    # The game ignores ``terrain``; a map without a title has none, and is read back so.
    named = [
        ("terrain", composite.properties.get(TITLE.name)),
        ("tower", str(TOWER.of(composite.properties))),
        ("subtitle", composite.properties.get(SUBTITLE.name)),
    ]
    attributes = [(name, value) for name, value in named if value is not None]
    attributes += by_place[ROOT].attributes
    inner = []
    if comment is not None:
        inner.append(comment_row(comment))
    for node in by_place[ROOT].nodes:
        is_comment = node.startswith("<!--")
        if is_comment:
            inner.append(node)
        else:
            inner.append(style.indent + node)
    for number in range(len(HEXES)):
        inner += hex_rows(style, composite, by_place, number)
    labels = START_LIST.of(composite.properties)
    if labels:
        inner += startlist_rows(style, labels, by_place)
    rows = [
        '<?xml version="1.0"?>',
        *by_place[BEFORE].nodes,
        f"<battlemap{attributes_xml(attributes)}>",
        *inner,
        "</battlemap>",
        *by_place[AFTER].nodes,
    ]
    return style.line_end.join(rows) + style.line_end


def hex_rows(
    style: XmlStyle, composite: Composite, by_place: defaultdict[str, UnknownParts], number: int
) -> list[str]:
    """Return the rows of one hex; none for bare Plains without unknown parts."""
    x, y = HEXES[number]
    label = LABELS[number]
    terrain = int(composite.planes["terrain"][y, x])
    elevation = int(composite.planes["elevation"][y, x])
    unknown, nodes = by_place[label]
    inner = [style.border_indent + node for node in nodes]
    for side, code in enumerate(composite.planes["hexside"][y, x].tolist()):
        if code:
            more, nodes = by_place[border_place(label, side)]
            inner += _border_rows(style, side, code, more, nodes)
    if not (terrain or elevation or inner or unknown):
        return []
    attributes = [
        ("x", str(x)),
        ("y", str(y)),
        ("terrain", COLOSSUS.terrains[terrain].name),
        ("elevation", str(elevation)),
        *unknown,
    ]
    if inner or style.has_hex_end_tags:
        head = f"{style.indent}<battlehex{attributes_xml(attributes)}>"
        return [head, *inner, f"{style.indent}</battlehex>"]
    return [f"{style.indent}<battlehex{attributes_xml(attributes)}{style.empty_end}"]


def border_row(style: XmlStyle, side: int, code: int) -> str:
    """Return the row of a border without unknown parts."""
    (row,) = _border_rows(style, side, code, [], [])
    return row


def _border_rows(
    style: XmlStyle, side: int, code: int, more: list[tuple[str, str]], nodes: list[str]
) -> list[str]:
    """Return the rows of a border; ``more`` are its unknown attributes, ``nodes`` what it holds."""
    attributes = [("number", str(side)), ("type", COLOSSUS.hexside_letter(code)), *more]
    return _inner_rows(style, "border", attributes, nodes)


def startlist_rows(
    style: XmlStyle, labels: tuple[str, ...], by_place: defaultdict[str, UnknownParts]
) -> list[str]:
    """Return the rows of the start list."""
    inner = [style.border_indent + node for node in by_place[STARTLIST].nodes]
    for label in labels:
        # Unknown parts of a label are written at its first occurrence only.
        more, nodes = by_place.pop(startlist_place(label), UnknownParts([], []))
        inner += _inner_rows(style, "battlehexref", [("label", label), *more], nodes)
    head = f"{style.indent}<startlist{attributes_xml(by_place[STARTLIST].attributes)}>"
    return [head, *inner, f"{style.indent}</startlist>"]


def _inner_rows(
    style: XmlStyle, name: str, attributes: list[tuple[str, str]], nodes: list[str]
) -> list[str]:
    """Return the rows of an element in a hex or in the start list."""
    indent = style.border_indent
    head = f"{indent}<{name}{attributes_xml(attributes)}"
    if not nodes:
        return [head + style.empty_end]
    inner = [f"{indent}    {node}" for node in nodes]
    return [f"{head}>", *inner, f"{indent}</{name}>"]


def comment_row(text: str) -> str:
    """Return a comment, without what comments cannot hold: ``--`` and characters foreign to XML."""
    text = _NOT_XML.sub("\ufffd", text)
    while "--" in text:
        text = text.replace("--", "- -")
    return f"<!-- {text} -->"
