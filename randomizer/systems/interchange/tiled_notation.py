"""The two notations of Tiled's files, XML (TMX, TSX, TX) and JSON (TMJ, TSJ, TJ), as one document.

    node = read(b'<map width="3"><layer name="Ground"><data>...</map>')
    node["layers"][0]["name"]          # "Ground": the names and lists of the JSON notation
    write(node, "map", as_xml=False)

A *node* is a dict with the keys that Tiled's JSON has, whatever the file was; what Tiled does not
know is kept as it was. Two things are as in XML, which says more: properties of a class are lists
of properties, and the ``encoding`` of cells in elements is "xml". ``LINE`` of a node is its line in
an XML file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from randomizer.model.bounded_json import parse_json
from randomizer.model.json_places import place_in_json
from randomizer.model.problems import ProblemError, place_of
from randomizer.systems.interchange.foreign import decoded, fault
from randomizer.xml_tree import Element, parse_xml

Node = dict[str, Any]

LINE = "#line"
LARGEST = 16 * 2**20
MOST_ELEMENTS = 300_000
MOST_VALUES = 4_000_000
DEEPEST = 100

_KINDS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
"""The types of layers in JSON by their tags."""
_LISTS = {
    "tileset": "tilesets",
    "tile": "tiles",
    "object": "objects",
    "wangcolor": "colors",
    "wangtile": "wangtiles",
    "chunk": "chunks",
    "layers": "layers",
}
"""The list in which the elements of a tag are, if there can be several."""
_WRAPPED = {
    "properties": ("properties", "property"),
    "wangsets": ("wangsets", "wangset"),
    "animation": ("animation", "frame"),
    "terrains": ("terraintypes", "terrain"),
}
"""Lists in an element of their own: the tags of that, and of their elements."""
_ELEMENTS = {wrapper: (key, tag) for key, (wrapper, tag) in _WRAPPED.items()}
_IMAGE = {
    "source": "image",
    "width": "imagewidth",
    "height": "imageheight",
    "trans": "transparentcolor",
}
"""The attributes of an image by those of the node that it belongs to in JSON."""
_MARKS = ("ellipse", "point", "capsule")
_LINES = ("polygon", "polyline")
_TEXTS = {
    *("name", "class", "type", "value", "version", "tiledversion", "source", "template"),
    *("propertytype", "color", "trans", "encoding", "compression", "fontfamily", "format"),
    *("target", "terrain", "wangid"),
}
"""Attributes that are texts even if they look like numbers."""
_FLAGS = {
    *("visible", "infinite", "locked", "repeatx", "repeaty", "wrap", "bold", "italic"),
    *("underline", "strikeout", "kerning", "hflip", "vflip", "rotate", "preferuntransformed"),
}
_INTEGER = re.compile(r"-?\d{1,15}")
_REAL = re.compile(r"-?\d{1,300}(?:\.\d{0,300})?(?:[eE][-+]?\d{1,3})?")
_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_NUMBERS = re.compile(r"\[\n\s*\d+(?:,\s*\d+)+\s*\]")
"""A list of numbers, which is written in one line; no text has such a line end."""
_FIRST = ("editorsettings", "properties", "tileoffset", "grid", "image", "", "layers", "data")
"""The children of an element in their order; "" are the others."""


class NodeError(ValueError):
    """What is wrong at a node of a document."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.node = node


def whole(node: Node, key: str, default: int, least: int, most: int) -> int:
    """Return a whole number of a node. Raises NodeError."""
    value = node.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not least <= value <= most:
        message = f"{key} is {value!r:.40}, expected a whole number of {least:,} to {most:,}"
        raise NodeError(node, message)
    return value


def real(node: Node, key: str, default: float = 0.0) -> float:
    """Return a number of a node. Raises NodeError."""
    value = node.get(key, default)
    if type(value) not in (int, float) or not abs(value) < 1e9:
        raise NodeError(node, f"{key} is {value!r:.40}, expected a number")
    return float(value)


def text(node: Node, key: str) -> str:
    """Return a text of a node, "" if there is none."""
    return str(node.get(key, ""))


def nodes(node: Node, key: str) -> list[Node]:
    """Return the nodes of a list; [] if there is none. Raises NodeError."""
    value = node.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise NodeError(node, f"{key} is no list of objects")
    return value


def child(node: Node, key: str) -> Node:
    """Return a part of a node, {} if there is none."""
    value = node.get(key)
    return value if isinstance(value, dict) else {}


def properties(node: Node) -> dict[str, Any]:
    """Return the values of the properties of a node by name."""
    return {text(each, "name"): each.get("value") for each in nodes(node, "properties")}


def set_properties(node: Node, values: Mapping[str, bool | int | float | str | None]) -> None:
    """Set properties of a node, take away those of None, and leave the others as they are."""
    before = properties(node)
    new = {name: value for name, value in values.items() if before.get(name) != value}
    rest = [each for each in nodes(node, "properties") if text(each, "name") not in new]
    more = ((name, value) for name, value in new.items() if value is not None)
    rest += [{"name": name, "type": _type_of(value), "value": value} for name, value in more]
    node["properties"] = rest
    if not rest:
        del node["properties"]


def read(data: bytes) -> Node:
    """Return the document of a file in either notation. Raises ProblemError."""
    if _is_xml(data):
        document = parse_xml(data, most_bytes=LARGEST, most_elements=MOST_ELEMENTS)
        if document.root is None:
            raise ProblemError(document.problems)
        return _from_element(document.root, "")
    content = decoded(data)
    try:
        node = parse_json(content.encode(), largest=LARGEST, deepest=DEEPEST, most=MOST_VALUES)
        if "\\u" in content:
            json.dumps(node, ensure_ascii=False).encode()  # halves of characters are a ValueError
    except json.JSONDecodeError as failed:
        message = f"this is no JSON: {failed.msg}"
        raise fault(message, *place_of(content, failed.pos)) from failed
    except (ValueError, RecursionError) as failed:
        raise fault(f"this is not read: {failed}", 1) from failed
    if not isinstance(node, dict):
        raise fault("this is no JSON object", 1)
    try:
        _check_json(node)
    except NodeError as wrong:
        raise located(data, node, wrong) from wrong
    return node


def located(data: bytes, root: Node, wrong: NodeError) -> ProblemError:
    """Return the error of what is wrong at a node of a file, with its place."""
    place = (wrong.node.get(LINE, 1), 1)
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(root, ())]
    while waiting and not _is_xml(data):
        value, path = waiting.pop()
        if value is wrong.node:
            content = decoded(data)
            place = place_of(content, place_in_json(content, path)[0])
            break
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [(each, (*path, at)) for at, each in entries if isinstance(each, dict | list)]
    return fault(str(wrong), *place)


def write(node: Node, tag: str, *, as_xml: bool) -> bytes:
    """Return the file of a document: a "map", a "tileset" or a "template"."""
    if as_xml:
        element = _to_element(tag, node)
        ElementTree.indent(element, " ")
        content = ElementTree.tostring(element, "unicode", short_empty_elements=True)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{content}\n'.encode()
    content = json.dumps(_json(node), ensure_ascii=False, indent=1)
    return (_NUMBERS.sub(lambda match: " ".join(match[0].split()), content) + "\n").encode()


def _is_xml(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"


# --- from XML ------------------------------------------------------------------------------------


def _from_element(element: Element, parent: str) -> Node:
    name = element.name
    node: Node = {LINE: element.line}
    node |= {key: _typed(key, value) for key, value in element.attributes.items()}
    if "wangid" in node:
        node["wangid"] = [_typed("", each) for each in node["wangid"].split(",")]
    for each in element.children:
        if isinstance(each, Element):
            _take(node, each, name)
    if name == "text":
        node["text"] = _content(element)
    elif name in _KINDS and parent in ("map", "group"):
        node["type"] = _KINDS[name]
    elif name in ("map", "tileset") and not parent:
        node["type"] = name
    return node


def _take(node: Node, element: Element, parent: str) -> None:
    """Take an element into the node of the one that it stands in."""
    name = element.name
    if name == "properties":
        node[name] = [_from_property(each) for each in element.elements("property")]
    elif name in _ELEMENTS:
        key, tag = _ELEMENTS[name]
        node[key] = [_from_element(each, name) for each in element.elements(tag)]
    elif name == "data" and parent == "layer":
        node |= {"encoding": "xml", **element.attributes}
        for chunk in element.elements("chunk"):
            each = _from_element(chunk, name) | {"data": _cells(node, chunk)}
            each.pop("tiles", None)
            node.setdefault("chunks", []).append(each)
        if "chunks" not in node:
            node["data"] = _cells(node, element)
    elif name == "image":
        image = _from_element(element, parent)
        node |= {new: image[key] for key, new in _IMAGE.items() if key in image}
        if "transparentcolor" in node:
            node["transparentcolor"] = f"#{node['transparentcolor'].lstrip('#')}"
    elif name in _LINES:
        pairs = [each.split(",") for each in element.attributes.get("points", "").split()]
        node[name] = [{"x": _typed("", each[0]), "y": _typed("", each[-1])} for each in pairs]
    elif name in _MARKS:
        node[name] = True
    elif name in _KINDS and parent in ("map", "group"):
        node.setdefault("layers", []).append(_from_element(element, parent))
    elif name in _LISTS and parent != "template":
        node.setdefault(_LISTS[name], []).append(_from_element(element, parent))
    else:
        node[name] = _from_element(element, parent)


def _cells(layer: Node, element: Element) -> object:
    """The cells of a layer or chunk: as text, or a list of what stands in elements."""
    if layer["encoding"] != "xml":
        return _content(element)
    return [_typed("", each.attributes.get("gid", "0")) for each in element.elements("tile")]


def _content(element: Element) -> str:
    return "".join(each for each in element.children if isinstance(each, str))


def _typed(key: str, value: str) -> bool | int | float | str:
    if key in _FLAGS and value in ("0", "1", "true", "false"):
        return value in ("1", "true")
    if key in _TEXTS:
        return value
    if _INTEGER.fullmatch(value):
        return int(value)
    number = float(value) if _REAL.fullmatch(value) else math.inf
    return number if math.isfinite(number) else value


def _from_property(element: Element) -> Node:
    node: Node = {"type": "string", **element.attributes}
    content: Any = node.get("value", _content(element))
    if node["type"] == "class":
        lists = element.elements("properties")
        content = [_from_property(each) for part in lists for each in part.elements("property")]
    elif node["type"] == "list":
        content = [_from_property(each) for each in element.elements("item")]
    elif node["type"] == "bool":
        content = content == "true"
    elif node["type"] in ("int", "float", "object"):
        content = _typed("", content)
    return {**node, "value": content}


# --- to XML --------------------------------------------------------------------------------------


def _to_element(tag: str, node: Node) -> ElementTree.Element:
    """The element of a node."""
    attributes = {
        key: each for key, each in node.items() if _NAME.fullmatch(key) and each is not None
    }
    if tag in (*_KINDS, "map", "tileset"):
        attributes.pop("type", None)
    image = {key: attributes.pop(new) for key, new in _IMAGE.items() if new in attributes}
    if image:
        image["trans"] = str(image["trans"]).lstrip("#") if "trans" in image else None
        attributes["image"] = image
    element = ElementTree.Element(tag)
    if tag == "text":
        element.text = str(attributes.pop("text", ""))
    if tag == "layer":
        data = ("data", "chunks", "encoding", "compression")
        layer = {key: attributes.pop(key) for key in data if key in attributes}
        attributes["data"] = {**layer, "width": attributes.get("width", 1)}
    ranks = {key: rank for rank, key in enumerate(_FIRST)}
    for key in sorted(attributes, key=lambda each: ranks.get(each, ranks[""])):
        value = attributes[key]
        if key == "wangid":
            element.set(key, ",".join(map(_written, value)))
        elif key in _MARKS or isinstance(value, dict | list):
            element.extend(list(_children(key, value)))
        else:
            element.set(key, _written(value))
    return element


def _children(key: str, value: Any) -> Iterator[ElementTree.Element]:
    """The elements of what stands in a key of a node."""
    if key == "data":
        yield _data_element(value)
    elif key in _MARKS:
        yield ElementTree.Element(key)
    elif isinstance(value, dict):
        yield _to_element(key, value)
    elif key in _LINES:
        points = (f"{_written(each.get('x'))},{_written(each.get('y'))}" for each in value)
        yield ElementTree.Element(key, {"points": " ".join(points)})
    elif key in _WRAPPED:
        wrapper, tag = _WRAPPED[key]
        element = ElementTree.Element(wrapper)
        make = _to_property if tag == "property" else _to_element
        element.extend(make(tag, each) for each in value)
        yield element
    else:
        kinds = {kind: tag for tag, kind in _KINDS.items()}
        tag = next((tag for tag, name in _LISTS.items() if name == key), key)
        for each in value:
            if isinstance(each, dict):
                yield _to_element(kinds.get(text(each, "type"), tag) if tag == key else tag, each)


def _to_property(tag: str, node: Node) -> ElementTree.Element:
    value, kind = node.get("value"), node.get("type", "string")
    left_out = ("value", "type" if kind == "string" else "", "name" if tag == "item" else "")
    attributes = {key: _written(each) for key, each in node.items() if key not in left_out}
    element = ElementTree.Element(tag, attributes)
    if kind == "class" and isinstance(value, list):
        element.extend(_children("properties", value) if value else ())
    elif isinstance(value, list):
        items = (each if isinstance(each, dict) else {"value": each} for each in value)
        element.extend([_to_property("item", each) for each in items])
    elif isinstance(value, str) and "\n" in value:
        element.text = value
    elif isinstance(value, bool):
        element.set("value", "true" if value else "false")
    else:
        element.set("value", _written(value))
    return element


def _data_element(layer: Node) -> ElementTree.Element:
    """The cells of a layer, or its chunks; ``width`` is that of the layer."""
    encoding = layer.get("encoding", "csv")
    element = ElementTree.Element("data", {} if encoding == "xml" else {"encoding": encoding})
    if layer.get("compression"):
        element.set("compression", str(layer["compression"]))
    for part in layer.get("chunks", [layer]):
        names = ("x", "y", "width", "height")
        box = {key: _written(part.get(key, 0)) for key in names}
        holder = element if part is layer else ElementTree.SubElement(element, "chunk", box)
        cells, width = part.get("data", []), part.get("width")
        width = width if type(width) is int and width > 0 else 1
        if encoding == "xml":
            tiles = ({"gid": str(each)} if each else {} for each in cells)
            holder.extend(ElementTree.Element("tile", each) for each in tiles)
        elif isinstance(cells, str):
            holder.text = f"\n{cells.strip()}\n"
        else:
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
            holder.text = "\n" + ",\n".join(",".join(map(str, row)) for row in rows) + "\n"
    return element


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


# --- JSON ----------------------------------------------------------------------------------------


def _check_json(root: Node) -> None:
    """Check that lists are lists and types are texts, and make lists of values of a class."""
    waiting: list[Any] = [root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            kind, content = each.get("type", ""), each.get("value")
            if not isinstance(kind, str):
                raise NodeError(each, f"its type is {kind!r:.40}, expected a text")
            if kind == "class" and isinstance(content, dict):
                parts = content.items()
                each["value"] = [{"name": k, "type": _type_of(v), "value": v} for k, v in parts]
            elif kind == "class" and "value" in each:
                nodes(each, "value")
            for key in (*_LISTS.values(), *_WRAPPED, *_LINES):
                nodes(each, key)
            if not isinstance(each.get("wangid", []), list):
                raise NodeError(each, "wangid is no list")
            waiting += each.values()
        elif isinstance(each, list) and each and not isinstance(each[0], int):
            waiting += each


def _type_of(value: object) -> str:
    names = {bool: "bool", int: "int", float: "float", dict: "class", list: "list"}
    return names.get(type(value), "string")


def _json(value: Any) -> Any:
    """What stands in a file for a value: properties of a class by name, cells as numbers."""
    if isinstance(value, list):
        return value if value and type(value[0]) is int else [_json(each) for each in value]
    if not isinstance(value, dict):
        return value
    node = {key: _json(each) for key, each in value.items() if key[:1] != "#"}
    kind = node.get("type", "")
    if kind == "class" and isinstance(node.get("value"), list):
        node["value"] = {text(each, "name"): each.get("value") for each in node["value"]}
    elif kind == "map":
        node = {"tilesets": [], "layers": [], **node}
    elif kind in _KINDS.values():
        node = {"x": 0, "y": 0, "opacity": 1, "visible": True, "name": "", **node}
        if kind == "objectgroup":
            usual = {"name": "", "type": "", "rotation": 0, "visible": True}
            usual |= {"width": 0, "height": 0}
            objects = nodes(node, "objects")
            objects = [each if "template" in each else {**usual, **each} for each in objects]
            node = {"draworder": "topdown", **node, "objects": objects}
        if node.get("encoding") in ("csv", "xml"):
            del node["encoding"]
            for part in node.get("chunks", [node]):
                if isinstance(part.get("data"), str):
                    part["data"] = [int(each) for each in part["data"].split(",") if each.strip()]
    return node
