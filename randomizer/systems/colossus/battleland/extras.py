"""Unknown parts of a battleland file, kept in ``Layer.extras`` and written back.

Every part is one entry of the mapping, so that those of several layers add up:

- ``xml PLACE @NAME`` -> the value (str) of an attribute that the game does not know;
- ``xml PLACE NODE`` -> how often (int) a comment, element, text or instruction occurs; NODE is its
  own XML.

PLACE is ``before`` (the root element), ``root``, ``after``, ``startlist``, ``startlist/LABEL`` (the
label percent-encoded), a hex (``D4``) or a hexside of it (``D4/0``). Entries are in the order of
the file. Keys that do not start with ``xml `` belong to other formats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.reading.xml_tree import Element, Node, node_xml

BEFORE = "before"
ROOT = "root"
AFTER = "after"
STARTLIST = "startlist"

_PREFIX = "xml "


def startlist_place(label: str) -> str:
    """Return the PLACE of a node in the start list's entry ``label``."""
    return f"{STARTLIST}/{quote(label, safe='')}"


def border_place(hex_label: str, side: int) -> str:
    """Return the PLACE of a node in the ``border`` of a hex."""
    return f"{hex_label}/{side}"


def keep_attributes(
    extras: dict[str, object], place: str, element: Element, names: Iterable[str]
) -> None:
    """Record the attributes of ``element`` other than ``names``."""
    for name, value in element.attributes.items():
        if name not in names and name != "xmlns":
            extras[f"{_PREFIX}{place} @{name}"] = value


def keep_node(extras: dict[str, object], place: str, node: Node) -> None:
    """Record a comment, an element, an instruction or a text that is not blank."""
    text = node_xml(" ".join(node.split()) if isinstance(node, str) else node)
    if text:
        key = f"{_PREFIX}{place} {text}"
        count = extras.get(key, 0)
        extras[key] = (count if isinstance(count, int) else 0) + 1


class Kept(NamedTuple):
    """The unknown parts of one place: attributes, and nodes as XML, in the order of the file."""

    attributes: list[tuple[str, str]]
    nodes: list[str]


def kept_by_place(extras: Mapping[str, object]) -> defaultdict[str, Kept]:
    """Return all recorded parts of a battleland file, by PLACE."""
    places: defaultdict[str, Kept] = defaultdict(lambda: Kept([], []))
    for key, value in extras.items():
        if not key.startswith(_PREFIX):
            continue
        place, _, rest = key.removeprefix(_PREFIX).partition(" ")
        if isinstance(value, int):
            most = LARGEST_DATA // (len(rest) + 1)  # a damaged project may say any number
            places[place].nodes.extend([rest] * min(value, most))
        else:
            places[place].attributes.append((rest.removeprefix("@"), str(value)))
    return places
