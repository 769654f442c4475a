"""SVG files of unknown origin, drawn as images without reading or doing what they should not.

An SVG can name files and addresses to be read, define entities that grow without limit, and draw
one shape millions of times through ``use``. ``svg_image`` removes references to the outside, and
refuses entities and too many shapes, before QtSvg gets the file. (The SVGs of our own terrain
pictures are read by svg_picture.py.)
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.appearance.painting import painting
from randomizer.model.problems import error
from randomizer.model.records.assets import check_asset

LONGER_SIDE = 1024
"""The longer side of the image of an SVG, in pixels."""

MAX_SHAPES = 50_000
"""An SVG has at most so many shapes, counted as often as they are used."""

LARGEST_VIEW_BOX = 1e6
"""The longest side that an SVG may give itself, in its own unit."""

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
XLINK_NAMESPACE = "http://www.w3.org/1999/xlink"

# The prefixes with which ``tostring`` writes: QtSvg knows elements and attributes by them.
ElementTree.register_namespace("", SVG_NAMESPACE)
ElementTree.register_namespace("xlink", XLINK_NAMESPACE)


def svg_image(data: bytes) -> QImage:
    """Return an SVG drawn ``LONGER_SIDE`` pixels wide or high.

    What it refers to outside of itself is left out. Raises ProblemError if it cannot be drawn.
    """
    renderer = QSvgRenderer(QByteArray(_safe_svg(data)))
    if not renderer.isValid():
        raise error("no-picture", "this SVG cannot be drawn: its content is damaged or unknown")
    box = renderer.viewBoxF().size()
    if box.isEmpty():
        raise error("no-picture", "this SVG cannot be drawn: it has no size")
    if max(box.width(), box.height()) >= LARGEST_VIEW_BOX:
        largest = f"{LARGEST_VIEW_BOX:,.0f}"
        raise error("no-picture", f"this SVG cannot be drawn: it is {largest} units wide or more")
    size = box.scaled(LONGER_SIDE, LONGER_SIDE, Qt.AspectRatioMode.KeepAspectRatio).toSize()
    image = QImage(size.expandedTo(QSize(1, 1)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(image.rect()))
    return image


def _safe_svg(data: bytes) -> bytes:
    """Return an SVG without references to the outside. Raises ProblemError if it is not safe."""
    try:
        if b"<!ENTITY" in data:
            raise ValueError("it defines entities")
        # The parser drops processing instructions, and with them style sheets from outside.
        root = ElementTree.fromstring(data)
        _drop_references(root)
        _ShapeCounter(root).count(root)
        return ElementTree.tostring(root)
    except (ValueError, LookupError, ElementTree.ParseError, RecursionError) as failed:
        # LookupError: an unknown encoding; RecursionError: elements nested a thousand deep.
        raise error("no-picture", f"this SVG cannot be drawn: {failed}") from failed


# --- references -----------------------------------------------------------------------------------


def _drop_references(root: Element) -> None:
    """Remove the references of an SVG to anything outside of it, and images that show such.

    References to elements of the SVG, and pictures that are in it, stay.
    """
    for parent in list(root.iter()):
        for element in list(parent):
            outside_references = [
                name for name, value in element.items() if _leads_outside(name, value)
            ]
            for name in outside_references:
                del element.attrib[name]
            if outside_references and _tag(element) == "image":
                parent.remove(element)


def _leads_outside(name: str, value: str) -> bool:
    """Return whether an attribute refers to something outside of the SVG."""
    return name.endswith("href") and not value.startswith("#") and not _holds_picture(value)


def _holds_picture(reference: str) -> bool:
    """Return whether a reference holds a picture itself: "data:image/png;base64,iVBOR...".

    It is one that could be an asset, and therefore no SVG within an SVG.
    """
    head, _comma, content = reference.partition(";base64,")
    try:
        check_asset(b64decode("".join(content.split())))
    except ValueError:
        return False
    return head.startswith("data:image/")


def _tag(element: Element) -> str:
    """Return the name of an element without its namespace: "use" of "{http://...}use"."""
    return str(element.tag).rpartition("}")[2]


# --- the number of shapes -------------------------------------------------------------------------


class _ShapeCounter:
    """Counts the shapes that the elements of an SVG draw, each as often as it is used.

    Thirty groups that each use the one before twice draw 2 to the power of 30 shapes; each element
    is visited only once, and the counts are added up.
    """

    def __init__(self, root: Element) -> None:
        self._element_of_id: dict[str, Element] = {}
        for element in root.iter():
            element_id = element.get("id")
            if element_id:
                self._element_of_id[element_id] = element
        self._counts: dict[Element, int] = {}
        """The numbers of the shapes of all elements that were visited."""
        self._elements_above: set[Element] = set()
        """The elements that contain or use the one that is visited now."""

    def count(self, element: Element) -> int:
        """Return the number of shapes that an element draws, with all that it contains and uses.

        Raises ValueError if they are too many, or if the element uses itself.
        """
        if element in self._counts:
            return self._counts[element]
        if element in self._elements_above:
            raise ValueError("it uses itself")
        self._elements_above.add(element)
        shapes = 1
        for drawn_element in (*element, *self._used_elements(element)):
            shapes += self.count(drawn_element)
            if shapes > MAX_SHAPES:
                raise ValueError(f"it has more than {MAX_SHAPES:,} shapes")
        self._elements_above.remove(element)
        self._counts[element] = shapes
        return shapes

    def _used_elements(self, element: Element) -> Iterator[Element]:
        """Yield the elements that a ``use`` refers to; none for other elements.

        Nothing else repeats shapes: QtSvg draws a pattern, a mask or a marker a limited number of
        times, or not at all.
        """
        if _tag(element) != "use":
            return
        for name, value in element.items():
            target = self._element_of_id.get(value.removeprefix("#"))
            if name.endswith("href") and target is not None:
                yield target
